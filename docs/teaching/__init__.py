"""The teaching pages' tables: simulated values with half-widths beside what theory says.

It leaves out the words of the pages, which stand in the pages, and the pictures (`docs.pictures.teaching`).
"""
