"""The graph of a function, with the arguments and the results that it was traced for."""

from __future__ import annotations

import weakref
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from runtime.functions.describing import numbers_of, structured
from runtime.functions.signature import Arguments
from runtime.graph.graph import Graph
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import Trace
from runtime.tensors.types import Structure


@dataclass(frozen=True, eq=False)
class FuncGraph(Graph):
    """The graph of a `ConcreteFunction`, which tells of the arguments and the results, too.

    >>> graph = tf.function(lambda x: {"twice": x * 2}).get_concrete_function(tf.TensorSpec([None])).graph
    >>> graph.structured_outputs
    {'twice': <tf.Tensor 'Identity:0' shape=(None,) dtype=float32>}
    """

    signature: Arguments | None = field(default=None, repr=False)
    by_name: Set[str] = field(default=frozenset(), repr=False)  # the parameters that are given by name alone
    plan: Sequence[Any] = field(default=(), repr=False)  # what it returns
    captured: Sequence[Any] = field(default=(), repr=False)
    around: weakref.ref[Trace] | None = field(default=None, repr=False)

    @property
    def structured_input_signature(self) -> tuple[Structure, Structure]:
        """The arguments, by position and by name, with a TensorSpec of its dtype and shape for every tensor.

        >>> graph = tf.function(lambda x: x * 2).get_concrete_function(tf.constant([1, 2])).graph
        >>> graph.structured_input_signature
        ((TensorSpec(shape=(2,), dtype=tf.int32, name='x'),), {})
        """
        assert self.signature is not None
        return self.signature.specs(self.by_name)

    @property
    def structured_outputs(self) -> Structure:
        """What the function returns, with a tensor that has a dtype and a shape, and no value, for each tensor in it.

        >>> tf.function(lambda x: [x, None]).get_concrete_function(tf.constant(1)).graph.structured_outputs
        [<tf.Tensor 'Identity:0' shape=() dtype=int32>, None]
        """
        return structured(self.plan[0], self.output)

    @property
    def captures(self) -> list[tuple[Any, Tensor]]:
        """What it uses without being given it, a Variable or a tensor of a function around, and its input for that.

        >>> v = tf.Variable(1.0, name="v")
        >>> tf.function(lambda x: x + v).get_concrete_function(tf.constant(1.0)).graph.captures
        [(<tf.Variable 'v:0' shape=() dtype=float32, numpy=1.0>, <tf.Tensor 'v:0' shape=() dtype=resource>)]
        """
        return [*zip(self.external_captures, self.internal_captures)]

    @property
    def external_captures(self) -> list[Any]:
        """The first of each of its `captures`: what is outside.

        >>> tf.function(lambda x: x + 1).get_concrete_function(tf.constant(1.0)).graph.external_captures
        []
        """
        return [one.tensor() if hasattr(one, "tensor") else one for one in self.captured]

    @property
    def internal_captures(self) -> list[Tensor]:
        """The second of each of its `captures`: its own inputs.

        >>> tf.function(lambda x: x + 1).get_concrete_function(tf.constant(1.0)).graph.internal_captures
        []
        """
        given = self.given()
        return given[len(given) - len(self.captured) :]

    @property
    def outer_graph(self) -> Graph | None:
        """The graph of the function around, as far as that is traced; None if there is none.

        >>> print(tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1)).graph.outer_graph)
        None
        """
        trace = None if self.around is None else self.around()
        return None if trace is None else trace.so_far()

    def given(self) -> list[Tensor]:
        """The tensors of its inputs, of which those in a dictionary come in the order of its keys.

        >>> tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1)).graph.given()
        [<tf.Tensor 'x:0' shape=() dtype=int32>]
        """
        assert self.traced is not None and self.signature is not None
        made = [self.makers[value][0].outputs[0] for value in self.traced.inputs]
        taken = [number for number, kind in enumerate(self.signature.types) if kind is not None]
        first = [taken.index(number) for number in self.signature.sorted_leaves() if number in taken]
        return [*(made[place] for place in first), *made[len(first) :]]

    def returned(self) -> list[Tensor]:
        """The tensors of what it returns.

        >>> tf.function(lambda x: (x, x * 2)).get_concrete_function(tf.constant(1)).graph.returned()
        [<tf.Tensor 'Identity:0' shape=() dtype=int32>, <tf.Tensor 'Identity_1:0' shape=() dtype=int32>]
        """
        return [self.output(number) for number in numbers_of(self.plan[0])]

    def output(self, number: int) -> Tensor:
        """The tensor of a result, by its number.

        >>> tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1)).graph.output(0)
        <tf.Tensor 'Identity:0' shape=() dtype=int32>
        """
        assert self.traced is not None
        operations = self.get_operations()
        return operations[len(operations) - len(self.traced.outputs) + number].outputs[0]
