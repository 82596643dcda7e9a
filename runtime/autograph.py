"""The compiler, where TensorFlow has it."""

from types import SimpleNamespace

from autograph import do_not_convert, set_verbosity, to_code, to_graph
from runtime.control import set_loop_options
from runtime.functions.features import Feature

__all__ = ["experimental", "set_verbosity", "to_code", "to_graph", "trace"]

trace = print
experimental = SimpleNamespace(Feature=Feature, do_not_convert=do_not_convert, set_loop_options=set_loop_options)
