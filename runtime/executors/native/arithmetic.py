"""Element-wise operations on numbers in registers, as NumPy defines them: wrapping integers, NaN, division by zero."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from runtime.executors.native import mathematics as m, vector_library
from runtime.executors.native.code import Code, register
from runtime.executors.native.complexes import COMPLEX
from runtime.executors.native.division import floor_divide, fmod, mod, raw_rest
from runtime.executors.native.divisors import greatest_divisor, least_multiple
from runtime.executors.native.exact import EXACT, Emitted, integer_power, rounded
from runtime.executors.native.scalars import cast, float_text, is_signed, literal, one_of, paired, part, zero_of
from runtime.executors.native.values import Scalar, Unsupported
from runtime.graph.dtypes import DType, as_dtype, bool_, float64, int64, uint8
from runtime.graph.graph import Attributes, Node, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew

Emit = Callable[[Code, DType, Sequence[Scalar]], str]  # from operands of that type


def _instruction(integer: str, floating: str, boolean: str = "") -> Emit:
    def emit(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
        name = floating if dtype.is_floating else boolean if dtype.is_bool else integer
        if not name:
            raise Unsupported(f"it is not defined for {dtype.name}")
        kind = register(dtype)
        return code.let(f"{name} {kind} {', '.join(x.text for x in xs)}")

    return emit


def _intrinsic(name: str, integer: str = "") -> Emit:
    def emit(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
        if not dtype.is_floating:
            if integer == "same":
                return xs[0].text
            raise Unsupported(f"it is not defined for {dtype.name}")
        kind = register(dtype)
        suffix = "f32" if kind == "float" else "f64"
        return code.call(f"llvm.{name}.{suffix}", kind, [(kind, x.text) for x in xs])

    return emit


def _extreme(test: str, word: str) -> Emit:
    """NaN if one of two numbers is, else the first if the test says so: the zero of two is NumPy's."""

    def emit(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
        kind, x, y = register(dtype), xs[0].text, xs[1].text
        if dtype.is_floating:
            chosen = code.choose(code.let(f"fcmp {test} {kind} {x}, {y}"), x, y, kind)
            return code.choose(code.let(f"fcmp uno {kind} {x}, {x}"), x, chosen, kind)
        if dtype.is_bool:
            return code.let(f"{'or' if word == 'max' else 'and'} i1 {x}, {y}")
        return code.call(f"llvm.{'s' if is_signed(dtype) else 'u'}{word}.{kind}", kind, [(kind, x), (kind, y)])

    return emit


def _library(name: str) -> Emit:
    """A function of the C library."""

    def emit(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
        if not dtype.is_floating:
            raise Unsupported(f"it is not defined for {dtype.name}")
        kind = register(dtype)
        known = vector_library.found(name, dtype)
        called = vector_library.call_name(name, dtype) if known else vector_library.plain_name(name, kind)
        return code.call(called, kind, [(kind, x.text) for x in xs])

    return emit


def _own(function: Callable[[Code, str, str], str]) -> Emit:
    """One of `mathematics`."""

    def emit(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
        if not dtype.is_floating:
            raise Unsupported(f"it is not defined for {dtype.name}")
        return function(code, register(dtype), xs[0].text)

    return emit


def _power(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    x, known = xs[0].text, xs[1].known
    kind = register(dtype)
    if isinstance(known, int | float) and 0 <= known <= 4 and known == int(known):
        times = "fmul" if dtype.is_floating else "mul"
        if known == 0:
            return one_of(dtype)
        result = x
        if known >= 2:
            result = code.let(f"{times} {kind} {x}, {x}")
        if known == 4:
            return code.let(f"{times} {kind} {result}, {result}")
        return code.let(f"{times} {kind} {result}, {x}") if known == 3 else result
    if dtype.is_floating and known == 0.5:  # of -0 and of minus infinity it is something else, and NumPy takes this
        return _intrinsic("sqrt")(code, dtype, [xs[0]])
    if dtype.is_floating and vector_library.found("pow", dtype):
        return _library("pow")(code, dtype, xs)
    if dtype.is_floating:
        return code.call(f"llvm.pow.{m.suffix(kind)}", kind, [(kind, x), (kind, xs[1].text)])
    if is_signed(dtype) and not (isinstance(known, int) and known >= 0):  # NumPy refuses negative powers
        code.require(code.let(f"icmp sge {kind} {xs[1].text}, 0"))
    return integer_power(code, kind, x, xs[1].text, lambda a, b: code.let(f"mul {kind} {a}, {b}"))


def _negative(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    kind = register(dtype)
    return code.let(f"fneg {kind} {xs[0].text}" if dtype.is_floating else f"sub {kind} 0, {xs[0].text}")


def _absolute(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    kind, x = register(dtype), xs[0].text
    if dtype.is_floating:
        return code.call(f"llvm.fabs.{m.suffix(kind)}", kind, [(kind, x)])
    if dtype.is_bool or not is_signed(dtype):
        return x
    return code.call(f"llvm.abs.{kind}", kind, [(kind, x), ("i1", "false")])


def _sign(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    kind, x, zero, one = register(dtype), xs[0].text, zero_of(dtype), one_of(dtype)
    more, less = ("fcmp ogt", "fcmp olt") if dtype.is_floating else ("icmp sgt", "icmp slt")
    if not is_signed(dtype):
        return code.choose(code.let(f"icmp ne {kind} {x}, 0"), one, zero, kind)
    minus = float_text(-1.0) if dtype.is_floating else "-1"
    nothing = zero  # of NaN it is NaN, of -0 it is 0
    if dtype.is_floating:
        nothing = code.choose(code.let(f"fcmp uno {kind} {x}, {x}"), x, zero, kind)
    rest = code.choose(code.let(f"{less} {kind} {x}, {zero}"), minus, nothing, kind)
    return code.choose(code.let(f"{more} {kind} {x}, {zero}"), one, rest, kind)


def _reciprocal(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    exact = dtype if dtype.is_floating else float64  # of integers, the whole part
    part = code.let(f"fdiv {register(exact)} {one_of(exact)}, {cast(code, xs[0], exact).text}")
    return cast(code, Scalar(part, exact), dtype).text


def _angle(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    """That of a real number: pi where there is a minus sign."""
    kind, x = register(dtype), xs[0].text
    bits = "i32" if kind == "float" else "i64"
    minus = code.let(f"icmp slt {bits} {code.let(f'bitcast {kind} {x} to {bits}')}, 0")
    turned = code.choose(minus, literal(math.pi, dtype).text, zero_of(dtype), kind)
    return code.choose(code.let(f"fcmp uno {kind} {x}, {x}"), x, turned, kind)


def _shift(left: bool) -> Emit:
    def emit(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
        kind, x, y = register(dtype), xs[0].text, xs[1].text
        bits = int(kind[1:])
        inside = code.let(f"icmp ult {kind} {y}, {bits}")
        if left:
            return code.choose(inside, code.let(f"shl {kind} {x}, {code.choose(inside, y, '0', kind)}"), "0", kind)
        how = "ashr" if is_signed(dtype) else "lshr"
        moved = code.let(f"{how} {kind} {x}, {code.choose(inside, y, '0', kind)}")
        rest = code.let(f"ashr {kind} {x}, {bits - 1}") if is_signed(dtype) else "0"
        return code.choose(inside, moved, rest, kind)

    return emit


def _logaddexp(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    if not dtype.is_floating:
        raise Unsupported(f"it is not defined for {dtype.name}")
    kind, x, y = register(dtype), xs[0].text, xs[1].text
    top = _MAXIMUM(code, dtype, xs)
    gap = code.let(f"fsub {kind} {x}, {y}")
    far = code.call(f"llvm.fabs.{m.suffix(kind)}", kind, [(kind, gap)])
    rest = m.log1p(code, kind, m.exp(code, kind, code.let(f"fneg {kind} {far}")))
    total = code.let(f"fadd {kind} {top}, {rest}")
    same = code.let(f"fcmp oeq {kind} {x}, {y}")  # infinities among them
    twice = code.let(
        f"fadd {kind} {x}, {float_text(math.log(2)) if kind == 'double' else literal(math.log(2), dtype).text}"
    )
    return code.choose(same, twice, total, kind)


def _relu(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    return _MAXIMUM(code, dtype, [xs[0], Scalar(zero_of(dtype), dtype)])


def _softplus(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    return _logaddexp(code, dtype, [xs[0], Scalar(zero_of(dtype), dtype)])


def _same(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    return xs[0].text


def _divide(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    return code.let(f"fdiv {register(dtype)} {xs[0].text}, {xs[1].text}")


_MULTIPLY = _instruction("mul", "fmul", "and")
_MAXIMUM, _MINIMUM = _extreme("ogt", "max"), _extreme("olt", "min")
_AT_LEAST, _AT_MOST = _extreme("oge", "max"), _extreme("ole", "min")  # what stands on the bound stays as it is
_RINT = _intrinsic("rint")


def converted(emit: Emit) -> Emitted:
    """From operands of any type: they become numbers of the type that NumPy gives."""

    def element(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
        return Scalar(emit(code, dtype, [cast(code, x, dtype) for x in xs]), dtype)

    return element


def _rest(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    operands = [cast(code, x, dtype) for x in xs]
    return Scalar(mod(code, dtype, operands), dtype, zero_as=raw_rest(code, dtype, operands))


def _raised(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    x, y = (cast(code, x, dtype) for x in xs)
    if xs[1].known is not None and not dtype.is_floating:
        y = literal(xs[1].known, xs[1].dtype)
    return Scalar(_power(code, dtype, [x, y]), dtype)


_FAR = 5000  # beyond what any float's exponent changes by


def _scaled(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    """A number times a power of two, rounded once."""
    x, n = cast(code, xs[0], dtype).text, cast(code, xs[1], int64).text
    for bound, word in ((_FAR, "smin"), (-_FAR, "smax")):
        n = code.call(f"llvm.{word}.i64", "i64", [("i64", n), ("i64", str(bound))])
    kind = register(dtype)
    name = vector_library.plain_name("ldexp", kind)
    return Scalar(code.call(name, kind, [(kind, x), ("i32", code.let(f"trunc i64 {n} to i32"))]), dtype)


def _exponent(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    number = xs[0] if xs[0].dtype.is_floating else cast(code, xs[0], float64)
    kind, x = register(number.dtype), number.text
    found = code.call(vector_library.plain_name("ilogb", kind), "i32", [(kind, x)])
    size = code.call(f"llvm.fabs.{'f32' if kind == 'float' else 'f64'}", kind, [(kind, x)])
    beyond = float_text(math.inf)
    is_finite, is_not_zero = (code.let(f"fcmp one {kind} {size}, {bound}") for bound in (beyond, "0.0"))
    has_one = code.let(f"and i1 {is_finite}, {is_not_zero}")
    return Scalar(code.choose(has_one, code.let(f"add i32 {found}, 1"), "0", "i32"), dtype)


def _set_bits(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    """How many bits of a number are set, of one with a sign those of its size."""
    number = cast(code, xs[0], uint8) if xs[0].dtype.is_bool else xs[0]
    kind, x = register(number.dtype), number.text
    if is_signed(number.dtype):
        x = code.call(f"llvm.abs.{kind}", kind, [(kind, x), ("i1", "false")])
    count = code.call(f"llvm.ctpop.{kind}", kind, [(kind, x)])
    whole = as_dtype(f"uint{8 * number.dtype.size}")
    return cast(code, Scalar(count, whole), dtype)


def _cast(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    return cast(code, xs[0], dtype)


def _comparison(floating: str, integer: str) -> Emitted:
    return lambda code, _, xs, __: Scalar(_compared(code, floating, integer, xs), bool_)


def _logic(instruction: str) -> Emitted:
    def element(code: Code, _: DType, xs: Sequence[Scalar], __: Attributes) -> Scalar:
        a, b = (cast(code, x, bool_).text for x in xs)
        return Scalar(code.let(f"{instruction} i1 {a}, {b}"), bool_)

    return element


def _not(code: Code, _: DType, xs: Sequence[Scalar], __: Attributes) -> Scalar:
    return Scalar(code.let(f"xor i1 {cast(code, xs[0], bool_).text}, true"), bool_)


def _invert(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    return Scalar(code.let(f"xor {register(dtype)} {xs[0].text}, {'true' if dtype.is_bool else '-1'}"), dtype)


def _is_nan(code: Code, _: DType, xs: Sequence[Scalar], __: Attributes) -> Scalar:
    (x,) = xs
    is_number = not x.dtype.is_floating
    return Scalar("false" if is_number else code.let(f"fcmp uno {register(x.dtype)} {x.text}, {x.text}"), bool_)


def _beside_infinity(comparison: str, of_integers: str) -> Emitted:
    """How the size of a number compares with infinity."""

    def element(code: Code, _: DType, xs: Sequence[Scalar], __: Attributes) -> Scalar:
        (x,) = xs
        if not x.dtype.is_floating:
            return Scalar(of_integers, bool_)
        kind = register(x.dtype)
        size = code.call(f"llvm.fabs.{m.suffix(kind)}", kind, [(kind, x.text)])
        return Scalar(code.let(f"fcmp {comparison} {kind} {size}, {float_text(math.inf)}"), bool_)

    return element


def _where(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    test, x, y = cast(code, xs[0], bool_), cast(code, xs[1], dtype), cast(code, xs[2], dtype)
    return Scalar(code.choose(test.text, x.text, y.text, register(dtype)), dtype)


def _clip(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    x, low, high = xs
    return _AT_MOST(code, dtype, [Scalar(_AT_LEAST(code, dtype, [x, low]), dtype), high])


def _round(code: Code, _: DType, xs: Sequence[Scalar], attributes: Attributes) -> Scalar:
    return _rounded(code, xs[0], attributes["decimals"])


# Whether vectors of numbers can be computed with as single numbers are.


def always(node: Node, numbers: Mapping[Value, object]) -> bool:
    return True


def never(node: Node, numbers: Mapping[Value, object]) -> bool:
    return False


def _in_library(name: str) -> Callable[[Node, Mapping[Value, object]], bool]:
    """Whether the C library has the function for vectors, too."""
    return lambda node, numbers: vector_library.found(name, node.outputs[0].type.dtype)


def _by_a_whole_number(node: Node, numbers: Mapping[Value, object]) -> bool:
    """A division of integers takes a jump, unless it is by a constant."""
    return node.outputs[0].type.dtype.is_integer and _is_whole(numbers.get(node.inputs[1]), math.inf)


def _to_a_power(node: Node, numbers: Mapping[Value, object]) -> bool:
    exponent = numbers.get(node.inputs[1])
    return _is_whole(exponent, 4) or exponent == 0.5 or _in_library("pow")(node, numbers)


def _is_whole(number: Any, most: float) -> bool:
    return number is not None and 0 < number <= most and number == np.floor(number)


@dataclass(frozen=True)
class Element:
    """The native form of an element-wise operation: on numbers, and whether it can be on vectors of them."""

    emit: Emitted
    in_vectors: Callable[[Node, Mapping[Value, object]], bool] = always


def _of_parts(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    real, other = (cast(code, x, part(dtype)).text for x in xs)
    return paired(code, real, other, dtype)


_CONVERTED: dict[Op, Emit] = {
    ew.add: _instruction("add", "fadd", "or"), ew.subtract: _instruction("sub", "fsub"), ew.multiply: _MULTIPLY,
    ew.divide: _divide, ew.maximum: _MAXIMUM, ew.minimum: _MINIMUM, ew.copysign: _intrinsic("copysign"),
    ew.logaddexp: _logaddexp, ew.negative: _negative, ew.positive: _same, ew.absolute: _absolute, ew.sign: _sign,
    ew.square: lambda code, dtype, xs: _MULTIPLY(code, dtype, [xs[0], xs[0]]), ew.sqrt: _intrinsic("sqrt"),
    ew.reciprocal: _reciprocal, ew.exp: _own(m.exp), ew.expm1: _own(m.expm1), ew.log: _own(m.log),
    ew.log1p: _own(m.log1p), ew.tanh: _own(m.tanh), ew.floor: _intrinsic("floor", "same"),
    ew.ceil: _intrinsic("ceil", "same"), ew.trunc: _intrinsic("trunc", "same"), ew.rint: _RINT,
    ew.conj: _same, ew.real: _same, ew.bitwise_and: _instruction("and", "", "and"),
    ew.bitwise_or: _instruction("or", "", "or"), ew.bitwise_xor: _instruction("xor", "", "xor"),
    ew.left_shift: _shift(True), ew.right_shift: _shift(False), ew.sigmoid: _own(m.sigmoid),
    ew.softplus: _softplus, ew.erf: _own(m.erf),
    ew.relu: _relu, ew.imag: lambda code, dtype, xs: zero_of(dtype), ew.angle: _angle, ew.clip: _clip,
}  # fmt: skip
_LIBRARY = {
    ew.float_power: "pow", ew.atan2: "atan2", ew.hypot: "hypot", ew.cbrt: "cbrt", ew.exp2: "exp2", ew.log2: "log2",
    ew.log10: "log10", ew.sin: "sin", ew.cos: "cos", ew.tan: "tan", ew.asin: "asin", ew.acos: "acos", ew.atan: "atan",
    ew.sinh: "sinh", ew.cosh: "cosh", ew.asinh: "asinh", ew.acosh: "acosh", ew.atanh: "atanh",
    ew.nextafter: "nextafter",
}  # fmt: skip
ELEMENTS: dict[Op, Element] = {
    **{op: Element(converted(emit)) for op, emit in _CONVERTED.items()},
    **{op: Element(converted(_library(name)), _in_library(name)) for op, name in _LIBRARY.items()},
    ew.floor_divide: Element(converted(floor_divide), _by_a_whole_number),
    ew.mod: Element(_rest, _by_a_whole_number),
    ew.fmod: Element(converted(fmod), never),
    ew.bitwise_count: Element(_set_bits, never),
    ew.gcd: Element(converted(greatest_divisor), never),
    ew.lcm: Element(converted(least_multiple), never),
    ew.ldexp: Element(_scaled, never),
    ew.exponent: Element(_exponent, never),
    ew.power: Element(_raised, _to_a_power),
    ew.cast: Element(_cast),
    ew.widen: Element(_cast),
    ew.equal: Element(_comparison("oeq", "eq")),
    ew.not_equal: Element(_comparison("une", "ne")),
    ew.less: Element(_comparison("olt", "lt")),
    ew.less_equal: Element(_comparison("ole", "le")),
    ew.greater: Element(_comparison("ogt", "gt")),
    ew.greater_equal: Element(_comparison("oge", "ge")),
    ew.logical_and: Element(_logic("and")),
    ew.logical_or: Element(_logic("or")),
    ew.logical_xor: Element(_logic("xor")),
    ew.logical_not: Element(_not),
    ew.invert: Element(_invert),
    ew.is_nan: Element(_is_nan),
    ew.is_inf: Element(_beside_infinity("oeq", of_integers="false")),
    ew.is_finite: Element(_beside_infinity("olt", of_integers="true")),
    ew.where: Element(_where),
    ew.round_: Element(_round),
    ew.python_round: Element(rounded, never),
    ew.complex_: Element(_of_parts, never),
}


# The same where the order is free, as in a reduction: of -0.0 and 0.0 the one that the sign orders.
EXTREMES = {ew.maximum: _intrinsic("maximum"), ew.minimum: _intrinsic("minimum")}

# What does the same with numbers of all kinds.
_ANY = (ew.cast, ew.complex_, ew.where, ew.logical_and, ew.logical_or, ew.logical_xor, ew.logical_not)


def element_of(
    code: Code, op: Op, xs: Sequence[Scalar], dtype: DType, attributes: Attributes = MappingProxyType({})
) -> Scalar:
    """The result of an element-wise operation on numbers; `dtype` is what NumPy gives."""
    if (dtype.is_complex or any(x.dtype.is_complex for x in xs)) and op not in _ANY:
        if op not in COMPLEX:
            raise Unsupported("it computes with complex numbers")
        return COMPLEX[op](code, dtype, xs, attributes)
    if "exact" in attributes:
        return EXACT[op](code, dtype, xs, attributes)
    return ELEMENTS[op].emit(code, dtype, xs, attributes)


def runs_in_vectors(node: Node, numbers: Mapping[Value, object] = MappingProxyType({})) -> bool:
    """Whether a node is element-wise, and can be computed on vectors; `numbers` are the values that are known."""
    if any(v.type.dtype.is_complex for v in (*node.inputs, *node.outputs)):
        return False  # they are vectors themselves
    return "exact" not in node.attributes and node.op in ELEMENTS and ELEMENTS[node.op].in_vectors(node, numbers)


def _rounded(code: Code, x: Scalar, decimals: int) -> Scalar:
    """As NumPy does it: scaled, rounded, and scaled back."""
    if not x.dtype.is_floating:
        return x if decimals >= 0 else cast(code, _rounded(code, cast(code, x, float64), decimals), x.dtype)
    kind, scale = register(x.dtype), literal(10.0 ** abs(decimals), x.dtype).text
    first, last = ("fmul", "fdiv") if decimals > 0 else ("fdiv", "fmul")
    text = x.text if decimals == 0 else code.let(f"{first} {kind} {x.text}, {scale}")
    text = _RINT(code, x.dtype, [Scalar(text, x.dtype)])
    return Scalar(text if decimals == 0 else code.let(f"{last} {kind} {text}, {scale}"), x.dtype)


def as_common(code: Code, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
    """Two numbers as the type that holds both."""
    a, b = x.dtype, y.dtype
    if "uint64" in (a.name, b.name) and a != b:
        raise Unsupported("a comparison of signed and unsigned numbers of 64 bits")
    common = as_dtype(np.result_type(a.dtype, b.dtype))
    return cast(code, x, common), cast(code, y, common)


def _compared(code: Code, floating: str, integer: str, xs: Sequence[Scalar]) -> str:
    equality = integer in ("eq", "ne")
    if equality and xs[0].zero_as and xs[1].known == 0:
        return code.let(f"icmp {integer} {register(xs[0].dtype)} {xs[0].zero_as}, 0")
    a, b = as_common(code, *xs)
    x, y, common, kind = a.text, b.text, a.dtype, register(a.dtype)
    if common.is_floating:
        return code.let(f"fcmp {floating} {kind} {x}, {y}")
    sign = "" if equality else "u" if common.is_bool or not is_signed(common) else "s"
    return code.let(f"icmp {sign}{integer} {kind} {x}, {y}")
