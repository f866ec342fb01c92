"""Advice on how a control program uses its logical processors: vertical or horizontal, and how many it parks."""
