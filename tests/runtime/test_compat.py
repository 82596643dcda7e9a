"""Graphs that a program fills, and sessions: results and errors as TensorFlow 2.21's `compat.v1` has them."""

import collections
import threading

import numpy as np
import pytest

import runtime as tf
import runtime.compat.v1 as tf1

Pair = collections.namedtuple("Pair", "a b")


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def session(graph):
    with tf1.Session(graph=graph) as session:
        yield session


def equal(found, wanted):
    assert type(found) is type(wanted)
    if isinstance(wanted, dict):
        assert list(found) == list(wanted)
        found, wanted = list(found.values()), list(wanted.values())
    if isinstance(wanted, list | tuple):
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted):
            equal(a, b)
    elif isinstance(wanted, np.ndarray | np.generic):
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        np.testing.assert_array_equal(found, wanted)
    else:
        assert found == wanted


STRUCTURES = [
    (lambda c, d, op: c, np.int32(3)),
    (lambda c, d, op: [d, op, "c:0"], [np.float32([1, 2]), None, np.int32(3)]),
    (lambda c, d, op: (c, [d, ()]), (np.int32(3), [np.float32([1, 2]), ()])),
    (lambda c, d, op: Pair(c, op), Pair(np.int32(3), None)),
    (lambda c, d, op: {"x": c, "y": {"z": (c,)}}, {"x": np.int32(3), "y": {"z": (np.int32(3),)}}),
    (lambda c, d, op: collections.OrderedDict(b=c, a=c), collections.OrderedDict(b=np.int32(3), a=np.int32(3))),
    (lambda c, d, op: [], []),
    (lambda c, d, op: "c", None),
]


@pytest.mark.parametrize("number", range(len(STRUCTURES)))
def test_fetches_of_any_structure(session, number):
    made, wanted = STRUCTURES[number]
    fetches = made(tf.constant(3, name="c"), tf.constant([1.0, 2.0]), tf.no_op())
    equal(session.run(fetches), wanted)


def test_feeds(session):
    x, n = tf1.placeholder(tf.float32, [None], name="x"), tf1.placeholder(tf.int32, [], name="n")
    y = tf.reduce_sum(x) * tf.cast(n, tf.float32)
    half = y / 2
    assert session.run(y, {x: [1, 2], n: 2}) == 6
    assert session.run(y, {"x:0": np.float64([1, 2]), "n:0": np.int64(2)}) == 6
    assert session.run(y, {(x, n): ([1, 2], 2)}) == 6
    assert session.run(half, {y: 7}) == 3.5  # any tensor may be fed
    assert session.run(half, {x: tf1.get_static_value(tf.constant([4.0])), n: 1}) == 2
    words = tf1.placeholder(tf.string, [2])
    assert session.run(words + words, {words: ["a", b"b"]}).tolist() == [b"aa", b"bb"]


def test_what_is_fetched_is_the_users(session):
    v, x = tf.Variable([1.0, 2.0]), tf1.placeholder(tf.float32, [2])
    c = tf.constant([5.0, 6.0])
    session.run(tf1.global_variables_initializer())
    given = np.float32([3, 4])
    for fetch in (v, x, c, v + x, tf.reshape(v, [2, 1]), v[:1]):
        before = session.run(fetch, {x: given})
        before += 100
    assert session.run([v, c])[0].tolist() == [1, 2] and session.run(c).tolist() == [5, 6] and given.tolist() == [3, 4]


def test_only_what_is_asked_for_runs(session, capfd):
    v = tf.Variable(1.0)
    up = v.assign_add(1.5)
    tf.print("never")
    printed = tf.print("value", v)
    session.run(tf1.global_variables_initializer())
    assert session.run(v) == 1
    assert [session.run(up), session.run(up), session.run(v)] == [2.5, 4.0, 4.0]
    assert session.run(printed) is None
    assert capfd.readouterr().err == "value 4\n"


