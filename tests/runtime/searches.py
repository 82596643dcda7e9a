"""Programs that search and choose among numbers as people write them: what they begin with has a dtype of its own."""

import math

import numpy as np


def kadane(x):
    best = float("-inf")
    cur = 0
    for v in x:
        cur = max(v, cur + v)
        best = max(best, cur)
    return best


def second(x):
    first = second = -math.inf
    for v in x:
        if v > first:
            first, second = v, first
        elif first > v > second:
            second = v
    return second


def nearest(x):
    best = None
    d = np.inf
    for i, v in enumerate(x):
        if abs(v - 3) < d:
            d = abs(v - 3)
            best = i
    return best, d


def norm(x):
    if x.dtype.kind == "i" and x.max() > 5:
        x = x / x.max()
    return x


def clampmean(x):
    m = x.mean() if len(x) else 0
    out = []
    for v in x:
        out.append(v if v > m else 0)
    return out


def clampmean2(x):
    m = np.median(x)
    return [v if v > m else m for v in x]


def runmax(x):
    r = np.empty(len(x))
    m = -np.inf
    for i in range(len(x)):
        m = max(m, x[i])
        r[i] = m
    return r


def stockprofit(x):
    lo, profit = float("inf"), 0
    for p in x:
        if p < lo:
            lo = p
        elif p - lo > profit:
            profit = p - lo
    return profit


def minpath(x):
    g = x.reshape(2, -1)
    dist = [math.inf] * g.shape[1]
    dist[0] = g[0, 0]
    for j in range(1, g.shape[1]):
        dist[j] = min(dist[j], dist[j - 1] + g[0, j])
    return dist


def argbest(x):
    best_i, best_s = None, -1
    for i in range(len(x)):
        s = x[i] * 2 if x[i] % 2 else x[i] / 2
        if s > best_s:
            best_s, best_i = s, i
    return best_i, best_s


def avg(x):
    total = 0
    n = 0
    for v in x:
        if v > 2:
            total += v
            n += 1
    return total / n if n else 0


def avg2(x):
    sel = x[x > 100]
    return sel.mean() if len(sel) else 0


def ternary(x):
    return np.array([v * 1.5 if v > 3 else v for v in x])


def bounds(x):
    lo, hi = np.inf, -np.inf
    for v in x:
        lo = min(lo, v)
        hi = max(hi, v)
    return lo, hi, hi - lo


def bounds2(x):
    lo, hi = np.inf, -np.inf
    for v in x:
        if v < lo:
            lo = v
        if v > hi:
            hi = v
    return (x - lo) / (hi - lo)


def mode(x):
    best, count = None, 0
    for v in x:
        c = 0
        for w in x:
            if w == v:
                c += 1
        if c > count:
            best, count = v, c
    return best, count


def scaled(x, k=np.int64(2)):
    y = x
    for i in range(k):
        y = y / 2 if y.sum() > 10 else y
    return y


def geo(x):
    r = 1
    for v in x:
        if v > 1:
            r *= v
    return r ** (1 / len(x))


def dtw(x):
    n = len(x)
    D = np.full((n, n), np.inf)
    D[0, 0] = 0
    for i in range(1, n):
        for j in range(1, n):
            D[i, j] = abs(x[i] - x[j]) + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[-1, -1]


def first_neg(x):
    found = np.nan
    for v in x:
        if v > 5:
            found = v
            break
    return found


def early(x):
    for v in x:
        if v > 5:
            return v
    return -1.0


def early2(x):
    for i in range(len(x)):
        if x[i] > 50:
            return x[i] / 2
    return 0


def nested(x):
    def better(a, b):
        return a if a > b else b

    m = -np.inf
    for v in x:
        m = better(m, v)
    return m


def cls(x):
    class T:
        def __init__(self):
            self.best = -np.inf

        def see(self, v):
            if v > self.best:
                self.best = v

    t = T()
    for v in x:
        t.see(v)
    return t.best


def tupl(x):
    state = (-np.inf, -1)
    for i, v in enumerate(x):
        if v > state[0]:
            state = (v, i)
    return state


def dct(x):
    d = {"lo": np.inf, "hi": -np.inf}
    for v in x:
        if v < d["lo"]:
            d["lo"] = v
        if v > d["hi"]:
            d["hi"] = v
    return d


def lst(x):
    b = [-np.inf, 0]
    for v in x:
        if v > b[0]:
            b[0] = v
            b[1] += 1
    return b


def pr(x):
    m = np.inf
    for v in x:
        if v < m:
            m = v
    return f"min {m} {m:.1f}"


def gen(x):
    return min((abs(v - 4) for v in x), default=math.inf)


def walrus(x):
    m = -math.inf
    i = 0
    while i < len(x) and (v := x[i]) > m:
        m = v
        i += 1
    return m, i


def trx(x):
    m = np.inf
    for v in x:
        try:
            if v == 9:
                raise ValueError("nine")
            if v < m:
                m = v
        except ValueError:
            m = 0.5
    return m
