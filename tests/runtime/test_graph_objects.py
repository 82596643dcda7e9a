"""Graphs as TensorFlow's users see them: operations, tensors by name, definitions as data, drawings."""

import shutil
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf


def graph_of(function, *args, **options):
    return tf.function(function, **options).get_concrete_function(*args).graph


def nodes(graph):
    return [(node.name, node.op, *node.input) for node in graph.as_graph_def().node]


VECTOR = tf.TensorSpec([None, 2], tf.float32)
NUMBER = tf.TensorSpec([], tf.int32)


def scoped(x):
    with tf.name_scope("outer"):
        y = -x
        with tf.name_scope("inner"):
            return -y - x


def looped(x, n):
    for _ in tf.range(n):
        x = tf.tanh(x)
    return x


def branched(n):
    if n > 0:
        n = n * 2
    return n


@pytest.mark.parametrize(
    "function, arguments, wanted",
    [
        (lambda x: x * 2, [VECTOR],
         [("x", "Placeholder"), ("Const", "Const"), ("multiply", "Mul", "x", "Const"),
          ("Identity", "Identity", "multiply")]),
        (lambda x: x, [VECTOR], [("x", "Placeholder"), ("Identity", "Identity", "x")]),
        (lambda x: (x + x) + x, [VECTOR],
         [("x", "Placeholder"), ("add", "AddV2", "x", "x"), ("add_1", "AddV2", "add", "x"),
          ("Identity", "Identity", "add_1")]),
        (lambda d, *rest, k=1: (d["p"] - rest[0], d["p"]), [{"p": NUMBER, "q": NUMBER}, NUMBER],
         [("d", "Placeholder"), ("d_1", "Placeholder"), ("rest_0", "Placeholder"),
          ("subtract", "Sub", "d", "rest_0"), ("Identity", "Identity", "subtract"),
          ("Identity_1", "Identity", "d")]),
        (scoped, [VECTOR],
         [("x", "Placeholder"), ("outer/negative", "Neg", "x"), ("outer/inner/negative", "Neg", "outer/negative"),
          ("outer/inner/subtract", "Sub", "outer/inner/negative", "x"),
          ("Identity", "Identity", "outer/inner/subtract")]),
        (lambda x: tf.print(x), [VECTOR], [("x", "Placeholder"), ("print", "PrintV2", "x")]),
    ],
)  # fmt: skip
def test_operations(function, arguments, wanted):
    assert nodes(graph_of(function, *arguments)) == wanted


def test_operations_know_their_tensors_and_graph():
    graph = graph_of(lambda a, b: tf.matmul(a, b) * 2.0, VECTOR, tf.TensorSpec([2, 3]))
    (product,) = [o for o in graph.get_operations() if o.type == "MatMul"]
    assert graph.get_operation_by_name(product.name) is product and product.graph is graph
    a, b = product.inputs
    assert (a.name, a.op.type, b.op.name) == ("a:0", "Placeholder", "b")
    assert a is a.op.outputs[0] and a.op is graph.get_operation_by_name("a")
    (made,) = product.outputs
    assert (made.op, made.dtype, made.shape.as_list(), made.graph) == (product, tf.float32, [None, 3], graph)
    assert graph.get_tensor_by_name(f"{product.name}:0") is made and tf.is_tensor(made)
    assert repr(made) == "<tf.Tensor 'matmul:0' shape=(None, 3) dtype=float32>"


@pytest.mark.parametrize(
    "ask, error, words",
    [
        (lambda g: g.get_operation_by_name("nothing"), KeyError, "no operation 'nothing' in the graph .*, which has x"),
        (lambda g: g.get_tensor_by_name("x"), ValueError, "ends in a colon and a number, as x:0 does"),
        (lambda g: g.get_tensor_by_name("x:y"), ValueError, "is no name of a tensor"),
        (lambda g: g.get_tensor_by_name("x:1"), KeyError, "'x' makes 1 tensors"),
        (lambda g: g.get_tensor_by_name("y:0"), KeyError, "no operation 'y'"),
    ],
)
def test_names_that_are_not_there(ask, error, words):
    graph = tf.function(lambda x: x, name="f").get_concrete_function(VECTOR).graph
    with pytest.raises(error, match=words):
        ask(graph)