def test_control_dependencies(session, capfd):
    v = tf.Variable(1.0)
    with tf.control_dependencies([v.assign_add(1.0), tf.print("first")]):
        read = tf.identity(v)
        with tf.control_dependencies(None):
            alone = tf.identity(v)
        nothing = tf.no_op()
    session.run(tf1.global_variables_initializer())
    assert session.run(alone) == 1
    assert session.run(read) == 2
    session.run(nothing)
    assert session.run(v) == 3
    assert capfd.readouterr().err == "first\n" * 2
    assert nothing.node_def.op == "NoOp" and read.op.node_def.input[-1].startswith("^print")
    assert [op.type for op in read.op.control_inputs] == ["AssignAddVariableOp", "PrintV2"]


def test_variables_from_outside(graph):
    session = tf1.Session(graph=graph)
    up, read = outside.assign_add(1.0), outside * 2
    with tf.control_dependencies([up]):
        after = tf.identity(outside)
    before = float(session.run(read)) / 2
    assert session.run(up) == before + 1 and session.run(after) == before + 2
    assert session.run(outside) == before + 2


outside = tf.Variable(5.0)


def test_assertions_are_operations(session):
    x = tf1.placeholder(tf.float32, [])
    positive = tf.debugging.assert_positive(x)
    with tf.control_dependencies([positive, tf.debugging.assert_equal(1, 1), tf1.Assert(x < 10, [x])]):
        y = x * 2
    assert session.run([y, positive], {x: 1.0}) == [2, None]
    for bad in (-1.0, 11.0):
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(y, {x: bad})
    with pytest.raises(TypeError, match="None is neither"), tf.control_dependencies([None]):
        pass


def test_each_session_has_its_values(graph):
    v = tf.Variable(1.0)
    first, second = tf1.Session(graph=graph), tf1.Session(graph=graph)
    first.run(v.initializer)
    first.run(v.assign(5.0))
    second.run(v.initializer)
    assert (first.run(v), second.run(v)) == (5, 1)
    v.load(7.0, second)
    assert (first.run(v), second.run(v)) == (5, 7)


def test_a_variable_without_a_value(session):
    v = tf.Variable(1.0, name="weight")
    up, read = v.assign_add(1.0), v * 2
    with pytest.raises(tf.errors.NotFoundError, match="weight"):
        session.run(up)
    with pytest.raises(tf.errors.FailedPreconditionError, match="weight"):
        session.run(read)
    session.run(v.initializer)
    assert session.run(read) == 2


def test_what_follows_an_assignment_in_the_program_reads_it(session):
    v = tf.Variable(1.0)
    before = v * 1
    set_ = v.assign(4.0)
    after = v * 2
    assert session.run([set_, after]) == [4, 8]
    assert session.run([before, after]) == [4, 8]


def test_initial_values_may_depend_on_each_other(session):
    a = tf.Variable(tf.constant([1.0, 2.0]))
    b = tf.Variable(lambda: a.initialized_value() * 2)
    session.run(tf1.global_variables_initializer())
    assert session.run(b).tolist() == [2, 4]


def test_gradients(session):
    x, w = tf1.placeholder(tf.float32, [None]), tf.Variable([2.0, 3.0])
    loss = tf.reduce_sum(w * w * x)
    (slope,), (by_x,) = tf.gradients(loss, [w]), tf1.gradients(loss, x)
    train = w.assign_sub(0.5 * slope)
    session.run(tf1.global_variables_initializer())
    feed = {x: [1.0, 10.0]}
    assert session.run([slope, by_x], feed)[0].tolist() == [4, 60]
    assert session.run(by_x, feed).tolist() == [4, 9]
    assert session.run(train, feed).tolist() == [0, -27]


def test_gradients_of_rows(session):
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    (slope,) = tf.gradients(tf.gather(w, [1, 1]), w)
    session.run(tf1.global_variables_initializer())
    found = session.run(slope)
    if isinstance(found, tf1.IndexedSlicesValue):
        dense = np.zeros((2, 2), np.float32)
        np.add.at(dense, found.indices, found.values)
        found = dense
    assert found.tolist() == [[0, 0], [2, 2]]


