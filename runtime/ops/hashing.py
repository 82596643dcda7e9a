"""Numbers of texts: FarmHash's 64-bit fingerprint, and SipHash-2-4 with a key."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from runtime.graph.dtypes import int64
from runtime.graph.graph import TensorType
from runtime.graph.op import kernel, op
from runtime.ops.strings import each

_ALL = 2**64 - 1
# The constants of CityHash and FarmHash (Geoff Pike, Google): primes between 2**63 and 2**64.
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _right(x: int, bits: int) -> int:
    """A number of 64 bits, of whatever size it has become, turned to the right."""
    x &= _ALL
    return (x >> bits | x << 64 - bits) & _ALL


def _word(text: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(text[at : at + size], "little")


def _folded(x: int) -> int:
    x &= _ALL
    return x ^ x >> 47


def _mixed(u: int, v: int, factor: int) -> int:
    """Two numbers of 64 bits in one: Murmur's way, with a factor."""
    a = _folded((u ^ v) * factor)
    b = _folded((v ^ a) * factor)
    return b * factor & _ALL


def _of_up_to_16(text: bytes) -> int:
    size = len(text)
    factor = _K2 + 2 * size
    if size >= 8:
        a, b = _word(text, 0) + _K2, _word(text, size - 8)
        return _mixed((_right(b, 37) * factor + a) & _ALL, (_right(a, 25) + b) * factor & _ALL, factor)
    if size >= 4:
        return _mixed(size + (_word(text, 0, 4) << 3), _word(text, size - 4, 4), factor)
    if size:
        y, z = text[0] + (text[size >> 1] << 8), size + (text[-1] << 2)
        return _folded(y * _K2 ^ z * _K0) * _K2 & _ALL
    return _K2


def _of_up_to_32(text: bytes) -> int:
    size = len(text)
    factor = _K2 + 2 * size
    a, b = _word(text, 0) * _K1, _word(text, 8)
    c, d = _word(text, size - 8) * factor, _word(text, size - 16) * _K2
    first, second = _right(a + b, 43) + _right(c, 30) + d, a + _right(b + _K2, 18) + c
    return _mixed(first & _ALL, second & _ALL, factor)


def _of_up_to_64(text: bytes) -> int:
    size = len(text)
    factor = _K2 + 2 * size
    a, b = _word(text, 0) * _K2, _word(text, 8)
    c, d = _word(text, size - 8) * factor, _word(text, size - 16) * _K2
    y = _right(a + b, 43) + _right(c, 30) + d
    z = _mixed(y & _ALL, (a + _right(b + _K2, 18) + c) & _ALL, factor)
    e, f = _word(text, 16) * factor, _word(text, 24)
    g, h = (y + _word(text, size - 32)) * factor, (z + _word(text, size - 24)) * factor
    first, second = _right(e + f, 43) + _right(g, 30) + h, e + _right(f + a, 18) + g
    return _mixed(first & _ALL, second & _ALL, factor)


def _weak(text: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """What 32 bytes make of two numbers."""
    w, x, y, z = struct.unpack_from("<4Q", text, at)
    a += w
    b = _right(b + a + z, 21)
    kept = a
    a += x + y
    return (a + z) & _ALL, (b + _right(a, 44) + kept) & _ALL


_State = tuple[int, int, int, tuple[int, int], tuple[int, int]]


def _block(text: bytes, at: int, state: _State, factor: int, many: int = 1) -> _State:
    """The state after 64 bytes more; those at the end count `many` times."""
    x, y, z, v, w = state
    x = _right(x + y + v[0] + _word(text, at + 8), 37) * factor
    y = _right(y + v[1] + _word(text, at + 48), 42) * factor
    x = (x ^ w[1] * many) & _ALL
    y = (y + v[0] * many + _word(text, at + 40)) & _ALL
    z = _right(z + w[0], 33) * factor & _ALL
    v = _weak(text, at, v[1] * factor, x + w[0])
    w = _weak(text, at + 32, z + w[1], y + _word(text, at + 16))
    return z, y, x, v, w


def fingerprint(text: bytes) -> int:
    """FarmHash's ``Fingerprint64``, which stays the same on all machines and in all versions.

    >>> fingerprint(b"") == 0x9AE16A3B2F90404F
    True
    """
    size = len(text)
    for most, of in ((16, _of_up_to_16), (32, _of_up_to_32), (64, _of_up_to_64)):
        if size <= most:
            return of(text)
    seed = 81
    y = (seed * _K1 + 113) & _ALL
    state: _State = ((seed * _K2 + _word(text, 0)) & _ALL, y, _folded(y * _K2 + 113) * _K2 & _ALL, (0, 0), (0, 0))
    for at in range(0, (size - 1) // 64 * 64, 64):
        state = _block(text, at, state, _K1)
    x, y, z, v, w = state
    factor = _K1 + ((z & 0xFF) << 1)
    w = (w[0] + ((size - 1) & 63), w[1])
    v = (v[0] + w[0], v[1])
    w = (w[0] + v[0], w[1])
    # The last 64 bytes, whatever of them there was before.
    z, y, x, v, w = _block(text, size - 64, (x, y, z, v, w), factor, 9)
    first = _mixed(v[0], w[0], factor) + _folded(y) * _K0 + x
    return _mixed(first & _ALL, (_mixed(v[1], w[1], factor) + z) & _ALL, factor)


def siphash(text: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 of Aumasson and Bernstein.

    >>> key = tuple(int.from_bytes(bytes(range(at, at + 8)), "little") for at in (0, 8))
    >>> siphash(bytes(range(15)), key) == 0xA129CA6149BE45E5  # as their paper has it
    True
    """
    # What their constants spell: "somepseudorandomlygeneratedbytes".
    start = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
    a, b, c, d = (word ^ key[number % 2] & _ALL for number, word in enumerate(start))

    def rounds(count: int) -> None:
        nonlocal a, b, c, d
        for _ in range(count):
            a, c = (a + b) & _ALL, (c + d) & _ALL
            b, d, a = _right(b, 51) ^ a, _right(d, 48) ^ c, _right(a, 32)
            c, a = (c + b) & _ALL, (a + d) & _ALL
            b, d, c = _right(b, 47) ^ c, _right(d, 43) ^ a, _right(c, 32)

    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for at in range(0, len(padded), 8):
        word = _word(padded, at)
        d ^= word
        rounds(2)
        a ^= word
    c ^= 0xFF
    rounds(4)
    return a ^ b ^ c ^ d


@kernel
def in_buckets(x: object, buckets: int, key: tuple[int, int] | None) -> object:
    """The number of each text, by what it leaves when it is divided."""
    of: Callable[[bytes], int] = fingerprint if key is None else lambda text: siphash(text, key)
    return each(lambda text: of(text) % buckets, x, dtype=np.int64)


def _numbers(x: TensorType, **_: object) -> TensorType:
    return TensorType(int64, x.shape)


buckets = op(
    "string_buckets",
    _numbers,
    "in_buckets({0}, {buckets}, {key})",
    tf=lambda node: f"StringToHashBucket{'Fast' if node.attributes['key'] is None else 'Strong'}",
)
