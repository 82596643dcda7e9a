"""AutoGraph: plain Python control flow rewritten into readable functional Python that builds graphs."""

from autograph import rules
from autograph.api import convert, do_not_convert, is_converted, to_code, to_graph, traced_form
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
