"""`TFRecordWriter`: files of records."""

from __future__ import annotations

import zlib
from typing import NamedTuple

from runtime.graph.errors import NotFoundError
from runtime.ops.records import framed

PACKED = (None, "", "GZIP", "ZLIB")
_GZIP, _ZLIB = 31, 15  # what zlib calls them


class TFRecordOptions(NamedTuple):
    """How a file of records is packed.

    >>> tf.io.TFRecordOptions("GZIP").compression_type
    'GZIP'
    """

    compression_type: str | None = None


class TFRecordWriter:
    """Writes a file of records, for `TFRecordDataset`.

    Args:
      path: its name; what was there is lost.
      options: ``"GZIP"`` or ``"ZLIB"`` to pack it, or `TFRecordOptions`.
    Raises:
      NotFoundError: if there is no such folder.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
    >>> with tf.io.TFRecordWriter(path) as writer:
    ...     writer.write(b"one")
    ...     writer.write(b"two")
    >>> list(tf.data.TFRecordDataset(path).as_numpy_iterator())
    [b'one', b'two']
    """

    def __init__(self, path: str, options: TFRecordOptions | str | None = None) -> None:
        packed = options.compression_type if isinstance(options, TFRecordOptions) else options
        if packed not in PACKED:
            raise ValueError(f"TFRecordWriter with options={packed!r}: it is one of {PACKED}")
        try:
            self._file = open(path, "wb")  # noqa: SIM115 - until it is closed
        except FileNotFoundError as error:
            raise NotFoundError(f"{path}; No such file or directory") from error
        self._packer = zlib.compressobj(wbits=_GZIP if packed == "GZIP" else _ZLIB) if packed else None

    def write(self, record: bytes | str) -> None:
        """Write a record.

        Args:
          record: bytes, as `Example.SerializeToString` gives; a text is encoded in UTF-8.

        >>> import tempfile, os
        >>> with tf.io.TFRecordWriter(os.path.join(tempfile.mkdtemp(), "one")) as writer:
        ...     writer.write(b"first")
        """
        data = framed(record.encode() if isinstance(record, str) else bytes(record))
        self._file.write(data if self._packer is None else self._packer.compress(data))

    def flush(self) -> None:
        """Have what was written in the file.

        >>> import tempfile, os
        >>> writer = tf.io.TFRecordWriter(os.path.join(tempfile.mkdtemp(), "one"))
        >>> writer.write(b"first")
        >>> writer.flush()
        >>> writer.close()
        """
        if self._packer is not None:
            self._file.write(self._packer.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self) -> None:
        """Write what is left, and close the file.

        >>> import tempfile, os
        >>> tf.io.TFRecordWriter(os.path.join(tempfile.mkdtemp(), "none")).close()
        """
        if self._file.closed:
            return
        if self._packer is not None:
            self._file.write(self._packer.flush())
        self._file.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_packer"):
            self.close()
