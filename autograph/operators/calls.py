"""Calls: user functions are converted on the way, built-ins have a staged meaning for staged arguments."""

from __future__ import annotations

import builtins
import functools
import itertools
import re
import sys
import threading
import types
import warnings
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from typing import Any

from autograph import dispatch
from autograph.dispatch import may_be_staged, staged_in
from autograph.identity import Attributes, ByIdentity, attributes_of
from autograph.operators import questions, recursion, spent
from autograph.operators.state import hide_frame
from autograph.reading import found_in, is_made_later, is_own, members_of, module_of_class, order_of
from autograph.rules import (
    STAGED_BUILTINS,
    STAGED_LOOKUPS,
    STAGED_TEXTS,
    is_converted_always,
    is_left_alone,
    when_changed,
)

_STAGED = frozenset(id(getattr(builtins, name)) for name in STAGED_BUILTINS)  # a class need not be hashable
_convert: Callable[[types.FunctionType], types.FunctionType] = lambda function: function
_convert_class: Callable[[type], None] = lambda cls: None
_convert_own: Callable[[types.FunctionType], types.FunctionType] = lambda function: function
_of_libraries: dict[int, Callable[..., object]] = {}  # by the function's id
_late: dict[str, Callable[[], Iterable[tuple[object, Callable[..., object]]]]] = {}  # by the library
_of_owners: dict[int, Callable[..., Callable[..., object]]] = {}  # by the id of the type whose method it is
_of_kinds: dict[int, Callable[..., Callable[..., object]]] = {}  # by the id of the type of an object
_is_guarded: Callable[[types.FunctionType], bool] = lambda function: False
_is_form: Callable[[types.FunctionType], bool] = lambda function: False
_classes: ByIdentity[bool] = ByIdentity()
forms: ByIdentity[bool] = ByIdentity()  # by code: the function is its own converted form, and does not call itself
meant: dict[int, Callable[..., object]] = {}  # by the identity of a built-in function that has a staged meaning
_meeting = threading.RLock()


def set_converter(
    convert: Callable[[types.FunctionType], types.FunctionType],
    convert_class: Callable[[type], None],
    convert_own: Callable[[types.FunctionType], types.FunctionType],
    is_guarded: Callable[[types.FunctionType], bool],
    is_form: Callable[[types.FunctionType], bool],
) -> None:
    """Tell how a function met in a call is converted, a class, and one of this library's own, which functions hand
    their calls to their converted form, and which are such a form; the compiler does so once it is loaded."""
    global _convert, _convert_class, _convert_own, _is_guarded, _is_form
    _convert, _convert_class, _convert_own, _is_guarded, _is_form = (
        convert,
        convert_class,
        convert_own,
        is_guarded,
        is_form,
    )


class _Calling(threading.local):
    """What calls a converted function, if the operator does not do so itself."""

    instead: Callable[[Any, tuple[object, ...], dict[str, object]], object] | None = None


calling = _Calling()
Meaning = Callable[[tuple[object, ...], dict[str, object]], object]  # of a function's arguments


def set_meanings(builtin: Callable[[object], Meaning], text: Callable[..., object]) -> None:
    """Tell what built-in functions and methods of text make of staged values; where that is known does so."""
    global _meaning, _text
    _meaning, _text = builtin, text


def set_functions(meanings: Iterable[tuple[object, Callable[..., object]]]) -> None:
    """Tell what functions of libraries, which last as long as the program, are called as while something is traced."""
    _of_libraries.update((id(function), meaning) for function, meaning in meanings)


def set_functions_of(module: str, meanings: Callable[[], Iterable[tuple[object, Callable[..., object]]]]) -> None:
    """Tell what functions of a library written in Python are called as, once a program that has it calls one, or a
    method of its types that are written in C."""
    _late[module] = meanings


def set_methods(meanings: Iterable[tuple[type, Callable[..., Callable[..., object]]]]) -> None:
    """Tell what methods of libraries' objects that are written in C are called as while something is traced, by the
    type of the object."""
    _of_owners.update((id(kind), meaning) for kind, meaning in meanings)


def set_kinds(meanings: Iterable[tuple[type, Callable[..., Callable[..., object]]]]) -> None:
    """Tell what objects of libraries that can be called are called as while something is traced, by their type."""
    _of_kinds.update((id(kind), meaning) for kind, meaning in meanings)


