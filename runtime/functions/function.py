"""`function`: a Python function traced once for each signature and run as a graph."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import pickle
import sys
import threading
import types
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeGuard, TypeVar, overload

import autograph
from autograph.dispatch import Signal
from autograph.errors import Refuses
from autograph.operators.behind import register_behind
from autograph.reading import found_in
from runtime.control.recursion import is_going_on, recursive
from runtime.executors import check
from runtime.functions.binding import Binding, is_library, specs_of
from runtime.functions.calls import ANOTHER
from runtime.functions.compiled import CompilerText
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.exclusive import Exclusive
from runtime.functions.features import check_features
from runtime.functions.graphs import Graphs, Latest, with_key
from runtime.functions.history import History
from runtime.functions.initial import value_now
from runtime.functions.lending import Lending
from runtime.functions.retracing import Retracing, Unwatched
from runtime.functions.shortcuts import Shortcuts
from runtime.functions.signature import Arguments
from runtime.functions.state import Identity
from runtime.functions.tracing import Anonymous, is_lent_instead, is_refusal, refused_argument, traced
from runtime.functions.unfinished import until_raised
from runtime.graph import settings as config
from runtime.graph.errors import AnotherArrayError, OperatorNotAllowedInGraphError, VariableCreationError
from runtime.graph.graph import Value
from runtime.ops import effects
from runtime.tensors import nest
from runtime.tensors.clauses import is_guarded
from runtime.tensors.composite_specs import opened
from runtime.tensors.frames import hide
from runtime.tensors.spec import TensorSpec
from runtime.tensors.trace import AnotherArrayAt, Recurs, Trace, Which, current, joined, ways
from runtime.tensors.types import Structure

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
Self_ = TypeVar("Self_")
Rest = ParamSpec("Rest")
F = TypeVar("F", bound="Function[..., Any]")

_CHECKED = "finite"  # part of the keys of graphs that check what they compute
_binding = threading.RLock()  # of methods to their objects
_AS_BEFORE = "What {0} had changed before is as it was before the call: a graph of its own cannot leave that. {1}"
_ATTEMPTS = 100  # functions that may be found to call themselves, one after the other


class Function(Generic[P, R]):
    """A callable that traces its Python function into a graph for each new signature, and then runs the graph.

    Tensors and NumPy arrays count by dtype and shape, Python values by type and value, other objects by identity.
    Each has a class of its own, as that is where Python looks for what a call does.
    `function` makes one, and explains the options.

    >>> square = tf.function(lambda x: x * x)
    >>> print(square(tf.constant([1, 2])), square(tf.constant([3, 4])))
    tf.Tensor([1 4], shape=(2,), dtype=int32) tf.Tensor([ 9 16], shape=(2,), dtype=int32)
    >>> square.experimental_get_tracing_count()
    1
    """

    def __new__(cls, *_: object, **__: object) -> Function[P, R]:
        return object.__new__(_own(cls))

    def __init__(
        self,
        python_function: Callable[P, R],
        name: str | None = None,
        input_signature: Sequence[TensorSpec] | None = None,
        autograph: bool = True,
        jit_compile: bool | str | None = None,
        reduce_retracing: bool = False,
        experimental_follow_type_hints: bool = False,
        numpy: bool = False,
    ) -> None:
        if not callable(python_function) and not isinstance(python_function, classmethod | staticmethod):
            raise TypeError(f"function makes a graph of a function; {_shown(python_function)} cannot be called")
        check(jit_compile)
        self.python_function = python_function
        self.__wrapped__ = python_function
        self._options: dict[str, Any] = {
            "name": name, "input_signature": input_signature, "autograph": autograph, "jit_compile": jit_compile,
            "reduce_retracing": reduce_retracing, "experimental_follow_type_hints": experimental_follow_type_hints,
            "numpy": numpy,
        }  # fmt: skip
        self._set_up(python_function)

    def _set_up(self, python_function: Callable[..., object]) -> None:
        """What does not keep the function alive, nor what it is bound to."""
        options = self._options
        for attribute in functools.WRAPPER_ASSIGNMENTS:
            if hasattr(python_function, attribute):
                setattr(self, attribute, getattr(python_function, attribute))
        self.__name__ = str(options["name"] or getattr(python_function, "__name__", type(python_function).__name__))
        self.jit_compile = options["jit_compile"]
        self.gives_numpys = bool(options["numpy"])
        self.input_signature = specs_of(options["input_signature"])
        self._binding = Binding(
            python_function, self.__name__, self.input_signature, options["experimental_follow_type_hints"],
            self.gives_numpys,
        )  # fmt: skip
        self._concrete = Graphs()
        self._shortcuts = Shortcuts()
        self._several_arrays: frozenset[AnotherArrayAt] = frozenset()  # where lists may become one of several
        self._one_array: frozenset[AnotherArrayAt] = frozenset()  # where they may not, as that is refused
        self._retracing = Retracing()
        self._history = History()
        alike = functools.partial(_lender, **{**options, "name": self.__name__})
        self._lending: Lending | None = Lending(alike, self._binding.unbound)  # none of what was made to be lent to
        self._lock = Exclusive()
        self._by_value: dict[object, str] = {}  # why it knows the numbers of some arguments by their values
        self._methods: dict[int, _Bound] = {}
        self._latest = Latest()
        self._traces = 0
        self._shows = True  # what it prints
        self._not_converted = ""
        self._created = 0
        self._may_create = True
        self._attributes = types.SimpleNamespace()
        for name, value in vars(python_function).items() if type(python_function) is types.FunctionType else ():
            setattr(self, name, value)

    # The attributes that a program gives it are apart, where they are known to be the program's.

    def __setattr__(self, name: str, value: object) -> None:
        known = self.__dict__
        if name in known or "_attributes" not in known or found_in(type(self), name) is not None:
            object.__setattr__(self, name, value)
        else:
            setattr(known["_attributes"], name, value)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_attributes"].__dict__[name]
        except KeyError:
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            ) from None

    def __delattr__(self, name: str) -> None:
        of = self.__dict__["_attributes"]
        delattr(of, name) if name in vars(of) else object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *vars(self._attributes)]

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Function[P, R]: ...
    @overload
    def __get__(
        self: Function[Concatenate[Self_, Rest], R], instance: Self_, owner: type | None = None
    ) -> Function[Rest, R]: ...
    def __get__(self, instance: object, owner: type | None = None) -> object:
        """As a method: a function of its own for each instance."""
        known = self._methods.get(id(instance))
        if known is None or known.instance() is not instance:
            if isinstance(self.python_function, classmethod | staticmethod):
                instance = type(instance) if owner is None else owner
            elif instance is None or not hasattr(type(self.python_function), "__get__"):
                return self
            with _binding:
                known = self._methods.get(id(instance))
                if known is None or known.instance() is not instance:
                    known = self._methods[id(instance)] = _Bound(self, instance)
                    if not isinstance(known.instance, weakref.ref):
                        self._latest.add(self._methods, id(instance))
        method = known.method()
        if method is None:
            method = _new(known.kind)
            method.__dict__ = known.state
            method.__self__ = instance
            known.method = weakref.ref(method)  # as long as it lives, it is the same
        return method

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        result: Any
        if not kwargs:
            result = self._shortcuts.called(args)
            if result is not None:
                return result
        if config.busy.value:
            if config.functions_run_eagerly():
                try:
                    return self.python_function(*args, **kwargs)
                except Exception as error:
                    hide(error)
                    raise
            # What a recursion returns is not known yet; what a method changes that its caller keeps is the caller's.
            if self._is_being_traced() or is_going_on() or self._is_part_of_caller():
                return recursive(self._converted, args, kwargs)
            quick = None
        else:
            quick = self._shortcuts.calls.find(args, kwargs)
        try:
            if quick is not None:
                run, leaves = quick
                try:
                    result = run(leaves)
                except AnotherArrayError:  # there is a graph for that, or will be
                    result = ANOTHER
                if result is not ANOTHER:
                    return result
            return self._called(args, kwargs)
        except Anonymous:
            self._know_variables()
            return self(*args, **kwargs)
        except Exception as error:  # the traceback shows the user's lines, and those of the graph
            hide(error)
            raise

    def _called(self, args: Sequence[object], kwargs: dict[str, object]) -> Any:
        """Find the graph for a call, and run it."""
        may_lend = self.gives_numpys and self.input_signature is None and current() is None
        lending = self._lending if may_lend else None
        if lending:
            with contextlib.suppress(Refuses):
                return self._lent(lending, args, kwargs)
        given = self._binding.arguments(args, kwargs)
        lends, ways.lends = ways.lends, lending is not None
        try:
            arguments, concrete = self._found(given)
        except Refuses as refusal:
            found = refused_argument(refusal)
            if found is not None and self._can_join_caller():
                raise joined(self.__name__, "changes a container that its caller has") from None
            if lending is None:
                raise
            for _ in lending.more(found, given.bound):
                with contextlib.suppress(Refuses):
                    return self._lent(lending, args, kwargs)
            if not is_lent_instead(refusal):
                raise
            arguments, concrete = self._found_without_lending(given)
        finally:
            ways.lends = lends
        if concrete._tells_of_caller and self._can_join_caller():
            concrete._undo()
            raise joined(self.__name__, "changes what its caller may have, or asks which array one is")
        leave = functools.partial(self._leave_as_raised, args, kwargs)

        def unfinished(error: Exception) -> str:
            is_called_anew = concrete._may_begin_anew or self._may_be_another(error, concrete)
            return "" if is_called_anew else leave(concrete)

        try:
            result = concrete.run(arguments.tensors(), arguments.bound, arguments.kept, unfinished)
        except Exception as error:
            if self._may_be_another(error, concrete):
                return self._called_with_another(
                    error, lambda: leave(concrete) if concrete._changes_state else "", args, kwargs
                )
            if not concrete._may_begin_anew:
                raise
            with self._lock.held():
                concrete = self._trace(arguments)
            result = concrete.run(arguments.tensors(), arguments.bound, None, lambda _: leave(concrete))
        if concrete.acts:
            return result
        if given.key in self._by_value or current() is not None or config.checks_numerics():
            return result
        if concrete._takes_arrays and effects.act(concrete.graph.nodes):
            return result
        if self._binding.may_repeat(args, kwargs, arguments):
            if self._shortcuts.add(args, kwargs, [*arguments.bound], concrete):  # needs no frame of Python's
                type(self).__call__ = staticmethod(concrete._front(self._long_way()))  # type: ignore[method-assign]
        return result

    def _may_be_another(self, error: Exception, concrete: ConcreteFunction) -> TypeGuard[AnotherArrayError]:
        """Whether a graph that took a list to become one array has done nothing yet, and it was not known that it may
        become another."""
        if not isinstance(error, AnotherArrayError):
            return False
        place = AnotherArrayAt(error.filename, error.line)
        if place in self._several_arrays or place in self._one_array or current() is not None:
            return False
        return not effects.act(concrete.graph.nodes)

    def _called_with_another(
        self, error: AnotherArrayError, leave: Callable[[], str], args: Sequence[object], kwargs: dict[str, object]
    ) -> Any:  # fmt: skip
        """Call it with a graph in which a list may become either; raise what told of it if there is no such graph, once
        what had been changed is left."""
        place = AnotherArrayAt(error.filename, error.line)
        self._several_arrays |= {place}
        try:
            return self._called(args, kwargs)
        except Refuses:
            self._several_arrays -= {place}
            self._one_array |= {place}
            if note := leave():
                error.add_note(note)
            raise error from None

    def _leave_as_raised(
        self, args: Sequence[object], kwargs: Mapping[str, object], concrete: ConcreteFunction
    ) -> str:  # fmt: skip
        """Leave what a call that has raised an exception had changed until then; where that cannot be done, say why."""
        if not self.gives_numpys or not self._options["autograph"] or current() is not None:
            return ""
        if not self._shows:  # it leaves what another has changed, and raises what that does not know of
            return ""
        if not concrete._may_run_again:
            return _AS_BEFORE.format(self.__name__, "It draws random numbers, calls Python or writes Variables.")
        function: Callable[..., object] = self.python_function
        given: Sequence[object] = args
        if isinstance(function, MethodType):  # which is made anew for each call
            function, given = function.__func__, (function.__self__, *args)  # type: ignore[attr-defined]
        try:
            _until_raised(False if self.jit_compile is False else None)(function, given, kwargs)
        except Refuses as refusal:
            return _AS_BEFORE.format(self.__name__, str(refusal).splitlines()[0])
        except Exception:  # it is told what was raised first
            pass
        return ""

    def _lent(self, lending: Lending, args: Sequence[object], kwargs: dict[str, object]) -> Any:
        """Call it with what is lent held by an object."""
        function, own = self.python_function, self._bound_to()
        if own:
            function = function.__func__  # type: ignore[attr-defined]  # a method is made anew for each call
        return lending.called(function, own, self._binding.given(args, kwargs))

    def _found(self, arguments: Arguments) -> tuple[Arguments, ConcreteFunction]:
        """The graph for a call, and its arguments as a signature that says which arrays are one, if that matters."""
        arguments, concrete = self._valued(arguments)
        if concrete._tells_apart and (same := arguments.with_aliases(concrete.writes)) is not None:
            concrete._undo()
            arguments = same
            concrete = self._find(arguments)
        return arguments, concrete

    def _found_without_lending(self, arguments: Arguments) -> tuple[Arguments, ConcreteFunction]:
        """The same where all else is tried, as lending was in vain."""
        ways.lends = False
        try:
            return self._found(arguments)
        except Refuses as refusal:
            raise refusal from None

    def _valued(self, arguments: Arguments) -> tuple[Arguments, ConcreteFunction]:
        """The same, where NumPy's numbers are Python's, with a graph for each value, if there is none for all."""
        if arguments.key in self._by_value and (valued := arguments.by_value()) is not None:
            return self._telling(valued)
        try:
            return self._telling(arguments)
        except Exception as refusal:
            valued = arguments.by_value() if self.gives_numpys and current() is None else None
            if valued is None or self.input_signature is not None or not is_refusal(refusal):
                raise
            with contextlib.suppress(Refuses):
                found = self._telling(valued)
                self._by_value[arguments.key] = str(refusal).partition("\n")[0]
                return found
            raise

    def _telling(self, arguments: Arguments) -> tuple[Arguments, ConcreteFunction]:
        """The same, where tracing it asks which arrays are one."""
        try:
            return arguments, self._find(arguments)
        except Which:
            same = arguments.with_aliases(writes=False)
            assert same is not None
            return same, self._find(same)

    def _know_variables(self) -> None:
        """Trace for each Variable that is passed from now on, as what is done with them depends on which they are."""
        if self._binding.by_identity or self.input_signature is not None:
            if current() is not None:
                raise Anonymous  # whoever has handed them on has to know them
            raise autograph.StagingError(
                f"what {self.__name__} does depends on which Variable it is given, as of an optimizer that keeps state "
                "for each. Leave the input_signature out, or let the function find the Variable around itself."
            )
        self._binding.by_identity = True

    def _long_way(self) -> Callable[..., object]:
        return MethodType(Function.__call__, self)

    def _is_being_traced(self) -> bool:
        """Whether the call comes from the function itself."""
        trace = current()
        while trace is not None:
            if isinstance(trace.function, Function) and trace.function._lock is self._lock:  # bound to the same object
                return True
            trace = trace.parent
        return False

    def _is_part_of_caller(self) -> bool:
        """Whether the call becomes part of the graph that is being traced, which has what the program keeps.

        Raises StagingError where it has to, as clauses around catch what this function raises: the graph is traced
        anew, and then what this function reaches is looked after from the start.
        """
        if not self._can_join_caller():
            return False
        if not ways.join and is_guarded():
            raise joined(self.__name__, "is called where a clause may catch what it raises")
        return ways.join

    def _can_join_caller(self) -> bool:
        """Whether a call could become part of the graph that is being traced."""
        trace = current()
        return self.gives_numpys and self.input_signature is None and trace is not None and trace.root.numpys

    def get_concrete_function(self, *args: Structure, **kwargs: Structure) -> ConcreteFunction:
        """The graph for a signature.

        Args:
          args, kwargs: the arguments of a call, in which TensorSpecs may stand for tensors; without any, those of the
            `input_signature`.
        Returns: a ConcreteFunction.

        >>> @tf.function
        ... def double(x):
        ...     return x * 2
        >>> double.get_concrete_function(tf.TensorSpec([None], tf.int32))
        <ConcreteFunction double(x=int32(None,))>
        """
        if not args and not kwargs and self.input_signature is not None:
            args = self.input_signature
        if any(hasattr(leaf, "_opened") for leaf in nest.flatten([args, kwargs])):
            args, kwargs = opened([args, kwargs])
        try:
            return self._telling(self._binding.arguments(args, kwargs))[1]
        except Anonymous:
            self._know_variables()
            return self.get_concrete_function(*args, **kwargs)
        except Exception as error:
            hide(error)
            raise

    @property
    def name(self) -> str:
        """What the function is called.

        >>> tf.function(abs).name
        'abs'
        """
        return self.__name__

    def experimental_get_tracing_count(self) -> int:
        """How many times the function has been traced, which dtypes, shapes and Python values decide.

        >>> double = tf.function(lambda x: x * 2)
        >>> print(*[double(tf.constant(value)).numpy() for value in (1, 2, [1, 2])])
        2 4 [2 4]
        >>> double.experimental_get_tracing_count()
        2
        """
        return self._traces

    def explain_tracing(self) -> str:
        """Why the function has been traced as often as it has, as text.

        Each signature is compared with the earlier one that is most like it: the text says which argument was what and
        is what now, where the call is, and what to write for one graph to serve both.

        >>> f = tf.function(lambda x, n: x * n, name="f")
        >>> print([f(tf.constant([1, 2]), n).numpy().tolist() for n in (2, 3)])
        [[2, 4], [3, 6]]
        >>> print(f.explain_tracing())  # doctest: +ELLIPSIS
        f has been traced for 2 signatures.
        1. f(x=int32(2,), n=2) (...)
        2. f(x=int32(2,), n=3) (...)
           'n' was 2 and is 3: Python values are part of the graph. Pass a tensor, ...
        """
        return self._history.text(self.__name__)

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures that there is a graph for, as text, in the order in which they were traced.

        Args:
          verbose: whether there is more than the first line of each, as `ConcreteFunction.pretty_printed_signature`
            has it.

        >>> @tf.function
        ... def relu(x):
        ...     return tf.maximum(0.0, x)
        >>> print(relu(5.5).numpy(), relu([1, -1]).numpy(), relu(tf.constant([3.0, -3.0])).numpy())
        5.5 [1. 0.] [3. 0.]
        >>> print(relu.pretty_printed_concrete_signatures())
        relu(x=5.5)
          Returns:
            float32 Tensor, shape=()
        <BLANKLINE>
        relu(x=[1, -1])
          Returns:
            float32 Tensor, shape=(2,)
        <BLANKLINE>
        relu(x)
          Args:
            x: float32 Tensor, shape=(2,)
          Returns:
            float32 Tensor, shape=(2,)
        """
        known = [concrete for graphs in self._concrete.copy().values() for concrete in graphs]
        return "\n\n".join(concrete.pretty_printed_signature(verbose) for concrete in known)

    def experimental_get_compiler_ir(self, *args: Structure, **kwargs: Structure) -> CompilerText:
        """What becomes of the function for a signature, as text.

        Args:
          args, kwargs: the arguments of a call, in which TensorSpecs may stand for tensors.
        Returns: a function that takes the `stage` and gives its text: ``"traced"`` is the graph as it was traced,
          ``"graph"``, which it is by default, the one that runs, both as NumPy code; ``"llvm"`` is what becomes machine
          code, in LLVM's language. TensorFlow's `device_name` and `platform_name` may be given, and name the CPU.
        Raises:
          InvalidArgumentError: from that function, for ``"llvm"`` where nothing becomes machine code.
          ValueError: from that function, for other stages.

        >>> square = tf.function(lambda x: x * x, name="square")
        >>> print(square.experimental_get_compiler_ir(tf.constant(2))(stage="graph"))
        import numpy as np
        <BLANKLINE>
        <BLANKLINE>
        def square(x):
            return (x * x,)
        <BLANKLINE>
        """
        return CompilerText(self.get_concrete_function(*args, **kwargs), self.jit_compile)

    # The graphs.

    def _find(self, arguments: Arguments) -> ConcreteFunction:
        if config.checks_numerics():
            arguments = arguments.marked(_CHECKED)
        if several := self._several_arrays | {way for way in ways.taken if isinstance(way, AnotherArrayAt)}:
            arguments = arguments.marked(several)
        usable = self._concrete.usable(arguments.key, arguments)
        if usable is not None:
            return usable
        with self._lock.held():
            key = self._concrete.general(arguments.key, self._options["reduce_retracing"])
            usable = self._concrete.usable(key, arguments)
            if usable is None:
                created, traced = self._created, with_key(arguments, key)
                usable = self._trace_as_taken(traced, key)
                if not usable.acts:  # else each call acts, and is traced for that
                    self._concrete.keep(key, usable)
                self._history.note(traced, self._created > created, usable.acts)
                self._retracing.note(self.__name__, arguments, usable.acts, self._by_value.get(arguments.key[:-1], ""))
            return usable

    # Tracing.

    def _trace_as_taken(self, arguments: Arguments, key: object) -> ConcreteFunction:
        """Trace; where a graph acts, and could not begin anew if lists become other arrays than it takes them to, as
        one in which they may become either, if that is possible."""
        concrete = self._trace_again(arguments, key)
        places = concrete._takes_arrays
        if not places or current() is not None or concrete.acts or not effects.act(concrete.graph.nodes):
            return concrete
        before = self._several_arrays
        try:
            self._several_arrays |= places
            return self._trace_again(arguments, key)
        except Refuses:
            return concrete
        finally:
            self._several_arrays = before

    def _trace_again(self, arguments: Arguments, key: object) -> ConcreteFunction:
        """Trace; what an earlier call changed that outlives it is then an input, and what each run of the graph may
        change, if that is possible."""
        if current() is not None:
            return self._trace(arguments)
        changing = self._concrete.changing(key)
        if changing is not None and (again := self._trace_with_kept(arguments, key, changing)) is not None:
            return again
        concrete = self._trace(arguments)
        if concrete.acts:
            self._concrete.note_changing(key, concrete)
        elif concrete.held.has_large and changing is None:
            again = self._trace_with_kept(arguments, key, frozenset())
            return concrete if again is None or again.acts else again
        return concrete

    def _trace_with_kept(
        self, arguments: Arguments, key: object, changing: Collection[Identity]
    ) -> ConcreteFunction | None:  # fmt: skip
        """Trace with the arrays that the program keeps as inputs; None if that is refused."""
        try:
            concrete = self._trace(arguments, changing)
        except Refuses:
            self._concrete.note_changing(key, None)
            return None
        if concrete.acts:
            self._concrete.note_changing(key, None if changing else concrete)
        return concrete

    def _trace(self, arguments: Arguments, changing: Collection[Identity] | None = None) -> ConcreteFunction:
        created = self._created
        concrete = self._trace_guarded(arguments, changing)
        if self._created > created:  # the first call made Variables: what it does from now on is another graph
            self._may_create = False
            concrete = self._trace_guarded(arguments)
        self._may_create = False
        return concrete

    def _creates_variable(self) -> None:
        if not self._may_create:
            raise VariableCreationError(
                f"{self.__name__} tries to create a tf.Variable on a call that is not its first, or would at each "
                "call. A function may only create Variables on its first call; make the Variable outside, or only if "
                "there is none yet: `if v is None: v = tf.Variable(...)`."
            )
        self._created += 1

    def _value_now(self, trace: Trace, value: Value) -> object:
        return value_now(trace, value)

    def _trace_guarded(
        self, arguments: Arguments, changing: Collection[Identity] | None = None
    ) -> ConcreteFunction:  # fmt: skip
        """Trace, again for each function that is found to call itself; nothing internal goes on to the user."""
        outermost = current() is None
        for attempt in range(_ATTEMPTS):
            try:
                self._traces += 1
                return traced(self, self._converted, self._binding, arguments, self._bound_to(), changing)
            except OperatorNotAllowedInGraphError as error:
                if self._not_converted:
                    error.add_note(f"{self.__name__} was not converted: {self._not_converted}")
                raise
            except Signal as signal:
                if isinstance(signal, Recurs) and attempt < _ATTEMPTS - 1:
                    continue  # now it is known
                if not outermost or isinstance(signal, Anonymous | Which):
                    raise
                raise autograph.StagingError(
                    f"{self.__name__} cannot become a graph as it stands: {type(signal).__doc__} Pass what it needs as "
                    "arguments and return what it computes, or do without the recursion."
                ) from None
        raise AssertionError

    def _bound_to(self) -> tuple[object, ...]:
        return ()

    @functools.cached_property
    def _converted(self) -> Callable[..., object]:
        return self._conversion()

    def _conversion(self) -> Callable[..., object]:
        if (why := _gives_values_later(self.python_function)) is not None:
            raise autograph.StagingError(f"{self.__name__} {why}")
        if not self._options["autograph"] or is_library(self.python_function):
            return self.python_function
        try:
            converted: Callable[..., object] = autograph.traced_form(self.python_function)
        except autograph.SourceNotFoundError as error:  # it may do without: tell only if a tensor has to decide
            self._not_converted = str(error)
            return self.python_function
        return converted

    # Copies, as those of functions.

    def __copy__(self) -> Function[P, R]:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Function[P, R]:
        inner = copy.deepcopy(self.python_function, memo)
        return self if inner is self.python_function else Function(inner, **self._options)

    def __reduce__(self) -> str | tuple[object, ...]:
        module = sys.modules.get(getattr(self, "__module__", None) or "")
        name = getattr(self, "__qualname__", "")
        found: object = module
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self:
            return name  # by reference, as functions are
        if "<locals>" in name or "<lambda>" in name:
            raise pickle.PicklingError(
                f"{self!r} cannot be pickled: it was not defined at the top of a module, where unpickling could find it"
            )
        return _remade, (self.python_function, self._options)

    def __repr__(self) -> str:
        return f"<Function {self.__name__}>"


