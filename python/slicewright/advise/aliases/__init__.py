"""Advice on aliases: how many a pool of volumes needs, from DEVICE reports or a scenario.

It leaves out what is asked of anything else.
"""
