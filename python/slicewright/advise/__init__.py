"""Advice from evidence: what a report says, every load that would explain it, and what each would do with more.

It leaves out physics: every number about what would happen comes from the engine.
"""
