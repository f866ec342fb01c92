"""Ensembles: several sets of constants that fit the calibration cells of a form, the mean and the spread over them."""
