"""Element types of tensors, by TensorFlow's names and NumPy's rules."""

from __future__ import annotations

import functools
import threading
from typing import Any, TypeAlias

import numpy as np


@functools.lru_cache
def _limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    info: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    return info.min, info.max


class DType:
    """The type of the elements of a tensor: ``tf.float32`` and so on. It equals its name and NumPy's type.

    >>> tf.float32, tf.float32 == "float32", tf.float32 == np.float32
    (tf.float32, True, True)
    >>> tf.zeros([2, 3], tf.int8).dtype.size
    1
    """

    __slots__ = ("_numpy", "name")

    def __init__(self, name: str, numpy_type: type | NumPyDType) -> None:
        self.name = name
        self._numpy = np.dtype(numpy_type)

    @property
    def dtype(self) -> NumPyDType:
        """NumPy's dtype; NumPy looks here when it is handed a DType.

        >>> tf.float32.dtype
        dtype('float32')
        """
        return self._numpy

    @property
    def as_numpy_dtype(self) -> type[np.generic]:
        """NumPy's scalar type.

        >>> tf.float32.as_numpy_dtype
        <class 'numpy.float32'>
        """
        return self._numpy.type

    @property
    def is_floating(self) -> bool:
        """Whether the elements are floats.

        >>> tf.float32.is_floating, tf.int32.is_floating
        (True, False)
        """
        return self._numpy.kind == "f"

    @property
    def is_integer(self) -> bool:
        """Whether the elements are integers, with a sign or without.

        >>> tf.uint8.is_integer, tf.bool.is_integer
        (True, False)
        """
        return self._numpy.kind in "iu"

    @property
    def is_complex(self) -> bool:
        """Whether the elements are complex numbers.

        >>> tf.complex64.is_complex, tf.float32.is_complex
        (True, False)
        """
        return self._numpy.kind == "c"

    @property
    def real_dtype(self) -> DType:
        """The dtype of the parts of complex numbers; that of other numbers is the dtype itself.

        >>> tf.complex64.real_dtype, tf.int32.real_dtype
        (tf.float32, tf.int32)
        """
        return as_dtype({"complex64": "float32", "complex128": "float64"}.get(self.name, self.name))

    @property
    def is_unsigned(self) -> bool:
        """Whether the elements are integers without a sign.

        >>> tf.uint8.is_unsigned, tf.int8.is_unsigned
        (True, False)
        """
        return self._numpy.kind == "u"

    @property
    def base_dtype(self) -> DType:
        """The dtype itself: there are no dtypes of references.

        >>> tf.Variable(1.0).dtype.base_dtype
        tf.float32
        """
        return as_dtype(self.name)

    def is_compatible_with(self, other: DTypeLike) -> bool:
        """Whether it is the same dtype.

        >>> tf.float32.is_compatible_with("float32"), tf.float32.is_compatible_with(tf.float64)
        (True, False)
        """
        return self == as_dtype(other)

    @property
    def is_bool(self) -> bool:
        """Whether the elements are booleans.

        >>> tf.bool.is_bool, tf.uint8.is_bool
        (True, False)
        """
        return self._numpy.kind == "b"

    @property
    def has_objects(self) -> bool:
        """Whether the elements are objects of Python's, as those of strings are.

        >>> tf.string.has_objects, tf.bool.has_objects
        (True, False)
        """
        return self._numpy.kind == "O"

    @property
    def size(self) -> int:
        """How many bytes an element takes.

        >>> tf.float32.size, tf.complex128.size
        (4, 16)
        """
        return self._numpy.itemsize

    @property
    def min(self) -> int | float:
        """The smallest number; raises ValueError for what has none.

        >>> tf.int8.min
        -128
        """
        return _limits(self._numpy)[0]

    @property
    def max(self) -> int | float:
        """The largest number; raises ValueError for what has none.

        >>> tf.int8.max, tf.uint16.max
        (127, 65535)
        """
        return _limits(self._numpy)[1]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, DType):
            return self.name == other.name
        try:
            return self.name == as_dtype(other).name  # type: ignore[arg-type]
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __reduce__(self) -> tuple[object, ...]:
        return as_dtype, (self.name,)


