"""The pictures of the documentation, drawn from simulated runs by slicewright's own code."""
