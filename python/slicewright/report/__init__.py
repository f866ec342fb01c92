"""A report as data, and the three renderers that print it: text, HTML and JSON."""
