"""Filters in front of a system call: their cost on this machine, beside the cost of the same exits simulated."""
