"""BackupAndRestore: training that was cut off goes on where it was."""

from __future__ import annotations

import os
import shutil

from runtime.keras.callbacks.callback import Callback, Logs


class BackupAndRestore(Callback):
    """Saves the state of training again and again, so that a `fit` that was cut off goes on when it is called again.

    The weights, what the optimizer has kept and the number of the epoch are in one file of a folder, which is written
    whole. With ``save_freq="epoch"`` the epoch that was cut off is done again from its beginning.

    Args:
      backup_dir: the folder, for nothing else: it is removed in the end.
      save_freq: ``"epoch"``, or after how many batches it is saved.
      double_checkpoint: whether the file before is kept, too, and taken if the last one is damaged.
      delete_checkpoint: whether the folder is removed when training is done.
    Raises:
      ValueError: for no folder, or another `save_freq`; in training, if the model is not built.

    >>> tf.keras.callbacks.BackupAndRestore("backup", save_freq=100).save_freq
    100
    """

    def __init__(
        self,
        backup_dir: str | os.PathLike[str],
        save_freq: str | int = "epoch",
        double_checkpoint: bool = False,
        delete_checkpoint: bool = True,
    ) -> None:
        super().__init__()
        if not os.fspath(backup_dir):
            raise ValueError("BackupAndRestore with an empty backup_dir: it is a folder")
        if save_freq != "epoch" and (isinstance(save_freq, bool) or not isinstance(save_freq, int) or save_freq < 1):
            raise ValueError(f"BackupAndRestore with save_freq={save_freq!r}: it is 'epoch', or a number of batches")
        self.backup_dir, self.save_freq = os.fspath(backup_dir), save_freq
        self.double_checkpoint, self.delete_checkpoint = double_checkpoint, delete_checkpoint
        self._path = os.path.join(self.backup_dir, "latest.state.npz")
        self._epoch, self._unsaved, self._last = 0, 0, -1

    def on_train_begin(self, logs: Logs | None = None) -> None:
        if not self.model.built:
            raise ValueError(
                f"BackupAndRestore of '{self.model.name}', which is not built: there are no weights to restore. Call "
                "it with inputs first, or its build(input_shape)"
            )
        before = f"{self._path}.bkp"
        self._unsaved, self._last = 0, -1
        if os.path.exists(self._path):
            try:
                self._restore(self._path)
            except ValueError:
                if not os.path.exists(before):
                    raise
                self._restore(before)
        elif os.path.exists(before):
            self._restore(before)

    def _restore(self, path: str) -> None:
        self._epoch = self.model._restore_state(path)["epoch"]
        self.model._next_epoch = self._epoch

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        self._epoch, self._last = epoch, -1

    def on_train_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        if not isinstance(self.save_freq, int):
            return
        self._unsaved, self._last = self._unsaved + batch - self._last, batch
        if self._unsaved >= self.save_freq:
            self._unsaved = 0
            self._save()

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        self._epoch = epoch + 1
        if self.save_freq == "epoch":
            self._save()

    def _save(self) -> None:
        os.makedirs(self.backup_dir, exist_ok=True)
        if self.double_checkpoint and os.path.exists(self._path):
            os.replace(self._path, f"{self._path}.bkp")
        self.model._save_state(self._path, {"epoch": self._epoch})

    def on_train_end(self, logs: Logs | None = None) -> None:
        if self.delete_checkpoint and os.path.isdir(self.backup_dir):
            shutil.rmtree(self.backup_dir)
