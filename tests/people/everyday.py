"""What scripts are made of."""

import os
import sys
from pathlib import Path


def leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in(month, year):
    if month == 2:
        return 29 if leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def grade(points):
    if points >= 90:
        mark = "A"
    elif points >= 80:
        mark = "B"
    elif points >= 70:
        mark = "C"
    else:
        mark = "F"
    return mark


def change(amount, coins=(50, 20, 10, 5, 2, 1)):
    used = {}
    for coin in coins:
        count, amount = divmod(amount, coin)
        if count:
            used[coin] = count
        if amount == 0:
            break
    else:
        raise ValueError(f"{amount} is left")
    return used


def human_size(size):
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.1f} {unit}".replace(".0 ", " ")
        size /= 1000
    return f"{size:.1f} GB"


def arguments(given):
    options, paths = {"verbose": 0, "output": None}, []
    waiting = list(given)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            paths += waiting
            break
        if word in ("-v", "--verbose"):
            options["verbose"] += 1
        elif word.startswith("--output="):
            options["output"] = word.removeprefix("--output=")
        elif word == "-o":
            if not waiting:
                sys.exit("-o needs a file")
            options["output"] = waiting.pop(0)
        elif word.startswith("-"):
            sys.exit(f"unknown option {word}")
        else:
            paths.append(word)
    return options, paths


def newest(folder, pattern="*.txt"):
    files = [p for p in Path(folder).glob(pattern) if p.is_file()]
    return max(files, key=os.path.getmtime, default=None)


def luhn(number):
    total = 0
    for place, digit in enumerate(reversed(number)):
        value = int(digit)
        if place % 2:
            value *= 2
            if value > 9:
                value -= 9
        total += value
    return total % 10 == 0


def temperature(value, unit="C"):
    assert unit in "CF", f"unknown unit {unit}"
    return value * 9 / 5 + 32 if unit == "C" else (value - 32) * 5 / 9


def overlaps(meetings):
    meetings = sorted(meetings)
    clashes = []
    for (start, end), (other, _) in zip(meetings, meetings[1:]):
        if other < end:
            clashes.append((start, other))
    return clashes


def fizzbuzz_lines(n):
    for i in range(1, n + 1):
        line = ("Fizz" if i % 3 == 0 else "") + ("Buzz" if i % 5 == 0 else "")
        yield line or str(i)


def describe(value):
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case int() | float() if value < 0:
            return "negative"
        case [] | "" | {}:
            return "empty"
        case [only]:
            return f"one: {describe(only)}"
        case [first, *_, last]:
            return f"from {describe(first)} to {describe(last)}"
        case {"name": str(name), **rest}:
            return f"{name} and {len(rest)} more"
        case _:
            return type(value).__name__


CALLS = {
    "leap": [(1900,), (2000,), (2023,)],
    "days_in": [(2, 2024), (2, 2023), (4, 2023), (12, 2023)],
    "grade": [(95,), (85,), (75,), (5,)],
    "change": [(88,), (0,), (3, (2,))],
    "human_size": [(12,), (12345,), (1e9,)],
    "arguments": [(["-v", "a", "-o", "x", "--", "-b"],), (["-o"],), (["--output=y", "-q"],)],
    "newest": [("/nowhere",)],
    "luhn": [("4539578763621486",), ("123",)],
    "temperature": [(100,), (212, "F"), (1, "K")],
    "overlaps": [([(1, 3), (2, 5), (6, 7)],)],
    "fizzbuzz_lines": [(15,)],
    "describe": [(None,), (True,), (-1.5,), ([],), ([1, -2, None],), ([True],), ({"name": "x", "a": 1},), (4,)],
}
