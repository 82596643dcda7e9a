"""The reference: a page for each public module, written from the docstrings of what it exports."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from types import ModuleType, SimpleNamespace

from runtime import errors

PAGES = """
    autograph autograph.jax autograph.rules
    runtime runtime.array_api runtime.array_api.fft runtime.array_api.linalg
    runtime.autodiff runtime.autograph runtime.bitwise runtime.compat runtime.compat.v1 runtime.config runtime.data
    runtime.debugging runtime.dtypes
    runtime.errors runtime.experimental runtime.experimental.numpy runtime.experimental.numpy.random
    runtime.image runtime.io runtime.linalg runtime.lookup runtime.math
    runtime.nest runtime.nn runtime.queue runtime.ragged runtime.random runtime.saved_model runtime.signal
    runtime.sparse runtime.strings
    runtime.test runtime.train runtime.types runtime.version
    runtime.keras runtime.keras.activations runtime.keras.backend runtime.keras.callbacks runtime.keras.constraints
    runtime.keras.datasets runtime.keras.initializers runtime.keras.layers runtime.keras.losses runtime.keras.metrics
    runtime.keras.models runtime.keras.optimizers runtime.keras.optimizers.schedules runtime.keras.preprocessing
    runtime.keras.preprocessing.sequence runtime.keras.preprocessing.text runtime.keras.regularizers
    runtime.keras.saving runtime.keras.utils
    runtime.summary runtime.summary.experimental
