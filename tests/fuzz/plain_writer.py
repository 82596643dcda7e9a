"""Writes programs with ordinary values, of any statements."""

# ruff: noqa: E501 - forms of statements are easier to compare on a line each

from __future__ import annotations

from tests.fuzz.forms import Forms

HEADER = "from tests.fuzz.prelude import *\nG = 5\n"
NAMES = ("x", "y", "z", "w")
HEAD = "items, d, s, text, box = [n, 4, m], {0: n, 'k': m}, {1, n}, 'ab' * (n + 1), Sub(n)"


class Writer(Forms):
    """Writes one function, of any statements."""

    # N, M, n: numbers; T, U, u: tests; L, l: lists; I, i: numbers in a row; S, s: text; v: a variable; m: a mark.
    parts = {
        "N": ("num", 0), "M": ("num", 1), "n": ("num", 2), "T": ("test", 0), "U": ("test", 1), "u": ("test", 2),
        "L": ("lst", 0), "l": ("lst", 2), "I": ("ints", 0), "i": ("ints", 2), "S": ("txt", 0), "s": ("txt", 2),
        "v": ("name", 0), "m": ("mark", 0),
    }  # fmt: skip

    def __init__(self, random, generator=False):
        super().__init__(random)
        self.generator = generator

    def name(self, depth=0):
        return self.pick(*NAMES)

    def mark(self, depth=0):
        self.counter += 1
        return str(self.counter)

    # Expressions.

    def num(self, depth=0):
        return self.fill(self.num_form(depth), depth)

    def num_form(self, depth):
        if depth > 2 or self.flag(0.4):
            return self.pick(self.name(), self.name(), self.name(), str(self.random.randint(-3, 7)), "n", "m")
        return self.pick(
            "($N + $N) % 101", "($N * $N) % 101", "($N - $N)", "($N if $T else $N)",
            "t($m, $N)", "t($m, $N) + t($m, $N)", "($N or $N)", "($N and $N)",
            "len($L)", "sum($I)", "box.n", "box.m", "box.twice", "G",
            "items[0]", "items[-1]", "items[$n]", "d.get($N, $N)", "d[0]", "d['k']", "Box.least($N, $N)",
            "box[$N]", "-$N", "abs($N)", "min($N, $N, 3)", "(lambda k, j=$N: k if k > j else j)($N)",
            "int($N in $L)", "($v := $N)", "max([$N, $N], default=0)",
            "next(iter($L), $N)", "box.add($N, $N).n" if self.flag(0.3) else "n", "len($S)",
            "[$N, $N][$T]", "divmod($N, 7)[1]", "$N // 2", "$N % 3", "functools.reduce(lambda p, q: p - q if p > q else q, $I, $N)",
        )  # fmt: skip

    def test(self, depth=0):
        return self.fill(self.test_form(depth), depth)

    def test_form(self, depth):
        if depth > 2 or self.flag(0.5):
            return f"$n {self.pick('<', '>', '==', '!=', '<=')} $n"
        return self.pick(
            "($T and $T)", "($T or $T)", "not ($T)", "$n < $n <= t($m, $n)",
            "$n in $l", "$n not in d", "box.add($n, z=1) is None", "box", "items", "not s",
            "any($n > e for e in items)", "all([e > $n for e in s])", "($v := $n) > 2",
            "isinstance($n, int)", "($T if $T else $n)", "box == Box($n)", "$s < 'abc'",
        )  # fmt: skip

    def lst(self, depth=0):
        return self.fill(self.lst_form(depth), depth)

    def lst_form(self, depth):
        if depth > 2 or self.flag(0.4):
            return self.pick("items", "items", "list(s)[:1]", "list(d)", "[$n, $n]", "range($n % 5)")
        return self.pick(
            "[$1 + $n for $1 in $i]", "[$1 for $1 in $i if $1 > $n]",
            "[($1, $2) for $1 in items if $u for $2 in range($1 % 3)]", "sorted($i, key=lambda e: -e)",
            "list($1 if $1 > 1 else $n for $1 in $i)", "items[$n:]", f"items[::{self.pick('-1', '2')}]",
            "[*items, $n]", "list(map(lambda e: e + $n, items))", "list(filter(None, items))", "list(count($n % 4))",
            "list(chain($n % 5))", "[$1() for $1 in [lambda: $2 for $2 in range(2)]]", "list(zip(items, $s))",
            "[(lambda: $1)() for $1 in items]", "[$v := $1 for $1 in items]", "[box.n for box.n in items]" if self.flag(0.2) else "items",
            "[e for row in [items, $i] for e in row]", "sorted({$1: $n for $1 in items}.items())", "sorted({$1 % 3 for $1 in items})",
        )  # fmt: skip

    def ints(self, depth=0):
        return self.fill(self.ints_form(depth), depth)

    def ints_form(self, depth):
        return self.pick("items", "items", "[$n, $n]", "range($n % 5)", "count($n % 4)", "[e % 7 for e in items if $u]")

    def txt(self, depth=0):
        return self.fill(self.txt_form(depth), depth)

    def txt_form(self, depth):
        if depth > 2 or self.flag(0.5):
            return self.pick("text", "text", "'xyz'", "str($n)")
        return self.pick(
            "f'{$n}-{$v!r:>3}'", "text.upper()", "'%s|%d' % (text, $n)", "text[$n:]",
            "''.join(c for c in text if c > 'a')", "(text if $u else 'no')", f"text.replace('a', {self.pick('text', repr('b'))}, 2)",
            "'{}:{k}'.format($n, k=text)", "'-'.join([str(e) for e in items])",
        )  # fmt: skip

    # Statements.

    SIMPLE = """assign assign augment unpack attribute items dictionary sets strings delete effect expression annotated
        lambda_ frame""".split()
    COMPOUND = """if_ if_ if_ while_ for_ for_ try_ try_ with_ match walrus closure closure generator class_ recursion
        async_ star global_ ternaries forever
        import_ manager iterator groups truths""".split()

    def statement(self, depth, loop):
        self.budget -= 1
        kinds = list(self.SIMPLE)
        if depth < 4 and self.budget > 0:
            kinds += self.COMPOUND
        if loop:
            kinds += ["break_", "continue_"]
        if depth > 0:
            kinds += ["return_", "raise_", "raise_"]
        if self.generator:
            kinds += ["yield_"] * 4
        return [self.fill(line) for line in getattr(self, "write_" + self.random.choice(kinds))(depth, loop)]

    def write_assign(self, depth, loop):
        return [f"$v = {self.pick('', '', self.name() + ' = ')}$N"]

    def write_augment(self, depth, loop):
        target = self.pick(self.name(), self.name(), "box.n", "items[$n]", "d[0]", "d[t($m, 0)]", "items[t($m, 0)]")
        return [f"{target} {self.pick('+=', '-=', '*=')} $M"]

    def write_unpack(self, depth, loop):
        a, b = self.name(), self.name()
        return [self.pick(
            f"{a}, {b} = {b}, $N", f"{a}, *items = $L", f"*items, {a} = $I", f"({a}, [{b}, box.n]) = $N, items[:2]",
            f"{a}, items[0] = items[0], {a}", f"[{a}, {b}], box[0] = ($N, 1), $N", f"{a} = {b}, = [$N]" if self.flag(0.3) else f"{a} = {b} = $N",
        )]  # fmt: skip

    def write_attribute(self, depth, loop):
        return [self.pick("box.n = $N", "box.twice = $N", "box[$n] = $N", "box += $N", "box.add($N, *$I, sign=-1)",
            f"box = {self.pick('Sub', 'Box')}.make($N)", "box.extra = $N", "setattr(box, 'm', $N)", "del box.m", "Box.kind = $N")]  # fmt: skip

    def write_items(self, depth, loop):
        return [self.pick("items.append($N)", "items += $L", "items.extend($I)", "items.insert($n, $N)", "items[$n:] = $I",
            f"$v = items.pop({self.pick('', '0', self.num(2))})", "items = $L", "items.sort()", "items.reverse()", "items = sorted($I)", "items[$n] = $N", "items.clear()")]  # fmt: skip

    def write_dictionary(self, depth, loop):
        return [self.pick("d[$N] = $N", "d['k'] = $N", "d.setdefault($N, $N)", "d.update(k=$N)", "d = {**d, $N: $N}",
            "d |= {$N: 1}", "$v = d.pop($N, $N)", "d = {k: v for k, v in d.items() if $u}", "d[t($m, 0)] = t($m, $N)")]  # fmt: skip

    def write_sets(self, depth, loop):
        return [
            self.pick("s.add($N)", "s |= {$N}", "s = {e for e in s if $u}", "s.discard($N)", "$v = len(s & set(items))")
        ]

    def write_strings(self, depth, loop):
        return [self.pick("text = $S", "text += $S", "text = text[:12] + $S", "$v = len($S)")]

    def write_delete(self, depth, loop):
        name = self.name()
        return self.pick(
            [f"del {name}"],
            [f"del {name}", f"{name} = $N"],
            ["del items[$n]"],
            ["del d['k']"],
            ["del items[:1], " + name],
        )

    def write_effect(self, depth, loop):
        return [f"LOG.append({self.pick(self.num(), self.txt(), self.lst(), 'sorted(d.items(), key=str)')})"]

    def write_expression(self, depth, loop):
        return [
            self.pick(
                self.num(), self.test(), "$T and LOG.append($m)", "$T or t($m, 0)", "assert $T, $s", "assert $T", "..."
            )
        ]

    def write_annotated(self, depth, loop):
        return self.pick([f"{self.fresh('a')}: int = $N"], ["pass"], ["box.n: int = $N"])

    def write_lambda_(self, depth, loop):
        name = self.name()
        return [
            self.pick(
                f"LATER.append(lambda: {name})",
                f"LATER.append(lambda k={name}: k if k else $n)",
                f"LATER.append(lambda: [{name} for _ in range(2)] if $u else None)",
            )
        ]

    def write_frame(self, depth, loop):
        if not self.flag(0.3):
            return self.write_assign(depth, loop)
        return [
            f"LOG.append({self.pick('sorted(k for k in locals() if len(k) == 1)', f'eval({self.name()!r})', 'sorted(k for k in vars() if len(k) == 1)')})"
        ]

    def write_ternaries(self, depth, loop):
        return ["$v = $N if $T else $N if $T else $N"]

    def write_if_(self, depth, loop):
        lines = ["if $T:", *self.block(depth + 1, loop)]
        for _ in range(self.pick(0, 0, 1, 2)):
            lines += ["elif $T:", *self.block(depth + 1, loop)]
        return lines + (["else:", *self.block(depth + 1, loop)] if self.flag() else [])

    def write_walrus(self, depth, loop):
        if self.flag():
            return ["if ($v := $N) > 2:", *self.block(depth + 1, loop)]
        name, turn = self.name(), self.fresh()
        return [
            f"{turn} = 0",
            f"while ({name} := {turn} + $n % 2) < 3 and {turn} < 5:",
            f"    {turn} += 1",
            *self.block(depth + 1, True),
        ]

    def otherwise(self, depth, loop):
        return ["else:", *self.block(depth + 1, loop)] if self.flag(0.25) else []

    def write_while_(self, depth, loop):
        turn = self.fresh()
        limit = self.pick("n", "m", str(self.random.randint(0, 4)), "len(items)")
        test = self.pick(
            f"{turn} < {limit}", f"{turn} < min({limit}, 6) and $U", f"not ({turn} >= min({limit}, 6) or $U)"
        )
        if self.flag(0.15):
            test = f"items and {turn} < 6"
        lines = [
            f"{turn} = 0",
            f"while {test if 'min' in test or 'n' not in limit else test + f' and {turn} < 6'}:",
            f"    {turn} += 1",
            *self.block(depth + 1, True),
        ]
        return lines + self.otherwise(depth, loop)

    def write_forever(self, depth, loop):
        turn = self.fresh()
        return [
            f"{turn} = 0",
            "while True:",
            f"    {turn} += 1",
            f"    if {turn} > $n % 5 {self.pick('or $U', '')}: break",
            *self.block(depth + 1, True),
        ] + self.otherwise(depth, loop)

    def write_for_(self, depth, loop):
        target, over = self.pick(
            (self.fresh(), "range($n % 5)"), (self.name(), "range(3)"), (self.name(), "list(items)[:5]"), (f"$v, {self.fresh()}", "list(enumerate(items))[:3]"),
            (f"{self.fresh()}, $v", "list(d.items())"), (self.name(), "count($n % 4)"), (self.fresh(), "text[:3]"), ("box.n", "range(2)"), ("items[0]", "range(3)"),
            (f"$v, *{self.fresh('r')}", "[(1, 2, 3), (4,)]"), (self.fresh(), "zip(list(items), range($n % 4))"), (self.name(), f"reversed({self.pick('[1, 2, 3]', 'range(3)')})"),
        )  # fmt: skip
        return [f"for {target} in {over}:", *self.block(depth + 1, True), *self.otherwise(depth, loop)]

    def write_try_(self, depth, loop):
        lines = ["try:", *self.block(depth + 1, loop)]
        kind = self.pick("except", "finally", "both")
        if self.flag():
            lines.insert(1, f"    if $U: raise {self.pick('KeyError', 'Oops', 'ValueError')}($n)")
        if kind != "finally":
            for _ in range(self.pick(1, 1, 2)):
                error = self.pick("error", self.name(), "error")
                caught = self.pick(
                    "KeyError", "Oops", "(ValueError, IndexError)", "LookupError", "(NameError, TypeError)", "Exception"
                )
                lines += [
                    f"except {caught}{self.pick('', f' as {error}')}:",
                    "    LOG.append($m)",
                    *self.block(depth + 1, loop),
                ]
                if self.flag(0.2):
                    lines.append(f"    {self.pick('raise', 'raise Oops(3) from None', 'raise Oops(4)')}")
            if self.flag(0.3):
                lines += ["else:", *self.block(depth + 1, loop)]
        if kind != "except":
            lines += ["finally:", "    LOG.append($m)", *(self.block(depth + 1, False) if self.flag() else [])]
            if self.flag(0.2):
                lines.append(f"    if $T: {self.pick('break', 'continue', 'return 1') if loop else 'return 2'}")
        return lines

    def write_with_(self, depth, loop):
        managers = self.pick(
            "Box(1)",
            "Box(2, 2)",
            "box",
            "contextlib.suppress(Oops)",
            "Box(3) as inner",
            "Box(1), Box(2, 0)",
            "Box(4) as box.n, box" if self.flag(0.2) else "box",
            "(Box(5) as a, Box(6) as b)",
            "contextlib.nullcontext(n) as " + self.name(),
        )
        return [f"with {managers}:", *self.block(depth + 1, loop)]

    def write_match(self, depth, loop):
        subject = self.pick("($M, $M)", "items", "d", "box", self.num(), self.txt(), "(box, items)")
        lines = [f"match {subject}:"]
        for _ in range(self.pick(1, 2, 3)):
            a, b = self.random.sample(NAMES, 2)
            pattern = self.pick(
                f"({a}, {b})", f"[{a}, *{self.fresh('r')}]", f"({self.random.randint(0, 3)}, _)", "{'k': " + a + "}", "{'k': 1 | 2, **rest}", f"Box(n={a})", f"Sub({a}, 1 | 2)", "0 | 1 | 2",
                f"int() as {a}", f"str({a})", "[] | [_]", f"(Box(n=0), [{a}, *_])", f"{a} if $U", "None", f"[{a}, {b}, *_] if {a} > {b}", "-1", f"(({a}, 0 | 1 | 2) | (3, {a}))", "Box.kind",
            )  # fmt: skip
            if " if " not in pattern and self.flag(0.25):
                pattern += " if $U"
            lines += [f"    case {pattern}:", *("    " + line for line in self.block(depth + 1, loop))]
        if self.flag():
            lines += ["    case _:", *("    " + line for line in self.block(depth + 1, loop))]
        return lines

    def write_closure(self, depth, loop):
        inner, name = self.fresh("g"), self.name()
        how = self.pick("read", "write", "late", "decorated", "default", "nested")
        if how == "read":
            return [
                f"def {inner}(k, *rest, j=2):",
                f"    if k > 1: return {name}",
                "    while k < j:",
                "        k += 1",
                "        if rest: break",
                "    else:",
                "        return k",
                "    return rest",
                f"LOG.append({inner}($M, *$I, j=$M % 5))",
            ]
        if how == "write":
            return [
                f"def {inner}():",
                f"    nonlocal {name}",
                f"    if $U: {name} = $M",
                f"    elif $U: del {name}",
                f"    else: {name} = 3",
                f"{inner}()",
            ]
        if how == "late":
            return [f"def {inner}():", f"    return {name} if $u else $n", f"LATER.append({inner})"]
        if how == "decorated":
            return [
                f"@{self.pick('twice', 'times(2)', 'functools.lru_cache(None)')}",
                f"def {inner}(k):",
                "    LOG.append(('in', k))",
                "    if k > $n: return k",
                f"$v = {inner}($M)",
            ]
        if how == "nested":
            return [
                f"def {inner}(k):",
                "    def deeper():",
                "        nonlocal k",
                "        for k in range(3):",
                f"            if k == {name}: return k",
                "        k = 9",
                "    deeper()",
                "    return k",
                f"$v = {inner}($M)",
            ]
        return [
            f"def {inner}(a, /, b=$M, *, c=[], **rest):",
            "    c.append(a)",
            "    if b in rest.values(): return len(c)",
            "    return a if rest else b",
            f"$v = {inner}($M, c=items) + {inner}(1, q=$M)",
        ]

    def write_generator(self, depth, loop):
        inner, name = self.fresh("gen"), self.name()
        lines = [
            f"def {inner}(k):",
            "    for i in range(k % 4):",
            f"        if i == $n: {self.pick('return 7', 'continue', 'break', 'raise Oops(i)', 'yield 9')}",
            "        got = yield i + $n",
            "        if got: LOG.append(got)",
            f"    {self.pick('yield from count(2)', 'return k', f'nonlocal {name}; {name} = k')}",
        ]
        use = self.pick(
            [f"items = list({inner}($M))"], [f"$v = sum({inner}($M))"], [f"for $v in {inner}($M):", *self.block(depth + 1, True)],
            [f"it = {inner}(3)", "$v = next(it, 0)", "try: it.send(5)", "except StopIteration as stop: LOG.append(stop.value)", "it.close()"],
            [f"it = {inner}(3)", "next(it, 0)", "try: it.throw(Oops(2))", "except (Oops, StopIteration): LOG.append('thrown')"], [f"$v, *items = *{inner}(2), 5, 6"],
        )  # fmt: skip
        if "nonlocal" in lines[-1]:
            lines.insert(1, f"    nonlocal {name}")
            lines[-1] = f"    {name} = k"
        return lines + use

    def write_class_(self, depth, loop):
        name = self.fresh("C")
        lines = [f"class {name}({self.pick('Box', 'Sub', '')}):"]
        lines += self.pick(
            ["    v = $n", "    for i in range(3):", "        if i > 1: v = i"], ["    if $u:", "        v = 1", "    else:", "        v = 2"], ["    __hidden = 4", "    v = __hidden"],
        )  # fmt: skip
        lines += [
            "    def run(self, k):",
            "        if k > $n: return self.v",
            *self.pick(
                ["        return super().__init__() or 3"],
                ["        return __class__.__name__ == type(self).__name__"],
                [
                    "        self.__own = k",
                    "        while self.__own < 3: self.__own += 1",
                    "        return self.__own",
                ],
                ["        return [self.v for _ in range(k % 3)]"],
            ),
        ]
        return lines + [f"LOG.append({name}().run($M))"]

    def write_recursion(self, depth, loop):
        inner = self.fresh("h")
        return [
            f"def {inner}(k, depth=0):",
            "    if k <= 0 or depth > 6: return $v",
            f"    if k % 2: return {inner}(k - {self.pick('1', '2')}, depth + 1) + 1",
            f"    return {inner}(k // 2, depth + 1)",
            f"$v = {inner}($M)",
        ]

    def write_async_(self, depth, loop):
        inner = self.fresh("co")
        body = self.pick(
            ["        if i > $n: return i", "        got = await Later(i)", "        LOG.append(got)"], ["        async with Later(i) as v:", "            if v > $n: break", "            LOG.append(v)"], ["        async for v in Later(2):", "            if v == i: continue", "            LOG.append(v)", "        if i == $n: break"],
        )  # fmt: skip
        return [
            f"async def {inner}(k):",
            "    for i in range(k % 4):",
            *body,
            "    else:",
            "        return 'end'",
            "    return [v async for v in Later(k % 3) if v]",
            f"LOG.append(drive({inner}($M)))",
        ]

    def write_star(self, depth, loop):
        return [
            self.pick(
                "LOG.append(box.add(*[$M, 1], **{'q': 1} if $u else {}) is box)",
                "LOG.append(max(*items, $M, 2))",
                "LOG.append((lambda *a, **k: (a, sorted(k)))(*items, p=1, **{'r': $M}))",
                "LOG.append([*$L, *text])",
                "print(*items, sep='-', file=None)" if self.flag(0.1) else "pass",
            )
        ]

    def write_global_(self, depth, loop):
        inner = self.fresh("glob")
        return [f"def {inner}(k):", "    global G", "    if k > $n: G = k % 50", "    return G", f"$v = {inner}($M)"]

    def write_import_(self, depth, loop):
        name = self.fresh("gcd")
        return self.pick(
            ["if $T: import math", "$v = math.gcd($n, 6)"],
            [f"from math import gcd as {name}", f"$v = {name}($n, 4)"],
            ["try: import nowhere", "except ImportError as error: $v = len(error.name)"],
        )

    def write_manager(self, depth, loop):
        """A context manager that is a generator."""
        inner = self.fresh("cm")
        return [
            "@contextlib.contextmanager",
            f"def {inner}(k):",
            "    LOG.append(('open', k))",
            "    try:",
            f"        {self.pick('if k > $n: yield k', 'while k > 3: k -= 1')}",
            f"        {self.pick('else: yield', 'yield k')}",
            f"    {self.pick('except Oops as error: LOG.append(error.args)', 'except KeyError: pass')}",
            f"    {self.pick('finally:', 'else:')}",
            "        LOG.append('close')",
            f"with {inner}($M){self.pick('', ' as ' + self.name())}:",
            *self.block(depth + 1, loop),
        ]

    def write_iterator(self, depth, loop):
        inner = self.fresh("It")
        lines = [
            f"class {inner}:",
            "    def __init__(self, k): self.k = k",
            "    def __iter__(self): return self",
            "    def __next__(self):",
            "        self.k -= 1",
            "        if self.k < $n % 3: raise StopIteration",
            "        return self.k",
            "    def __contains__(self, k):",
            "        LOG.append(k)",
            "        return k in range(self.k)",
        ]
        use = self.pick(
            [f"for $v in {inner}($M % 6):", *self.block(depth + 1, True)],
            [f"items = [*{inner}($M % 5)]"],
            [f"$v, *items = {inner}($M % 5)"],
            [f"if $n in {inner}($n) and $T:", *self.block(depth + 1, loop)],
            [f"$v = sum($1 for $1 in {inner}($M % 6) if $u)"],
            [f"items = list(map(lambda k, j: k - j, {inner}($M % 5), items))"],
        )
        return lines + use

    def write_groups(self, depth, loop):
        errors = self.pick("[KeyError($n)]", "[KeyError($n), Oops($n)]", "[ValueError(1), KeyError($n), Oops(2)]")
        lines = ["try:", f"    if $T: raise ExceptionGroup('some', {errors})", "    $v = d[$n]"]
        lines += ["except* KeyError as error:", "    LOG.append(len(error.exceptions))", "    if $T: $v = $M"]
        if self.flag():
            lines += ["except* (Oops, ValueError):", "    for $1 in $i: LOG.append($1)"]
        return lines + (["finally:", "    $v = $M"] if self.flag(0.3) else [])

    def write_truths(self, depth, loop):
        """Truth is asked for as often as Python asks."""
        return [
            self.pick(
                "LOG.append(type(box and $n).__name__)",
                "LOG.append(type(($T and box) or $n).__name__)",
                "LOG.append([$1 for $1 in items if box and $1 > $n])",
                "LOG.append({$1: $n for $1 in items if box or $u})",
                "LOG.append(sorted({$1 % 3 for $1 in items if box if $u}))",
                "assert box or $T, 'neither'",
                "LOG.append(any(box and $1 for $1 in items))",
                "$v = $N if box and $T or not box else $N",
                "LOG.append($v if (box if $T else items) else None)",
                "$v = functools.partial(box.add, $N)(z=1) and $n",
                "$v = getattr(box, 'extra', $N) if hasattr(box, 'extra') and box else $N",
                "LOG.append($n in box)",
            )  # fmt: skip
        ]

    def write_break_(self, depth, loop):
        return ["break"]

    def write_continue_(self, depth, loop):
        return ["continue"]

    def write_return_(self, depth, loop):
        return [f"return {self.pick('', self.num(), '$N, $N')}"]

    def write_raise_(self, depth, loop):
        return [
            f"if $T: raise {self.pick('KeyError', 'Oops', 'ValueError', 'Oops')}($M){self.pick('', '', ' from ValueError(1)')}"
        ]

    def write_yield_(self, depth, loop):
        return [
            self.pick(
                "yield $M", "$v = (yield $M) or 2", "yield from count($M % 3)", "$v = len(str((yield from chain(3))))"
            )
        ]


def write(random):
    """A module whose `f` does anything at all."""
    writer = Writer(random, generator=random.random() < 0.2)
    names = random.choice((*[NAMES] * 9, NAMES[:3], NAMES[:1]))
    body = [HEAD, *(f"{name} = {random.choice(('n', 'm', '1', 'n - m'))}" for name in names)]
    for _ in range(random.randint(1, 4)):
        body += writer.statement(0, False)
    result = random.choice(
        ("x, y, z, w", "x, items, box.n", "sorted(d.items(), key=str), sorted(s), text", "x, y, box.m, items, text")
    )
    return HEADER + "\n".join(["def f(n, m):", *("    " + line for line in body), f"    return {result}"]) + "\n"
