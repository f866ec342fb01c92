"""The study of installation exits: five published times of a million pairs of ENQ and DEQ, one per way through exits.

It leaves out what every study has: bands, cells, pages.
"""
