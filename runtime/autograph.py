"""The compiler, where TensorFlow has it."""

from types import SimpleNamespace

from autograph import do_not_convert, to_code, to_graph
from runtime.control import set_loop_options

__all__ = ["experimental", "to_code", "to_graph", "trace"]

trace = print
experimental = SimpleNamespace(do_not_convert=do_not_convert, set_loop_options=set_loop_options)
