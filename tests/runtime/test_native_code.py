"""Integers in machine code are the same whether they are known when it is written or come when it runs."""

import itertools
import operator

import pytest

from runtime.executors.native.code import Code, Module

NUMBERS = [-7, -2, -1, 0, 1, 2, 3, 10]
COUNTS = [n for n in NUMBERS if n >= 0]
COMPARED = {
    "eq": operator.eq, "ne": operator.ne, "slt": operator.lt, "sle": operator.le, "sgt": operator.gt,
    "sge": operator.ge,
}  # fmt: skip
BITS = {"true": True, "false": False}
# A method, what it means, and the values of its operands.
ROWS = {
    "add": (operator.add, NUMBERS, NUMBERS), "sub": (operator.sub, NUMBERS, NUMBERS),
    "mul": (operator.mul, NUMBERS, NUMBERS), "least": (min, NUMBERS, NUMBERS), "most": (max, NUMBERS, NUMBERS),
    "divide": (operator.floordiv, COUNTS, [n for n in COUNTS if n]),
    "rest": (operator.mod, COUNTS, [n for n in COUNTS if n]),
    "both": (lambda a, b: a and b, BITS, BITS), "either": (lambda a, b: a or b, BITS, BITS),
    "from_front": (lambda i, n: i + n if i < 0 else i, NUMBERS, COUNTS),
}  # fmt: skip
ROWS |= {f"compare {how}": (does, NUMBERS, NUMBERS) for how, does in COMPARED.items()}
INSTRUCTIONS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "sdiv": operator.floordiv, "srem": operator.mod,
    "and": operator.and_, "or": operator.or_, "@llvm.smin.i64": min, "@llvm.smax.i64": max,
}  # fmt: skip


def run(lines, result, known):
    """What lines of LLVM code compute, of those that there are here."""
    values = dict(known)

    def value(text):
        return values[text] if text in values else BITS[text] if text in BITS else int(text)

    for line in lines:
        name, _, text = line.strip().partition(" = ")
        words = text.replace("(", " ").replace(")", "").replace(",", "").split()
        kinds = {"nsw", "nuw", "i64", "i1", "call"}
        what, *given = [word for word in words if word not in kinds]
        if what == "icmp":
            how, *given = given
            values[name] = COMPARED[how](*map(value, given))
        elif what == "select":
            test, a, b = map(value, given)
            values[name] = a if test else b
        else:
            values[name] = INSTRUCTIONS[what](*map(value, given))
    return value(result)


def written(method, operands, which):
    """The lines for operands of which some are known, and what they compute."""
    code = Code(Module("m"))
    texts = [str(operand) if known else name for name, operand, known in zip(["%a", "%b"], operands, which)]
    name, _, how = method.partition(" ")
    result = getattr(code, name)(*([how] if how else []), *texts)
    values = {text: BITS.get(operand, operand) for text, operand in zip(texts, operands) if text[0] == "%"}
    return code.lines, run(code.lines, result, values)


@pytest.mark.parametrize("which", [*itertools.product([True, False], repeat=2)], ids=str)
@pytest.mark.parametrize("method", ROWS)
def test_what_is_known_and_what_is_not_give_the_same(method, which):
    does, first, second = ROWS[method]
    for a, b in itertools.product(first, second):
        wanted = does(BITS.get(a, a), BITS.get(b, b))
        lines, found = written(method, (a, b), which)
        assert found == wanted, (a, b, lines)
        if all(which) and method != "from_front":
            assert not lines, "what is known is computed when the code is written"


@pytest.mark.parametrize(
    "method, operands, wanted",
    [
        ("add", ("%a", "0"), "%a"), ("add", ("0", "%a"), "%a"), ("sub", ("%a", "0"), "%a"), ("mul", ("%a", "1"), "%a"),
        ("mul", ("1", "%a"), "%a"), ("mul", ("%a", "0"), "0"), ("mul", ("0", "%a"), "0"), ("divide", ("%a", "1"), "%a"),
        ("rest", ("%a", "1"), "0"), ("both", ("%a", "true"), "%a"), ("both", ("true", "%a"), "%a"),
        ("both", ("false", "%a"), "false"), ("both", ("%a", "false"), "false"), ("either", ("%a", "false"), "%a"),
        ("either", ("false", "%a"), "%a"), ("either", ("true", "%a"), "true"), ("either", ("%a", "true"), "true"),
        ("choose", ("true", "%a", "%b"), "%a"), ("choose", ("false", "%a", "%b"), "%b"),
        ("choose", ("%t", "%a", "%a"), "%a"), ("from_front", ("3", "%n"), "3"), ("at", ("i64", "%p", "0"), "%p"),
    ],
)  # fmt: skip
def test_what_changes_nothing_needs_no_code(method, operands, wanted):
    code = Code(Module("m"))
    assert getattr(code, method)(*operands) == wanted
    assert code.lines == []


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64 + 5, 0])
def test_integers_that_are_known_have_64_bits(number):
    code = Code(Module("m"))
    found = int(code.add(str(number - 1), "1"))
    assert -(2**63) <= found < 2**63 and (found - number) % 2**64 == 0


@pytest.mark.parametrize("dims, wanted", [([], 1), (["3"], 3), (["3", "4"], 12), (["3", "0"], 0)])
def test_products_and_distances(dims, wanted):
    code = Code(Module("m"))
    assert code.product(dims) == str(wanted)
    assert code.offset(dims, ["5", "7"]) == str(sum(int(d) * s for d, s in zip(dims, [5, 7])))
    assert code.lines == []


def test_a_choice_that_is_open_is_made_when_it_runs():
    code = Code(Module("m"))
    result = code.choose("%t", "%a", "%b")
    assert [run(code.lines, result, {"%t": t, "%a": 1, "%b": 2}) for t in (True, False)] == [1, 2]
