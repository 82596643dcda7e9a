"""Calls that share a graph must be calls that plain Python answers alike."""

import array
import collections
import copy
import dataclasses
import enum
import functools
import gc
import math
import pickle
import types
import weakref

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS


class Color(enum.Enum):
    RED, GREEN = 1, 2


class Level(enum.IntEnum):
    LOW, HIGH = 1, 2


class Text(str):
    """Equal to any text of the same characters, whatever its tag."""

    def __new__(cls, text, tag):
        made = super().__new__(cls, text)
        made.tag = tag
        return made


class Named:
    """Equal to, and hashed as, any other of its name."""

    def __init__(self, name, size):
        self.name, self.size = name, size

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)

    @tf.function
    def scaled(self, x):
        return x * self.size


class Unhashable(Named):
    __hash__ = None


class Slotted:
    __slots__ = ("size",)

    def __init__(self, size):
        self.size = size

    @tf.function
    def scaled(self, x):
        return x * self.size


Pair = collections.namedtuple("Pair", "a b")
Other = collections.namedtuple("Other", "b a")


@dataclasses.dataclass
class Point:
    x: object
    y: object


@dataclasses.dataclass(slots=True)
class Slim:
    x: object
    y: object


def nothing():
    return 1


def something():
    return 2


VALUES = [
    0, 1, True, False, 1.0, 0.0, -0.0, math.nan, -math.nan, math.inf, 0j, complex(-0.0, 0.0), complex(0.0, -0.0), None,
    "a", b"a", "", b"", "1", bytearray(b"a"), Ellipsis, NotImplemented, 2**70, -(2**70),
    (), [], {}, (1,), [1], (1.0,), (True,), (0.0,), (-0.0,), [0.0], [-0.0], ((1,), 2), (1, (2,)), [[1], 2], (None,),
    (1, 2), Pair(1, 2), Other(1, 2), Point(1, 2), Slim(1, 2), {"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}, {1: "x"},
    {True: "x"}, {1.0: "x"}, {0.0: 1}, {-0.0: 1}, {"a": 1.0}, collections.OrderedDict(a=1), collections.Counter("a"),
    collections.defaultdict(int, a=1), collections.defaultdict(list, a=1),
    collections.deque([1, 2]), collections.deque([1, 2], 5), set(), {1}, {1.0}, {True}, frozenset([1]), {"a"}, {0.0},
    {-0.0}, range(3), range(0), range(0, 3, 2), range(0, 4, 2), slice(1), slice(1.0), slice(1, 2), slice(None, 1),
    Color.RED, Color.GREEN, Level.LOW, Level.HIGH, Text("a", 1), Text("a", 2), Text("b", 1),
    np.dtype("f4"), np.dtype("f8"), tf.float32, tf.int32, tf.TensorShape([2, None]), tf.TensorShape([2]), np.float32,
    float,
    np.array([1, "a", None], object), np.array([1, "b", None], object), np.array([[1, "a", None]], object),
    array.array("i", [1]), array.array("b", [1]), array.array("i", [2]), memoryview(b"ab"), memoryview(b"ac"),
    nothing, something, len, abs, math, types, Named("a", 1), Named("a", 2), Named("a", 1).scaled, Unhashable("a", 1),
    Slotted(1), Slotted(2), functools.partial(nothing), "a".upper, [].append, types.SimpleNamespace(a=1),
]  # fmt: skip


class Answer:
    def __init__(self, told):
        self.told = told


def told(value):
    """All that a program might ask of a value, as text."""
    shown = repr(value) if not isinstance(value, Named | Slotted | types.SimpleNamespace) else str(id(value))
    if isinstance(value, Named):
        shown += f"{value.size}"
    if isinstance(value, list):
        return "List", [told(v) for v in value]
    inner = [told(v) for v in value] if isinstance(value, list | tuple | set | frozenset | dict) else ()
    return (
        type(value).__name__.removeprefix("Tensor"),
        shown,
        inner,
        getattr(value, "tag", None),
        getattr(value, "maxlen", None),
    )


@pytest.mark.filterwarnings("ignore:.* has been traced")
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: [v], lambda v: (0, {"k": v}), lambda v: Pair(v, 0)])
def test_a_graph_knows_all_that_python_can_tell(wrap):
    f = tf.function(lambda x: Answer(told(x)), autograph=False)
    for _ in range(2):  # first each is traced; then each graph is found again
        for value in VALUES:
            assert f(wrap(value)).told == told(wrap(value))