def set_constructor(cls: type, construct: Callable[..., object] | None) -> None:
    """Tell what a class of the user's is called as, until that is taken back."""
    if construct is None:
        meant.pop(id(cls), None)
    else:
        meant[id(cls)] = construct


@functools.cache
def defined(definition: types.FunctionType) -> types.FunctionType:
    """A definition of this library's, converted."""
    return _convert_own(definition)


def meet_class(cls: type) -> None:
    """Have the operators, descriptors and constructor of a user's class converted, once it is met while tracing."""
    if cls in _classes:
        return
    with _meeting:  # another thread may not call it before it is done
        if cls in _classes:
            return
        era = dispatch.era
        for base in order_of(cls)[1:]:
            meet_class(base)
        if not is_left_alone(module_of_class(cls)):
            _convert_class(cls)
            for kind in {type(member) for member in members_of(cls).values()}:
                if is_made_later(kind) and found_in(kind, "__get__") is not None:
                    meet_class(kind)  # of a descriptor, which Python calls for an attribute
        with dispatch.changing:
            if dispatch.era == era:  # else what was exchanged has been put back
                _classes.set(cls, True)


def is_form(function: types.FunctionType) -> bool:
    """Whether a function is what a converted one became."""
    return _is_form(function)


def has_meaning(function: object) -> bool:
    """Whether a function of Python's or of a library's knows what to make of staged values."""
    return id(function) in _STAGED or id(function) in _of_libraries


_super: Any = super


def call(function: object, /, *arguments: object, **keywords: object) -> Any:
    """``function(*arguments, **keywords)``, with the function converted if it is the user's."""
    try:
        called = questions.followed(converted(function))
        if calling.instead is not None:
            return calling.instead(called, arguments, keywords)
        return called(*arguments, **keywords)
    except BaseException as error:
        found = _of_method(sys._getframe(1)) if function is _super and not arguments and not keywords else None
        if found is not None:
            return _super(*found)
        hide_frame(error)
        raise


def _of_method(frame: types.FrameType | None) -> tuple[type, object] | None:
    """The class and the first argument that ``super()`` finds in the frame of a method, where a variable holds `super`;
    what the method's statements became, and what called that, does not count."""
    while frame is not None:
        code = frame.f_code
        if not is_own(frame.f_globals.get("__name__")):
            variables = frame.f_locals
            if "__class__" in variables and code.co_argcount and code.co_varnames[0] in variables:
                return variables["__class__"], variables[code.co_varnames[0]]
            if not _MADE.fullmatch(code.co_name):
                return None
        frame = frame.f_back
    return None


_MADE = re.compile(r"<lambda>|(if|elif|else|loop)_(body|test)(_\d+)?")
_BUILTIN = types.BuiltinFunctionType
_OF_TEXT = STAGED_TEXTS | STAGED_LOOKUPS
_METHODS_OF_TEXT = frozenset(getattr(str, name) for name in STAGED_LOOKUPS if hasattr(str, name))
_PYTHONS = dispatch.kinds(dict, list, set, frozenset, tuple, bytes, bytearray, deque, OrderedDict, defaultdict)


def converted(function: object) -> Any:
    """What to call for a function: while something is traced, its converted form or staged meaning."""
    if not dispatch.active:
        return function if function is not warnings.warn else _of_libraries[id(function)]  # which looks for its caller
    kind = type(function)
    if kind is types.FunctionType:
        if id(function.__code__) in forms.values:  # type: ignore[attr-defined]
            return function
        own = function.__dict__  # type: ignore[attr-defined]
        if type(own) is Attributes and own.since is _since:
            called = own.called
            return function if called is None else called
    elif kind is types.MethodType:
        inner = function.__func__  # type: ignore[attr-defined]
        if type(inner) is types.FunctionType:
            if id(inner.__code__) in forms.values:
                return function
            own = inner.__dict__
            if type(own) is Attributes and own.bound is _since and own.since is _since:
                called = own.called
                return function if called is None else types.MethodType(called, function.__self__)  # type: ignore
    elif spent.left:
        pass  # what may ask its arguments for items has to be checked
    elif id(function) in meant:
        return meant[id(function)]
    elif kind is _BUILTIN:
        owner = type(function.__self__)  # type: ignore[attr-defined]
        if id(owner) in _PYTHONS and function.__name__ not in STAGED_LOOKUPS:  # type: ignore[attr-defined]
            return function  # a method of Python's own containers
        if owner is types.ModuleType and id(function) not in _STAGED and id(function) not in _of_libraries:
            return function
        if owner is str and function.__name__ not in _OF_TEXT:  # type: ignore[attr-defined]
            return function
    elif id(function) in _classes.values:
        if id(function) not in _STAGED and id(function) not in _of_libraries:
            return function
    elif kind is types.WrapperDescriptorType:
        if id(function) not in _of_libraries:
            return function
    elif not issubclass(kind, type):
        inner = found_in(kind, "__call__")
        if type(inner) is types.FunctionType and id(inner.__code__) in forms.values:
            return function
    return _met(function)


