"""What operations are as text: one inside another keeps its parentheses, and constants may be Python's numbers."""

import ast
import itertools
import re

import numpy as np
import pytest

import runtime as tf
from runtime.executors.numpy.precedence import level, needed, numbered
from runtime.graph.op import OPS, show_attribute
from runtime.tensors.operations import apply
from tests.fuzz.compare import same_bits
from tests.runtime.examples import EXAMPLES


def form(op, stem):
    """The text of a row, its inputs `stem0`, `stem1` …"""
    if op.render is None:
        return numbered(op.text, 3).replace("input", stem)
    inputs, attributes = EXAMPLES[op.name][0]
    return op.expression([f"{stem}{i}" for i in range(len(inputs))], attributes)


FORMS = {name: op for name, op in OPS.items() if op.text and (op.render is None or name in EXAMPLES)}


class Filled(ast.NodeTransformer):
    def __init__(self, name, tree):
        self.name, self.tree = name, tree

    def visit_Name(self, node):
        return self.tree if node.id == self.name else node


def tree(text):
    return ast.parse(text, mode="eval").body


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", FORMS)
def test_any_text_fits_into_this_one(name):
    outer = form(FORMS[name], "input")
    for inner in {form(op, "inner") for op in FORMS.values()}:
        for index in range(3):
            here = f"input{index}"
            part = inner if level(inner) >= needed(outer, index) else f"({inner})"
            filled = re.sub(rf"\b{here}\b", lambda _, part=part: part, outer)
            assert ast.dump(tree(filled)) == ast.dump(Filled(here, tree(inner)).visit(tree(outer))), filled


def test_a_list_is_made_where_its_elements_are_asked_for():
    made = tf.function(lambda n, i: tf.TensorArray(tf.float64, size=n, element_shape=()).gather(i), jit_compile=False)
    assert made(np.int32(3), np.int32([0, 1])).numpy().tolist() == [0, 0]


LITERALS = [(name, len(set(re.findall(r"{(\d)}", op.text)))) for name, op in OPS.items() if op.literals]


@pytest.mark.parametrize("name, count", [row for row in LITERALS if row[1] > 1])
def test_python_numbers_stand_for_constants(name, count):
    """A Python number beside an operand of the dtype that it stands for gives what an array would."""
    op = OPS[name]
    for kinds in itertools.product("?biBQefdD", repeat=count):
        for places in itertools.chain.from_iterable(itertools.combinations(op.literals, n) for n in (1, 2)):
            others = {kinds[i] for i in range(count) if i not in places}
            if max(places) >= count or not others.issuperset(kinds[i] for i in places):
                continue
            for shape in ((), (2,)):
                arrays = [np.ones(() if i in places else shape, k)[()] for i, k in enumerate(kinds)]
                given = [a.item() if i in places else a for i, a in enumerate(arrays)]
                with np.errstate(all="ignore"):
                    try:
                        expected = op.kernel(*arrays)
                    except (TypeError, ValueError):
                        continue
                    found = op.kernel(*given)
                assert np.asarray(found).dtype == np.asarray(expected).dtype, (kinds, places)
                np.testing.assert_array_equal(found, expected)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", "?biBIefd")
@pytest.mark.parametrize("name", [n for n, count in LITERALS if count == 2 and n != "power"])
def test_constants_of_any_dtype_in_a_graph(name, dtype):
    """The text with a literal, or without, gives the dtype and the value that the kernel gives for arrays."""
    op = OPS[name]
    for other in "?biBIefd":
        x, y = np.ones((), dtype)[()], np.ones((), other)[()]
        try:
            with np.errstate(all="ignore"):
                expected = op.kernel(x, y)
        except (TypeError, ValueError):
            continue
        for graph in (lambda a: apply(op, a, tf.constant(y)), lambda b: apply(op, tf.constant(x), b)):
            taken = x if graph.__code__.co_varnames[0] == "a" else y
            found = tf.function(graph, jit_compile=False)(taken).numpy()
            assert found.dtype == np.asarray(expected).dtype
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("real", [0.0, -0.0, 1.0, -2.5, np.inf, np.nan])
@pytest.mark.parametrize("imaginary", [0.0, -0.0, 1.0, -2.5, -np.inf])
def test_a_complex_number_is_written_as_itself(real, imaginary):
    text = show_attribute(complex(real, imaginary))
    found = eval(text, {"np": np})
    assert same_bits(np.array(found), np.array(complex(real, imaginary)))


def test_complex_numbers_without_zeros_that_have_a_sign_are_written_as_python_does():
    assert [show_attribute(z) for z in (2 + 0j, 2 - 1j, 3j, complex(-0.0, 1))] == [
        "(2+0j)", "(2-1j)", "3j", "complex(-0.0, 1.0)"
    ]  # fmt: skip


def made_of_texts():
    """Tensors of texts, each of which an operation has put in its place."""
    v = tf.Variable(["a", "b"])
    v[0].assign("z")
    yield v.value()
    yield v.scatter_nd_update([[1]], ["y"]).value()
    yield tf.tensor_scatter_nd_update(["a", "b"], [[1]], ["z"])
    yield tf.pad([["a"]], [[1, 0], [0, 1]])
    yield tf.pad(["a"], [[0, 1]], constant_values="-")
    yield tf.function(lambda n: tf.pad(["a"], [[0, n]]))(tf.constant(2))
    data = tf.data.Dataset.from_tensor_slices(["a", "b"]).map(lambda text: text + "x")
    yield from (data.padded_batch(2), data.batch(2), data.window(2).flat_map(lambda window: window.batch(2)))
    yield tf.TensorArray(tf.string, 2).write(0, "a").write(1, tf.constant("b")).stack()


@pytest.mark.parametrize("number", range(len(list(made_of_texts()))))
def test_elements_of_texts_are_texts(number):
    found = list(made_of_texts())[number]
    for tensor in found if isinstance(found, tf.data.Dataset) else [found]:
        assert {type(element) for element in tensor.numpy().flat} == {bytes}
