"""What prepared texts and sequences before there were layers for it: many programs still call these."""

from runtime.keras.preprocessing import sequence, text
from runtime.keras.utils import timeseries_dataset_from_array

__all__ = ["sequence", "text", "timeseries_dataset_from_array"]
