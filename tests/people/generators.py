"""Generators, coroutines and asynchronous code."""

import asyncio
import itertools
from contextlib import asynccontextmanager


def countdown(n):
    while n > 0:
        yield n
        n -= 1


def chunks(items, size):
    chunk = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield tuple(chunk)
            chunk = []
    if chunk:
        yield tuple(chunk)


def flatten(nested):
    for item in nested:
        if isinstance(item, list):
            yield from flatten(item)
        else:
            yield item


def pairwise_sums(items):
    return sum(a * b for a, b in itertools.pairwise(items) if a < b)


def averages():
    total, count, mean = 0.0, 0, None
    while True:
        value = yield mean
        if value is None:
            return
        total += value
        count += 1
        mean = total / count


def use_averages(values):
    running = averages()
    next(running)
    return [running.send(value) for value in values]


def first(items, wanted, default=None):
    return next((item for item in items if wanted(item)), default)


def collatz_lengths(limit):
    known = {1: 1}
    for start in range(2, limit):
        n, steps = start, 0
        while n not in known:
            n = 3 * n + 1 if n % 2 else n // 2
            steps += 1
        known[start] = known[n] + steps
    return max(known.items(), key=lambda pair: pair[1])


async def fetch(name, delay=0):
    await asyncio.sleep(delay)
    if name == "broken":
        raise ConnectionError(name)
    return name.upper()


async def gather_all(names):
    results = await asyncio.gather(*(fetch(name) for name in names), return_exceptions=True)
    return [r if not isinstance(r, Exception) else f"failed: {r}" for r in results]


@asynccontextmanager
async def session(log):
    log.append("open")
    try:
        yield log
    finally:
        log.append("closed")


async def use_session(names):
    log = []
    async with session(log):
        for name in names:
            try:
                log.append(await fetch(name))
            except ConnectionError as error:
                log.append(repr(error))
                break
    return log


async def ticks(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)


async def sum_even(n):
    total = 0
    async for tick in ticks(n):
        if tick % 2 == 0:
            total += tick
    return total


CALLS = {
    "countdown": [(3,), (0,)],
    "chunks": [(range(5), 2), ([], 2)],
    "flatten": [([1, [2, [3, []]], 4],)],
    "pairwise_sums": [([1, 3, 2, 5],)],
    "use_averages": [([1, 3, 5],)],
    "first": [([1, 4, 9], lambda n: n > 3), ([], bool)],
    "collatz_lengths": [(30,)],
    "fetch": [("a",), ("broken",)],
    "gather_all": [(["a", "broken"],)],
    "use_session": [(["a", "broken", "b"],), ([],)],
    "sum_even": [(6,)],
}
