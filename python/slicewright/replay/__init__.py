"""Recorded I/Os: read, checked, and given to replayed guests."""
