"""Time series of a cluster's containers: readers of what tools export, and what becomes of the counters."""
