"""Scenarios in Python: the typed view of what the engine resolved, starters, and how processors are shared."""
