"""Functions of vectors of numbers: those of libmvec, which the C library of Linux brings.

A function ``vector.sin.f64`` of a number is called like those of LLVM's own, and so is ``vector.sin.v32f64`` of a
vector of any length. `define` writes them: the first is the C library's, the others take what libmvec has for the
largest vectors of this processor. The iterations that a loop in vectors leaves over call ``lane.sin.f64``, which is the
same function as that of vectors: equal numbers have equal results wherever in an array they stand.

Errors against the exact value, in units in the last place: at most 4, as the C library's documentation says.
"""

from __future__ import annotations

import ctypes
import functools
import platform
import re
from collections.abc import Sequence

from runtime.executors.native.code import Module, register, vector
from runtime.executors.native.machine import vector_bits
from runtime.executors.native.mathematics import suffix
from runtime.executors.native.system import c_library
from runtime.graph.dtypes import DType

_USED = re.compile(r"@((vector|lane)\.(\w+)\.(?:v(\d+))?(f32|f64))\(")
_OF_TWO = ("atan2", "hypot", "pow")
_KINDS = {"f32": "float", "f64": "double"}
# How the names of its functions tell which instructions they use, by the size of vectors.
_INSTRUCTIONS = {"x86_64": {128: "b", 256: "d", 512: "e"}, "aarch64": {128: "n"}}


@functools.cache
def _library() -> ctypes.CDLL | None:
    if platform.system() != "Linux":
        return None
    try:
        return ctypes.CDLL("libmvec.so.1")
    except OSError:
        return None


def found(name: str, dtype: DType) -> bool:
    """Whether there is a function of vectors of such numbers."""
    library = _library()
    if library is None or dtype.name not in ("float32", "float64"):
        return False
    return hasattr(library, _symbol(name, register(dtype)))


def call_name(name: str, dtype: DType) -> str:
    """By what name it is called for one number."""
    return f"vector.{name}.{suffix(register(dtype))}"


def plain_name(name: str, kind: str) -> str:
    """By what name the C library has it."""
    return f"{name}f" if kind == "float" else name


def _count(name: str) -> int:
    """How many numbers it takes."""
    return 2 if name in _OF_TWO else 1


def _lanes(kind: str) -> int:
    """The numbers in the vectors that the functions take."""
    return vector_bits() // (32 if kind == "float" else 64)


def _symbol(name: str, kind: str) -> str:
    letter = _INSTRUCTIONS.get(platform.machine(), {}).get(vector_bits(), "")
    return f"_ZGV{letter}N{_lanes(kind)}{'v' * _count(name)}_{plain_name(name, kind)}"


def define(module: Module) -> None:
    """Write the functions that a module calls."""
    used = dict.fromkeys(m.groups() for text in module.functions for m in _USED.finditer(text))
    for full, which, name, width, ending in used:
        kind, count = _KINDS[ending], _count(name)
        if which == "vector" and width is None:
            module.link(full, c_library(), plain_name(name, kind))
            continue
        library, symbol = _library(), _symbol(name, kind)
        assert library is not None
        module.link(symbol, library, symbol)
        many = vector(kind, _lanes(kind))
        module.declare(symbol, f"{many} ({', '.join([many] * count)})")
        module.declared.pop(full, None)
        if width is None:
            module.functions.append(_of_a_lane(full, symbol, kind, count))
        else:
            module.functions.append(_of_a_vector(full, symbol, kind, count, int(width)))


def _of_a_lane(full: str, symbol: str, kind: str, count: int) -> str:
    """The function on one number: on a vector of the same in all lanes."""
    many, given = vector(kind, _lanes(kind)), [f"%x{i}" for i in range(count)]
    lines = []
    for x in given:
        lines += [
            f"  {x}.first = insertelement {many} poison, {kind} {x}, i32 0",
            f"  {x}.all = shufflevector {many} {x}.first, {many} poison, <{_lanes(kind)} x i32> zeroinitializer",
        ]
    lines += [
        f"  %made = call {many} @{symbol}({', '.join(f'{many} {x}.all' for x in given)})",
        f"  %result = extractelement {many} %made, i32 0",
        f"  ret {kind} %result",
    ]
    parameters = ", ".join(f"{kind} {x}" for x in given)
    return "\n".join([f"define internal {kind} @{full}({parameters}) nounwind {{", *lines, "}"])


def _of_a_vector(full: str, symbol: str, kind: str, count: int, width: int) -> str:
    """The function on a vector of any length, part by part; what a last part lacks is filled up with its first."""
    lanes = _lanes(kind)
    whole, many, given = vector(kind, width), vector(kind, lanes), [f"%x{i}" for i in range(count)]
    lines, result = [], "poison"
    for part in range(-(-width // lanes)):
        first = part * lanes
        taken = [first + i if first + i < width else first for i in range(lanes)]
        placed = [i - first if first <= i < first + lanes else None for i in range(width)]
        chosen = [i if place is None else i + width for i, place in enumerate(placed)]
        for x in given:
            lines.append(f"  {x}.{part} = shufflevector {whole} {x}, {whole} poison, {_indices(taken)}")
        lines += [
            f"  %made.{part} = call {many} @{symbol}({', '.join(f'{many} {x}.{part}' for x in given)})",
            f"  %wide.{part} = shufflevector {many} %made.{part}, {many} poison, {_indices(placed)}",
            f"  %so_far.{part} = shufflevector {whole} {result}, {whole} %wide.{part}, {_indices(chosen)}",
        ]
        result = f"%so_far.{part}"
    lines.append(f"  ret {whole} {result}")
    parameters = ", ".join(f"{whole} {x}" for x in given)
    return "\n".join([f"define internal {whole} @{full}({parameters}) nounwind {{", *lines, "}"])


def _indices(places: Sequence[int | None]) -> str:
    """A constant vector that tells `shufflevector` which lane to take for each; None for any."""
    lanes = ", ".join("i32 poison" if place is None else f"i32 {place}" for place in places)
    return f"<{len(places)} x i32> <{lanes}>"
