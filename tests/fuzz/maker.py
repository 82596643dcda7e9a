"""Writes programs that call operations of the table; what there is so far is run as it goes."""

from __future__ import annotations

import functools
import re

import numpy as np

import runtime as tf
from runtime.dtypes import DType, as_dtype
from runtime.graph.op import OPS
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerElements, EagerTensor
from tests.fuzz import rows, values
from tests.fuzz.operations import RuleError

# Written as statements, or made by passes, gradients and the native executor; the others are about objects, not about
# arrays.
STRUCTURE = (
    "if while call native shown made iterator advance element_of list_append_cell list_add_at list_add_all_at "
    "list_read_like list_erase"
).split() + [name for name in OPS if name.startswith("rows_")]
LISTS = frozenset(
    """
    list_new list_write list_from_tensor list_split list_scatter list_pack list_cast list_add list_extend list_set_item
    list_full_like list_insert list_remove list_slice list_set_cell list_ordered
    """.split()
)
NAMES = tuple(sorted(set(OPS) - set(STRUCTURE)))

PRELUDE = """\
import io
import numpy as np
from numpy import inf, nan
import runtime as tf
from runtime.ops.effects import Held
from runtime.ops.indexing import INPUT
from tests.fuzz.operations import op
"""
HELPERS = {
    "OUT": "OUT = io.StringIO()",
    "LOGGER": (
        "import logging\n\nOUT = io.StringIO()\nLOGGER = logging.Logger('program', 20)\n"
        "LOGGER.addHandler(logging.StreamHandler(OUT))"
    ),
    "OTHERWISE": "OTHERWISE = (None, ValueError('other'))",
    "SOURCE": "from runtime.ops.draws import Source\n\nSOURCE = Source(np.random.default_rng(0), 'rng')",
    "EXCEPTION": "EXCEPTION = ValueError('raised')",
    "double": "def double(arrays, dtypes):\n    return tuple([x + x for x in arrays])",
}


