import importlib.util
import sys

import pytest

collect_ignore = [] if sys.version_info >= (3, 12) else ["traps/new_in_3_12.py"]


def pytest_configure(config):
    config.addinivalue_line("markers", "numpy_may_take_over: where native code fails, NumPy may find the result")


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

    @pytest.fixture(autouse=True)
    def native_code_computes_what_it_is_for(request, monkeypatch):
        """A failure of native code that NumPy does not see shows in the time alone."""
        _taken_over.clear()
        monkeypatch.setattr(Region, "__call__", _call)
        yield
        if request.node.get_closest_marker("numpy_may_take_over") is None:
            assert not _taken_over, "native code fails, and NumPy does not"
