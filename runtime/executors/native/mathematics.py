"""Functions of one number without branches, so that loops over them are vectorised: polynomials after range reduction.

Errors against the exact value, in units in the last place: exp 1.5, expm1 3, log 1.5, log1p 3, tanh 4, sigmoid 4,
erf 3.
"""

from __future__ import annotations

import math
import struct

from runtime.executors.native.code import Code
from runtime.ops.elementwise import ERF_ABOVE_1, ERF_BELOW_1


def suffix(kind: str) -> str:
    return "f32" if kind == "float" else "f64"


class _Numbers:
    """Arithmetic on numbers of one kind, written as calls."""

    def __init__(self, code: Code, kind: str) -> None:
        self.code, self.kind = code, kind
        self.bits = "i32" if kind == "float" else "i64"

    def number(self, x: float | str) -> str:
        if isinstance(x, str):
            return x
        if self.kind == "float":
            x = struct.unpack("<f", struct.pack("<f", x))[0]
        return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"

    def _do(self, name: str, *xs: float | str) -> str:
        return self.code.let(f"{name} {self.kind} {', '.join(map(self.number, xs))}")

    def add(self, a: float | str, b: float | str) -> str:
        return self._do("fadd", a, b)

    def sub(self, a: float | str, b: float | str) -> str:
        return self._do("fsub", a, b)

    def mul(self, a: float | str, b: float | str) -> str:
        return self._do("fmul", a, b)

    def div(self, a: float | str, b: float | str) -> str:
        return self._do("fdiv", a, b)

    def neg(self, a: str) -> str:
        return self._do("fneg", a)

    def fma(self, a: float | str, b: float | str, c: float | str) -> str:
        """a * b + c, in one step where the processor has one."""
        given = [(self.kind, self.number(x)) for x in (a, b, c)]
        return self.code.call(f"llvm.fmuladd.{suffix(self.kind)}", self.kind, given)

    def abs(self, a: str) -> str:
        return self.code.call(f"llvm.fabs.{suffix(self.kind)}", self.kind, [(self.kind, a)])

    def sign_of(self, a: str, sign: str) -> str:
        return self.code.call(f"llvm.copysign.{suffix(self.kind)}", self.kind, [(self.kind, a), (self.kind, sign)])

    def test(self, how: str, a: float | str, b: float | str) -> str:
        return self.code.let(f"fcmp {how} {self.kind} {self.number(a)}, {self.number(b)}")

    def choose(self, test: str, a: float | str, b: float | str) -> str:
        return self.code.choose(test, self.number(a), self.number(b), self.kind)

    def polynomial(self, x: str, *coefficients: float) -> str:
        """By Horner's rule, the highest power first."""
        result = self.number(coefficients[0])
        for c in coefficients[1:]:
            result = self.fma(result, x, c)
        return result

    def as_bits(self, a: str) -> str:
        return self.code.let(f"bitcast {self.kind} {a} to {self.bits}")

    def from_bits(self, a: str) -> str:
        return self.code.let(f"bitcast {self.bits} {a} to {self.kind}")

    def integer(self, name: str, a: str | int, b: str | int) -> str:
        return self.code.let(f"{name} {self.bits} {a}, {b}")


# 2 ** n where n sits in the low bits of a number to which this was added.
_MAGIC = {"float": 12582912.0, "double": 6755399441055744.0}
_MAGIC_BITS = {"float": 0x4B400000, "double": 0x4338000000000000}
_MANTISSA = {"float": 23, "double": 52}
_BIAS = {"float": 127, "double": 1023}


def _reduced(n: _Numbers, x: str) -> tuple[str, str]:
    """x as k * log(2) + r with k a whole number (its bits) and r at most half of log(2)."""
    magic = _MAGIC[n.kind]
    shifted = n.fma(x, 1 / math.log(2), magic)
    k = n.sub(shifted, magic)
    high, low = (
        (0.693359375, -2.12194440e-4) if n.kind == "float" else (6.93147180369123816490e-01, 1.90821492927058770002e-10)
    )
    r = n.fma(k, -low, n.fma(k, -high, x))
    return n.integer("sub", n.as_bits(shifted), _MAGIC_BITS[n.kind]), r


def _expm1_series(n: _Numbers, r: str) -> str:
    """exp(r) - 1 for small r."""
    terms = 7 if n.kind == "float" else 13
    tail = n.polynomial(r, *(1 / math.factorial(i) for i in range(terms, 1, -1)))
    return n.fma(n.mul(r, r), tail, r)


def _power_of_two(n: _Numbers, k: str) -> str:
    biased = n.integer("add", k, _BIAS[n.kind])
    return n.from_bits(n.integer("shl", biased, _MANTISSA[n.kind]))


def _limited(n: _Numbers, x: str, low: float, high: float) -> str:
    """NaN stays NaN."""
    x = n.choose(n.test("olt", x, low), low, x)
    return n.choose(n.test("ogt", x, high), high, x)


def exp(code: Code, kind: str, x: str) -> str:
    n = _Numbers(code, kind)
    x = _limited(n, x, *((-104.0, 89.0) if kind == "float" else (-746.0, 710.0)))
    k, r = _reduced(n, x)
    y = n.add(_expm1_series(n, r), 1.0)
    half = n.integer("ashr", k, 1)  # in two steps, since 2 ** k may not be a number while the result is
    rest = n.integer("sub", k, half)
    return n.mul(n.mul(y, _power_of_two(n, half)), _power_of_two(n, rest))


