"""Modules find the Variables and Modules that they hold; their names, and the blocks of names."""

import collections
import copy
import dataclasses
import functools
import gc
import pickle
import threading
import weakref

import pytest

import runtime as tf
from tests.programs import EXECUTORS


class Leaf(tf.Module):
    def __init__(self, label, name=None):
        super().__init__(name)
        self.label = label
        self.w = tf.Variable([1.0], name=label)


class Top(tf.Module):
    pass


def top(**attributes):
    made = Top()
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def labels(module):
    return " ".join(v.name.removesuffix(":0") for v in module.variables)


def var(name, **options):
    return tf.Variable(1.0, name=name, **options)


Pair = collections.namedtuple("Pair", "left right")


@dataclasses.dataclass
class Held:
    first: object
    second: object


def shared():
    leaf = Leaf("a")
    return top(one=leaf, two=[leaf], three=leaf.w)


def endless():
    found = [var("a")]
    found.append(found)
    made = top(found=found, other={"self": found})
    made.me = made
    return made


@pytest.mark.parametrize(
    "make, found",
    [
        (lambda: top(), ""),
        (lambda: top(b=var("b"), a=var("a")), "a b"),
        (lambda: top(a=Leaf("inner"), b=var("own")), "own inner"),
        (lambda: top(a=[var("x"), (var("y"), [var("z")])]), "x y z"),
        (lambda: top(a={"z": var("z"), "y": [var("y")]}), "y z"),
        (lambda: top(a={1: var("x"), "y": var("y")}), "x y"),
        (lambda: top(a=Pair(var("x"), Leaf("y"))), "x y"),
        (lambda: top(a=Held(var("x"), {"k": Leaf("y")})), "x y"),
        (lambda: top(a=collections.OrderedDict(b=var("b"), a=var("a"))), "a b"),
        (lambda: top(a=collections.ChainMap({"k": var("x")})), "x"),
        (lambda: top(a=top(b=top(c=var("deep")), x=var("x"))), "x deep"),
        (lambda: top(a=None, b="text", c=3, d=tf.constant(1.0), e=len, f=Leaf), ""),
        (shared, "a"),
        (endless, "a"),
    ],
)
def test_variables_are_found(make, found):
    assert labels(make()) == found


def test_what_is_held_now_counts():
    m = top(a=var("a"))
    m.late = [var("late")]
    assert labels(m) == "a late"
    m.late.append(Leaf("later"))
    assert labels(m) == "a late later"
    del m.late
    assert labels(m) == "a"
    m.a = None
    assert m.variables == ()


def test_variables_that_training_changes():
    m = top(a=var("a"), b=var("b", trainable=False), c=Leaf("c"))
    assert [v.name for v in m.trainable_variables] == ["a:0", "c:0"]
    assert [v.name for v in m.non_trainable_variables] == ["b:0"]
    assert {type(found) for found in (m.variables, m.trainable_variables, m.submodules)} == {tuple}


def test_submodules():
    inner = Leaf("x", name="inner")
    m = top(b=top(leaf=inner), a=[Leaf("y", name="first"), inner], again=inner)
    assert [s.name for s in m.submodules] == ["first", "inner", "top"]
    assert Leaf("x").submodules == ()


@pytest.mark.parametrize(
    "name, made",
    [("CamelCaseThing", "camel_case_thing"), ("Lstm", "lstm"), ("LSTMCell", "lstm_cell"), ("Conv2D", "conv2_d"),
     ("ABC", "abc"), ("lower", "lower"), ("HTTPServer", "http_server")],
)  # fmt: skip
def test_names_come_from_classes(name, made):
    assert type(name, (tf.Module,), {})().name == made


@pytest.mark.parametrize("name", ["not ok", "", "1st", "a/b", 3])
def test_names_are_names(name):
    with pytest.raises(ValueError, match="is not a valid module name"):
        tf.Module(name=name)


def test_a_class_need_not_call_the_constructor_of_module():
    class Careless(tf.Module):
        def __init__(self):
            self.v = var("v")

    assert (Careless().name, labels(Careless())) == ("careless", "v")


def test_scopes_add_up():
    class Outer(tf.Module):
        def __init__(self):
            super().__init__()
            with self.name_scope:
                self.inner = Inner()

    class Inner(tf.Module):
        def __init__(self):
            super().__init__(name="core")
            with self.name_scope:
                self.v = var("v")

        @tf.Module.with_name_scope
        def more(self):
            """Makes one more."""
            return var("more")

    outer = Outer()
    assert outer.inner.v.name == "outer/core/v:0"
    with tf.name_scope("elsewhere"):  # the block of a Module is where it was made
        assert outer.inner.more().name == "outer/core/more:0"
    assert Inner.more.__doc__ == "Makes one more."
    assert tf.Module().name_scope.name == "module/"


def test_name_scopes():
    with tf.name_scope("a") as a, tf.name_scope("b") as b:
        assert (a, b, var("v").name) == ("a/", "a/b/", "a/b/v:0")
        with tf.name_scope("") as none:
            assert (none, var("v").name) == ("", "v:0")
        with tf.name_scope("c/") as absolute:
            assert (absolute, tf.Variable(1).name) == ("c/", "c/Variable:0")
        scope = tf.name_scope("again")
        with scope as first, scope as second:
            assert (first, second) == ("a/b/again/", "a/b/again/again/")
    assert var("v").name == "v:0"
    with pytest.raises(ValueError, match="name must be a str"):
        tf.name_scope(None)


