"""A sum over bytes and over what names them: bytes that are kept under another name have a wrong sum."""

from __future__ import annotations

import hashlib
import json

LENGTH = 32
"""Bytes of a sum, which is a SHA-256."""


def sum_of(data: bytes, *names: str | int) -> bytes:
    """The sum of bytes that are kept as the thing of these names: kind, version of the form, name, place.

    >>> sum_of(b"1", "part", 1, "ab") == sum_of(b"1", "part", 1, "ac")
    False
    >>> sum_of(b"b1", "a") == sum_of(b"1", "ab")
    False
    """
    head = json.dumps(names).encode()
    return hashlib.sha256(b"%d %b%b" % (len(head), head, data)).digest()
