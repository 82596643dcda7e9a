"""Numbers, texts, images and graphs for TensorBoard, written to event files.

The files are written with the package tensorboard (``pip install 'autograph-python[summary]'``), and shown by
``tensorboard --logdir FOLDER``. In a function each summary is written whenever the graph comes there, in the order of
the program.

>>> import tempfile
>>> @tf.function
... def train(x, step):
...     loss = tf.reduce_mean(x * x)
...     tf.summary.scalar("loss", loss, step=step)
...     return loss
>>> with tempfile.TemporaryDirectory() as folder:
...     writer = tf.summary.create_file_writer(folder)
...     with writer.as_default():
...         losses = [train(tf.constant([3.0, 1.0]) / (i + 1), tf.constant(i)).numpy() for i in range(2)]
...     writer.close()
>>> losses
[np.float32(5.0), np.float32(1.25)]
"""

from runtime.summary import experimental
from runtime.summary.tracing import graph, trace_export, trace_off, trace_on
from runtime.summary.writers import (
    SummaryWriter,
    create_file_writer,
    create_noop_writer,
    flush,
    record_if,
    should_record_summaries,
)
from runtime.summary.writing import audio, histogram, image, scalar, text, write

__all__ = [
    "SummaryWriter", "audio", "create_file_writer", "create_noop_writer", "experimental", "flush", "graph", "histogram",
    "image", "record_if", "scalar", "should_record_summaries", "text", "trace_export", "trace_off", "trace_on", "write",
]  # fmt: skip
