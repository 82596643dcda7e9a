"""Messages to people: the logger of the library, and TensorFlow 1's names for what it does."""

from __future__ import annotations

import logging
from types import SimpleNamespace


def get_logger() -> logging.Logger:
    """The logger of the library, from Python's `logging`. What the library itself has to say are `warnings`.

    >>> tf.get_logger().setLevel("ERROR")
    >>> tf.get_logger().name
    'runtime'
    """
    return logging.getLogger("runtime")


_logger = get_logger()

v1 = SimpleNamespace(  # `tf.compat.v1.logging`
    DEBUG=logging.DEBUG,
    INFO=logging.INFO,
    WARN=logging.WARNING,
    ERROR=logging.ERROR,
    FATAL=logging.FATAL,
    debug=_logger.debug,
    info=_logger.info,
    warn=_logger.warning,
    warning=_logger.warning,
    error=_logger.error,
    fatal=_logger.fatal,
    log=_logger.log,
    get_verbosity=_logger.getEffectiveLevel,
    set_verbosity=_logger.setLevel,
)
