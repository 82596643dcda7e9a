"""CheckpointManager: the last few checkpoints of a folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from runtime.checkpoints import saving
from runtime.checkpoints.archives import Path
from runtime.checkpoints.checkpoint import Checkpoint
from runtime.checkpoints.states import State
from runtime.tensors.variables import Variable


class CheckpointManager:
    """Saves a `Checkpoint` again and again, and keeps the last few files.

    Args:
      checkpoint: what is saved.
      directory: the folder, which is made if it is not there.
      max_to_keep: how many files are kept; None for all.
      keep_checkpoint_every_n_hours: after how many hours, again and again, one is kept for good.
      checkpoint_name: how names of files begin.
      step_counter: a Variable that counts steps, for `checkpoint_interval`.
      checkpoint_interval: by how many steps `save` is to be later than the last one, to do something.
      init_fn: is called by `restore_or_initialize` where there is nothing to restore.
    Raises:
      ValueError: for numbers out of their range, and an interval without a counter.

    >>> import tempfile
    >>> step = tf.Variable(0)
    >>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=step), tempfile.mkdtemp(), max_to_keep=2)
    >>> for _ in range(3):
    ...     step = step.assign_add(1)
    ...     path = manager.save()
    >>> [path.split("-")[-1] for path in manager.checkpoints]
    ['2', '3']
    >>> step = step.assign(0)
    >>> path = manager.restore_or_initialize()
    >>> print(step.numpy())
    3
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Path,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Variable | None = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], object] | None = None,
    ) -> None:
        if not isinstance(checkpoint, Checkpoint):
            raise ValueError(f"CheckpointManager of {checkpoint!r}: it is for a train.Checkpoint")
        if max_to_keep is not None and (not hasattr(max_to_keep, "__index__") or int(max_to_keep) <= 0):
            raise ValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep!r}.")
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("`step_counter` should be passed if `checkpoint_interval` is not None.")
        if os.path.basename(checkpoint_name) != checkpoint_name:
            raise ValueError(f"checkpoint_name={checkpoint_name!r}: it is a name in the folder {directory!r}")
        self._checkpoint, self._directory, self._max_to_keep = checkpoint, os.fspath(directory), max_to_keep
        self._hours, self._name, self._interval = keep_checkpoint_every_n_hours, checkpoint_name, checkpoint_interval
        self._counter, self._init_fn = step_counter, init_fn
        self._last_step: int | None = None
        known = State.read(self._directory) or State(self._directory)
        there = {path: made for path, made in known.paths.items() if self._exists(path)}
        latest = known.latest if known.latest in there else None
        self._state = State(self._directory, "checkpoint", latest, there, known.preserved or time.time())

    def _exists(self, path: str) -> bool:
        return os.path.exists(saving.file_of(os.path.join(self._directory, path)))

    @property
    def directory(self) -> str:
        """The folder.

        >>> tf.train.CheckpointManager(tf.train.Checkpoint(step=tf.Variable(0)), "folder", None).directory
        'folder'
        """
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """What is saved.

        >>> checkpoint = tf.train.Checkpoint(step=tf.Variable(0))
        >>> tf.train.CheckpointManager(checkpoint, "folder", None).checkpoint is checkpoint
        True
        """
        return self._checkpoint

    @property
    def checkpoint_interval(self) -> int | None:
        """By how many steps `save` is to be later than the last one, to do something.

        >>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=tf.Variable(0)), "folder", None)
        >>> print(manager.checkpoint_interval)
        None
        """
        return self._interval

    @property
    def checkpoints(self) -> list[str]:
        """The paths of what is kept, the oldest first, without what is kept for good.

        >>> tf.train.CheckpointManager(tf.train.Checkpoint(step=tf.Variable(0)), "folder", None).checkpoints
        []
        """
        return [os.path.join(self._directory, path) for path in self._state.paths]

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the last one, for `Checkpoint.restore`; None if there is none.

        >>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=tf.Variable(0)), "folder", None)
        >>> print(manager.latest_checkpoint)
        None
        """
        latest = self._state.latest
        return None if latest is None else os.path.join(self._directory, latest)

    def save(
        self, checkpoint_number: int | Variable | None = None, check_interval: bool = True, options: None = None
    ) -> str | None:
        """Save the state, and remove what is not to be kept.

        Args:
          checkpoint_number: the number at the end of the path, one more than before by default.
          check_interval: whether nothing is done before `checkpoint_interval` steps are over.
          options: must be None.
        Returns: the path; None if nothing was done.

        >>> import tempfile
        >>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=tf.Variable(0)), tempfile.mkdtemp(), None)
        >>> manager.save(checkpoint_number=7).split("-")[-1]
        '7'
        """
        if self._interval is not None and self._counter is not None:
            step = int(self._counter)
            if check_interval and self._last_step is not None and step < self._last_step + self._interval:
                return None
            self._last_step = step
        self._checkpoint.save_counter.assign_add(1)
        number = int(self._checkpoint.save_counter if checkpoint_number is None else checkpoint_number)
        name = f"{self._name}-{number}"
        path = self._checkpoint.write(os.path.join(self._directory, name), options)
        self._state.paths.pop(name, None)
        self._state.paths[name] = time.time()
        self._state.latest = name
        gone = self._swept()
        self._state.write()  # before the files go, so that it never tells of one that is gone
        for old in gone:
            file = saving.file_of(os.path.join(self._directory, old))
            if os.path.exists(file):
                os.remove(file)
        return path

    def _swept(self) -> list[str]:
        """Forget what is too old; what is to be removed."""
        gone = []
        while self._max_to_keep is not None and len(self._state.paths) > self._max_to_keep:
            oldest, made = next(iter(self._state.paths.items()))
            del self._state.paths[oldest]
            if self._hours is not None and made - self._state.preserved >= self._hours * 3600:
                self._state.preserved = made
            else:
                gone.append(oldest)
        return gone

    def restore_or_initialize(self) -> str | None:
        """Restore the last checkpoint, or call `init_fn` where there is none.

        Returns: the path of what was restored; None if there was nothing.

        >>> import tempfile
        >>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=tf.Variable(0)), tempfile.mkdtemp(), 3)
        >>> print(manager.restore_or_initialize())
        None
        """
        latest = self.latest_checkpoint
        if latest is not None:
            self._checkpoint.restore(latest)
            if self._counter is not None:
                self._last_step = int(self._counter)
            return latest
        if self._init_fn is not None:
            self._init_fn()
        return None