def _gives_values_later(function: object) -> str | None:
    """Why a function cannot become a graph, which gives all that it computes at once, or None."""
    while isinstance(function, functools.partial):
        function = function.func
    code = getattr(function, "__code__", None)
    where = f"({code.co_filename}:{code.co_firstlineno})" if code is not None else "here"
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return (
            f"is a generator function {where}, and a graph gives all that it computes at once. Return a list of the "
            "values instead of yielding them; functions that a graph calls may be generators."
        )
    if inspect.iscoroutinefunction(function):
        return (
            f"is a coroutine function {where}, and a graph cannot wait. Write `def` instead of `async def`, and await "
            "what it needs before the call."
        )
    return None


def _remade(python_function: Callable[..., object], options: dict[str, Any]) -> Function[..., object]:
    return Function(python_function, **options)


class Method(Function[..., Any]):
    """A Function bound to an object. It keeps the object alive, as a bound method does; what was traced for the object
    does not, and goes with it."""

    __slots__ = ("__self__",)
    _of: Function[..., object]
    if TYPE_CHECKING:
        __self__: Any

    @property
    def python_function(self) -> Callable[..., object]:  # type: ignore[override]
        unbound = self._of.python_function
        if isinstance(unbound, classmethod | staticmethod):
            return unbound.__get__(None, self.__self__)
        bound: Callable[..., object] = unbound.__get__(self.__self__, type(self.__self__))
        return bound

    @property
    def __wrapped__(self) -> Callable[..., object]:  # type: ignore[override]
        return self.python_function

    @property
    def _converted(self) -> Callable[..., object]:  # type: ignore[override]
        return self._conversion()

    def _bound_to(self) -> tuple[object, ...]:
        return (self.__self__,)

    def _long_way(self) -> Callable[..., object]:
        state, instance = self.__dict__, weakref.ref(self.__self__)

        def call(*args: object, **kwargs: object) -> object:
            method = _new(Method)
            method.__dict__, method.__self__ = state, instance()
            return Function.__call__(method, *args, **kwargs)

        return call

    def __deepcopy__(self, memo: dict[int, object]) -> Function[..., object]:
        return self._of.__get__(copy.deepcopy(self.__self__, memo))

    def __reduce__(self) -> tuple[object, ...]:
        return getattr, (self.__self__, self._of.python_function.__name__)

    def __repr__(self) -> str:
        return f"<Function {self.__name__} of {self.__self__!r}>"


