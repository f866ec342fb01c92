"""Advice on CPU limits of containers: what of the latency is throttling, and which limit, threads or period end it.

It leaves out everything but a group's `cpu.stat` and what its owner knows: no cluster is asked, nothing is changed.
"""
