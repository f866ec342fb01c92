"""The slice experiment on the machine that runs this: threads under a real limit, beside the same threads simulated."""
