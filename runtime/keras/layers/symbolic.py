"""What stands for tensors while a model is put together: shapes and dtypes, and the calls of layers that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.graph import TensorType
from runtime.keras.shapes import Shape, shape_of, show
from runtime.tensors import nest
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.masks import mask_of, set_mask
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, recording
from runtime.tensors.types import DTypeLike, Structure

if TYPE_CHECKING:
    from runtime.keras.layers.layer import Layer


class HasDType(Protocol):
    """What has a dtype: a tensor, an array, a KerasTensor."""

    @property
    def dtype(self) -> DTypeLike: ...


class KerasTensor:
    """What stands for a tensor while a model is put together from calls of layers: it has a shape and a dtype.

    `Input` makes the first ones, and layers called with some make others; numbers are there when the model is called.
    Operators and brackets work on them, functions of tensors do so within a `Lambda` layer.

    Args:
      shape: the shape, with None for dimensions of any size, as the first one, which is that of the batch.
      dtype: the dtype.
      name: the name.

    >>> x = tf.keras.Input([3])
    >>> x.shape, tf.keras.layers.Dense(2)(x).shape, (x + 1)[:, 0].shape
    ((None, 3), (None, 2), (None,))
    """

    operate: Callable[..., Any]  # makes a layer of an operation
    node: Node | None = None  # the call that makes it
    mask: KerasTensor | None = None  # what stands for the mask that the tensor will bear

    def __init__(self, shape: Shape, dtype: DTypeLike = "float32", name: str | None = None) -> None:
        self.shape, self.dtype, self.name = tuple(shape), as_dtype(dtype), name or "keras_tensor"

    @property
    def ndim(self) -> int:
        """The rank.

        >>> tf.keras.Input([3]).ndim
        2
        """
        return len(self.shape)

    def __repr__(self) -> str:
        return f"<KerasTensor shape={show(self.shape)}, dtype={self.dtype.name}, name={self.name}>"

    def __tensor__(self) -> NoReturn:
        raise TypeError(
            f"{self!r} has no value while a model is put together, so that functions of tensors cannot take it. Call "
            "them in a layer: keras.layers.Lambda(lambda x: ...)(tensor), or the call() of a layer of your own."
        )

    __array__ = __tensor__

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{self!r} has no value while a model is put together, so that `if` and `while` cannot ask for it. Do that "
            "in the call() of a layer of your own."
        )

    def __iter__(self) -> Iterator[KerasTensor]:
        raise TypeError(f"{self!r} cannot be gone through with `for`: take parts of it, as x[:, 0]")

    def __getitem__(self, index: object) -> KerasTensor:
        made: KerasTensor = KerasTensor.operate("get_item", [self], index)
        return made


def _operator(name: str, swapped: bool) -> Callable[..., object]:
    def binary(self: KerasTensor, other: object) -> object:
        a, b = (other, self) if swapped else (self, other)
        return KerasTensor.operate(name, [a, b])

    return binary


def _unary(name: str) -> Callable[..., object]:
    return lambda self: KerasTensor.operate(name, [self])


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(KerasTensor, f"__{_name}__", _operator(_name, False))
    setattr(KerasTensor, f"__r{_name}__", _operator(_name, True))
for _name in ("lt", "le", "gt", "ge"):
    setattr(KerasTensor, f"__{_name}__", _operator(_name, False))
for _name in ("neg", "abs"):
    setattr(KerasTensor, f"__{_name}__", _unary(_name))


class Node:
    """A call of a layer with what stands for tensors: its arguments, and what it makes."""

    def __init__(
        self, layer: Layer, args: Sequence[object], kwargs: Mapping[str, object], outputs: Structure, index: int
    ) -> None:
        self.layer, self.args, self.kwargs, self.outputs, self.index = layer, args, kwargs, outputs, index
        self.inputs = [t for t in nest.flatten([list(args), dict(kwargs)]) if isinstance(t, KerasTensor)]
        for tensor in nest.flatten(outputs):
            tensor.node = self


def holds_symbols(*values: object) -> bool:
    """Whether there is something in structures that stands for a tensor."""
    return any(isinstance(value, KerasTensor) for value in nest.flatten(list(values)))


def as_symbols(tensors: Structure) -> Structure:
    """What stands for tensors of such shapes and dtypes, with such masks."""
    return nest.map_structure(_as_symbol, tensors)


def _as_symbol(tensor: Tensor | KerasTensor) -> KerasTensor:
    made = KerasTensor(shape_of(tensor), tensor.dtype)
    mask = tensor.mask if isinstance(tensor, KerasTensor) else mask_of(tensor)
    made.mask = None if mask is None else KerasTensor(shape_of(mask), mask.dtype)
    return made


def aside(function: Callable[..., object], *arguments: Structure) -> Structure:
    """What a function would make of tensors like symbols, with such masks: it is traced, and nothing is run.

    >>> aside(lambda x: x @ tf.ones([3, 2]), KerasTensor((None, 3)))
    <KerasTensor shape=(None, 2), dtype=float32, name=keras_tensor>
    """
    trace = Trace("aside")

    def staged(symbol: object) -> object:
        if not isinstance(symbol, KerasTensor):
            return symbol
        tensor = SymbolicTensor(trace, trace.input(TensorType(symbol.dtype, symbol.shape), symbol.name))
        if symbol.mask is not None:
            mask = TensorType(symbol.mask.dtype, symbol.mask.shape)
            set_mask(tensor, SymbolicTensor(trace, trace.input(mask, f"{symbol.name}_mask")))
        return tensor

    with recording(trace):
        made = function(*nest.map_structure(staged, list(arguments)))
        return as_symbols(nest.map_structure(lambda t: t if isinstance(t, Tensor) else convert_to_tensor(t), made))


def dtype_of(value: HasDType) -> DType:
    return as_dtype(value.dtype)
