"""Programs that look up, count and group by keys in dictionaries and sets."""

from collections import Counter, defaultdict

import numpy as np

from benchmarks.kernels.kernel import kernel


@kernel(lambda draw, n: (draw.integers(0, max(n // 4, 2), n),), small=9, large=20_000)
def counts(values):
    found = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return found


@kernel(lambda draw, n: (draw.integers(-n, n, n), 7), small=9, large=20_000)
def pairs_with_a_sum(values, total):
    seen, pairs = set(), 0
    for value in values:
        if total - value in seen:
            pairs += 1
        seen.add(value)
    return pairs


@kernel(lambda draw, n: (draw.integers(0, 50, n), 20), small=30, large=20_000)
def distinct_in_windows(values, width):
    inside, found = defaultdict(int), np.zeros(len(values) - width + 1, np.int64)
    distinct = 0
    for i in range(len(values)):
        if inside[values[i]] == 0:
            distinct += 1
        inside[values[i]] += 1
        if i >= width:
            gone = values[i - width]
            inside[gone] -= 1
            if inside[gone] == 0:
                distinct -= 1
        if i >= width - 1:
            found[i - width + 1] = distinct
    return found


@kernel(lambda draw, n: (draw.integers(0, 9 * n, n), draw.integers(-5, 5, n)), small=5, large=120)
def product_of_sparse_polynomials(powers, factors):
    product = {}
    for i in range(len(powers)):
        for j in range(len(powers)):
            power = powers[i] + powers[j]
            product[power] = product.get(power, 0) + factors[i] * factors[j]
    return {power: factor for power, factor in product.items() if factor != 0}


@kernel(lambda draw, n: (draw.integers(0, max(n // 3, 2), (n, 2)),), small=8, large=5000)
def visits_to_places(steps):
    visits = Counter()
    x, y = 0, 0
    for dx, dy in steps:
        x, y = (x + dx) % 31, (y + dy) % 17
        visits[(x, y)] += 1
    return len(visits), max(visits.values()), visits[(0, 0)]


@kernel(lambda draw, n: (draw.integers(0, max(n // 3, 2), n), draw.integers(1, 9, n)), small=9, large=20_000)
def orders_from_stock(items, amounts):
    stock, missing, sold = {}, {}, {}
    for item, amount in zip(items, amounts):
        try:
            if stock[item] < amount:
                raise ValueError(item)
            stock[item] -= amount
            sold[item] = sold.get(item, 0) + amount
        except KeyError:
            stock[item] = 10
        except ValueError:
            missing[item] = missing.get(item, 0) + 1
            stock[item] += 5
    return len(stock), sum(missing.values()), sum(sold.values())


@kernel(lambda draw, n: (draw.integers(0, n, (n, 2)),), small=9, large=5000)
def joined_groups(pairs):
    parents, groups = {}, 0
    for u, v in pairs:
        for one in (u, v):
            if one not in parents:
                parents[one] = one
                groups += 1
        while parents[u] != u:
            u = parents[u]
        while parents[v] != v:
            v = parents[v]
        if u != v:
            parents[u] = v
            groups -= 1
    return groups
