"""Convolutions of any size, with any number of axes and groups of channels, element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from runtime.executors.native.code import Code, is_literal, register
from runtime.executors.native.parallel import divided
from runtime.executors.native.values import Array
from runtime.executors.native.vectorised_loops import each

_COST = 4_000  # what a row of results is taken to cost where sizes are not known
_MOST = 1_000_000_000


@dataclass(frozen=True)
class Sizes:
    """The sizes of a convolution: of images, of windows, of results; a group has `ins` channels and `outs` units."""

    batch: str
    images: Sequence[str]
    window: Sequence[str]
    places: Sequence[str]
    before: Sequence[str]  # padding
    strides: Sequence[int]
    dilations: Sequence[int]
    groups: str
    ins: str
    outs: str

    def numbers(self) -> list[str]:
        return [self.batch, *self.images, *self.window, *self.places, *self.before, self.groups, self.ins, self.outs]

    def captured(self, values: Sequence[str]) -> Sizes:
        """The same where these are the numbers."""
        rest, n = iter(values), len(self.images)
        batch = next(rest)
        images, window, places, before = ([next(rest) for _ in range(n)] for _ in range(4))
        groups, ins, outs = rest
        return Sizes(batch, images, window, places, before, self.strides, self.dilations, groups, ins, outs)


Visit = Callable[[Code, str], None]  # what is done for an index


def _index(code: Code, indices: Sequence[str], dims: Sequence[str], start: str = "0") -> str:
    """The number of an element, in C order."""
    for i, d in zip(indices, dims):
        start = code.add(code.mul(start, d), i)
    return start


def _inside(code: Code, sizes: Sizes, at: Sequence[str], taps: Sequence[str], visit: Visit, image: str) -> None:
    """Visit the pixel that a tap of the window at a place meets, if it is inside of the image."""
    found, inside = [], "true"
    for p, k, s, r, before, size in zip(at, taps, sizes.strides, sizes.dilations, sizes.before, sizes.images):
        q = code.sub(code.add(code.mul(p, str(s)), code.mul(k, str(r))), before)
        inside = code.both(inside, code.let(f"icmp ult i64 {q}, {size}"))
        found.append(q)
    _where(code, inside, lambda inner: visit(inner, _index(inner, found, sizes.images, image)))


def _back(code: Code, sizes: Sizes, at: Sequence[str], taps: Sequence[str], visit: Visit, image: str) -> None:
    """Visit the place whose window meets a pixel with a tap, if there is one."""
    found, inside = [], "true"
    for q, k, s, r, before, count in zip(at, taps, sizes.strides, sizes.dilations, sizes.before, sizes.places):
        t = code.sub(code.add(q, before), code.mul(k, str(r)))
        place = code.let(f"sdiv i64 {t}, {s}")
        exact = code.let(f"icmp eq i64 {code.mul(place, str(s))}, {t}")
        fits = code.let(f"icmp ult i64 {place}, {count}")
        inside = code.both(inside, code.both(exact, code.both(code.let(f"icmp sge i64 {t}, 0"), fits)))
        found.append(place)
    _where(code, inside, lambda inner: visit(inner, _index(inner, found, sizes.places, image)))


def _where(code: Code, test: str, then: Callable[[Code], None]) -> None:
    some, done = code.label("inside"), code.label("added")
    code.fork(test, some, done)
    code.enter(some)
    then(code)
    code.jump(done)
    code.enter(done)


def _more(code: Code, kind: str, place: str, x: str, y: str) -> None:
    """Add a product."""
    term = code.let(f"fmul contract {kind} {x}, {y}")
    code.store(kind, code.let(f"fadd contract {kind} {code.load(kind, place)}, {term}"), place)


def add_up(code: Code, sizes: Sizes, source: Array, weights: Array, target: Array, back: bool = False) -> None:
    """Each number of the target: the sum of those of the source under a window, times the weights.

    Weights are of shape [*window, channels of the source in a group, channels of the target]; `back` goes from results
    to images.
    """
    kind = register(target.dtype)
    ins, outs = (sizes.outs, sizes.ins) if back else (sizes.ins, sizes.outs)
    lines = sizes.images if back else sizes.places

    def body(inner: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        from_, to, filters, a, b, *numbers = values
        now = sizes.captured(numbers)
        axes = now.images if back else now.places
        channels, units = inner.mul(now.groups, a), inner.mul(now.groups, b)
        with inner.loop(end, start) as line, ExitStack() as loops:
            image, first = inner.divide(line, axes[0]), inner.rest(line, axes[0])
            at = [first, *(loops.enter_context(inner.loop(d)) for d in axes[1:])]
            place = inner.at(kind, to, inner.mul(_index(inner, at[1:], axes[1:], line), units))
            with each(inner, units) as unit:
                inner.store(kind, "0.0", inner.at(kind, place, unit))
            taps = [loops.enter_context(inner.loop(k)) for k in now.window]
            tap = inner.at(kind, filters, inner.mul(_index(inner, taps, now.window), inner.mul(a, units)))

            def visit(code: Code, number: str) -> None:
                pixel = code.at(kind, from_, code.mul(number, channels))
                if outs == "1":  # a channel of the target for each group
                    with code.loop(a) as channel:
                        row = code.at(kind, tap, code.mul(channel, units))
                        with each(code, now.groups) as group:
                            x = code.load(kind, code.at(kind, pixel, code.add(code.mul(group, a), channel)))
                            y = code.load(kind, code.at(kind, row, group))
                            _more(code, kind, code.at(kind, place, group), x, y)
                    return
                with code.loop(now.groups) as group, code.loop(a) as channel:
                    x = code.load(kind, code.at(kind, pixel, code.add(code.mul(group, a), channel)))
                    shift = code.mul(group, b)
                    row = code.at(kind, tap, code.add(code.mul(channel, units), shift))
                    part = code.at(kind, place, shift)
                    with each(code, b) as unit:
                        y = code.load(kind, code.at(kind, row, unit))
                        _more(code, kind, code.at(kind, part, unit), x, y)

            (_back if back else _inside)(inner, now, at, taps, visit, image)

    pointers = [("ptr", array.pointer) for array in (source, target, weights)]
    captured = [*pointers, *(("i64", n) for n in (ins, outs, *sizes.numbers()))]
    cost = _cost([*lines[1:], *sizes.window, ins, outs, sizes.groups])
    divided(code, code.mul(sizes.batch, lines[0]), cost, captured, body)


def add_up_filters(code: Code, sizes: Sizes, images: Array, results: Array, target: Array) -> None:
    """Each number of filters: the sum of what it met, times the results there."""
    kind = register(target.dtype)
    apart = sizes.ins == sizes.outs == "1"

    def body(inner: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        source, given, to, *numbers = values
        now = sizes.captured(numbers)
        channels, units = inner.mul(now.groups, now.ins), inner.mul(now.groups, now.outs)
        with inner.loop(end, start) as tap, ExitStack() as loops:
            left, taps = tap, list[str]()
            for k in reversed(now.window):
                taps.insert(0, inner.rest(left, k))
                left = inner.divide(left, k)
            whole = inner.mul(now.ins, units)
            there = inner.at(kind, to, inner.mul(tap, whole))
            with each(inner, whole) as number:
                inner.store(kind, "0.0", inner.at(kind, there, number))
            image, *at = (loops.enter_context(inner.loop(d)) for d in (now.batch, *now.places))
            result = inner.at(kind, given, inner.mul(_index(inner, at, now.places, image), units))

            def visit(code: Code, number: str) -> None:
                pixel = code.at(kind, source, code.mul(number, channels))
                if apart:
                    with each(code, now.groups) as group:
                        x, y = (code.load(kind, code.at(kind, p, group)) for p in (pixel, result))
                        _more(code, kind, code.at(kind, there, group), x, y)
                    return
                with code.loop(now.groups) as group, code.loop(now.ins) as channel:
                    x = code.load(kind, code.at(kind, pixel, code.add(code.mul(group, now.ins), channel)))
                    shift = code.mul(group, now.outs)
                    row, part = (
                        code.at(kind, result, shift),
                        code.at(kind, there, code.add(code.mul(channel, units), shift)),
                    )
                    with each(code, now.outs) as unit:
                        y = code.load(kind, code.at(kind, row, unit))
                        _more(code, kind, code.at(kind, part, unit), x, y)

            _inside(inner, now, at, taps, visit, image)

    pointers = [("ptr", array.pointer) for array in (images, results, target)]
    captured = [*pointers, *(("i64", n) for n in sizes.numbers())]
    cost = _cost([sizes.batch, *sizes.places, sizes.ins, sizes.outs, sizes.groups])
    divided(code, code.product(list(sizes.window)), cost, captured, body)


def _cost(factors: Sequence[str]) -> int:
    total = 1
    for f in factors:
        if not is_literal(f):
            return _COST
        total = min(total * max(int(f), 1), _MOST)
    return total
