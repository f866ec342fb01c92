"""Advice on installation exits: what each way through them costs your ENQs and DEQs, and what a filter saves."""
