"""Programs that call operations of the table, with any types, shapes and attributes, in branches, loops and calls.

Such a program is eager first, operation by operation: that is what every graph made of it has to give.
"""

from __future__ import annotations

import ast
import io

import numpy as np

import runtime as tf
from runtime import optimise
from runtime.executors import compile_graph
from runtime.tensors.tensor import EagerTensor
from tests.fuzz.compare import (
    PLAIN,
    Failure,
    Report,
    TooLong,
    at_most,
    is_internal,
    is_refusal,
    kind_of,
    leaks,
    leaves,
    refused,
    same_bits,
)
from tests.fuzz.maker import eval_names
from tests.fuzz.operations import BY_LAYOUT, CASTS, INEXACT, INEXACT_OF_COMPLEX, UNSIGNED, RuleError, wobbling
from tests.programs import lacks_native_form, load


def tensor(value):
    """An argument of a program as a tensor."""
    if isinstance(value, bytes):
        value, text = np.empty((), object), value
        value[()] = text
    return EagerTensor.of(value)


class Run:
    """A program, loaded afresh if it keeps anything, so that no form sees what another did."""

    def __init__(self, text, other=None):
        self.text = text
        if other is not None and "VARIABLES" not in text and "OUT" not in text:
            self.function, self.names = other.function, other.names
            return
        self.function = load(text, **eval_names())
        self.names = self.function.__globals__

    def outcomes(self, callable_):
        """What each call gives: arrays, with what Variables hold and what was printed; or an error."""
        found = []
        for arguments in self.names["ARGUMENTS"]:
            tf.random.set_seed(0)
            try:
                result = callable_(*map(tensor, arguments))
                found.append([*leaves(result), *self.state()])
            except Exception as error:
                found.append(error)
                break
        return found

    def state(self):
        held = [np.array(v.array) for v in self.names.get("VARIABLES", ())]
        out = self.names.get("OUT")
        return held + ([np.array(out.getvalue())] if isinstance(out, io.StringIO) else [])


def describe(outcome):
    if isinstance(outcome, Exception):
        return f"{type(outcome).__name__}: {outcome}"
    return ", ".join(f"{a.dtype}{list(a.shape)} {a.tolist()}" for a in outcome)


def check(text, random):
    """Run a program in every form; `random` decides which of the slow ones."""
    eager = Run(text)
    try:
        with at_most(PLAIN):
            wanted = eager.outcomes(eager.function)
    except (RecursionError, TooLong):
        return Report([], [], ran=False)
    if any(isinstance(outcome, MemoryError) for outcome in wanted):  # of what a graph may not have to make
        return Report([], [], ran=False)
    report = Report([], [])
    for outcome in wanted:
        if isinstance(outcome, Exception) and (isinstance(outcome, RuleError) or is_internal(outcome)):
            report.failures.append(
                Failure(
                    f"eager: {kind_of(outcome)}"
                    if not isinstance(outcome, RuleError)
                    else f"rule of {str(outcome).split(':')[0]}",
                    "",
                    describe(outcome),
                )
            )
            return report
    names = _names_of(text)
    of_complex = names & INEXACT_OF_COMPLEX if "complex" in text else set()
    inexact = names & INEXACT | of_complex
    bounds = _bounds(eager, wanted, bool(inexact)) if inexact or names & (UNSIGNED | CASTS) else None
    choose = random.random()
    signature = [
        tf.TensorSpec(dims, tensor(a).dtype) for dims, a in zip(eager.names["OPEN"], eager.names["ARGUMENTS"][0])
    ]
    same = bounds if names & BY_LAYOUT or of_complex else None  # to the last bit, unless NumPy is not
    forms = [
        ("numpy", {"jit_compile": False}, same),
        ("open numpy", {"jit_compile": False, "input_signature": signature}, same),
    ]
    if choose < 0.35:
        forms.append(("native", {"jit_compile": True}, bounds))
    elif choose < 0.65:
        forms.append(("open native", {"jit_compile": True, "input_signature": signature}, bounds))
    if 0.25 < choose < 0.45:
        forms.append(("default", {}, bounds))
    if 0.6 < choose < 0.7:
        forms.append(("open default", {"input_signature": signature}, bounds))
    for form, options, allowed in forms:
        _compare(report, eager, form, options, wanted, allowed, random)
    return report


