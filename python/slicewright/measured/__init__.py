"""Monitor data that a site has: what files hold, and their intervals as tables like those of a run."""
