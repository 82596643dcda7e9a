"""The gradient of each row of the table: a rule, or why there is none.

A rule takes a `Step`, and the gradients of its results (None for a result on which nothing depends), and gives those of
its inputs: None where there is none. Those of tensors may come in another dtype, and broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.late import found
from runtime.gradients.things import Gradient, Part, Thing
from runtime.graph.graph import Attributes, Node, Place
from runtime.graph.op import Op
from runtime.ops import elementwise as ew
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import Trace


@dataclass(frozen=True)
class Step:
    """An operation that has run, or a node of a graph.

    wanted: of which inputs the gradient is asked.
    masked: zeros among the gradients of its results may stand for what the program did not use. What it did not use
      has no influence, whatever the derivative there: zero times infinity is zero then.
    node, trace: the node, and the trace in which it is; None for what has run at once.
    """

    op: Op
    inputs: Sequence[Any]  # a Thing each
    outputs: Sequence[Any]
    attributes: Attributes
    wanted: Sequence[bool]
    place: Place | None = None
    masked: bool = False
    node: Node | None = None
    trace: Trace | None = None

    def times(self, gradient: Tensor, factor: Tensor | int) -> Tensor:
        """The gradient times a derivative."""
        if self.masked and isinstance(factor, Tensor):
            used = apply(ew.logical_or, apply(ew.is_finite, factor), apply(ew.not_equal, gradient, zero(gradient)))
            factor = apply(ew.where, used, factor, zero(factor))
        return gradient * factor  # type: ignore[no-any-return]


def zero(x: Tensor) -> Tensor:
    """A zero of the dtype of a tensor."""
    return EagerTensor(np.zeros((), x.type.dtype.dtype))


Rule = Callable[..., Sequence[Gradient | Part | None]]


@dataclass(frozen=True)
class Cell:
    """What a row says of its gradient.

    rule: gives it; None where there is none.
    masks: it may have zeros where the program did not use a value.
    passes: its result is its one input, and so is the gradient.
    why: why there is none; nothing if the results do not change, or by whole steps only.
    """

    rule: Rule | None = None
    masks: bool = False
    passes: bool = False
    why: str = ""


CELLS: dict[Op, Cell] = {}


def gradient(*ops: Op, masks: bool = False, passes: bool = False) -> Callable[[Rule], Rule]:
    """The function is the rule of these rows."""

    def register(rule: Rule) -> Rule:
        for op in ops:
            enter(op, Cell(rule, masks, passes))
        return rule

    return register


def constant(*ops: Op) -> None:
    """The results of these rows stay the same while inputs change by a little: nothing flows back."""
    for op in ops:
        enter(op, Cell())


def refused(why: str, *ops: Op) -> None:
    """These rows have no gradient."""
    for op in ops:
        enter(op, Cell(why=why))


def enter(op: Op, cell: Cell) -> None:
    assert op not in CELLS, f"two cells for {op.name}"
    CELLS[op] = cell


def derivative(op: Op, *partials: Callable[..., Tensor | int] | int | None) -> None:
    """A row that works element by element, by its derivatives.

    There is one for each input: a number, a function of the inputs and the result, or None where nothing flows back.
    """

    def rule(step: Step, g: Tensor) -> Sequence[Tensor | None]:
        given = [*step.inputs, step.outputs[0]]

        def of(partial: Callable[..., Tensor | int] | int | None, thing: Thing) -> Tensor | None:
            if partial is None:
                return None
            factor = partial if isinstance(partial, int) else partial(*given)
            if isinstance(factor, int):
                return g if factor == 1 else apply(ew.negative, g)
            return step.times(g, conjugate(factor))

        return [of(p, x) if w else None for p, x, w in zip(partials, step.inputs, step.wanted)]

    enter(op, Cell(rule))


def cell_of(op: Op) -> Cell:
    """What is known of the gradient of a row; of one that others have added, that there is none."""
    if op not in CELLS:
        for place in _PLACES:
            found(place)
    return CELLS.get(op) or Cell(why="its row says nothing about a gradient")


# Where the cells are: of branches, loops and calls, of `py_function`, and of all other rows.
_PLACES = ("runtime.gradients.control", "runtime.gradients.python", "runtime.gradients.rules")
