"""Which functions of a module that is imported converted may look at who calls them."""

import ast

from autograph.loading.guarded import looking_at_callers

LOOKING = """
import warnings
from inspect import stack

def a_list_of_that_name(items):
    stack = [*items]
    def last(warn=0):
        return stack.pop() or warn
    return last()

def asks():
    return [frame for frame in stack()]

def asks_by_an_attribute():
    stack = warnings.warn
    return stack

def asks_in_a_function():
    def inside():
        return stack()
    stack_of = inside
    return stack_of()

def calls_one(items):
    return asks()
"""


def test_a_variable_looks_at_no_callers_whatever_it_is_called():
    tree = ast.parse(LOOKING)
    found = looking_at_callers(tree)
    names = [node.name for node in tree.body if id(node) in found]
    assert names == ["asks", "asks_by_an_attribute", "asks_in_a_function", "calls_one"]
