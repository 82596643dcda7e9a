"""The exceptions of the runtime, by TensorFlow's names; each also is one that Python users already catch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograph.errors import Refuses

# TensorFlow's numbers of the kinds of errors.
(
    OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED,
    RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS,
    UNAUTHENTICATED,
) = range(17)  # fmt: skip


class OpError(Exception):
    """An operation failed; its message is also the attribute `message`, TensorFlow's number of its kind `error_code`.

    It is made of its message alone, or, as in TensorFlow, of the definition of a node, an operation, and the message.

    >>> try:
    ...     tf.gather([1, 2], 5)
    ... except tf.errors.OpError as error:
    ...     error.message, error.error_code == tf.errors.INVALID_ARGUMENT
    ('indices = 5 is not in [0, 2)', True)
    """

    error_code: int = UNKNOWN
    numpys: Exception | None = None  # what NumPy has raised, where it is NumPy that did

    def __init__(self, *args: object, message: object = None, node_def: object = None, op: object = None) -> None:
        args = args if message is None else (*args, message)
        if len(args) > 2 and not isinstance(args[0], str):
            node_def, op, *rest = args
            args = (*rest,)
        super().__init__(*args)
        self.message = args[0] if args else ""
        self.node_def, self.op = node_def, op


class InvalidArgumentError(OpError, ValueError):
    """An operation met a value, or a shape, that it cannot take.

    >>> tf.eye(-1)
    Traceback (most recent call last):
        ...
    runtime.errors.InvalidArgumentError: eye with num_rows=-1: it must not be negative
    """

    error_code = INVALID_ARGUMENT


class AnotherArrayError(InvalidArgumentError):
    """A list of a graph, which is empty or holds numbers of other types, becomes another array at a line than the graph
    has for it."""

    def __init__(self, message: str = "", filename: str = "", line: int = 0) -> None:
        super().__init__(message, filename, line)
        self.filename, self.line = filename, line

    def __str__(self) -> str:
        return str(self.message)


class OutOfRangeError(OpError, IndexError):
    """An index lies outside, or an iterator is at its end.

    >>> tf.TensorArray(tf.int32, size=2).write(5, 1)
    Traceback (most recent call last):
        ...
    runtime.errors.OutOfRangeError: Tried to write to index 5 but array is not resizeable and size is: 2
    """

    error_code = OUT_OF_RANGE


class OutOfBoundsError(OutOfRangeError, InvalidArgumentError):
    """An element outside of an array or a TensorArray.

    >>> tf.constant([1, 2])[5]
    Traceback (most recent call last):
        ...
    runtime.errors.OutOfBoundsError: index 5 is out of bounds for axis 0 with size 2
    """

    error_code = INVALID_ARGUMENT


class LinAlgError(InvalidArgumentError, np.linalg.LinAlgError):
    """A matrix has no inverse, or is not of the form that is wanted.

    >>> tf.linalg.inv([[0.0]])
    Traceback (most recent call last):
        ...
    runtime.errors.LinAlgError: Singular matrix
    """


class NotATensorError(TypeError, ValueError):
    """No tensor can be made of a value: a TypeError, as of NumPy's, and the ValueError that TensorFlow raises.

    >>> tf.constant(None)
    Traceback (most recent call last):
        ...
    runtime.errors.NotATensorError: None cannot become a tensor: it is no number, text or array.
    """


class FailedPreconditionError(OpError, RuntimeError):
    """A state that is needed is not there.

    >>> raise tf.errors.FailedPreconditionError("the table has no entries yet")
    Traceback (most recent call last):
        ...
    runtime.errors.FailedPreconditionError: the table has no entries yet
    """

    error_code = FAILED_PRECONDITION


class NotFoundError(OpError, LookupError):
    """Something asked for does not exist.

    >>> raise tf.errors.NotFoundError("no such file")
    Traceback (most recent call last):
        ...
    runtime.errors.NotFoundError: no such file
    """

    error_code = NOT_FOUND


class UnimplementedError(OpError, NotImplementedError):
    """What is asked for is not supported in this combination.

    >>> raise tf.errors.UnimplementedError("there is no such convolution")
    Traceback (most recent call last):
        ...
    runtime.errors.UnimplementedError: there is no such convolution
    """

    error_code = UNIMPLEMENTED


class AbortedError(OpError, RuntimeError):
    """An operation was given up, as another came first.

    >>> raise tf.errors.AbortedError(None, None, "another writer was first")
    Traceback (most recent call last):
        ...
    runtime.errors.AbortedError: another writer was first
    """

    error_code = ABORTED


class AlreadyExistsError(OpError, FileExistsError):
    """What is to be made exists already.

    >>> raise tf.errors.AlreadyExistsError(None, None, "there is such a folder")
    Traceback (most recent call last):
        ...
    runtime.errors.AlreadyExistsError: there is such a folder
    """

    error_code = ALREADY_EXISTS


class CancelledError(OpError, RuntimeError):
    """An operation was called off.

    >>> raise tf.errors.CancelledError(None, None, "the queue is closed")
    Traceback (most recent call last):
        ...
    runtime.errors.CancelledError: the queue is closed
    """

    error_code = CANCELLED


class DataLossError(OpError, ValueError):
    """Data are lost, or spoilt.

    >>> raise tf.errors.DataLossError(None, None, "the record is cut short")
    Traceback (most recent call last):
        ...
    runtime.errors.DataLossError: the record is cut short
    """

    error_code = DATA_LOSS


class DeadlineExceededError(OpError, TimeoutError):
    """An operation took longer than it may.

    >>> raise tf.errors.DeadlineExceededError(None, None, "no answer within 5 seconds")
    Traceback (most recent call last):
        ...
    runtime.errors.DeadlineExceededError: no answer within 5 seconds
    """

    error_code = DEADLINE_EXCEEDED


class InternalError(OpError, RuntimeError):
    """Something is wrong inside.

    >>> raise tf.errors.InternalError(None, None, "the device does not answer")
    Traceback (most recent call last):
        ...
    runtime.errors.InternalError: the device does not answer
    """

    error_code = INTERNAL


class PermissionDeniedError(OpError, PermissionError):
    """Who asks may not do that.

    >>> raise tf.errors.PermissionDeniedError(None, None, "this folder may not be written")
    Traceback (most recent call last):
        ...
    runtime.errors.PermissionDeniedError: this folder may not be written
    """

    error_code = PERMISSION_DENIED


class ResourceExhaustedError(OpError, MemoryError):
    """There is not enough memory, or of something else.

    >>> raise tf.errors.ResourceExhaustedError(None, None, "no memory for this batch")
    Traceback (most recent call last):
        ...
    runtime.errors.ResourceExhaustedError: no memory for this batch
    """

    error_code = RESOURCE_EXHAUSTED


class UnauthenticatedError(OpError, PermissionError):
    """Who asks has not said who they are.

    >>> raise tf.errors.UnauthenticatedError(None, None, "no user is named")
    Traceback (most recent call last):
        ...
    runtime.errors.UnauthenticatedError: no user is named
    """

    error_code = UNAUTHENTICATED


class UnavailableError(OpError, ConnectionError):
    """What is asked does not answer for now.

    >>> raise tf.errors.UnavailableError(None, None, "the server starts up")
    Traceback (most recent call last):
        ...
    runtime.errors.UnavailableError: the server starts up
    """

    error_code = UNAVAILABLE


class UnknownError(OpError, RuntimeError):
    """An operation failed for a reason that has no name.

    >>> raise tf.errors.UnknownError(None, None, "something went wrong")
    Traceback (most recent call last):
        ...
    runtime.errors.UnknownError: something went wrong
    """

    error_code = UNKNOWN


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

    def __init__(self, *arguments: object, container: object = None) -> None:
        super().__init__(*arguments)
        self.container = container  # which a tensor is to be a key or an element of
        self.argument: tuple[str, Sequence[tuple[bool, object]]] | None = None  # and which one that is, if it is one


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


_OURS: dict[type, type[OpError]] = {
    IndexError: OutOfBoundsError, ValueError: InvalidArgumentError, np.linalg.LinAlgError: LinAlgError,
}  # fmt: skip


def ours(error: Exception) -> Exception:
    """What operations raise where NumPy raises this; the error itself, if it is another."""
    kind = _OURS.get(type(error))
    if kind is None:
        return error
    made = kind(str(error)).with_traceback(error.__traceback__)
    for note in getattr(error, "__notes__", ()):
        made.add_note(note)
    made.numpys = error
    return made
