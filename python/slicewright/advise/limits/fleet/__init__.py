"""Limits of many containers at once, from the counters that a cluster already keeps."""
