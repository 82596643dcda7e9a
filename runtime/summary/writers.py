"""Writers of summaries, which of them is in force, the step, and whether anything is written."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from runtime.graph.dtypes import bool_
from runtime.ops import effects
from runtime.summary.files import EventFile
from runtime.tensors.conversion import constant, convert_to_tensor
from runtime.tensors.operations import apply_all
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, current
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable

Condition: TypeAlias = "TensorLike | Callable[[], TensorLike]"


class SummaryWriter:
    """Writes summaries to an event file, which TensorBoard shows; `create_file_writer` makes one.

    >>> tf.summary.create_noop_writer()
    <SummaryWriter to nowhere>
    """

    def __init__(self, file: EventFile | None, where: str) -> None:
        self._file, self._where, self._closed = file, where, False

    @contextmanager
    def as_default(self, step: TensorLike | None = None) -> Iterator[SummaryWriter]:
        """A block whose summaries it writes.

        Args:
          step: the step of what is written in the block, a whole number of shape (), if that is given none.
        Raises:
          RuntimeError: if it is closed.

        >>> with tf.summary.create_noop_writer().as_default(step=7):
        ...     tf.summary.experimental.get_step()
        7
        """
        self._check()
        before = state.step
        if step is not None:
            state.step = _Entry(step)
        state.writers.append(_Entry(self))
        try:
            yield self
        finally:
            state.writers.pop()
            state.step = before
            if not self._closed:
                self.flush()

    def set_as_default(self, step: TensorLike | None = None) -> None:
        """Have it write the summaries from now on, where no block says otherwise.

        Args:
          step: the step of what is written from now on, a whole number of shape (), if that is given none.
        Raises:
          RuntimeError: if it is closed.

        >>> with tf.summary.create_noop_writer().as_default():  # and then as it was before
        ...     tf.summary.create_noop_writer().set_as_default(step=3)
        ...     tf.summary.experimental.get_step()
        3
        """
        self._check()
        state.writers[-1] = _Entry(self)
        if step is not None:
            state.step = _Entry(step)

    def _check(self) -> None:
        if self._closed:
            raise RuntimeError(f"{self!r} is already closed")

    def init(self) -> None:
        """Nothing: the file is there.

        >>> tf.summary.create_noop_writer().init()
        """

    def flush(self) -> None:
        """Have the file hold all that was written.

        >>> tf.summary.create_noop_writer().flush()
        """
        _done_in_order(self._flush)

    def _flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Close the file; what is written from now on is lost.

        >>> tf.summary.create_noop_writer().close()
        """
        _done_in_order(self._close)

    def _close(self) -> None:
        self._closed = True
        if self._file is not None:
            self._file.close()

    @property
    def writes(self) -> bool:
        """Whether what it is given goes anywhere."""
        return self._file is not None and not self._closed

    def add(self, step: int, **what: object) -> None:
        if self._file is not None:
            self._file.add(step, **what)

    def __repr__(self) -> str:
        return f"<SummaryWriter {self._where}>"


