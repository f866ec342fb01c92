"""The slice experiment on the machine that runs this: threads under a real limit, beside the same threads simulated.

It leaves out physics: what is measured is measured by `crates/live`, what is simulated by the engine.
"""
