"""Parsers and small languages."""

import operator
import re

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def tokens(text):
    for number, sign in TOKEN.findall(text):
        if number:
            yield "number", float(number)
        elif sign.strip():
            yield "sign", sign
    yield "end", None


class Calculator:
    """A parser by recursive descent."""

    def __init__(self, text):
        self.tokens = tokens(text)
        self.advance()

    def advance(self):
        self.kind, self.value = next(self.tokens)

    def accept(self, *signs):
        if self.kind == "sign" and self.value in signs:
            sign = self.value
            self.advance()
            return sign
        return None

    def expression(self):
        result = self.term()
        while sign := self.accept("+", "-"):
            result = OPERATORS[sign](result, self.term())
        return result

    def term(self):
        result = self.factor()
        while sign := self.accept("*", "/"):
            result = OPERATORS[sign](result, self.factor())
        return result

    def factor(self):
        if self.accept("-"):
            return -self.factor()
        if self.accept("("):
            result = self.expression()
            if not self.accept(")"):
                raise SyntaxError("expected )")
            return result
        if self.kind != "number":
            raise SyntaxError(f"unexpected {self.value!r}")
        value = self.value
        self.advance()
        return value


def calculate(text):
    return Calculator(text).expression()


def reverse_polish(text):
    stack = []
    for word in text.split():
        if word in OPERATORS:
            right, left = stack.pop(), stack.pop()
            stack.append(OPERATORS[word](left, right))
        else:
            stack.append(float(word))
    (result,) = stack
    return result


def read_ini(lines):
    sections, current = {}, None
    for number, line in enumerate(lines, start=1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1], {})
        elif "=" in line and current is not None:
            key, _, value = line.partition("=")
            current[key.strip()] = value.strip()
        else:
            raise ValueError(f"line {number}: {line!r} means nothing")
    return sections


def read_csv(text, delimiter=",", quote='"'):
    rows, row, cell, quoted = [], [], "", False
    for c in text:
        if quoted:
            if c == quote:
                quoted = False
            else:
                cell += c
        elif c == quote:
            quoted = True
        elif c == delimiter:
            row.append(cell)
            cell = ""
        elif c == "\n":
            rows.append([*row, cell])
            row, cell = [], ""
        else:
            cell += c
    if cell or row:
        rows.append([*row, cell])
    return rows


def balanced(text):
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for c in text:
        if c in pairs.values():
            stack.append(c)
        elif c in pairs and (not stack or stack.pop() != pairs[c]):
            return False
    return not stack


def interpret(program, cells=8):
    memory, pointer, place, output = [0] * cells, 0, 0, []
    while place < len(program):
        match program[place]:
            case ">":
                pointer += 1
            case "<":
                pointer -= 1
            case "+" | "-" as sign:
                memory[pointer] += 1 if sign == "+" else -1
            case ".":
                output.append(memory[pointer])
            case "[" if memory[pointer] == 0:
                place = program.index("]", place)
            case "]" if memory[pointer] != 0:
                place = program.rindex("[", 0, place)
        place += 1
    return output


CALLS = {
    "tokens": [("1 + 2.5*x",)],
    "calculate": [("2 * (3 + 4) - -1 / 2",), ("2 *",), ("(1",)],
    "reverse_polish": [("3 4 + 2 *",)],
    "read_ini": [(["[a]", "x = 1 # one", "", "[b]", "y=2"],), (["x = 1"],)],
    "read_csv": [('a,"b,c"\n1,2\n3',)],
    "balanced": [("([]{})",), ("([)]",), ("(",)],
    "interpret": [("+++[>++<-]>.",)],
}
