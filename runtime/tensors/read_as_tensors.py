"""What is read as a tensor wherever one is taken, and has all that a tensor has: Variables, and rows with numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.tensors.operators import Operators
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import IndexLike


class ReadAsTensor(Operators):
    """What says in `__tensor__` which tensor it stands for; that one answers all else."""

    def __tensor__(self) -> Tensor:
        raise NotImplementedError

    def numpy(self) -> object:
        """The value now, as a NumPy array of the same shape and dtype, or a NumPy scalar where the shape is ().

        >>> tf.IndexedSlices([1.0, 2.0], [1, 1], [3]).numpy()
        array([0., 3., 0.], dtype=float32)
        """
        return self.__tensor__().numpy()

    def __bool__(self) -> bool:
        return bool(self.__tensor__())

    def __int__(self) -> int:
        return int(self.__tensor__())

    def __float__(self) -> float:
        return float(self.__tensor__())

    def __index__(self) -> int:
        return self.__tensor__().__index__()

    def __array__(self, dtype: object = None, copy: bool | None = None) -> object:
        return self.__tensor__().__array__(dtype, copy)

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **kwargs: object) -> object:
        return Tensor.__array_ufunc__(self, ufunc, method, *inputs, **kwargs)  # type: ignore[arg-type]

    def __array_function__(self, function: object, types: object, args: object, kwargs: object) -> object:
        return Tensor.__array_function__(self, function, types, args, kwargs)  # type: ignore[arg-type]

    def __array_namespace__(self, *, api_version: str | None = None) -> object:
        return self.__tensor__().__array_namespace__(api_version=api_version)

    def __dlpack__(self, **options: object) -> object:
        value: Any = self.__tensor__()
        return value.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the CPU

    def __getattr__(self, name: str) -> object:
        kind = type(self).__name__
        if name.startswith("__"):
            raise AttributeError(f"'{kind}' object has no attribute '{name}'")
        value = self.__tensor__()
        try:
            return getattr(value, name)
        except AttributeError as error:  # it is not the value that was asked
            message = str(error).replace(f"'{type(value).__name__}' object", f"'{kind}' object", 1)
            raise AttributeError(message, name=name, obj=self) from None

    def _binary(self, name: str, other: object, swapped: bool = False) -> object:
        return self.__tensor__()._binary(name, other, swapped)

    def _unary(self, name: str) -> object:
        return self.__tensor__()._unary(name)

    def __getitem__(self, index: IndexLike) -> Tensor:
        return self.__tensor__()[index]

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.__tensor__())

    def __len__(self) -> int:
        return len(self.__tensor__())
