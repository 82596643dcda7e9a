"""Parts and patterns of text have no gradient."""

from __future__ import annotations

from runtime.gradients.cells import constant
from runtime.ops import texts

constant(
    texts.part, texts.split, texts.letters, texts.reduce_join, texts.replace, texts.matches, texts.decode, texts.encode,
    texts.starts, texts.transcode, texts.fill_in,
)  # fmt: skip
