"""Text."""

import re
import string
from collections import Counter

_WORD = re.compile(r"[a-z']+")


def slug(title):
    cleaned = "".join(c.lower() if c.isalnum() else "-" for c in title)
    while "--" in cleaned:
        cleaned = cleaned.replace("--", "-")
    return cleaned.strip("-")


def word_counts(text, least=1):
    counts = Counter(_WORD.findall(text.lower()))
    return {word: n for word, n in counts.most_common() if n >= least}


def wrap(text, width):
    """Lines of at most `width` columns."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        lines.append(line)
    return lines


def caesar(text, shift):
    result = []
    for c in text:
        if c in string.ascii_lowercase:
            result.append(chr((ord(c) - 97 + shift) % 26 + 97))
        elif c in string.ascii_uppercase:
            result.append(chr((ord(c) - 65 + shift) % 26 + 65))
        else:
            result.append(c)
    return "".join(result)


def is_palindrome(text):
    letters = [c for c in text.lower() if c.isalpha()]
    return letters == letters[::-1]


def run_lengths(text):
    pairs = []
    for c in text:
        if pairs and pairs[-1][0] == c:
            pairs[-1] = (c, pairs[-1][1] + 1)
        else:
            pairs.append((c, 1))
    return pairs


def edit_distance(a, b):
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            cost = 0 if x == y else 1
            current.append(min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost))
        previous = current
    return previous[-1]


def plural(count, noun, many=None):
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def table(rows, *, separator=" | "):
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows)]
    return "\n".join(separator.join(str(c).ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows)


def parse_query(query):
    found = {}
    for part in query.lstrip("?").split("&"):
        if not part:
            continue
        key, equals, value = part.partition("=")
        found.setdefault(key, []).append(value if equals else None)
    return found


def roman(number):
    if not 0 < number < 4000:
        raise ValueError(f"{number} has no Roman numeral")
    text = ""
    for value, letters in (
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ):
        while number >= value:
            text += letters
            number -= value
    return text


CALLS = {
    "slug": [("Hello, World -- again!",), ("",)],
    "word_counts": [("the cat and the dog's cat", 2), ("",)],
    "wrap": [("a few words that have to be wrapped", 10), ("", 10)],
    "caesar": [("Hello, World!", 3), ("xyz", -25)],
    "is_palindrome": [("Never odd or even",), ("no",)],
    "run_lengths": [("aaabccd",), ("",)],
    "edit_distance": [("kitten", "sitting"), ("", "abc")],
    "plural": [(1, "file"), (2, "file"), (2, "child", "children")],
    "table": [([("name", "n"), ("x", 12)],)],
    "parse_query": [("?a=1&b&a=2&&c=",)],
    "roman": [(1994,), (4,), (0,)],
}
