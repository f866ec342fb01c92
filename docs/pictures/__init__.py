"""The pictures of the documentation, drawn from simulated runs by slicewright's own code.

It leaves out how a curve is drawn, which `slicewright.plots` knows.
"""
