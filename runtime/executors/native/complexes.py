"""Operations on complex numbers, each a vector of two floats in a register, as NumPy defines them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from runtime.executors.native.code import Code, register
from runtime.executors.native.scalars import cast, paired, part, parts
from runtime.executors.native.values import Scalar, Unsupported
from runtime.graph.dtypes import DType, bool_, complex128
from runtime.graph.graph import Attributes
from runtime.graph.op import Op
from runtime.ops import elementwise as ew

Emitted = Callable[[Code, DType, Sequence[Scalar], Attributes], Scalar]
Emit = Callable[[Code, DType, Sequence[Scalar]], Scalar]  # from operands of that type


def _converted(emit: Emit) -> Emitted:
    return lambda code, dtype, xs, _: emit(code, dtype, [cast(code, x, dtype) for x in xs])


def _both(instruction: str) -> Emitted:
    """An instruction that does the same with both parts."""

    def emit(code: Code, dtype: DType, xs: Sequence[Scalar]) -> Scalar:
        return Scalar(code.let(f"{instruction} {register(dtype)} {', '.join(x.text for x in xs)}"), dtype)

    return _converted(emit)


def multiply(code: Code, dtype: DType, xs: Sequence[Scalar]) -> Scalar:
    (a, b), (c, d) = (parts(code, x) for x in xs)
    real = code.let(f"fsub {_of(dtype)} {_times(code, dtype, a, c)}, {_times(code, dtype, b, d)}")
    other = code.let(f"fadd {_of(dtype)} {_times(code, dtype, a, d)}, {_times(code, dtype, b, c)}")
    return paired(code, real, other, dtype)


def divide(code: Code, dtype: DType, xs: Sequence[Scalar]) -> Scalar:
    """By Smith's method, which does not overflow on the way: the smaller part of the divisor by the larger one."""
    (a, b), (c, d) = (parts(code, x) for x in xs)
    kind = _of(dtype)
    sizes = [code.call(f"llvm.fabs.{_suffix(dtype)}", kind, [(kind, x)]) for x in (c, d)]
    first = code.let(f"fcmp oge {kind} {sizes[0]}, {sizes[1]}")

    def either(x: str, y: str) -> str:
        return code.choose(first, x, y, kind)

    large, small = either(c, d), either(d, c)
    ratio = code.let(f"fdiv {kind} {small}, {large}")
    scale = code.let(f"fadd {kind} {large}, {_times(code, dtype, small, ratio)}")
    scale = code.let(f"fdiv {kind} {_ONE}, {scale}")
    real = code.let(f"fadd {kind} {either(a, b)}, {_times(code, dtype, either(b, a), ratio)}")
    by_first = code.let(f"fsub {kind} {b}, {_times(code, dtype, a, ratio)}")
    by_second = code.let(f"fsub {kind} {_times(code, dtype, b, ratio)}, {a}")
    found = [_times(code, dtype, x, scale) for x in (real, either(by_first, by_second))]
    nothing = code.let(f"fcmp oeq {kind} {either(*sizes)}, 0.0")  # the divisor is zero
    of_zero = [code.let(f"fdiv {kind} {x}, {sizes[0]}") for x in (a, b)]
    real, other = (code.choose(nothing, z, x, kind) for z, x in zip(of_zero, found))
    return paired(code, real, other, dtype)


_ONE = "0x3FF0000000000000"


def _of(dtype: DType) -> str:
    """The LLVM type of a part."""
    return register(part(dtype))


def _suffix(dtype: DType) -> str:
    return "f32" if _of(dtype) == "float" else "f64"


def _times(code: Code, dtype: DType, x: str, y: str) -> str:
    return code.let(f"fmul {_of(dtype)} {x}, {y}")


def _square(code: Code, dtype: DType, xs: Sequence[Scalar]) -> Scalar:
    return multiply(code, dtype, [xs[0], xs[0]])


def _reciprocal(code: Code, dtype: DType, xs: Sequence[Scalar]) -> Scalar:
    """By Smith's method as well; NumPy does not do it the way it divides, and gives NaN for zero."""
    a, b = parts(code, xs[0])
    kind = _of(dtype)
    sizes = [code.call(f"llvm.fabs.{_suffix(dtype)}", kind, [(kind, x)]) for x in (b, a)]
    first = code.let(f"fcmp ole {kind} {sizes[0]}, {sizes[1]}")
    large, small = code.choose(first, a, b, kind), code.choose(first, b, a, kind)
    ratio = code.let(f"fdiv {kind} {small}, {large}")
    whole = code.let(f"fadd {kind} {large}, {_times(code, dtype, small, ratio)}")
    one, part_of_it = (code.let(f"fdiv {kind} {x}, {whole}") for x in (_ONE, ratio))
    minus_part, minus_one = (code.let(f"fneg {kind} {x}") for x in (part_of_it, one))
    real = code.choose(first, one, part_of_it, kind)
    return paired(code, real, code.choose(first, minus_part, minus_one, kind), dtype)


