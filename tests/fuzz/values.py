"""Arrays at random, of any element type, as values and as Python text."""

from __future__ import annotations

import numpy as np

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
USUAL = ("float32", "float64", "int32", "int64", "bool", "float32", "float64", "int32", "int64")
DTYPES = ("bool", *INTEGERS, *FLOATS, *COMPLEX)
KINDS = {"b": ("bool",), "i": INTEGERS[:4], "u": INTEGERS[4:], "f": FLOATS, "c": COMPLEX, "O": ("string",)}
TEXTS = (b"", b"a", b"Abc", b" x ", "ü".encode(), b"12", b"-3.5", b"a-b")

_SIZES = (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 7, 8, 9, 16, 17, 33)


def dtype(random, kinds="biufc"):
    """A name of an element type of these kinds; the usual ones more often."""
    names = [d for k in kinds for d in KINDS[k]]
    usual = [d for d in USUAL if d in names]
    return random.choice(usual if usual and random.random() < 0.6 else names)


def shape(random, rank=None, least=0):
    """A shape of at most some hundred elements."""
    rank = random.choice((0, 1, 1, 1, 2, 2, 2, 3, 4)) if rank is None else rank
    for _ in range(50):
        dims = tuple(max(random.choice(_SIZES), least) for _ in range(rank))
        if np.prod(dims, dtype=int) <= (300 if random.random() < 0.2 else 40):
            return dims
    return (max(least, 1),) * rank


def _number(random, name, tame):
    kind = np.dtype(name).kind
    if kind == "b":
        return random.random() < 0.5
    if kind in "iu":
        limits = np.iinfo(name)
        small = random.randint(0 if kind == "u" else -4, 9)
        if tame or random.random() < 0.7:
            return small
        return random.choice(
            (limits.min, limits.max, limits.min + 1, limits.max - 1, 0, 1, random.randint(limits.min, limits.max))
        )
    if kind == "c":
        return complex(_number(random, "float32", tame), _number(random, "float32", tame))
    usual = random.choice((0.0, 1.0, -1.0, 0.5, 2.0, -2.5, 3.0, random.randint(-40, 40) / 8, random.gauss(0, 1)))
    if tame or random.random() < 0.75:
        return usual
    big = 6e4 if name == "float16" else 1e30 if name == "float32" else 1e300
    return random.choice(
        (0.0, -0.0, np.inf, -np.inf, np.nan, big, -big, 1 / big, 1e-40, 255.5, -129.0, 2.0**31, -(2.0**63), 4e9, 1e19)
    )


def array(random, name, dims, tame=False):
    """An array of an element type and shape; large ones repeat a few numbers."""
    count = int(np.prod(dims, dtype=int))
    if name == "string":
        made = np.empty(count, object)
        made[:] = [random.choice(TEXTS) for _ in range(count)]
        return made.reshape(dims)
    with np.errstate(all="ignore"):
        few = np.array([_number(random, name, tame) for _ in range(min(count, 13))]).astype(name)
    return np.resize(few, dims) if count else np.zeros(dims, name)


def text(value):
    """Python text that makes the array again, to the bit."""
    value = np.asarray(value)
    kind = "object" if value.dtype == object else str(value.dtype)
    if not value.size:
        return f"np.zeros({value.shape}, {kind!r})"
    if kind == "object" and not value.ndim:
        return repr(value.item())
    flat = value.reshape(-1)
    for count in (1, *range(2, 14)):
        few = flat[:count]
        repeated = np.resize(few, value.shape)
        if value.size > max(12, count) and repeated.tobytes() == value.tobytes() and kind != "object":
            return f"np.resize(np.array({_literal(few.tolist())}, {kind!r}), {value.shape})"
    return f"np.array({_literal(value.tolist())}, {kind!r})"


def _literal(value):
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, complex):
        return f"complex({value.real}, {value.imag})"
    return repr(value)
