"""Generators, coroutines, asynchronous code."""

import asyncio


def branches_in_generators():
    def g(n):
        for i in range(n):
            if i % 2 == 0:
                yield i
            elif i == 3:
                x = yield "three"
                if x:
                    yield x
            else:
                continue
        return "end"

    def all_of(generator):
        found, sent = [], None
        while True:
            try:
                found.append(generator.send(sent))
            except StopIteration as stop:
                return found, stop.value
            sent = "sent" if found[-1] == "three" else None

    return all_of(g(6)), list(g(3))


def delegation():
    def inner():
        x = yield 1
        if x is not None:
            yield x
        return "inner"

    def outer():
        result = yield from inner()
        if result == "inner":
            yield result
        yield from (i for i in range(2) if i >= 0)

    g = outer()
    return next(g), g.send("sent"), list(g)


def thrown_and_closed():
    log = []

    def g():
        while True:
            try:
                x = yield len(log)
                if x:
                    log.append(x)
            except ValueError as error:
                log.append(str(error))
            finally:
                log.append("turn")

    generator = g()
    next(generator), generator.send("a"), generator.throw(ValueError("thrown"))
    generator.close()
    return log


def lazy_start():
    log = []

    def g(n):
        log.append("started")
        if n > 0:
            yield n

    generator = g(1)
    before = list(log)
    return before, list(generator), log


def generator_that_returns_early():
    def g(n):
        if n < 0:
            return "negative"
        yield n

    try:
        next(g(-1))
    except StopIteration as stop:
        return stop.value


def unreachable_yield_makes_a_generator(n=3):
    def g():
        if n > 1:
            return 5
        return 6
        yield

    return type(g()).__name__, list(g())


def stop_iteration_inside_becomes_an_error():
    def g():
        if True:
            raise StopIteration
        yield

    try:
        list(g())
    except RuntimeError as error:
        return str(error)


def generator_state():
    import inspect

    def g(n):
        total = 0
        while n > 0:
            total += n
            n -= 1
            yield total

    generator = g(3)
    next(generator)
    return inspect.isgeneratorfunction(g), inspect.getgeneratorlocals(generator).get("total"), generator.__name__


def coroutines():
    async def double(x):
        await asyncio.sleep(0)
        if x > 1:
            return x * 2
        return x

    async def main():
        total = 0
        for i in range(3):
            if i > 0:
                total += await double(i)
        async with Resource() as r:
            if r:
                total += 100
        async for x in numbers():
            if x == 2:
                continue
            if x > 3:
                break
            total += x
        else:
            total += 1000
        squares = [y * y async for y in numbers() if y < 3]
        return total, squares, [await double(z) for z in (1, 2)], {w: await double(w) for w in (1, 2)}

    class Resource:
        async def __aenter__(self):
            return True

        async def __aexit__(self, *error):
            return False

    async def numbers():
        for i in range(5):
            if i > 0:
                yield i

    return asyncio.run(main())


def coroutine_errors():
    async def fails(n):
        try:
            if n > 1:
                raise KeyError(n)
        finally:
            await asyncio.sleep(0)

    async def main():
        results = await asyncio.gather(fails(0), fails(3), return_exceptions=True)
        return [repr(r) for r in results]

    return asyncio.run(main())


def coroutine_return_in_loops():
    async def find(items, wanted):
        async for item in items:
            if item == wanted:
                return item
        return None

    async def stream(n):
        i = 0
        while i < n:
            yield i
            i += 1

    async def main():
        return await find(stream(5), 3), await find(stream(2), 3)

    return asyncio.run(main())


def asynchronous_generators_with_send():
    async def g():
        total = 0
        while True:
            x = yield total
            if x is None:
                return
            total += x

    async def main():
        a = g()
        await a.__anext__()
        return await a.asend(2), await a.asend(3)

    return asyncio.run(main())


def awaits_in_conditions():
    async def truth(x):
        return x

    async def main():
        found = []
        if await truth(1) and not await truth(0):
            found.append("both")
        while await truth(len(found) < 3):
            found.append("turn")
        x = 1 if await truth(5) else 2
        return found, x, 0 < await truth(1) < 2

    return asyncio.run(main())


def task_groups():
    async def main():
        done = []

        async def work(i):
            if i % 2:
                await asyncio.sleep(0)
            done.append(i)

        async with asyncio.TaskGroup() as group:
            for i in range(4):
                if i != 2:
                    group.create_task(work(i))
        return sorted(done)

    return asyncio.run(main())


def return_from_a_loop_in_a_loop_that_yields():
    def g(items):
        pending, items = [], iter(items)
        while True:
            while len(pending) < 2:
                try:
                    pending.append(next(items))
                except StopIteration:
                    return "end"
                if pending[-1] is None:
                    return "none"
            yield pending.pop(0), pending.pop(0)

    def h(items):
        for row in items:
            for x in row:
                if x > 5:
                    return x
                if x == 3:
                    break
            else:
                yield "all"
            yield row

    def end(generator):
        found = []
        while True:
            try:
                found.append(next(generator))
            except StopIteration as stop:
                return found, stop.value

    return end(g([1, 2, 3])), end(g([1, None])), end(g([])), end(h([[1], [3, 9], [7], [1]]))