def converts_itself(function: object) -> bool:
    """Whether a function that has been met hands its calls to its converted form, and that is all there is to do."""
    if type(function) is not types.FunctionType or not _is_guarded(function):
        return False
    known: object = function.__dict__
    return type(known) is Attributes and known.since is _since and known.called is _convert(function)


def binds_itself(method: types.MethodType) -> bool:
    """Whether a method may be called as it is: its function stays so, or hands its calls to its converted form."""
    converted(method)
    function: object = method.__func__
    if type(function) is types.FunctionType and id(function.__code__) in forms.values:
        return True
    own: object = function.__dict__ if type(function) is types.FunctionType else None
    if type(own) is not Attributes or own.bound is not _since or own.since is not _since:
        return False
    return own.called is None or converts_itself(function)


def is_pythons(kind: type, name: str) -> bool:
    """Whether the method of this name that an object of a type of C's gives is called as it is, whatever the object
    holds: always that of the type, for nothing of it can be staged, and no attributes of its own come before."""
    if id(kind) in _PYTHONS or kind is str:
        return True
    return (
        id(kind) not in _of_owners
        and not is_made_later(kind)
        and not issubclass(kind, type)
        and dispatch.is_ordinary(kind)
        and found_in(kind, "__getattribute__") is object.__getattribute__
        and found_in(kind, "__dict__") is None
        and type(found_in(kind, name)) is types.MethodDescriptorType
    )


def does_as_ever(function: object, kind: type) -> bool:
    """Whether it is a built-in function that makes of one argument of this type what it does without a trace."""
    if spent.left:
        return False
    if function is type:  # of what stands for a list or a generator it tells that
        home = module_of_class(kind)
        ours = home in _OURS or is_converted_always(home)
        stands = issubclass(kind, list) or found_in(kind, "__is__") is not None
        return dispatch.is_ordinary(kind) and not stands and not ours
    return id(kind) in _ORDINARY_OF.get(id(function), ())


_OURS = ("autograph.operators.items", "autograph.operators.spent")


def _met(function: Any) -> object:
    """What to call for a function that is not known yet, or is none."""
    kind = type(function)
    if kind is types.FunctionType and function.__module__ in _late:  # type: ignore[attr-defined]
        set_functions(_late.pop(function.__module__)())  # type: ignore[attr-defined]
    meaning = _of_libraries.get(id(function))
    if meaning is not None:
        return meaning
    if kind is types.FunctionType:
        since = _since
        result: Any = recursion.guarded(_convert(function))
        if result is function and since is _since and _is_form(function):
            forms.set(function.__code__, True)
            return function
        own = attributes_of(function)
        own.called, own.since = None if result is function else result, since
        return result
    if kind is _BUILTIN:
        return _met_builtin(function)
    if kind is types.MethodType:
        inner = function.__func__
        if function.__name__ in _SHOWN and staged_in((function.__self__,)) is not None:
            return functools.partial(_staged_builtin(_SHOWN[function.__name__]), function.__self__)
        if id(type(inner)) in _of_kinds:
            return types.MethodType(_of_kinds[id(type(inner))](inner), function.__self__)
        meaning = _of_owners.get(id(type(function.__self__)))
        if meaning is not None and (type(inner) is not types.FunctionType or is_left_alone(inner.__module__)):
            return meaning(function)
        if type(inner) is not types.FunctionType:
            return function
        result = converted(inner)
        kept: object = inner.__dict__
        if type(kept) is Attributes and function.__name__ not in _SHOWN:
            kept.bound = kept.since
        return function if result is inner else types.MethodType(result, function.__self__)
    if id(function) in _STAGED:
        return _of_python(function)
    if issubclass(kind, type):
        if id(function) in meant:
            return meant[id(function)]
        meet_class(function)
        return spent.checked(function)
    if kind is types.MethodDescriptorType:
        return functools.partial(_of_type, function)
    if kind is functools.partial:
        result = converted(function.func)
        return function if result is function.func else functools.partial(result, *function.args, **function.keywords)
    if id(kind) in _of_kinds:
        return _of_kinds[id(kind)](function)
    inner = found_in(kind, "__call__")
    if type(inner) is types.FunctionType and not is_left_alone(module_of_class(kind)):
        result = converted(inner)
        return function if result is inner else types.MethodType(result, function)
    return function


