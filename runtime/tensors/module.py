"""Module: an object that knows the Variables and the other Modules that it holds."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Concatenate, ParamSpec, TypeVar

from autograph.operators.calls import call
from runtime.graph.scopes import in_scope
from runtime.tensors import nest, scopes, tracking
from runtime.tensors.variables import Variable

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K", "Module", Variable)
Self = TypeVar("Self", bound="Module")


class Module:
    """A base for classes whose objects hold Variables and other Modules, which they find again.

    They are found in attributes, and in lists, tuples, dictionaries and dataclasses there, however deep: sorted by the
    names of attributes, those of the object itself first. What an attribute holds when one asks is what counts.

    Args:
      name: the name, a valid name of Python's; by default that of the class, in lower case: ``demo_module``.
    Raises:
      ValueError: for any other name.

    >>> class Dense(tf.Module):
    ...     def __init__(self, size, name=None):
    ...         super().__init__(name)
    ...         with self.name_scope:
    ...             self.kernel = tf.Variable(tf.ones([size, size]), name="kernel")
    ...             self.steps = tf.Variable(0, trainable=False, name="steps")
    ...     @tf.function
    ...     def __call__(self, x):
    ...         self.steps.assign_add(1)
    ...         return x @ self.kernel
    >>> dense = Dense(2)
    >>> print(dense(tf.constant([[1.0, 2.0]])))
    tf.Tensor([[3. 3.]], shape=(1, 2), dtype=float32)
    >>> [v.name for v in dense.variables]
    ['dense/kernel:0', 'dense/steps:0']
    """

    def __new__(cls, *_: object, **__: object) -> Module:
        module = object.__new__(cls)
        module._named(_in_words(cls.__name__))  # for classes that do not call __init__
        return module

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            return
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(
                f"{name!r} is not a valid module name: it must be a name as Python's variables have, of letters, "
                "digits and underscores."
            )
        self._named(name)

    def _named(self, name: str) -> None:
        self._name, self._scope = name, in_scope(f"{name}/")

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)
        if tracking.waiting and not isinstance(value, bool | int | float | str | None):
            tracking.has_more(self)

    @property
    def name(self) -> str:
        """The name, as it was given or made from that of the class.

        >>> tf.Module().name, tf.Module(name="encoder").name
        ('module', 'encoder')
        """
        return self._name

    @property
    def name_scope(self) -> scopes.name_scope:
        """A block for `with`, in which names begin with that of the Module.

        Before it stand the names of the blocks in which the Module was made.

        >>> with tf.Module(name="encoder").name_scope:
        ...     tf.Variable(1.0, name="bias").name
        'encoder/bias:0'
        """
        return scopes.name_scope(self._scope)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All Variables of the Module and of those in it, each once.

        >>> m = tf.Module()
        >>> m.weights = [tf.Variable(1.0, name="a"), {"b": tf.Variable(2.0, name="b")}]
        >>> [v.name for v in m.variables]
        ['a:0', 'b:0']
        """
        return tuple(_found(self, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of the Variables that training is to change.

        >>> m = tf.Module()
        >>> m.w, m.step = tf.Variable(1.0, name="w"), tf.Variable(0, trainable=False)
        >>> [v.name for v in m.trainable_variables]
        ['w:0']
        """
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Those of the Variables that training leaves alone.

        >>> m = tf.Module()
        >>> m.w, m.step = tf.Variable(1.0), tf.Variable(0, trainable=False, name="step")
        >>> [v.name for v in m.non_trainable_variables]
        ['step:0']
        """
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """The Modules in the Module, in those, and so on, each once.

        >>> m = tf.Module()
        >>> m.left, m.right = tf.Module("left"), tf.Module("right")
        >>> m.left.inner = tf.Module("inner")
        >>> [inside.name for inside in m.submodules]
        ['left', 'right', 'inner']
        """
        return tuple(_found(self, Module))

    @classmethod
    def with_name_scope(cls, method: Callable[Concatenate[Self, P], R]) -> Callable[Concatenate[Self, P], R]:
        """Have a method run in the `name_scope` of its object, as a decorator.

        Args:
          method: the method.
        Returns: the method, in the block.

        >>> class Layer(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def build(self):
        ...         self.bias = tf.Variable([0.0], name="bias")
        >>> layer = Layer()
        >>> layer.build()
        >>> layer.bias.name
        'layer/bias:0'
        """

        @functools.wraps(method)
        def scoped(self: Self, *args: P.args, **kwargs: P.kwargs) -> R:
            with self.name_scope:
                made: R = call(method, self, *args, **kwargs)  # converted, where it is traced
                return made

        return scoped  # type: ignore[return-value]  # mypy: with the name of `self` asked for


def _in_words(name: str) -> str:
    """The name of a class as that of a variable.

    >>> _in_words("DemoModule"), _in_words("HTTPServer2Go")
    ('demo_module', 'http_server2_go')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])", "_", name).lower()


def _found(module: Module, kind: type[K]) -> Iterator[K]:
    """What a Module holds of a kind; then what the Modules in it hold, one after the other."""
    seen: set[int] = {id(module)}

    def within(module: Module) -> Iterator[K]:
        inner: list[Module] = []
        attributes = vars(module)
        for name in sorted(attributes):
            for leaf in leaves(attributes[name], seen):
                if isinstance(leaf, kind):
                    yield leaf
                if isinstance(leaf, Module):
                    inner.append(leaf)
        for one in inner:
            yield from within(one)

    return within(module)


def leaves(value: object, seen: set[int], *more: type) -> Iterator[object]:
    """Variables, Modules and objects of more classes in a structure that have not been seen; it may hold itself."""
    leaf = isinstance(value, (Variable, Module, *more))
    if not leaf and not isinstance(value, Mapping) and not nest.is_nested(value):
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if leaf:
        yield value
        return
    for part in _sorted(value) if isinstance(value, Mapping) else nest.parts(value):
        yield from leaves(part, seen, *more)


def _sorted(items: Mapping[object, object]) -> list[object]:
    """What a mapping holds, sorted by its keys where these have an order."""
    try:
        keys = sorted(items)  # type: ignore[type-var]
    except TypeError:
        keys = list(items)
    return [items[key] for key in keys]
