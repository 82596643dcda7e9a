"""Checkpoint: the state of Variables, Modules, optimizers and generators of random numbers, kept in files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from runtime.checkpoints import saving
from runtime.checkpoints.archives import Path
from runtime.checkpoints.objects import can_be_saved, children, is_object
from runtime.checkpoints.states import State, state_in
from runtime.graph.dtypes import int64
from runtime.tensors import tracking
from runtime.tensors.trace import current, recording
from runtime.tensors.variables import Variable


class Status:
    """What became of a restoration: its methods say whether it was what one wanted.

    Args:
      root: the checkpoint that was restored.
      restoration: what is under way; None if nothing is.
    """

    def __init__(self, root: object, restoration: saving.Restoration | None) -> None:
        self._root, self._restoration = root, restoration

    def _checked(self) -> saving.Restoration:
        if self._restoration is None:
            raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")
        self._restoration.look_again()
        return self._restoration

    def assert_consumed(self) -> Status:
        """Fail unless each value of the file was given to an object, and each object has got one.

        Returns: the same status.
        Raises:
          AssertionError: if one is left.
        """
        restoration = self._checked()
        left = restoration.unused()
        if left:
            names = ", ".join(map(restoration.shown, left))
            raise AssertionError(
                f"Unresolved object in checkpoint {restoration.path!r}: {names}. The program has nothing of that name; "
                "if that is meant, call expect_partial()"
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> Status:
        """Fail unless each object that is there has got a value; the file may have more.

        Returns: the same status.
        Raises:
          AssertionError: if one has not.
        """
        restoration = self._checked()
        left = [*restoration.unmatched(self._root)]
        if left:
            raise AssertionError(
                f"Found {len(left)} Python objects that were not bound to checkpointed values of {restoration.path!r}, "
                f"likely due to changes in the Python program: {', '.join(map(repr, left[:10]))}"
            )
        return self

    def assert_nontrivial_match(self) -> Status:
        """Fail unless something has got a value.

        Returns: the same status.
        Raises:
          AssertionError: if nothing has.
        """
        restoration = self._checked()
        if not restoration.has_found():
            raise AssertionError(f"Nothing except the root object matched a value of {restoration.path!r}")
        return self

    def expect_partial(self) -> Status:
        """Have values that nothing was given stay so without a warning when the program ends.

        Returns: the same status.
        """
        if self._restoration is not None:
            self._restoration.quiet = True
        return self


class Checkpoint:
    """What is saved together: Variables, Modules, layers, models, optimizers, and generators of random numbers.

    What they hold in attributes, lists and dictionaries is saved with them, and found again by the names of attributes,
    not by those of Variables. The file is an archive of NumPy's, without code; it is there as a whole or not at all.

    Args:
      root: an object whose attributes are those of the checkpoint.
      kwargs: objects by names, which become attributes: Variables, Modules, layers, optimizers, a
        `numpy.random.Generator`, an iterator over a dataset, a Checkpoint, and lists and dictionaries of such.
    Raises:
      ValueError: for what has no state to save.

    >>> import tempfile, os
    >>> folder = tempfile.mkdtemp()
    >>> weights, steps = tf.Variable([1.0, 2.0]), tf.Variable(0)
    >>> checkpoint = tf.train.Checkpoint(weights=weights, steps=steps)
    >>> path = checkpoint.save(os.path.join(folder, "ckpt"))
    >>> os.path.basename(path)
    'ckpt-1'
    >>> weights = weights.assign([0.0, 0.0])
    >>> status = checkpoint.restore(tf.train.latest_checkpoint(folder)).assert_consumed()
    >>> print(weights.numpy())
    [1. 2.]
    """

    _root: object
    _counter: Variable | None

    def __init__(self, root: object = None, **kwargs: object) -> None:
        if root is not None and not is_object(root):
            raise ValueError(_refusal("root", root))
        attributes = vars(self)
        attributes["_root"], attributes["_counter"] = root, None
        for name, value in kwargs.items():
            if name in ("save_counter", *_METHODS):
                raise ValueError(f"Checkpoint with {name}=...: that is a name of its own; choose another")
            if root is not None and getattr(root, name, value) is not value:
                raise ValueError(f"Checkpoint with {name}=..., which its root has another of")
            setattr(self, name, value)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: object) -> None:
        empty = isinstance(value, list | dict) and not value
        if not can_be_saved(value) and not empty:
            raise ValueError(_refusal(name, value))
        object.__setattr__(self, name, value)
        if tracking.waiting:
            tracking.has_more(self)

    def _held_for_checkpoints(self) -> Iterator[tuple[str, object]]:
        attributes = vars(self)
        if self._root is not None:
            yield from children(self._root)
        yield from ((name, value) for name, value in attributes.items() if name not in ("_root", "_counter"))
        if self._counter is not None:
            yield "save_counter", self._counter

    @property
    def save_counter(self) -> Variable:
        """How often `save` was called, an int64 Variable of shape ().

        >>> print(tf.train.Checkpoint(step=tf.Variable(3)).save_counter.numpy())
        0
        """
        if self._counter is None:
            with recording(None):
                vars(self)["_counter"] = Variable(0, trainable=False, dtype=int64, name="save_counter")
            if tracking.waiting:
                tracking.has_more(self)
            assert self._counter is not None
        return self._counter

    def write(self, file_prefix: Path, options: None = None) -> str:
        """Write the state to a file, without a number and without `save_counter`.

        Args:
          file_prefix: the path, to which ``.npz`` is added.
          options: must be None.
        Returns: the path, for `read`.

        >>> import tempfile, os
        >>> step = tf.Variable(3)
        >>> path = tf.train.Checkpoint(step=step).write(os.path.join(tempfile.mkdtemp(), "state"))
        >>> step = step.assign(0)
        >>> status = tf.train.Checkpoint(step=step).read(path)
        >>> print(step.numpy())
        3
        """
        _check_options(options)
        _check_place("write")
        path = os.fspath(file_prefix)
        _make_folder(path)
        saving.write(self, path)
        return path

    def read(self, save_path: Path, options: None = None) -> Status:
        """Restore what `write` has written, as `restore` does.

        Args:
          save_path: the path.
          options: must be None.
        Returns: a status, which can be asked whether all was restored.
        Raises:
          NotFoundError: if there is no such file.

        >>> tf.train.Checkpoint(step=tf.Variable(0)).read("nowhere/state")
        Traceback (most recent call last):
            ...
        runtime.errors.NotFoundError: there is no checkpoint 'nowhere/state': no file 'nowhere/state.npz'. ...
        """
        _check_options(options)
        _check_place("read")
        return Status(self, saving.Restoration(self, save_path))

    def save(self, file_prefix: Path, options: None = None) -> str:
        """Write the state to a file with the next number, and take note that it is the last one of its folder.

        Args:
          file_prefix: the path without the number: ``"folder/ckpt"`` makes ``"folder/ckpt-1"``, then ``-2``.
          options: must be None.
        Returns: the path with the number, for `restore`.

        >>> import tempfile, os
        >>> checkpoint = tf.train.Checkpoint(step=tf.Variable(3))
        >>> folder = tempfile.mkdtemp()
        >>> for _ in range(2):
        ...     path = checkpoint.save(os.path.join(folder, "ckpt"))
        >>> os.path.basename(path), int(checkpoint.save_counter)
        ('ckpt-2', 2)
        """
        _check_options(options)
        _check_place("save")
        self.save_counter.assign_add(1)
        number = int(self.save_counter)
        path = f"{os.fspath(file_prefix)}-{number}"
        self.write(path)
        state_in(os.path.dirname(path)).noted(os.path.basename(path))
        return path

    def restore(self, save_path: Path | None, options: None = None) -> Status:
        """Give objects the state that `save` has written: those that are there now, and others as soon as they come.

        A layer that is not built yet gets its weights when they are made, an optimizer what it keeps at its first step.

        Args:
          save_path: the path, as `save` and `latest_checkpoint` give it; None restores nothing.
          options: must be None.
        Returns: a status, which can be asked whether all was restored.
        Raises:
          NotFoundError: if there is no such file.
          ValueError: if the file is none, or damaged, or has a value of another shape than its Variable.
          InvalidArgumentError: if it has a value of another dtype than its Variable.

        >>> import tempfile, os
        >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).save(os.path.join(tempfile.mkdtemp(), "ckpt"))
        >>> later = tf.train.Checkpoint()
        >>> status = later.restore(path)
        >>> later.w = tf.Variable([0.0, 0.0])
        >>> print(later.w.numpy())
        [1. 2.]
        """
        _check_options(options)
        _check_place("restore")
        if save_path is None:
            return Status(self, None)
        self.save_counter  # noqa: B018  # is restored with the rest
        return Status(self, saving.Restoration(self, save_path))

    def sync(self) -> None:
        """Wait until what is written is there, which it always is.

        >>> tf.train.Checkpoint(step=tf.Variable(0)).sync()
        """


_METHODS = ("write", "read", "save", "restore", "sync")


def _refusal(name: str, value: object) -> str:
    return (
        f"Checkpoint was expecting {name} to be an object with a state, got {value!r}. That is a Variable, a Module, a "
        "layer, an optimizer, a numpy.random.Generator, or a list or dictionary of such; keep a number in a Variable"
    )


def _check_options(options: None) -> None:
    if options is not None:
        raise ValueError(f"options={options!r}: there are none, it is None")


def _check_place(what: str) -> None:
    if current() is not None:
        raise RuntimeError(
            f"Checkpoint.{what}() while a function is traced: values are there when it runs. Call it outside of the "
            "function"
        )


def _make_folder(path: str) -> None:
    if folder := os.path.dirname(path):
        os.makedirs(folder, exist_ok=True)


def latest_checkpoint(checkpoint_dir: Path, latest_filename: str | None = None) -> str | None:
    """The path of the checkpoint of a folder that was saved last.

    Args:
      checkpoint_dir: the folder.
      latest_filename: the file that has note of it, ``"checkpoint"`` by default.
    Returns: the path, for `Checkpoint.restore`; None if there is none.

    >>> import tempfile
    >>> print(tf.train.latest_checkpoint(tempfile.mkdtemp()))
    None
    """
    folder = os.fspath(checkpoint_dir)
    known = State.read(folder, latest_filename or "checkpoint")
    if known is None or known.latest is None:
        return None
    path = os.path.join(folder, known.latest)
    return path if os.path.exists(saving.file_of(path)) else None
