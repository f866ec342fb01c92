"""Advice on how guests that spin for a lock tell the hypervisor: what each yield gains, and where nothing is gained."""