def test_control_flow(session):
    n = tf1.placeholder(tf.int32, [])
    loop = tf1.while_loop(lambda i: i < n, lambda i: i + 1, [0])
    both = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [0, 0])
    chosen = tf1.cond(n > 2, lambda: [tf.constant("big")], lambda: [tf.constant("small")])
    strict = tf1.cond(n > 2, lambda: [n], lambda: [-n], strict=True)
    default = tf.cond(tf1.placeholder_with_default(True, []), lambda: 1, lambda: 2)
    assert session.run([loop, both, chosen, strict, default], {n: 4}) == [4, [4, 6], b"big", [4], 1]
    assert session.run([loop, both, chosen, strict], {n: 0}) == [0, [0, 0], b"small", [0]]


def test_a_branch_that_writes(session):
    v, p = tf.Variable(0), tf1.placeholder(tf.bool, [])
    step = tf.cond(p, lambda: v.assign_add(10) + 0, lambda: v.assign_sub(1) + 0)
    session.run(tf1.global_variables_initializer())
    assert [session.run(step, {p: given}) for given in (True, False, True)] == [10, 9, 19]


def test_functions_in_a_graph(session):
    w = tf.Variable(3.0)

    @tf.function
    def f(x):
        return x * w if x > 0 else -x

    x = tf1.placeholder(tf.float32, [])
    y = f(x) + f(x + 1)
    session.run(tf1.global_variables_initializer())
    assert session.run(y, {x: 1.0}) == 9
    assert session.run(y, {x: -5.0}) == 9


def test_a_function_that_makes_its_variable(session):
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(2.0, name="inside"))
        return x * made[0]

    y = f(tf.constant(4.0))
    session.run(tf1.global_variables_initializer())
    assert session.run(y) == 8 and [v.name for v in tf1.global_variables()] == ["inside:0"]


def test_names(graph):
    x = tf1.placeholder(tf.float32, [None], name="x")
    assert [tf1.placeholder(tf.float32, name="x").name, tf1.placeholder(tf.float32).name] == ["x_1:0", "Placeholder:0"]
    y = tf.reduce_mean(x, name="m")
    assert (y.name, y.op.name, y.op.type, y.op.inputs[0].name, y.graph is graph) == ("m:0", "m", "Mean", "x:0", True)
    with tf.name_scope("layer"):
        z, again = tf.add(x, y, name="sum"), tf.add(x, y, name="sum")
        assert tf.Variable(1.0, name="w").name == "layer/w:0"
    assert [z.name, again.name] == ["layer/sum:0", "layer/sum_1:0"]
    assert graph.get_tensor_by_name("layer/sum:0").shape.as_list() == [None]
    assert graph.get_operation_by_name("layer/sum") is z.op and z.op.graph is graph
    assert graph.as_graph_element("m") is y.op and graph.as_graph_element("x:0").name == "x:0"
    assert {node.name for node in graph.as_graph_def().node} == {op.name for op in graph.get_operations()}
    assert len({op.name for op in graph.get_operations()}) == len(graph.get_operations())


def test_names_in_functions():
    @tf.function
    def f(x):
        return tf.reduce_sum(tf.add(x, 1.0, name="plus"), name="total")

    made = f.get_concrete_function(tf.TensorSpec([2])).graph
    assert [op.name for op in made.get_operations() if op.type in ("Add", "AddV2", "Sum")] == ["plus", "total"]


def test_variables_by_name(graph):
    with tf1.variable_scope("net", reuse=tf1.AUTO_REUSE):
        a = tf1.get_variable("w", [2, 3])
        assert tf1.get_variable("w") is a and tf1.get_variable_scope().name == "net"
        with tf1.variable_scope("in"):
            b = tf1.get_variable("b", initializer=[1.0, 2.0])
    assert [a.name, b.name, b.shape.as_list()] == ["net/w:0", "net/in/b:0", [2]]
    with tf1.variable_scope("net"), pytest.raises(ValueError, match="net/w already exists"):
        tf1.get_variable("w", [2, 3])
    with tf1.variable_scope("net", reuse=True):
        assert tf1.get_variable("w", [2, 3]) is a
        with pytest.raises(ValueError, match="net/v does not exist"):
            tf1.get_variable("v", [2, 3])
        with pytest.raises(ValueError, match=r"shape \(3,\) and found shape \(2, 3\)"):
            tf1.get_variable("w", [3])
        with pytest.raises(ValueError, match="int32"):
            tf1.get_variable("w", dtype=tf.int32)
    with pytest.raises(ValueError, match="fully defined"):
        tf1.get_variable("open", [None])
    names = [tf1.variable_scope(None, "block") for _ in range(2)]
    with names[0] as one, names[1] as other:
        assert (one.name, other.name) == ("block", "block/block")
    assert [v.name for v in tf1.trainable_variables()] == ["net/w:0", "net/in/b:0"]
    assert [v.name for v in tf1.global_variables("net/in")] == ["net/in/b:0"]


