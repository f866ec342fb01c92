"""Advice on how a control program uses its logical processors: vertical or horizontal, and how many it parks.

It leaves out reports: none says how a guest's work came to move.
"""
