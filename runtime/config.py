"""Switches for the whole process."""

from runtime.graph.settings import (
    functions_run_eagerly as functions_run_eagerly,
    native_cache as native_cache,
    run_functions_eagerly as run_functions_eagerly,
    set_native_cache as set_native_cache,
    set_unroll_limit as set_unroll_limit,
    unroll_limit as unroll_limit,
)
