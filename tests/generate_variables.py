"""Random programs that read and write Variables: in conditions, in the tests of loops, in functions, as what others are
computed from; beside plain numbers, an array and a list."""

import random

HEAD = """
V = runtime.Variable(np.int64(1))
W = runtime.Variable(np.array([1, 2, 3]))


def bump(k):
    V.assign_add(k % 7)
    return V.read_value() % 11


def either(k):
    if k > 5:
        return V.assign((V + k) % 90) + 0
    return k + W[1]


def halved(k):
    if k % 2 == 0:
        W.assign_add(np.array([1, 0, 1]))
        return k % 9
    while k > 20:
        k = k // 2
        V.assign_add(1)
    return k


"""
NUMBERS = """
x; y; n; V; V.read_value(); 1; 2; 3; W[0]; W[1]; W[y % 3]; int(z[0]); int(z[n % 3]); items[0]; items[-1]; items[x % 2]
bump(x); bump(2); either(x); halved(y)
""".replace("\n", ";").split(";")
NUMBERS = [part.strip() for part in NUMBERS if part.strip()]


class Writer:
    """Writes a program: `x`, `y` and `n` are numbers, `z` is an array of 3."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.counters = self.depth = 0

    def program(self):
        lines = ["def f(n, x, y, z):", "    items = [x, y]", *self.block(1, False), *self.block(1, False)]
        return HEAD + "\n".join([*lines, "    return x, y, items[0], items[1], z"]) + "\n"

    def number(self, depth=0):
        if depth > 1 or self.draw.random() < 0.6:
            return self.draw.choice(NUMBERS)
        a, b = self.number(depth + 1), self.number(depth + 1)
        chosen = f"(0 + {a} if {self.test(depth + 1)} else {b} + 0)", f"max({a} + 0, {b} + 0)"  # no Variable itself
        made = f"({a} {self.draw.choice('+-*')} {b})", *chosen
        return self.draw.choice([*made, f"({a} % 7)", f"abs({a})", f"V.assign({a} % 50)", f"V.assign_add({a} % 5)"])

    def test(self, depth=0):
        made = f"{self.number(depth + 1)} {self.draw.choice(['<', '>', '<=', '==', '!='])} {self.number(depth + 1)}"
        chance = self.draw.random()
        if depth < 2 and chance < 0.25:
            return f"({made}) {self.draw.choice(['and', 'or'])} ({self.test(depth + 1)})"
        return f"not ({made})" if depth < 2 and chance < 0.35 else made

    def block(self, indent, in_loop):
        return [
            line for _ in range(self.draw.randint(1, 4)) for line in self.statement("    " * indent, indent, in_loop)
        ]

    def statement(self, space, indent, in_loop):
        if self.depth > 2 or self.draw.random() < 0.6:
            return [space + self.simple()]
        self.depth += 1
        kind = self.draw.choice(["if", "if", "while", "for", "jump"])
        self.counters += 1
        counter = f"i{self.counters}"
        if kind == "if":
            lines = [f"{space}if {self.test()}:", *self.block(indent + 1, in_loop)]
            if self.draw.random() < 0.5:
                lines += [f"{space}else:", *self.block(indent + 1, in_loop)]
        elif kind == "while":
            bound, more = self.draw.choice(["3", "n % 5", "x % 4"]), self.draw.choice(["", f" and ({self.test()})"])
            lines = [f"{space}{counter} = 0", f"{space}while {counter} < {bound}{more}:", f"{space}    {counter} += 1"]
            lines += self.block(indent + 1, True)
        elif kind == "for":
            bound = self.draw.choice(["3", "n % 5", "x % 4", "bump(1) % 4"])
            lines = [f"{space}for {counter} in range({bound}):", *self.block(indent + 1, True)]
        else:
            jump = self.draw.choice(["break", "continue"]) if in_loop else "return x, y, items[0], items[1], z"
            lines = [f"{space}if {self.test()}:", f"{space}    {jump}"]
        self.depth -= 1
        return lines

    def simple(self):
        value, place = self.number(), self.draw.choice(["0", "1", "n % 3", "x % 3"])
        made = [
            f"x = ({value}) % 100", f"y = ({value}) % 100", f"V.assign(({value}) % 100)", f"V.assign_add({value} % 9)",
            f"W.assign(W * 2 % 31 + {value} % 5)", f"W.assign_add(np.array([1, 2, 3]) * ({value} % 3))",
            f"z[{place}] = ({value}) % 100", f"items[{self.draw.choice('01')}] = ({value}) % 100",
            "z += W.read_value() % 5",
            "held = V.read_value(); x = (held + bump(1)) % 100", "x = (x * 3 + V) % 100",
            "w = W.read_value(); W.assign(W + 1); y = int(w[0]) + x % 5",
        ]  # fmt: skip
        return self.draw.choice(made)


def program(seed):
    return Writer(seed).program()
