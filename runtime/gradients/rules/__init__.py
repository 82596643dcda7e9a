"""The gradients of the rows of `runtime.ops`, in files of the same names."""

from runtime.gradients.rules import (  # noqa: F401 - each enters its own
    boxes,
    effects,
    elementwise,
    hashing,
    indexing,
    linalg,
    lists,
    nn,
    random,
    reduce,
    shape,
    strings,
    texts,
)
