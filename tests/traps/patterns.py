"""match with every pattern."""

import dataclasses
import enum


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: int


def describe(value):
    match value:
        case 0 | -1 | 1.5 | 2j | "text" | b"bytes":
            return "literal"
        case None | True | False:
            return "singleton"
        case Color.RED:
            return "red"
        case Point(0, y) if y > 5:
            return "far up", y
        case Point(x=0, y=y):
            return "on the axis", y
        case Point(x, y) as whole:
            return "point", x, y, whole is value
        case []:
            return "empty"
        case [x]:
            return "one", x
        case [1, *rest, 9]:
            return "from 1 to 9", rest
        case (x, [y, *_], *more):
            return "nested", x, y, more
        case {"kind": "circle", "r": float(r) | int(r), **others}:
            return "circle", r, others
        case {"kind": kind}:
            return "kind", kind
        case str(s) | bytes(s) if len(s) > 3:
            return "long", s
        case int() | float() as number if number > 100:
            return "large", number
        case [*_]:
            return "sequence"
        case {}:
            return "mapping"
        case other:
            return "other", type(other).__name__


def every_pattern():
    values = [
        0, -1, 1.5, 2j, "text", b"bytes", None, True, Color.RED, Color.BLUE, Point(0, 9), Point(0, 1), Point(3, 4),
        [], [7], [1, 2, 3, 9], (1, [2, 3], 4), (1, 2), {"kind": "circle", "r": 2, "z": 1}, {"kind": 5}, {"a": 1}, {},
        "longer", "s", b"long bytes", 500, 50, range(3), object,
    ]  # fmt: skip
    return [describe(v) for v in values]


def names_stay_bound_after_a_failed_match(n=3):
    match (1, n):
        case (x, 5):
            return "no"
        case (1, y) if y > 100:
            return "no"
    return x, y


def jumps_in_cases():
    found = []
    for item in [1, "skip", [1, 2], "stop", 5]:
        match item:
            case "skip":
                continue
            case "stop":
                break
            case [a, b] if a < b:
                for x in (a, b):
                    if x > 1:
                        found.append(x)
            case int(i):
                if i > 0:
                    found.append(i)
    return found, item


def subject_is_made_once():
    log = []

    def subject():
        log.append("made")
        return 5

    match subject():
        case 1:
            pass
        case 5 if log:
            log.append("five")
    return log


def guards_in_order():
    log = []

    def guard(name, answer):
        log.append(name)
        return answer

    match 5:
        case x if guard("a", False):
            pass
        case 5 | 6 if guard("b", 0):
            pass
        case _ if guard("c", [1]):
            log.append("matched")
        case _ if guard("d", True):
            pass
    return log


def branches_around_matches(n=3):
    if n > 1:
        match n:
            case 3:
                x = "three"
            case _:
                x = "other"
    while n > 0:
        match n:
            case 2:
                n -= 2
            case _:
                n -= 1
    return x, n


def own_match_args():
    class Pair:
        __match_args__ = ("left", "right")

        def __init__(self, left, right):
            self.left, self.right = left, right

    def total(tree):
        match tree:
            case Pair(left, right):
                return total(left) + total(right)
            case int(n):
                return n

    return total(Pair(Pair(1, 2), 3))


def soft_keywords_are_names(match=1, case=2, type=3, _=4):
    if match:
        case = match + case
    return match, case, type, _


def return_from_match_in_with_and_try():
    import contextlib

    def f(x):
        with contextlib.nullcontext():
            try:
                match x:
                    case 1:
                        return "one"
                    case [y]:
                        return y
            finally:
                x = None
        return "end"

    return f(1), f([2]), f(3)
