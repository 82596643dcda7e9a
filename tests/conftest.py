import gc
import importlib.util
import sys
import zlib

import pytest

collect_ignore = [] if sys.version_info >= (3, 12) else ["traps/new_in_3_12.py"]


def pytest_configure(config):
    config.addinivalue_line("markers", "numpy_may_take_over: where native code fails, NumPy may find the result")
    config.addinivalue_line("markers", "sampled(n): cases take long together; all but one in n are marked as slow")
    config.addinivalue_line("markers", "slow: left out by `make check`")


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    seen = set()
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled is None:
            continue
        place = item.nodeid.partition("[")[0]
        if place in seen and zlib.crc32(item.nodeid.encode()) % sampled.args[0]:  # not in step with any parameter
            item.add_marker(pytest.mark.slow)
        seen.add(place)


def pytest_collection_finish():
    """Whoever collects garbage, and some tests do so often, need not look at tens of thousands of cases each time."""
    gc.collect()
    gc.freeze()


if importlib.util.find_spec("llvmlite") is not None:
    from runtime.executors.native.regions import Region

    _taken_over = []

    def _call(self, *arrays):
        found = self.run(*arrays)
        if found is not None:
            return found
        found = self._python(*arrays)  # which should say why
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
