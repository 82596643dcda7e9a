"""Hypothesis strategies that write small programs on tensors; `tests/fuzz` has others."""

from hypothesis import strategies as st

NAMES = ("x", "y", "z", "w")


class Writer:
    """Writes one function; `draw` takes the decisions."""

    def __init__(self, draw, wild=False):
        self.draw = draw
        self.wild = wild  # all that a graph has to find out: unbound names, None, lists that grow, exceptions …
        self.counter = 0
        self.budget = 14

    def pick(self, *choices):
        return self.draw(st.sampled_from(choices))

    def fresh(self):
        self.counter += 1
        return f"i{self.counter}"

    # Expressions.

    def value(self, depth=0):
        kinds = ["name", "name", "number"]
        if depth < 2:
            kinds += ["sum", "product", "difference", "choice", "modulo"]
        kind = self.pick(*kinds)
        if self.wild and depth < 2:
            kind = self.pick(kind, kind, kind, kind, "items")
        if kind == "items":
            return self.pick(
                "len(items)", "sum(items) % 101", f"sum([e % 7 for e in items if {self.test(2)}])", "box.n"
            )
        if kind == "name":
            return self.name()
        if kind == "number":
            return str(self.draw(st.integers(-3, 7)))
        a, b = self.value(depth + 1), self.value(depth + 1)
        if kind == "choice":
            return f"({a} if {self.test(depth + 1)} else {b})"
        if kind == "modulo":
            return f"({a} % 5 + {b} % 3)"
        return f"({a} {dict(sum='+', product='*', difference='-')[kind]} {b}) % 101"

    def name(self):
        return self.pick(*NAMES)

    def test(self, depth=0):
        kind = self.pick("compare", "compare", "chain", "and", "or", "not") if depth < 2 else "compare"
        if kind == "compare":
            return f"{self.value(depth + 1)} {self.pick('<', '>', '==', '!=', '<=')} {self.value(depth + 1)}"
        if kind == "chain":
            return f"{self.value(2)} < {self.value(2)} <= {self.value(2)}"
        if kind == "not":
            return f"not ({self.test(depth + 1)})"
        return f"({self.test(depth + 1)} {kind} {self.test(depth + 1)})"

    # Statements.

    def block(self, depth, in_loop):
        count = self.draw(st.integers(1, 3))
        lines = []
        for _ in range(count):
            lines += self.statement(depth, in_loop)
        return ["    " + line for line in lines]

    def statement(self, depth, in_loop):
        self.budget -= 1
        kinds = ["assign", "assign", "augment"]
        if depth < 4 and self.budget > 0:
            kinds += ["if", "if", "while", "for"]
            kinds += ["with", "try"]
        if self.wild:
            kinds += ["delete", "none", "raise", "append", "pop", "attribute", "call", "item"]
            kinds += ["match", "over", "optional"] if depth < 4 and self.budget > 0 else []
        if in_loop:
            kinds += ["break", "continue"]
        if depth > 0:
            kinds += ["return"]
        return getattr(self, "write_" + self.pick(*kinds))(depth, in_loop)

    def write_assign(self, depth, in_loop):
        return [f"{self.name()} = {self.value()}"]

    def write_augment(self, depth, in_loop):
        return [f"{self.name()} {self.pick('+=', '-=')} {self.value(1)}"]

    def write_delete(self, depth, in_loop):
        name = self.name()  # a graph does not tell that what is deleted was unbound
        return [f"{name} = {self.value()}", f"del {name}"]

    def write_if(self, depth, in_loop):
        lines = [f"if {self.test()}:", *self.block(depth + 1, in_loop)]
        for _ in range(self.draw(st.sampled_from((0, 0, 1, 1, 3)))):
            lines += [f"elif {self.test()}:", *self.block(depth + 1, in_loop)]
        if self.draw(st.booleans()):
            lines += ["else:", *self.block(depth + 1, in_loop)]
        return lines

    def write_while(self, depth, in_loop):
        turn = self.fresh()
        limit = "n" if self.draw(st.booleans()) else str(self.draw(st.integers(0, 4)))
        test = f"{turn} < {limit}" + (f" and {self.test(1)}" if self.draw(st.booleans()) else "")
        lines = [f"{turn} = 0", f"while {test}:", f"    {turn} += 1", *self.block(depth + 1, True)]
        return lines + self.otherwise(depth, in_loop)

    def write_for(self, depth, in_loop):
        target = self.fresh()
        limit = "n" if self.draw(st.booleans()) else str(self.draw(st.integers(0, 4)))
        lines = [f"for {target} in range({limit}):", *self.block(depth + 1, True)]
        return lines + self.otherwise(depth, in_loop)

    def otherwise(self, depth, in_loop):
        if self.draw(st.integers(0, 3)):
            return []
        return ["else:", *self.block(depth + 1, in_loop)]

    def write_try(self, depth, in_loop):
        if self.wild:  # a graph cannot end the exceptions that it raises
            return ["try:", *self.block(depth + 1, in_loop), "finally:", "    pass"]
        lines = ["try:", *self.block(depth + 1, in_loop), "finally:", *self.block(depth + 2, in_loop)]
        if self.draw(st.booleans()):
            lines += [f"    if {self.test()}:", *("    " + line for line in self.block(depth + 2, in_loop))]
        return lines

    def write_with(self, depth, in_loop):
        return ["with nullcontext():", *self.block(depth + 1, in_loop)]

    def write_match(self, depth, in_loop):
        name = self.name()
        return [
            f"match ({self.value(1)}, {self.name()}):",
            f"    case ({self.draw(st.integers(0, 2))}, _) if {self.test(1)}:",
            *("    " + line for line in self.block(depth + 1, in_loop)),
            f"    case ({name}, 0 | 1 | 2) | (3, {name}):",
            *("    " + line for line in self.block(depth + 1, in_loop)),
        ]

    def write_none(self, depth, in_loop):
        return [f"{self.name()} = None"]

    def write_optional(self, depth, in_loop):
        name = self.name()
        test = self.pick("is None", "is not None")
        return [f"if {name} {test}:", *self.block(depth + 1, in_loop), "else:", *self.block(depth + 1, in_loop)]

    def write_raise(self, depth, in_loop):
        return [f"if {self.test()}: raise KeyError({self.draw(st.integers(0, 9))})"]

    def write_append(self, depth, in_loop):
        value = self.value(1)
        return [
            self.pick(f"items.append({value})", f"items.extend([{value}, 1])", f"items += [{value}]", f"add({value})")
        ]

    def write_pop(self, depth, in_loop):
        return [f"if len(items) > {self.draw(st.integers(0, 2))}: {self.name()} = items.pop({self.pick('', '0')})"]

    def write_item(self, depth, in_loop):
        return [f"if items: items[{self.pick('0', '-1', 'len(items) - 1')}] {self.pick('=', '+=')} {self.value(1)}"]

    def write_attribute(self, depth, in_loop):
        return [self.pick(f"box.n = {self.value(1)}", f"box.add({self.value(1)})")]

    def write_call(self, depth, in_loop):
        return [f"{self.name()} = {self.pick('helper', 'total')}({self.value(1)})"]

    def write_over(self, depth, in_loop):
        return [f"for {self.fresh()} in list(items):", *self.block(depth + 1, in_loop=True)]

    def write_break(self, depth, in_loop):
        return ["break"]

    def write_continue(self, depth, in_loop):
        return ["continue"]

    def write_return(self, depth, in_loop):
        return [f"return {self.value()}, {self.value()}"]