def expm1(code: Code, kind: str, x: str) -> str:
    n = _Numbers(code, kind)
    limited = _limited(n, x, *((-18.0, 88.0) if kind == "float" else (-38.0, 709.0)))
    k, r = _reduced(n, limited)
    scale = _power_of_two(n, k)
    y = n.fma(_expm1_series(n, r), scale, n.sub(scale, 1.0))
    y = n.choose(n.test("ogt", x, 88.0 if kind == "float" else 709.0), exp(code, kind, x), y)
    return n.choose(n.test("oeq", x, 0.0), x, y)


def log(code: Code, kind: str, x: str) -> str:
    n = _Numbers(code, kind)
    tiny = n.test("olt", x, 2.0**-126 if kind == "float" else 2.0**-1022)
    scaled = n.choose(tiny, n.mul(x, 2.0**25 if kind == "float" else 2.0**54), x)
    shift = _MANTISSA[kind]
    # Take the fraction between sqrt(1/2) and sqrt(2).
    root = 0x3F3504F3 if kind == "float" else 0x3FE6A09E667F3BCD
    one = 0x3F800000 if kind == "float" else 0x3FF0000000000000
    bits = n.integer("add", n.as_bits(scaled), one - root)
    k = n.integer("sub", n.integer("lshr", bits, shift), _BIAS[kind])
    k = code.let(f"sub {n.bits} {k}, {code.choose(tiny, '25' if kind == 'float' else '54', '0', n.bits)}")
    fraction = n.integer("add", n.integer("and", bits, (1 << shift) - 1), root)
    f = n.sub(n.from_bits(fraction), 1.0)
    power = code.let(f"sitofp {n.bits} {k} to {kind}")
    result = _log1p_reduced(n, f, power)
    result = n.choose(n.test("oeq", x, math.inf), math.inf, result)
    result = n.choose(n.test("olt", x, 0.0), math.nan, result)
    result = n.choose(n.test("oeq", x, 0.0), -math.inf, result)
    return n.choose(n.test("uno", x, x), x, result)


def _log1p_reduced(n: _Numbers, f: str, k: str) -> str:
    """log(1 + f) + k * log(2), by the series of atanh."""
    s = n.div(f, n.add(f, 2.0))
    z = n.mul(s, s)
    if n.kind == "float":
        series = n.polynomial(z, 0.24279078841, 0.28498786688, 0.40000972152, 0.66666662693)
        high, low = 6.9313812256e-01, 9.0580006145e-06
    else:
        series = n.polynomial(
            z, 1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
            2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01,
        )  # fmt: skip
        high, low = 6.93147180369123816490e-01, 1.90821492927058770002e-10
    half = n.mul(n.mul(f, f), 0.5)
    inner = n.fma(s, n.fma(z, series, half), n.mul(k, low))
    return n.fma(k, high, n.sub(f, n.sub(half, inner)))


def log1p(code: Code, kind: str, x: str) -> str:
    """log(1 + x), with what 1 + x loses added again."""
    n = _Numbers(code, kind)
    u = n.add(x, 1.0)
    lost = n.sub(x, n.sub(u, 1.0))
    y = n.add(log(code, kind, u), n.div(lost, u))
    y = n.choose(n.test("oeq", u, 1.0), x, y)
    y = n.choose(n.test("oeq", x, math.inf), math.inf, y)
    return n.choose(n.test("oeq", x, -1.0), -math.inf, y)


def tanh(code: Code, kind: str, x: str) -> str:
    n = _Numbers(code, kind)
    if kind == "float":
        y = _limited(n, x, -7.90531110763549805, 7.90531110763549805)
        z = n.mul(y, y)
        p = n.polynomial(
            z, -2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08,
            1.48572235717979e-05, 6.37261928875436e-04, 4.89352455891786e-03,
        )  # fmt: skip
        q = n.polynomial(z, 1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)
        near = n.test("olt", n.abs(x), 0.0004)
        return n.choose(near, x, n.div(n.mul(y, p), q))
    twice = n.mul(n.abs(x), 2.0)
    grown = expm1(code, kind, n.choose(n.test("ogt", twice, 80.0), 80.0, twice))
    return n.sign_of(n.div(grown, n.add(grown, 2.0)), x)


def sigmoid(code: Code, kind: str, x: str) -> str:
    n = _Numbers(code, kind)
    e = exp(code, kind, n.neg(n.abs(x)))
    return n.div(n.choose(n.test("oge", x, 0.0), 1.0, e), n.add(e, 1.0))


def erf(code: Code, kind: str, x: str) -> str:
    n = _Numbers(code, kind)
    below, above = (coefficients[kind == "double"] for coefficients in (ERF_BELOW_1, ERF_ABOVE_1))
    size = n.abs(x)
    size = n.choose(n.test("ogt", size, 6.0), 6.0, size)
    square = n.mul(size, size)
    near = n.mul(size, n.polynomial(square, *below))
    ratio = n.div(n.sub(size, 2.0), n.add(size, 2.0))
    far = n.sub(1.0, n.mul(exp(code, kind, n.neg(square)), n.polynomial(ratio, *above)))
    return n.sign_of(n.choose(n.test("olt", size, 1.0), near, far), x)
