"""Executors are entered in one table, and whoever asks for one asks that."""

import numpy as np
import pytest

import runtime as tf
from runtime.executors import registry
from runtime.graph.errors import InvalidArgumentError


def steps(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


@pytest.fixture
def recording(monkeypatch):
    """An executor that nobody knew of, which notes what it is asked to run."""
    asked = []

    def compile_graph(graph, whole, tensor_type):
        asked.append((graph.name, whole))
        return registry.EXECUTORS["numpy"].functions.compile_graph(graph, whole, tensor_type)

    class Executor(registry.Executor):
        functions = type("recording", (), {"compile_graph": staticmethod(compile_graph)})

    monkeypatch.setattr(registry, "EXECUTORS", dict(registry.EXECUTORS))

    def enter(**facts):
        registry.register(Executor("recording", "", **facts))
        return asked

    return enter


@pytest.mark.parametrize("jit_compile, facts, asked", [
    ("recording", {}, [("steps", True)]),
    ("recording", {"gains": lambda graph: False}, [("steps", True)]),
    (None, {}, [("steps", False)]),
    (None, {"gains": lambda graph: False}, []),
    (True, {"compiles": True}, [("steps", True)]),
    (False, {"compiles": True}, []),
    ("numpy", {"compiles": True}, []),
])  # fmt: skip
def test_an_executor_that_is_entered_runs_what_it_is_asked_for(recording, jit_compile, facts, asked):
    noted = recording(**facts)
    assert int(tf.function(steps, jit_compile=jit_compile)(tf.constant(6))) == 8
    assert noted == asked


def test_one_whose_package_is_missing_is_refused_by_name_and_passed_over_otherwise(recording):
    noted = recording(requires="no_such_package_at_all", compiles=True)
    assert int(tf.function(steps)(tf.constant(6))) == 8
    with pytest.raises(ImportError, match="pip install no_such_package_at_all"):
        tf.function(steps, jit_compile="recording")(tf.constant(6))
    assert noted == []


def test_where_nothing_makes_machine_code_numpy_runs_the_graph_with_a_warning(recording, monkeypatch):
    recording(requires="no_such_package_at_all", compiles=True)
    registry.EXECUTORS.pop("native")
    with pytest.warns(UserWarning, match="jit_compile=True needs no_such_package_at_all"):
        assert int(tf.function(steps, jit_compile=True)(tf.constant(6))) == 8


def test_a_name_of_none_is_refused_when_decorating():
    with pytest.raises(ValueError, match="jit_compile='xla' names no executor.*'numpy', 'native'"):
        tf.function(steps, jit_compile="xla")


def test_one_asked_for_by_name_runs_all_of_a_graph_or_refuses():
    pytest.importorskip("llvmlite")
    for jit_compile in (True, "native"):
        power = tf.function(lambda x: tf.cast(x, tf.complex128) ** 2.5, jit_compile=jit_compile)
        with pytest.raises(InvalidArgumentError, match="cannot be compiled"):
            power(tf.eye(2))
    assert int(tf.function(steps, jit_compile="native")(np.int32(6))) == 8
