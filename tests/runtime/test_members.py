"""Members of enumerations that only the graph knows, in lists, dictionaries, sets and objects."""

import enum
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import pytest

import runtime as tf
from tests.exactly import outcome, unlike

XS = np.random.default_rng(7).normal(size=30).round(2)


class State(enum.Enum):
    IDLE = "idle"
    RUN = "run"
    STOP = "stop"

    @property
    def sign(self):
        return 1 if self is State.RUN else -1

    def after(self, x):
        return x * 2 if self is State.RUN else x


class Level(enum.IntEnum):
    LOW = 1
    MIDDLE = 5
    HIGH = 10


class Mode(str, enum.Enum):
    ON = "on"
    OFF = "off"


@dataclass
class Token:
    state: State
    value: float


def states(xs):
    return [State.RUN if x > 0 else State.STOP for x in xs]


def appended(xs):
    found = []
    for x in xs:
        if x > 1:
            found.append(State.RUN)
        elif x > 0:
            found.append(State.STOP)
    return found


def asked(xs):
    found, total = appended(xs), 0.0
    for state, x in zip(found, xs):
        total = state.after(total + x) + state.sign
    first = found[0]
    return total, first.name, found[1].value, first is State.RUN, first == found[1], first != State.IDLE, str(first)


def written(xs):
    found = appended(xs)
    return repr(found[0]), f"{found[1]}", found.count(State.RUN), State.IDLE in found, found.index(State.STOP)


def machine(xs):
    state, seen = State.IDLE, []
    for x in xs:
        if state is State.IDLE and x > 0:
            state = State.RUN
        elif state is State.RUN and x < -0.5:
            state = State.STOP
        elif state is State.STOP:
            state = State.IDLE
        seen.append(state)
    return seen, state


def taken_back(xs):
    state, seen = State.IDLE, []
    for x in xs:
        seen.append(state)
        if x > 0:
            state = State.RUN
        elif len(seen) > 2:
            state = seen[-2]
    return state, seen, seen[-1] == state


def levels(xs):
    found = []
    for x in xs:
        if x > 1:
            found.append(Level.HIGH)
        elif x > 0:
            found.append(Level.MIDDLE)
    total = 0
    for level in found:
        total += level
    first = found[0]
    return total, first > Level.LOW, max(found), sorted(found)[:3], np.arange(20)[first], first + 1, 2 * first, found


def texts(xs):
    found = []
    for x in xs:
        if x != 0:
            found.append(Mode.ON if x > 0 else Mode.OFF)
    return found[0] == "on", found[0], found.count(Mode.ON)


def in_tuples(xs):
    found, total = [], 0.0
    for x in xs:
        if x > 0:
            found.append((State.RUN, x))
        elif x > -1:
            found.append((State.STOP, x))
    for state, x in found:
        total += x if state is State.RUN else -x
    return total, found


def in_objects(xs):
    tokens = []
    for x in xs:
        tokens.append(Token(State.RUN if x > 0 else State.STOP, x))
        if x > 1:
            tokens.append(Token(State.IDLE, x))
    for token in tokens:
        if token.value < 0:
            token.state = State.IDLE
    return tokens


def keys(xs):
    counts, groups, seen, plain = Counter(), defaultdict(list), set(), {}
    for i, x in enumerate(xs):
        state = State.RUN if x > 0 else State.STOP
        counts[state] += 1
        groups[state].append(i)
        seen.add(state)
        plain[int(x * 3)] = Level.LOW if x > 0 else Level.HIGH
    return dict(counts), dict(groups), counts[State.IDLE], State.IDLE in seen, len(seen), plain


class Side(enum.Enum):
    LEFT = 0
    RIGHT = 1


class Rank(enum.IntEnum):
    NONE = 0
    FIRST = 1


def equal_to_plain(xs):
    by, numbers, ranks, modes, sides, listed = {}, {}, set(), set(), {}, []
    for x in xs:
        by[Rank.FIRST if x > 0 else Rank.NONE] = x
        numbers[int(x > 0)] = x
        ranks.add(Rank.FIRST if x > 1 else Rank.NONE)
        modes.add(Mode.ON if x > 0 else Mode.OFF)
        sides[Side.LEFT if x > 0 else Side.RIGHT] = x
        listed.append(Rank.FIRST if x > 0 else Rank.NONE)
    found = [by.get(0, -9.0), by.get(1, -9.0), by[Rank.FIRST], numbers.get(Rank.FIRST, -9.0), numbers[Rank.NONE]]
    known = [0 in ranks, Rank.NONE in ranks, 1 in ranks, "on" in modes, Mode.ON in modes, "x" in modes]
    return found, known, 0 in sides, Side.LEFT in sides, 1 in listed, Rank.NONE in listed, 5 in listed, len(by)


PROGRAMS = [
    equal_to_plain,
    states,
    appended,
    asked,
    written,
    machine,
    taken_back,
    levels,
    texts,
    in_tuples,
    in_objects,
    keys,
]


@pytest.mark.parametrize("jit_compile", [True, False])
@pytest.mark.parametrize("function", PROGRAMS, ids=[function.__name__ for function in PROGRAMS])
def test_members_are_as_without_a_graph(function, jit_compile):
    graph = tf.function(function, numpy=True, jit_compile=jit_compile)
    for given in (XS, -XS):
        assert not unlike(outcome(graph, (given,)), outcome(function, (given,)), {})
    assert graph.experimental_get_tracing_count() == 1


def test_tensors_have_the_number():
    """Without numpy=True, as in TensorFlow."""

    @tf.function
    def found(xs):
        made = []
        for x in xs:
            if x > 0:
                made.append(Level.HIGH)
        return made

    assert [int(level) for level in found(tf.constant([1.0, -1.0, 2.0]))] == [10, 10]