_new: Any = object.__new__


def _own(cls: type[F]) -> type[F]:
    """A class of this kind for one function alone."""
    return type(cls.__name__, (cls,), {"__doc__": cls.__doc__, "__module__": cls.__module__, "__slots__": ()})


@functools.cache
def _until_raised(jit_compile: bool | str | None) -> Function[..., None]:
    """What leaves what a function has changed until it raises an exception, with machine code or without."""
    return _shown_nowhere(until_raised(), jit_compile)


def _shown_nowhere(
    function: Callable[..., object], jit_compile: bool | str | None, lends: bool = True
) -> Function[..., Any]:  # fmt: skip
    """A Function of whose graphs nobody sees anything but what they leave."""
    made = Function(function, numpy=True, jit_compile=jit_compile)
    made._retracing, made._shows = Unwatched(), False
    alike = functools.partial(_shown_nowhere, jit_compile=jit_compile, lends=False)
    made._lending = Lending(alike, made._binding.unbound) if lends else None
    return made


def _lender(function: Callable[..., object], **options: Any) -> Function[..., object]:
    made = Function(function, **options)
    made._lending = None
    return made


class _Bound:
    """What a Function knows for one object; it goes with the object."""

    def __init__(self, function: Function[..., object], instance: object) -> None:
        methods, number = weakref.ref(function), id(instance)

        def gone(_: object) -> None:
            self.state.clear()
            known = methods()
            if known is not None and known._methods.get(number) is self:
                del known._methods[number]

        try:
            self.instance: Callable[[], object] = weakref.ref(instance, gone)
        except TypeError:  # its class allows no weak references
            self.instance = lambda: instance
        self.kind = _own(Method)
        method = _new(self.kind)
        method.__self__ = instance
        method._of, method._options = function, function._options
        method._set_up(method.python_function)
        self.state: dict[str, object] = method.__dict__
        self.method: Callable[[], Method | None] = weakref.ref(method)