INITIALIZERS = [
    (tf1.zeros_initializer, lambda a: (a == 0).all()),
    (tf1.ones_initializer(), lambda a: (a == 1).all()),
    (tf1.constant_initializer(7), lambda a: (a == 7).all()),
    (tf1.random_normal_initializer(5.0, 0.1, seed=1), lambda a: abs(a.mean() - 5) < 0.1),
    (tf1.truncated_normal_initializer(seed=1), lambda a: abs(a).max() <= 2),
    (tf1.random_uniform_initializer(2, 3, seed=1), lambda a: a.min() >= 2 and a.max() <= 3),
    (tf1.glorot_uniform_initializer(seed=1), lambda a: 0.2 < abs(a).max() <= np.sqrt(6 / 70)),
    (tf1.glorot_normal_initializer(seed=1), lambda a: 0.1 < a.std() < 0.25),
    (None, lambda a: abs(a).max() <= np.sqrt(6 / 70)),
]


@pytest.mark.parametrize("number", range(len(INITIALIZERS)))
def test_initializers(session, number):
    initializer, holds = INITIALIZERS[number]
    v = tf1.get_variable("v", [30, 40], initializer=initializer)
    session.run(v.initializer)
    found = session.run(v)
    assert found.shape == (30, 40) and found.dtype == np.float32 and holds(found)


