"""Type parameters, type aliases, f-strings of any depth."""


def type_parameters(n=3):
    def first[T](items: list[T], default: T | None = None) -> T | None:
        for item in items:
            if item is not None:
                return item
        return default

    class Stack[T]:
        def __init__(self) -> None:
            self.items: list[T] = []

        def push(self, item: T) -> None:
            if item:
                self.items.append(item)

    stack = Stack[int]()
    stack.push(5), stack.push(0)
    return first([None, 2]), first([], 7), stack.items, first.__type_params__[0].__name__, Stack.__parameters__ != ()


def type_aliases(n=3):
    if n > 1:
        type Pair[T] = tuple[T, T]
    type Simple = int | str
    return Pair.__name__, str(Simple.__value__)


def what_is_evaluated_where_nothing_can_be_assigned(n=3):
    type Chosen = float if n > 1 else int
    type Said[T] = list[n and T, not n, 1 < n < 4, f"{n}", max(n, len("ab")), n in (1, 2), [i for i in range(n) if i]]

    class Stack[T: (int if n > 1 else str)](list if n > 1 else dict, metaclass=type if n else object):
        kind: T | None = n if n > 1 else None

    def first[T](x: T if n > 1 else int = 1 if n > 1 else 2) -> 1 < n < 3:
        return x if n > 1 else None

    bound = Stack.__type_params__[0].__bound__
    return Chosen.__value__, str(Said.__value__), Stack.__bases__[0], bound, Stack.kind, first(), str(first.__annotations__)


def bounds_and_defaults[T: (int, str), *Ts, **P](x: T = 3) -> T:
    if x:
        return x


def nested_quotes(n=3):
    d = {"k": 1}
    return f"{d["k"]} {f"{f"{n if n > 1 else 0}"}"}", f"{'\n'.join(["a", "b"])}"


def comments_in_replacement_fields(n=3):
    return f"{
        n  # the number
        + 1
    }"
