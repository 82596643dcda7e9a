"""Requests, records and data as programs pass them around."""

import datetime
import itertools
from urllib.parse import parse_qsl, urlsplit

STATUS = {200: "OK", 404: "Not Found", 405: "Method Not Allowed"}
USERS = {1: {"name": "ann", "roles": ["admin"]}, 2: {"name": "bob", "roles": []}}


def respond(status, body="", **headers):
    lines = [f"HTTP/1.1 {status} {STATUS.get(status, 'Unknown')}"]
    for name, value in headers.items():
        lines.append(f"{name.replace('_', '-').title()}: {value}")
    return "\r\n".join([*lines, "", body])


def handle(request, users=USERS):
    """Routes by pattern."""
    match request:
        case {"method": "GET", "path": ["users"]}:
            return 200, sorted(u["name"] for u in users.values())
        case {"method": "GET", "path": ["users", str(number)]} if number.isdigit():
            user = users.get(int(number))
            return (200, user) if user else (404, None)
        case {"method": "DELETE" | "PUT" as method}:
            return 405, method
        case {"path": [first, *rest]}:
            return 404, f"{first} and {len(rest)} more"
        case _:
            return 404, None


def split_url(url, *, default_port=80):
    parts = urlsplit(url)
    query = {}
    for key, value in parse_qsl(parts.query):
        if key in query:
            query[key] = [*query[key], value] if isinstance(query[key], list) else [query[key], value]
        else:
            query[key] = value
    return parts.hostname, parts.port or default_port, query


def paginate(items, page=1, per_page=3):
    pages = -(-len(items) // per_page) or 1
    page = min(max(page, 1), pages)
    start = (page - 1) * per_page
    return {
        "items": items[start : start + per_page],
        "next": page + 1 if page < pages else None,
        "previous": page - 1 if page > 1 else None,
    }


def validate(form, required=("name", "age")):
    errors = {field: "missing" for field in required if not form.get(field)}
    if (age := form.get("age")) and not str(age).isdigit():
        errors["age"] = "no number"
    elif age and not 0 < int(age) < 150:
        errors["age"] = "unlikely"
    return errors or None


def merge(*configs, deep=True):
    merged = {}
    for config in configs:
        for key, value in config.items():
            if deep and isinstance(value, dict) and isinstance(merged.get(key), dict):
                merged[key] = merge(merged[key], value)
            else:
                merged[key] = value
    return merged


def ago(then, now):
    seconds = int((now - then).total_seconds())
    if seconds < 60:
        return "just now"
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}{'s' if count != 1 else ''} ago"


def totals(orders, *, by="customer"):
    ordered = sorted(orders, key=lambda order: order[by])
    return {
        key: sum(o["price"] * o.get("count", 1) for o in group)
        for key, group in itertools.groupby(ordered, key=lambda order: order[by])
    }


def limit_rate(times, limit, window):
    accepted, recent = [], []
    for time in times:
        recent = [t for t in recent if time - t < window]
        if len(recent) >= limit:
            continue
        recent.append(time)
        accepted.append(time)
    return accepted


def can(user, action, *, owner=None):
    return (
        "admin" in user["roles"]
        or (action == "read" and not user.get("banned", False))
        or (owner is not None and owner == user["name"])
    )


NOON = datetime.datetime(2024, 1, 2, 12)
CALLS = {
    "respond": [(200, "hi"), (500,)],
    "handle": [
        ({"method": "GET", "path": ["users"]},),
        ({"method": "GET", "path": ["users", "2"]},),
        ({"method": "GET", "path": ["users", "9"]},),
        ({"method": "PUT"},),
        ({"method": "GET", "path": ["a", "b"]},),
        ({},),
    ],
    "split_url": [("http://a.b:81/c?x=1&x=2&x=3&y=4",), ("http://a.b",)],
    "paginate": [([*range(7)], 2), ([], 5), ([*range(7)], 9)],
    "validate": [({"name": "a", "age": "7"},), ({"age": "x"},), ({"name": "a", "age": 200},)],
    "merge": [({"a": {"b": 1}}, {"a": {"c": 2}, "d": 3}), ()],
    "ago": [(NOON, NOON), (NOON, NOON.replace(minute=7)), (NOON, NOON.replace(day=3))],
    "totals": [([{"customer": "b", "price": 2}, {"customer": "a", "price": 3, "count": 2}],)],
    "limit_rate": [([0, 1, 2, 3, 11, 12], 2, 10)],
    "can": [(USERS[1], "write"), (USERS[2], "read"), (USERS[2], "write")],
}
