"""Explore: one scenario at many settings, swept, chosen among, and ranked by what its guesses move."""
