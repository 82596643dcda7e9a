"""Switches for the whole process, and what it runs on."""

from __future__ import annotations

import types as _types
from collections.abc import Sequence as _Sequence
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


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """What operations run on: the processor, whatever `set_visible_devices` was given.

    Args:
      device_type: ``"CPU"``, ``"GPU"`` … for those of this kind alone, of which there may be none.
    Returns: a list.

    >>> tf.config.get_visible_devices("GPU")
    []
    """
    return list_physical_devices(device_type)


def set_visible_devices(devices: PhysicalDevice | _Sequence[PhysicalDevice], device_type: str | None = None) -> None:
    """Say what operations are to run on, which changes nothing: there is the processor, and nothing else.

    Args:
      devices: one of `list_physical_devices`, or several; none, to hide those of a kind.
      device_type: ``"CPU"``, ``"GPU"`` … for those of this kind alone.
    Raises:
      ValueError: for a device that is not there, and if the processor is to be hidden.

    >>> tf.config.set_visible_devices([], "GPU")
    """
    wanted = [devices] if isinstance(devices, PhysicalDevice) else list(devices)
    for device in wanted:
        if device not in list_physical_devices(device_type):
            raise ValueError(f"{device!r} is not there: {list_physical_devices(device_type)} are")
    if not wanted and device_type in (None, "CPU"):
        raise ValueError("the processor cannot be hidden: it is what all operations run on")


def get_soft_device_placement() -> bool:
    """Whether operations run on another device where the one that a program names is not there: always.

    >>> tf.config.get_soft_device_placement()
    True
    """
    return True


def set_soft_device_placement(enabled: bool) -> None:
    """Say whether operations may run on another device than a program names.

    Args:
      enabled: must be True: they run on the processor, whatever `device` says.
    Raises:
      ValueError: for False.

    >>> tf.config.set_soft_device_placement(True)
    """
    if not enabled:
        raise ValueError("operations run on the processor, whatever device a program names: it cannot be an error")


def _enable_op_determinism() -> None:
    """Nothing: operations give the same each time in any case, and random ones do so after `random.set_seed`.

    >>> tf.config.experimental.enable_op_determinism()
    """


def _set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Say whether a GPU's memory is to be taken bit by bit; there is no GPU here, so that a loop over them never asks.

    Args:
      device: a GPU.
      enable: whether.
    Raises:
      ValueError: for any device, as the processor is the only one.

    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     tf.config.experimental.set_memory_growth(gpu, True)
    """
    raise ValueError(f"Cannot set memory growth of {device!r}: it is for GPUs, and there is none")


experimental = _types.SimpleNamespace(
    list_physical_devices=list_physical_devices,
    list_logical_devices=list_logical_devices,
    get_visible_devices=get_visible_devices,
    set_visible_devices=set_visible_devices,
    set_memory_growth=_set_memory_growth,
    enable_op_determinism=_enable_op_determinism,
)
