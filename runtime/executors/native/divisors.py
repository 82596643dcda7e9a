"""The greatest common divisor and the least common multiple of whole numbers, as NumPy has them: never negative."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native.code import Code, register
from runtime.executors.native.scalars import is_signed
from runtime.executors.native.values import Scalar, Unsupported
from runtime.graph.dtypes import DType


def greatest_divisor(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    """By Euclid's rests, of the numbers without their signs."""
    return _divisor(code, dtype, *_sizes(code, dtype, xs))


def least_multiple(code: Code, dtype: DType, xs: Sequence[Scalar]) -> str:
    kind, (x, y) = register(dtype), _sizes(code, dtype, xs)
    divisor = _divisor(code, dtype, x, y)
    none = code.let(f"icmp eq {kind} {divisor}, 0")
    quotient = code.let(f"udiv {kind} {x}, {code.choose(none, '1', divisor, kind)}")
    return code.choose(none, "0", code.let(f"mul {kind} {quotient}, {y}"), kind)


def _sizes(code: Code, dtype: DType, xs: Sequence[Scalar]) -> list[str]:
    if not dtype.is_integer:
        raise Unsupported(f"it is not defined for {dtype.name}")
    kind = register(dtype)
    if not is_signed(dtype):
        return [x.text for x in xs]
    return [code.call(f"llvm.abs.{kind}", kind, [(kind, x.text), ("i1", "false")]) for x in xs]


def _divisor(code: Code, dtype: DType, x: str, y: str) -> str:
    kind = register(dtype)
    found, other = code.slot(kind), code.slot(kind)
    code.store(kind, x, found)
    code.store(kind, y, other)
    head, body, done = code.label("divisor"), code.label("rest"), code.label("divided")
    code.block(head)
    divisor = code.load(kind, other)
    code.fork(code.let(f"icmp ne {kind} {divisor}, 0"), body, done)
    code.enter(body)
    code.store(kind, code.let(f"urem {kind} {code.load(kind, found)}, {divisor}"), other)
    code.store(kind, divisor, found)
    code.jump(head)
    code.enter(done)
    return code.load(kind, found)
