"""Programs on NumPy at random: arrays, NumPy's numbers and Python's, each of which keeps its kind.

A variable holds values of one kind all along, so that nothing is left to which branch a graph takes.
"""

# ruff: noqa: E501 - forms of expressions are easier to compare when they are close together

from __future__ import annotations

from tests.fuzz.forms import Forms

ARGUMENTS = """[
    [np.array([1.5, -2.0, 0.25, 4.0, 3.5]), np.array([3, 1, -4, 1, 5]), np.array([0.5, 2, -1, 8, 0.1], np.float32),
     np.array([7, 0, 200, 31, 9], np.uint8), np.arange(15.0).reshape(3, 5) / 7, np.int64(4), 3],
    [np.array([0.0, -0.5, 9.0, 2.0, -7.0]), np.array([0, 9, 2, 2, -6]), np.array([1, 0.3, 5, -2, 0], np.float32),
     np.array([1, 2, 3, 4, 255], np.uint8), np.cos(np.arange(15.0)).reshape(3, 5), np.int64(0), 3],
]"""

# By the letter for a kind: how its values are made; each form can stand before a dot. Letters in lower case are numbers: of
# Python's (i, f, p for a truth value) and of NumPy's (j, g, h for float32, u for uint8, q for a truth value); those in upper case
# are arrays.
FORMS = {
    "i": ["$c", "$c", "$v", "$v", "len($G)", "$G.shape[0]", "$M.ndim", "$G.size", "($i + $i)", "($i - $i)",
          "(($i * $i) % 97)", "($i // 3)", "(-$i % 5)", "abs($i)", "min($i, $i)", "max($i, $c)", "int($j % 50)",
          "int(np.clip($g, -9, 9))", "($i if $p else $i)", "round($e)", "len([$i, $i])"],
    "f": ["$e", "$v", "$v", "($i / 4)", "($f + $f)", "($f * $e)", "($f - $i)", "float(np.clip($g, -9, 9))", "float($i)",
          "min($f, $e)", "abs($f)", "($f if $p else $f)", "float($h)", "($i * 0.5)", "np.clip($g, -1, 1).item()"],
    "p": ["($i > $i)", "($f < $f)", "($i == $c)", "(not $p)", "bool($q)", "($p and $p)", "np.allclose($G, $G)",
          "bool($g > $f)"],
    "j": ["$v", "$v", "$J[$c % 5]", "$J[-1]", "($j + $j)", "($j - $i)", "($j * $c)", "$J.sum()", "$J.max()",
          "np.int64($i)", "$G.argmax()", "np.sum($B)", "abs($j)", "($j // 3)", "($j % 7)", "np.dot($J, $J)",
          "np.sum($U, dtype=np.int64)", "np.argmin($J)", "(np.count_nonzero($B) + np.int64(0))", "$U.astype(int)[$c % 5]",
          "np.prod($J)", "np.trace($M.astype(int))"],
    "g": ["$v", "$v", "$G[$c % 5]", "$M[1, $c % 5]", "($g + $g)", "($g * $f)", "($g - $i)", "($g / 3)", "($j / 4)",
          "($j * $e)", "$G.sum()", "$G.mean()", "np.sqrt(abs($g))", "np.float64($i)", "np.float64($f)", "np.dot($G, $J)",
          "min($g, $g)", "np.mean($J)", "$M.max()", "np.maximum($g, $i)", "np.float64($h)", "np.sin($g)", "$G.std()",
          "np.median($G)", "($g if $p else $g)", "np.sqrt($c)", "np.linalg.norm($G)", "($h * $g)"],
    "h": ["$v", "$H[$c % 5]", "($h + $f)", "($h * $i)", "$H.sum()", "$H.mean()", "np.float32($i)", "np.float32($e)",
          "($h - $h)", "np.sqrt(abs($h))", "($u * $h)", "np.floor($h)", "np.exp(-abs($h))"],
    "u": ["$v", "$U[$c % 5]", "$U.max()", "($u // 3)", "($u & $u)", "np.uint8($c)", "np.minimum($u, $c)", "($u + 2)"],
    "q": ["($g > $g)", "($j == $i)", "$B.any()", "np.all($B)", "$B[$c % 5]", "($g < $f)", "np.isfinite($g)", "($q & $q)"],
    "G": ["$v", "$v", "$v", "($G + $G)", "($G * $g)", "($G - $f)", "($G / 3)", "($J / 4)", "($J * $e)", "($G + $J)",
          "np.where($B, $G, $f)", "np.where($B, $f, $f)", "np.where($B, $G, $i)", "np.sqrt(np.abs($G))", "$G[::-1]",
          "$G.copy()", "np.zeros(5)", "np.full(5, $f)", "np.array([$f, $f, $i, $f, $g])", "$H.astype(float)",
          "np.cumsum($G)", "$M[$c % 3]", "$M.sum(axis=0)", "np.linspace(0, $f, 5)", "np.ones_like($G)", "np.sort($G)",
          "np.maximum($G, $f)", "np.clip($G, -1, $i)", "np.concatenate([$G[:2], $G[2:]])", "np.minimum($G, $J)",
          "$M.mean(axis=0)", "np.array([$g, $g, $g, $g, $i])", "np.dot($M.T, $M[:, 0])", "np.interp($G, np.arange(5), $G)",
          "np.outer($G, $G)[1]", "np.full_like($G, $i)", "($H + $J)", "np.roll($G, $c)", "(np.diff($M[:, ::-1])[0, :1] + $G)"],
    "J": ["$v", "$v", "($J + $J)", "($J - $i)", "($J * $j)", "np.arange(5)", "np.where($B, $J, $i)",
          "np.where($B, $i, $i)", "np.clip($G, -9, 9).astype(int)", "np.argsort($G, kind='stable')", "np.full(5, $i)",
          "np.array([$i, $i, $i, $c, $i])", "np.cumsum($J)", "$B.astype(int)", "$U.astype(np.int64)", "np.zeros(5, int)",
          "np.zeros(5, dtype=np.int64)", "np.cumsum($U[:5] > 3)", "np.abs($J)", "($J // 3)", "np.sort($J)", "$J[::-1]",
          "np.sign($J)", "np.array([$j, $i, $j, $i, $j])", "($U + $J)", "np.full_like($J, $i)", "np.cumsum($B)",
          "np.searchsorted(np.sort($G), $G)", "np.minimum($J, $i)", "np.zeros_like($J)", "np.arange($c, 20)[:5]"],
    "H": ["$v", "($H + $H)", "($H * $f)", "($H - $i)", "($H * $U)", "np.where($B, $H, $e)", "np.sqrt(np.abs($H))",
          "$G.astype(np.float32)", "np.zeros(5, np.float32)", "np.cumsum($H)", "np.full(5, $f, np.float32)", "$H[::-1]",
          "np.maximum($H, $i)", "np.array([$h, $h, $h, $h, $h])"],
    "U": ["$v", "$v", "($U // 3)", "($U & 15)", "np.minimum($U, $c)", "($U + $U)", "$U[::-1]", "np.sort($U)",
          "np.where($B, $U, $c)", "$B.astype(np.uint8)"],
    "B": ["($G > $g)", "($G < $f)", "($J == $i)", "(~$B)", "($B & $B)", "($G >= $J)", "np.isnan($G)", "($U > $c)",
          "np.array([$q, True, False, $p, $q])", "np.logical_or($B, $J)"],
    "M": ["$v", "$v", "($M + $G)", "($M * $f)", "np.outer($G[:3], $G)", "$M[::-1]", "np.where($M > $f, $M, $i)", "$M.copy()",
          "np.vstack([$G, $G, $J])", "np.zeros((3, 5))", "np.cumsum($M, axis=0)", "np.array([$G, $J, $G])", "$M.T.copy().T"],
}  # fmt: skip
START = {"i": "k", "f": "0.5", "j": "n", "g": "a[0]", "h": "c[1]", "u": "d[2]", "G": "a", "J": "b", "H": "c", "U": "d",
         "M": "m"}  # fmt: skip
