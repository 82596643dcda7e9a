"""Layers and models with fixed weights give what TensorFlow's Keras gives: outputs, gradients, and training."""

import json

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS
from tests.runtime.keras.layer_figures import FIGURES, LAYERS, MODELS, of_layer, of_model

KNOWN = json.loads(FIGURES.read_text(encoding="utf-8"))
RUNS = {
    "at once": lambda tf, function: function,
    **{
        f"graph, jit_compile={jit}": lambda tf, function, jit=jit: tf.function(function, jit_compile=jit)
        for jit in EXECUTORS
    },
}


def same(found, known, what):
    if isinstance(known, dict) and "values" not in known:
        assert [*found] == [*known], what
        for name in known:
            same(found[name], known[name], f"{what}: {name}")
    elif isinstance(known, list):
        assert len(found) == len(known), what
        for number, (a, b) in enumerate(zip(found, known)):
            same(a, b, f"{what}[{number}]")
    else:
        values = np.array(known["values"], np.float64).reshape(known["shape"])
        assert np.shape(found) == values.shape, what
        np.testing.assert_allclose(np.asarray(found, np.float64), values, rtol=2e-4, atol=2e-5, err_msg=what)


@pytest.mark.sampled(6, each="name")
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_and_its_gradients(name, run):
    same(of_layer(tf, name, RUNS[run]), KNOWN["layers"][name], name)


@pytest.mark.parametrize("name", MODELS)
def test_training(name):
    same(of_model(tf, name), KNOWN["models"][name], name)


def test_the_figures_are_those_of_the_programs():
    assert [*KNOWN["layers"]] == [*LAYERS]
    assert [*KNOWN["models"]] == [*MODELS]
