"""Two runs compared, counter by counter."""
