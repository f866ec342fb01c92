"""Advice on CPU limits of containers: what of the latency is throttling, and which limit, threads or period end it."""