ERRORS = [
    (lambda s, x, o: s.run(None), TypeError, "Cannot be None"),
    (lambda s, x, o: s.run(3), TypeError, "Can not convert a int into a Tensor or Operation"),
    (lambda s, x, o: s.run("no:0"), ValueError, "The operation, 'no', does not exist"),
    (lambda s, x, o: s.run("no"), ValueError, "refers to an Operation not in the graph"),
    (lambda s, x, o: s.run(o), ValueError, "is not an element of this graph"),
    (
        lambda s, x, o: s.run(x),
        tf.errors.InvalidArgumentError,
        "must feed a value for placeholder tensor 'x' with dtype",
    ),
    (lambda s, x, o: s.run("x"), tf.errors.InvalidArgumentError, "must feed a value for placeholder tensor 'x'"),
    (lambda s, x, o: s.run(x, {x: [[1.0]]}), ValueError, r"shape \(1, 1\) for Tensor x:0, which has shape \(None,\)"),
    (lambda s, x, o: s.run(x, {x: ["a"]}), ValueError, "tensor of float32"),
    (lambda s, x, o: s.run(x, {x: None}), ValueError, "tensor of float32"),
    (lambda s, x, o: s.run(x, {x: x}), TypeError, "cannot be a tf.Tensor object"),
    (lambda s, x, o: s.run(x, {o: 1.0}), TypeError, "Cannot interpret feed_dict key as Tensor"),
    (lambda s, x, o: s.run(x, {"q:0": 1.0}), TypeError, "'q', does not exist"),
    (lambda s, x, o: s.run(x, [1.0]), TypeError, "must be a dictionary"),
    (lambda s, x, o: s.run(x, {tf.Variable(1.0, name="v"): 1.0}), TypeError, "Variable 'v' cannot be fed"),
    (lambda s, x, o: s.run("n:0", {"n:0": 1.5}), TypeError, "1.5 .* not compatible with Tensor type int32"),
    (lambda s, x, o: s.run("n:0", {"n:0": 2**40}), TypeError, "not compatible with Tensor type int32"),
    (lambda s, x, o: x + o, ValueError, "must be from the same graph"),
    (lambda s, x, o: x.numpy(), AttributeError, "numpy"),
    (lambda s, x, o: tf.Variable(1.0).numpy(), NotImplementedError, "only available when eager execution"),
    (lambda s, x, o: bool(x[0] > 1), TypeError, "as a Python `bool`"),
    (lambda s, x, o: tf1.Session("grpc://"), NotImplementedError, "target"),
    (lambda s, x, o: tf1.Session(graph=tf.function(lambda: 1).get_concrete_function().graph), TypeError, "tf.Graph()"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_errors(session, number):
    act, kind, text = ERRORS[number]
    x = tf1.placeholder(tf.float32, [None], name="x")
    tf1.placeholder(tf.int32, [], name="n")
    with tf.Graph().as_default():
        other = tf.constant([1.0])
    with pytest.raises(kind, match=text):
        act(session, x, other)


def test_sessions_end(graph):
    x = tf.constant(1)
    session = tf1.Session()
    with session:
        assert tf1.get_default_session() is session and x.eval() == 1
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run(x)
    with pytest.raises(ValueError, match="No default session"):
        x.eval()
    with pytest.raises(RuntimeError, match="graph is empty"):
        tf1.Session(graph=tf.Graph()).run([])


def test_outside_of_its_graph():
    with tf.Graph().as_default():
        x, v = tf.constant(1.0), tf.Variable(1.0)
    with pytest.raises(ValueError, match=r"session.run\('Const:0'\)"):
        x + 1
    with pytest.raises(ValueError, match="belongs to a Graph"):
        v + 1
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf1.placeholder(tf.float32)
    with pytest.raises(NotImplementedError, match="numpy"):
        tf.constant(1).eval()
    assert tf1.global_variables_initializer() is None and tf.group(x) is None and tf.no_op() is None
    assert not tf.inside_function() and tf.executing_eagerly()


def test_a_graph_that_is_finished(graph):
    tf.constant(1)
    graph.finalize()
    assert graph.finalized
    for add in (lambda: tf.constant(2), lambda: tf1.placeholder(tf.float32), lambda: tf.Variable(1.0), tf.no_op):
        with pytest.raises(RuntimeError, match="finalized and cannot be modified"):
            add()
    assert len(graph.get_operations()) == 1


def test_eager_execution_off():
    tf1.disable_eager_execution()
    try:
        assert not tf.executing_eagerly() and not tf.inside_function()
        x = tf1.placeholder(tf.float32, [], name="x")
        assert x.graph is tf1.get_default_graph()
        with tf1.Session() as session:
            assert session.run(x + 1, {x: 1.0}) == 2
        seen = []
        thread = threading.Thread(target=lambda: seen.append(tf.constant(1).graph is tf1.get_default_graph()))
        thread.start()
        thread.join()
        assert seen == [True]
        shell = tf1.InteractiveSession()
        assert (tf.constant(3) * 4).eval() == 12
        shell.close()
        tf1.reset_default_graph()
        assert tf1.get_default_graph().get_operations() == []
    finally:
        tf1.enable_eager_execution()
        tf1.reset_default_graph()
    assert tf.executing_eagerly() and tf.constant(1).numpy() == 1


def test_init_scope_is_the_program(graph):
    @tf.function
    def f(x):
        with tf.init_scope():
            made.append(tf.constant(5.0))
        return x + made[0]

    made = []
    y = f(tf.constant(1.0))
    assert made[0].graph is graph and tf1.Session().run(y) == 6


def test_what_a_function_asserts_holds(session):
    x = tf1.placeholder(tf.float32, None)
    y = tf.ensure_shape(x, [2]) * 2
    assert session.run(y, {x: [1.0, 2.0]}).tolist() == [2, 4]
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.run(y, {x: [1.0]})


def test_a_placeholder_that_was_told_its_shape_is_fed_as_before(session):
    x = tf1.placeholder(tf.float32, name="x")
    before = x * x
    x.set_shape([2])
    after = x * before
    assert (x + 1).shape == [2] and x.name == "x:0" and x.op.type == "Placeholder"
    for key in (x, "x:0"):
        values = session.run([x, after, *tf1.gradients(after, x)], {key: [1.0, 2.0]})
        assert [v.tolist() for v in values] == [[1, 2], [1, 8], [3, 12]]
    with pytest.raises(ValueError, match=r"Cannot feed value of shape \(1,\)"):
        session.run(after, {x: [1.0]})


def test_python_runs_at_once_meanwhile(session):
    seen = []

    def act(x):
        seen.append(tf.executing_eagerly())
        return x.numpy() * 2

    y = tf.py_function(act, [tf.constant(4.0)], tf.float32)
    assert session.run(y) == 8 and seen == [True]


def test_parts_are_compiled_once(session, graph):
    x = tf1.placeholder(tf.float32, [])
    y = x * 2
    for value in range(5):
        assert session.run(y, {x: value}) == value * 2
    assert len(graph.runners) == 1
    call = session.make_callable([y], [x])
    assert call(3.0) == [6.0] and len(graph.runners) == 1
    with pytest.raises(ValueError, match="takes 1 values"):
        call()


def test_many_threads_run_one_session(graph):
    v = tf.Variable(0)
    up = v.assign_add(1)
    session = tf1.Session(graph=graph)
    session.run(v.initializer)
    threads = [threading.Thread(target=lambda: [session.run(up) for _ in range(100)]) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert session.run(v) == 400


def test_all_of_runtime_is_there():
    assert tf1.float32 is tf.float32 and tf1.reshape is tf.reshape and tf1.strings is tf.strings
    assert tf1.exp is tf.exp and tf1.math.log(1.0) == 0 and "reduce_sum" in dir(tf1)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        tf1.nonsense
    assert isinstance(tf.Variable(1.0), tf1.Variable) and tf1.Variable(1.0).numpy() == 1


def test_collections(graph):
    tf1.add_to_collection("losses", tf.constant(1.0, name="a"))
    assert [t.name for t in tf1.get_collection("losses")] == ["a:0"] and graph.get_all_collection_keys() == ["losses"]
    assert tf1.get_collection("losses", "b") == []


def test_texts_and_bytes():
    compat = tf.compat
    for given in ("ä", "ä".encode(), bytearray("ä".encode())):
        assert compat.as_text(given) == compat.as_str(given) == compat.as_str_any(given) == "ä"
        assert compat.as_bytes(given) == "ä".encode()
    assert compat.as_bytes("ä", "latin-1") == b"\xe4" and compat.as_text(b"\xe4", "latin-1") == "ä"
    assert compat.as_str_any(3) == "3"
    for function in (compat.as_bytes, compat.as_text):
        with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
            function(3)


def test_devices_that_are_asked_for():
    config = tf.config
    (processor,) = config.list_physical_devices()
    config.set_visible_devices([], "GPU")
    config.set_visible_devices(processor)
    config.set_visible_devices([processor], "CPU")
    config.set_soft_device_placement(True)
    config.experimental.enable_op_determinism()
    assert config.get_soft_device_placement() and tf.version.VERSION == tf.__version__
    assert config.get_visible_devices() == [processor] and config.get_visible_devices("GPU") == []
    for call in (
        lambda: config.set_visible_devices([]),
        lambda: config.set_visible_devices([config.PhysicalDevice("/physical_device:GPU:0", "GPU")], "GPU"),
        lambda: config.experimental.set_memory_growth(processor, True),
        lambda: config.set_soft_device_placement(False),
    ):
        with pytest.raises(ValueError, match="processor|not there|for GPUs"):
            call()


# Older names and arguments.


def in_session(make):
    with tf.Graph().as_default(), tf1.Session() as session:
        return session.run(make())


@pytest.mark.parametrize("make", [
    tf1.global_variables_initializer, tf1.local_variables_initializer, tf1.tables_initializer, tf1.no_op,
])  # fmt: skip
def test_what_does_nothing_runs_in_a_graph_without_anything_else(make):
    assert in_session(make) is None


@pytest.mark.parametrize("how", "sum mean prod max min all any logsumexp".split())
def test_reductions_take_axes_by_their_older_names(how):
    given = np.array([[1.0, 2.0], [3.0, 0.0]], np.float32)
    x = given > 0 if how in ("all", "any") else given
    old, new = getattr(tf1, f"reduce_{how}"), getattr(tf, f"reduce_{how}")
    for axis in (None, 0, [1], [0, 1]):
        expected = new(x, axis, keepdims=True).numpy()
        for run in (lambda make: make().numpy(), in_session):
            found = run(lambda: old(x, reduction_indices=axis, keep_dims=True))  # noqa: B023
            assert np.array_equal(found, expected) and found.shape == expected.shape
            assert np.array_equal(run(lambda: old(x, axis)), new(x, axis).numpy())  # noqa: B023
    with pytest.raises(ValueError, match="both 'axis' and 'reduction_indices'"):
        old(x, axis=0, reduction_indices=0)
    with pytest.raises(ValueError, match="both 'keepdims' and 'keep_dims'"):
        old(x, keepdims=True, keep_dims=True)


def test_functions_that_have_another_name_by_now():
    assert in_session(lambda: tf1.py_func(lambda a: a + 1, [tf.constant(1.0)], tf.float32)) == 2.0
    assert in_session(lambda: tf1.random_uniform([100], 2.0, 3.0, seed=1)).min() >= 2.0
    assert in_session(lambda: tf1.random_normal([3], seed=1)).shape == (3,)
    assert abs(in_session(lambda: tf1.truncated_normal([100], seed=1))).max() <= 2.0
    assert sorted(in_session(lambda: tf1.random_shuffle([1, 2, 3]))) == [1, 2, 3]
    assert {"py_func", "random_uniform"} <= {*dir(tf1)}


@pytest.mark.parametrize("arguments, scope", [
    (("a",), "a/"), (("a", "b", [1]), "a/"), ((None, "b", [1]), "b/"), ((None, "b"), "b/"), ((None,), ""),
])  # fmt: skip
def test_blocks_of_names_with_another_name_by_default(arguments, scope):
    with tf.Graph().as_default(), tf1.name_scope(*arguments) as found:
        assert found == scope and tf.constant(1.0, name="c").name == f"{scope}c:0"


def test_a_block_without_a_name_needs_one_where_there_are_values():
    with pytest.raises(ValueError, match="At least one of name"):
        tf1.name_scope(None, None, [1])


def test_a_block_of_a_graph_in_which_names_have_nothing_before_them():
    with tf.Graph().as_default() as graph, graph.name_scope("a"), graph.name_scope(None) as scope:
        assert scope == "" and tf.constant(1.0, name="c").name == "c:0"


def test_iterators_go_on_with_each_run():
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        data = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": ["x", "y"]})
        element = v1.data.make_one_shot_iterator(data).get_next()
        doubled = element["a"] * 2
        assert session.run([element, doubled]) == [{"a": 1, "b": b"x"}, 2]
        assert session.run(doubled) == 4
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(element)
    with tf.Graph().as_default(), v1.Session() as session:
        n = v1.placeholder(tf.int64, [])
        iterator = v1.data.make_initializable_iterator(tf.data.Dataset.range(n).map(lambda i: i * 10))
        element = iterator.get_next()
        with pytest.raises(tf.errors.FailedPreconditionError, match="initializer"):
            session.run(element)
        for count in (1, 2):
            session.run(iterator.initializer, {n: count})
            assert [int(session.run(element)) for _ in range(count)] == [0, 10][:count]
        with pytest.raises(ValueError, match="make_initializable_iterator"):
            v1.data.make_one_shot_iterator(tf.data.Dataset.range(n))
    with tf.Graph().as_default(), v1.Session() as session:
        iterator = v1.data.Iterator.from_structure((tf.int64, tf.float32), ([], [None]))
        number, row = iterator.get_next()
        assert row.shape.as_list() == [None] and iterator.output_types == (tf.int64, tf.float32)
        for first in (0, 5):
            data = tf.data.Dataset.range(first, 9).map(lambda i: (i, tf.zeros([i])))
            session.run(iterator.make_initializer(data))
            assert session.run(row).shape == (first,) and session.run(number) == first + 1
    assert int(next(v1.data.make_one_shot_iterator(tf.data.Dataset.range(2)))) == 0
    with pytest.raises(RuntimeError, match="eager"):
        v1.data.make_initializable_iterator(tf.data.Dataset.range(2))


def test_sparse_tensors_are_fed_and_fetched(graph):
    v1 = tf.compat.v1
    x = v1.sparse_placeholder(tf.float32, [None, 2])
    dense = tf.sparse.to_dense(x)
    with v1.Session() as session:
        value = v1.SparseTensorValue([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])
        assert session.run(dense, {x: value}).tolist() == [[0, 1], [2, 0]]
        found = session.run({"x": x}, {x: tuple(value)})["x"]
        assert isinstance(found, v1.SparseTensorValue) and found.indices.tolist() == value.indices


OLDER = [
    (lambda v1: v1.div([7, -7], 2), [3, -4]),
    (lambda v1: v1.div(7.0, 2.0), 3.5),
    (lambda v1: v1.to_int32([2.7]), [2]),
    (lambda v1: v1.log(1.0), 0.0),
    (lambda v1: v1.argmax([[1, 3]], dimension=1), [1]),
    (lambda v1: v1.arg_min([[1, 3]], 1), [0]),
    (lambda v1: v1.count_nonzero([[0, 1], [2, 3]], reduction_indices=1, keep_dims=True), [[1], [2]]),
    (lambda v1: v1.norm([[3.0, 4.0]], axis=1, keep_dims=True), [[5.0]]),
    (lambda v1: v1.expand_dims([1], dim=1), [[1]]),
    (lambda v1: v1.squeeze([[1]], squeeze_dims=[0]), [1]),
    (lambda v1: v1.sparse_to_dense([[0, 1], [1, 0]], [2, 2], [5, 6], -1), [[-1, 5], [6, -1]]),
    (lambda v1: v1.sparse_to_dense([0, 2], [3], 7), [7, 0, 7]),
    (lambda v1: tf.sparse.to_dense(v1.string_split(["a b", "", "c"])), [[b"a", b"b"], [b"", b""], [b"c", b""]]),
    (lambda v1: v1.string_split(["a,,b"], ",", skip_empty=False).values, [b"a", b"", b"b"]),
    (lambda v1: v1.tuple([tf.constant(1), None, tf.constant(2)])[2], 2),
    (lambda v1: v1.squared_difference(3, 1), 4),
    (lambda v1: v1.matrix_inverse([[2.0]]), [[0.5]]),
    (lambda v1: v1.unsorted_segment_sum([1, 2], [0, 0], 2), [3, 0]),
]


@pytest.mark.parametrize(("function", "expected"), OLDER)
def test_older_functions(function, expected):
    assert function(tf.compat.v1).numpy().tolist() == expected
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        assert session.run(function(tf.compat.v1)).tolist() == expected


def test_rows_of_variables_are_changed_in_sessions(graph):
    v1 = tf.compat.v1
    v = v1.get_variable("v", initializer=[1.0, 2.0])
    changes = [v1.scatter_update(v, [0], [5.0]), v1.scatter_add(v, [0, 1], [1.0, 1.0]), v1.scatter_mul(v, [1], [2.0])]
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for change, expected in zip(changes, ([5.0, 2.0], [6.0, 3.0], [6.0, 6.0])):
            session.run(change)
            assert session.run(v).tolist() == expected


def test_what_is_computed_is_printed(graph, capfd):
    v1 = tf.compat.v1
    x = v1.Print(tf.constant(6), [tf.constant(6), tf.range(5)], "is: ")
    assert capfd.readouterr().err == ""
    with v1.Session() as session:
        assert session.run(x + 1) == 7
    assert capfd.readouterr().err == "is: [6][0 1 2...]\n"
    with pytest.raises(NotImplementedError, match="first_n"):
        v1.Print(1, [1], first_n=3)


def test_a_template_has_the_variables_of_its_first_call(graph):
    v1 = tf.compat.v1
    scaled = v1.make_template("s", lambda x, y: x * v1.get_variable("w", initializer=2.0) + y, y=1.0)
    first, second = scaled(1.0), scaled(3.0)
    other = v1.make_template("s", lambda: v1.get_variable("w", initializer=5.0))()
    assert [v.name for v in v1.global_variables()] == ["s/w:0", "s_1/w:0"]
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        assert session.run([first, second, other]) == [3.0, 7.0, 5.0]


@pytest.mark.parametrize(
    "name", ["layers", "flags", "report_uninitialized_variables", "import_graph_def", "TFRecordReader"]
)
def test_what_version_1_has_not_is_told(name):
    with pytest.raises(AttributeError, match=f"'{name}': .+"):
        getattr(tf.compat.v1, name)
