"""Division of numbers in registers as NumPy defines it: rounded down, by zero, and of the smallest number by -1."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native.code import Code, register
from runtime.executors.native.mathematics import suffix
from runtime.executors.native.scalars import float_text, is_signed
from runtime.executors.native.values import Scalar, Unsupported
from runtime.graph.dtypes import DType


def _guarded(code: Code, kind: str, x: str, y: str, dtype: DType) -> tuple[str, str]:
    """Whether an integer division is defined, and a divisor that surely is: not 0, nor -1 under the smallest number."""
    defined = code.let(f"icmp ne {kind} {y}, 0")
    if is_signed(dtype):
        least = code.let(f"icmp eq {kind} {x}, {-(2 ** (int(kind[1:]) - 1))}")
        minus = code.let(f"icmp eq {kind} {y}, -1")
        over = code.both(least, minus)
        return code.let(f"xor i1 {over}, true"), code.choose(
            code.both(defined, code.let(f"xor i1 {over}, true")), y, "1", kind
        )
    return defined, code.choose(defined, y, "1", kind)


def floor_divide(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    x, y = xs[0].text, xs[1].text
    kind = register(dtype)
    if dtype.is_floating:
        return _float_floor_divide(code, kind, x, y)
    known = xs[1].known
    if isinstance(known, int) and known > 0:
        if not is_signed(dtype):
            return code.let(f"udiv {kind} {x}, {y}")
        if known & (known - 1) == 0:
            return code.let(f"ashr {kind} {x}, {known.bit_length() - 1}")
        quotient = code.let(f"sdiv {kind} {x}, {y}")
        return code.let(f"sub {kind} {quotient}, {_round_down(code, kind, x, y, quotient)}")
    _, divisor = _guarded(code, kind, x, y, dtype)
    zero = code.let(f"icmp eq {kind} {y}, 0")
    if not is_signed(dtype):
        return code.choose(zero, "0", code.let(f"udiv {kind} {x}, {divisor}"), kind)
    quotient = code.let(f"sdiv {kind} {x}, {divisor}")  # the smallest by -1 is by 1: itself
    quotient = code.let(f"sub {kind} {quotient}, {_round_down(code, kind, x, divisor, quotient)}")
    return code.choose(zero, "0", quotient, kind)


def _round_down(code: Code, kind: str, x: str, y: str, quotient: str) -> str:
    """1 where the quotient was rounded up, else 0."""
    rest = code.let(f"sub {kind} {x}, {code.let(f'mul {kind} {quotient}, {y}')}")
    signs = code.let(f"xor {kind} {rest}, {y}")
    wrong = code.both(code.let(f"icmp ne {kind} {rest}, 0"), code.let(f"icmp slt {kind} {signs}, 0"))
    return code.let(f"zext i1 {wrong} to {kind}")


def mod(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    x, y = xs[0].text, xs[1].text
    kind = register(dtype)
    if dtype.is_floating:
        return _float_mod(code, kind, x, y)[0]
    known = xs[1].known
    if isinstance(known, int) and known > 0:
        if known & (known - 1) == 0:
            return code.let(f"and {kind} {x}, {known - 1}")
        if not is_signed(dtype):
            return code.let(f"urem {kind} {x}, {y}")
        rest = code.let(f"srem {kind} {x}, {y}")
        more = code.let(f"add {kind} {rest}, {y}")
        return code.choose(code.let(f"icmp slt {kind} {rest}, 0"), more, rest, kind)
    _, divisor = _guarded(code, kind, x, y, dtype)
    zero = code.let(f"icmp eq {kind} {y}, 0")
    if not is_signed(dtype):
        return code.choose(zero, "0", code.let(f"urem {kind} {x}, {divisor}"), kind)
    rest = code.let(f"srem {kind} {x}, {divisor}")
    wrong = code.both(
        code.let(f"icmp ne {kind} {rest}, 0"),
        code.let(f"icmp slt {kind} {code.let(f'xor {kind} {rest}, {divisor}')}, 0"),
    )
    rest = code.choose(wrong, code.let(f"add {kind} {rest}, {divisor}"), rest, kind)
    return code.choose(zero, "0", rest, kind)


def fmod(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    """The remainder with the sign of the dividend; 0 for integers by 0."""
    x, y, kind = xs[0].text, xs[1].text, register(dtype)
    if dtype.is_floating:
        return code.let(f"frem {kind} {x}, {y}")
    if dtype.is_bool:
        raise Unsupported("a remainder of truth values")
    _, divisor = _guarded(code, kind, x, y, dtype)
    rest = code.let(f"{'srem' if is_signed(dtype) else 'urem'} {kind} {x}, {divisor}")
    return code.choose(code.let(f"icmp eq {kind} {y}, 0"), "0", rest, kind)


def _float_mod(code: Code, kind: str, x: str, y: str) -> tuple[str, str]:
    """The remainder with the sign of the divisor, and whether it was moved by one divisor to get there."""
    rest = code.let(f"frem {kind} {x}, {y}")
    zero = float_text(0.0)
    some = code.let(f"fcmp une {kind} {rest}, {zero}")
    below = code.let(f"fcmp olt {kind} {y}, {zero}")
    signs = code.let(f"xor i1 {below}, {code.let(f'fcmp olt {kind} {rest}, {zero}')}")
    moved = code.both(some, signs)
    adjusted = code.choose(moved, code.let(f"fadd {kind} {rest}, {y}"), rest, kind)
    nothing = code.call(f"llvm.copysign.{suffix(kind)}", kind, [(kind, zero), (kind, y)])
    divides = code.let(f"fcmp oeq {kind} {rest}, {zero}")
    return code.choose(divides, nothing, adjusted, kind), moved


def _float_floor_divide(code: Code, kind: str, x: str, y: str) -> str:
    zero, end = float_text(0.0), suffix(kind)
    plain = code.let(f"fdiv {kind} {x}, {y}")
    rest = code.let(f"frem {kind} {x}, {y}")
    _, moved = _float_mod(code, kind, x, y)
    quotient = code.let(f"fdiv {kind} {code.let(f'fsub {kind} {x}, {rest}')}, {y}")
    less = code.let(f"fsub {kind} {quotient}, {float_text(1.0)}")
    quotient = code.choose(moved, less, quotient, kind)
    floor = code.call(f"llvm.floor.{end}", kind, [(kind, quotient)])
    gap = code.let(f"fsub {kind} {quotient}, {floor}")
    over = code.let(f"fcmp ogt {kind} {gap}, {float_text(0.5)}")
    floor = code.choose(over, code.let(f"fadd {kind} {floor}, {float_text(1.0)}"), floor, kind)
    nothing = code.call(f"llvm.copysign.{end}", kind, [(kind, zero), (kind, plain)])
    floor = code.choose(code.let(f"fcmp oeq {kind} {quotient}, {zero}"), nothing, floor, kind)
    return code.choose(code.let(f"fcmp oeq {kind} {y}, {zero}"), plain, floor, kind)


def raw_rest(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    """The remainder before it takes the sign of the divisor: whether it is zero is cheaper to ask."""
    divisor = xs[1].known
    if not dtype.is_integer or not isinstance(divisor, int) or divisor <= 1:
        return ""
    kind = register(dtype)
    return code.let(f"{'srem' if is_signed(dtype) else 'urem'} {kind} {xs[0].text}, {divisor}")
