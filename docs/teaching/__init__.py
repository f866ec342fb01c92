"""The teaching pages' tables: simulated values with half-widths beside what theory says."""
