"""Sweeps: one scenario simulated at many values of some keys, kept in a store that loses no finished point."""