""".split()

# Modules without __all__ whose functions are not all for users.
FOR_USERS = {"autograph.rules": ["convert", "forget", "leave_alone"]}

# What others see of a class but is not for users: how the parts of the library speak with one another.
INTERNAL = {
    "Optional": "mapped",
    "ConcreteFunction": "borrowed suits direct quick takes writes is_usable has_ended run",
    "Dataset": "kind as_argument in_trace outlives_graphs in_graph iterated numbered beside",
    "DatasetSpec": "key staged stand_in",
    "TFRecordDataset": "kind as_argument in_trace outlives_graphs in_graph iterated numbered beside",
    "Feature": "plain of",
    "Features": "plain take",
    "TextLineDataset": "kind as_argument in_trace outlives_graphs in_graph iterated numbered beside",
    "Iterator": "kind as_argument in_trace outlives_graphs in_graph iterated numbered beside advance current next",
    "IteratorSpec": "key staged stand_in",
    "IndexedSlices": "mapped",
    "InputSpec": "wrong_with",
    "KerasTensor": "operate",
    "Graph": "write define draw picture makers begin",
    "ImportHook": "find_spec",
    "Operation": "result node makes sources returning",
    "RaggedTensor": "mapped row values_beside",
    "SparseTensor": "mapped",
    "Tensor": "type",
    "SummaryWriter": "add writes",
    "TensorArray": "holding",
    "Variable": "type concrete record_in write increase decrease",
}

# What has no docstring of its own, being a value.
VALUES = {
    "autograph.UNDEFINED": "What stands for an unbound variable in the state that a backend is given.",
    "autograph.UNSET": "What stands for a variable that will surely be assigned before it is read.",
    "runtime.array_api.__array_api_version__": "The version of the standard, as text.",
    "runtime.version.VERSION": "The version, as text.",
    "runtime.array_api.e": "The base of natural logarithms, a Python number.",
    "runtime.array_api.inf": "Infinity, a Python number.",
    "runtime.array_api.nan": "What is no number, a Python number.",
    "runtime.array_api.newaxis": "None: ``x[xp.newaxis]`` has one more dimension.",
    "runtime.array_api.pi": "The circumference of a circle by its diameter, a Python number.",
    "runtime.autograph.trace": "The built-in `print`, under TensorFlow's name: it prints while a function is traced.",
    "runtime.data.AUTOTUNE": "-1: TensorFlow finds a number where it is given this; here there is none to find.",
    "runtime.data.INFINITE_CARDINALITY": "-1: what `cardinality` gives for a dataset without end.",
    "runtime.data.UNKNOWN_CARDINALITY": "-2: what `cardinality` gives where nobody knows.",
    "runtime.compat.v1.AUTO_REUSE": "For `variable_scope`: Variables that there are, or new ones.",
    "runtime.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY": "``serving_default``, a signature that nobody named.",
    "runtime.saved_model.SERVING": "``serve``, the only tag of saved models.",
    **{
        f"runtime.errors.{name}": f"TensorFlow's number of errors of the kind {name.lower().replace('_', ' ')}."
        for name in vars(errors)
        if name.isupper()
    },
    "runtime.newaxis": "None, as in NumPy: ``x[tf.newaxis]`` has one more dimension.",
}


def public_names(name: str) -> list[str]:
    """The names that a module has for users.

    >>> public_names("runtime.bitwise")
    ['bitwise_and', 'bitwise_or', 'bitwise_xor', 'invert', 'left_shift', 'right_shift']
    """
    module = importlib.import_module(name)
    if name in FOR_USERS:
        return FOR_USERS[name]
    seen = [n for n in vars(module) if not n.startswith("_") and n != "annotations"]
    return sorted(getattr(module, "__all__", seen))


def pages() -> dict[str, str]:
    """The text of each page, by its path."""
    homes = _homes()
    found = {f"reference/{name}.md": _page(name, homes) for name in PAGES}
    listed = [f"| [`{name}`]({name}.md) | {_sentence(importlib.import_module(name))} |" for name in PAGES]
    toc = "\n".join(f"{name} <{name}>" for name in PAGES)
    found["reference/index.md"] = "\n".join(
        ["# Reference", "", "Every public name, from its docstring; the examples run as tests.", "",
         "The examples begin with `import numpy as np` and `import runtime as tf`.", "",
         "| | |", "|---|---|", *listed, "", f"```{{toctree}}\n:hidden:\n\n{toc}\n```", ""]
    )  # fmt: skip
    return found


def _homes() -> dict[int, str]:
    """Where each object that can be documented is so: the first of its names."""
    homes: dict[int, str] = {}
    for page in PAGES:
        module = importlib.import_module(page)
        for name in public_names(page):
            value = getattr(module, name)
            if _is_documentable(value) or type(value).__name__ == "DType":
                homes.setdefault(id(value), f"{page}.{name}")
    return homes


def _is_documentable(value: object) -> bool:
    return _is_ours(value) and (inspect.isroutine(value) or inspect.isclass(value))


def _is_ours(value: object) -> bool:
    home = getattr(value, "__module__", None) or ""
    return home.split(".")[0] in ("autograph", "runtime")


def _page(page: str, homes: Mapping[int, str]) -> str:
    module = importlib.import_module(page)
    parts = [f"# {page}", "", _markdown(inspect.getdoc(module) or ""), ""]
    rows, entries = [], []
    for name in public_names(page):
        value = getattr(module, name)
        full = f"{page}.{name}"
        home = homes.get(id(value), full)
        if isinstance(value, ModuleType):
            rows.append(f"| [`{full}`]({value.__name__}.md) | {_sentence(value)} |")
            continue
        rows.append(f"| {{py:obj}}`{full} <{home}>` | {_sentence(value, full)} |")
        if home == full:
            entries += [*_entry(full, value), ""]
    return "\n".join([*parts, "| | |", "|---|---|", *rows, "", *entries])


def _sentence(value: object, full: str = "") -> str:
    """What it is, in one sentence that can stand in a table."""
    text = VALUES.get(full) or (_about(value) if full else inspect.getdoc(value) or "")
    paragraph = " ".join(text.split("\n\n")[0].split())
    sentence = re.split(r"(?<=[.])\s", paragraph)[0]
    return _inline(sentence).replace("|", "\\|")


def _about(value: object) -> str:
    """The docstring, or what else there is to say of a value."""
    if isinstance(value, SimpleNamespace):
        return "Holds " + " and ".join(f"`{name}`" for name in vars(value)) + "."
    if _is_documentable(value):
        return inspect.getdoc(value) or ""
    return f"The data type `{value!r}`." if type(value).__name__ == "DType" else ""


def _entry(full: str, value: object) -> list[str]:
    if isinstance(value, SimpleNamespace):
        parts = [_entry(f"{full}.{name}", part) for name, part in vars(value).items() if _is_ours(part)]
        inner = [line for head, *rest in parts for line in ["", head, ":no-index:", *rest]]  # others have these names
        return [*_directive("py:data", full, _about(value)), *inner]
    if inspect.isclass(value):
        kind = "py:exception" if issubclass(value, BaseException) else "py:class"
        signature = "" if issubclass(value, BaseException) or full in ("autograph.Backend",) else _signature(value)
        return _directive(kind, f"{full}{signature}", inspect.getdoc(value) or "", list(_members(value)))
    if inspect.isroutine(value):
        return _directive("py:function", f"{full}{_signature(value)}", inspect.getdoc(value) or "")
    return _directive("py:data", full, VALUES.get(full) or _about(value))


def members_of(value: type) -> dict[str, object]:
    """What a class defines, with what it has of classes of ours that stand for themselves nowhere."""
    found = dict(vars(value))
    for base in value.__mro__[1:]:
        if base.__module__.split(".")[0] == "runtime" and not _stands_for_itself(base):
            found |= {name: member for name, member in vars(base).items() if name not in found}
    return found


def _stands_for_itself(cls: type) -> bool:
    """Whether a class has an entry of its own: it is of the library's face, or of a part of Keras."""
    homes = ("runtime", *(page for page in PAGES if cls.__module__.startswith(page) and page != "runtime"))
    return any(hasattr(importlib.import_module(home), cls.__name__) for home in homes)


