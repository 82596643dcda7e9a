"""Random programs that write arrays: by other names, through views, in helpers, lists, objects, branches and loops."""

import random

HEAD = """
class Holder:
    pass


def add(z):
    z += 1


def put(z, i):
    z[i] = 7
    return z


def turned(z):
    return z[::-1]


"""


class Writer:
    """Writes a program: `v0` to `v3` are arrays of 3, `m0` and `m1` of 2 by 3."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.lines = []

    def program(self):
        self.lines = [
            "def f(x, y, m, n):",
            "    v0, v1, v2, v3 = x, y, x.copy(), y * 2",
            "    m0, m1 = m, m + 1",
            "    xs, o = [v2, v3], Holder()",
            "    o.a, o.m = v3, m1",
        ]
        self.block(1, self.draw.randint(3, 7), 2)
        kept = self.draw.sample(["v0", "v1", "v2", "v3", "m0", "m1", "xs[0]", "o.a", "o.m"], 4)
        self.lines.append(f"    return {', '.join(kept)}")
        return HEAD + "\n".join(self.lines) + "\n"

    def v(self):
        return self.draw.choice(["v0", "v1", "v2", "v3", "v0", "v1", "xs[0]", "xs[1]", "o.a"])

    def m(self):
        return self.draw.choice(["m0", "m1", "o.m"])

    def index(self):
        return self.draw.choice(["0", "1", "2", "-1", "n - 1"])

    def value(self):
        """An array of 3, mostly not a place."""
        a, b = self.v(), self.v()
        return self.draw.choice(
            [a, f"{a} + {b}", f"{a} * 2", f"{a}[::-1]", f"{self.m()}[1]", f"{a}.copy()", f"{a} - 1"]
        )

    def number(self):
        return self.draw.choice([f"{self.v()}[{self.index()}]", "3.0", f"{self.v()}.sum()", f"{self.m()}[1, 2]"])

    def condition(self):
        return self.draw.choice([f"{self.v()}[{self.index()}] > {self.draw.randint(0, 9)}", "n > 1", "n > 5"])

    def block(self, depth, count, deeper):
        for _ in range(count):
            self.statement(depth, deeper)

    def write(self, depth, text):
        self.lines.append("    " * depth + text)

    def statement(self, depth, deeper):
        kind = self.draw.randrange(22 if deeper else 17)
        a, b, c, m = self.v(), self.v(), self.v(), self.m()
        simple = {
            0: f"{a} = {self.value()}",
            1: f"{a} = {b}",
            2: f"{a} = {b}[::-1]",
            3: f"{a} = {m}[{self.draw.choice(['0', '1', 'n - 2'])}]",
            4: f"{a} {self.draw.choice(['+=', '*=', '-='])} {self.draw.choice(['1', '2', b, self.number()])}",
            5: f"{a}[{self.index()}] = {self.number()}",
            6: f"{a}[1:] = {b}[:2]",
            7: f"{m}[{self.draw.choice(['0', ':'])}] = {self.value()}",
            8: f"{m}[:, {self.index()}] {self.draw.choice(['=', '+='])} {self.number()}",
            9: f"add({self.draw.choice([a, f'{m}[0]', f'{m}.T', f'{a}[1:]'])})",
            10: f"{a} = put({b}, {self.index()})",
            11: f"{a} = turned({b})",
            12: f"{a}, {b} = {b}, {a}",
            13: f"np.add({a}, {b}, out={c})",
            14: f"{m} = {self.draw.choice([self.m(), f'{m} * 2', f'{m}[::-1]', f'{m}[:, ::-1]'])}",
            15: f"{self.draw.choice([f'{a}.fill(2)', f'{a}.sort()', f'np.copyto({a}, {b})', f'{a}.flat[0] = 4'])}",
            16: f"{m} += {self.draw.choice([a, '1', m])}",
        }
        if kind in simple:
            self.write(depth, simple[kind])
        elif kind in (17, 18):
            self.write(depth, f"if {self.condition()}:")
            self.block(depth + 1, self.draw.randint(1, 3), deeper - 1)
            if self.draw.random() < 0.5:
                self.write(depth, "else:")
                self.block(depth + 1, self.draw.randint(1, 2), deeper - 1)
        elif kind in (19, 20):
            self.write(depth, f"for i{depth} in range({self.draw.choice(['n', '2'])}):")
            self.block(depth + 1, self.draw.randint(1, 3), deeper - 1)
        else:
            self.write(depth, f"for row in {m}:")
            self.write(
                depth + 1, self.draw.choice(["row += 1", "row[0] = 5", f"row *= {a}", f"{a} = row", f"{a} += row"])
            )
            self.block(depth + 1, self.draw.randint(0, 1), deeper - 1)


def program(seed):
    return Writer(seed).program()
