"""The DIAGNOSE X'9C' study: what guests that spin for locks gain by naming whoever has them."""
