"""Advice on aliases: how many a pool of volumes needs, from DEVICE reports or a scenario."""
