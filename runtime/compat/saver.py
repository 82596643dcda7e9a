"""`Saver` of TensorFlow 1: the values that a session has for Variables, in files."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.checkpoints import saving
from runtime.checkpoints.archives import Path
from runtime.checkpoints.states import state_in
from runtime.compat.graphs import outermost
from runtime.compat.variables import OpenVariable, global_variables
from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import InvalidArgumentError, NotFoundError
from runtime.tensors.tensor import Tensor
from runtime.tensors.variables import Variable

if TYPE_CHECKING:
    from runtime.compat.session import Session

# What says how TensorFlow writes its files, and changes nothing here.
_ACCEPTED = (
    "sharded keep_checkpoint_every_n_hours name restore_sequentially saver_def builder write_version "
    "pad_step_number save_relative_paths filename"
).split()


class Saver:
    """Writes the values of Variables to files, and reads them again.

    Args:
      var_list: the Variables, or a dictionary of them by the names that the file has; all of the graph by default.
      reshape: whether a value of another shape, but as many elements, takes the shape of its Variable.
      max_to_keep: how many files are kept; all for None or 0.
      defer_build, allow_empty: whether there may be no Variable yet, or none at all.
      options: accepted: what says how TensorFlow writes its files.
    Raises:
      ValueError: if there is no Variable.
      TypeError: for what are no Variables.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "model")
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     w = tf.compat.v1.get_variable("w", initializer=[1.0, 2.0])
    ...     saver = tf.compat.v1.train.Saver()
    ...     session.run(w.initializer)
    ...     where = saver.save(session, path, global_step=7)
    ...     session.run(w.assign([0.0, 0.0])).tolist()
    ...     saver.restore(session, where)
    ...     session.run(w).tolist(), os.path.basename(where)
    [0.0, 0.0]
    ([1.0, 2.0], 'model-7')
    """

    def __init__(
        self,
        var_list: Sequence[Variable] | Mapping[str, Variable] | None = None,
        reshape: bool = False,
        *,
        max_to_keep: int | None = 5,
        defer_build: bool = False,
        allow_empty: bool = False,
        **options: object,
    ) -> None:
        if unknown := sorted({*options} - {*_ACCEPTED}):
            raise TypeError(f"Saver() got an unexpected keyword argument {unknown[0]!r}")
        if var_list is None and outermost() is None:
            raise RuntimeError("When eager execution is enabled, `var_list` must specify a list or dict of variables")
        self._given, self._reshape, self._kept = var_list, reshape, max_to_keep or 0
        self._paths: list[str] = []
        self._empty = allow_empty
        self._variables: dict[str, Variable] = {}
        if not defer_build:
            self.build()

    def build(self) -> None:
        """Take note of the Variables, if this was deferred.

        Raises:
          ValueError: if there is no Variable.
          TypeError: for what are no Variables.

        >>> with tf.Graph().as_default():
        ...     saver = tf.compat.v1.train.Saver(defer_build=True)
        ...     w = tf.compat.v1.get_variable("w", initializer=1.0)
        ...     saver.build()
        """
        given = global_variables() if self._given is None else self._given
        named = [*given.items()] if isinstance(given, Mapping) else [(None, v) for v in given]
        for name, variable in named:
            if not isinstance(variable, Variable):
                raise TypeError(f"var_list holds {variable!r}, which is no Variable")
            known = name or variable.name.partition(":")[0]
            if known in self._variables:
                raise ValueError(f"At least two variables have the same name: {known}")
            self._variables[known] = variable
        if not self._variables and not self._empty:
            raise ValueError("No variables to save")

    @property
    def last_checkpoints(self) -> list[str]:
        """The paths of the files that are there, the oldest first.

        >>> with tf.Graph().as_default():
        ...     tf.compat.v1.train.Saver([tf.Variable(1.0)]).last_checkpoints
        []
        """
        return [*self._paths]

    def set_last_checkpoints(self, last_checkpoints: Sequence[str]) -> None:
        """Say which files there are.

        Args:
          last_checkpoints: their paths, the oldest first.

        >>> with tf.Graph().as_default():
        ...     tf.compat.v1.train.Saver([tf.Variable(1.0)]).set_last_checkpoints(["model-1"])
        """
        self._paths = [*last_checkpoints]

    def recover_last_checkpoints(self, checkpoint_paths: Sequence[str]) -> None:
        """Go on with the files that another Saver has written, as far as they are there.

        Args:
          checkpoint_paths: their paths, the oldest first.

        >>> with tf.Graph().as_default():
        ...     tf.compat.v1.train.Saver([tf.Variable(1.0)]).recover_last_checkpoints(["model-1"])
        """
        self._paths = [path for path in checkpoint_paths if os.path.exists(saving.file_of(path))]

    def save(
        self,
        sess: Session | None,
        save_path: Path,
        global_step: int | Tensor | Variable | None = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str:
        """Write the values that a session has.

        Args:
          sess: the session; None where operations run at once.
          save_path: the path, to which the number of the step is added; folders that are not there are made.
          global_step: this number, or a tensor of shape () or a Variable that has it.
          latest_filename: the name of the file that tells which is the last, ``"checkpoint"`` by default.
          meta_graph_suffix, write_meta_graph, strip_default_attrs, save_debug_info: accepted; graphs are not written.
          write_state: whether that file is written.
        Returns: the path, for `restore`.
        Raises:
          FailedPreconditionError: for a Variable that has no value in the session.
        """
        path = os.fspath(save_path)
        if global_step is not None:
            path = f"{path}-{_number(global_step, sess)}"
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        arrays = {name: _value(variable, sess) for name, variable in self._variables.items()}
        saving.write_arrays(path, arrays)
        self._note(path, latest_filename or "checkpoint", write_state)
        return path

    def _note(self, path: str, name: str, write_state: bool) -> None:
        self._paths = [*(known for known in self._paths if known != path), path]
        while self._kept and len(self._paths) > self._kept:
            oldest = saving.file_of(self._paths.pop(0))
            if os.path.exists(oldest):
                os.remove(oldest)
        if write_state:
            state = state_in(os.path.dirname(path))
            state.name, state.latest = name, os.path.basename(path)
            state.paths = {os.path.basename(known): time.time() for known in self._paths}
            state.write()

    def restore(self, sess: Session | None, save_path: Path | None) -> None:
        """Give Variables the values that a file has.

        Args:
          sess: the session that has them from now on; None where operations run at once.
          save_path: the path that `save` gave.
        Raises:
          ValueError: for None, and if there is no such file.
          NotFoundError: if the file has no value for a Variable.
          InvalidArgumentError: for a value of another shape or dtype.
        """
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        try:
            arrays = saving.read(save_path)[1]
        except NotFoundError as error:
            raise ValueError(f"The passed save_path is not a valid checkpoint: {os.fspath(save_path)}") from error
        for name, variable in self._variables.items():
            _load(variable, sess, self._fitting(name, variable, arrays))

    def _fitting(self, name: str, variable: Variable, arrays: Mapping[str, NumPyArray]) -> NumPyArray:
        found = next((arrays[key] for key in (name, f"{name}/{saving.VALUE}") if key in arrays), None)
        if found is None:
            raise NotFoundError(f"Key {name} not found in checkpoint, which has {', '.join(sorted(arrays))}")
        if found.dtype != variable.dtype.dtype:
            raise InvalidArgumentError(f"{name} is {found.dtype} in the checkpoint, and the Variable {variable.dtype}")
        if variable.shape.is_compatible_with(found.shape):
            return found
        if self._reshape and variable.shape.num_elements() == found.size:
            return found.reshape(tuple(variable.shape))
        raise InvalidArgumentError(
            f"{name} has shape {found.shape} in the checkpoint, and the Variable {variable.shape}: Assign requires "
            "shapes of both tensors to match"
        )


def _number(step: Any, session: Session | None) -> int:
    if isinstance(step, int | np.integer):
        return int(step)
    if isinstance(step, Variable | Tensor):
        found: Any = step.numpy() if session is None else session.run(step)
        return int(found)
    raise TypeError(f"global_step={step!r} is no number, tensor or Variable")


def _value(variable: Variable, session: Session | None) -> NumPyArray:
    if not isinstance(variable, OpenVariable):
        return np.asarray(variable.array)
    if session is None:
        raise TypeError("'sess' must be a Session; None")
    return np.asarray(session.run(variable), variable.dtype.dtype)


def _load(variable: Variable, session: Session | None, array: NumPyArray) -> None:
    if not isinstance(variable, OpenVariable):
        variable.assign(array)
    elif session is None:
        raise TypeError("'sess' must be a Session; None")
    else:
        variable.load(array, session)
