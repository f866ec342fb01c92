"""slicewright as a page on this machine: a local server, its worker processes, and the page."""