@pytest.mark.parametrize("use", [lambda t: t + 1, bool, len, np.asarray, lambda t: tf.function(lambda: t + 1)()])
def test_tensors_of_a_finished_graph_have_no_value(use):
    tensor = graph_of(lambda x: -x, tf.TensorSpec([])).get_tensor_by_name("negative:0")
    with pytest.raises((tf.errors.InaccessibleTensorError, TypeError)):
        use(tensor)


def test_what_has_been_recorded_so_far():
    v = tf.Variable(2.0, name="v")

    @tf.autograph.experimental.do_not_convert
    def has(x, *wanted):
        found = x.op.type, " ".join(o.name for o in x.graph.get_operations()), " ".join(t.name for t in x.op.inputs)
        assert found == wanted

    @tf.function
    def f(x):
        y = x * v
        has(y, "Mul", "x v read_variable multiply", "x:0 read_variable:0")
        assert y.graph is x.graph and y.op is y.op and x.op is y.op.inputs[0].op
        if y > 0:
            y = y + x
            has(y, "AddV2", "multiply x add", "multiply:0 x:0")
        return y

    assert f(tf.constant(1.0)).numpy() == 3.0


def test_variables_of_a_graph():
    w, step = tf.Variable([1.0], name="w"), tf.Variable(0, trainable=False)
    graph = graph_of(lambda x, given: [step.assign_add(1), x * w * given], VECTOR, tf.Variable(1.0))
    assert graph.variables == (step, w) and graph.trainable_variables == (w,)
    handles = [o for o in graph.get_operations() if o.type == "Placeholder" and o.outputs[0].dtype.name == "resource"]
    assert [h.name for h in handles] == ["given", "Variable", "w"]


def test_what_is_not_needed_stays_in_the_operations():
    graph = graph_of(lambda x: [tf.sin(x), x][1], tf.constant(1.0))
    assert "Sin" in [o.type for o in graph.get_operations()]
    assert "sin" not in str(graph)  # what runs


# As data.


@pytest.mark.parametrize(
    "value, text",
    [
        (3, "dtype: DT_INT32 tensor_shape { } int_val: 3"),
        (2**40, "dtype: DT_INT64 tensor_shape { } int64_val: 1099511627776"),
        (1.5, "dtype: DT_FLOAT tensor_shape { } float_val: 1.5"),
        (np.float64("nan"), "dtype: DT_DOUBLE tensor_shape { } double_val: nan"),
        (np.float16(1.0), "dtype: DT_HALF tensor_shape { } half_val: 15360"),
        (1 + 2j, "dtype: DT_COMPLEX128 tensor_shape { } dcomplex_val: 1.0 dcomplex_val: 2.0"),
        ([True, False], "dtype: DT_BOOL tensor_shape { dim { size: 2 } } bool_val: true bool_val: false"),
        ('ä"\n', r'dtype: DT_STRING tensor_shape { } string_val: "\303\244\"\n"'),
        (np.zeros(65, np.uint8), 'dtype: DT_UINT8 tensor_shape { dim { size: 65 } } tensor_content: "%s"'
         % (r"\000" * 65)),
    ],
)  # fmt: skip
def test_constants_as_text(value, text):
    definition = graph_of(lambda: tf.constant(value)).as_graph_def()
    assert f"value {{ tensor {{ {text} }} }}" in " ".join(str(definition).split())


def test_a_definition_as_data_and_text():
    definition = graph_of(lambda x: tf.reduce_sum(x, axis=1, keepdims=True), VECTOR).as_graph_def()
    given, total, result = definition.node
    assert (given.attr["shape"].shape.as_list(), given.attr["dtype"].type) == ([None, 2], tf.float32)
    assert given.attr["_user_specified_name"].s == b"x"
    assert (total.op, total.attr["keepdims"].b, total.attr["axis"].kind) == ("Sum", True, "i")
    with pytest.raises(AttributeError, match=r"which is \.b, not \.i"):
        total.attr["keepdims"].i
    assert str(definition) == "".join(
        "\n".join(["node {", *(f"  {line}" for line in str(node).splitlines()), "}", ""]) for node in definition.node
    )
    assert str(result).splitlines()[:3] == ['name: "Identity"', 'op: "Identity"', f'input: "{total.name}"']


