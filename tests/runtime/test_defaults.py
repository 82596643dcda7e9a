"""What an argument is when it is left out is what it is in TensorFlow 2.21 and Keras 3.

`defaults.json` was written by `inspect.signature` there: by public name, the defaults of the parameters that are here,
too, as far as they are None, numbers, truth values, texts or sequences of these.
"""

import inspect
import json
from pathlib import Path

import pytest

import runtime as tf

DEFAULTS = json.loads((Path(__file__).parent / "defaults.json").read_text())
# Said in another way.
ELSEWHERE = {
    "Assert": {"summarize": 3},  # which is what None means there
    "TensorSpec": {"dtype": "float32"},
    "data.Dataset.from_generator": {"args": ()},
    "data.Dataset.shuffle": {"reshuffle_each_iteration": None},
    "keras.layers.Attention.call": {"training": None},
    "keras.layers.Embedding": {"embeddings_initializer": "random_uniform"},
    "linalg.norm": {"keepdims": False},
    "norm": {"keepdims": False},
    "math.count_nonzero": {"keepdims": False},
    "compat.v1.random_uniform_initializer": {"maxval": 1.0},
    "shape": {"out_type": tf.int32},
    "size": {"out_type": tf.int32},
    "strings.to_number": {"out_type": "float32"},
}


def written(default):
    if isinstance(default, tf.DType):
        return f"tf.{default.name}"
    return repr([*default] if isinstance(default, list | tuple) else default)


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults_are_those_of_tensorflow(name):
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    mine = inspect.signature(found.__init__ if isinstance(found, type) else found).parameters
    for parameter, wanted in DEFAULTS[name].items():
        default = mine[parameter].default
        if parameter in ELSEWHERE.get(name, ()):
            assert written(default) == written(ELSEWHERE[name][parameter]) != wanted
        elif parameter == "name" and default is None:  # it is found when it is made
            continue
        elif isinstance(default, int) and wanted.startswith("["):  # one number for each axis
            assert {repr(default)} == {*wanted.strip("[]").split(", ")}
        else:
            assert written(default) == wanted, parameter
