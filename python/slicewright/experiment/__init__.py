"""Experiments: one scenario simulated under several settings, with common random numbers, and compared in pairs."""
