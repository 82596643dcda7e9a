"""Programs on arrays, numbers, lists, objects and text: graphs do what plain Python and NumPy do, or refuse."""

from __future__ import annotations

import ast
import copy
import re

import numpy as np

import autograph
import runtime as tf
from tests.fuzz.compare import (
    PLAIN,
    Failure,
    Report,
    TooLong,
    at_most,
    is_deferred,
    is_internal,
    is_refusal,
    kind_of,
    leaks,
    refused,
)
from tests.programs import load, staging


def given(row):
    return [copy.deepcopy(v) for v in row]


def outcome(function, row, apart=False):
    """What a call returns, and its arguments afterwards; or what it raises.

    `apart` says that what it returns shall not change with its arguments, which are written before it is looked at.
    """
    arguments = given(row)
    try:
        result = function(*arguments)
    except TooLong:
        raise
    except BaseException as error:
        return error, None
    after = [plain(a) for a in arguments]
    for array in arguments if apart else ():
        if isinstance(array, np.ndarray):
            array[...] = ~array if array.dtype == bool else 77
    return plain(result), after


def plain(value):
    """A result without tensors: arrays, Python's own values, and structures of them."""
    if isinstance(value, tf.Variable):
        return np.array(value.array)
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([plain(part) for part in value])
    if hasattr(value, "array"):
        return value.array[()] if value.array.ndim == 0 else value.array.copy()
    return value.copy() if isinstance(value, np.ndarray) else value


_TENSOR = re.compile(r"<tf\.Tensor: shape=\(\), dtype=\w+, numpy=([^<>]*)>")  # of sizes that only the graph knows
_NUMPYS = re.compile(r"(?:np\.u?(?:int|float)\d+|array)\(([^()\[\]]*)\)")
_NO_SIGN = re.compile(r"-(?=0\.0*(?![\d.]))")  # of a zero: which of equal ones is the largest, NumPy leaves open


def _as_numpys(wanted, mine):
    """Whether a text differs in that numbers of Python's are shown as NumPy's: what may be either, as the graph has it,
    is NumPy's there. A number of unknown rank is an array without dimensions, and a zero has any sign."""
    wanted, mine = (_NO_SIGN.sub("", text) for text in (wanted, _TENSOR.sub(r"array(\1)", mine)))
    if wanted == mine:
        return True
    shown = [len(_NUMPYS.findall(text)) for text in (wanted, mine)]
    plain = [re.sub(r"(?<=\d)\.(?!\d)", ".0", _NUMPYS.sub(r"\1", text)).replace(" ", "") for text in (wanted, mine)]
    return 0 < shown[1] >= shown[0] and plain[0] == plain[1]


def difference(mine, wanted, close):
    """How a result differs from the one wanted, if it does."""
    if isinstance(wanted, dict):
        if not isinstance(mine, dict) or list(mine) != list(wanted):
            return "other keys"
        return next((d for k in wanted if (d := difference(mine[k], wanted[k], close))), "")
    if isinstance(wanted, list | tuple):
        if hasattr(mine, "__len__") and not isinstance(mine, list | tuple) and np.ndim(mine):
            mine = list(mine)
        if not isinstance(mine, list | tuple):
            return f"{type(mine).__name__} for {type(wanted).__name__}"
        if len(mine) != len(wanted):
            return "another length"
        return next((d for a, b in zip(mine, wanted) if (d := difference(a, b, close))), "")
    if wanted is None or mine is None:
        return "" if mine is wanted else "None or not"
    if isinstance(wanted, str | bytes):
        if isinstance(mine, np.ndarray | np.generic):
            mine = mine.item()
        text = lambda v: v.decode() if isinstance(v, bytes) else v
        return "" if text(mine) == text(wanted) or _as_numpys(text(wanted), text(mine)) else "another text"
    if not isinstance(wanted, int | float | complex | np.ndarray | np.generic):
        return ""  # an object: what is in it was compared
    a, b = np.asarray(mine), np.asarray(wanted)
    if a.shape != b.shape:
        return "another shape"
    # What a variable may hold of 32 and of 64 bits has 64; generated graphs look at types more closely.
    if isinstance(wanted, np.ndarray | np.generic) and a.dtype.kind != b.dtype.kind:
        return f"dtype {a.dtype} for {b.dtype}"
    if a.dtype.kind not in "biufc":
        return "another kind"
    if b.dtype.kind in "fc" or a.dtype.kind in "fc":
        if type(wanted) is float and a.dtype == np.float32:  # as which Python's floats leave a graph
            close = max(close, 1e-6)
        scale = np.max(np.abs(b), initial=1.0, where=np.isfinite(b))
        near = np.isclose(a, b, rtol=0, atol=close * scale, equal_nan=True) | (a == b)
        return "" if near.all() else "another value"
    return "" if np.array_equal(a, b) else "another value"