class Named:
    """An attribute that has a name in the program."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


class Maker:
    """Writes a program: what it has so far is run as it goes, so that each step has fitting operands, mostly."""

    def __init__(self, random):
        self.random = random
        self.inputs = {}  # name -> array
        self.values = {}  # name -> what it is
        self.kinds = {}  # name -> the element type of a list, which nothing else tells while it has no element
        self.lines = []
        self.helpers = []
        self.made = []  # results, in order
        self.apart = set()  # lists that only what made them is given
        self.last = False  # whether nothing may follow
        self.names = dict(eval_names())
        self.count = 0

    def fresh_name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def flag(self, probability=0.5):
        return self.random.random() < probability

    def of(self, name):
        return self.values[name].array

    # Operands.

    def dtype(self, kinds):
        return as_dtype(values.dtype(self.random, kinds))

    def shape(self, rank=None, least=0):
        return values.shape(self.random, rank, least)

    def fresh(self, kinds, dtype=None, shape=None, rank=None, least_rank=0, tame=False):
        dtype = dtype or values.dtype(self.random, kinds)
        if shape is None:
            shape = self.shape(rank)
            if len(shape) < least_rank:
                shape = self.shape(self.random.choice((least_rank, least_rank, least_rank + 1)))
        return values.array(self.random, "string" if dtype == "object" else dtype, shape, tame or self.flag(0.4))

    def tensor(self, kinds, dtype=None, shape=None, rank=None, least_rank=0, tame=False):
        """The name of a tensor of one of these kinds: one that is there, or a new one."""
        fitting = [
            name
            for name, v in self.values.items()
            if isinstance(v, EagerTensor)
            and v.array.dtype.kind in kinds
            and (dtype is None or str(v.array.dtype) == dtype)
            and (shape is None or v.array.shape == tuple(shape))
            and (rank is None or v.array.ndim == rank)
            and v.array.ndim >= least_rank
            and v.array.size <= 400
        ]
        if fitting and self.flag(0.75):
            return self.random.choice(fitting[-4:])
        return self.new(self.fresh(kinds, dtype, shape, rank, least_rank, tame))

    def like(self, name, shape=None, tame=False):
        x = self.of(name)
        return self.tensor(x.dtype.kind, dtype=str(x.dtype), shape=x.shape if shape is None else shape, tame=tame)

    def new(self, array):
        """An argument of the function, now and then a constant."""
        array = np.asarray(array)
        if self.flag(0.2) and array.dtype != object:
            return self.constant(array)
        name = self.fresh_name("x")
        self.inputs[name] = array
        self.values[name] = EagerTensor.of(array)
        return name

    def constant(self, array):
        name = self.fresh_name("c")
        self.lines.append(f"{name} = tf.constant({values.text(array)})")
        self.values[name] = EagerTensor.of(np.asarray(array))
        return name

    def named(self, name):
        if name in HELPERS and HELPERS[name] not in self.helpers:
            self.helpers.append(HELPERS[name])
            exec(HELPERS[name], self.names)
        return Named(name)

    def variable(self):
        known = [n for n in self.values if n.startswith("V")]
        if known and self.flag(0.7):
            return self.random.choice(known)
        array = self.fresh("biuf")
        name = self.fresh_name("V")
        self.helpers.append(f"{name} = tf.Variable({values.text(array)})")
        self.values[name] = tf.Variable(array)
        return name

    def list(self, like=None, whole=False):
        """The name of a list; `whole` ones have no element that nobody wrote."""
        dtype = None if like is None else self.described(like)["dtype"]
        known = [
            name
            for name, v in self.values.items()
            if isinstance(v, EagerElements)
            and name not in self.apart
            and (not whole or all(e is not None for e in v.elements))
            and (dtype is None or self.described(name)["dtype"] == dtype)
        ]
        if known and self.flag(0.8):
            return self.random.choice(known)
        dtype = str(np.dtype(dtype.as_numpy_dtype)) if dtype is not None else None
        dims = None if like is None else self.described(like)["shape"]
        first = self.tensor("iuf", dtype=dtype, shape=dims)
        others = [self.like(first) for _ in range(self.random.choice((0, 1, 2)))]
        name = self.fresh_name("l")
        given = f"dtype={rows.show(as_dtype(self.of(first).dtype))}, shape={rows.show(self.of(first).shape)}"
        self.run(name, f'op("list_pack", {", ".join([first, *others])}, {given})')
        return name

    def described(self, name):
        """The element type of a list, and its elements' shape as far as is known."""
        known = [e for e in self.values[name].elements if e is not None]
        if not known:
            return self.kinds[name]
        return {"dtype": as_dtype(np.asarray(known[0]).dtype), "shape": np.shape(known[0])}

    def kind(self, operands, attributes):
        """The element type of a list that an operation makes."""
        first = self.values.get(operands[0])
        known = self.described(operands[0]) if isinstance(first, EagerElements) else None
        if known is None and isinstance(first, EagerTensor):
            known = {"dtype": as_dtype(first.array.dtype), "shape": first.array.shape[1:]}
        return {**known, **{k: v for k, v in attributes.items() if k in known}}

    def element(self, name):
        kind = self.described(name)
        numpy = np.dtype(kind["dtype"].as_numpy_dtype)
        return self.tensor(numpy.kind, dtype=str(numpy), shape=kind["shape"])

    # Attributes.

    def axis(self, rank, none=False, several=False):
        if none and self.flag(0.3):
            return None
        if rank == 0 or self.flag(0.02):
            return self.random.choice((0, -1, rank, -rank - 1)) if rank or not none else None
        if several and self.flag(0.4):
            chosen = self.random.sample(range(rank), self.random.randint(0, rank))
            return tuple(a - rank if self.flag(0.3) else a for a in chosen)
        return self.random.randint(-rank, rank - 1)

    def broadcastable(self, dims):
        """A shape that goes with this one element by element."""
        if self.flag(0.4):
            return dims
        made = tuple(
            1 if self.flag(0.3) else (self.random.choice((2, 3, 0)) if d == 1 and self.flag(0.2) else d) for d in dims
        )
        return made[self.random.randint(0, len(made)) :] if self.flag(0.4) else made

    def narrowed(self, dims):
        """A shape that can be spread over this one."""
        made = tuple(1 if self.flag(0.2) else d for d in dims)
        return made[self.random.randint(0, len(made)) :] if self.flag(0.3) else made

    def given_shape(self, dims):
        """A shape of which some dimensions are tensors, and these."""
        shape, given = [], []
        for d in dims:
            if self.flag(0.2) and d != -1:
                shape.append(None)
                given.append(self.new(np.array(d, self.random.choice(("int32", "int64")))))
            else:
                shape.append(d)
        return tuple(shape), given

    def refilled(self, size):
        """A shape that so many elements fill."""
        if size == 0:
            return self.random.choice(((0,), (0, 3), (2, 0, 1), (0, -1) if self.flag(0.1) else (0,)))
        dims, rest = [], size
        while rest > 1 and self.flag(0.7):
            d = self.random.choice([k for k in range(1, rest + 1) if rest % k == 0])
            dims.append(d)
            rest //= d
        dims.append(rest)
        if self.flag(0.4):
            dims[self.random.randrange(len(dims))] = -1
        return tuple(dims) if self.flag(0.97) else (*dims, 2)

    def summed(self, dtype, how):
        if how == "float" and dtype.kind not in "fc":
            return tf.float64
        if self.flag(0.7):
            return as_dtype(dtype)
        wide = {"b": "int64", "i": "int64", "u": "uint64", "f": "float64", "c": "complex128"}
        return as_dtype(wide[dtype.kind])

    def varied(self, value):
        """An attribute of an example, changed a little."""
        if self.flag(0.5):
            return value
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return self.random.choice((0, 1, -1, 2, 7, value))
        if isinstance(value, DType):
            return self.dtype("biuf")
        return value

    # Statements.

    def value(self, name, operands, attributes):
        """What an operation gives; None if it fails."""
        try:
            found = apply(OPS[name], *(self.values[n] for n in operands), **attributes)
        except Exception:
            return None
        return getattr(found, "array", None)

    def run(self, name, text):
        """Write an assignment and run it; returns its value."""
        found = eval(text, self.names, self.values)
        self.lines.append(f"{name} = {text}")
        self.values[name] = found
        if isinstance(found, EagerTensor):
            self.made.append(name)
        return found

    def call(self, name):
        """The text of an operation on values at random, and what it gives."""
        operands, attributes = rows.calls(self, name)
        self.given = operands, attributes
        given = [f"{k}={rows.show(v)}" for k, v in attributes.items()]
        text = f"op({', '.join([repr(name), *operands, *given])})"
        # what these give is a number of Python's, whose type is settled by what it meets
        return f'op("cast", {text}, dtype=tf.int64)' if name in ("len", "widen", "python_int") else text

    def step(self, name):
        """Write a call of an operation; an error ends the program."""
        state = len(self.lines)
        text = self.call(name)
        try:
            found = eval(text, self.names, self.values)
        except RuleError:
            self.lines.append(f"{self.fresh_name('v')} = {text}")
            self.made.append(self.lines[-1].split(" ")[0])
            self.last = True
            return True
        except Exception:
            if not self.flag(0.1) and not self.last:
                del self.lines[state + 10 :]
                return False
            if name in LISTS:
                text = f'op("list_size", {text})'
            self.lines.append(f"{self.fresh_name('v')} = {text}")
            self.made.append(self.lines[-1].split(" ")[0])
            self.last = True
            return True
        if isinstance(found, tuple):
            if not found:
                self.lines.append(text)
                return True
            names = [self.fresh_name("v") for _ in found]
            self.lines.append(f"{', '.join(names)} = {text}")
        else:
            names, found = [self.fresh_name("v")], (found,)
            self.lines.append(f"{names[0]} = {text}")
        for one, what in zip(names, found):
            if isinstance(what, EagerTensor) and what.array.size > 3000:
                self.last = True
            self.values[one] = what
            if isinstance(what, EagerTensor):
                self.made.append(one)
            elif isinstance(what, EagerElements):
                self.kinds[one] = self.kind(*self.given)
        return True

    def alike(self):
        """Two tensors of one type."""
        x = self.tensor("biuf")
        return x, self.like(x)

    def kept(self, x, y):
        """An expression of the type of `x`, for what goes round a loop."""
        return self.random.choice(
            (
                f'op("where", op("less", {x}, {y}), {y}, {x})' if self.of(x).dtype.kind in "biuf" else x,
                f'op("add", {x}, {y})',
                f'op("maximum", {y}, {x})',
                f'op("multiply", {x}, {y})',
                f'op("reverse", {x}, axis=None)',
            )
        )

    def condition(self):
        x = self.tensor("biuf")
        how = self.random.choice(("less", "equal", "not_equal"))
        return f'op("any", op({how!r}, {x}, {self.like(x)}), axis=None, keepdims=False)'

    def control(self, kind):
        x, y = self.alike()
        if self.of(x).dtype.kind == "b" and kind == "while":
            kind = "if"
        name = self.fresh_name("v")
        if kind == "if":
            made = [
                f"if {self.condition()}:",
                f"    {name} = {self.kept(x, y)}",
                "else:",
                f"    {name} = {self.kept(y, x)}",
            ]
        elif kind == "while":
            turn, limit = self.fresh_name("i"), self.new(np.array(self.random.choice((0, 1, 3)), "int32"))
            start = self.constant(np.array(0, "int32"))
            made = [
                f"{name}, {turn} = {x}, {start}",
                f"while {turn} < {limit}:",
                f"    {name} = {self.kept(x, y).replace(x, name, 1)}",
                f"    {turn} = {turn} + 1",
            ]
        else:
            inner = self.fresh_name("g")
            self.helpers.append(
                f"@tf.function\ndef {inner}(a, b):\n    return {self.kept(x, y).replace(x, 'a').replace(y, 'b')}"
            )
            exec(self.helpers[-1], self.names)
            made = [f"{name} = {inner}({x}, {y})"]
        names = dict(self.values)
        try:
            exec("\n".join(made), self.names, names)
        except Exception:
            return
        self.lines += made
        self.values[name] = names[name]
        self.made.append(name)

    def text(self):
        used = "\n".join(line.partition(" = ")[2] for line in self.lines)
        for name, value in list(self.values.items()):
            if isinstance(value, EagerElements) and not re.search(rf"\b{name}\b", used) and not self.last:
                self.run(self.fresh_name("v"), f'op("list_size", {name})')
        used = "\n".join(line.partition(" = ")[2] for line in self.lines)
        results = self.made  # what is not returned need not run, and may fail unseen
        if self.flag(0.6):
            results = [v for v in self.made if not re.search(rf"\b{v}\b", used)] or self.made[-1:]
        arguments = [", ".join(values.text(a) for a in self.inputs.values())]
        if self.inputs and results is self.made and "list_" not in used:
            arguments.append(", ".join(values.text(self.another(a)) for a in self.inputs.values()))
        variables = ", ".join(n for n in self.values if n.startswith("V"))
        opened = [self.opened(a.shape) for a in self.inputs.values()]
        head = [*self.helpers, "ARGUMENTS = [", *(f"    [{a}]," for a in arguments), "]", f"OPEN = {opened}"]
        head += [f"VARIABLES = [{variables}]"] if variables else []
        body = [f"    {line}" for line in self.lines]
        return "\n".join(
            [
                *head,
                f"def f({', '.join(self.inputs)}):",
                *body,
                f"    return {', '.join(results)}{',' if len(results) == 1 else ''}",
                "",
            ]
        )

    def another(self, array):
        """Other numbers of the same type; single ones mostly stay, since much may hang on them."""
        if array.ndim == 0 and self.flag(0.7):
            return array
        name = "string" if array.dtype == object else str(array.dtype)
        return values.array(self.random, name, array.shape, tame=self.flag(0.5))

    def opened(self, dims):
        """What may be known of a shape."""
        how = self.random.random()
        if how < 0.25:
            return None
        return tuple(None if how < 0.7 or self.flag() else d for d in dims)


@functools.cache
def eval_names():
    names = {}
    exec(PRELUDE, names)
    return names


def write(random):
    """A program that calls some operations."""
    maker = Maker(random)
    steps = random.choice((1, 1, 2, 3, 4, 6))
    for _ in range(20 * steps):
        if steps <= 0 or maker.last:
            break
        if random.random() < 0.12 and maker.values:
            maker.control(random.choice(("if", "while", "call")))
            steps -= 1
        else:
            steps -= maker.step(random.choice(NAMES))
    return maker.text()


def write_with(random, name, tries=60):
    """A program that calls one operation, and the text of it; for tests that every row can be called."""
    for _ in range(tries):
        maker = Maker(random)
        if maker.step(name) and (not maker.last or name == "raise"):
            return maker.text()
    raise AssertionError(f"no call of {name!r} was found that works")
