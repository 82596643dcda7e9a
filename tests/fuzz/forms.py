"""Text by forms: in `$N + $N`, each letter stands for a part that is chosen at random."""

from __future__ import annotations

import re


class Forms:
    """Chooses, and fills in. `parts` says which method a letter stands for, and how deep it starts at least."""

    parts = {}

    def __init__(self, random):
        self.random = random
        self.counter = 0
        self.budget = random.choice((4, 8, 14, 20))

    def pick(self, *choices):
        return self.random.choice(choices)

    def flag(self, p=0.5):
        return self.random.random() < p

    def fresh(self, letter="i"):
        self.counter += 1
        return f"{letter}{self.counter}"

    def fill(self, form, depth=-1):
        """The text of a form; `$1`, `$2` are names of their own, the same wherever they stand in it."""
        if "$" not in form:
            return form
        known = {}

        def one(match):
            letter = match[1]
            if letter.isdigit():
                return known.setdefault(letter, self.fresh())
            make, least = self.parts[letter]
            return getattr(self, make)(max(depth + 1, least))

        return re.sub(r"\$(\w)", one, form)

    def block(self, depth, loop):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth, loop)
        return ["    " + line for line in lines]
