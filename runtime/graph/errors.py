"""The exceptions of the runtime, by TensorFlow's names; each also is one that Python users already catch."""

from __future__ import annotations

from autograph.errors import Refuses


class OpError(Exception):
    """An operation failed; its message is also the attribute `message`.

    >>> try:
    ...     tf.gather([1, 2], 5)
    ... except tf.errors.OpError as error:
    ...     error.message
    'indices = 5 is not in [0, 2)'
    """

    def __init__(self, message: str = "", *rest: object) -> None:
        super().__init__(message, *rest)
        self.message = message


class InvalidArgumentError(OpError, ValueError):
    """An operation met a value, or a shape, that it cannot take.

    >>> tf.eye(-1)
    Traceback (most recent call last):
        ...
    runtime.errors.InvalidArgumentError: eye with num_rows=-1: it must not be negative
    """


class OutOfRangeError(OpError, IndexError):
    """An index lies outside, or an iterator is at its end.

    >>> tf.TensorArray(tf.int32, size=2).write(5, 1)
    Traceback (most recent call last):
        ...
    runtime.errors.OutOfRangeError: Tried to write to index 5 but array is not resizeable and size is: 2
    """


class OutOfBoundsError(OutOfRangeError, InvalidArgumentError):
    """An element outside of an array or a TensorArray.

    >>> tf.constant([1, 2])[5]
    Traceback (most recent call last):
        ...
    runtime.errors.OutOfBoundsError: index 5 is out of bounds for axis 0 with size 2
    """


class FailedPreconditionError(OpError, RuntimeError):
    """A state that is needed is not there.

    >>> raise tf.errors.FailedPreconditionError("the table has no entries yet")
    Traceback (most recent call last):
        ...
    runtime.errors.FailedPreconditionError: the table has no entries yet
    """


class NotFoundError(OpError, LookupError):
    """Something asked for does not exist.

    >>> raise tf.errors.NotFoundError("no such file")
    Traceback (most recent call last):
        ...
    runtime.errors.NotFoundError: no such file
    """


class UnimplementedError(OpError, NotImplementedError):
    """What is asked for is not supported in this combination.

    >>> raise tf.errors.UnimplementedError("there is no such convolution")
    Traceback (most recent call last):
        ...
    runtime.errors.UnimplementedError: there is no such convolution
    """


class AssertionFailedError(InvalidArgumentError, AssertionError):
    """An ``assert`` of a function did not hold when its graph ran.

    >>> @tf.function
    ... def root(x):
    ...     assert x >= 0, "negative"
    ...     return tf.sqrt(x)
    >>> try:
    ...     root(tf.constant(-1.0))
    ... except tf.errors.AssertionFailedError as error:
    ...     error.message
    'negative'
    """


class OperatorNotAllowedInGraphError(Refuses, TypeError):
    """Python asked for the value of a tensor that is known only when the graph runs.

    >>> tf.function(lambda x: [1, 2][x], autograph=False)(tf.constant(1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    runtime.errors.OperatorNotAllowedInGraphError: ...
    """


class NoStagedMethodError(OperatorNotAllowedInGraphError, AttributeError):
    """A method or attribute of NumPy's arrays that tensors of a graph do not have.

    >>> tf.function(lambda x: x.tofile("data"))(tf.constant(1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    runtime.errors.NoStagedMethodError: ...
    """


class InaccessibleTensorError(Refuses, ValueError, TypeError):
    """A tensor is used outside of the trace that made it.

    >>> kept = []
    >>> tf.function(lambda x: kept.append(x + 1))(tf.constant(1))
    >>> kept[0] + 1  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    runtime.errors.InaccessibleTensorError: ...
    """


class VariableCreationError(Refuses, ValueError):
    """A function makes a Variable on a call that is not its first, or one whose first value is not known yet.

    >>> @tf.function
    ... def f(x):
    ...     return tf.Variable(1.0) + x
    >>> f(2.0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    runtime.errors.VariableCreationError: f tries to create a tf.Variable on a call that is not its first, ...
    """


class UnknownRankError(Refuses, ValueError):
    """The rank of a tensor is needed, and only the graph knows it.

    >>> len(tf.TensorShape(None))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    runtime.errors.UnknownRankError: the rank of this shape is unknown, so it has no list of dimensions: say it, ...
    """


class NoValueYetError(Refuses, NotImplementedError, TypeError):
    """A NumPy array was asked of a tensor that is known only when the graph runs.

    >>> tf.function(lambda x: x.__array__())(tf.constant(1))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    runtime.errors.NoValueYetError: ...
    """


class NoGradientError(Refuses, LookupError):
    """A gradient was asked through an operation that has none.

    >>> with tf.GradientTape() as tape:
    ...     x = tf.constant([3.0, 1.0])
    ...     tape.watch(x)
    ...     y = tf.random.shuffle(x)
    >>> tape.gradient(y, x)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    runtime.errors.NoGradientError: no gradient goes through 'random_shuffle' at ...
    """
