"""Functions that call themselves and change what is around them leave everything as plain Python does."""

import copy

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import lacks_native_form
from tests.runtime.recursive_programs import CASES

pytestmark = pytest.mark.numpy_may_take_over  # where lists grow

# What cannot be known by the name that it has in the graph; each says what to write instead.
REFUSED = {
    "rebinding": "has 'cur' be another array",
    "swap_buffers": "with another list or array each time, and changes 'y'",
    "given_back_and_written": "perhaps the same list as one that a function was given and returns",
    "given_back_and_the_given_written": "perhaps the same list as one that a function was given and returns",
    "dictionary_given_back": "never settles",
    "array_given_back": "it is not known what",
    "array_given_back_and_the_given_written": "it is not known what",
    "view_given_back": "it is not known what",
    "array_given_back_in_a_tuple": "it is not known what",
    "new_lists_extended": "with another list or array each time, and changes 'p'",
    "new_lists_written": "with another list or array each time, and changes 'p'",
}


def plain(value):
    if isinstance(value, list | tuple):
        return [*map(plain, value)]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return np.asarray(value).tolist() if isinstance(value, np.ndarray | np.generic | tf.Tensor) else value


def outcome(function, arguments):
    """What a call returns and leaves in its arguments; of an error what it says."""
    given = copy.deepcopy(arguments)
    try:
        return plain(function(*given)), plain(given)
    except StagingError:
        raise
    except (ValueError, AssertionError) as error:
        return str(error), None


def turned(value):
    """Other values of the same kind."""
    return np.roll(value, 1, axis=0) if np.ndim(value) else value


@pytest.mark.parametrize("jit_compile", [None, False, True])
@pytest.mark.parametrize("function, arguments", CASES, ids=[function.__name__ for function, _ in CASES])
def test_programs(function, arguments, jit_compile):
    graph = tf.function(function, numpy=True, jit_compile=jit_compile)
    for given in (arguments, [turned(a) for a in arguments], arguments):
        try:
            found = outcome(graph, given)
        except StagingError as error:
            assert REFUSED.get(function.__name__, "?") in str(error), str(error)
            return
        except Exception as error:
            if jit_compile and lacks_native_form(error):
                return
            raise
        assert found == outcome(function, given)
    if function.__name__ in REFUSED:  # one graph for all numbers, not one for each
        with pytest.raises(StagingError) as refused:
            graph.get_concrete_function(*copy.deepcopy(given))
        assert REFUSED[function.__name__] in str(refused.value)
