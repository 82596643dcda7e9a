import gc
import importlib.util
import os
import sys
import zlib

import pytest

collect_ignore = [] if sys.version_info >= (3, 12) else ["traps/new_in_3_12.py"]


def pytest_configure(config):
    os.environ["COLUMNS"] = "80"  # what is printed is as wide as a terminal
    config.addinivalue_line("markers", "numpy_may_take_over: where native code fails, NumPy may find the result")
    sampled = (
        "sampled(n, each): cases take long together; all but one in n, and one for each value of a parameter, are slow"
    )
    config.addinivalue_line("markers", sampled)
    config.addinivalue_line("markers", "slow: left out by `make check`")


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    series = {}
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            series.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in series.values():
        sampled = cases[0].get_closest_marker("sampled")
        if sampled is not None:
            chosen = sample(cases, *sampled.args, **sampled.kwargs)
            for i, item in enumerate(cases):
                if i not in chosen:
                    item.add_marker(pytest.mark.slow)


def sample(cases, n, each=None):
    """Which cases are run by `make check`: the first, one in `n`, and one for each value of a parameter."""
    drawn = [zlib.crc32(case.nodeid.encode()) for case in cases]  # not in step with any parameter
    chosen = {i for i, number in enumerate(drawn) if i == 0 or not number % n}
    if each is not None:
        values = [_part(case, each) for case in cases]
        met = {values[i] for i in chosen}
        for i in sorted(range(len(cases)), key=drawn.__getitem__):
            if values[i] not in met:
                met.add(values[i])
                chosen.add(i)
    return chosen


def _part(case, parameter):
    """What a parameter is in a case: its value if it can be a key, and else its place among the others."""
    value = case.callspec.params[parameter]
    try:
        hash(value)
    except TypeError:
        return case.callspec.indices[parameter]
    return value


def pytest_collection_finish():
    """Whoever collects garbage, and some tests do so often, need not look at tens of thousands of cases each time."""
    gc.collect()
    gc.freeze()


if importlib.util.find_spec("llvmlite") is not None:
    from runtime.executors.native.regions import Region
    from runtime.ops import effects

    _taken_over = []

    def _call(self, *arrays):
        before = effects.shown.count
        found = self.run(*arrays)
        if found is not None:
            return found
        found = self.anew(before, *arrays)  # which should say why
        _taken_over.append(self.graph.name)
        return found

    @pytest.fixture(autouse=True, scope="session")
    def native_code_tells_who_took_over():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Region, "__call__", _call)
            yield

    @pytest.fixture(autouse=True)
    def native_code_computes_what_it_is_for(request, native_code_tells_who_took_over):
        """A failure of native code that NumPy does not see shows in the time alone."""
        _taken_over.clear()
        yield
        if _taken_over and request.node.get_closest_marker("numpy_may_take_over") is None:
            raise AssertionError(f"native code fails, and NumPy does not: {_taken_over}")