def test_a_scope_ends_with_its_block_and_holds_in_its_thread():
    def fails():
        with tf.name_scope("gone"):
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    names = []
    with tf.name_scope("here"):
        thread = threading.Thread(target=lambda: names.append(var("v").name))
        thread.start()
        thread.join()
    assert names == ["v:0"]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_a_module_in_graphs(jit_compile):
    class Clipped(tf.Module):
        def __init__(self, limit):
            super().__init__()
            self.limit = limit
            self.calls = None

        @tf.function(jit_compile=jit_compile)
        def __call__(self, x):
            if self.calls is None:
                self.calls = tf.Variable(0, name="calls")
            self.calls.assign_add(1)
            with self.name_scope:
                return self.clip(x)

        @tf.Module.with_name_scope
        def clip(self, x):
            if x > self.limit:  # converted, though it is called from the library's own code
                x = self.limit
            return x

    one, two = Clipped(1.0), Clipped(2.0)
    assert [float(m(tf.constant(v))) for m in (one, two) for v in (1.5, 0.5)] == [1.0, 0.5, 1.5, 0.5]
    one(tf.constant(1.0))
    assert [int(m.calls.numpy()) for m in (one, two)] == [3, 2]
    assert [v.name for v in one.variables] == ["calls:0"]


def test_copies_have_variables_of_their_own():
    m = top(a=Leaf("a"))
    for other in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        other.a.w.assign([5.0])
        assert (other.name, labels(other), m.a.w.numpy().tolist()) == ("top", "a", [1.0])


def test_nothing_keeps_a_module_alive():
    m = top(a=Leaf("a"))
    gone = weakref.ref(m)
    assert m.variables and m.submodules
    del m
    gc.collect()
    assert gone() is None


# The other blocks.


def test_inside_function_and_init_scope():
    seen = []

    @tf.function
    def f(x):
        seen.append((tf.inside_function(), tf.executing_eagerly()))
        with tf.init_scope():
            seen.append((tf.inside_function(), tf.executing_eagerly()))
            total = 0
            for i in tf.range(4):  # runs at once
                if i > 1:
                    total += i
            seen.append(int(total))
        return x + total

    assert int(f(tf.constant(1))) == 6
    assert seen == [(True, False), (False, True), 5]
    assert not tf.inside_function()


def test_variables_may_be_made_in_init_scope_on_any_call():
    made = {}

    @tf.function
    def f(x):
        with tf.name_scope("of"), tf.init_scope():
            if x.dtype.name not in made:
                made[x.dtype.name] = tf.Variable(tf.zeros([], x.dtype), name=x.dtype.name)
        return made[x.dtype.name].assign_add(x)

    assert [float(f(tf.constant(v))) for v in (1.0, 2, 3.0)] == [1.0, 2.0, 4.0]
    assert [v.name for v in made.values()] == ["of/float32:0", "of/int32:0"]
    assert f.experimental_get_tracing_count() == 2


def test_a_tensor_of_the_graph_has_no_value_in_init_scope():
    @tf.function
    def f(x):
        with tf.init_scope():
            return x + 1

    with pytest.raises(tf.errors.InaccessibleTensorError, match="'x'|x:0"):
        f(tf.constant(1))


@pytest.mark.parametrize(
    "name",
    ["CPU", "cpu:0", "/CPU:0", "/device:CPU:0", "/job:localhost/replica:0/task:0/device:CPU:0", "/cpu:*", "", None],
)
def test_the_cpu_is_a_device(name):
    @tf.function
    def f(x):
        with tf.device(name):
            return x + 1

    with tf.device(name):
        assert int(f(tf.constant(1))) == 2


@pytest.mark.parametrize("name", ["GPU", "/GPU:0", "/device:TPU:0", "/CPU:1", "cpu:", "CPUs", 0])
def test_other_devices_are_refused(name):
    with pytest.raises(tf.errors.InvalidArgumentError, match="only the CPU computes here"), tf.device(name):
        pass


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_functions_of_modules_and_of_their_methods(jit_compile):
    class Relu(tf.Module):
        @tf.Module.with_name_scope
        def __call__(self, x):
            return self.clipped(x)

        def clipped(self, x):
            if x < 0:
                x = x * 0
            return x

        @tf.function(jit_compile=jit_compile)
        @tf.Module.with_name_scope
        def inside(self, x):
            return self.clipped(x)

        @tf.Module.with_name_scope
        @tf.function(jit_compile=jit_compile)
        def outside(self, x):
            return self.clipped(x)

    m = Relu()
    of_the_object = tf.function(m, jit_compile=jit_compile)
    of_the_method = tf.function(m.__call__, jit_compile=jit_compile)
    for f in (of_the_object, of_the_method, m.inside, m.outside):
        assert [int(f(tf.constant(x))) for x in (3, -3)] == [3, 0]
    names = [o.name for o in of_the_object.get_concrete_function(tf.constant(1)).graph.get_operations()]
    assert "relu/less" in names


def test_a_callable_object_whose_call_is_decorated():
    def twice(method):
        @functools.wraps(method)
        def both(self, x):
            return method(self, method(self, x))

        return both

    class Step:
        @twice
        def __call__(self, x):
            if x > 2:
                x = x * 10
            return x + 1

    assert [int(tf.function(Step())(tf.constant(x))) for x in (1, 2, 3)] == [3, 31, 311]