def _met_builtin(function: types.BuiltinMethodType) -> object:
    """What to call for a built-in function or method."""
    owner = function.__self__
    if type(owner).__module__ in _late:
        set_functions(_late.pop(type(owner).__module__)())
    if id(type(owner)) in _of_owners:
        return _of_owners[id(type(owner))](function)
    if id(function) in _STAGED:
        return _of_python(function)
    if issubclass(type(owner), str) and function.__name__ in STAGED_TEXTS:
        return functools.partial(_text, getattr(str, function.__name__), owner)
    if function.__name__ in STAGED_LOOKUPS and (kind := next((k for k in _LOOKED if isinstance(owner, k)), None)):
        return functools.partial(_lookup(getattr(kind, function.__name__)), owner)
    elif type(owner) is not types.ModuleType and function.__name__ in _SHOWN and staged_in((owner,)) is not None:
        return functools.partial(_staged_builtin(_SHOWN[function.__name__]), owner)
    return spent.checked(function)


_LOOKED = (dict, list, tuple, str)
_COMPARING: dict[object, Callable[[Any], Iterable[object]]] = {  # with each item what they are given
    method: kind.__iter__ for kind in (list, tuple) for method in (kind.index, kind.count)
}


@functools.cache
def _lookup(method: Callable[..., object]) -> Callable[..., object]:
    """A method of a container of Python's that looks for something, or one of text, which the backend does where what
    it is given is staged."""
    of_text = method in _METHODS_OF_TEXT
    compares = _COMPARING.get(method)

    def called(items: object, *arguments: object, **keywords: object) -> object:
        try:
            given = (*arguments, *keywords.values()) if of_text else () if keywords else arguments[:1]
            if compares and not _ATOMS.issuperset(map(id, map(type, compares(items)))):
                given = (*given, *compares(items))
            backend = next(filter(None, map(dispatch.of_key, given)), None)
            result = NotImplemented if backend is None else backend.call(method, (items, *arguments), keywords)
            return method(items, *arguments, **keywords) if result is NotImplemented else result
        except BaseException as error:
            hide_frame(error)
            raise

    return called


def _of_python(function: object) -> object:
    """What to call for a built-in function that has a staged meaning."""
    if spent.left and function is not vars and function is not dir:  # which see the frame that calls them
        return spent.checked(_staged_builtin(function))
    return meant.setdefault(id(function), _staged_builtin(function))


def _of_type(method: types.MethodDescriptorType, /, *arguments: object, **keywords: object) -> object:
    """``list.append(items, 1)``: what stands for a list has its own. ``str.format("{}", x)`` has a staged meaning."""
    if arguments and is_converted_always(module_of_class(type(arguments[0]))):
        return call(getattr(type(arguments[0]), method.__name__, method), *arguments, **keywords)
    if arguments and dispatch.holder_of(arguments[0]) is not None:
        method = getattr(type(arguments[0]), method.__name__, method)
    elif method.__objclass__ is str and method.__name__ in STAGED_TEXTS and arguments:
        if issubclass(type(arguments[0]), str):
            return _text(method, *arguments, **keywords)
    elif method.__objclass__ in _LOOKED and method.__name__ in STAGED_LOOKUPS and arguments:
        return _lookup(method)(*arguments, **keywords)
    return method(*arguments, **keywords)


_at_change: list[Callable[[], object]] = []


def when_forgotten(forget: Callable[[], object]) -> None:
    """Have `forget` called whenever all functions are to be met again."""
    _at_change.append(forget)


def forget() -> None:
    """Meet all functions again: the rules have changed, or it has been found that some call themselves."""
    global _since
    _since = object()
    forms.clear()
    for listener in _at_change:
        listener()


recursion.when_found(forget)
when_changed(forget)
dispatch.when_ended(_classes.clear)
_since = object()
_SHOWN: dict[str, object] = {"__str__": str, "__repr__": repr, "__format__": format}
_meaning: Callable[[object], Meaning] = lambda function: lambda *_: NotImplemented
_text: Callable[..., object] = lambda function, *arguments: function(*arguments)


