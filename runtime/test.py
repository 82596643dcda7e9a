"""What tests are written with, and what they ask the machine."""

from __future__ import annotations

import tempfile
import unittest
from collections.abc import Sequence

import numpy as np

from runtime.graph.dtypes import NumPyArray
from runtime.ops.random import set_seed
from runtime.tensors import nest
from runtime.tensors.conversion import is_tensor, operand
from runtime.tensors.types import Structure, TensorLike

__all__ = [
    "TestCase", "gpu_device_name", "is_built_with_cuda", "is_built_with_gpu_support", "is_gpu_available", "main",
]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    """Run the tests of the program that is run, and end it: `unittest.main`.

    Args:
      argv: the words of the command line, those of the program by default.

    >>> import contextlib, io
    >>> with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
    ...     tf.test.main(["program"])
    """
    unittest.main(argv=None if argv is None else [*argv])


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None) -> bool:
    """Whether operations run on a GPU: they do not.

    Args:
      cuda_only, min_cuda_compute_capability: which GPUs count.

    >>> tf.test.is_gpu_available()
    False
    """
    return False


def gpu_device_name() -> str:
    """The name of the GPU: an empty text, as there is none.

    >>> tf.test.gpu_device_name()
    ''
    """
    return ""


def is_built_with_cuda() -> bool:
    """Whether there are operations for NVIDIA's GPUs: there are not.

    >>> tf.test.is_built_with_cuda()
    False
    """
    return False


def is_built_with_gpu_support() -> bool:
    """Whether there are operations for GPUs: there are not.

    >>> tf.test.is_built_with_gpu_support()
    False
    """
    return False


def _array(value: TensorLike) -> NumPyArray:
    return np.asarray(operand(value))


class TestCase(unittest.TestCase):
    """A case of `unittest` that compares tensors of any shape, Variables, arrays, lists and numbers.

    >>> class Squares(tf.test.TestCase):
    ...     def test_of_two(self):
    ...         self.assertAllClose(tf.square([2.0]), [4.0])
    >>> import unittest
    >>> result = unittest.TestResult()
    >>> _ = Squares("test_of_two").run(result)
    >>> result.wasSuccessful()
    True
    """

    __test__ = False  # pytest takes those that are derived from it

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__test__" not in vars(cls):
            cls.__test__ = True

    def setUp(self) -> None:
        """Numbers that are drawn are the same in each test.

        >>> tf.test.TestCase().setUp()
        """
        super().setUp()
        set_seed(42)

    def get_temp_dir(self) -> str:
        """A folder that is removed after the test.

        >>> case = tf.test.TestCase()
        >>> folder = case.get_temp_dir()
        >>> case.doCleanups()
        True
        """
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def evaluate(self, tensors: Structure) -> Structure:
        """The values of tensors.

        Args:
          tensors: a tensor or a Variable, or a structure of these.
        Returns: arrays, in the same structure.

        >>> tf.test.TestCase().evaluate({"a": tf.constant([1, 2])})
        {'a': array([1, 2], dtype=int32)}
        """
        return nest.map_structure(lambda x: x.numpy() if is_tensor(x) else x, tensors)

    def _each(self, a: Structure, b: Structure) -> list[tuple[TensorLike, TensorLike]]:
        """What is compared: parts of dictionaries one by one."""
        if not isinstance(a, dict):
            return [(a, b)]
        self.assertEqual(sorted(a), sorted(b))
        return [pair for key in a for pair in self._each(a[key], b[key])]

    def assertAllEqual(self, a: Structure, b: Structure, msg: str | None = None) -> None:
        """Have shapes and all elements the same.

        Args:
          a, b: what is compared; dictionaries are part by part.
          msg: what is said of it.
        Raises:
          AssertionError: if they are not.

        >>> tf.test.TestCase().assertAllEqual(tf.constant([1, 2]), [1, 2])
        """
        for first, second in self._each(a, b):
            self.assertShapeEqual(_array(first), second, msg)
            np.testing.assert_array_equal(_array(first), _array(second), err_msg=msg or "")

    def assertAllClose(
        self, a: Structure, b: Structure, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Have shapes the same, and all elements nearly.

        Args:
          a, b: what is compared; dictionaries are part by part.
          rtol, atol: how far elements may differ, as a part of those of `b`, and besides.
          msg: what is said of it.
        Raises:
          AssertionError: if they are not.

        >>> tf.test.TestCase().assertAllClose([1.0, 2.0], tf.constant([1.0, 2.0 + 1e-6]))
        """
        for first, second in self._each(a, b):
            self.assertShapeEqual(_array(first), second, msg)
            np.testing.assert_allclose(_array(first), _array(second), rtol=rtol, atol=atol, err_msg=msg or "")

    def assertNotAllClose(self, a: Structure, b: Structure, rtol: float = 1e-6, atol: float = 1e-6) -> None:
        """Have some elements differ.

        Args:
          a, b, rtol, atol: as for `assertAllClose`.
        Raises:
          AssertionError: if they do not.

        >>> tf.test.TestCase().assertNotAllClose([1.0], [1.1])
        """
        try:
            self.assertAllClose(a, b, rtol, atol)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements.")

    def assertShapeEqual(self, input_a: TensorLike, input_b: TensorLike, msg: str | None = None) -> None:
        """Have shapes the same.

        Args:
          input_a, input_b: what has them.
          msg: what is said of it.
        Raises:
          AssertionError: if they are not.

        >>> tf.test.TestCase().assertShapeEqual(np.zeros([2, 3]), tf.ones([2, 3]))
        """
        self.assertEqual(_array(input_a).shape, _array(input_b).shape, msg)

    def assertAllInRange(self, target: TensorLike, lower_bound: float, upper_bound: float) -> None:
        """Have all elements between two numbers, both included.

        Args:
          target: the elements.
          lower_bound, upper_bound: the numbers.
        Raises:
          AssertionError: if they are not.

        >>> tf.test.TestCase().assertAllInRange(tf.constant([0.1, 0.9]), 0, 1)
        """
        found = _array(target)
        self.assertTrue(bool(((found >= lower_bound) & (found <= upper_bound)).all()), found)