def test_values_that_python_cannot_tell_apart_share_a_graph():
    f = tf.function(lambda *x: 1, autograph=False)
    pairs = [
        (1.5, 1.5), (math.nan, float("nan")), ("ab", "".join(["a", "b"])), (2**70, 2**70 + 1 - 1), ([1, {2}], [1, {2}]),
        (range(3), range(3)), (slice(1), slice(1)), (bytearray(b"x"), bytearray(b"x")), (Point(1, 2), Point(1, 2)),
        (np.dtype("f4"), np.dtype(np.float32)), (complex(1, -0.0), complex(1, -0.0)), (Pair(1, 2), Pair(1, 2)),
    ]  # fmt: skip
    for count, (a, b) in enumerate(pairs, 1):
        f(a), f(b)
        assert f.experimental_get_tracing_count() == count, a


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
def test_each_kind_of_number_computes_as_itself(jit_compile):
    def f(x, k):
        return x * k, x / (k + 1), math.copysign(1.0, k.real)

    g = tf.function(f, jit_compile=jit_compile)
    x = np.float64(3.0)
    for k in [1, True, 1.0, 0.0, -0.0, 0, False, -0.0, 1, True] * 2:
        for mine, wanted in zip(g(x, k), f(x, k)):
            assert np.asarray(mine).tobytes() == np.asarray(wanted, np.asarray(mine).dtype).tobytes(), k


def test_names_of_keyword_arguments_count():
    def f(*args, **kwargs):
        return [*args, "|", *(f"{k}={v}" for k, v in kwargs.items())]

    g = tf.function(f)
    calls = [
        ((1, 2), {}), ((1,), {"a": 2}), ((1,), {"b": 2}), ((), {"a": 1, "b": 2}), ((), {"b": 1, "a": 2}),
        ((), {"b": 2, "a": 1}),
        (((1, 2),), {}), (([1], 2), {}), ((1, [2]), {}), ((), {}), ((), {"args_0": 1}),
    ]  # fmt: skip
    for args, kwargs in calls * 2:
        assert g(*args, **kwargs) == f(*args, **kwargs)


def test_defaults_count_as_they_are_now():
    def f(x, seen=[1], k=np.float32(2.0)):  # noqa: B006, B008
        return x * len(seen) * k

    for jit_compile in EXECUTORS:
        g = tf.function(f, jit_compile=jit_compile)
        for _ in range(3):
            assert g(np.float32(3.0)) == f(np.float32(3.0)) == 6.0 * len(f.__defaults__[0])
        f.__defaults__[0].append(1)
        assert g(np.float32(3.0)) == f(np.float32(3.0))


def test_methods_partials_and_slices_made_anew_find_their_graphs():
    thing, f = Named("a", 3), tf.function(lambda g, x: x * g.__self__.size)
    for _ in range(5):
        assert f(thing.__eq__, tf.constant(2)) == 6
    assert f.experimental_get_tracing_count() == 1


def test_an_iterator_is_used_up_at_each_call():
    f = tf.function(lambda items: [*items])
    items = iter([1, 2])
    assert [f(items), f(items), f(zip([1], [2])), f(x for x in "ab")] == [[1, 2], [], [(1, 2)], ["a", "b"]]
    assert not f._concrete


class Changing:
    """Functions that change what they are given, and what tells so."""

    def add(s):
        s.add(len(s))
        return len(s)

    def remove(s):
        return s.pop()

    def extend(b):
        b += b"x"
        return len(b)

    def push(d):
        d.append(d[0] * 2)
        return d[-1]

    def move(p):
        p.x = p.x + p.y
        return p.x

    def reorder(d):
        d["a"] = d.pop("a")
        return len(d)

    def twice(p):
        p[0].append(1)
        return len(p[1])


