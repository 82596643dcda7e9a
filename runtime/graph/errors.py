"""The exceptions of the runtime, by TensorFlow's names; each also is one that Python users already catch."""

from __future__ import annotations

from autograph.errors import Refuses


class OpError(Exception):
    """An operation failed."""

    def __init__(self, message: str = "", *rest: object) -> None:
        super().__init__(message, *rest)
        self.message = message


class InvalidArgumentError(OpError, ValueError):
    """An operation met a value that it cannot take."""


class OutOfRangeError(OpError, IndexError):
    """An index lies outside, or an iterator is at its end."""


class OutOfBoundsError(OutOfRangeError, InvalidArgumentError):
    """An element outside an array or a TensorArray."""


class FailedPreconditionError(OpError, RuntimeError):
    """The state needed is not there."""


class NotFoundError(OpError, LookupError):
    """Something asked for does not exist."""


class UnimplementedError(OpError, NotImplementedError):
    """The combination asked for is not supported."""


class AssertionFailedError(InvalidArgumentError, AssertionError):
    """A staged ``assert`` did not hold when the graph ran."""


class OperatorNotAllowedInGraphError(Refuses, TypeError):
    """Python asked for the value of a tensor that is known only when the graph runs."""


class NoStagedMethodError(OperatorNotAllowedInGraphError, AttributeError):
    """A method or attribute of NumPy's arrays that tensors of a graph do not have."""


class InaccessibleTensorError(Refuses, ValueError):
    """A tensor is used outside the trace that made it."""


class UnknownRankError(Refuses, ValueError):
    """The number of dimensions of a tensor is needed, and only the graph knows it."""


class NoValueYetError(Refuses, NotImplementedError, TypeError):
    """A NumPy array was asked of a tensor that is known only when the graph runs."""
