"""A run: simulated, written to a directory and read back, its tables and its integrity."""
