"""Files in gzip: first bytes, contents within a limit, and what is wrong with one that cannot be unpacked."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from slicewright._core import InputError
from slicewright.values.errors import problem, refusal

MAGIC = b"\x1f\x8b"
"""The first bytes of a member (RFC 1952)."""


def beginning(head: bytes, most: int) -> bytes:
    """The first bytes of a file as they are unpacked; of a damaged one, those before the damage.

    >>> import gzip
    >>> beginning(gzip.compress(b"records")[:-3], 3), beginning(b"text", 2)
    (b'rec', b'te')
    """
    if not head.startswith(MAGIC):
        return head[:most]
    found, unpacking = bytearray(), zlib.decompressobj(wbits=31)
    try:
        # A byte at a time, as what was unpacked of a piece is lost with the error at its end.
        for at in range(len(head)):
            found += unpacking.decompress(head[at : at + 1], most - len(found))
            if len(found) >= most or unpacking.eof:
                break
    except zlib.error:
        pass
    return bytes(found)


MOST_UNPACKED = 256 << 20
"""Bytes to which a packed file may unpack, whatever its size."""
MOST_TIMES = 50
"""Times its own size to which it may unpack, too: counters take 5 to 15 times theirs, a bomb 1,000."""


class Unpacked:
    """The contents of a stream of gzip, unpacked as it is read; raises InputError for a bomb.

    >>> import gzip, io
    >>> Unpacked(io.BytesIO(gzip.compress(b"records")), "a.gz").read()
    b'records'
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._packed = _Counted(stream)
        self._plain = gzip.GzipFile(fileobj=cast("IO[bytes]", self._packed))
        self._name, self._size = name, 0

    def read(self, size: int = -1) -> bytes:
        """Some bytes, or without a size all of them; none at the end."""
        if size < 0:
            return b"".join(iter(lambda: self.read(_PART), b""))
        part = self._plain.read(size)
        self._size += len(part)
        if self._size > max(MOST_UNPACKED, MOST_TIMES * self._packed.size):
            what = f"its first {self._packed.size:,} bytes unpack to more than {self._size:,}"
            allowed = f"{MOST_UNPACKED >> 20} MiB, or {MOST_TIMES} times what is packed"
            remedy = "unpack it, and read it as it is: gzip -d"
            raise refusal(problem("unpacks to too much", file=self._name, why=what, allowed=allowed, remedy=remedy))
        return part


class _Counted:
    """A stream that counts the bytes that are read of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self.size = stream, 0

    def read(self, size: int = -1) -> bytes:
        part = self._stream.read(size)
        self.size += len(part)
        return part


@contextmanager
def telling_of_gzip(file: str, name: str) -> Iterator[None]:
    """Have damage of a packed file refused, with the byte of the file at which it is found.

    >>> with telling_of_gzip("no/such/file", "a.gz"):
    ...     raise EOFError("ended")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    slicewright._core.InputError: a.gz: damaged gzip
    """
    try:
        yield
    except (EOFError, zlib.error, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        refuse_damaged(file, name)
        raise refusal(problem("damaged gzip", file=name, why=str(error), remedy=_REMEDY)) from None


def refuse_damaged(file: str, name: str) -> None:
    """Raise InputError where a regular file is gzip that cannot be unpacked, with the byte at which that ends.

    >>> refuse_damaged("no/such/file", "a.gz")
    """
    try:
        if not Path(file).is_file():
            return
        with Path(file).open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                return
            stream.seek(0)
            unpacking, done, whole = zlib.decompressobj(wbits=31), 0, True
            piece = b""
            while piece := piece or stream.read(_PIECE):
                before = unpacking.copy()
                try:
                    unpacking.decompress(piece)
                except zlib.error as error:
                    raise _at(done + _good_bytes(before, piece), name, str(error)) from None
                whole = unpacking.eof
                rest = unpacking.unused_data
                if whole:  # another member may follow, after the zeros with which tapes fill their blocks
                    unpacking, rest = zlib.decompressobj(wbits=31), rest.lstrip(b"\0")
                done += len(piece) - len(rest)
                piece = rest
            if not whole:
                raise _at(done, name, "it ends in the middle")
    except OSError:
        return


def _good_bytes(unpacking: zlib._Decompress, piece: bytes) -> int:
    """How many bytes of a piece are unpacked before the one that is refused."""
    for at in range(len(piece)):
        try:
            unpacking.decompress(piece[at : at + 1])
        except zlib.error:
            return at
    return len(piece)


def _at(byte: int, name: str, why: str) -> InputError:
    return refusal(problem(f"damaged gzip at byte {byte:,}", file=name, why=why, remedy=_REMEDY))


_REMEDY = "pack it again, or copy it in binary"
_PART = 1 << 20
_PIECE = 4096
"""Bytes that are unpacked at a time: at most some MiB of contents."""
