"""Small programs on tensors: each does the same plainly, converted, and as a graph."""

PROGRAMS = []


def on(*calls):
    """Enter a program with the arguments of its calls; a single argument needs no tuple."""

    def enter(function):
        PROGRAMS.append((function, [call if isinstance(call, tuple) else (call,) for call in calls]))
        return function

    return enter