@pytest.mark.parametrize(
    "function, argument",
    [
        (Changing.add, {5, 6}),
        (Changing.remove, {5}),
        (Changing.extend, bytearray(b"a")),
        (Changing.push, collections.deque([1, 2])),
        (Changing.push, collections.deque([3, 4], 2)),
        (Changing.push, collections.deque([np.float32(3.0), np.float32(4.0)])),
        (Changing.push, [3, 4]),
        (Changing.move, Point(1, 2)),
        (Changing.move, Slim(1, 2)),
        (Changing.move, Point(np.float32(1), np.float32(2))),
        (Changing.reorder, {"a": 1, "b": 2}),
        (Changing.twice, [[1], [1]]),
        (Changing.twice, (lambda row: [row, row])([1])),
        (Changing.twice, (lambda row: (row, row))([np.float32(1)])),
        (Changing.twice, (lambda row: {0: row, 1: row})([1])),
    ],
)
@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_what_a_function_changes_of_its_arguments(function, argument, jit_compile):
    f = tf.function(function, jit_compile=jit_compile)
    for _ in range(3):  # traced, and then run from the graph
        mine, wanted = copy.deepcopy(argument), copy.deepcopy(argument)
        assert np.asarray(f(mine)).tolist() == np.asarray(function(wanted)).tolist()
        assert repr(plain(mine)) == repr(plain(wanted))


def plain(value):
    """With NumPy's numbers for tensors."""
    if isinstance(value, collections.deque):
        return collections.deque([plain(v) for v in value], value.maxlen)
    return tf.nest.map_structure(lambda v: v.numpy() if isinstance(v, tf.Tensor) else v, value)


def test_the_same_array_twice():
    def f(a, b):
        a[0] = 5.0
        return b[0] * 2 + a[1]

    for jit_compile in EXECUTORS:
        g = tf.function(f, jit_compile=jit_compile)
        for _ in range(2):
            x, y, z = (np.array([1.0, 2.0]) for _ in range(3))
            assert (g(x, y), g(z, z), g(z[:], z[:])) == (f(x, y), f(z, z), f(z, z))
        with pytest.raises(ValueError, match="'a' and 'b' share memory"):
            g(x[::-1], x)


@pytest.mark.numpy_may_take_over  # one place in memory has two names
def test_the_same_variable_twice():
    def f(a, b):
        a.assign(5.0)
        return b + 1.0

    for jit_compile in EXECUTORS:
        g = tf.function(f, jit_compile=jit_compile)
        for _ in range(2):
            v, w = tf.Variable(1.0), tf.Variable(1.0)
            assert (float(g(v, w)), float(g(v, v)), float(g(w, v))) == (2.0, 6.0, 6.0)


def test_an_argument_that_contains_itself_is_refused():
    items = [1]
    items.append(items)
    with pytest.raises(ValueError, match="'x' contains itself"):
        tf.function(lambda x: len(x))(items)


class Doubling(np.ndarray):
    def __add__(self, other):
        return np.ndarray.__add__(self * 2, other)


class Half(np.float64):
    pass


_MORE = [
    np.ma.masked_array([1.0, 2.0], [True, False]),
    np.ones((1, 1)).view(np.matrix),
    np.ones(2).view(Doubling),
    np.char.array(["a", "b "]),
    Half(3.0),
]


@pytest.mark.parametrize("numpy", [False, True])
@pytest.mark.parametrize("wrong", _MORE, ids=lambda wrong: type(wrong).__name__)
def test_arrays_that_are_more_than_arrays_are_refused(wrong, numpy):
    f = tf.function(lambda x: x, numpy=numpy)
    with pytest.raises(TypeError, match=f"an? {type(wrong).__name__} cannot be part of a graph"):
        f(wrong)
    with pytest.raises(TypeError, match=f"an? {type(wrong).__name__} cannot be part of a graph"):
        f([wrong])


