"""Numbers in registers: constants, memory, and casts as NumPy makes them on this machine."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np

from runtime.executors.native.code import Code, register
from runtime.executors.native.values import Lowered, Scalar
from runtime.graph.dtypes import DType, complex64, complex128, float32, float64, int64


def literal(value: Any, dtype: DType) -> Scalar:
    """A constant."""
    if dtype.is_bool:
        return Scalar("true" if value else "false", dtype, bool(value))
    if dtype.is_complex:
        number = complex(np.asarray(value).astype(dtype.dtype))
        kind = register(part(dtype))
        return Scalar(f"<{kind} {float_text(number.real)}, {kind} {float_text(number.imag)}>", dtype, number)
    if dtype.is_floating:
        number = float(np.asarray(value).astype(dtype.dtype))
        return Scalar(float_text(number), dtype, number)
    return Scalar(str(int(value)), dtype, int(value))


def negative_zero(dtype: DType) -> Scalar:
    """What a sum begins with that is to keep the sign of zeros."""
    return literal(complex(-0.0, -0.0) if dtype.is_complex else -0.0, dtype)


def float_text(number: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


def lowest(dtype: DType) -> Scalar:
    """What any number is at least."""
    return literal(False if dtype.is_bool else -math.inf if dtype.is_floating else dtype.min, dtype)


def highest(dtype: DType) -> Scalar:
    """What any number is at most."""
    return literal(True if dtype.is_bool else math.inf if dtype.is_floating else dtype.max, dtype)


def load(code: Code, pointer: str, dtype: DType) -> Scalar:
    """A number from memory."""
    if not dtype.is_bool:
        return Scalar(code.load(register(dtype), pointer), dtype)
    byte = code.load("i8", pointer)
    return Scalar(code.let(f"trunc i8 {byte} to i1"), dtype)


def number(code: Code, value: Lowered) -> Scalar:
    """A number: itself, or the one element of an array."""
    return value if isinstance(value, Scalar) else load(code, value.pointer, value.dtype)


def store(code: Code, value: Scalar, pointer: str) -> None:
    if not value.dtype.is_bool:
        code.store(register(value.dtype), value.text, pointer)
        return
    code.store("i8", code.let(f"zext i1 {value.text} to i8"), pointer)


def cast(code: Code, x: Scalar, dtype: DType) -> Scalar:
    """A number as another type, as ``astype`` has it on this machine."""
    if x.dtype == dtype:
        return x
    if isinstance(x.known, bool | int | float) or (isinstance(x.known, complex) and dtype.is_complex):
        with np.errstate(all="ignore"):
            return literal(np.asarray(x.known, x.dtype.dtype).astype(dtype.dtype).item(), dtype)
    a, b = register(x.dtype), register(dtype)
    return Scalar(_cast(code, x, a, b, dtype), dtype)


def fits(code: Code, x: Scalar, dtype: DType) -> str:
    """Whether another type of integers holds a number in 64 bits with a sign."""
    if dtype.size == 8:
        return "true" if dtype == x.dtype else code.compare("sge", x.text, "0")
    return code.compare("eq", cast(code, cast(code, x, dtype), x.dtype).text, x.text)


def part(dtype: DType) -> DType:
    """The type of the parts of complex numbers."""
    return float32 if dtype == complex64 else float64


def parts(code: Code, x: Scalar) -> tuple[str, str]:
    """The real and the imaginary part of a complex number."""
    kind = register(x.dtype)
    real, other = (code.let(f"extractelement {kind} {x.text}, i64 {i}") for i in range(2))
    return real, other


def paired(code: Code, real: str, other: str, dtype: DType) -> Scalar:
    """The complex number of two parts."""
    kind, inner = register(dtype), register(part(dtype))
    made = code.let(f"insertelement {kind} poison, {inner} {real}, i64 0")
    return Scalar(code.let(f"insertelement {kind} {made}, {inner} {other}, i64 1"), dtype)


def _cast(code: Code, x: Scalar, a: str, b: str, dtype: DType) -> str:
    if x.dtype.is_complex and dtype.is_complex:
        return code.let(f"{'fpext' if dtype == complex128 else 'fptrunc'} {a} {x.text} to {b}")
    if dtype.is_complex:
        return paired(code, cast(code, Scalar(x.text, x.dtype), part(dtype)).text, "0.0", dtype).text
    if x.dtype.is_complex:
        own = part(x.dtype)
        real, other = (Scalar(text, own) for text in parts(code, x))
        if dtype.is_bool:
            return code.either(cast(code, real, dtype).text, cast(code, other, dtype).text)
        return cast(code, real, dtype).text
    if dtype.is_bool:
        zero = "fcmp une" if x.dtype.is_floating else "icmp ne"
        return code.let(f"{zero} {a} {x.text}, {zero_of(x.dtype)}")
    if x.dtype.is_floating:
        if dtype.is_floating:
            return code.let(f"{'fpext' if b == 'double' else 'fptrunc'} {a} {x.text} to {b}")
        return _to_integer(code, x, dtype)
    unsigned = x.dtype.is_bool or x.dtype.name.startswith("u")
    if dtype.is_floating:
        return code.let(f"{'uitofp' if unsigned else 'sitofp'} {a} {x.text} to {b}")
    wide, narrow = int(b[1:]), int(a[1:])
    if wide == narrow:
        return x.text
    how = "trunc" if wide < narrow else "zext" if unsigned else "sext"
    return code.let(f"{how} {a} {x.text} to {b}")


def _to_integer(code: Code, x: Scalar, dtype: DType) -> str:
    """What does not fit becomes the smallest integer, as the processor has it; small types are cut from 32 bits."""
    kind, name = register(x.dtype), dtype.name
    if name == "uint64":
        half = literal(2.0**63, x.dtype).text
        large = code.let(f"fcmp oge {kind} {x.text}, {half}")
        less = code.let(f"fsub {kind} {x.text}, {half}")
        part = code.choose(large, less, x.text, kind)
        whole = _to_integer(code, Scalar(part, x.dtype), int64)
        return code.choose(large, code.let(f"xor i64 {whole}, {-(2**63)}"), whole)
    wide = "i64" if name in ("int64", "uint32") else "i32"
    bits = int(wide[1:])
    low, high = literal(-(2.0 ** (bits - 1)), x.dtype).text, literal(2.0 ** (bits - 1), x.dtype).text
    fits = code.let(f"fcmp oge {kind} {x.text}, {low}")
    fits = code.both(fits, code.let(f"fcmp olt {kind} {x.text}, {high}"))
    safe = code.choose(fits, x.text, zero_of(x.dtype), kind)
    whole = code.let(f"fptosi {kind} {safe} to {wide}")
    whole = code.choose(fits, whole, str(-(2 ** (bits - 1))), wide)
    if register(dtype) == wide:
        return whole
    return code.let(f"trunc {wide} {whole} to {register(dtype)}")


def zero_of(dtype: DType) -> str:
    if dtype.is_complex:
        return "zeroinitializer"
    return "0x0000000000000000" if dtype.is_floating else "false" if dtype.is_bool else "0"


def one_of(dtype: DType) -> str:
    if dtype.is_complex:
        return literal(1, dtype).text
    return float_text(1.0) if dtype.is_floating else "true" if dtype.is_bool else "1"


def is_signed(dtype: DType) -> bool:
    return not dtype.name.startswith("u")
