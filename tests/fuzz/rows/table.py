"""How each operation of the table is called: operands and attributes at random.

An operation on each element needs no entry: its operands are tried out. Any other one needs a rule here, or an example
in `tests/runtime/examples.py`, whose operands and attributes are varied.
"""

from __future__ import annotations

import re

import numpy as np

from runtime.dtypes import DType
from runtime.graph.op import OPS
from runtime.ops.indexing import INPUT
from tests.fuzz import values
from tests.runtime.examples import EXAMPLES

RULES = {}
NUMBERS = "iuf"


def rule(*names):
    def enter(function):
        RULES.update(dict.fromkeys(names, function))
        return function

    return enter


def calls(m, name):
    """Operands (names of values) and attributes for an operation; raises LookupError where nothing says how."""
    if name in RULES:
        operands, attributes = RULES[name](m)
        return operands, _others(name) | attributes
    row = OPS[name]
    if row.literals:
        return elementwise(m, len(set(re.findall(r"{(\d)}", row.text))))
    if name in EXAMPLES:
        return varied(m, name)
    raise LookupError(f"nothing says how to call {name!r}: it needs a rule in tests/fuzz/rows.py or an example")


def _others(name):
    """Attributes of an example, for those that a rule has nothing to say about."""
    return EXAMPLES[name][0][1] if name in EXAMPLES else {}


def elementwise(m, count):
    first = m.tensor("biufc")
    names = [first]
    for _ in range(count - 1):
        x = m.of(first)
        names.append(m.like(first, shape=m.broadcastable(x.shape)))  # callers have promoted them
    m.random.shuffle(names)
    return names, {}


def varied(m, name):
    """An example with other operands of the same rank, and with attributes changed a little."""
    inputs, attributes = m.random.choice(EXAMPLES[name])
    names = []
    for x in inputs:
        x = np.asarray(x)
        if x.dtype == object:
            names.append(m.tensor("O", shape=x.shape))
        elif m.random.random() < 0.3:
            names.append(m.new(x))
        else:
            names.append(m.tensor(x.dtype.kind, dtype=str(x.dtype), shape=x.shape))
    return names, {k: m.varied(v) for k, v in attributes.items()}


def show(value):
    """An attribute as Python text."""
    if isinstance(value, DType):
        return f"tf.{value.name}"
    if value is INPUT:
        return "INPUT"
    if isinstance(value, slice):
        return f"slice({show(value.start)}, {show(value.stop)}, {show(value.step)})"
    if isinstance(value, tuple):
        return f"({', '.join(map(show, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, float) and np.isinf(value):
        return "np.inf"
    if isinstance(value, np.ndarray):
        return values.text(value)
    return "..." if value is Ellipsis else repr(value)
