"""AutoGraph: plain Python control flow rewritten into readable functional Python that builds graphs."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from autograph import rules
from autograph.dispatch import (
    UNDEFINED,
    UNSET,
    Attempt,
    Backend,
    Statement,
    Variables,
    begin_staging,
    end_staging,
    register_backend,
)
from autograph.errors import (
    AutographError,
    ConversionError,
    SourceNotFoundError,
    StagingError,
    UndefinedVariableError,
)
from autograph.late import called as _called, face as _face, places as _places
from autograph.operators.calls import set_converter as _set_converter

if _TYPE_CHECKING:
    from autograph.api import convert, do_not_convert, is_converted, to_code, to_graph, traced_form
    from autograph.importing import ImportHook, install_import_hook
    from autograph.report import explain
    from autograph.verbosity import set_verbosity

__version__ = "0.1.0"

__all__ = [
    "UNDEFINED",
    "UNSET",
    "Attempt",
    "AutographError",
    "Backend",
    "ConversionError",
    "ImportHook",
    "SourceNotFoundError",
    "StagingError",
    "Statement",
    "UndefinedVariableError",
    "Variables",
    "begin_staging",
    "convert",
    "do_not_convert",
    "end_staging",
    "explain",
    "install_import_hook",
    "is_converted",
    "register_backend",
    "rules",
    "set_verbosity",
    "to_code",
    "to_graph",
    "traced_form",
]

# The compiler itself is loaded once there is something to convert.
_PLACES = {
    **_places("autograph.api", "convert do_not_convert is_converted to_code to_graph traced_form"),
    **_places("autograph.importing", "ImportHook install_import_hook"),
    **_places("autograph.report", "explain"),
    **_places("autograph.verbosity", "set_verbosity"),
}
__getattr__, __dir__ = _face(globals(), _PLACES)
_set_converter(
    _called("autograph.api:convert_callee"),
    _called("autograph.api:convert_class"),
    _called("autograph.api:traced_form"),
    _called("autograph.api:is_guarded"),
    _called("autograph.api:is_form"),
)
