"""Exceptions, context managers and clean-up."""

import contextlib
import json
import warnings


class ConfigError(Exception):
    def __init__(self, key, reason):
        super().__init__(f"{key}: {reason}")
        self.key = key


def read_port(config):
    try:
        port = int(config["port"])
    except KeyError:
        return 8080
    except (TypeError, ValueError) as error:
        raise ConfigError("port", "no number") from error
    if not 0 < port < 65536:
        raise ConfigError("port", f"{port} is out of range")
    return port


def load(text, fallback=None):
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return fallback, error.pos
    else:
        return value, None


def ratio(pairs):
    good, bad = [], 0
    for a, b in pairs:
        try:
            good.append(a / b)
        except ZeroDivisionError:
            bad += 1
            continue
        finally:
            bad += 0
    return good, bad


class Transaction:
    def __init__(self, accounts):
        self.accounts = accounts

    def __enter__(self):
        self.before = dict(self.accounts)
        return self

    def __exit__(self, kind, error, traceback):
        if kind is not None:
            self.accounts.clear()
            self.accounts.update(self.before)
        return kind is not None and issubclass(kind, ValueError)

    def move(self, source, target, amount):
        if self.accounts[source] < amount:
            raise ValueError("too little")
        self.accounts[source] -= amount
        self.accounts[target] = self.accounts.get(target, 0) + amount


def pay(accounts, *orders):
    done = 0
    for source, target, amount in orders:
        with Transaction(accounts) as transaction:
            transaction.move(source, target, amount)
            done += 1
    return done, accounts


@contextlib.contextmanager
def changed(table, **values):
    before = {key: table[key] for key in values if key in table}
    table.update(values)
    try:
        yield table
    finally:
        for key in values:
            if key in before:
                table[key] = before[key]
            else:
                del table[key]


def use_changed(table):
    with changed(table, a=5, z=6) as inner:
        seen = dict(inner)
    return seen, table


def close_all(resources):
    errors = []
    for resource in resources:
        try:
            resource()
        except Exception as error:
            errors.append(str(error))
    if errors:
        raise ExceptionGroup("not all is closed", [OSError(e) for e in errors])


def deprecated(value):
    if value < 0:
        warnings.warn("negative values will be refused", DeprecationWarning, stacklevel=2)
    return abs(value)


def find(tables, key):
    with contextlib.suppress(KeyError):
        return tables[0][key]
    for table in tables[1:]:
        if key in table:
            break
    else:
        return None
    return table[key]


CALLS = {
    "read_port": [({"port": "80"},), ({},), ({"port": None},), ({"port": 0},)],
    "load": [("[1, 2]",), ("[1,", 7)],
    "ratio": [([(1, 2), (1, 0), (3, 1)],)],
    "pay": [({"a": 5}, ("a", "b", 3), ("a", "b", 9), ("b", "a", 1))],
    "use_changed": [({"a": 1, "b": 2},)],
    "close_all": [([],), ([lambda: 1 / 0],)],
    "deprecated": [(3,)],
    "find": [([{"a": 1}, {"b": 2}], "a"), ([{}, {"b": 2}], "b"), ([{}], "c")],
}
