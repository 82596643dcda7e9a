"""TensorArray: a list of tensors that loops write and read."""

from __future__ import annotations

from typing import Any

from runtime.graph import shapes
from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.errors import InvalidArgumentError, OutOfRangeError
from runtime.graph.shapes import Dims, Pattern, TensorShape
from runtime.ops import lists
from runtime.tensors.conversion import convert_to_tensor, has_dtype, operand, static_value
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerElements, ListElements, Tensor
from runtime.tensors.trace import current


class TensorArray:
    """A list of tensors of one dtype.

    Args:
      dtype: the element type.
      size: how many elements; 0 by default if `dynamic_size`.
      dynamic_size: whether writing behind the end makes it longer.
      clear_after_read: accepted; elements may be read as often as wanted.
      element_shape: the shape of every element, if known.
      infer_shape: whether the first element written fixes the shape of all (checked when eager).

    `write` and its kin change the array and return it, so both ``a = a.write(i, x)`` and ``a.write(i, x)`` work.
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        for option, value in (("handle", handle), ("flow", flow)):
            if value is not None:
                raise NotImplementedError(f"TensorArray with {option}=: there is none of another TensorArray to take")
        self.dtype: DType = as_dtype(dtype)
        self.dynamic_size = bool(dynamic_size)
        self._infer_shape = infer_shape
        self._dims: Pattern = TensorShape(element_shape).dims if element_shape is not None else None
        count = operand(0 if size is None else size)
        known = static_value(count)
        self._size: int | None = None if known is None else lists.possible(known)
        self.elements: Any = apply(lists.new, count, dtype=self.dtype, shape=self._dims)

    @classmethod
    def holding(cls, template: TensorArray, elements: Any) -> TensorArray:
        """A TensorArray like another, with other elements."""
        made = object.__new__(cls)
        made.__dict__.update(template.__dict__)
        made.elements = elements
        return made

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements, as far as it is known."""
        dims = self.elements.type.shape if isinstance(self.elements, ListElements) else self._dims
        return TensorShape(self._dims if self._dims is not None else dims)

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Set an element; returns the array.

        Raises InvalidArgumentError for another dtype, ValueError for another shape, OutOfRangeError (eager) or
        InvalidArgumentError (when a graph runs) for an index outside an array of fixed size.
        """
        tensor = self._element(value)
        position = operand(index)
        self._check_static(position)
        elements = self._local()
        return self._filled(apply(lists.write, elements, position, tensor, dynamic=self.dynamic_size))

    def _element(self, value: Any) -> Tensor:
        given = has_dtype(value)
        tensor: Tensor = convert_to_tensor(value, None if given else self.dtype)
        if tensor.type.weak:
            tensor = convert_to_tensor(tensor, self.dtype)
        if tensor.dtype != self.dtype:
            raise InvalidArgumentError(
                f"TensorArray dtype is {self.dtype.name} but Op is trying to write dtype {tensor.dtype.name}"
            )
        self._check_shape(tensor.type.shape)
        return tensor

    def _check_shape(self, dims: Dims) -> None:
        if self._infer_shape and self._dims is not None and dims is not None:
            if not TensorShape(self._dims).is_compatible_with(dims):
                raise ValueError(
                    f"Incompatible shape for value {shapes.show(dims)}, expected ({shapes.show(self._dims)})"
                )
        elif self._infer_shape and self._dims is None:
            self._dims = shapes.pattern(dims)

    def _check_static(self, position: Tensor) -> None:
        if current() is not None or self.dynamic_size or self._size is None:
            return
        index = int(position)  # type: ignore[call-overload]
        if index >= self._size:
            raise OutOfRangeError(
                f"Tried to write to index {index} but array is not resizeable and size is: {self._size}"
            )

    def _local(self) -> Any:
        """The elements, brought into the graph if the array was made outside it."""
        trace = current()
        if trace is None or not isinstance(self.elements, EagerElements):
            return self.elements
        raise InvalidArgumentError(
            "this TensorArray was made outside the function, whose graph cannot change it; "
            "make it inside the function, or pass a tensor"
        )

    def read(self, index: Any, name: str | None = None) -> Any:
        """An element; zeros if nobody wrote it."""
        return apply(lists.read, self._local(), operand(index), **self._given())

    def stack(self, name: str | None = None) -> Any:
        """All elements as one tensor of shape [size, *element shape]."""
        return apply(lists.stack, self._local(), **self._given())

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """Some elements as one tensor."""
        return apply(lists.gather, self._local(), operand(indices), **self._given())

    def concat(self, name: str | None = None) -> Any:
        """All elements, joined along their first axis."""
        return apply(lists.concat, self._local(), **self._given())

    def size(self, name: str | None = None) -> Any:
        """The number of elements, an int32 scalar."""
        return apply(lists.size, self._local())

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Set the elements to the rows of a tensor; returns the array."""
        return self._filled(apply(lists.from_tensor, self._rows(value)))

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Set the elements to pieces of a tensor, `lengths` long; returns the array."""
        return self._filled(apply(lists.split, self._rows(value), operand(lengths)))

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Set the elements at `indices` to the rows of a tensor; returns the array."""
        return self._filled(apply(lists.scatter, self._local(), operand(indices), self._rows(value)))

    def _rows(self, value: Any) -> Tensor:
        tensor: Tensor = convert_to_tensor(value, None if has_dtype(value) else self.dtype)
        if self._infer_shape and tensor.type.shape is not None:
            self._dims = shapes.pattern(tensor.type.shape[1:]) if self._dims is None else self._dims
        return tensor

    def _filled(self, elements: Any) -> TensorArray:
        self.elements = elements
        if isinstance(elements, EagerElements):
            self._size = len(elements.elements)
        return self

    def _given(self) -> dict[str, Any]:
        return {"shape": None if self._dims is None else tuple(self._dims), "dtype": self.dtype}

    def __repr__(self) -> str:
        size = "?" if self._size is None else self._size
        return f"<TensorArray of {size} {self.dtype.name}{shapes.show(self._dims)}>"
