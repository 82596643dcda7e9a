"""Arithmetic on whole numbers of Python's, and what it rounds to digits: exact, as Python computes it.

A number that 64 bits do not hold ends the run: NumPy's executor then says what went wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from runtime.executors.native.code import Code, register
from runtime.executors.native.division import floor_divide, mod
from runtime.executors.native.scalars import cast, float_text, literal
from runtime.executors.native.values import Scalar
from runtime.graph.dtypes import DType, float64, int64
from runtime.graph.graph import Attributes
from runtime.graph.op import Op
from runtime.ops import elementwise as ew

Emitted = Callable[[Code, DType, Sequence[Scalar], Attributes], Scalar]  # the dtype is what NumPy gives


def _exactly(instruction: str) -> Emitted:
    """Arithmetic on whole numbers of Python's; one that 64 bits do not hold is left to NumPy, which raises."""

    def emit(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
        kind = register(dtype)
        given = [(kind, cast(code, x, dtype).text) for x in (xs if len(xs) == 2 else [literal(0, dtype), *xs])]
        both = code.call(f"llvm.s{instruction}.with.overflow.{kind}", f"{{{kind}, i1}}", given)
        fits = code.label("fits")
        code.fork(code.let(f"extractvalue {{{kind}, i1}} {both}, 1"), "fail", fits)
        code.enter(fits)
        return Scalar(code.let(f"extractvalue {{{kind}, i1}} {both}, 0"), dtype)

    return emit


def _absolute_exactly(code: Code, dtype: DType, xs: Sequence[Scalar], attributes: Attributes) -> Scalar:
    kind = register(dtype)
    opposite = _exactly("sub")(code, dtype, xs, attributes)
    given = [(kind, x.text) for x in (cast(code, xs[0], dtype), opposite)]
    return Scalar(code.call(f"llvm.smax.{kind}", kind, given), dtype)


def _power_exactly(code: Code, dtype: DType, xs: Sequence[Scalar], attributes: Attributes) -> Scalar:
    kind, times = register(dtype), _exactly("mul")
    x, y = (cast(code, value, dtype).text for value in xs)
    code.require(code.let(f"icmp sge {kind} {y}, 0"))

    def product(a: str, b: str) -> str:
        return times(code, dtype, [Scalar(a, dtype), Scalar(b, dtype)], attributes).text

    return Scalar(integer_power(code, kind, x, y, product), dtype)


def integer_power(code: Code, kind: str, x: str, y: str, times: Callable[[str, str], str]) -> str:
    """By repeated squaring; nothing is squared but for a bit that is still to come."""
    base, left, result = code.slot(kind), code.slot(kind), code.slot(kind)
    code.store(kind, x, base)
    code.store(kind, y, left)
    code.store(kind, "1", result)
    head, body, done = code.label("power"), code.label("factor"), code.label("powered")
    code.block(head)
    rest = code.load(kind, left)
    code.fork(code.let(f"icmp ne {kind} {rest}, 0"), body, done)
    code.enter(body)
    factor, so_far = code.load(kind, base), code.load(kind, result)
    odd = code.let(f"trunc {kind} {rest} to i1")
    code.store(kind, times(so_far, code.choose(odd, factor, "1", kind)), result)
    more = code.let(f"lshr {kind} {rest}, 1")
    again = code.choose(code.let(f"icmp ne {kind} {more}, 0"), factor, "1", kind)
    code.store(kind, times(again, again), base)
    code.store(kind, more, left)
    code.jump(head)
    code.enter(done)
    return code.load(kind, result)


_LARGEST_WHOLE = 2**53  # floats hold every whole number up to here


def _quotient(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
    """Of whole numbers as floats; what these do not hold is left to Python."""
    floats = []
    for x in xs:
        size = code.call("llvm.abs.i64", "i64", [("i64", cast(code, x, int64).text), ("i1", "false")])
        code.require(code.let(f"icmp ule i64 {size}, {_LARGEST_WHOLE}"))
        floats.append(cast(code, x, dtype).text)
    return Scalar(code.let(f"fdiv double {', '.join(floats)}"), dtype)


_TURNED = {"less": "greater", "greater": "less", "equal": "equal", "olt": "ogt", "ogt": "olt"}
_SIGNS = {"less": "slt", "greater": "sgt", "equal": "eq"}


def _compared(apart: str, *ties: str) -> Emitted:
    """A whole number against a float: where the nearest float is another one that decides, and where it is the same,
    the whole number that this is."""

    def emit(code: Code, dtype: DType, xs: Sequence[Scalar], _: Attributes) -> Scalar:
        turned = xs[0].dtype.is_floating
        whole, other = reversed(xs) if turned else xs
        how, same = (_TURNED.get(apart, apart), [_TURNED[t] for t in ties]) if turned else (apart, list(ties))
        number, near = cast(code, whole, int64).text, cast(code, whole, float64).text
        large = code.let(f"fcmp oge double {near}, {float_text(2.0**63)}")
        held = code.let(f"fptosi double {code.choose(large, float_text(0.0), near, 'double')} to i64")
        found = "false"
        for tie in same:
            beyond = "true" if tie == "less" else "false"
            found = code.either(found, code.choose(large, beyond, code.compare(_SIGNS[tie], number, held), "i1"))
        result = code.both(code.let(f"fcmp oeq double {near}, {other.text}"), found)
        if how:
            result = code.either(result, code.let(f"fcmp {how} double {near}, {other.text}"))
        return Scalar(result, dtype)

    return emit


EXACT: dict[Op, Emitted] = {
    ew.add: _exactly("add"), ew.subtract: _exactly("sub"), ew.multiply: _exactly("mul"), ew.negative: _exactly("sub"),
    ew.absolute: _absolute_exactly, ew.power: _power_exactly, ew.divide: _quotient,
    ew.less: _compared("olt", "less"), ew.less_equal: _compared("olt", "less", "equal"),
    ew.greater: _compared("ogt", "greater"), ew.greater_equal: _compared("ogt", "greater", "equal"),
    ew.equal: _compared("", "equal"), ew.not_equal: _compared("une", "less", "greater"),
}  # fmt: skip


IN_LANES = frozenset((ew.add, ew.subtract, ew.multiply, ew.negative))
_FACTOR = math.isqrt(2**63 - 1)  # two numbers up to here have a product of 64 bits


def in_lanes(code: Code, op: Op, dtype: DType, xs: Sequence[Scalar]) -> tuple[Scalar, str]:
    """What wraps, for several numbers at a time, and where that may not be exact."""
    kind = register(dtype)
    first, second = [cast(code, x, dtype).text for x in xs] if len(xs) == 2 else ("0", cast(code, xs[0], dtype).text)
    word = {ew.add: "add", ew.multiply: "mul"}.get(op, "sub")
    made = code.let(f"{word} {kind} {first}, {second}")
    if op is ew.multiply:
        known = next((x.known for x in xs if isinstance(x.known, int)), None)
        most = _FACTOR if known is None else (2**63 - 1) // max(abs(known), 1)
        far = "false"
        for text in (text for x, text in zip(xs, (first, second)) if known is None or x.known is None):
            beyond = code.let(f"add {kind} {text}, {most}")  # no longer between 0 and twice that, without a sign
            far = code.either(far, code.let(f"icmp ugt {kind} {beyond}, {2 * most}"))
        return Scalar(made, dtype), far
    pair = (first, second) if op is ew.add else (first, made)
    against = (made, made) if op is ew.add else (second, first)
    signs = [code.let(f"xor {kind} {a}, {b}") for a, b in zip(pair, against)]
    return Scalar(made, dtype), code.let(f"icmp slt {kind} {code.let(f'and {kind} {signs[0]}, {signs[1]}')}, 0")


_LARGEST_SCALE = 22  # the last power of ten that is exact with 53 bits


def rounded(code: Code, dtype: DType, xs: Sequence[Scalar], attributes: Attributes) -> Scalar:
    """The nearest number with so many decimals, an even last digit where two are as near.

    A scaled float and its own rounding error are together exact, which tells on which side of a half it lies.
    """
    digits = attributes["digits"]
    if abs(digits) > (_LARGEST_SCALE if dtype.is_floating else 18):  # what hardly anybody asks for is left to Python
        code.require("false")
        return cast(code, xs[0], dtype)
    if not dtype.is_floating:
        return _whole_rounded(code, dtype, xs[0], 10**-digits) if digits < 0 else xs[0]
    x, scale = xs[0].text, float_text(10.0 ** abs(digits))
    scaled = code.let(f"{'fmul' if digits > 0 else 'fdiv'} double {x}, {scale}")
    first, second = (x, scaled) if digits > 0 else (scaled, x)
    opposite = code.let(f"fneg double {second}")
    error = code.call("llvm.fma.f64", "double", [("double", first), ("double", scale), ("double", opposite)])
    if digits <= 0:  # by how much what was divided is more than the quotient says
        error = code.let(f"fneg double {error}")
    nearest = code.call("llvm.rint.f64", "double", [("double", scaled)])
    rest = code.let(f"fsub double {scaled}, {nearest}")
    for half, sign, way in (("0.5", "ogt", "fadd"), ("-0.5", "olt", "fsub")):
        wrong = code.both(
            code.let(f"fcmp oeq double {rest}, {float_text(float(half))}"),
            code.let(f"fcmp {sign} double {error}, {float_text(0.0)}"),
        )
        nearest = code.choose(wrong, code.let(f"{way} double {nearest}, {float_text(1.0)}"), nearest, "double")
    made = code.let(f"{'fdiv' if digits > 0 else 'fmul'} double {nearest}, {scale}")
    signed = code.call("llvm.copysign.f64", "double", [("double", made), ("double", x)])
    size = code.call("llvm.fabs.f64", "double", [("double", scaled)])
    # What has no more decimals is itself; so are infinities and NaN.
    few = code.let(f"fcmp olt double {size}, {float_text(2.0**53)}")
    return Scalar(code.choose(few, signed, x, "double"), dtype)


def _whole_rounded(code: Code, dtype: DType, x: Scalar, scale: int) -> Scalar:
    by, kind = literal(scale, dtype), register(dtype)
    rest = mod(code, dtype, [x, by])
    below = _exactly("sub")(code, dtype, [x, Scalar(rest, dtype)], {})
    twice = code.let(f"shl {kind} {rest}, 1")
    is_odd = code.let(f"trunc {kind} {floor_divide(code, dtype, [below, by])} to i1")
    tie = code.both(code.let(f"icmp eq {kind} {twice}, {scale}"), is_odd)
    up = code.either(code.let(f"icmp sgt {kind} {twice}, {scale}"), tie)
    return _exactly("add")(code, dtype, [below, Scalar(code.choose(up, str(scale), "0", kind), dtype)], {})