@pytest.mark.parametrize("more", _MORE[1:3], ids=lambda more: type(more).__name__)
@pytest.mark.parametrize(
    "f",
    [
        lambda x, held: x + held[0],
        lambda x, held: held[0] + held[0],
        lambda x, held: np.vstack([x, held[0]]),
        lambda x, held: held[0] if x.sum() > 0 else x,
    ],
)
def test_what_a_program_keeps_that_is_more_than_an_array_does_not_become_a_plain_one(f, more):
    class Keeper:
        def __getitem__(self, index):
            return more

    keeper = Keeper()
    with pytest.raises(TypeError, match="cannot be part of a graph"):
        tf.function(lambda x: f(x, keeper), numpy=True)(np.ones((1, 1)))


def test_a_file_that_is_looked_at_as_an_array_is_one(tmp_path):
    def f(x):
        x[0] = 5
        return x + 1

    mapped = np.memmap(tmp_path / "numbers", dtype=float, shape=3, mode="w+")
    got = tf.function(f, numpy=True)(mapped)
    assert type(got) is np.ndarray and got.tolist() == [6, 1, 1] and mapped.tolist() == [5, 0, 0]


# Methods.


@pytest.mark.parametrize("kind", [Named, Unhashable, lambda name, size: Slotted(size)])
def test_a_method_belongs_to_its_object(kind):
    things = [kind("a", size) for size in (2, 3, 2)]
    for _ in range(2):
        assert [int(thing.scaled(tf.constant(5))) for thing in things] == [10, 15, 10]
        assert [int(thing.scaled(5)) for thing in things] == [10, 15, 10]
    assert things[0].scaled.experimental_get_tracing_count() == 2
    assert things[0].scaled is things[0].scaled is not things[1].scaled and isinstance(things[0].scaled, tf.Function)
    assert int(kind("a", 7).scaled(tf.constant(2))) == 14  # of an object that nothing else holds


class Methods:
    base = 10
    half = tf.function(functools.partial(lambda k, x: x * k, 0.5))

    def __init__(self, k):
        self.k = k

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def declared(self, x, bias=1.0):
        return x * self.k + bias

    @classmethod
    @tf.function
    def of_class(cls, x):
        return x + cls.base

    @tf.function
    @classmethod
    def outside(cls, x):
        return x + cls.base

    @staticmethod
    @tf.function
    def static(x):
        return x + 1

    @tf.function
    @staticmethod
    def static_outside(x):
        return x + 2

    @tf.function
    def factorial(self, n):
        return 1 if n <= 1 else n * self.factorial(n - 1)

    @tf.function
    def add(self, x):
        return x + self.k


class Derived(Methods):
    base = 20

    @tf.function
    def add(self, x):
        return super().add(x) * 100


def test_every_kind_of_method():
    a, b = Methods(2.0), Derived(3.0)
    one = tf.constant(1)
    assert [a.declared([1.0]).numpy().tolist(), b.declared([1.0, 2.0]).numpy().tolist()] == [[3.0], [4.0, 7.0]]
    assert Methods.declared(a, [1.0]).numpy().tolist() == [3.0]
    assert [int(f(one)) for f in (Methods.of_class, Derived.of_class, a.of_class, b.of_class)] == [11, 21, 11, 21]
    assert [int(f(one)) for f in (Methods.outside, Derived.outside, a.outside, b.outside)] == [11, 21, 11, 21]
    assert [int(f(one)) for f in (Methods.static, b.static, Methods.static_outside, b.static_outside)] == [2, 2, 3, 3]
    assert float(b.half(3.0)) == 1.5 == float(Methods.half(3.0))
    assert [int(a.factorial(tf.constant(5))), int(b.factorial(tf.constant(6)))] == [120, 720]
    assert [float(a.add(one)), float(b.add(one)), float(Methods.add(b, one))] == [3.0, 400.0, 4.0]


# Input signatures.

ONE = [tf.TensorSpec([], tf.float32)]


