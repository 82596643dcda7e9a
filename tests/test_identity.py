"""A converted function is in the original's place: names, lines, cells, source."""

import copy
import functools
import inspect
import os
import pickle
import subprocess
import sys
import traceback

import pytest

import autograph

LIMIT = 3


def decorated(function):
    return function


@decorated
def sample(x, y=2, *rest, k: int = 5, **more):
    """Doc."""
    if x > LIMIT:
        raise ValueError(x)
    return x + y + k


sample.attribute = 1


class Base:
    def step(self, x):
        return x + 1


class Model(Base):
    scale = 2
    __hidden = 10

    def step(self, x):
        if x > 0:
            return super().step(x) * self.scale + self.__hidden
        return 0

    @staticmethod
    def plain(x):
        return 1 if x > 0 else 2

    @classmethod
    def made(cls, x):
        return cls if x else None

    @property
    def positive(self):
        return 1 if self.scale > 0 else 0

    def __call__(self, x):
        if x > 0:
            x = -x
        return x


converted = autograph.to_graph(sample)


@pytest.mark.parametrize(
    "attribute",
    "__name__ __qualname__ __doc__ __module__ __defaults__ __kwdefaults__ __annotations__ __dict__ __globals__".split(),
)
def test_attributes_are_the_originals(attribute):
    assert getattr(converted, attribute) == getattr(sample, attribute)


def test_source_signature_and_lines_are_the_originals():
    assert inspect.signature(converted) == inspect.signature(sample)
    assert inspect.getsource(converted) == inspect.getsource(sample)
    assert converted.__code__.co_firstlineno == sample.__code__.co_firstlineno


def test_tracebacks_show_the_users_lines():
    def lines(function):
        with pytest.raises(ValueError) as caught:
            function(9)
        frames = traceback.extract_tb(caught.value.__traceback__)
        return [frame.line for frame in frames if frame.filename == __file__][-1]

    assert lines(converted) == lines(sample) == "raise ValueError(x)"


def nested(x):
    while x > 0:
        if x > 1:
            return 0 if x > 5 else [fails(y) for y in (x,)]
        x -= 1
    return x


def fails(x):
    if x > 1:
        raise ValueError(x)


def test_tracebacks_show_no_operators():
    with pytest.raises(ValueError) as caught:
        autograph.to_graph(nested)(3)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert {frame.filename for frame in frames} == {__file__}
    assert {frame.name for frame in frames} <= {
        "test_tracebacks_show_no_operators",
        "nested",
        "fails",
        "<listcomp>",
        "<lambda>",
    }


def test_names_of_what_is_defined_in_a_branch():
    def f(x):
        if x > 0:

            class C:
                def m(self):
                    return lambda: 0

        return C

    for function in (f, autograph.to_graph(f)):
        made = function(1)
        names = (made.__qualname__, made.m.__qualname__, made().m().__qualname__)
        place = "test_names_of_what_is_defined_in_a_branch.<locals>.f.<locals>.C"
        assert names == (place, f"{place}.m", f"{place}.m.<locals>.<lambda>")


def test_converting_twice_gives_the_same_function():
    assert autograph.to_graph(sample) is converted
    assert autograph.to_graph(converted) is converted
    assert autograph.is_converted(converted) and not autograph.is_converted(sample)


def test_copying_and_pickling_by_reference():
    assert copy.deepcopy(converted) is converted
    assert pickle.loads(pickle.dumps(sample)) is sample


def test_closure_cells_are_shared():
    n = 0

    def count(x):
        nonlocal n
        if x > 0:
            n += x
        return n

    g = autograph.to_graph(count)
    g(5)
    assert n == 5 and count(2) == 7 and g(0) == 7


def test_what_people_hold_can_be_converted():
    model = Model()
    assert autograph.to_graph(model.step)(3) == model.step(3) == 18
    assert autograph.to_graph(functools.partial(sample, y=10))(1) == 16
    assert autograph.to_graph(model)(3) == -3
    assert autograph.to_graph(Model.plain)(1) == 1
    assert autograph.to_graph(functools.lru_cache(sample))(1) == 8
    made = autograph.to_graph(Model)
    assert made.__name__ == "Model" and issubclass(made, Model)
    assert (made().step(3), made.plain(0), made.made(1), made().positive) == (18, 2, made, 1)


def test_a_decorated_class_keeps_its_identity():
    @autograph.convert
    class Local:
        def f(self, x):
            if x > 0:
                return 1
            return 2

    assert Local().f(1) == 1 and autograph.is_converted(Local.f)


