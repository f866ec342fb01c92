"""Sensitivity: the numbers of a scenario that were not measured, ranked by how much each moves its answer."""
