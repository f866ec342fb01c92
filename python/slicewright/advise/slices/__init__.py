"""Advice on slices: how long ended I/O waits for its partition at each length, what switches cost, and who has room."""