@st.composite
def tensor_programs(draw):
    """Programs that mean the same for tensors: every name bound, every return of one structure."""
    writer = Writer(draw)
    body = ["    x, y, z, w = n, m, n - m, n * 0 + 1"]
    for _ in range(draw(st.integers(1, 4))):
        body += ["    " + line for line in writer.statement(0, False)]
    return "\n".join(["def f(n, m):", *body, "    return x + y, z + w"]) + "\n"


@st.composite
def wild_programs(draw):
    """Programs on tensors that leave to the graph what is bound, None, in a list, or raised."""
    writer = Writer(draw, wild=True)
    body = ["    items = []", "    box = Box()"]
    body += ["    def add(v):", f"        if {writer.test(2).replace('w', 'v')}: items.append(v)"]
    body += ["    def total(v):", "        nonlocal w", "        w = v", "        return len(items) + v"]
    for name in draw(st.sampled_from([NAMES, NAMES[:3], NAMES[:2]])):
        body.append(f"    {name} = {draw(st.sampled_from(['n', 'm', '1', 'n - m']))}")
    for _ in range(draw(st.integers(1, 4))):
        body += ["    " + line for line in writer.statement(0, False)]
    result = draw(st.sampled_from(["x, y", "z, w", "len(items), w", "sum(items), box.n"]))
    return "\n".join(["def f(n, m):", *body, f"    return {result}"]) + "\n"


