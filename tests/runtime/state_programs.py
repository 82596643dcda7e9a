"""Programs at random that keep arrays and numbers, and change them: what they do call after call, with and without a
graph."""

import random
import types

import numpy as np

from autograph import StagingError

ARRAYS = ["s.w", "s.m", "s.named['a']", "s.rows[0]", "s.rows[1]", "AROUND.w"]
SEEN = ["s.pair[0]", "s.pair[1]", "s.grid[1]", "s.top", "s.column"]  # in tuples, and views
NUMBERS = ["s.n", "s.t", "s.named['k']", "s.sizes[0]", "AROUND.n"]


class Kept:
    def __init__(self):
        self.w, self.m, self.named = np.array([1.0, 2.0]), np.zeros(2), {"a": np.ones(2), "k": 1}
        self.rows, self.n, self.t, self.sizes, self.flag = [np.zeros(2), np.ones(2)], 0, 0.5, [3, 4], False
        self.grid, self.pair = np.arange(4.0).reshape(2, 2), (np.ones(2), np.zeros(2))
        self.log, self.logs = [], {"a": [0.5]}
        self.top, self.column = self.grid[0], self.grid[:, 1]


AROUND = types.SimpleNamespace()


def _expression(rng, depth=0):
    kind = rng.random()
    if depth > 2 or kind < 0.3:
        return rng.choice(["x", "x[0]", "2.0", "0.5", "x.sum()", *ARRAYS, rng.choice(SEEN)])
    if kind < 0.5:
        return rng.choice(NUMBERS)
    a, b = _expression(rng, depth + 1), _expression(rng, depth + 1)
    forms = [f"({a} + {b})", f"({a} * {b})", f"({a} - {b})", f"np.maximum({a}, {b})", f"np.tanh({a})"]
    return rng.choice(forms)


def _number(rng):
    forms = ["{} + 1", "{} * 2 + 1", "{} + x[0]", "{} + x.sum()", "{} * 0.5", "{} - len(x)", "abs({}) % 7"]
    return rng.choice(forms).format(rng.choice(NUMBERS))


def _statements(rng, indent, depth=0):
    lines = []
    for _ in range(rng.randint(1, 4) if depth == 0 else rng.randint(1, 2)):
        kind, array, number = rng.random(), rng.choice(ARRAYS), rng.choice(NUMBERS)
        if kind < 0.2:
            lines.append(f"{array} = {_expression(rng)} + 0 * x")
        elif kind < 0.4:
            lines.append(f"{array} {rng.choice(['+=', '-=', '*='])} np.tanh({_expression(rng)})")
        elif kind < 0.44:
            first, second = rng.sample("uv", 2)
            lines += ["u, v = s.pair", f"{first} {rng.choice(['+=', '*='])} np.tanh({_expression(rng)})"]
            lines += [f"{rng.choice(['s.top', 's.column', 's.grid'])} -= {second}"]
        elif kind < 0.5:
            array = rng.choice([array, *SEEN])
            lines.append(f"{array}[{rng.choice('01')}] = np.tanh({rng.choice(['x[0]', 'x.sum()', 's.t * 1.0'])})")
        elif kind < 0.56 and depth == 0:
            log, what = rng.choice(["s.log", "s.logs['a']"]), rng.choice([_expression(rng), _number(rng), "1", "s.w"])
            lines.append(f"{log}.{rng.choice(['append({})', 'append({})', 'extend([{}, 2.5])']).format(what)}")
        elif kind < 0.75:
            lines.append(f"{number} = {_number(rng)}")
        elif kind < 0.85 and depth < 2:
            lines.append(f"if {rng.choice(['x[0] > 1.5', 's.n > 3', 's.w.sum() > 0', 'x.sum() > s.t'])}:")
            lines += _statements(rng, "    ", depth + 1)
            if rng.random() < 0.5:
                lines += ["else:", *_statements(rng, "    ", depth + 1)]
        elif kind < 0.92 and depth < 2:
            lines += [f"for i in range({rng.choice(['2', '3', 'len(x)'])}):", *_statements(rng, "    ", depth + 1)]
        elif kind < 0.96:
            lines.append(f"{array} = {rng.choice([*ARRAYS, 'x'])}")
        else:
            lines.append(f"s.flag = {rng.choice(['True', 'False'])}")
    return [indent + line for line in lines]


def source(rng: random.Random, name: str) -> str:
    """A function of what it keeps and an array."""
    which = [f"{rng.choice(ARRAYS)} is {rng.choice([*ARRAYS, 'x', 'x'])}", "1 if x is s.w or x is s.m else 2"]
    results = [
        rng.choice([*ARRAYS, *NUMBERS, "x", _number(rng), *which, *SEEN, "s.pair", "len(s.log)", "s.log"])
        for _ in range(rng.randint(1, 3))
    ]
    lines = [f"def {name}(s, x):", *_statements(rng, "    "), f"    return {', '.join(results)}"]
    return "\n".join(lines) + "\n"


def _canonical(value):
    """A value without whether a number is of NumPy's, which one that is one or another is."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, tuple(np.round(value.ravel(), 9).tolist())
    if isinstance(value, list | tuple):
        return tuple(map(_canonical, value))
    if isinstance(value, dict):
        return tuple((key, _canonical(part)) for key, part in value.items())
    return repr(round(float(value), 9))


def observed(f):
    """What six calls give and leave, which arrays are one, and what was refused in the end, if anything was."""
    s, seen, rng = Kept(), [], random.Random(1)
    AROUND.w, AROUND.n = np.array([3.0, 4.0]), 1
    for number in range(6):
        before = [s.w, s.m, AROUND.w]
        x = rng.choice(before) if number and rng.random() < 0.3 else np.array([1.0, 2.0]) + number * 0.3
        try:
            result = f(s, x)
        except StagingError as error:
            return seen, str(error)
        found = result if isinstance(result, tuple) else (result,)
        arrays = [s.w, s.m, s.named["a"], *s.rows, AROUND.w, x, *s.pair, s.grid, s.top, s.column]
        arrays += [part for part in found if isinstance(part, np.ndarray)]
        seen.append(
            (
                _canonical((found, vars(s), vars(AROUND))),
                [[a is b for a in arrays] for b in arrays],
                [[np.shares_memory(a, b) for a in arrays] for b in arrays],
                [part is s.pair for part in found],
                [a is b for a, b in zip(before, [s.w, s.m, AROUND.w])],
            )
        )
        if number == 3:  # as the program changes it itself
            s.w, s.n, s.flag = np.array([9.0, 8.0]), 5, False
            s.log.append(7.5)
    return seen, ""
