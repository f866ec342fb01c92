"""Pages of a run: its report, and pages in the style of RMF, the z/VM Performance Toolkit and GRS."""
