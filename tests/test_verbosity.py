"""What the compiler tells of its work, if it is asked to."""

import pytest

import autograph
import runtime as tf
from tests.programs import load

PROGRAM = """
def f(x):
    if x > 0:
        x = helper(x)
    return x
"""
HELPER = """
def helper(x):
    return x if x > 3 else -x
"""


@pytest.fixture(autouse=True)
def silent_again():
    yield
    autograph.set_verbosity(0)


def told(capsys, level, *options):
    autograph.set_verbosity(level, *options)
    f = load(PROGRAM, helper=load(HELPER, "helper"))
    tf.function(f)(tf.constant(1))
    out, err = capsys.readouterr()
    return out, err


def test_nothing_is_told_at_first(capsys):
    assert told(capsys, 0) == ("", "")


@pytest.mark.parametrize("level", [1, 2])
def test_names_of_functions(capsys, level):
    out, err = told(capsys, level)
    lines = err.splitlines()
    assert out == "" and [line.partition(" (")[0] for line in lines] == [
        "AutoGraph: converted f", "AutoGraph: converted helper"
    ]  # fmt: skip
    assert all("<program " in line and line.endswith(":2)") for line in lines)


def test_code_and_standard_output(capsys):
    out, err = told(capsys, 3, True)
    assert out == err and "AutoGraph: helper became\n" in out and "ag__.if_exp" in out


def test_a_level_is_a_number_from_0_on():
    with pytest.raises(ValueError, match="set_verbosity\\(-1\\)"):
        autograph.set_verbosity(-1)
    assert tf.autograph.set_verbosity is autograph.set_verbosity


def test_features_are_always_on():
    feature = tf.autograph.experimental.Feature
    assert feature.ALL in feature.all() and len(feature.all_but([feature.ALL, "LISTS"])) == len(feature) - 2

    for options in (None, feature.ALL, (feature.LISTS, feature.ASSERT_STATEMENTS)):
        f = tf.function(lambda x: x + 1, experimental_autograph_options=options)
        assert int(f(tf.constant(1))) == 2
    with pytest.raises(TypeError, match="members of autograph.experimental.Feature, not 'LISTS'"):
        tf.function(lambda x: x, experimental_autograph_options="LISTS")