def _behind(function: Function[..., Any]) -> list[object]:
    """What a function has been given, and what it calls where its calls become part of the graph around."""
    inlined = [function.python_function] if ways.join and function.gives_numpys else []
    return [vars(function)["_attributes"], *inlined]


register_behind(Function, _behind)


class _Decorator(Protocol):
    """What `function` with options alone gives."""

    def __call__(self, func: Callable[P, R], /) -> Function[P, R]: ...


@overload
def function(
    func: Callable[P, R],
    input_signature: Sequence[TensorSpec] | None = None, autograph: bool = True, jit_compile: bool | str | None = None,
    reduce_retracing: bool = False, experimental_implements: object = None,
    experimental_autograph_options: object = None, experimental_attributes: Mapping[str, object] | None = None,
    experimental_relax_shapes: bool | None = None, experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None, name: str | None = None, numpy: bool = False,
) -> Function[P, R]: ...  # fmt: skip


@overload
def function(
    func: None = None,
    input_signature: Sequence[TensorSpec] | None = None, autograph: bool = True, jit_compile: bool | str | None = None,
    reduce_retracing: bool = False, experimental_implements: object = None,
    experimental_autograph_options: object = None, experimental_attributes: Mapping[str, object] | None = None,
    experimental_relax_shapes: bool | None = None, experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None, name: str | None = None, numpy: bool = False,
) -> _Decorator: ...  # fmt: skip


