"""Callbacks: what is told of training while it goes on, and may change it."""

from runtime.keras.callbacks.backup import BackupAndRestore
from runtime.keras.callbacks.callback import (
    Callback,
    CallbackList,
    History,
    LambdaCallback,
    ProgbarLogger,
    TerminateOnNaN,
)
from runtime.keras.callbacks.epochs import CSVLogger, LearningRateScheduler
from runtime.keras.callbacks.monitoring import EarlyStopping, ModelCheckpoint, ReduceLROnPlateau, SwapEMAWeights
from runtime.keras.callbacks.tensorboard import TensorBoard

__all__ = [
    "BackupAndRestore", "CSVLogger", "Callback", "CallbackList", "EarlyStopping", "History", "LambdaCallback",
    "LearningRateScheduler", "ModelCheckpoint", "ProgbarLogger", "ReduceLROnPlateau", "SwapEMAWeights", "TensorBoard",
    "TerminateOnNaN",
]  # fmt: skip
