"""Disks and waits for a processor as Linux's own tools report them."""
