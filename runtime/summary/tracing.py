"""Graphs for TensorBoard: those of functions that have run, and others."""

from __future__ import annotations

import cProfile
import os
from typing import Any

from runtime.functions import ran
from runtime.graph.definition import GraphDef
from runtime.graph.graph import Graph
from runtime.summary import files
from runtime.summary.writers import get_step, writer_now
from runtime.summary.writing import NO_STEP
from runtime.tensors.conversion import constant
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import executing_eagerly
from runtime.tensors.types import TensorLike


class _Tracing:
    """What has been switched on."""

    graphs: dict[int, Graph] | None = None
    profile: cProfile.Profile | None = None
    folder: str | None = None


_now = _Tracing()


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: str | os.PathLike[str] | None = None) -> None:
    """Take note, from now on, of the graphs of functions that run, for `trace_export`.

    Args:
      graph: whether graphs are noted.
      profiler: whether Python's profiler takes note of what is called, too.
      profiler_outdir: the folder for what it has found.
    Raises:
      ValueError: if there is nothing to take note of.

    >>> tf.summary.trace_on(graph=True)
    >>> tf.summary.trace_off()
    """
    if not graph and not profiler:
        raise ValueError("trace_on with graph=False and profiler=False: there is nothing to take note of")
    trace_off()
    if graph:
        _now.graphs = {}
        ran.watch(_now.graphs)
    if profiler:
        profile = cProfile.Profile()
        profile.enable()
        _now.profile, _now.folder = profile, None if profiler_outdir is None else os.fspath(profiler_outdir)


def trace_off() -> None:
    """Take note of nothing any more, and forget what was noted.

    >>> tf.summary.trace_off()
    """
    if _now.graphs is not None:
        _now.graphs = None
        ran.watch(None)
    if _now.profile is not None:
        _now.profile.disable()
        _now.profile = None


def trace_export(
    name: str, step: TensorLike | None = None, profiler_outdir: str | os.PathLike[str] | None = None
) -> None:
    """Write the graphs of functions that have run since `trace_on`, for TensorBoard's page of graphs, and end that.

    What Python's profiler has found is written to ``NAME.pstats`` in its folder, which the module `pstats` reads.

    Args:
      name: what the graphs are called.
      step: the step, a whole number of shape (); by default that of `set_step`.
      profiler_outdir: the folder for what the profiler has found, if `trace_on` was given none.
    Raises:
      ValueError: without `trace_on` before; if there is no step, or no folder for what the profiler has found.

    >>> import tempfile
    >>> square = tf.function(lambda x: x * x)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     writer = tf.summary.create_file_writer(folder)
    ...     tf.summary.trace_on()
    ...     nine = square(tf.constant(3))
    ...     with writer.as_default():
    ...         tf.summary.trace_export("square", step=0)
    ...     writer.close()
    """
    if _now.graphs is None and _now.profile is None:
        raise ValueError("Must enable trace before export through tf.summary.trace_on.")
    writer = writer_now()
    at: Any = get_step() if step is None else step
    if writer is not None and at is None:
        raise ValueError(NO_STEP)
    if _now.profile is not None:
        folder = _now.folder if profiler_outdir is None else os.fspath(profiler_outdir)
        if folder is None:
            raise ValueError("trace_export needs profiler_outdir, the folder for what Python's profiler has found")
        _now.profile.disable()
        os.makedirs(folder, exist_ok=True)
        _now.profile.dump_stats(os.path.join(folder, f"{name.replace('/', '_')}.pstats"))
    if writer is not None and writer.writes and _now.graphs is not None:
        graphs = [files.graph_message(graph.as_graph_def()) for graph in _now.graphs.values()]
        metadata = files.metadata_of("graph_run_metadata_graph", b"1")
        writer.add(int(at), summary=files.value(name, files.run_of(graphs), metadata))
    trace_off()


def graph(graph_data: Graph | GraphDef) -> Tensor:
    """Write a graph for TensorBoard's page of graphs.

    Args:
      graph_data: a graph, or what `Graph.as_graph_def` makes of one.
    Returns: a boolean of shape (): whether it was written, as it is where a writer is in force.
    Raises:
      RuntimeError: inside of a function.
      ValueError: for anything else.

    >>> square = tf.function(lambda x: x * x).get_concrete_function(tf.constant(3))
    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.graph(square.graph))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    if not executing_eagerly():
        raise RuntimeError("graph() cannot be invoked inside a graph context.")
    if not isinstance(graph_data, Graph | GraphDef):
        raise ValueError(
            "Argument 'graph_data' is not tf.Graph or tf.compat.v1.GraphDef. Received "
            f"graph_data={graph_data!r} of type {type(graph_data).__name__}."
        )
    writer = writer_now()
    if writer is None:
        return constant(False)
    if writer.writes:
        made = graph_data.as_graph_def() if isinstance(graph_data, Graph) else graph_data
        writer.add(0, graph_def=files.graph_message(made).SerializeToString())
    return constant(True)
