"""Studies: published measurements reproduced cell by cell, with constants from their calibration cells alone.

It leaves out physics: every number that is simulated comes from the engine.
"""
