"""Threads behind one lock on fewer processors than threads, measured on this machine and simulated."""
