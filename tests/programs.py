"""Programs made from text, as the tests load and compare them."""

import contextlib
import importlib.util
import itertools
import linecache
import re

import autograph
import runtime
from autograph import dispatch
from runtime.executors.native.absent import ABSENT

_numbers = itertools.count()

# What `jit_compile` may be: with llvmlite, native code too.
EXECUTORS = (False, True) if importlib.util.find_spec("llvmlite") else (False,)


class Table(dict):
    """A dictionary of a class that no graph has."""


def load(text, name="f", **names):
    """The function of that name in a program; its source can be found."""
    filename = f"<program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), names)
    return names[name]


def outcome(function, *arguments):
    """What a call returns or raises, in a form that can be compared."""
    try:
        return "returns", function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


PARTLY = {
    ("norm", "a norm of matrices of another order"),
    ("is_close", "closeness of integers"),
    ("matmul", "a product of matrices of truth values"),
    ("setitem", "an index of truth values"),
    ("setitem", "indices of tensors with slices between them"),
    ("getitem", "indices of tensors with slices between them"),
    ("power", "a power of complex numbers with an exponent other than 0, 1, 2 … 99"),
}


def lacks_native_form(error, unknown=False):
    """Whether an error says of something that it cannot be compiled that is known to have no native form.

    `unknown` tells whether it may be that too little is known of its size.
    """
    found = re.search(r"'(\w+)' cannot be compiled: (.*?)\. Without", str(error))
    if found is None:
        return False
    name, why = found.groups()
    return (
        name in {op.name for op in ABSENT}
        or (name, why) in PARTLY
        or (unknown and why.endswith("not known"))
        or re.fullmatch("it computes with (complex numbers|float16)", why)
    )


@contextlib.contextmanager
def staging():
    """As if something was being traced, so that converted code asks at every turn."""
    autograph.begin_staging()
    try:
        yield
    finally:
        autograph.end_staging()


@contextlib.contextmanager
def unrolled(limit):
    """With another limit for loops that are unrolled; with 0 every loop that can be is one of the graph."""
    before = runtime.config.unroll_limit()
    runtime.config.set_unroll_limit(limit)
    try:
        yield
    finally:
        runtime.config.set_unroll_limit(before)


@contextlib.contextmanager
def at_rest():
    """As if nothing was being traced, whatever backends other tests have registered whose values are always staged."""
    held = dispatch.active, dispatch.lasting
    dispatch.active = dispatch.lasting = 0
    try:
        yield
    finally:
        dispatch.active, dispatch.lasting = held
