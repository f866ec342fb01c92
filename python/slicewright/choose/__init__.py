"""The choice of a setting: the one of least cost among those that keep the constraints, with a stated probability."""
