"""Checkpoints: the state of training in files, to go on from; and averages of Variables.

>>> import tempfile
>>> step = tf.Variable(0)
>>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=step), tempfile.mkdtemp(), max_to_keep=3)
>>> step = step.assign_add(5)
>>> path = manager.save()
>>> step = step.assign(0)
>>> path == manager.restore_or_initialize(), int(step)
(True, 5)
"""

from runtime.checkpoints.checkpoint import Checkpoint, latest_checkpoint, list_variables, load_variable
from runtime.checkpoints.manager import CheckpointManager
from runtime.tensors.moving_averages import ExponentialMovingAverage

__all__ = [
    "Checkpoint", "CheckpointManager", "ExponentialMovingAverage", "latest_checkpoint", "list_variables",
    "load_variable",
]  # fmt: skip
