import pytest

from autograph.passes import logic, outlining, supers
from tests.rewriting import rewritten, tidy


def named(source):
    return rewritten(source, outlining, logic, supers, class_name="A")


@pytest.mark.parametrize(
    "before, after",
    [
        (
            "def f(self):\n    if c: super().f()",
            """
            def f(self):
                def if_body():
                    super(__class__, self).f()
                ag__.if_stmt(c, if_body)
            """,
        ),
        (
            "def f(self):\n    def g(it):\n        while c: super().f()",  # the first of the function it is in
            """
            def f(self):
                def g(it):
                    def loop_test():
                        return c
                    def loop_body():
                        super(__class__, it).f()
                    ag__.while_stmt(loop_test, loop_body)
            """,
        ),
        (
            "def f(self):\n    y = super().f() and super().g()",  # the first operand stays in the function
            "def f(self):\n    y = ag__.and_(super().f(), lambda: super(__class__, self).g())",
        ),
    ],
)
def test_what_moves_names_both_arguments(before, after):
    assert named(before) == tidy(after)


@pytest.mark.parametrize(
    "call, others",
    [("super(A, self).f()", "self"), ("super().f()", ""), ("super().f()", "self, super")],
    ids=["named already", "no first parameter", "no built-in function"],
)
def test_everything_else_stays(call, others):
    before = f"def f({others}):\n    if c:\n        {call}"
    after = f"def f({others}):\n    def if_body():\n        {call}\n    ag__.if_stmt(c, if_body)"
    assert named(before) == after


def test_a_call_in_a_function_of_the_users_stays():
    kept = "def f(self):\n    y = lambda it: super().f()"
    assert named(kept) == kept


def test_a_variable_of_the_name_in_another_method_is_not_meant():
    before = (
        "class A:\n    def f(self):\n        y = c and super().f()\n    def g(self, super):\n        y = c and super()"
    )
    after = """
        class A:
            def f(self):
                y = ag__.and_(c, lambda: super(__class__, self).f())
            def g(self, super):
                y = ag__.and_(c, lambda: super())
    """
    assert rewritten(before, logic, supers) == tidy(after)
