"""Fits a scenario to some intervals of measured data, and predicts the intervals that it was not shown."""
