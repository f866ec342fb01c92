"""Studies: published measurements reproduced cell by cell, with constants from their calibration cells alone."""
