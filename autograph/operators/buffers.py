"""Arrays that Python code writes while it is traced: what they hold is not staged, so a graph would not do it again.

They are closed to writing meanwhile, so that the line which writes one is refused, whatever way it has of writing.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Protocol, TypeGuard

from autograph.errors import Refuses, StagingError
from autograph.reading import found_in
from autograph.rules import is_left_alone


class WrittenArray(StagingError):
    """A program writes an array that was there before it was traced."""


class Flags(Protocol):
    """What is known of the memory of an array."""

    writeable: bool


class Buffer(Protocol):
    """An array of NumPy, or of a library like it."""

    @property
    def flags(self) -> Flags: ...
    @property
    def shape(self) -> object: ...
    @property
    def dtype(self) -> object: ...
    @property
    def nbytes(self) -> int: ...
    def setflags(self, *, write: bool) -> None: ...
    def copy(self) -> Buffer: ...
    def tobytes(self) -> bytes: ...
    def __setitem__(self, index: object, value: object, /) -> None: ...


def is_buffer(value: object) -> TypeGuard[Buffer]:
    """Whether the value is an array that can be written, and closed to writing."""
    return _is_array(value) and bool(value.flags.writeable)


def _is_array(value: object) -> TypeGuard[Buffer]:
    return found_in(type(value), "setflags") is not None and found_in(type(value), "flags") is not None


_MOST_COPIED = 1 << 28  # bytes of an array; a larger one may be a file that does not fit the memory


class Closed:
    """Closes arrays to writing; whoever writes one, or gives it another shape, is told that a graph cannot.

    `handles` says that the code which runs meanwhile holds clauses, which would catch what NumPy says of that. The
    arrays stay open then and are compared with what they held; so are those that could not be opened again.
    """

    def __init__(self, arrays: Sequence[tuple[str, Buffer]], handles: bool = False) -> None:
        self._arrays, self.handles = arrays, handles

    def __enter__(self) -> None:
        self._closed: list[tuple[Buffer, object, object]] = []
        self._open: list[tuple[Buffer, Buffer]] = []  # with what they held
        for _, array in self._arrays:
            self.add(array)

    def has(self, array: object) -> bool:
        """Whether nobody is to write this very array."""
        return any(closed is array for closed, *_ in (*self._closed, *self._open))

    def add(self, array: Buffer) -> None:
        """Close one more. Of one that stays open it is known what it held when it was first seen."""
        if not array.flags.writeable or any(known is array for known, _ in self._open):
            return
        opens = _opens_again(array)
        if (self.handles or not opens) and array.nbytes <= _MOST_COPIED:
            self._open.append((array, array.copy()))
        elif opens:
            self._closed.append((array, array.shape, array.dtype))
            array.setflags(write=False)

    def handle(self) -> None:
        """Know that code with clauses runs from now on: arrays that are closed are open again, and compared."""
        if not self.handles:
            self.handles, closed = True, self._closed
            self._closed = []
            _open(array for array, *_ in closed)
            for array, *_ in closed:
                self.add(array)

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        refused = None
        if isinstance(error, ValueError) and not isinstance(error, StagingError):
            refused = _refusal(error)
        _open(array for array, *_ in self._closed)
        shaped = [row for row in (*self._closed, *((a, old.shape, old.dtype) for a, old in self._open))
                  if row[0].shape != row[1] or row[0].dtype != row[2]]  # fmt: skip
        for array, shape, dtype in shaped:
            _assign(array, "dtype", dtype)
            _assign(array, "shape", shape)
        written = [row for row in self._open if row[0].tobytes() != row[1].tobytes()]
        put_back(written)
        if refused is not None:
            raise refused from None
        if isinstance(error, ValueError) and str(error).startswith("setting an array element") and error.__cause__:
            raise error.__cause__ from None  # what the staged value has to say of it
        if written and not isinstance(error, Refuses):
            raise self._changed(written[0][0], "written")
        if shaped and error is None:
            raise self._changed(shaped[0][0], "given another shape or dtype")

    def _changed(self, array: Buffer, how: str) -> StagingError:
        name = next((f"'{name}'" for name, one in self._arrays if one is array), "an array")
        return WrittenArray(_MESSAGE.format(name, how))


_READ_ONLY, _OR_NOT_FIT = "read-only", "output array is not acceptable"  # as NumPy says; np.dot(out=) tells no more
_MESSAGE = (
    "{} is a NumPy array that is {} here while tracing, which would happen once, rather than whenever the graph comes "
    "here. Make it a tensor that the graph can change (runtime.zeros, np.zeros_like of an argument, runtime.constant "
    "of the array), pass it as an argument, or assign a new array to the variable."
)


def _opens_again(array: object) -> bool:
    """Whether an array can be opened once it is closed: the memory may be somebody's who does not say that it can be
    written, as of another library's tensor."""
    while (base := getattr(array, "base", None)) is not None:
        if not _is_array(base):
            try:
                return not memoryview(base).readonly
            except TypeError:
                return False
        array = base
    return True


