"""Queues of tensors, which threads and graphs share.

>>> q = tf.queue.FIFOQueue(2, tf.int32)
>>> q.enqueue(1)
>>> print(q.dequeue())
tf.Tensor(1, shape=(), dtype=int32)
"""

from runtime.tensors.public import face as _face
from runtime.tensors.queues import (
    FIFOQueue as FIFOQueue,
    PaddingFIFOQueue as PaddingFIFOQueue,
    PriorityQueue as PriorityQueue,
    QueueBase as QueueBase,
    RandomShuffleQueue as RandomShuffleQueue,
)

__getattr__, __dir__ = _face("queue", globals())
