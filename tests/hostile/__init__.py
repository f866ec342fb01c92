"""Hostile inputs against every command that takes a file; `make test-all` runs them, `make test` does not."""
