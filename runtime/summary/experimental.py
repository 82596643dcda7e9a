"""The step of summaries that are given none."""

from runtime.summary.writers import get_step, set_step

__all__ = ["get_step", "set_step"]