def test_attributes_of_an_operation():
    graph = graph_of(lambda x: tf.transpose(tf.reduce_sum(x, axis=1, keepdims=True) + 1.5, [1, 0]), VECTOR)
    total = graph.get_operation_by_name("sum")
    assert (total.get_attr("axis"), total.get_attr("keepdims"), total.get_attr("T")) == (1, True, tf.float32)
    assert graph.get_operation_by_name("transpose").get_attr("axes") == [1, 0]
    assert graph.get_operation_by_name("Const").get_attr("value") == 1.5
    assert graph.get_operation_by_name("x").get_attr("shape").as_list() == [None, 2]
    assert total.node_def.input == ["x"] and total.values() == tuple(total.outputs)
    with pytest.raises(ValueError, match="operation 'sum' has no attribute 'strides'; it has T, axis"):
        total.get_attr("strides")


def test_branches_loops_and_calls_are_functions_of_the_library():
    @tf.function
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    def all_of_them(x, n):
        return looped(x, n), branched(n), fibonacci(n)

    definition = graph_of(all_of_them, VECTOR, NUMBER).as_graph_def()
    known = {function.signature.name: function for function in definition.library.function}
    (loop,) = [node for node in definition.node if node.op == "While"]
    body = known[loop.attr["body"].func.name]
    assert "Tanh" in [node.op for node in body.node_def]
    assert {a.name: a.type for a in body.signature.input_arg}["x"] == tf.float32
    assert [*body.ret] == [a.name for a in body.signature.output_arg]
    assert [a.type for a in known[loop.attr["cond"].func.name].signature.output_arg] == [tf.bool]
    named = {
        value.func.name
        for holder in (definition.node, *(function.node_def for function in known.values()))
        for node in holder
        for value in node.attr.values()
        if value.kind == "func"
    }
    assert named == known.keys() and len(known) == len(definition.library.function)
    for function in known.values():  # all that a function takes is made in it
        made = {a.name for a in function.signature.input_arg} | {node.name for node in function.node_def}
        assert {name.partition(":")[0] for node in function.node_def for name in node.input} <= made


def test_names_of_functions_are_their_own():
    definition = graph_of(lambda n: branched(branched(n)), NUMBER).as_graph_def()
    names = [function.signature.name for function in definition.library.function]
    assert len(set(names)) == len(names) == 4


# As a drawing.


def test_the_text_of_a_drawing():
    text = graph_of(looped, VECTOR, NUMBER, jit_compile=False).to_dot()
    assert text.startswith('digraph "looped" {') and text.count("{") == text.count("}")
    assert "np.tanh(x)" in text and 'label="body"' in text and "lhead=cluster_" in text
    quoted = graph_of(lambda: tf.print('a "quoted\\" text'), name="f").to_dot()
    assert r"\"" in quoted and quoted.count("\n") == len(quoted.splitlines())


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_graphviz_draws_it():
    assert "<svg" in graph_of(looped, VECTOR, NUMBER).to_svg()


def test_what_a_drawing_needs_is_said(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ImportError, match="to_svg needs Graphviz"):
        graph_of(branched, NUMBER).to_svg()


def test_a_drawing_is_what_the_program_dot_makes_of_the_text(monkeypatch, tmp_path):
    """A program in its place answers with what it was given."""
    program = tmp_path / "dot"
    program.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:], sys.stdin.read(), end='')\n")
    program.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(program))
    graph = graph_of(branched, NUMBER)
    assert graph.to_svg() == f"['-Tsvg'] {graph.to_dot()}"
    program.write_text(f"#!{sys.executable}\nraise SystemExit(2)\n")
    with pytest.raises(subprocess.CalledProcessError):
        graph.to_svg()
