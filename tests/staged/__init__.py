"""Small programs on tensors: each does the same plainly, converted, and as a graph."""

PROGRAMS = []


def on(*calls, plain=False):
    """Enter a program with the arguments of its calls; a single argument needs no tuple.

    The wanted results are those for eager tensors, or if `plain` for the arguments as they stand here.
    """

    def enter(function):
        PROGRAMS.append((function, [call if isinstance(call, tuple) else (call,) for call in calls], plain))
        return function

    return enter
