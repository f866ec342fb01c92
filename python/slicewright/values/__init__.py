"""Values: units, settings, files and their forms."""
