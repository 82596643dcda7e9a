"""What staged values of this library mean to converted code: the `autograph` backend."""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph import Attempt, StagingError, register_backend
from autograph.dispatch import Statement, register_list
from autograph.operators.branches import staged_if
from autograph.operators.texts import of_text
from autograph.rules import STAGED_BUILTINS
from runtime import control
from runtime.control import recursion
from runtime.control.handles import with_kept_lists
from runtime.control.items import Items, OneShot
from runtime.control.lists import KnownList, TensorList
from runtime.control.regions import Ended, raise_later
from runtime.functions.kept_containers import FORMS
from runtime.graph.dtypes import python_numbers
from runtime.graph.errors import AssertionFailedError
from runtime.graph.settings import unroll_limit
from runtime.ops import effects, elementwise as ew
from runtime.ops.spans import surely_as_python
from runtime.staging.builtin_functions import MEANINGS, counter
from runtime.staging.kept import CONTAINERS
from runtime.staging.lookups import MEANINGS as LOOKUPS
from runtime.tensors.arrays import TensorArray
from runtime.tensors.clauses import not_caught, overlooking
from runtime.tensors.frames import users_frame
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.leaf_types import is_leaf, leaf_type
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Handled, ListAt, Way, current, ways
from runtime.tensors.variables import Variable
from runtime.tensors.views import View