class NumpyDType(DType):
    """The dtype of what is an array or a number of NumPy's to the program: as text, in comparisons and by its
    attributes it is as NumPy's."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, DType):
            return self.name == other.name
        try:
            return bool(self._numpy == other)
        except TypeError:
            return False

    __hash__ = DType.__hash__

    def __getattr__(self, name: str) -> object:
        return getattr(self._numpy, name)

    def __repr__(self) -> str:
        return repr(self._numpy)

    def __str__(self) -> str:
        return str(self._numpy)


bool_ = DType("bool", np.bool_)
int8 = DType("int8", np.int8)
int16 = DType("int16", np.int16)
int32 = DType("int32", np.int32)
int64 = DType("int64", np.int64)
uint8 = DType("uint8", np.uint8)
uint16 = DType("uint16", np.uint16)
uint32 = DType("uint32", np.uint32)
uint64 = DType("uint64", np.uint64)
float16 = DType("float16", np.float16)
float32 = DType("float32", np.float32)
float64 = DType("float64", np.float64)
complex64 = DType("complex64", np.complex64)
complex128 = DType("complex128", np.complex128)
string = DType("string", np.object_)
resource = DType("resource", np.object_)  # how graphs are told to have Variables as inputs; no tensor has it
variant = DType("variant", np.object_)  # and lists

ALL = (
    bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    float16, float32, float64, complex64, complex128, string,
)  # fmt: skip
_BY_NAME = {d.name: d for d in ALL} | {
    "float": float32,
    "double": float64,
    "half": float16,
    "int": int32,
    "str": string,
}
_BY_NUMPY = {d.dtype: d for d in ALL}
OF_NUMPY: dict[DType, DType] = {d: NumpyDType(d.name, d.dtype) if d is not string else string for d in ALL}
_BY_PYTHON: dict[object, DType] = {
    bool: bool_,
    int: int32,
    float: float32,
    complex: complex128,
    str: string,
    bytes: string,
}
_BY_NUMPYS_PYTHON: dict[object, DType] = {int: int64, float: float64, "int": int64, "float": float64}


class _PythonNumbers(threading.local):
    """What this thread makes of Python's numbers where nothing else decides: int64 and float64, as NumPy does, or int32
    and float32."""

    are_numpys = False


python_numbers = _PythonNumbers()


NumPyDType: TypeAlias = "np.dtype[Any]"
NumPyArray: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"  # of any shape and dtype
DTypeLike: TypeAlias = DType | str | type | np.dtype[Any]


def as_dtype(value: DTypeLike) -> DType:
    """The DType that something stands for: a DType, its name, a dtype of NumPy's or a type of Python's.

    Raises TypeError for anything else.

    >>> tf.as_dtype("float32"), tf.as_dtype(np.int8), tf.as_dtype(float)
    (tf.float32, tf.int8, tf.float32)
    """
    if isinstance(value, DType):
        return _BY_NAME[value.name] if type(value) is NumpyDType else value
    if python_numbers.are_numpys and isinstance(value, str | type) and value in _BY_NUMPYS_PYTHON:
        return _BY_NUMPYS_PYTHON[value]
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    if isinstance(value, type) and value in _BY_PYTHON:
        return _BY_PYTHON[value]
    try:
        kind = np.dtype(value)
    except TypeError:
        kind = None
    if kind is not None and value is not None:
        if kind.kind in "SU":
            return string
        found = _BY_NUMPY.get(kind.newbyteorder("="))
        if found is not None:
            return found
    raise TypeError(f"{value!r} is not an element type; use one of {', '.join(d.name for d in ALL)}.")