def _conj(code: Code, dtype: DType, xs: Sequence[Scalar]) -> Scalar:
    real, other = parts(code, xs[0])
    return paired(code, real, code.let(f"fneg {_of(dtype)} {other}"), dtype)


def _power(code: Code, dtype: DType, xs: Sequence[Scalar], _: Mapping[str, object]) -> Scalar:
    """By squaring, as NumPy does it for whole numbers."""
    known = xs[1].known
    if not isinstance(known, int | float | complex) or known not in range(_MOST_TIMES):
        raise Unsupported(f"a power of complex numbers with an exponent other than 0, 1, 2 … {_MOST_TIMES - 1}")
    power, rest, result = cast(code, xs[0], dtype), int(known.real), None
    while rest:
        if rest % 2:
            result = power if result is None else multiply(code, dtype, [result, power])
        rest //= 2
        power = _square(code, dtype, [power]) if rest else power
    return paired(code, _ONE, "0.0", dtype) if result is None else result


_MOST_TIMES = 100


def _part_of(number: int) -> Emitted:
    def emit(code: Code, dtype: DType, xs: Sequence[Scalar], _: Mapping[str, object]) -> Scalar:
        return Scalar(parts(code, xs[0])[number], dtype)

    return emit


def _real_of(function: str, swapped: bool) -> Emitted:
    """A function of both parts from the C library, which gives a float."""

    def emit(code: Code, dtype: DType, xs: Sequence[Scalar], _: Mapping[str, object]) -> Scalar:
        kind, given = register(dtype), parts(code, xs[0])
        name = function + ("f" if kind == "float" else "")
        return Scalar(code.call(name, kind, [(kind, x) for x in (given[::-1] if swapped else given)]), dtype)

    return emit


def _library(name: str) -> Emitted:
    """A function of complex numbers from the C library, which is what NumPy calls."""

    def emit(code: Code, dtype: DType, xs: Sequence[Scalar]) -> Scalar:
        given = parts(code, cast(code, xs[0], complex128))
        made = code.call(name, "{ double, double }", [("double", x) for x in given])
        real, other = (code.let(f"extractvalue {{ double, double }} {made}, {i}") for i in range(2))
        return cast(code, paired(code, real, other, complex128), dtype)

    return _converted(emit)


def _equality(comparison: str, joined: str) -> Emitted:
    def emit(code: Code, _: DType, xs: Sequence[Scalar], __: Mapping[str, object]) -> Scalar:
        pairs = zip(*(parts(code, cast(code, x, complex128)) for x in xs))
        real, other = (code.let(f"fcmp {comparison} double {x}, {y}") for x, y in pairs)
        return Scalar(code.let(f"{joined} i1 {real}, {other}"), bool_)

    return emit


def _of_parts(comparison: str, joined: str) -> Emitted:
    """What holds of one of the parts, or of both, by their size."""

    def emit(code: Code, _: DType, xs: Sequence[Scalar], __: Mapping[str, object]) -> Scalar:
        kind, suffix = _of(xs[0].dtype), _suffix(xs[0].dtype)
        sizes = (code.call(f"llvm.fabs.{suffix}", kind, [(kind, x)]) for x in parts(code, xs[0]))
        found = [code.let(f"fcmp {comparison} {kind} {size}, 0x7FF0000000000000") for size in sizes]
        return Scalar(code.let(f"{joined} i1 {', '.join(found)}"), bool_)

    return emit


COMPLEX: dict[Op, Emitted] = {
    ew.add: _both("fadd"), ew.subtract: _both("fsub"), ew.negative: _both("fneg"),
    ew.positive: lambda code, dtype, xs, _: cast(code, xs[0], dtype),
    ew.multiply: _converted(multiply), ew.divide: _converted(divide), ew.square: _converted(_square),
    ew.reciprocal: _converted(_reciprocal), ew.conj: _converted(_conj), ew.power: _power,
    ew.real: _part_of(0), ew.imag: _part_of(1), ew.absolute: _real_of("hypot", False),
    ew.angle: _real_of("atan2", True),
    ew.equal: _equality("oeq", "and"), ew.not_equal: _equality("une", "or"),
    ew.is_nan: _of_parts("uno", "or"), ew.is_inf: _of_parts("oeq", "or"), ew.is_finite: _of_parts("olt", "and"),
    ew.exp: _library("cexp"), ew.sqrt: _library("csqrt"), ew.log: _library("clog"), ew.sin: _library("csin"),
    ew.cos: _library("ccos"), ew.tan: _library("ctan"), ew.sinh: _library("csinh"), ew.cosh: _library("ccosh"),
    ew.tanh: _library("ctanh"),
}  # fmt: skip