class RuntimeBackend:
    """Stages statements whose condition or items are symbolic tensors, or Variables under a trace."""

    def is_staged(self, value: object) -> bool:
        if type(value) is TensorList:
            return value.is_grown
        if isinstance(value, TensorArray):
            return False
        if isinstance(value, TensorList):
            return value.is_grown
        return isinstance(value, SymbolicTensor | control.TaggedUnion | Items | OneShot) or current() is not None

    cond = staticmethod(control.staged_cond)
    while_loop = staticmethod(control.staged_while)
    for_loop = staticmethod(control.staged_for)

    def content(self, value: object) -> object:
        if type(value) is SymbolicTensor:
            return value.content
        if isinstance(value, View):
            return None  # its place holds it
        if isinstance(value, TensorList | SymbolicTensor):
            return value.content
        return value.elements if isinstance(value, TensorArray) else None

    def set_content(self, value: Any, content: Any) -> None:
        if isinstance(value, TensorList):
            value.content = content
        elif isinstance(value, SymbolicTensor):
            value._hold(content)
        else:
            value.elements = content

    def not_(self, value: object) -> object:
        return number(apply(ew.logical_not, control.truth(value)))

    def assert_(self, test: object, message: Callable[[], object] | None, statement: Statement) -> None:
        if python_numbers.are_numpys:

            def fails() -> object:
                raise_later(AssertionError() if message is None else AssertionError(message()))
                raise Ended

            staged_if(self, control.truth(test), lambda: None, fails, (), (), statement, (message or fails,))
            return
        not_caught(AssertionFailedError(""))
        trace, holds = current(), control.truth(test)
        if trace is None or message is None:
            _assert(holds, f"assertion failed: {statement}" if message is None else "" if holds else message())
            return
        start = len(trace.nodes)
        try:
            text = message()
            acted = trace.acted(start)
        except Exception:  # raised, too, where the assertion fails alone
            acted = True
        if not acted:
            _assert(holds, text)
            return
        trace.rewind(start)  # what making the message does is done where the assertion fails
        control.cond(holds, lambda: None, lambda: _assert(EagerTensor(np.asarray(False)), message()))

    def call(
        self, function: Callable[..., object], arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> object:
        if function is list and len(arguments) == 1 and type(arguments[0]) is list and not keywords:
            return _displayed(KnownList(arguments[0]))  # a display, mostly: it is asked often
        by_two = function in _BY_TWO and len(arguments) > 1
        if function in _OF_ONE and not by_two:
            found = control.distributed(function, arguments, keywords)
            if found is not NotImplemented:
                return found
        meaning = MEANINGS.get(function)
        if meaning is None:
            return NotImplemented
        try:
            return meaning(*arguments, **keywords)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise
            name = getattr(function, "__name__", function)
            message = (
                f"{name}() has no staged meaning for these arguments: {error}. Use runtime.py_function to call it."
            )
            raise StagingError(message) from None

    recursive = staticmethod(recursion.recursive)

    def is_tracing(self) -> bool:
        return current() is not None

    def attempt(self) -> Attempt | None:
        trace = current()
        if trace is None:
            return None
        made = Attempt(trace.nodes, trace.rewind, trace.acted, trace.silence, overlooking=overlooking)
        limit = unroll_limit()
        if limit is None or trace.root.unrolls:
            return made
        return made._replace(
            operations=trace.operations,
            unrolled=-(-limit // _TIGHTER) if trace.is_repeated else limit,  # 0 stays 0 alone
            counter=counter,
            computes_as_python=_fits,
            alike=_are_numbers,
        )


def _fits(start: int) -> bool:
    """Whether the graph has what Python would know of the numbers that were recorded since."""
    trace = current()
    return trace is not None and surely_as_python(trace.nodes[start:], trace.known_constants())


def _displayed(made: KnownList) -> TensorList:
    """A list that a function makes: the graph's, where it is known that this changes how long it is."""
    if current() is None:
        return made
    frame = users_frame(sys._getframe(2))
    if frame is not None:
        made.made_at = ListAt(frame.f_code, frame.f_lasti)
        if Way.LISTS in ways.taken or any(isinstance(way, Handled) and way.kind is dict for way in ways.taken):
            return with_kept_lists(made)
        if list.__len__(made) and made.made_at in ways.taken and _are_alike([*list.__iter__(made)]):
            made.staged()
    return made


def _are_alike(elements: Sequence[object]) -> bool:
    """Whether the elements of a list, or the parts of the tuples in it, are of one type each, which they keep."""
    first = elements[0]
    if isinstance(first, tuple):
        alike = all(type(one) is type(first) and len(one) == len(first) for one in elements)  # type: ignore[arg-type]
        return alike and all(_are_alike(column) for column in zip(*elements))  # type: ignore[arg-type]
    kinds = {type(one) for one in elements}
    if len(kinds) > 1:
        return False
    if kinds <= {bool, int, float, str}:
        return True
    return is_leaf(first) and len({(leaf_type(one), owner_of(one)) for one in elements}) == 1


def _are_numbers(elements: Sequence[object]) -> bool:
    """Whether these are numbers of the graph, of one type that a list of them keeps."""
    if not all(isinstance(one, SymbolicTensor) and one.type.shape == () for one in elements):
        return False
    return _are_alike(elements)


_TIGHTER = 10  # by how many times less a loop in a loop of the graph is unrolled


# What is called for each of several values that one may be; the others ask themselves which it is.
_ASKED = "bool type str repr ascii format vars dir".split()
_OF_ONE = {getattr(builtins, name) for name in STAGED_BUILTINS.difference(_ASKED)}
_OF_ONE |= {operator.contains, operator.getitem, *LOOKUPS}
# They compare their arguments two by two: asked of each at once, the cases of many would be too many.
_BY_TWO = {min, max}


def _assert(holds: Tensor, text: object) -> None:
    text = of_text(str, (text,), {})
    staged = isinstance(text, SymbolicTensor)
    values = [text] if staged else []
    apply_all(effects.assert_, holds, *values, message=None if staged else str(text), python=True)


_TYPES = (SymbolicTensor, Variable, TensorArray, TensorList, RaggedTensor, Items, OneShot, control.TaggedUnion)
BACKEND = RuntimeBackend()
register_backend(_TYPES, BACKEND, announces=True)
register_list(KnownList, BACKEND)
FORMS.update(CONTAINERS)