class _Entry:
    """What was set, and in which trace: what a function sets while it is traced belongs to its graph."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.trace = current()

    def is_of(self, trace: Trace | None) -> bool:
        return self.trace is not None and trace is not None and trace.is_within(self.trace)


class _State(threading.local):
    def __init__(self) -> None:
        self.writers = [_Entry(None)]
        self.records = [_Entry(True)]
        self.step = _Entry(None)


state = _State()


def create_file_writer(
    logdir: str | os.PathLike[str],
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: None = None,
) -> SummaryWriter:
    """A writer of summaries to a new event file in a folder, which TensorBoard shows.

    Args:
      logdir: the folder, which is made if it is not there.
      max_queue: after how many summaries the file holds them, 10 by default.
      flush_millis: after how long it does, in milliseconds, two minutes by default.
      filename_suffix: the end of the file's name, ``.v2`` by default.
      name: accepted for TensorFlow's sake.
      experimental_trackable: must be False.
      experimental_mesh: must be None.
    Raises:
      ImportError: if TensorBoard, whose records it writes, is not installed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     writer = tf.summary.create_file_writer(folder)
    ...     with writer.as_default():
    ...         for step in range(3):
    ...             written = tf.summary.scalar("loss", 1 / (step + 1), step=step)
    ...     writer.close()
    """
    if experimental_trackable or experimental_mesh is not None:
        raise NotImplementedError("create_file_writer with experimental_trackable or experimental_mesh: leave them out")
    folder = os.fspath(logdir)
    suffix = ".v2" if filename_suffix is None else filename_suffix
    file = EventFile(folder, max_queue or 10, 120_000 if flush_millis is None else flush_millis, suffix)
    return SummaryWriter(file, f"to {folder!r}")


def create_noop_writer() -> SummaryWriter:
    """A writer that writes nothing.

    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.scalar("loss", 0.5, step=1).numpy())
    True
    """
    return SummaryWriter(None, "to nowhere")


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Have the file of a writer hold all that was written.

    Args:
      writer: the writer; by default the one in force, if there is one.
      name: accepted for TensorFlow's sake.

    >>> tf.summary.flush()
    """
    chosen = writer if writer is not None else state.writers[-1].value if state.writers[-1].is_of(current()) else None

    def done() -> None:
        found = writer_now() if chosen is None else chosen
        if found is not None:
            found._flush()

    _done_in_order(done)


def _done_in_order(act: Callable[[], None]) -> None:
    """Do it at once, or when the graph that is traced runs, between what is written before and after."""
    if current() is None:
        return act()

    def when_run(arrays: object, dtypes: object) -> tuple[()]:
        act()
        return ()

    apply_all(effects.py_function, function=when_run, dtypes=[])
    return None


def writer_now() -> SummaryWriter | None:
    """The writer in force."""
    found: SummaryWriter | None = state.writers[-1].value
    return found


@contextmanager
def record_if(condition: Condition) -> Iterator[None]:
    """A block whose summaries are written only where a condition holds.

    Args:
      condition: a boolean of shape (), or a function without parameters that returns one. A tensor of a graph decides
        when that runs.

    >>> with tf.summary.create_noop_writer().as_default(), tf.summary.record_if(False):
    ...     print(tf.summary.scalar("loss", 0.5, step=1).numpy())
    False
    """
    state.records.append(_Entry(condition))
    try:
        yield
    finally:
        state.records.pop()


def should_record_summaries() -> Tensor:
    """Whether summaries are written here: there is a writer, and the condition of `record_if` holds.

    Returns: a boolean tensor of shape ().

    >>> print(tf.summary.should_record_summaries())
    tf.Tensor(False, shape=(), dtype=bool)
    """
    if writer_now() is None:
        return constant(False)
    return convert_to_tensor(condition_now(), bool_)


def condition_now() -> TensorLike:
    found = state.records[-1].value
    return found() if callable(found) and not isinstance(found, Tensor | Variable) else found


def set_step(step: TensorLike | None) -> None:
    """Set the step of summaries that are given none.

    Args:
      step: a whole number of shape (), or None. A number counts where a graph runs, so that one that was traced before
        knows the next; a Variable is read there.

    >>> tf.summary.experimental.set_step(3)
    >>> tf.summary.experimental.get_step()
    3
    >>> tf.summary.experimental.set_step(None)
    """
    state.step = _Entry(step)


def get_step() -> TensorLike | None:
    """The step of summaries that are given none: what was set, of shape (), or None.

    >>> print(tf.summary.experimental.get_step())
    None
    """
    found: TensorLike | None = state.step.value
    return found


def is_graphs(value: object) -> bool:
    """Whether the graph has it: a tensor of it, or a Variable, which it reads."""
    return isinstance(value, SymbolicTensor | Variable)
