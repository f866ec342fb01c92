"""Readings of evidence: what a load may miss and still be one, and what the evidence leaves open."""
