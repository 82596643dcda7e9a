"""Warnings of converted code name the line that they name in plain Python, staged or not."""

import contextlib
import sys
import warnings

import pytest

import autograph
from tests.programs import staging


def old(x):
    if x > 1:
        warnings.warn("old", DeprecationWarning, stacklevel=2)
    for i in range(x):
        if i:
            warnings.warn(RuntimeWarning(f"at {i}"))


def calls(x):
    old(x)
    while x > 2:
        x -= 1
        old(x)
    return x


def above_all():
    warnings.warn("nobody", stacklevel=10_000)


def told(function, *args, filters="always"):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter(filters)
        function(*args)
    return [(str(one.message), one.category, one.filename, one.lineno) for one in found]


@pytest.mark.parametrize("around", [contextlib.nullcontext, staging])
def test_a_warning_names_the_line_that_it_names_in_plain_python(around):
    wanted = told(calls, 3)
    assert len(wanted) == 5
    with around():
        assert told(autograph.convert(calls), 3) == wanted


def test_a_line_warns_once():
    once = told(calls, 3, filters="default")
    assert len(once) < len(told(calls, 3))
    assert told(autograph.convert(calls), 3, filters="default") == once


def test_what_is_above_all_frames_is_the_interpreter():
    assert told(autograph.convert(above_all)) == told(above_all)
    assert told(above_all)[0][2] in ("sys", "<sys>", sys.__name__)


def test_a_warning_may_be_raised():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning, match="old"):
            autograph.convert(calls)(3)
