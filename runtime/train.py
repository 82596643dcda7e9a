"""Checkpoints: the state of training in files, to go on from; averages of Variables; and examples.

>>> import tempfile
>>> step = tf.Variable(0)
>>> manager = tf.train.CheckpointManager(tf.train.Checkpoint(step=step), tempfile.mkdtemp(), max_to_keep=3)
>>> step = step.assign_add(5)
>>> path = manager.save()
>>> step = step.assign(0)
>>> path == manager.restore_or_initialize(), int(step)
(True, 5)
"""

from runtime.checkpoints.checkpoint import Checkpoint, latest_checkpoint
from runtime.checkpoints.manager import CheckpointManager
from runtime.checkpoints.reader import CheckpointReader, list_variables, load_checkpoint, load_variable
from runtime.tensors.examples import BytesList, Example, Feature, Features, FloatList, Int64List
from runtime.tensors.moving_averages import ExponentialMovingAverage
from runtime.tensors.public import face as _face
from runtime.tensors.sequence_examples import FeatureList, FeatureLists, SequenceExample

__all__ = [
    "BytesList", "Checkpoint", "CheckpointManager", "CheckpointReader", "Example", "ExponentialMovingAverage",
    "Feature", "FeatureList", "FeatureLists", "Features", "FloatList", "Int64List", "SequenceExample",
    "latest_checkpoint", "list_variables", "load_checkpoint",
    "load_variable",
]  # fmt: skip

__getattr__, __dir__ = _face("train", globals())