def test_a_parameter_without_a_spec_needs_a_default():
    with pytest.raises(TypeError, match="says nothing of 'factor'"):
        tf.function(lambda x, factor: x * factor, input_signature=ONE)
    with pytest.raises(TypeError, match="for 1 arguments, and takes 0"):
        tf.function(lambda: 1, input_signature=ONE)
    with pytest.raises(TypeError, match="says nothing of 'k'"):
        tf.function(lambda x, *, k: x, input_signature=ONE)
    for wrong in (tf.TensorSpec([]), [3], [None], ["x"]):
        with pytest.raises(TypeError, match="TensorSpec"):
            tf.function(lambda x: x, input_signature=wrong)


def test_a_parameter_without_a_spec_has_its_default():
    f = tf.function(lambda x, factor=2.0: x * factor, input_signature=ONE)
    assert [float(f(3.0)), float(f(3.0, 2.0)), float(f(x=4.0, factor=2.0))] == [6.0, 6.0, 8.0]
    for wrong in (3.0, 2, True, None, tf.constant(2.0)):
        for call in (lambda w: f(3.0, w), lambda w: f(3.0, factor=w)):
            with pytest.raises(TypeError, match="always has its default 2.0"):
                call(wrong)
    assert f.experimental_get_tracing_count() == 1


def test_specs_beyond_the_parameters_go_to_args():
    f = tf.function(lambda x, *rest: x + sum(rest), input_signature=ONE * 3)
    assert float(f(1.0, 2.0, 3.0)) == 6.0
    for wrong in [(1.0,), (1.0, 2.0), (1.0, 2.0, 3.0, 4.0)]:
        with pytest.raises(TypeError, match="for 3 arguments"):
            f(*wrong)
    with pytest.raises(TypeError, match="'k' is another|unexpected keyword"):
        tf.function(lambda x, **k: x, input_signature=ONE)(1.0, k=2.0)


def test_a_spec_of_a_dictionary_goes_by_its_keys():
    spec = {"a": tf.TensorSpec([], tf.float32), "b": tf.TensorSpec([], tf.float32)}
    f = tf.function(lambda d: d["a"] - d["b"], input_signature=[spec])
    assert [float(f({"a": 3.0, "b": 1.0})), float(f({"b": 1.0, "a": 3.0}))] == [2.0, 2.0]
    for wrong in ({"a": 1.0}, {"a": 1.0, "c": 2.0}, [1.0, 2.0], 1.0):
        with pytest.raises(TypeError, match="structure of its input_signature"):
            f(wrong)


def test_a_concrete_function_of_a_declared_one():
    f = tf.function(lambda x: x * 2, input_signature=[tf.TensorSpec([None], tf.float32)])
    assert f.get_concrete_function() is f.get_concrete_function(tf.TensorSpec([3], tf.float32))
    for wrong in (tf.TensorSpec([2], tf.int32), tf.TensorSpec([2, 2], tf.float32)):
        with pytest.raises(TypeError, match="does not accept"):
            f.get_concrete_function(wrong)


# Options.


def test_an_unknown_option_is_refused():
    with pytest.raises(TypeError, match="jit_compiled"):
        tf.function(lambda x: x, jit_compiled=True)
    with pytest.raises(TypeError, match="cannot be called"):
        tf.function(3)


def test_older_names_of_options():
    for jit_compile in EXECUTORS:
        assert tf.function(nothing, experimental_compile=jit_compile).jit_compile is jit_compile
    with pytest.raises(TypeError, match="older name of jit_compile"):
        tf.function(nothing, jit_compile=True, experimental_compile=False)
    for options in (
        {"experimental_implements": "x"},
        {"experimental_attributes": {}},
        {"experimental_autograph_options": ()},
    ):
        assert tf.function(nothing, **options)() == 1


@pytest.mark.parametrize("option", ["reduce_retracing", "experimental_relax_shapes"])
def test_retracing_is_reduced(option):
    shapes = []

    def f(x, k):
        shapes.append(x.shape.as_list())
        return tf.reduce_sum(x) * k

    g = tf.function(f, autograph=False, **{option: True})
    for size in (1, 2, 3, 4, 2):
        assert float(g(np.ones(size, np.float32), 2.0)) == 2 * size
    assert shapes == [[1], [None]]
    assert float(g(np.ones((2, 2), np.float32), 2.0)) == 8.0 and shapes[2:] == [[2, 2]]
    assert float(g(np.ones(2, np.float32), 3.0)) == 6.0 and shapes[3:] == [[2]]
    assert g(np.ones(5), 2.0).dtype == tf.float64 and len(shapes) == 5


