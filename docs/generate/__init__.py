"""The pages of the reference that are made from the code they describe, so that they cannot say anything else."""
