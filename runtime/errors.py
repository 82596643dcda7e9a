"""The exceptions of the runtime, by TensorFlow's names; each also is one that Python users already catch."""

from runtime.graph import errors as _errors
from runtime.graph.errors import (
    AssertionFailedError as AssertionFailedError,
    FailedPreconditionError as FailedPreconditionError,
    InaccessibleTensorError as InaccessibleTensorError,
    InvalidArgumentError as InvalidArgumentError,
    NoGradientError as NoGradientError,
    NoStagedMethodError as NoStagedMethodError,
    NotFoundError as NotFoundError,
    NoValueYetError as NoValueYetError,
    OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError,
    OpError as OpError,
    OutOfBoundsError as OutOfBoundsError,
    OutOfRangeError as OutOfRangeError,
    UnimplementedError as UnimplementedError,
    UnknownRankError as UnknownRankError,
    VariableCreationError as VariableCreationError,
)

for _error in vars(_errors).values():
    if getattr(_error, "__module__", None) == _errors.__name__:
        _error.__module__ = __name__  # where users see it, and import it from
