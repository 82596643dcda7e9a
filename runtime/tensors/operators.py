"""Python's operators, in the one list of them: tensors, Variables and tagged unions each say what they come to."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runtime.tensors.tensor import Tensor
    from runtime.tensors.types import TensorLike


SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "** or pow()",
    "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "neg": "-", "pos": "+", "invert": "~",
}  # fmt: skip


AUGMENTED = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()


def function(name: str) -> Callable[..., object]:
    """An operator as a function of any operands."""
    return getattr(operator, f"__{name}__")  # type: ignore[no-any-return]


class Operators:
    """What has Python's operators: each comes to `_binary` or `_unary`, under the name that Python has for it."""

    __slots__ = ()

    def _binary(self, name: str, other: object, swapped: bool = False) -> Any:
        raise NotImplementedError

    def _unary(self, name: str) -> Any:
        raise NotImplementedError

    def __add__(self, other: TensorLike, /) -> Tensor:
        return self._binary("add", other)

    def __radd__(self, other: TensorLike, /) -> Tensor:
        return self._binary("add", other, True)

    def __sub__(self, other: TensorLike, /) -> Tensor:
        return self._binary("sub", other)

    def __rsub__(self, other: TensorLike, /) -> Tensor:
        return self._binary("sub", other, True)

    def __mul__(self, other: TensorLike, /) -> Tensor:
        return self._binary("mul", other)

    def __rmul__(self, other: TensorLike, /) -> Tensor:
        return self._binary("mul", other, True)

    def __truediv__(self, other: TensorLike, /) -> Tensor:
        return self._binary("truediv", other)

    def __rtruediv__(self, other: TensorLike, /) -> Tensor:
        return self._binary("truediv", other, True)

    def __floordiv__(self, other: TensorLike, /) -> Tensor:
        return self._binary("floordiv", other)

    def __rfloordiv__(self, other: TensorLike, /) -> Tensor:
        return self._binary("floordiv", other, True)

    def __mod__(self, other: TensorLike, /) -> Tensor:
        return self._binary("mod", other)

    def __rmod__(self, other: TensorLike, /) -> Tensor:
        return self._binary("mod", other, True)

    def __pow__(self, other: TensorLike, modulo: TensorLike | None = None, /) -> Tensor:
        power = self._binary("pow", other)
        return power if modulo is None else power % modulo

    def __rpow__(self, other: TensorLike, /) -> Tensor:
        return self._binary("pow", other, True)

    def __matmul__(self, other: TensorLike, /) -> Tensor:
        return self._binary("matmul", other)

    def __rmatmul__(self, other: TensorLike, /) -> Tensor:
        return self._binary("matmul", other, True)

    def __and__(self, other: TensorLike, /) -> Tensor:
        return self._binary("and", other)

    def __rand__(self, other: TensorLike, /) -> Tensor:
        return self._binary("and", other, True)

    def __or__(self, other: TensorLike, /) -> Tensor:
        return self._binary("or", other)

    def __ror__(self, other: TensorLike, /) -> Tensor:
        return self._binary("or", other, True)

    def __xor__(self, other: TensorLike, /) -> Tensor:
        return self._binary("xor", other)

    def __rxor__(self, other: TensorLike, /) -> Tensor:
        return self._binary("xor", other, True)

    def __lshift__(self, other: TensorLike, /) -> Tensor:
        return self._binary("lshift", other)

    def __rlshift__(self, other: TensorLike, /) -> Tensor:
        return self._binary("lshift", other, True)

    def __rshift__(self, other: TensorLike, /) -> Tensor:
        return self._binary("rshift", other)

    def __rrshift__(self, other: TensorLike, /) -> Tensor:
        return self._binary("rshift", other, True)

    def __divmod__(self, other: TensorLike, /) -> tuple[Tensor, Tensor]:
        return self // other, self % other

    def __rdivmod__(self, other: TensorLike, /) -> tuple[Tensor, Tensor]:
        left: Any = other
        return left // self, left % self

    def __lt__(self, other: TensorLike, /) -> Tensor:
        return self._binary("lt", other)

    def __le__(self, other: TensorLike, /) -> Tensor:
        return self._binary("le", other)

    def __gt__(self, other: TensorLike, /) -> Tensor:
        return self._binary("gt", other)

    def __ge__(self, other: TensorLike, /) -> Tensor:
        return self._binary("ge", other)

    def __eq__(self, other: object, /) -> Tensor:  # type: ignore[override]
        return self._binary("eq", other)

    def __ne__(self, other: object, /) -> Tensor:  # type: ignore[override]
        return self._binary("ne", other)

    def __neg__(self) -> Tensor:
        return self._unary("neg")

    def __pos__(self) -> Tensor:
        return self._unary("pos")

    def __abs__(self) -> Tensor:
        return self._unary("abs")

    def __invert__(self) -> Tensor:
        return self._unary("invert")
