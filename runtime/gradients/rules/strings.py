"""Text has no gradient."""

from __future__ import annotations

from runtime.gradients.cells import constant
from runtime.ops import strings

constant(
    strings.answer, strings.join, strings.as_string, strings.length, strings.lower, strings.upper, strings.strip,
    strings.changed_text, strings.fixed, strings.to_number, strings.text,
)  # fmt: skip
