"""What is in a checkpoint: the names, shapes, dtypes and values of all that was saved."""

from __future__ import annotations

import os

from runtime.checkpoints import saving
from runtime.checkpoints.archives import Path
from runtime.checkpoints.checkpoint import latest_checkpoint
from runtime.graph.dtypes import DType, NumPyArray, as_dtype
from runtime.graph.errors import NotFoundError


class CheckpointReader:
    """The values of a checkpoint by their names, as `load_checkpoint` gives them.

    Args:
      ckpt_dir_or_file: the path of the checkpoint, or a folder, for the last one.

    >>> import tempfile, os
    >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(tempfile.mkdtemp(), "state"))
    >>> tf.train.CheckpointReader(path).has_tensor("v/.ATTRIBUTES/VARIABLE_VALUE")
    False
    """

    def __init__(self, ckpt_dir_or_file: Path) -> None:
        self._path, self._values = os.fspath(ckpt_dir_or_file), _arrays(ckpt_dir_or_file)

    def _name(self, name: str) -> str | None:
        """The whole of a name, which ``/.ATTRIBUTES/VARIABLE_VALUE`` may be left out of."""
        return next((known for known in (name, f"{name}/{saving.VALUE}") if known in self._values), None)

    def has_tensor(self, name: str) -> bool:
        """Whether there is a value of this name.

        >>> import tempfile, os
        >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(tempfile.mkdtemp(), "state"))
        >>> tf.train.load_checkpoint(path).has_tensor("w/.ATTRIBUTES/VARIABLE_VALUE")
        True
        """
        return name in self._values

    def get_tensor(self, name: str) -> NumPyArray:
        """The value of a name.

        Args:
          name: the name, as `list_variables` tells it; ``/.ATTRIBUTES/VARIABLE_VALUE`` may be left out.
        Returns: an array of the shape and dtype that it was saved with.
        Raises:
          NotFoundError: if there is no such value.

        >>> import tempfile, os
        >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(tempfile.mkdtemp(), "state"))
        >>> tf.train.load_checkpoint(path).get_tensor("w/.ATTRIBUTES/VARIABLE_VALUE")
        array([1., 2.], dtype=float32)
        """
        known = self._name(name)
        if known is None:
            raise NotFoundError(
                f"no value {name!r} in the checkpoint {self._path!r}; it has {', '.join(sorted(self._values))}"
            )
        return self._values[known]

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each value, by its name.

        >>> import tempfile, os
        >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(tempfile.mkdtemp(), "state"))
        >>> tf.train.load_checkpoint(path).get_variable_to_shape_map()
        {'w/.ATTRIBUTES/VARIABLE_VALUE': [2]}
        """
        return {name: list(array.shape) for name, array in self._values.items()}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtype of each value, by its name.

        >>> import tempfile, os
        >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(tempfile.mkdtemp(), "state"))
        >>> tf.train.load_checkpoint(path).get_variable_to_dtype_map()
        {'w/.ATTRIBUTES/VARIABLE_VALUE': tf.float32}
        """
        return {name: as_dtype(array.dtype) for name, array in self._values.items()}


def load_checkpoint(ckpt_dir_or_file: Path) -> CheckpointReader:
    """What is in a checkpoint.

    Args:
      ckpt_dir_or_file: its path, or a folder, for the last one.
    Returns: a reader, which tells the names, shapes, dtypes and values.
    Raises:
      NotFoundError: if there is none.

    >>> import tempfile, os
    >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(tempfile.mkdtemp(), "state"))
    >>> tf.train.load_checkpoint(path).get_tensor("w")
    array([1., 2.], dtype=float32)
    """
    return CheckpointReader(ckpt_dir_or_file)


def list_variables(ckpt_dir_or_file: Path) -> list[tuple[str, list[int]]]:
    """The names and shapes of the values of a checkpoint.

    Args:
      ckpt_dir_or_file: its path, or a folder, for the last one.
    Returns: pairs of a name and a shape, sorted by names.
    Raises:
      NotFoundError: if there is none.

    >>> import tempfile, os
    >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(tempfile.mkdtemp(), "state"))
    >>> tf.train.list_variables(path)
    [('w/.ATTRIBUTES/VARIABLE_VALUE', [2])]
    """
    return sorted(CheckpointReader(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: Path, name: str) -> NumPyArray:
    """A value of a checkpoint.

    Args:
      ckpt_dir_or_file: its path, or a folder, for the last one.
      name: the name, as `list_variables` tells it; ``/.ATTRIBUTES/VARIABLE_VALUE`` may be left out.
    Returns: an array of the shape that it was saved with.
    Raises:
      NotFoundError: if there is no such checkpoint, or no such value in it.

    >>> import tempfile, os
    >>> path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(tempfile.mkdtemp(), "state"))
    >>> tf.train.load_variable(path, "w")
    array([1., 2.], dtype=float32)
    """
    return CheckpointReader(ckpt_dir_or_file).get_tensor(name)


def _arrays(path: Path) -> dict[str, NumPyArray]:
    if os.path.isdir(path):
        latest = latest_checkpoint(path)
        if latest is None:
            raise NotFoundError(f"there is no checkpoint in the folder {os.fspath(path)!r}")
        path = latest
    return saving.read(path)[1]
