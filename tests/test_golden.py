"""The text of generated code and of graphs, as files to be read; `make golden` writes them anew."""

import os
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as tf
from samples import collatz, digits, dynamic_rnn, fizzbuzz, relu, tanh_loop

FOLDER = Path(__file__).parent / "golden"
FUNCTIONS = {
    "simple_relu": (relu.simple_relu, (tf.constant(1),)),
    "square_if_positive": (relu.square_if_positive, (tf.constant(1),)),
    "collatz": (collatz.collatz, (tf.constant(7),)),
    "fizzbuzz": (fizzbuzz.fizzbuzz, (tf.constant(5),)),
    "squash": (tanh_loop.squash, (tf.constant(np.ones(4, np.float32)),)),
    "dynamic_rnn": (dynamic_rnn.dynamic_rnn, dynamic_rnn.EXAMPLES[0][1][0]),
    "train": (digits.train, digits.small_problem()),
}


def compare(name, text):
    path = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing; run `make golden` and read what it wrote"
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; if the new text is better, run `make golden`"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_generated_code(name):
    function, _ = FUNCTIONS[name]
    text = autograph.to_code(function)
    compile(text, name, "exec")
    compare(f"{name}.code.txt", text)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_graph(name):
    function, arguments = FUNCTIONS[name]
    text = str(tf.function(function).get_concrete_function(*arguments).graph)
    compile(text, name, "exec")
    compare(f"{name}.graph.txt", text)
