"""Advice on slices: the wait of ended I/O for its partition at each length, what switches cost, and the room left."""
