"""Saved models: Modules with their Variables and functions, as data, which another program loads without their classes.

>>> import tempfile
>>> class Counter(tf.Module):
...     def __init__(self):
...         super().__init__()
...         self.total = tf.Variable(0.0)
...     @tf.function(input_signature=[tf.TensorSpec([])])
...     def add(self, x):
...         return self.total.assign_add(x)
>>> counter, folder = Counter(), tempfile.mkdtemp()
>>> print(counter.add(2.0).numpy())
2.0
>>> tf.saved_model.save(counter, folder)
>>> loaded = tf.saved_model.load(folder)
>>> print(loaded.add(3.0).numpy(), loaded.total.numpy(), counter.total.numpy())
5.0 5.0 2.0
"""

from runtime.serialization.saving import SaveOptions, contains_saved_model, load, save
from runtime.serialization.signatures import DEFAULT as DEFAULT_SERVING_SIGNATURE_DEF_KEY, SERVING

__all__ = ["DEFAULT_SERVING_SIGNATURE_DEF_KEY", "SERVING", "SaveOptions", "contains_saved_model", "load", "save"]
