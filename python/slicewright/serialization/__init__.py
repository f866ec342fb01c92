"""ENQ, DEQ and RESERVE in Python: a service to call, installation exits, resource name lists."""
