"""What all of Keras shares: the dtype of new weights, a small number, and the numbers in names."""

from __future__ import annotations

from collections import Counter

from runtime.graph.dtypes import as_dtype
from runtime.tensors.types import DTypeLike

__all__ = [
    "clear_session", "epsilon", "floatx", "get_uid", "image_data_format", "set_epsilon", "set_floatx",
    "set_image_data_format",
]  # fmt: skip

_settings: dict[str, str | float] = {"floatx": "float32", "epsilon": 1e-7, "image_data_format": "channels_last"}
_uses: Counter[str] = Counter()


def floatx() -> str:
    """The dtype of weights and of what layers compute, where nothing else is said.

    Returns: its name.

    >>> tf.keras.backend.floatx()
    'float32'
    """
    return str(_settings["floatx"])


def set_floatx(value: DTypeLike) -> None:
    """Set the dtype of weights and of what layers compute that are made from now on.

    Args:
      value: a dtype of floats.
    Raises:
      ValueError: for any other dtype.

    >>> tf.keras.backend.set_floatx("float64")
    >>> tf.keras.layers.Dense(1)(np.ones([1, 2])).dtype
    tf.float64
    >>> tf.keras.backend.set_floatx("float32")
    """
    dtype = as_dtype(value)
    if not dtype.is_floating:
        raise ValueError(f"set_floatx({value!r}): it is one of 'float16', 'float32' and 'float64'")
    _settings["floatx"] = dtype.name


def epsilon() -> float:
    """The small number that keeps divisions from dividing by zero.

    >>> tf.keras.backend.epsilon()
    1e-07
    """
    return float(_settings["epsilon"])


def set_epsilon(value: float) -> None:
    """Set the small number that `epsilon` gives.

    Args:
      value: the number.

    >>> tf.keras.backend.set_epsilon(1e-7)
    """
    _settings["epsilon"] = float(value)


def image_data_format() -> str:
    """Where the channels of images are: ``"channels_last"``, or ``"channels_first"``.

    >>> tf.keras.backend.image_data_format()
    'channels_last'
    """
    return str(_settings["image_data_format"])


def set_image_data_format(data_format: str) -> None:
    """Set where layers that are made from now on expect the channels of images.

    Args:
      data_format: ``"channels_last"`` or ``"channels_first"``.
    Raises:
      ValueError: for anything else.

    >>> tf.keras.backend.set_image_data_format("channels_last")
    """
    _settings["image_data_format"] = checked_format(data_format)


def checked_format(data_format: str | None) -> str:
    """The place of the channels, which is the one of the settings where none is given."""
    if data_format is None:
        return image_data_format()
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(f"data_format={data_format!r}: it is 'channels_last' or 'channels_first'")
    return data_format


def clear_session(free_memory: bool = True) -> None:
    """Forget which names layers and models have: the next ones are numbered from the beginning.

    Args:
      free_memory: accepted; what nobody holds is freed by itself.

    >>> tf.keras.backend.clear_session()
    >>> tf.keras.layers.Dense(1).name, tf.keras.layers.Dense(1).name
    ('dense', 'dense_1')
    """
    _uses.clear()


def get_uid(prefix: str = "") -> int:
    """How often this was asked for a prefix since `clear_session`, this time included.

    Args:
      prefix: any text.
    Returns: 1, 2, and so on.

    >>> tf.keras.backend.clear_session()
    >>> tf.keras.backend.get_uid("dense"), tf.keras.backend.get_uid("dense")
    (1, 2)
    """
    _uses[prefix] += 1
    return _uses[prefix]


def unique_name(prefix: str) -> str:
    """A name that nothing else has yet.

    >>> clear_session()
    >>> [unique_name("dense") for _ in range(3)]
    ['dense', 'dense_1', 'dense_2']
    """
    number = get_uid(prefix) - 1
    return f"{prefix}_{number}" if number else prefix
