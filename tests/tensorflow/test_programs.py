"""What TensorFlow's users wrote gives what TensorFlow gives, or something that is better for a reason."""

import builtins
import json
from pathlib import Path

import pytest

import runtime as tf
from tests.tensorflow.observing import NAMES, difference, observed

FIGURES = json.loads(Path(__file__).with_name("figures.json").read_text())
DEVIATIONS = json.loads((Path(__file__).parent.parent / "deviations.json").read_text())
CLASSES = {
    name for name in (*vars(builtins), *dir(tf.errors)) if name.endswith(("Error", "Exception", "StopIteration"))
}


@pytest.mark.parametrize("name", NAMES)
def test_a_program_does_what_it_does_in_tensorflow(name):
    mine, theirs = observed(tf, name), FIGURES[name]
    assert mine.keys() == theirs.keys(), "python -m tests.tensorflow writes down what TensorFlow does"
    found = {f"{name}.{what}": difference(mine[what], theirs[what], CLASSES) for what in theirs}
    reasons = {what for what in DEVIATIONS if what.startswith(f"{name}.")}
    assert {what: how for what, how in found.items() if how and what not in reasons} == {}
    assert [what for what in sorted(reasons) if not found.get(what)] == [], "these agree now"


def test_the_figures_are_those_of_the_programs():
    assert sorted(FIGURES) == NAMES
