"""Loops: `while_loop` and its kin, and what becomes of a ``while`` or a ``for`` on a tensor.

The body is traced again until the types of the loop's variables stay the same: Python numbers take the type of the
tensors that they meet, dimensions that change become unknown.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograph import UNDEFINED, UNSET, StagingError, Variables
from autograph.dispatch import Name, OneByOne, Role
from autograph.errors import GrownError
from autograph.operators.aliases import holders
from autograph.operators.calls import converted
from autograph.reading import new_one
from runtime.control.branches import cond
from runtime.control.identities import Identities
from runtime.control.items import Steps, items_or_steps, taken
from runtime.control.joins import Join, counterparts
from runtime.control.leaves import Slot, to_value, truth
from runtime.control.places import LoopArray, leave_loop
from runtime.control.plans import hints, only_option, options_in, same_plan, slots
from runtime.control.ragged_maps import Collected, has_rows, picking
from runtime.control.regions import naming, traced, tracing
from runtime.control.shared import PERHAPS, attributes_of, contents, is_object, is_shared, note_objects, share
from runtime.control.unions import TaggedUnion, each, is_walked, one_list, union_of, with_one
from runtime.graph.dtypes import int32, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Value
from runtime.graph.shapes import pattern
from runtime.ops import effects, elementwise as ew, shape as shape_ops, structure
from runtime.tensors import nest
from runtime.tensors.arrays import TensorArray
from runtime.tensors.clauses import not_caught
from runtime.tensors.composite_specs import RaggedTensorSpec
from runtime.tensors.composites import refuse_composites
from runtime.tensors.conversion import convert_to_tensor, operand
from runtime.tensors.frames import hides_frames
from runtime.tensors.from_numpy import FromNumpy
from runtime.tensors.leaf_types import Leaf, is_leaf
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.several import settled
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, Way, close, current, recording, ways
from runtime.tensors.types import DTypeLike, Size, SizeLike, Structure, TensorLike
from runtime.tensors.views import Array, check_elements, check_related

_ROUNDS = 8  # a type that is still changing after so many traces of a loop body never settles
_GROWTH = 2  # of which so many are enough to see that a variable is another object after each iteration


def staged_while(
    test: Callable[..., object],
    body: Callable[..., Sequence[object]],
    state: Sequence[object],
    variables: Variables,
    counter: Sequence[object] = (),
    runs: bool = False,
) -> list[object]:
    """A loop on a tensor: `test` and `body` take the state and are traced until its types settle.

    The `counter` is state of the loop's own, before that of the user's statement; `runs` says that there is at least
    one iteration.
    """
    with _looping() as options:
        try:
            return _staged_while(test, body, state, variables, counter, runs, options)
        except _Limited:
            limit, count = options.maximum, len(counter)
        except GrownError:
            missing = _missing_keys(variables.names, state)
            if not missing or tracing().numpys or options.maximum is not None or not ways.takes(Way.FIRST):
                raise
            after = _first_iteration(test, body, [*counter, *state], missing[0], variables)
            return _staged_while(test, body, after[len(counter) :], variables, after[: len(counter)], False, options)

    def go_on(*values: object) -> object:
        return apply(ew.logical_and, values[count] < limit, truth(test(*values[:count], *values[count + 1 :])))

    def iteration(*values: Tensor) -> Sequence[object]:
        after = body(*values[:count], *values[count + 1 :])
        return [*after[:count], values[count] + 1, *after[count:]]

    with _looping() as options:
        options.limited = True
        start = [*counter, EagerTensor.of(np.int32(0))]
        return _staged_while(
            go_on, iteration, state, variables, start, runs and isinstance(limit, int) and limit > 0, options
        )


def _missing_keys(names: Sequence[str], state: Sequence[object]) -> list[str]:
    """The variables of a loop that are items of dictionaries which do not have these keys before."""
    rows = zip(names, state)
    return [name for name, value in rows if value is UNDEFINED and isinstance(name, Name) and name.role is Role.ITEM]


def _first_iteration(
    test: Callable[..., object],
    body: Callable[..., Sequence[object]],
    values: Sequence[object],
    missing: str,
    variables: Variables,
) -> Sequence[object]:
    """The state after an iteration before the loop, which adds keys: the graph fails where there is none."""
    none = KeyError(f"{missing} is there only after an iteration, and there was none ({variables.statement})")
    index = apply(ew.cast, truth(test(*values)), dtype=int32)
    not_caught(none, lambda: index == 0)
    apply_all(effects.require_, index, wanted=1, otherwise=(none, None))
    after = traced(body, *values)
    return values if after is None else after


@dataclass
class _Options:
    """What the body of a loop has asked for with `set_loop_options`."""

    maximum: Any = None
    limited: bool = False  # it is seen to


class _Limited(Exception):
    """The loop shall end after so many iterations."""


class _Loops(threading.local):
    def __init__(self) -> None:
        self.options: list[_Options] = []


_loops = _Loops()


@contextmanager
def _looping() -> Iterator[_Options]:
    _loops.options.append(_Options())
    try:
        yield _loops.options[-1]
    finally:
        _loops.options.pop()


def set_loop_options(
    parallel_iterations: object = None,
    swap_memory: object = None,
    maximum_iterations: SizeLike | None = None,
    shape_invariants: object = None,
) -> None:
    """Options of the loop in whose body this is called, if that becomes a loop of a graph; it does nothing elsewhere.

    Args:
      maximum_iterations: after how many iterations the loop ends: a number, or a tensor of shape ().
      shape_invariants: accepted; dimensions that change become unknown by themselves.
      parallel_iterations, swap_memory: accepted.

    >>> @tf.function
    ... def count(x):
    ...     while x > 0:
    ...         tf.autograph.experimental.set_loop_options(maximum_iterations=3)
    ...         x += 1
    ...     return x
    >>> print(count(tf.constant(1)))
    tf.Tensor(4, shape=(), dtype=int32)
    """
    if _loops.options and maximum_iterations is not None:
        _loops.options[-1].maximum = maximum_iterations


def _staged_while(
    test: Callable[..., object],
    body: Callable[..., Sequence[object]],
    state: Sequence[object],
    variables: Variables,
    counter: Sequence[object],
    runs: bool,
    options: _Options,
) -> list[object]:
    trace = tracing()
    known: list[object] = []
    held: dict[int, Any] = {}
    types: list[Leaf] = []
    after: Sequence[object] | None = None
    ends = trace
    writes = {id(a.place): a.place.writes for a in nest.flatten([*state]) if isinstance(a, Array)}
    growth = _Growth(variables)
    for _ in range(_ROUNDS):
        before = [*counter, *state]
        names = [*("index" for _ in counter), *variables.names]
        left = [_untouched(value) for value in before] if after is None else growth.merged(after, ends, held)
        join, plans = _joined(variables, (trace, ends), names, before, left)
        new = [pair[2] for pair in join.pairs]
        if after is not None and types == new and len(known) == len(plans) and all(map(same_plan, known, plans)):
            break
        if after is not None and growth.goes_on(names, known, plans):
            left = growth.merged(left, ends, held)
            join, plans = _joined(variables, (trace, ends), names, before, left)
            new = [pair[2] for pair in join.pairs]
        known, types = plans, new
        labels = hints(known, names, len(types))
        traces = (Trace("loop_test", trace), Trace("loop_body", trace, repeats=True))
        traces[1].finds = traces[0].knows = traces[1].knows = variables.was_there
        parameters = [[Value(t, hint) for t, hint in zip(types, labels)] for _ in traces]
        trace.forget(ends)
        ends = traces[1]
        with recording(traces[0]):
            decision = test(*join.values(known, parameters[0], traces[0]))
            with naming(variables):
                go_on = truth(decision).record_in(traces[0])  # type: ignore[attr-defined]
        with recording(traces[1]):
            inside = join.values(known, parameters[1], traces[1])
            held = {id(one): contents(one) for value in inside for one, _ in counterparts(value)}
            after = traced(body, *inside)
            if after is None:  # it ends in an exception
                after = [*inside, *state[len(inside) - len(counter) :]]
        if options.maximum is not None and not options.limited:
            raise _Limited
    else:
        changing = [n for n, p, q in zip(names, known, plans) if not same_plan(p, q)]
        changing += names[min(len(known), len(plans)) :]  # more is found each time
        note_objects(after or ())
        raise _unsettled(changing or [h for h, t, w in zip(labels, types, new) if t != w] or names, variables)
    join.check_iteration(inside, held, left)
    check_elements(ends)
    check_related((place.holder for place in variables.places), ends)
    starts = [to_value(trace, a, t) for a, _, t in join.pairs]
    last = [to_value(ends, b, t) for _, b, t in join.pairs]
    arrays = _arrays(names, known, join, ends, writes)
    identities = Identities(arrays if trace.root.numpys else [], trace, ends, runs, variables.was_there)
    types, labels = identities.join(starts, parameters, last, types, labels)
    outer, regions = close(traces, parameters, [[go_on], last])
    results = trace.record(structure.while_, [*starts, *outer], {}, types, regions, labels)
    identities.left(results[len(join.pairs) :])
    leave_loop(arrays, results, trace, traces, variables)
    if runs:  # what every iteration defines is defined
        known = [only_option(plan, lambda slot: join.pairs[slot.number][1]) for plan in known]
    made = join.values(known, results, trace)
    join.settle(before, left, made)
    return made[len(counter) :]


def _joined(
    variables: Variables, traces: tuple[Trace, Trace], names: Sequence[str], before: Sequence[object],
    after: Sequence[object],
) -> tuple[Join, list[object]]:  # fmt: skip
    """The join of what variables hold before a loop and after an iteration, and the plans of all."""
    join = Join(variables, traces, ("before the loop", "after an iteration"), iterations=True)
    with naming(variables):
        return join, join.plans(names, before, after)


class _Growth:
    """Variables that come to be one of more values with each iteration, as objects do that are made anew each time."""

    def __init__(self, variables: Variables) -> None:
        self.variables, self.rounds = variables, 0
        self.growing: dict[int, str] = {}
        self.one: dict[int, str] = {}  # those that have turned out to grow are one object each time

    def goes_on(self, names: Sequence[str], known: Sequence[object], plans: Sequence[object]) -> bool:
        """Whether some have grown so often that they would go on to; these plans come after those that were known."""
        rows = enumerate(zip(names, known, plans))
        self.growing = {n: name for n, (name, p, q) in rows if options_in(q) > options_in(p)}
        self.rounds = self.rounds + 1 if self.growing else 0
        if self.rounds <= _GROWTH:
            return False
        self.one |= self.growing
        self.rounds = 0
        return True

    def merged(self, after: Sequence[object], ends: Trace, held: Collection[int]) -> Sequence[object]:
        """The values after an iteration, with one object where variables are one of several that are made in it;
        `held` are the identities of those that were there before it."""
        unions = {n: name for n, name in self.one.items() if union_of(after[n]) is not None}
        with recording(ends):
            made = {
                n: _one_object(after[n], name, self.variables, _made([*after[:n], *after[n + 1 :]], held))
                for n, name in unions.items()
            }
        if any(value is None for value in made.values()):
            note_objects(after)
            raise _unsettled([*unions.values()], self.variables)
        return [made.get(n, value) for n, value in enumerate(after)]


def _one_object(value: object, name: str, variables: Variables, others: Collection[int]) -> object:
    """One object, list or dictionary that holds what the one of several holds which a variable is, each made anew in an
    iteration; those that something else may know stay what the variable may be besides. None where there is no other,
    or they are not alike. It must not be changed if one of them is among the `others`, by their identities, which
    other variables know.
    """
    union = union_of(value)
    options: Sequence[object] = [] if union is None else union._options
    there = [
        option for option in options if option is not None and option is not UNDEFINED
        if not ({*variables.existed(option)} - {name} or any(True for _ in holders(option, name)))
    ]  # fmt: skip
    if union is None or not there:
        return None
    # Where it is none of these, the first is read, which nobody looks at then.
    known = [option if any(option is one for one in there) else there[0] for option in options]
    bound = TaggedUnion(known, union._index, union._name, union._statement)
    part = functools.partial(each, bound)
    if all(isinstance(option, list) for option in there):
        made: Any = part(lambda option: option[:])
    elif all(isinstance(option, dict) for option in there):
        made = settled(bound)
        if made is bound:
            return None
        for inner, _ in counterparts(made):
            if inner is not made:
                share(inner, PERHAPS, name)  # a copy, of what others may know
    elif not all(map(is_object, there)) or len({(type(o), *sorted(attributes_of(o))) for o in there}) != 1:
        return None
    else:
        made = new_one(there[0])
        for key in attributes_of(there[0]):
            object.__setattr__(made, key, _one_attribute(bound, key, [_attribute(key, one) for one in there], name))
    if (one := next(filter(None, map(is_shared, there)), None)) is not None:
        share(made, one.what, one.name)
    if any(id(one) in others for one in there):
        share(made, PERHAPS, name)
    return with_one(union, made, there)


def _made(values: Sequence[object], held: Collection[int]) -> set[int]:
    """The identities of the objects in values, but of those that were there before."""
    return {id(one) for value in values for one, _ in counterparts(value)}.difference(held)


def _one_attribute(bound: TaggedUnion, key: str, held: Sequence[object], name: str) -> object:
    """What the one of several objects holds which a variable is. Of lists that nothing else knows it is a copy, for it
    would be one of more with each iteration."""
    value = each(bound, functools.partial(_attribute, key))
    union = union_of(value) if all(isinstance(one, list) for one in held) else None
    if union is None or any(True for one in held for _ in holders(one, name)):
        return value
    return one_list(union)


def _attribute(key: str, holder: object) -> object:
    return attributes_of(holder)[key]


def _unsettled(names: Sequence[str], variables: Variables) -> StagingError:
    which = ", ".join(f"'{n}'" for n in names)
    ways.takes(Way.KEYS)  # in which a dictionary that is made anew each time is one
    return StagingError(
        f"the type of {which} never settles in this loop: it has another structure after each iteration. What grows is "
        f"a list.\n  {variables.statement}"
    )


def _array_slots(plans: Sequence[object]) -> list[Slot]:
    """The slots of arrays that can be written, each once."""
    return list({s.number: s for plan in plans for s in slots(plan) if s.array is not None}.values())


def _arrays(
    names: Sequence[str], known: Sequence[object], join: Join, body: Trace, writes: dict[int, int]
) -> list[LoopArray]:
    """What is known of the arrays among the variables, in the order of their slots."""
    latest = {slot.number: slot.array for slot in join.arrays.values() if slot.array is not None}
    found = []
    for slot in _array_slots(known):
        assert slot.array is not None
        own = [n for n, plan in zip(names, known) if any(s.number == slot.number for s in slots(plan))]
        slot.array.sides = before, after = latest[slot.number].sides
        slot.array.held = latest[slot.number].held
        count = writes.get(id(before.place), before.place.writes) if isinstance(before, Array) else 0
        inside = slot.array.made.get(body)
        if inside is not None:
            found.append(LoopArray(own, slot.array, before, inside, after, count, slot.number))
    return found


def _untouched(value: object) -> object:
    """What a variable is taken to be after an iteration, before there was one: a Python object stays what it is."""
    leaves = nest.parts(value) if isinstance(value, tuple) else [value]
    return UNSET if all(is_leaf(leaf) for leaf in leaves) else value


def staged_for(
    items: object,
    test: Callable[..., object] | None,
    body: Callable[..., Sequence[object]],
    state: Sequence[object],
    variables: Variables,
    ask: Callable[..., Any] = lambda question, *_: question(),
) -> list[object]:
    """A loop over the first axis of a tensor, or over other items that the graph has by index."""
    if is_walked(items):
        raise OneByOne
    try:
        unless = None if test is None else "a loop over it may have ended early"
        found = items_or_steps(taken(items, unless, one_by_one=True))
    except TypeError as error:
        if isinstance(items, FromNumpy):
            raise  # as Python does
        raise StagingError(f"{error}\n  {variables.statement}") from None
    if isinstance(found, Steps):
        return _over_steps(found, test, body, state, variables)
    total, now = found.end, found.now

    def go_on(index: Tensor, *values: object) -> object:
        if now is None:
            return index < total if test is None else apply(ew.logical_and, index < total, truth(test(*values)))
        if test is None:
            return index < ask(lambda: now(index), *values)
        none = EagerTensor.of(np.bool_(False))
        return cond(truth(test(*values)), lambda: index < ask(lambda: now(index), *values), lambda: none)

    def iteration(index: Tensor, *values: object) -> Sequence[object]:
        before = [now.place.writes if isinstance(now, Array) else 0 for now in values]
        after = body(_named(lambda: found.element(index), variables), *values)
        for was, inside, count in zip(state, values, before):
            if isinstance(inside, Array) and inside.place.writes > count and any(was is one for one in found.sources()):
                raise StagingError(
                    "this loop goes through an array that is changed in it, and that a variable is which is assigned "
                    f"in it: write `for i in range(len(x))`, and x[i].\n  {variables.statement}"
                )
        return [index + 1, *after]

    kind = total.dtype if isinstance(total, Tensor) else int64 if total > int32.max else int32
    start = [EagerTensor.of(np.zeros((), kind.dtype))]
    runs = isinstance(total, int) and total > 0 and test is None
    return staged_while(go_on, iteration, state, variables, start, runs)


def _named(make: Callable[[], object], variables: Variables) -> Callable[[], object]:
    """What makes an item, which is called as the user calls it."""

    def made() -> object:
        item = make()
        if isinstance(item, SymbolicTensor):
            item.value.hint = variables.item
        return item

    return made


def _over_steps(
    steps: Steps,
    test: Callable[..., object] | None,
    body: Callable[..., Sequence[object]],
    state: Sequence[object],
    variables: Variables,
) -> list[object]:
    """A loop over items that are asked for one after the other, none before it is needed."""

    def go_on(*values: object) -> object:
        return steps.advance() if test is None else cond(truth(test(*values)), steps.advance, lambda: False)

    def iteration(*values: object) -> Sequence[object]:
        return body(_named(steps.item, variables), *values)

    return staged_while(go_on, iteration, state, variables)


@hides_frames
def while_loop(
    cond: Callable[..., TensorLike],
    body: Callable[..., Structure],
    loop_vars: Sequence[Structure],
    shape_invariants: Structure = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: SizeLike | None = None,
    name: str | None = None,
) -> Structure:
    """Repeat ``loop_vars = body(*loop_vars)`` for as long as ``cond(*loop_vars)`` holds.

    Args:
      cond: takes the variables of the loop, and returns a scalar: a tensor of shape (), or a bool.
      body: takes the variables, and returns their new values, of the same structure and dtypes.
      loop_vars: what they start with: a list or tuple of nested structures of tensors.
      shape_invariants: one for each; dimensions that change from iteration to iteration become unknown by themselves.
      maximum_iterations: after how many iterations the loop ends in any case.
      parallel_iterations, back_prop, swap_memory: accepted.
    Returns: the last values, as a list or tuple like `loop_vars`.
    Raises:
      ValueError: if `body` does not return one value of the same structure for each variable.

    >>> i, total = tf.while_loop(lambda i, total: i < 4, lambda i, total: (i + 1, total + i), [0, 0])
    >>> print(total)
    tf.Tensor(6, shape=(), dtype=int32)
    """
    if not callable(cond) or not callable(body):
        raise TypeError("while_loop needs two functions: while_loop(cond, body, loop_vars)")
    variables = list(settled(loop_vars))
    limit = maximum_iterations
    cond, body = converted(cond), converted(body)

    def iteration(*values: object) -> list[object]:
        result = body(*values)
        if len(values) == 1 and (not isinstance(result, list | tuple) or isinstance(values[0], list | tuple)):
            return [result[0] if isinstance(result, list | tuple) and len(result) == 1 else result]
        if not isinstance(result, list | tuple) or len(result) != len(values):
            wanted = f"{len(values)} value{'s' * (len(values) != 1)}, one for each of loop_vars"
            raise ValueError(f"body must return {wanted}; it returned {result!r}")
        return list(result)

    if current() is None:
        iterations = 0
        while (limit is None or iterations < int(operand(limit))) and cond(*variables):
            before, variables = variables, iteration(*variables)
            for was, now in zip(before, variables):
                if not nest.alike(was, now):
                    raise ValueError(
                        f"body must return variables of the structure that they have: one was {_shape_of(was)}, and is "
                        f"{_shape_of(now)}"
                    )
            iterations += 1
        made = [_tensors(v) for v in variables]
        return tuple(made) if isinstance(loop_vars, tuple) else made
    if isinstance(shape_invariants, list | tuple) and len(shape_invariants) != len(variables):
        raise ValueError(f"{len(shape_invariants)} shape_invariants for {len(variables)} loop_vars: one for each")
    names = tuple(f"loop_vars[{i}]" for i in range(len(variables)))
    if limit is None:
        result = staged_while(cond, iteration, variables, Variables(names, ""))
    else:
        start = [EagerTensor.of(np.int32(0))]

        def both(iterations: Tensor, *values: object) -> object:
            return apply(ew.logical_and, iterations < limit, truth(cond(*values)))

        result = staged_while(both, lambda t, *v: [t + 1, *iteration(*v)], variables, Variables(names, ""), start)
    return tuple(result) if isinstance(loop_vars, tuple) else result


def _tensors(value: object) -> object:
    return nest.map_structure(lambda v: operand(v) if is_leaf(v) and not isinstance(v, TensorArray) else v, value)


@hides_frames
def map_fn(
    fn: Callable[[Structure], Structure],
    elems: Structure,
    dtype: Structure = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Structure = None,
) -> Structure:
    """What a function returns for each part of tensors along their first axis, stacked.

    Args:
      fn: takes one part, and returns tensors whose shapes are the same each time.
      elems: a tensor of shape [n, …], or a nested structure of such tensors, of which `fn` gets the parts together.
      fn_output_signature: dtypes, or TensorSpecs, of the results: Python's numbers become these, and tensors of others
        are an error.
      dtype: the older name of that.
      parallel_iterations, back_prop, swap_memory, infer_shape: accepted.
    Returns: a tensor of shape [n, *the shape of a result], or a structure of such, as `fn` returns it.
    Raises:
      ValueError: if a result is of another dtype or shape than announced, or the first axes differ.

    >>> print(tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3])))
    tf.Tensor([1 4 9], shape=(3,), dtype=int32)
    """
    if not callable(fn):
        raise TypeError(f"map_fn(fn, elems) needs a function, and fn is {fn!r:.80}")
    wanted = dtype if fn_output_signature is None else fn_output_signature
    fn = converted(fn)

    def step(_: object, element: object) -> object:
        made = fn(element)
        return made if wanted is None else nest.map_structure(_of_kind, made, wanted)

    given = settled(elems)
    if not has_rows(given, wanted):
        return _scanned(step, given, None, reverse=False)
    numbers, part_of = picking(given)
    if not has_rows(wanted):
        return _scanned(lambda _, at: step(None, part_of(at)), numbers, None, reverse=False)  # type: ignore[arg-type]
    return _mapped_to_rows(lambda at: fn(part_of(at)), numbers, wanted)


def _mapped_to_rows(fn: Callable[[Tensor], object], numbers: Tensor, wanted: Structure) -> Structure:
    """What a function returns for each number, of which rows of different lengths were announced."""
    specs: list[Any] = nest.flatten(wanted)
    count = numbers.shape[0]
    kept = [Collected(s) if isinstance(s, RaggedTensorSpec) else None for s in specs]
    arrays = [
        [TensorArray(getattr(spec, "dtype", spec), size=count)] if one is None else one.arrays(count)
        for spec, one in zip(specs, kept)
    ]

    def iteration(index: Tensor, *held: TensorArray) -> list[object]:
        made = nest.flatten(fn(index), expanded=False)  # type: ignore[arg-type]
        if len(made) != len(specs):
            raise ValueError(f"fn returned {len(made)} values, and {len(specs)} were announced")
        parts = [
            part
            for value, spec, one in zip(made, specs, kept)
            for part in ([_of_kind(value, spec)] if one is None else one.parts(value))
        ]
        return [index + 1, *(array.write(index, part) for array, part in zip(held, parts, strict=True))]

    start = [EagerTensor.of(np.int32(0)), *(array for some in arrays for array in some)]
    done = iter(while_loop(lambda index, *_: index < count, iteration, start)[1:])
    whole = [[next(done) for _ in some] for some in arrays]
    found = (some[0].stack() if one is None else one.whole(some) for some, one in zip(whole, kept))
    return nest.rebuild(wanted, iter([*found]))


def _of_kind(part: TensorLike, kind: DTypeLike | TensorSpec) -> Tensor:
    """A result as it was announced: by a dtype or a TensorSpec."""
    made: Tensor = convert_to_tensor(part, kind.dtype if isinstance(kind, TensorSpec) else kind)
    if isinstance(kind, TensorSpec) and not kind.shape.is_compatible_with(made.shape):
        raise ValueError(f"fn returned a tensor of shape {made.shape}, and {kind} was announced")
    return made


@hides_frames
def scan(
    fn: Callable[[Structure, Structure], Structure],
    elems: Structure,
    initializer: Structure = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Structure:
    """All values of ``a = fn(a, part)``, one for each part of tensors along their first axis, stacked.

    Args:
      fn: takes the value so far and one part, and returns the next value, of the same structure, dtypes and shapes.
      elems: a tensor of shape [n, …], or a nested structure of such tensors.
      initializer: the value before the first part; by default the first part is the first value.
      reverse: whether to begin with the last part; the values stay in the order of the parts.
      parallel_iterations, back_prop, swap_memory, infer_shape: accepted.
    Returns: a tensor of shape [n, *the shape of a value], or a structure of such.

    >>> print(tf.scan(lambda total, x: total + x, tf.constant([1, 2, 3])))
    tf.Tensor([1 3 6], shape=(3,), dtype=int32)
    """
    if not callable(fn):
        raise TypeError(f"scan(fn, elems) needs a function, and fn is {fn!r:.80}")
    fn = converted(fn)
    elems, initializer = settled(elems), settled(initializer)
    if initializer is not None:
        return _scanned(fn, elems, initializer, reverse)
    _leaves(elems)
    at = -1 if reverse else 0
    rest = slice(None, -1) if reverse else slice(1, None)
    first = nest.map_structure(lambda e: operand(e)[at], elems)
    others = nest.map_structure(lambda e: operand(e)[rest], elems)
    results = _scanned(fn, others, first, reverse)

    def joined(start: Tensor, stacked: object) -> Tensor:
        parts = [stacked, start[None]] if reverse else [start[None], stacked]
        return apply(shape_ops.concat, *parts, axis=0)

    return nest.map_structure(joined, first, results)


@hides_frames
def foldl(
    fn: Callable[[Structure, Structure], Structure],
    elems: Structure,
    initializer: Structure = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Structure:
    """The last value of ``a = fn(a, part)``, one for each part of tensors along their first axis, from the first on.

    Args:
      fn: takes the value so far and one part, and returns the next value, of the same structure and dtypes.
      elems: a tensor of shape [n, …], or a nested structure of such tensors.
      initializer: the value before the first part; by default the first part is the first value.
      parallel_iterations, back_prop, swap_memory: accepted.
    Returns: a tensor, or a structure of tensors, of the shapes and dtypes of a value.
    Raises:
      InvalidArgumentError: if there are no parts and no `initializer`.

    >>> print(tf.foldl(lambda a, x: a * 10 + x, tf.constant([1, 2, 3])))
    tf.Tensor(123, shape=(), dtype=int32)
    """
    return _folded(converted(fn), elems, settled(initializer), reverse=False)


@hides_frames
def foldr(
    fn: Callable[[Structure, Structure], Structure],
    elems: Structure,
    initializer: Structure = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Structure:
    """The last value of ``a = fn(a, part)``, one for each part of tensors along their first axis, from the last on.

    Args:
      fn: takes the value so far and one part, and returns the next value, of the same structure and dtypes.
      elems: a tensor of shape [n, …], or a nested structure of such tensors.
      initializer: the value before the last part; by default the last part is the first value.
      parallel_iterations, back_prop, swap_memory: accepted.
    Returns: a tensor, or a structure of tensors, of the shapes and dtypes of a value.
    Raises:
      InvalidArgumentError: if there are no parts and no `initializer`.

    >>> print(tf.foldr(lambda a, x: a * 10 + x, tf.constant([1, 2, 3])))
    tf.Tensor(321, shape=(), dtype=int32)
    """
    return _folded(converted(fn), elems, settled(initializer), reverse=True)


def _folded(step: Callable[..., object], elems: Structure, start: Structure, reverse: bool) -> Structure:
    elems = settled(elems)
    leaves = _leaves(elems)
    total = _count(leaves[0])

    def element(index: Size) -> object:
        return nest.rebuild(elems, iter([e[index] for e in leaves]))

    first = 0
    if start is None:
        if isinstance(total, int) and total == 0:
            raise InvalidArgumentError("there are no parts along the first axis, so an initializer is needed")
        start = element(total - 1 if reverse else 0)
        first = 1

    def iteration(index: Tensor, carry: Structure) -> tuple[object, Structure]:
        return index + 1, step(carry, element(total - 1 - index if reverse else index))

    index = EagerTensor.of(np.int32(first))
    return while_loop(lambda index, carry: index < total, iteration, (index, start))[1]  # type: ignore[index]


def _leaves(elems: Structure) -> list[Tensor]:
    """The tensors whose parts a function gets."""
    for given in nest.flatten(elems, expanded=False):
        refuse_composites(given, "a function of the parts of tensors")
    leaves = [operand(e) for e in nest.flatten(elems)]
    if not leaves:
        raise ValueError(f"elems must hold at least one tensor whose parts fn gets; it is {elems!r}")
    for leaf, given in zip(leaves, nest.flatten(elems)):
        if leaf.type.shape == ():
            listed = f": a list is several tensors here, so write tf.constant({elems!r:.60})" * isinstance(elems, list)
            raise ValueError(f"a number has no parts to go through, and elems holds {given!r:.60}{listed}")
    counts = {count for leaf in leaves if isinstance(count := _count(leaf), int)}
    if len(counts) > 1:
        raise ValueError(
            f"elems has tensors of {sorted(counts)} parts along their first axes, which go together one by one"
        )
    return leaves


def _count(tensor: Tensor) -> Size:
    """How many parts there are along the first axis, an int where that is known."""
    (count, *_) = pattern(tensor.type.shape) or (None,)
    return apply(shape_ops.length, tensor, axis=0, dtype=int32) if count is None else count


@hides_frames
def vectorized_map(
    fn: Callable[[Structure], Structure],
    elems: Structure,
    fallback_to_while_loop: bool = True,
    warn: bool = True,
) -> Structure:
    """What a function returns for each part of tensors along their first axis, stacked: `map_fn` by its other name.

    Args:
      fn: takes one part, and returns tensors whose shapes are the same each time.
      elems: a tensor of shape [n, …], or a nested structure of such tensors.
      fallback_to_while_loop: it is always a loop, which native code makes fast; False is refused.
      warn: accepted.
    Returns: a tensor of shape [n, *the shape of a result], or a structure of such, as `fn` returns it.
    Raises:
      NotImplementedError: for ``fallback_to_while_loop=False``.

    >>> print(tf.vectorized_map(lambda x: x * x, tf.constant([1, 2, 3])))
    tf.Tensor([1 4 9], shape=(3,), dtype=int32)
    """
    if not fallback_to_while_loop:
        raise NotImplementedError("vectorized_map(fallback_to_while_loop=False): it is a loop in any case")
    return map_fn(fn, elems)


def _scanned(step: Callable[..., object], elems: object, start: object, reverse: bool) -> object:
    elems = settled(elems)
    leaves = _leaves(elems)
    total = _count(leaves[0])
    if current() is None and isinstance(total, int) and total > 0:
        return _one_by_one(step, elems, leaves, range(total), start, reverse)

    def element(index: Tensor) -> object:
        at = total - 1 - index if reverse else index
        return nest.rebuild(elems, iter([e[at] for e in leaves]))

    def iteration(index: Tensor, carry: object, *outputs: TensorArray) -> list[object]:
        result = step(carry, element(index))
        at = total - 1 - index if reverse else index
        values = [operand(v) for v in nest.flatten(result)]
        written = [a.write(at, v) for a, v in zip(outputs, values, strict=True)]
        return [index + 1, carry if start is None else result, *written]

    made = _aside(step, start, elems, leaves)
    _check_structure(start, made)
    results = [operand(v) for v in nest.flatten(made)]
    is_empty = isinstance(total, int) and total == 0
    arrays = [TensorArray(v.dtype, size=total, element_shape=v.type.shape if is_empty else None) for v in results]
    loop_vars = [EagerTensor.of(np.int32(0)), start, *arrays]
    done = while_loop(lambda index, *_: index < total, iteration, loop_vars)
    return nest.rebuild(made, iter([a.stack() for a in done[2:]]))


def _one_by_one(
    step: Callable[..., object], elems: object, leaves: Sequence[Tensor], positions: range, start: object, reverse: bool
) -> object:
    """What steps give that run at once: each gets parts that have a value, and is called once."""
    carry = start
    made: list[object] = []
    for at in reversed(positions) if reverse else positions:
        result = step(carry, nest.rebuild(elems, iter([e[at] for e in leaves])))
        _check_structure(start, result)
        if made and not nest.alike(made[0], result):
            raise ValueError(
                f"fn must return the same structure each time: it returned {_shape_of(made[0])}, then "
                f"{_shape_of(result)}"
            )
        made.append(result)
        carry = carry if start is None else result
    first = made[0]
    columns = zip(*[nest.flatten(result) for result in (reversed(made) if reverse else made)], strict=True)
    return nest.rebuild(first, iter([_stacked(column) for column in columns]))


def _stacked(parts: Sequence[object]) -> Tensor:
    """Values of one dtype and shape along a new first axis."""
    array = TensorArray(operand(parts[0]).dtype, size=len(parts))
    for at, part in enumerate(parts):
        array = array.write(at, operand(part))
    return array.stack()


def _check_structure(start: object, made: object) -> None:
    """Check that the value so far keeps its structure, where there is one."""
    if start is not None and not nest.alike(start, made):
        raise ValueError(
            f"scan needs the value so far to keep its structure: it begins as {_shape_of(start)}, and fn returns "
            f"{_shape_of(made)}"
        )


def _shape_of(value: object) -> str:
    return nest.describe(value, lambda _: "a value")


def _aside(step: Callable[..., object], start: object, elems: object, leaves: list[Tensor]) -> object:
    """What a step gives, traced aside; its element is one of any number, which may be none."""
    aside = Trace("aside", current())
    with recording(aside):
        some = [
            SymbolicTensor(aside, aside.input(replace(e.type, shape=(None, *e.type.shape[1:])), "elems"))
            if e.type.shape and e.type.shape[0] == 0
            else e
            for e in leaves
        ]
        return step(start, nest.rebuild(elems, iter([e[0] for e in some])))
