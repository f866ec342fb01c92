"""The pages of the reference that are made from the code they describe, so that they cannot say anything else.

It leaves out the reference of scenario files, which the crate of the language writes, and the validation pages, which
take a full run of the studies (`python -m slicewright.study validation`).
"""
