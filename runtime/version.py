"""The version of the library.

>>> tf.version.VERSION == tf.__version__
True
"""

from autograph import __version__ as VERSION

__all__ = ["VERSION"]
