"""Blocks in which things are done under a name, outside of the graph, or on a device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from runtime.graph import scopes
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.scopes import in_scope
from runtime.tensors.trace import current, recording


class name_scope:
    """A block in which names begin with a common one: those of Variables and of the operations of a graph.

    Blocks inside one another add up. A name that ends in a slash stands for itself, whatever is around it; with an
    empty one, names have nothing before them. Values and printed graphs do not depend on it. A block may be entered
    again.

    Args:
      name: the name.
    Raises:
      ValueError: if it is no text.

    >>> with tf.name_scope("model"):
    ...     with tf.name_scope("layer") as scope:
    ...         v = tf.Variable(1.0, name="kernel")
    >>> scope, v.name
    ('model/layer/', 'model/layer/kernel:0')
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError(f"name_scope with {name!r}: the name must be a str")
        self._name = name

    @property
    def name(self) -> str:
        """The name, as it was given.

        >>> tf.name_scope("layer").name
        'layer'
        """
        return self._name

    def __enter__(self) -> str:
        scope = self._name if self._name.endswith("/") else in_scope(f"{self._name}/") if self._name else ""
        scopes.enter(scope)
        return scope

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None) -> None:
        scopes.leave()


def inside_function() -> bool:
    """Whether what runs is being traced into a graph, as it is inside of a `function`.

    >>> tf.inside_function(), tf.function(lambda: tf.inside_function())().numpy()
    (False, np.True_)
    """
    trace = current()
    return trace is not None and not trace.is_open


def get_current_name_scope() -> str:
    """The names of the blocks around, with slashes between them; an empty text where there is none.

    >>> with tf.name_scope("model"), tf.name_scope("layer"):
    ...     print(tf.get_current_name_scope())
    model/layer
    """
    return in_scope("").rstrip("/")


@contextmanager
def init_scope() -> Iterator[None]:
    """A block that runs at once where a function is being traced, rather than becoming part of its graph.

    What is made in it is there after the trace, and can be used in it as what was made outside: Variables may be made
    on any call. Tensors of the graph have no value there yet.

    Raises:
      InaccessibleTensorError: where a tensor of the graph is used in the block.

    >>> made = []
    >>> @tf.function
    ... def f(x):
    ...     with tf.init_scope():
    ...         if not made:
    ...             made.append(tf.Variable([1.0, 2.0]))
    ...     return x * made[0]
    >>> print(f(3.0))
    tf.Tensor([3. 6.], shape=(2,), dtype=float32)
    """
    trace = current()
    root = None if trace is None else trace.root
    with recording(root if root is not None and root.is_open else None):
        yield


_CPU = re.compile(r"(/job:localhost)?(/replica:0)?(/task:0)?(/device:|/)?(cpu(:[0*])?)?", re.IGNORECASE)


@contextmanager
def device(device_name: str | None) -> Iterator[None]:
    """A block that runs on a device: the CPU, which is the one that there is.

    Args:
      device_name: ``"CPU"``, ``"/CPU:0"``, ``"/device:CPU:0"``, with ``/job:localhost/replica:0/task:0`` before it
        or not; None for any.
    Raises:
      InvalidArgumentError: for any other device.

    >>> with tf.device("/CPU:0"):
    ...     print(tf.constant([1, 2]) + 1)
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    >>> with tf.device("/GPU:0"):
    ...     pass
    Traceback (most recent call last):
        ...
    runtime.errors.InvalidArgumentError: device('/GPU:0'): only the CPU computes here. Write "/CPU:0", or leave the \
block out.
    """
    if device_name is not None and not (isinstance(device_name, str) and _CPU.fullmatch(device_name)):
        raise InvalidArgumentError(
            f'device({device_name!r}): only the CPU computes here. Write "/CPU:0", or leave the block out.'
        )
    yield
