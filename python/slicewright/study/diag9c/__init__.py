"""The DIAGNOSE X'9C' study: the gain of guests that spin for locks when they name the holder of the lock."""
