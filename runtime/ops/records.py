"""Files of records: each with its length and checksums, as TensorFlow's TFRecord files have them."""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterator
from typing import IO

import numpy as np

from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import DataLossError

_POLYNOMIAL = 0x82F63B78  # Castagnoli's, reversed
_ONES = 0xFFFFFFFF
_WIDTH = 256  # bytes that are summed one after the other, of many rows at once


@functools.cache
def _table() -> NumPyArray:
    """What a byte leaves of a sum."""
    state = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        state = np.where(state & 1, state >> 1 ^ _POLYNOMIAL, state >> 1).astype(np.uint32)
    return state


def _after(state: NumPyArray, byte: NumPyArray | int) -> NumPyArray:
    found: NumPyArray = _table()[(state ^ byte) & 0xFF] ^ state >> 8
    return found


@functools.cache
def _shifts() -> list[list[int]]:
    """What is left of each byte of a sum behind a row of zeros."""
    states = np.arange(256, dtype=np.uint32) << np.arange(0, 32, 8, dtype=np.uint32)[:, None]
    for _ in range(_WIDTH):
        states = _after(states, 0)
    found: list[list[int]] = states.tolist()
    return found


def crc32c(data: bytes) -> int:
    """The checksum of some bytes.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    if len(data) < _WIDTH:
        table, total = _entries(), _ONES
        for byte in data:
            total = table[(total ^ byte) & 0xFF] ^ total >> 8
        return total ^ _ONES
    rows = np.zeros((-(-len(data) // _WIDTH), _WIDTH), np.uint8)
    flat = rows.reshape(-1)[-len(data) :]  # zeros before the first byte change nothing
    flat[:] = np.frombuffer(data, np.uint8)
    flat[:4] ^= 0xFF
    state = np.zeros(len(rows), np.uint32)
    for column in rows.T:
        state = _after(state, column)
    shifts, total = _shifts(), 0
    for row in state.tolist():
        shifted = (shifts[k][total >> 8 * k & 0xFF] for k in range(4))
        total = functools.reduce(int.__xor__, shifted, row)
    return total ^ _ONES


@functools.cache
def _entries() -> list[int]:
    found: list[int] = _table().tolist()
    return found


def _checked(data: bytes) -> bytes:
    """The checksum as files hold it, which differs from one of data that holds checksums."""
    total = crc32c(data)
    return struct.pack("<I", ((total >> 15 | total << 17) + 0xA282EAD8) & _ONES)


def framed(record: bytes) -> bytes:
    """A record as it stands in a file."""
    length = struct.pack("<Q", len(record))
    return length + _checked(length) + record + _checked(record)


def records_of(file: IO[bytes]) -> Iterator[bytes]:
    """The records of a file, one after another; raises DataLossError where it holds something else."""
    at = 0
    while head := file.read(12):
        if len(head) < 12:
            raise DataLossError(f"truncated record at {at}")
        if _checked(head[:8]) != head[8:]:
            raise DataLossError(f"corrupted record at {at}")
        (length,) = struct.unpack("<Q", head[:8])
        body = file.read(length + 4)
        if len(body) < length + 4:
            raise DataLossError(f"truncated record at {at}")
        if _checked(body[:length]) != body[length:]:
            raise DataLossError(f"corrupted record at {at}")
        yield body[:length]
        at += length + 16