def test_two_lambdas_on_a_line_are_told_apart():
    first, second = lambda x: x if x > 0 else 1, lambda x: x if x < 0 else 2
    assert (autograph.to_graph(first)(-5), autograph.to_graph(second)(5)) == (1, 2)
    nested = lambda x: lambda x: 1 if x > 3 else 2
    assert autograph.to_graph(nested(0))(5) == 1


def test_do_not_convert_is_respected():
    @autograph.do_not_convert
    def kept(x):
        return 1 if x else 2

    @autograph.do_not_convert()
    def kept_too(x):
        return 1 if x else 2

    assert autograph.to_graph(kept) is kept and autograph.to_graph(kept_too) is kept_too

    def outer(x):
        @autograph.do_not_convert
        def inner(y):
            if y > 0:
                return inner
            return None

        return inner

    assert not autograph.is_converted(autograph.to_graph(outer)(1)) or "ag__" not in inspect.getsource(outer)


def test_a_user_may_have_a_variable_called_ag__():
    def f(ag__):
        if ag__ > 0:
            return ag__
        return 0

    assert autograph.to_graph(f)(3) == 3
    assert "ag___1.if_stmt" in autograph.to_code(f)


def test_no_source_is_an_error_that_says_what_to_do():
    names = {}
    exec("def f(x):\n    return 1 if x else 2", names)
    with pytest.raises(autograph.SourceNotFoundError, match="do_not_convert"):
        autograph.to_graph(names["f"])
    with pytest.raises(autograph.ConversionError, match="written in C"):
        autograph.to_code(len)
    with pytest.raises(autograph.ConversionError, match="not a function"):
        autograph.to_code(3)


class NamesItself:
    def twin(self, x):
        if x > 0:
            return NamesItself
        return type(self)


def test_a_method_that_names_its_own_class_means_the_class():
    assert autograph.to_graph(NamesItself.twin)(NamesItself(), 1) is NamesItself
    assert autograph.traced_form(NamesItself.twin)(NamesItself(), 1) is NamesItself


NAMESPACES = """
import builtins
import sys

def helper(x):
    if x > 0:
        return x
    return -x

class Model:
    def __init__(self, n):
        self.n = n if n > 0 else 1

    @property
    def twice(self):
        return self.n * 2 if self.n else 0

def names():
    operators = sys.modules["autograph.operators"]
    return [set(t) for t in (globals(), vars(builtins), vars(operators), vars(Model), vars(helper), sys.modules)]

def f(x):
    before = names()
    for name in globals():
        helper(1)
    for name in vars(builtins):
        Model(3).twice
    for name in sys.modules:
        helper(len(name))
    table = []
    for name, value in vars(Model).items():
        table.append(sorted(map(helper, [2, 1])))
    return [sorted(now - then) for now, then in zip(names(), before)], len(table) == len(vars(Model))
"""


def test_nothing_is_added_to_any_namespace(tmp_path):
    """Not even where these are being gone through, and things are met for the first time."""
    (tmp_path / "program.py").write_text(NAMESPACES, encoding="utf-8")
    for how in ("pass", "autograph.begin_staging(); program.f = autograph.to_graph(program.f)"):
        code = f"import autograph, program; {how}; print(program.f(1))"
        place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=place)
        assert (done.stdout, done.stderr) == ("([[], [], [], [], [], []], True)\n", "")


def test_chains_that_lead_round_in_circles_end():
    def one(x):
        return 1 if x > 0 else 2

    def other(x):
        return one(x)

    one.__wrapped__, other.__wrapped__ = other, one

    class Endless:
        @property
        def __wrapped__(self):
            return Endless()

        def __call__(self, x):
            return x

    for thing in (one, Endless()):
        with pytest.raises(autograph.SourceNotFoundError, match="again and again"):
            autograph.to_code(thing)
    assert autograph.to_graph(one)(1) == 1
    looping = functools.partial(one)
    looping.__setstate__((looping, (), {}, {}))
    with pytest.raises((RecursionError, autograph.SourceNotFoundError, autograph.ConversionError)):
        autograph.to_graph(looping)


class Callable:
    def __call__(self, x):
        return 1 if x else 2


class Holder:
    class Inner:
        def f(self, x):
            return 1 if x else 2

    called, partly, plain = Callable(), functools.partial(Callable(), 1), 3

    def f(self, x):
        return 1 if x else 2


def test_what_a_class_holds_besides_its_methods_stays_what_it_is():
    converted = autograph.to_graph(Holder)
    assert all(getattr(converted, n) is getattr(Holder, n) for n in ("Inner", "called", "partly", "plain"))
    assert autograph.is_converted(converted.f) and not autograph.is_converted(Holder.f)
