"""Programs with ordinary values: converted, decorated or printed, traced or not, they do what they did."""

from __future__ import annotations

import contextlib
import inspect
import re
import sys
import types

import autograph
from autograph import source
from autograph.convert_file import convert_module
from tests.fuzz.compare import PLAIN, Failure, Report, TooLong, at_most, cause
from tests.fuzz.prelude import LATER, LOG, Box
from tests.programs import load, staging

ARGUMENTS = ((0, 0), (3, 1), (2, 5), (-1, 7))


def behaviour(function, names, lines):
    """All that can be seen of the calls: results or errors, effects in order, closures made on the way."""
    found = []
    for arguments in ARGUMENTS:
        LOG.clear()
        LATER.clear()
        Box.kind, names["G"] = 3, 5
        seen = _outcome(lambda: _exhausted(function(*arguments)), lines)
        later = [_outcome(closure, False) for closure in LATER[:20]]
        found.append((seen, _addressless(repr(LOG)), later, names["G"]))
    return found


def _exhausted(result):
    """Of a generator, what it yields (it is sent numbers) and returns; any other result as it is."""
    if not inspect.isgenerator(result):
        return result
    found, sent = [], None
    try:
        while len(found) < 40:
            found.append(result.send(sent))
            sent = len(found)
    except StopIteration as stop:
        found.append(stop.value)
    return found


def _addressless(text):
    """A text without where objects lie in memory, which differs from run to run."""
    return re.sub(" at 0x[0-9a-f]+", "", text)


def _outcome(call, lines):
    try:
        return "returns", _addressless(repr(call()))
    except RecursionError:
        return "RecursionError", ""
    except Exception as error:
        place = _line(error) if lines else None
        cause = type(error.__cause__).__name__
        return type(error).__name__, (_addressless(str(error)), getattr(error, "name", None)), cause, place


def _line(error):
    """The last line of the program in a traceback."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith("<program"):
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def module(text):
    """The function of a program, and its globals, loaded afresh."""
    made = types.ModuleType("program")
    sys.modules["program"] = made  # printed code imports what it needs from there
    function = load(text, **vars(made))
    vars(made).update(function.__globals__)
    return function, function.__globals__


def printed(text):
    return load(autograph.to_code(module(text)[0]))


def whole(text):
    return load(convert_module(source.parse(text, "program.py")), __name__="program")


FORMS = {
    "converted": lambda text: autograph.to_graph(module(text)[0]),
    "decorated": lambda text: autograph.convert(module(text)[0]),
    "printed": printed,
    "whole file": whole,
}


def check(text, random):
    """Run a program in some of its forms, or all if there is no `random`."""
    try:
        function, names = module(text)
    except SyntaxError:
        return Report([], [], ran=False)
    try:
        with at_most(PLAIN):
            wanted = behaviour(function, names, True)
    except TooLong:
        return Report([], [], ran=False)
    bare = [(outcome[:3], *rest) for outcome, *rest in wanted]
    report = Report([], [], ran=any(outcome[0] == "returns" for outcome, *_ in wanted))
    forms = list(FORMS) if random is None else random.sample(list(FORMS), random.choice((1, 1, 2)))
    for form in forms:
        try:
            made = FORMS[form](text)
        except Exception as error:
            report.failures.append(Failure(f"{form}: {type(error).__name__} in {cause(error)[0]}", "", f"{error}"))
            continue
        for around in (contextlib.nullcontext, staging) if random is None or random.random() < 0.4 else (staging,):
            names = _globals(made)
            lines = form in ("converted", "decorated")
            with around():
                found = _placed(behaviour(made, names, lines), wanted)
            expected = wanted if lines else bare
            seen = [repr(row) if lines else _caught(row) for row in found]
            sought = [repr(row) if lines else _caught(row) for row in wanted]
            if seen != sought:
                number = next(i for i, (a, b) in enumerate(zip(seen, sought)) if a != b)
                how = "" if around is contextlib.nullcontext else ", traced"
                what = f"{form}{how}: {_kind(found[number], expected[number])}"
                report.failures.append(Failure(what, f"{ARGUMENTS[number]}: {expected[number]}", f"{found[number]}"))
                break
    return report


def _caught(row):
    """What was seen, without lines; a clause of printed code catches the NameError of a variable around it."""
    (outcome, *rest) = row
    return re.sub(r"UnboundLocalError(\\?') object", r"NameError\1 object", repr((outcome[:3], *rest)))


def _placed(found, wanted):
    """What was found, with Python's lines of errors that it does not tell reliably.

    Those that ``except*`` raises again have none; and once a function has run for a while, an instruction that stores
    one variable and reads the next, unbound one in one go blames the line of the first.
    """
    unsure = [theirs[3:] == (None,) or theirs[0] == "UnboundLocalError" for theirs, *_ in wanted]
    return [
        ((*mine[:3], *theirs[3:]) if skip and len(mine) == len(theirs) else mine, *rest)
        for skip, (mine, *rest), (theirs, *_) in zip(unsure, found, wanted)
    ]


def _globals(function):
    while not isinstance(function, types.FunctionType):
        function = function.__wrapped__ if hasattr(function, "__wrapped__") else function.__func__
    return inspect.unwrap(function).__globals__


def _kind(found, wanted):
    """How two behaviours differ."""
    if found[0][0] != wanted[0][0]:
        return f"{found[0][0]} for {wanted[0][0]}"
    if found[0][:3] != wanted[0][:3]:
        return "another result" if found[0][0] == "returns" else "another message"
    if found[1] != wanted[1]:
        return "other effects"
    if found[2] != wanted[2]:
        return "other closures"
    return "another line" if found[0] != wanted[0] else "another global"


assert sys.version_info >= (3, 11)
