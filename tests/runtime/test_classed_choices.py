"""With numpy=True a number or text of a class of its own, as an IntEnum, and bytes are what they are where the graph
decides which: not the number, or the text, that a graph would have of them."""

import enum
import re

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.exactly import difference


class Token(enum.IntEnum):
    NUMBER = 0
    SIGN = 1
    END = 2


class Mode(enum.StrEnum):
    FAST = "fast"
    SLOW = "slow"


class Bits(enum.IntFlag):
    ONE = 1
    TWO = 2


class Metres(float):
    def twice(self):
        return Metres(2 * self)


class Index(int):
    def label(self):
        return f"#{int(self)}"


class Name(str):
    def loud(self):
        return self.upper() + "!"


PAIRS = {
    "IntEnum": (Token.SIGN, Token.END),
    "StrEnum": (Mode.FAST, Mode.SLOW),
    "IntFlag": (Bits.ONE, Bits.ONE | Bits.TWO),
    "RegexFlag": (re.IGNORECASE, re.MULTILINE),
    "float": (Metres(1.5), Metres(2.5)),
    "int": (Index(1), Index(2)),
    "str": (Name("a"), Name("bc")),
    "bytes": (b"ab", b"cde"),
    "class and number": (Token.SIGN, 5),
    "two classes": (Token.SIGN, Bits.TWO),
}
OF_ALL = {
    "itself": lambda v: v,
    "in a tuple": lambda v: (v, [v, v]),
    "text": lambda v: (str(v), repr(v), f"<{v}>", f"{v!r:>30}"),
    "class": lambda v: (isinstance(v, Token), isinstance(v, int), isinstance(v, str), type(v) is bytes),
    "compared": lambda v: (v == Token.SIGN, v != "fast", v == b"ab", v in (Token.END, Mode.SLOW), bool(v)),
    "a branch": lambda v: "one" if v == 1 or v == "fast" else "other",
}
OF_NUMBERS = {
    "computed": lambda v: (v + 1, 2 * v, v - v, v**2, -v, v / 2, abs(v), int(v), float(v), divmod(v, 2)),
    "ordered": lambda v: (v < 2, v >= 1.5, max(v, v), sorted([v, v])),
    "with arrays": lambda v: (np.arange(3) * v, np.arange(3, dtype=np.int8) + v, np.full(2, v), np.array([v, v, v])),
}
OF_WHOLE_NUMBERS = {
    "index": lambda v: ("abc"[v], [10, 20, 30][v], np.arange(4.0)[v], np.arange(4)[v:], list(range(v))),
    "key": lambda v: ({1: "one", 2: "two"}[v], {Token.SIGN: 1}.get(v)),
    "bits": lambda v: (v & 1, v | 4, v << 1),
}
CASES = [
    (pair, case)
    for pair, values in PAIRS.items()
    for case in {
        **OF_ALL, **(OF_NUMBERS if isinstance(values[0], int | float) else {}),
        **(OF_WHOLE_NUMBERS if isinstance(values[0], Token | Index) and max(values) < 3 else {}),
    }
]  # fmt: skip
FUNCTIONS = {**OF_ALL, **OF_NUMBERS, **OF_WHOLE_NUMBERS}


def check(function, *arguments):
    assert not difference(tf.function(function, numpy=True)(*arguments), function(*arguments))


@pytest.mark.parametrize("pair, case", CASES)
def test_what_a_branch_leaves(pair, case):
    (first, second), of = PAIRS[pair], FUNCTIONS[case]

    def f(x):
        return of(first if x > 0 else second)

    for x in (1.0, -1.0):
        check(f, np.float64(x))


@pytest.mark.parametrize("of, first, second", [
    (lambda v: (v.name, v.value, v is Token.SIGN, Token(v)), Token.SIGN, Token.END),
    (lambda v: (v.name, v.value, v.upper(), v + "!", len(v), v[0], f"{v.value}"), Mode.FAST, Mode.SLOW),
    (lambda v: (v | Bits.TWO, bool(v & Bits.TWO), Bits.TWO in v, v.name), Bits.ONE, Bits.ONE | Bits.TWO),
    (lambda v: v.twice(), Metres(1.5), Metres(2.5)),
    (lambda v: v.label(), Index(1), Index(2)),
    (lambda v: (v.loud(), v + "x", "x" + v), Name("a"), Name("bc")),
    (lambda v: (v + b"!", v[0], len(v), v.decode(), v.hex()), b"ab", b"cde"),
])  # fmt: skip
def test_what_its_class_gives(of, first, second):
    def f(x):
        return of(first if x > 0 else second)

    for x in (1.0, -1.0):
        check(f, np.float64(x))


def machine(xs):
    state, steps = Token.NUMBER, 0
    for x in xs:
        if state is Token.NUMBER and x > 0:
            state = Token.SIGN
        elif state is Token.SIGN and x < 0:
            state = Token.END
        else:
            steps += state
    return state, state.name, steps, state in (Token.SIGN, Token.END), {Token.END: "end"}.get(state, "more")


def matched(xs):
    state = Token.NUMBER
    for x in xs:
        match state:
            case Token.NUMBER:
                state = Token.SIGN if x > 0 else state
            case Token.SIGN:
                state = Token.END
            case Token.END:
                break
    return state


def written(xs):
    codes = np.zeros(len(xs), np.int16)
    for i, x in enumerate(xs):
        codes[i] = Token.SIGN if x > 0 else Token.END
    return codes, (codes == Token.SIGN).sum()


def modes(xs):
    mode, flags = Mode.SLOW, re.IGNORECASE
    for x in xs:
        if x > 1:
            mode = Mode.FAST
            flags |= re.MULTILINE
    return mode, flags


@pytest.mark.parametrize("function", [machine, matched, written, modes])
@pytest.mark.parametrize("xs", [[], [1.0], [1.0, -1.0, 0.0, 2.0], [np.nan, 2.0]])
def test_what_a_loop_leaves(function, xs):
    check(function, np.array(xs))


def with_state(decorate):
    class Machine:
        def __init__(self):
            self.state, self.log = Token.NUMBER, []

        @decorate
        def feed(self, x):
            if x > 0:
                self.state = Token.SIGN
            self.log.append((self.state, float(x)))
            return self.state.name

    return Machine()


def test_what_an_object_keeps():
    plain, graph = with_state(lambda f: f), with_state(tf.function(numpy=True))
    for x in (-1.0, 1.0, -1.0):
        assert plain.feed(np.float64(x)) == graph.feed(np.float64(x))
        assert repr(vars(plain)) == repr(vars(graph))


@pytest.mark.parametrize("value", [Bits(1), b"ab", Metres(1.5), Name("a")])
def test_a_list_that_grows_has_none(value):
    @tf.function(numpy=True)
    def f(xs):
        found = []
        for x in xs:
            if x > 0:
                found.append(value)
        return found

    with pytest.raises(StagingError, match=type(value).__name__):
        f(np.ones(3))


def test_tensors_have_the_number():
    """Without numpy=True, as in TensorFlow."""
    found = tf.function(lambda x: Token.SIGN if x > 0 else Token.END)(tf.constant(1.0))
    assert found.dtype == tf.int32 and int(found) == 1