def test_type_hints_make_tensors():
    def f(x: tf.Tensor, k: int):
        return x * k

    g = tf.function(f, experimental_follow_type_hints=True)
    assert [int(g(v, 2)) for v in (1, 2, 3)] == [2, 4, 6] and g.experimental_get_tracing_count() == 1


# Copies.


@tf.function
def doubled(x):
    return x * 2


class Holder:
    def __init__(self, k):
        self.k = k
        self.bound = tf.function(self._step, jit_compile=EXECUTORS[-1])
        self.other = doubled

    def _step(self, x):
        return x * self.k

    @tf.function(jit_compile=EXECUTORS[-1])
    def step(self, x):
        return x * self.k


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
@pytest.mark.parametrize("used", [False, True])
def test_objects_that_hold_functions_are_copied(copied, used):
    holder, x = Holder(2.0), tf.constant(3.0)
    if used:
        for _ in range(3):
            holder.bound(x), holder.step(x), holder.other(x)
    other = copied(holder)
    other.k = 5.0
    assert (float(other.step(x)), float(holder.step(x)), float(other.other(x))) == (15.0, 6.0, 6.0)
    assert float(other.bound(x)) == (6.0 if copied is copy.copy else 15.0)  # as with `self.bound = self._step`
    assert float(copied(holder.step)(x)) == 6.0


def test_functions_are_copied_and_pickled_by_reference():
    assert copy.copy(doubled) is copy.deepcopy(doubled) is doubled is pickle.loads(pickle.dumps(doubled))
    again = pickle.loads(pickle.dumps(tf.function(nothing, jit_compile=False, input_signature=[])))
    assert again() == 1 and again.jit_compile is False and again.python_function is nothing
    for local in (tf.function(lambda x: x), tf.function(lambda: 1)):
        with pytest.raises(pickle.PicklingError, match="top of a module"):
            pickle.dumps(local)
    concrete = doubled.get_concrete_function(tf.constant(1))
    assert copy.copy(concrete)(tf.constant(2)) == copy.deepcopy([concrete])[0](tf.constant(2)) == 4
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(concrete)


def test_what_is_returned_may_be_the_object_itself():
    class Model:
        def __init__(self):
            self.total = tf.Variable(0.0)

        @tf.function
        def add(self, x):
            self.total.assign_add(x)
            return self, x

    model = Model()
    for _ in range(2):
        assert model.add(tf.constant(1.0))[0] is model
    assert float(model.total) == 2.0
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_a_function_sees_the_order_of_each_dictionary():
    """TensorFlow traces once, and shows the order of whichever came first: a second trace is better than that."""

    @tf.function
    def f(d, **more):
        return [*d.values(), *more.values()]

    def shown(*args, **kwargs):
        return [int(x) for x in f(*args, **kwargs)]

    one, two = tf.constant(1), tf.constant(2)
    for _ in range(2):
        assert shown({"a": one, "b": two}) == [1, 2] and shown({"b": two, "a": one}) == [2, 1]
        assert shown({}, a=one, b=two) == [1, 2] and shown({}, b=two, a=one) == [2, 1]
    assert f.experimental_get_tracing_count() == 4


def test_attributes_that_there_are_not_are_refused():
    for known in ("_noinline", "go_backwards"):
        assert int(tf.function(lambda x: x + 1, experimental_attributes={known: True})(tf.constant(1))) == 2
    with pytest.raises(ValueError, match="pace is not supported by tf.function as an attribute"):
        tf.function(lambda x: x, experimental_attributes={"pace": 1})
    with pytest.raises(ValueError, match="pace is not supported"):
        tf.function(experimental_attributes={"pace": 1})
