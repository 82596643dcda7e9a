"""What a graph becomes, stage by stage, as text."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.executors import divide
from runtime.functions.concrete import ConcreteFunction
from runtime.graph.errors import InvalidArgumentError

_STAGES = ("traced", "graph", "llvm")
_HOSTS = (None, "", "CPU", "Host", "cpu", "host")


@dataclass(frozen=True)
class CompilerText:
    """What `Function.experimental_get_compiler_ir` returns: called with a stage, it gives the text of that stage."""

    concrete: ConcreteFunction
    jit_compile: bool | str | None

    def __call__(self, stage: str = "graph", device_name: str | None = None, platform_name: str | None = None) -> str:
        if stage not in _STAGES:
            raise ValueError(
                f"there is no stage {stage!r} here: it is {', '.join(map(repr, _STAGES[:-1]))} or {_STAGES[-1]!r}"
            )
        if platform_name not in _HOSTS or "cpu" not in (device_name or "cpu").lower():
            raise InvalidArgumentError(
                f"code for {device_name or platform_name!r} is asked for, but only the CPU computes here: leave "
                "device_name and platform_name out"
            )
        if stage != "llvm":
            return str(self.concrete.traced if stage == "traced" else self.concrete.graph)
        division = divide(self.concrete.graph, self.jit_compile)
        if not division.regions:
            why = division.why_none or "; ".join(dict.fromkeys(division.left.values()))
            raise InvalidArgumentError(f"nothing in {self.concrete.name} becomes machine code: {why}")
        return "\n".join(text for _, text in division.regions)