# Programs on arrays: `a` and `c` are [3, 4], `b` and `d` [4], `s` is a number, `k` counts; `out` is a list of [4], and
# `V` a Variable of [4].
_ARRAYS = """
a = np.tanh(a) + c
a = a * b
a = a + s
a = np.maximum(a, c) - 0.5
a = -c[::-1]
a = a[:, ::-1]
a = (a.T @ c)[:3] * 0.1
a = np.where(a > s, a, c)
a = np.concatenate([c[1:], a[:1]])
a = np.roll(a, 1, axis=0)
a = np.cumsum(a, axis=1) * 0.1
a = np.stack([b, d, b + d])
a = np.reshape(np.reshape(a, (4, 3)), (3, 4))
a = a - np.mean(a, axis=1, keepdims=True)
a = a / (1.0 + np.sum(np.abs(a), axis=0))
a, c = c, a
c = a
c = c + np.outer(c[:, 0], d) * 0.1
a[k % 3] = b
a[:, k % 4] = s
a[1:, :2] = c[:2, 2:]
a[0] = a[1] + b
c[k % 3, k % 4] = s
b = a[k % 3]
b = np.sum(a, axis=0)
b = np.max(c, axis=0) - d
b = np.exp(-np.abs(a[1])) * 2.0
b = d[::-1]
b = a.T[:, 0] * 1.0
b = np.sort(b)
b = b[np.argsort(d)]
b = (b @ a.T) @ c * 0.01
b, d = d, b
d = b
d = d * s + 1.0
b[k % 4] = s
s = np.sum(a) * 0.01
s = b[k % 4]
s = np.mean(b) + d[0]
s = np.max(a) - np.min(c)
s = np.sqrt(np.sum(b * b)) * 0.1
s = s * 0.5 - 0.1
out.append(b)
out.append(d * s)
b = out[-1] + d
b = out[k % len(out)]
out[0] = d
V.assign(b)
V.assign_add(d * 0.1)
b = V * 1.0
d = V.read_value()
c = c + V
""".strip().splitlines()
# Sums of the same numbers in another order may differ in the last bit, and are not to decide.
_TESTS = "s > 0.1|k % 2 == 0|np.sum(b) > np.sum(d) + 1e-3|a[0, 0] < c[1, 1] and s < 2.0|len(out) > 2".split("|")


@st.composite
def array_programs(draw):
    """A function of two arrays and a number that computes, changes parts, branches and loops."""
    lines = ["def f(a, b, n):", "    c, d, s, k, out = a * 0.5, b + 1.0, 0.3, 0, [b]"]

    def block(depth, size):
        margin = "    " * depth
        for _ in range(draw(st.integers(1, size))):
            kind = draw(st.integers(0, 9))
            if depth < 4 and kind == 0:
                lines.append(f"{margin}if {draw(st.sampled_from(_TESTS))}:")
                block(depth + 1, 3)
                if draw(st.booleans()):
                    lines.append(f"{margin}else:")
                    block(depth + 1, 3)
            elif depth < 3 and kind == 1:
                turns = draw(st.sampled_from(["n", "2", "n + 1"]))
                lines.append(f"{margin}for i{depth} in range({turns}):")
                block(depth + 1, 4)
                lines.append(f"{margin}    k += 1")
                if draw(st.integers(0, 3)) == 0:
                    lines.append(f"{margin}    if {draw(st.sampled_from(_TESTS))}:")
                    lines.append(f"{margin}        {draw(st.sampled_from(['break', 'continue']))}")
            else:
                lines.append(margin + draw(st.sampled_from(_ARRAYS)))

    block(1, 8)
    lines.append("    return a, b, c, d, s, k, out, V * 1.0")
    return "\n".join(lines) + "\n"