def check(text, random):
    """Run a program in every form; `random` decides which of the slow ones."""
    try:
        function = load(text, __name__="program")
    except SyntaxError:
        return Report([], [], ran=False)
    names = function.__globals__
    rows = names["ARGUMENTS"]
    close = 1e-4 if rows[0][0].dtype == np.float32 else 1e-9
    try:
        with np.errstate(all="ignore"), at_most(PLAIN):
            wanted = [outcome(function, row) for row in rows]
    except TooLong:
        return Report([], [], ran=False)
    report = Report([], [], ran=any(not isinstance(w[0], Exception) for w in wanted))
    if any(isinstance(w[0], OverflowError | MemoryError | RecursionError) for w in wanted):
        return Report([], [], ran=False)
    signature = [tf.TensorSpec(dims, tf.constant(v).dtype) for dims, v in zip(names["OPEN"], rows[0])]
    choose = 0.5 if random is None else random.random()
    forms = [("numpy", {"jit_compile": False})]
    if choose < 0.35 or random is None:
        forms.append(("converted", None))
    if choose > 0.5 or random is None:
        forms.append(("open numpy", {"jit_compile": False, "input_signature": signature}))
    if choose < 0.35 or random is None:
        forms.append(("native", {"jit_compile": True}))
    if 0.35 < choose < 0.6 or random is None:
        forms.append(("default", {}))
    if choose > 0.85 or random is None:
        forms.append(("open native", {"jit_compile": True, "input_signature": signature}))
    if 0.25 < choose < 0.75 or random is None:
        forms.append(("counting numpy", {"jit_compile": False}))
    if choose > 0.9 or random is None:
        forms.append(("counting native", {"jit_compile": True}))
    forgives = _forgives(text)
    for form, options in forms:
        # Where every loop over a range that can be one of the graph is one, however short.
        tf.config.set_unroll_limit(0 if form.startswith("counting") else 500)
        if options is None:
            with staging(), np.errstate(all="ignore"):
                run = autograph.to_graph(function)
                found = [outcome(run, row) for row in rows]
        else:
            graph = tf.function(function, **options)
            try:
                graph.get_concrete_function(*given(rows[0]))
            except BaseException as error:
                if is_internal(error) and not _alike(error, wanted[0][0]):
                    anyway = " (Python raises, too)" if isinstance(wanted[0][0], BaseException) else ""
                    what = f"{form}, traced: {kind_of(error)}{anyway}"
                    report.failures.append(Failure(what, f"{wanted[0][0]!r}", f"{error!r}"))
                elif is_refusal(error):
                    report.refusals.append(refused(error))
                elif not isinstance(wanted[0][0], BaseException):
                    report.failures.append(
                        Failure(f"{form}, traced: {kind_of(error)}", f"{wanted[0][0]!r}", f"{error!r}")
                    )
                continue
            found = [outcome(graph, row, apart=True) for row in rows]
            if "native" in form and random is not None and random.random() < 0.06:
                left = leaks(lambda: outcome(graph, rows[0]))
                if left:
                    report.failures.append(Failure(f"{form}: leak", "", f"{left} bytes a call"))
                    continue
        for number, (mine, expected) in enumerate(zip(found, wanted)):
            quiet = OPEN_QUIET if form.startswith("open") or "items" in text else QUIET
            what = _compare(mine, expected, close, report.refusals, quiet)
            if what and forgives and isinstance(mine[0], Exception) and quiet.search(str(mine[0])):
                report.refusals.append("an exception that the graph raises where the last clause would jump")
                continue
            if what:
                report.failures.append(Failure(f"{form}: {what}", f"row {number}: {expected!r}", f"{mine!r}"))
                break
    return report


def _forgives(text):
    """Whether a last clause of the program jumps, which undoes an exception."""
    clauses = [s for node in ast.walk(ast.parse(text)) for s in getattr(node, "finalbody", ())]
    jumps = (ast.Return, ast.Break, ast.Continue)
    return any(isinstance(node, jumps) for clause in clauses for node in ast.walk(clause))


def _alike(error, wanted):
    """Whether an error is that which the program raises anyway."""
    return isinstance(wanted, Exception) and isinstance(
        error, type(wanted).__mro__[-4] if isinstance(wanted, NameError) else type(wanted)
    )


# What is computed in vain may fail unseen, as a graph computes what is needed; what the program raises itself may not.
QUIET = re.compile(
    "out of (range|bounds)|pop from empty|is not (defined|associated with a value)|cannot access|before assignment"
    "|is an empty sequence|empty (sequence|slice)|zero-size array|truth value of an array|same number of dimensions"
    "|non-broadcastable output operand"  # what one of two branches gives
)


# Whether sizes fit, and indices, is only known to the graph where shapes, or lengths of lists, are not known while
# tracing.
OPEN_QUIET = re.compile(
    f"{QUIET.pattern}|could not (be )?broadcast|mismatch in its core dimension|invalid index to scalar|too many indices"
)


def _compare(mine, expected, close, refusals, quiet):
    error, wanted = mine[0], expected[0]
    if isinstance(error, BaseException):
        if is_internal(error) and not _alike(error, wanted):
            return kind_of(error)
        if is_deferred(error):
            refusals.append(refused(error))
            return ""
        return "" if isinstance(wanted, BaseException) else kind_of(error)
    if isinstance(wanted, BaseException):
        return "" if quiet.search(str(wanted)) else f"returns, where Python raises {type(wanted).__name__}"
    found = difference(error, wanted, close)
    if found:
        return found
    found = difference(mine[1], expected[1], close)
    return f"arguments: {found}" if found else ""
