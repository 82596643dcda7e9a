"""What code does with lists besides appending to them, as its instructions tell."""

import pytest

import autograph
from autograph.operators.appended import name_of, uses


class Held:
    def appends(self, x):
        self.log.append(x)
        self.named["loss"].append((x, 1))
        LOG.extend([x])

    def reads(self, x):
        self.log.append(len(self.log))
        first = self.named["loss"][0]
        return first, [one for one in LOG]

    def by_a_method(self, x):
        append = self.log.append
        for one in x:
            append(one)

    def in_a_function(self, x):
        def add(one):
            self.log.append(one)
            return self.last

        return [add(one) for one in x]

    def with_a_key_that_is_not_written_there(self, key):
        self.named[key].append(1)

    def in_another_way(self, x):
        self.log += [x]
        self.named["loss"].insert(0, x)
        LOG[0:0] = [x]


LOG = []


@pytest.mark.parametrize("convert", [False, True])
@pytest.mark.parametrize(
    "method, appending, other",
    [
        (Held.appends, {"log", "named", "LOG"}, set()),
        (Held.reads, {"log"}, {"log", "named", "LOG"}),
        (Held.by_a_method, {"log"}, set()),
        (Held.in_a_function, {"log"}, {"last"}),
        (Held.with_a_key_that_is_not_written_there, set(), {"named"}),
        (Held.in_another_way, set(), {"log", "named", "LOG"}),
    ],
)
def test_what_code_does_with_names(method, appending, other, convert):
    """Of converted code it is known by the code that it was."""
    found = uses((autograph.convert(method) if convert else method).__code__)
    names = {"log", "named", "LOG", "last"}
    assert (found.appending & names, found.other & names) == (appending, other)


def test_the_name_by_which_a_list_is_found():
    assert name_of("log") == "log"
    assert name_of(("", False, "log")) == "log"
    assert name_of((("self", False, "logs"), True, "loss")) == "logs"
    assert name_of((("", True, 0), True, 1)) == ""