def function(
    func: Callable[..., object] | None = None,
    input_signature: Sequence[TensorSpec] | None = None, autograph: bool = True, jit_compile: bool | str | None = None,
    reduce_retracing: bool = False, experimental_implements: object = None,
    experimental_autograph_options: object = None, experimental_attributes: Mapping[str, object] | None = None,
    experimental_relax_shapes: bool | None = None, experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None, name: str | None = None, numpy: bool = False,
) -> Function[..., object] | _Decorator:  # fmt: skip
    """Make a function run as a graph: ``@function``, ``@function(input_signature=…)`` or ``function(f)``.

    Args:
      func: the Python function; it may be a method, a lambda, a partial or any callable.
      input_signature: a list of TensorSpecs, one for each parameter, and one graph for all calls. Other arguments are
        refused; a parameter without a TensorSpec needs a default, and always has it.
      autograph: whether ``if``, ``while``, ``for`` … on tensors become part of the graph.
      jit_compile: True compiles the graph to machine code (with llvmlite installed) and refuses what cannot be; False
        has NumPy run it; by default, graphs with loops, recursion, convolutions or writes to parts of large arrays are
        compiled as far as they can be. The name of an executor ("numpy", "native") has that one run all of it.
      reduce_retracing: whether a call that differs from an earlier one in the shapes of tensors alone is traced with
        unknown dimensions there, which serve further shapes.
      experimental_relax_shapes, experimental_compile: older names of `reduce_retracing` and `jit_compile`.
      experimental_follow_type_hints: whether Python values for parameters annotated as ``Tensor`` become tensors, which
        share a graph.
      experimental_implements, experimental_attributes, experimental_autograph_options: accepted; they tell TensorFlow's
        other tools about a function, or switch conversions on that are always on here. No result depends on them.
      name: what to call it in messages and graphs.
      numpy: whether it computes and returns what it does without a graph, NumPy's arrays and numbers and Python's:
        Python's integers are int64 and its floats float64 wherever a dtype has to be chosen, a result is no tensor, and
        an array that it is given and returns is that very array.
    Returns: a `Function`, or a decorator where `func` is not given.
    Raises:
      TypeError: for what is no function, an `input_signature` that does not fit, and options that contradict others.
      ValueError: for the name of an executor or an attribute that there is not.

    >>> @tf.function
    ... def collatz(n):
    ...     steps = 0
    ...     while n != 1:
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...         steps += 1
    ...     return steps
    >>> print(collatz(tf.constant(6)))
    tf.Tensor(8, shape=(), dtype=int32)
    >>> tf.function(lambda x: (x[1:] - x[:-1], len(x)), numpy=True)(np.array([1.0, 3.0]))
    (array([2.]), 2)
    """
    check_features(experimental_autograph_options, experimental_attributes)
    given = {
        "input_signature": input_signature, "autograph": autograph, "name": name,
        "jit_compile": _either("jit_compile", jit_compile, "experimental_compile", experimental_compile),
        "reduce_retracing": bool(reduce_retracing or experimental_relax_shapes),
        "experimental_follow_type_hints": bool(experimental_follow_type_hints), "numpy": bool(numpy),
    }  # fmt: skip
    if func is None:

        def decorate(f: Callable[P, R], /) -> Function[P, R]:
            try:
                return Function(f, **given)
            except Exception as error:
                hide(error)
                raise

        return decorate
    try:
        return Function(func, **given)
    except Exception as error:
        hide(error)
        raise


def _shown(thing: object) -> str:
    """What cannot be called, and what to write instead."""
    if isinstance(thing, property):
        return "a property (write @property above @runtime.function, not below it)"
    return f"{thing!r:.80}"


def _either(name: str, value: object, older: str, given: object) -> Any:
    """An option that has an older name too."""
    if value is not None and given is not None and value != given:
        raise TypeError(f"{older} is an older name of {name}: they cannot be {given!r} and {value!r}")
    return given if value is None else value