def _members(value: type) -> Iterator[list[str]]:
    if issubclass(value, BaseException):
        return
    for name, member in members_of(value).items():
        if name.startswith("_") or name in INTERNAL.get(value.__name__, "").split():
            continue
        doc = inspect.getdoc(member) or ""
        if isinstance(member, property | functools.cached_property):
            yield _directive("py:property", name, doc)
        elif isinstance(member, classmethod | staticmethod):
            option = f":{type(member).__name__}:"
            yield _directive("py:method", f"{name}{_signature(member.__func__, bound=True)}", doc, option=option)
        elif inspect.isroutine(member) and member.__name__ == name:  # and no default of a field
            yield _directive("py:method", f"{name}{_signature(member, bound=True)}", doc)


def _directive(kind: str, head: str, doc: str, members: list[list[str]] | None = None, option: str = "") -> list[str]:
    fence = ":" * (5 if members is not None else 4)
    body = [_markdown(doc), *(line for member in members or () for line in ["", *member])]
    return [f"{fence}{{{kind}}} {head}", *([option] if option else []), "", *body, fence]


class _Written:
    """An annotation or a default as it is written in the source."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _signature(value: object, bound: bool = False) -> str:
    try:
        signature = inspect.signature(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "()"
    parameters = [_readable(p) for p in signature.parameters.values()]
    if bound and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    shown = _shown(signature.return_annotation)
    if inspect.isclass(value):
        shown = inspect.Signature.empty
    return str(inspect.Signature(parameters, return_annotation=shown))


def _readable(parameter: inspect.Parameter) -> inspect.Parameter:
    default = parameter.default
    if default is not parameter.empty and re.match("<", repr(default)):
        default = _Written("...")
    return parameter.replace(annotation=_shown(parameter.annotation), default=default)


def _shown(annotation: object) -> object:
    return _Written(annotation) if isinstance(annotation, str) else annotation


def _markdown(doc: str) -> str:
    """A docstring as Markdown: sections become lists, examples become blocks.

    >>> print(_markdown("What it is.\\n\\nArgs:\\n  x: a tensor\\n    of numbers.\\nReturns: a tensor."))
    What it is.
    <BLANKLINE>
    **Args**
    <BLANKLINE>
    - `x`: a tensor of numbers.
    <BLANKLINE>
    **Returns**: a tensor.
    """
    lines, out = doc.split("\n"), []
    while lines:
        line = lines.pop(0)
        if line.startswith(">>> "):
            example = [line]
            while lines and lines[0].strip():
                example.append(lines.pop(0))
            out += ["", "```pycon", *example, "```", ""]
        elif found := re.match(r"(Args|Returns|Raises|Yields|Examples?|Arguments):\s*(.*)", line):
            body = [found[2]] if found[2] else []
            while lines and lines[0].startswith(" "):
                body.append(lines.pop(0))
            out += ["", *_section(found[1], body), ""]
        elif line.startswith("    ") and (not out or not out[-1].strip()):
            block = [line]
            while lines and (lines[0].startswith("    ") or not lines[0].strip()):
                block.append(lines.pop(0))
            out += ["```python", *[text[4:] for text in block], "```", ""]
        else:
            out.append(_inline(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip()


def _section(title: str, body: list[str]) -> list[str]:
    if body and not body[0].startswith(" "):
        return [f"**{title}**: {_inline(' '.join(line.strip() for line in body))}"]
    items: list[str] = []
    for line in body:
        if re.match(r"  \S", line):
            items.append(line.strip())
        else:
            items[-1] += " " + line.strip()
    return [f"**{title}**", "", *(_item(item) for item in items)]


def _item(text: str) -> str:
    found = re.match(r"([\w*]+(?:, [\w*]+)*)(:.*)", text)
    return f"- `{found[1]}`{_inline(found[2])}" if found else f"- {_inline(text)}"


def _inline(text: str) -> str:
    """Text in which only what stands in backticks is code."""
    parts = re.split(r"(``.+?``|`[^`]+`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<\[\]{}])", r"\\\1", part) for part in parts)