def _open(arrays: Iterable[Buffer]) -> None:
    """Open arrays that are closed, a view after what it is a view of."""
    waiting = [*arrays]
    while waiting:
        again = [array for array in waiting if not _opened(array)]
        if len(again) == len(waiting):
            break
        waiting = again


def _opened(array: Buffer) -> bool:
    try:
        array.setflags(write=True)
    except ValueError:
        return False
    return True


def is_of_closed(error: BaseException) -> bool:
    """Whether NumPy says that an array cannot be written, as it does of one that is closed."""
    return isinstance(error, ValueError) and _READ_ONLY in str(error)


def _refusal(error: ValueError) -> WrittenArray | None:
    """What to say where an array that was closed has been written; None where none was."""
    surely = is_of_closed(error)
    if not surely and _OR_NOT_FIT not in str(error):
        return None
    frame, line, found = None, 0, error.__traceback__
    while found is not None:
        if not is_left_alone(found.tb_frame.f_globals.get("__name__")):
            frame, line = found.tb_frame, found.tb_lineno
        found = found.tb_next
    if frame is None:
        return WrittenArray(_MESSAGE.format("an array", "written")) if surely else None
    filename = frame.f_code.co_filename
    text = linecache.getline(filename, line, frame.f_globals).strip()
    name = _written(frame, text)
    if name is None:
        if not surely:
            return None
        held = re.match(r"[\w.]+(?:\[[^\]]*\])?", text)
        name = f"'{held.group()}'" if held is not None else "an array"
    return WrittenArray(_MESSAGE.format(name, "written") + f"\n  {filename}:{line}: {text}")


def _written(frame: FrameType, text: str) -> str | None:
    """The first variable of a line that is, or leads to, an array that is closed; as it is spelled there."""
    for found in re.finditer(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", text):
        root, *attributes = found.group().split(".")
        value = frame.f_locals.get(root, frame.f_globals.get(root))
        names = [root]
        for attribute in attributes:
            if _is_array(value) or attribute not in getattr(value, "__dict__", ()):
                break
            value = vars(value)[attribute]
            names.append(attribute)
        if value is not None and _is_array(value) and not value.flags.writeable:
            return f"'{'.'.join(names)}'"
    return None


def copies(arrays: Sequence[tuple[str, Buffer]]) -> list[tuple[Buffer, Buffer]]:
    """What arrays hold, to be put back."""
    return [(array, array.copy()) for _, array in arrays]


def put_back(held: Sequence[tuple[Buffer, Buffer]]) -> None:
    for array, old in held:
        if array.flags.writeable:
            if array.shape != old.shape:
                _assign(array, "shape", old.shape)
            array[...] = old


def _assign(array: object, attribute: str, value: object) -> None:
    """Give an array another shape or dtype, where NumPy warns of assignments from 2.5 on."""
    change = getattr(array, f"_set_{attribute}", None)
    if change is not None:
        change(value)
    else:
        setattr(array, attribute, value)
