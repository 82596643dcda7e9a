import numpy as np
import pytest

from autograph import StagingError
from autograph.operators.buffers import Closed, copies, is_buffer, put_back


def test_what_is_an_array_that_can_be_written():
    array = np.zeros(3)
    assert is_buffer(array) and is_buffer(array[1:])
    array.setflags(write=False)
    assert not any(map(is_buffer, (array, [1], 3, np.float64(1), "text", np.ndarray)))


@pytest.mark.parametrize(
    "write",
    [
        lambda a: a.__setitem__(0, 1),
        lambda a: a.fill(1),
        lambda a: a.__iadd__(1),
        lambda a: a[1:].__setitem__(0, 1),
        lambda a: a.sort(),
        lambda a: np.copyto(a, 1),
        lambda a: np.add(a, 1, out=a),
    ],
)
def test_whoever_writes_one_is_refused(write):
    array = np.zeros(3)
    with pytest.raises(StagingError, match="NumPy array that is written here while tracing"):
        with Closed([("a", array)]):
            write(array)
    assert array.tolist() == [0, 0, 0] and array.flags.writeable


@pytest.mark.filterwarnings("ignore:Setting the shape")
def test_another_shape_is_refused_and_put_back():
    array = np.zeros(6)
    with pytest.raises(StagingError, match="'a' is a NumPy array that is given another shape"):
        with Closed([("a", array)]):
            array.shape = (2, 3)
    assert array.shape == (6,)


def test_views_open_again_whatever_their_order():
    array = np.zeros(4)
    view = array[1:]
    for arrays in ([("a", array), ("v", view)], [("v", view), ("a", array)]):
        with Closed(arrays):
            assert not array.flags.writeable and not view.flags.writeable
        assert array.flags.writeable and view.flags.writeable


@pytest.mark.parametrize(
    "write, is_sure", [("a[0] = 1", True), ("raise ValueError('output array is not acceptable')", False)]
)
def test_a_library_that_writes_one_is_refused_without_a_line(write, is_sure):
    """No line of the program is in the traceback; what may have another reason goes on."""
    names = {"__name__": "numpy.of_a_test"}
    exec(f"def f(close, a):\n    with close:\n        {write}\n", names)
    array = np.zeros(3)
    expected = (
        (StagingError, "^an array is a NumPy array that is written [^\n]*$") if is_sure else (ValueError, "^output")
    )
    with pytest.raises(expected[0], match=expected[1]) as caught:
        names["f"](Closed([("a", array)]), array)
    assert isinstance(caught.value, StagingError) == is_sure


def test_other_errors_go_on():
    with pytest.raises(ValueError, match="^mine$"), Closed([("a", np.zeros(3))]):
        raise ValueError("mine")


@pytest.mark.filterwarnings("ignore:Setting the shape")
def test_what_arrays_held_is_put_back():
    array = np.arange(6)
    held = copies([("a", array)])
    array[...] = 9
    array.shape = (2, 3)
    put_back(held)
    assert array.tolist() == [0, 1, 2, 3, 4, 5]


def test_what_is_written_is_named_as_the_line_has_it():
    held = [np.zeros(2)]
    with pytest.raises(StagingError, match=r"^'held\[0\]' is a NumPy array that is written"), Closed([("h", held[0])]):
        held[0][0] = 1
    with pytest.raises(StagingError, match="^an array is a NumPy array that is written"), Closed([("h", held[0])]):
        (lambda a: a)(held[0])[0] = 1
