"""Switches for the whole process, and what it runs on."""

from __future__ import annotations

import types as _types
from typing import NamedTuple as _NamedTuple

from runtime.graph.settings import (
    functions_run_eagerly as functions_run_eagerly,
    native_cache as native_cache,
    run_functions_eagerly as run_functions_eagerly,
    set_native_cache as set_native_cache,
    set_unroll_limit as set_unroll_limit,
    unroll_limit as unroll_limit,
)


class PhysicalDevice(_NamedTuple):
    """What operations run on.

    >>> tf.config.list_physical_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """

    name: str
    device_type: str


class LogicalDevice(_NamedTuple):
    """What operations run on, by the name under which programs place them there.

    >>> tf.config.list_logical_devices("CPU")
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """What operations can run on: the processor.

    Args:
      device_type: ``"CPU"``, ``"GPU"`` … for those of this kind alone, of which there may be none.
    Returns: a list.

    >>> tf.config.list_physical_devices("GPU")
    []
    """
    return [PhysicalDevice("/physical_device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """What operations can be placed on: the processor.

    Args:
      device_type: ``"CPU"``, ``"GPU"`` … for those of this kind alone, of which there may be none.
    Returns: a list.

    >>> len(tf.config.list_logical_devices())
    1
    """
    return [LogicalDevice("/device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


experimental = _types.SimpleNamespace(
    list_physical_devices=list_physical_devices, list_logical_devices=list_logical_devices
)
