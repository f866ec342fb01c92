"""The HyperPAV study: six published DEVICE reports of eight volumes, with aliases in a pool or bound to a volume."""
