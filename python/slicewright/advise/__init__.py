"""Advice from evidence: what a report says, every load that would explain it, and what each would do with more."""
