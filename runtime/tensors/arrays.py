"""TensorArray: a list of tensors that loops write and read."""

from __future__ import annotations

from typing import Any

from runtime.graph import shapes
from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.errors import InvalidArgumentError, OutOfRangeError
from runtime.graph.shapes import Dims, Pattern, TensorShape
from runtime.ops import lists, shape as shape_ops
from runtime.tensors.conversion import convert_to_tensor, has_dtype, operand, static_value
from runtime.tensors.operations import apply, apply_to_list
from runtime.tensors.tensor import EagerElements, EagerTensor, ListElements, Tensor
from runtime.tensors.trace import current
from runtime.tensors.types import DTypeLike, PatternLike, SizeLike, TensorLike


class TensorArray:
    """A list of tensors of one dtype, which loops write and read.

    `write` and its kin change the array and return it, so both ``a = a.write(i, x)`` and ``a.write(i, x)`` work.

    Args:
      dtype: the dtype of the elements.
      size: how many elements there are: a number, or a scalar tensor; 0 by default.
      dynamic_size: whether writing behind the end makes the array longer.
      clear_after_read: whether `read` takes an element out, as it does unless this is False: who reads it a second time
        has an error, and `stack` has zeros for it. In a graph elements may be read as often as wanted.
      tensor_array_name: accepted.
      handle, flow: must be None.
      element_shape: the shape of every element, None for dimensions of any size.
      infer_shape: whether the first element that is written says the shape of all.
      colocate_with_first_write_call: accepted.

    >>> squares = tf.TensorArray(tf.int32, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, i * i)
    >>> print(squares.stack())
    tf.Tensor([0 1 4], shape=(3,), dtype=int32)
    """

    def __init__(
        self,
        dtype: DTypeLike,
        size: SizeLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: None = None,
        flow: None = None,
        infer_shape: bool = True,
        element_shape: PatternLike = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        for option, value in (("handle", handle), ("flow", flow)):
            if value is not None:
                raise NotImplementedError(f"TensorArray with {option}=: there is none of another TensorArray to take")
        self.dtype: DType = as_dtype(dtype)
        self.dynamic_size = bool(dynamic_size)
        self._infer_shape = infer_shape
        self._clears = current() is None and clear_after_read is not False
        self._cleared: frozenset[int] = frozenset()
        self._dims: Pattern = TensorShape(element_shape).dims if element_shape is not None else None
        count = operand(0 if size is None else size)
        known = static_value(count)
        self._size: int | None = None if known is None else lists.possible(known)
        self.elements: Any = apply_to_list(lists.new, count, dtype=self.dtype, shape=self._dims)

    @classmethod
    def holding(cls, template: TensorArray, elements: object) -> TensorArray:
        """A TensorArray like another, with other elements."""
        made = object.__new__(cls)
        made.__dict__.update(template.__dict__)
        return made._filled(elements)

    def _joined(self, other: TensorArray) -> TensorArray:
        """One that stands for either of two: it is sure of what both are."""
        made = TensorArray.holding(self, self.elements)
        made.dynamic_size = self.dynamic_size and other.dynamic_size
        made._dims = shapes.pattern(shapes.join(self._dims, other._dims))
        made._infer_shape = self._infer_shape and other._infer_shape
        made._size = self._size if self._size == other._size else None
        return made

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements, as far as it is known.

        >>> tf.TensorArray(tf.float32, size=2, element_shape=[3]).element_shape
        TensorShape([3])
        """
        dims = self.elements.type.shape if isinstance(self.elements, ListElements) else self._dims
        return TensorShape(self._dims if self._dims is not None else dims)

    def write(self, index: SizeLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """Set an element.

        Args:
          index: which one: a number, or a scalar tensor.
          value: a tensor of the dtype and shape of the elements.
        Returns: the array.
        Raises:
          InvalidArgumentError: for a tensor of another dtype; in a graph, for an index outside of a fixed size.
          ValueError: for a value of another shape.
          OutOfRangeError: for an index outside of a fixed size, where operations run at once.
          TypeError: for a number that the dtype does not hold.

        >>> print(tf.TensorArray(tf.int32, size=2).write(1, 7).stack())
        tf.Tensor([0 7], shape=(2,), dtype=int32)
        """
        tensor = self._element(value)
        position = operand(index)
        self._check_static(position)
        elements = self._local()
        return self._filled(apply_to_list(lists.write, elements, position, tensor, dynamic=self.dynamic_size))

    def _element(self, value: TensorLike) -> Tensor:
        given = has_dtype(value)
        tensor: Tensor = convert_to_tensor(value, None if given else self.dtype)
        if tensor.type.weak:
            tensor = convert_to_tensor(tensor, self.dtype)
        self._check_dtype(tensor)
        self._check_shape(tensor.type.shape)
        return self._of_shape(tensor, self._dims)

    def _of_shape(self, tensor: Tensor, dims: Pattern) -> Tensor:
        """The tensor, with sizes that only the graph finds held to those that elements have."""
        if dims is None:
            return tensor
        found = tensor.type.shape
        open_ = found is None or any(isinstance(d, int) and not isinstance(e, int) for d, e in zip(dims, found))
        return apply(shape_ops.ensure_shape, tensor, shape=dims) if open_ else tensor

    def _check_dtype(self, tensor: Tensor) -> None:
        if tensor.dtype != self.dtype:
            raise InvalidArgumentError(
                f"TensorArray dtype is {self.dtype.name} but Op is trying to write dtype {tensor.dtype.name}"
            )

    def _check_shape(self, dims: Dims) -> None:
        if self._dims is not None and dims is not None:
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

    def _local(self) -> object:
        """The elements, brought into the graph if the array was made outside it."""
        trace = current()
        if trace is None or not isinstance(self.elements, EagerElements):
            return self.elements
        raise InvalidArgumentError(
            "this TensorArray was made outside the function, whose graph cannot change it; "
            "make it inside the function, or pass a tensor"
        )

    def read(self, index: SizeLike, name: str | None = None) -> Tensor:
        """An element: a tensor of their shape and dtype, of zeros if nobody wrote it and their shape is known.

        Args:
          index: which one: a number, or a scalar tensor.
        Raises:
          OutOfRangeError: for an index outside of the array; InvalidArgumentError when a graph runs.
          InvalidArgumentError: if no element has been written, and no `element_shape` says of what shape they are; for
            one that has been read before, unless ``clear_after_read=False`` was said.

        >>> print(tf.TensorArray(tf.int32, size=2).write(1, 7).read(1))
        tf.Tensor(7, shape=(), dtype=int32)
        """
        position = operand(index)
        if not self._clears or current() is not None:
            return apply(lists.read, self._local(), position, **self._given())
        at = int(position)  # type: ignore[call-overload]
        if at in self._cleared and self.elements.elements[at] is None:
            raise InvalidArgumentError(
                f"Could not read index {at} twice because it was cleared after a previous read (perhaps try setting "
                "clear_after_read = false?)"
            )
        found = apply(lists.read, self.elements, position, **self._given())
        self.elements = apply_to_list(lists.erase, self.elements, position)
        self._cleared |= {at}
        return found

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as one tensor, of shape [size, *the shape of an element].

        >>> print(tf.TensorArray(tf.int32, size=2).unstack([1, 2]).stack())
        tf.Tensor([1 2], shape=(2,), dtype=int32)
        """
        return apply(lists.stack, self._local(), **self._given())

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Some elements as one tensor.

        Args:
          indices: which ones, integers of shape [n].
        Returns: a tensor of shape [n, *the shape of an element].

        >>> print(tf.TensorArray(tf.int32, size=3).unstack([1, 2, 3]).gather([2, 0]))
        tf.Tensor([3 1], shape=(2,), dtype=int32)
        """
        return apply(lists.gather, self._local(), operand(indices), **self._given())

    def concat(self, name: str | None = None) -> Tensor:
        """All elements joined along their first axis, in which alone their shapes may differ.

        >>> rows = tf.TensorArray(tf.int32, size=2, infer_shape=False)
        >>> print(rows.write(0, [1]).write(1, [2, 3]).concat())
        tf.Tensor([1 2 3], shape=(3,), dtype=int32)
        """
        return apply(lists.concat, self._local(), **self._given())

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are: an int32 tensor of shape ().

        >>> print(tf.TensorArray(tf.int32, size=2).size())
        tf.Tensor(2, shape=(), dtype=int32)
        """
        return apply(lists.size, self._local())

    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Set the elements to the parts of a tensor along its first axis.

        Args:
          value: a tensor of the dtype of the elements, of shape [n, *the shape of an element].
        Returns: the array, which has n elements.
        Raises:
          ValueError: where operations run at once, for more parts than a fixed size.

        >>> print(tf.TensorArray(tf.int32, size=2).unstack([[1, 2], [3, 4]]).read(1))
        tf.Tensor([3 4], shape=(2,), dtype=int32)
        """
        rows = self._rows(value)
        if isinstance(rows, EagerTensor) and not self.dynamic_size and len(rows.array) > (self._size or 0):
            raise ValueError(f"unstack of {len(rows.array)} tensors into a TensorArray of the size {self._size}")
        return self._filled(apply_to_list(lists.from_tensor, rows))

    def split(self, value: TensorLike, lengths: TensorLike, name: str | None = None) -> TensorArray:
        """Set the elements to pieces of a tensor, cut along its first axis.

        Args:
          value: a tensor of the dtype of the elements.
          lengths: how long the pieces are, integers of shape [n].
        Returns: the array, which has n elements.
        Raises:
          InvalidArgumentError: if the pieces are not as long as the tensor together, when it is run.

        >>> pieces = tf.TensorArray(tf.int32, size=2, infer_shape=False).split([1, 2, 3], [1, 2])
        >>> print(pieces.read(1))
        tf.Tensor([2 3], shape=(2,), dtype=int32)
        """
        return self._filled(apply_to_list(lists.split, self._rows(value, whole=False), operand(lengths)))

    def scatter(self, indices: TensorLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """Set the elements at some places to the parts of a tensor along its first axis.

        Args:
          indices: which ones, integers of shape [n].
          value: a tensor of the dtype of the elements, of shape [n, *the shape of an element].
        Returns: the array.
        Raises:
          InvalidArgumentError: if there is not a part for each place, or a place is outside of a fixed size.

        >>> print(tf.TensorArray(tf.int32, size=3).scatter([2, 0], [30, 10]).stack())
        tf.Tensor([10  0 30], shape=(3,), dtype=int32)
        """
        return self._filled(
            apply_to_list(lists.scatter, self._local(), operand(indices), self._rows(value), dynamic=self.dynamic_size)
        )

    def _rows(self, value: TensorLike, whole: bool = True) -> Tensor:
        """A tensor whose rows become elements, or pieces of which do, if they are not the `whole` elements."""
        tensor: Tensor = convert_to_tensor(value, None if has_dtype(value) else self.dtype)
        if tensor.type.weak:
            tensor = convert_to_tensor(tensor, self.dtype)
        self._check_dtype(tensor)
        dims = tensor.type.shape
        if dims == ():
            raise ValueError("a scalar tensor has no rows to be elements of a TensorArray")
        if dims is not None:
            self._check_shape(dims[1:] if whole else (None, *dims[1:]))
        return self._of_shape(tensor, (None, *self._dims)) if whole and self._dims is not None else tensor

    def identity(self) -> TensorArray:
        """A TensorArray with the same elements, of which later writes to this one change nothing.

        >>> one = tf.TensorArray(tf.int32, size=2, clear_after_read=False).write(0, 5)
        >>> other = one.identity()
        >>> print(one.write(0, 7).stack().numpy(), other.stack().numpy())
        [7 0] [5 0]
        """
        return TensorArray.holding(self, self.elements)

    def close(self, name: str | None = None) -> None:
        """Let go of the elements: the array has none from then on.

        >>> array = tf.TensorArray(tf.int32, size=2)
        >>> array.close()
        >>> print(array.size())
        tf.Tensor(0, shape=(), dtype=int32)
        """
        self._size = 0
        self.elements = apply_to_list(lists.new, operand(0), dtype=self.dtype, shape=self._dims)

    def _filled(self, elements: object) -> TensorArray:
        self.elements = elements
        if isinstance(elements, EagerElements):
            self._size = len(elements.elements)
        return self

    def _given(self) -> dict[str, object]:
        return {"shape": None if self._dims is None else tuple(self._dims), "dtype": self.dtype}

    def __repr__(self) -> str:
        size = "?" if self._size is None else self._size
        return f"<TensorArray of {size} {self.dtype.name}{shapes.show(self._dims)}>"
