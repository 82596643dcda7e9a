import ast

import pytest

from autograph.loading.inplace import either


@pytest.mark.parametrize(
    "body",
    [
        "global G",
        "nonlocal y",
        "if n: global G",
        "while n > 9: nonlocal y",
        "for _ in (): global G\n        else: nonlocal y",
        "try: global G\n        finally: nonlocal y",
        "match n:\n            case 1: global G",
        "with c: global G",
    ],
)
def test_what_only_declares_names_leaves_blocks_that_are_whole(body):
    made = ast.parse(f"def outer(n, c, y=0):\n    def f():\n        {body}\n    return f\n")
    (outer,) = made.body
    outer.body[0] = either(outer.body[0], outer.body[0])
    compile(ast.fix_missing_locations(made), "<test>", "exec")
    declared = [node for node in ast.walk(made) if isinstance(node, ast.Global | ast.Nonlocal)]
    assert declared and all(node in outer.body[0].body for node in declared)