def _compare(report, eager, form, options, wanted, bounds, random):
    run = Run(eager.text, eager)
    graph = tf.function(run.function, **options)
    arguments = [tensor(a) for a in run.names["ARGUMENTS"][0]]
    if options.get("jit_compile") is False and "input_signature" not in options:
        try:
            concrete = graph.get_concrete_function(*arguments)
        except Exception:
            concrete = None
        if concrete is not None:
            _passes(report, concrete, arguments, bounds[0] if bounds else None)
            run = Run(eager.text, eager)
            graph = tf.function(run.function, **options)
    found = run.outcomes(graph)
    if "native" in form and random is not None and random.random() < 0.06 and not run.names.get("OUT"):
        left = leaks(lambda: graph(*arguments))
        if left:
            report.failures.append(Failure(f"{form}: leak", "", f"{left} bytes a call"))
            return
    for number, (mine, expected) in enumerate(zip(found, wanted)):
        if isinstance(mine, Exception):
            if is_internal(mine) and type(mine) is not type(expected):
                report.failures.append(Failure(f"{form}: {kind_of(mine)}", describe(expected), describe(mine)))
            elif not isinstance(expected, Exception):
                if is_refusal(mine) and ("open" in form or lacks_native_form(mine, unknown=True)):
                    report.refusals.append(refused(mine))
                else:
                    report.failures.append(Failure(f"{form}: {kind_of(mine)}", describe(expected), describe(mine)))
            return
        if isinstance(expected, Exception):
            what = f"{form}: returns, where eager raises {type(expected).__name__}"
            report.failures.append(Failure(what, describe(expected), describe(mine)))
            return
        problem = _difference(mine, expected, None if bounds is None else bounds[number])
        if problem:
            report.failures.append(Failure(f"{form}: {problem}", describe(expected), describe(mine)))
            return


def _passes(report, concrete, arguments, bounds):
    """The graph as it was traced gives what the optimised one gives; within bounds, if NumPy itself is not exact."""
    if any(not isinstance(a, EagerTensor) for a in arguments) or concrete._captured:
        return
    stages = list(optimise.stages(concrete.traced))
    if str(stages[0][1]) == str(stages[-1][1]):
        return
    results = []
    for graph in (stages[0][1], stages[-1][1]):
        tf.random.set_seed(0)
        try:
            made = compile_graph(graph, False)(*(a.array for a in arguments))
            results.append([EagerTensor.of(r).array for r in made])
        except Exception as error:
            results.append(error)
    before, after = results
    if isinstance(before, Exception) or isinstance(after, Exception):
        if type(before) is not type(after):
            report.failures.append(Failure("passes: one of the graphs fails", describe(before), describe(after)))
    elif _difference(after, before, bounds if bounds is not None and len(bounds) == len(before) else None):
        report.failures.append(Failure("passes: results differ", describe(before), describe(after)))


def _difference(mine, wanted, bounds):
    """How results differ, if they do."""
    if len(mine) != len(wanted):
        return "another number of results"
    for number, (a, b) in enumerate(zip(mine, wanted)):
        if a.dtype != b.dtype and not (a.dtype.kind in "OSU" and b.dtype.kind in "OSU"):
            return f"dtype {a.dtype} for {b.dtype}"
        bound = None if bounds is None else bounds[number]
        if bounds is not None and bound is None:
            continue
        if a.shape != b.shape:
            return "another shape"
        if bounds is None:
            if not same_bits(a, b):
                return "another value"
        elif a.dtype.kind in "fc":
            with np.errstate(all="ignore"):
                near = (np.abs(a - b) <= bound) | (a == b) | (np.isnan(a) & np.isnan(b)) | ~np.isfinite(bound)
            if not near.all():
                return "another value"
        elif not ((a == b) | (bound > 0)).all():
            return "another value"
    return ""


def _names_of(text):
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "op" and node.args
    }


def _bounds(eager, wanted, inexact):
    """How far each result may be off: from runs in which what is open is moved. None: as far as it likes."""
    moved = []
    for draw in (0, 0, *map(np.random.default_rng, range(4))):
        with wobbling(-4.0 if len(moved) == 1 else 4.0, draw):
            run = Run(eager.text, eager)
            moved.append(run.outcomes(run.function))
    result = []
    for number, outcome in enumerate(wanted):
        if isinstance(outcome, Exception):
            result.append(None)
            continue
        row = []
        for place, b in enumerate(outcome):
            others = [m[number][place] for m in moved if len(m) > number and not isinstance(m[number], Exception)]
            if len(others) < len(moved) or any(o.shape != b.shape or o.dtype != b.dtype for o in others):
                row.append(None)
                continue
            if b.dtype.kind in "fc":
                with np.errstate(all="ignore"):
                    far = [np.where((o == b) | (np.isnan(o) & np.isnan(b)), 0, np.abs(o - b)) for o in others]
                    bound = 6 * np.max(far, axis=0)
                    if inexact:
                        near = np.where(np.isfinite(b), np.abs(b) * 4 * np.finfo(b.dtype).eps, np.nan)
                        bound = bound + near + np.finfo(b.dtype).tiny
                row.append(bound)
            else:
                row.append(np.max([o != b for o in others], axis=0).astype(int))
        result.append(row)
    return result
