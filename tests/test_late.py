"""What is imported when it is first asked for: places, functions that wait for theirs, and faces of modules."""

import math
import sys

import pytest

from autograph.late import called, face, found, places


@pytest.mark.parametrize("place, wanted", [("math", math), ("math:floor", math.floor), ("os.path:sep", "/")])
def test_what_is_at_a_place(place, wanted):
    assert found(place) is wanted or found(place) == wanted


@pytest.fixture
def late(tmp_path, monkeypatch):
    (tmp_path / "late_example.py").write_text("def twice(x, *, by=2):\n    return x * by\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "late_example"
    sys.modules.pop("late_example", None)


def test_a_function_is_imported_when_it_is_called(late):
    twice = called(f"{late}:twice")
    assert late not in sys.modules
    assert twice(3) == 6 and twice(3, by=4) == 12
    assert late in sys.modules


def test_a_face_has_late_names_from_their_first_use_on(late):
    members = {"__name__": "example", "known": 1}
    get, names = face(members, places(late, "twice"))
    assert names() == ["__name__", "known", "twice"] and late not in sys.modules
    assert get("twice")(2) == 4
    assert members["twice"] is sys.modules[late].twice
    with pytest.raises(AttributeError, match="module 'example' has no attribute 'thrice'"):
        get("thrice")


def test_a_place_that_is_wrong_says_so(late):
    with pytest.raises(ModuleNotFoundError, match="late_exampel"):
        found("late_exampel:twice")
    with pytest.raises(AttributeError, match="thrice"):
        called(f"{late}:thrice")(1)
