"""The 580/MDF study: two domains on one machine, and what their slices do to I/O."""
