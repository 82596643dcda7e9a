"""LLVM: text becomes machine code in this process; the code may be kept on disk."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import itertools
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from runtime.executors.native import cache, system
from runtime.executors.native.code import Module
from runtime.graph import settings as config

_lock = threading.Lock()
_once = threading.RLock()
_numbers = itertools.count()


@functools.cache
def available() -> bool:
    """Whether llvmlite is installed and knows this processor."""
    try:
        _machine()
    except (ImportError, OSError, RuntimeError):
        return False
    return True


@system.once
def _machine() -> tuple[object, object]:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=1, reloc="pic",
        codemodel="small", jit=True,
    )  # fmt: skip
    return target, llvm.create_lljit_compiler(target, use_jit_link=True)  # one piece of memory for code and data


@functools.cache
def vector_bits() -> int:
    """The size of this processor's vectors."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    return 512 if features.get("avx512f") else 256 if features.get("avx2") else 128


def compile_module(module: Module, entries: Sequence[str]) -> tuple[dict[str, int], object]:
    """The addresses of functions, and what has to live as long as they are used."""
    import llvmlite.binding as llvm

    target, jit = _machine()
    with _lock:
        code = _object_code(module, target)
        library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name, address in {**system.memory(), **module.symbols}.items():
            library.import_symbol(name, address)
        for entry in entries:
            library.export_symbol(entry)
        linked = library.link(jit, f"{module.name}.{next(_numbers)}")
    return {entry: linked[entry] for entry in entries}, linked


_compiled: dict[str, tuple[int, str]] = {}  # what all modules share, by name: its address, and its text's digest


def once_for_all(module: Module, functions: Mapping[str, str], write: Callable[[Module], None]) -> None:
    """Let a module use functions (with these signatures) that are written and compiled once for the process."""
    if not functions.keys() <= _compiled.keys():
        with _once:
            if not functions.keys() <= _compiled.keys():
                _share(functions, write)
    for name, signature in functions.items():
        module.declare(name, signature)
        module.symbols[name] = _compiled[name][0]


def _share(functions: Iterable[str], write: Callable[[Module], None]) -> None:
    shared = Module("shared")
    write(shared)
    addresses, linked = compile_module(shared, list(functions))
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(linked))  # threads may be in it when the interpreter ends
    digest = hashlib.sha256(_text(shared).encode()).hexdigest()
    _compiled.update({name: (address, digest) for name, address in addresses.items()})


def _text(module: Module) -> str:
    """A module, and what is known of the functions that it shares with others."""
    shared = (f"; {name} {_compiled[name][1]}" for name in sorted(module.symbols) if name in _compiled)
    return "\n".join([*shared, str(module)])


def _object_code(module: Module, target: Any) -> bytes:
    """Machine code for a module, from the folder of the cache if it is there."""
    folder = config.native_cache()
    if folder is None:
        return _optimised(module, target)
    entry = cache.Entry(folder, f"{target.triple} {_processor()} {module.thorough}\n{_text(module)}")
    code = entry.read()
    if code is None:
        code = _optimised(module, target)
        entry.write(code)
    return code


@functools.cache
def _processor() -> str:
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


# Characters of a module: of one that is longer, LLVM takes many seconds to make code, or more stack than there is.
MOST = 5_000_000
_LARGE = 150_000  # characters of a module for which LLVM's passes over loops take more than a fraction of a second


def _optimised(module: Module, target: Any) -> bytes:
    """Machine code for a module.

    LLVM's passes are done without where what they make is not well formed: writing that would end the process.
    """
    import llvmlite.binding as llvm

    text = str(module)
    for unrolls in (True, False, None):
        parsed = llvm.parse_assembly(text)
        parsed.verify()
        parsed.triple = target.triple
        parsed.data_layout = str(target.target_data)
        # Higher levels take up to twice the time, and what they do to this code makes it slower as often as faster.
        options = llvm.create_pipeline_tuning_options(speed_level=1)
        options.loop_vectorization = options.loop_interleaving = True
        options.slp_vectorization = False  # LLVM 22 moves loads that it gathers to before stores to the same memory
        options.loop_unrolling = unrolls is True
        builder = llvm.create_pass_builder(target, options)
        if module.thorough and unrolls is not None and len(text) < _LARGE:
            passes = builder.getModulePassManager()
        else:  # what else there is to do, the graph's passes and the writing of vectors have done
            passes = llvm.create_new_module_pass_manager()
            passes.add_sroa_pass()
        passes.run(parsed, builder)
        with contextlib.suppress(RuntimeError):
            parsed.verify()
            break
    return bytes(target.emit_object(parsed))