_ATOMS = dispatch.kinds(bool, int, float, str, bytes, type(None))
_SIZED = dispatch.kinds(
    bool, int, float, str, bytes, bytearray, type(None), list, tuple, dict, set, frozenset, range, deque, OrderedDict,
    defaultdict, type({}.keys()), type({}.values()), type({}.items()),
)  # fmt: skip
_EMPTY: tuple[Iterable[object], ...] = (
    [], (), "", "\u03b1", b"", bytearray(), range(0), {}, {}.items(), {}.values(), set(),
)  # fmt: skip
_ITERATORS = dispatch.kinds(
    types.GeneratorType, enumerate, zip, map, filter, reversed, type(reversed([])), type(reversed({})),
    itertools.count, itertools.chain, itertools.islice, itertools.repeat, *(type(iter(empty)) for empty in _EMPTY),
)  # fmt: skip
# Of which arguments a built-in function makes what it always does, whatever is in them.
_ORDINARY: dict[object, set[int]] = {
    **dict.fromkeys((len, enumerate, reversed, zip, iter, tuple), _SIZED),
    next: _ITERATORS | _ATOMS,
    **dict.fromkeys((range, int, float, bool, abs, round, divmod, pow, str, repr, ascii, format, type), _ATOMS),
}
_ORDINARY_OF = {id(function): kinds for function, kinds in _ORDINARY.items()}  # a function need not be hashable


@functools.cache
def _staged_builtin(function: Callable[..., object]) -> Callable[..., object]:
    """A built-in function that does what the backend says where an argument is staged."""
    if function in (vars, dir):
        return _of_frame(function)
    return _of_attributes(function) if function in (getattr, hasattr) else _of_arguments(function)


def _of_frame(function: Callable[..., object]) -> Callable[..., object]:
    """``vars`` or ``dir``, which without an argument is of the frame that calls it."""
    asked = _of_arguments(function)

    def called(*arguments: object, **keywords: object) -> object:
        if arguments or keywords:
            return asked(*arguments, **keywords)
        here = sys._getframe(1).f_locals
        return sorted(here) if function is dir else here if type(here) is dict else dict(here)

    return called


def _of_attributes(function: Callable[..., object]) -> Callable[..., object]:
    """``getattr`` or ``hasattr``: the graph decides only about an attribute that is of a staged type."""
    asked, meaning = _of_arguments(function), _meaning(function)

    def called(*arguments: object, **keywords: object) -> object:
        right = len(arguments) == 2 or (len(arguments) == 3 and function is getattr)
        if not right or keywords or may_be_staged(arguments[:2]) or type(arguments[1]) is not str:
            return asked(*arguments, **keywords)
        try:
            found = getattr(*arguments) if function is getattr else getattr(*arguments, _MISSING)  # type: ignore
            if may_be_staged((found,)) and (result := meaning(arguments, {})) is not NotImplemented:
                return result
            return found if function is getattr else found is not _MISSING
        except BaseException as error:
            hide_frame(error)
            raise

    return called


_MISSING = object()


def _of_arguments(function: Callable[..., object]) -> Callable[..., object]:
    ordinary = _ORDINARY.get(function, set())
    meaning = _meaning(function)

    def called(*arguments: object, **keywords: object) -> object:
        try:
            if not keywords:
                for argument in arguments:
                    if id(type(argument)) not in ordinary:
                        break
                else:
                    return function(*arguments)
            if dispatch.active and (result := meaning(arguments, keywords)) is not NotImplemented:
                return result
            if may_be_staged(arguments) or keywords:
                backend = staged_in((*arguments, *keywords.values()))
                result = NotImplemented if backend is None else backend.call(function, arguments, keywords)
                if result is not NotImplemented:
                    return result
            return function(*arguments, **keywords)
        except BaseException as error:
            hide_frame(error)
            raise

    return called


class Applied(functools.partial):  # type: ignore[type-arg]
    """The converted form of a function; where what holds it is pickled or copied, the function itself is."""

    original: object

    def __reduce__(self) -> str | tuple[object, ...]:
        return min, ((self.original,),)  # the smallest of one: what reads it needs nothing of this library


def applied(function: object) -> Callable[..., object]:
    """What to hand to a built-in function that calls it."""
    result = converted(function)
    if result is function:
        return function
    made = Applied(result)
    made.original = function
    return made