LONG = ["range(3)", "range(len(a))", "range(1, 40)", "range(n)", "range(k)", "range(5, 0, -2)"]


class Writer(Forms):
    parts = {}

    def __init__(self, random):
        super().__init__(random)
        self.deep = 0

    def variable(self, kind):
        return f"{kind}{self.random.randint(0, 1)}" if kind in START else None

    def value(self, kind, depth=0):
        """An expression of a kind."""
        if depth > 2 and kind in START and self.flag(0.8):
            return self.variable(kind)
        form = self.random.choice(FORMS[kind][: 4 if depth > 3 else None])
        made = []
        for number, piece in enumerate(form.split("$")):
            if not number:
                made.append(piece)
            elif piece[0] == "v":
                made.append(self.variable(kind) + piece[1:])
            elif piece[0] == "c":
                made.append(self.pick("0", "1", "2", "3", "7", *self.counters) + piece[1:])
            elif piece[0] == "e":
                made.append(self.pick("0.5", "-1.25", "2.0", "1e-3") + piece[1:])
            else:
                made.append(self.value(piece[0], depth + 1) + piece[1:])
        return "".join(made)

    counters: tuple[str, ...] = ()

    def statement(self, depth, loop):
        kind = self.pick(*START)
        simple = [
            lambda: f"{self.variable(kind)} = {self.value(kind)}",
            lambda: f"{self.variable(kind)} = {self.value(kind)}",
            lambda: f"{self.pick('G0', 'G1', 'M0[1]')}[{self.pick('0', '-1', ':', '1:4', '::2')}] = {self.value(self.pick(*'gfij'))}",
            lambda: f"{self.pick('J0', 'J1')}[{self.pick('0', '-1', ':', '1:4')}] += {self.value(self.pick(*'ij'))}",
            lambda: f"{self.pick('G0', 'G1', 'M0')} {self.pick('+=', '*=', '-=')} {self.value(self.pick(*'Ggfij'))}",
            lambda: f"g0 {self.pick('+=', '*=', '-=')} {self.value(self.pick(*'gfij'))}",
            lambda: f"i1 = (i1 + {self.value('i')}) % 101",
            lambda: f"xs.append({self.value('f')})",
            lambda: f"ys.append({self.value('j')})",
            lambda: f"H0 *= {self.value(self.pick(*'hfi'))}",
            lambda: f"G1 = np.array([x * {self.value('f')} for x in G0])",
            lambda: f"print({', '.join(self.value(self.pick(*'ijpquJUB')) for _ in range(self.pick(1, 2, 3)))})",
            lambda: f"print(f\"{{{self.value(self.pick(*'ijpq'))}}} and {{{self.value('i')}:4d}}\", [{self.value('i')}], sep='|')",
        ]  # fmt: skip
        if depth < 2 and self.flag(0.4):
            if self.flag():
                lines = [f"if {self.value(self.pick('p', 'q'))}:", *self.block(depth + 1, loop)]
                return lines + (["else:", *self.block(depth + 1, loop)] if self.flag() else [])
            counter = self.fresh("z")
            before, self.counters = self.counters, (*self.counters, counter)
            lines = [f"for {counter} in {self.pick(*LONG)}:", *self.block(depth + 1, True)]
            self.counters = before
            return lines
        return [self.pick(*simple)()]

    def program(self):
        lines = [
            f"    {kind}{n} = {START[kind]}{'.copy()' if n and kind in 'GJHUM' else ''}"
            for kind in START
            for n in (0, 1)
        ]
        lines += ["    xs, ys = [], []"]
        for _ in range(self.random.randint(2, 5)):
            lines += ["    " + line for line in self.statement(0, False)]
        kept = [f"{kind}{n}" for kind in START for n in (0, 1)]
        kept = self.random.sample(kept, 7) + [self.value(self.pick(*FORMS)) for _ in range(3)]
        return (
            f"ARGUMENTS = {ARGUMENTS}\n\n\ndef f(a, b, c, d, m, n, k):\n"
            + "\n".join(lines)
            + (f"\n    return xs, ys, {', '.join(kept)}\n")
        )


def write(random):
    """The text of a program: the same for the same state of `random`."""
    return Writer(random).program()
