"""Statements and expressions for programs on tensors; what the letters stand for is in `staged_writer`."""


def forms(text):
    """One form a line; a backslash and an n stand for a new line in it."""
    return [line.strip().replace("\\n", "\n") for line in text.strip().splitlines()]


INT_FORMS = forms("""
    ($N + $N) % 101
    ($N * $N) % 101
    ($N - $N)
    ($N if $T else $N)
    $N // 3
    $N % 5
    abs($N)
    min($N, $N)
    max($N, $n, 2)
    int($T)
    -$N
    $N & 7
    $N | $n
    int(np.argmax($B))
    int(np.sum($A > $f))
    len(a)
    b.shape[0]
    divmod($N, 7)[1]
    ($N and $N)
    ($N or $N)
    a.shape[1] - $n
    first_above($B, $f)
""")
TOPIC_INTS = {
    "lists": forms("""
    len(items)
    sum(items) % 101
    items[$k]
    max(items)
    sum([$1 % 7 for $1 in items if $t])
    items[-1]
    (items[0] if items else $n)
"""),
    "objects": forms("""
    box.n
    box.twice
    box[$n]
    Pair($n, $n).larger()
    box.add($n).n
    (box + Box($n)).n
    rec['n']
    rec.get('n', $n)
"""),
    "none": "(0 if opt is None else opt)".split(";"),
    "text": "len(word[:2])".split(";"),
}
FLOAT_FORMS = forms("""
    ($F + $F) * 0.5
    $F - $F
    $F * 0.5
    np.max($A)
    np.min($B)
    np.sum($B) * 0.25
    b[$k]
    a[$k % 3, $k]
    abs($F)
    ($F if $T else $F)
    np.maximum($F, $f)
    min($F, $F)
    np.floor($F)
    c[$k][1] + $f
    np.clip($F, -8.0, 8.0)
    float($n) * 0.25
    np.where($T, $F, $F)
    np.dot(b, d) * 0.125
    a.sum() * 0.0625
    b.max() - $F
""")
WIDE_FORMS = forms("""
    $A + $A
    $A - $B
    $A * 0.5
    $A + $F
    np.maximum($A, $A)
    np.minimum($A, $f)
    -$A
    $A[::-1]
    $A[:, ::-1]
    np.where($A > $f, $A, $A)
    np.roll($A, $n, axis=0)
    np.clip($A, -32.0, 32.0)
    np.abs($A)
    $A % 8.0
    np.stack([$B, $B, $B])
    np.concatenate([$A[1:], $A[:1]])
    np.sort($A, axis=1)
    np.cumsum($A, axis=0) * 0.5
    np.floor($A)
    np.outer($A[:, 0], $B) * 0.125
    np.reshape($A.T, (3, 4))
    np.zeros_like($A)
    np.where($T, $A, $A)
    ($A if $T else $A)
    $A.copy()
    np.broadcast_to($B, (3, 4)) + 0.5
    $A[[2, 0, 1]]
    $A * ($A > $f)
    np.tril($A)
    np.full((3, 4), $f)
    np.array([$B, $B, $B])
    ($A @ $A.T)[:, :1] * 0.0625 + $A
""")
ROW_FORMS = forms("""
    $B + $B
    $B * 0.5
    $B - $F
    $A[$k % 3]
    np.sum($A, axis=0) * 0.25
    np.max($A, axis=0)
    $B[::-1]
    np.sort($B)
    np.where($B > $f, $B, $B)
    np.cumsum($B) * 0.5
    $B[np.argsort(d, kind='stable')]
    np.maximum($B, $B)
    np.mean($A, axis=1)[[0, 1, 2, 0]]
    np.abs($B)
    np.concatenate([$B[$c % 4:], $B])[:4]
    ($B if $T else $B)
    np.clip($B, -16.0, 16.0)
    $A[:, $k % 4][[0, 1, 2, 1]]
    np.arange(4) * $F
    np.zeros(4) + $F
    $B.copy()
    np.stack([$F, $F, $F, $F])
    np.roll($B, $n)
    np.array([$F, $f, 0.0, $f])
    $A.min(axis=0)
    np.ones(4) * $n
    np.flip($B)
    $A.T[:4, $k % 3]
    np.minimum($B, $f)
    $B % 4.0
""")
TEST_FORMS = forms("""
    ($T and $T)
    ($T or $T)
    not ($T)
    $n < $n <= $n
    np.sum($B) > $f
    np.any($A > $f)
    np.all($B < $f)
    a[0, 0] < c[1, 1]
    ($T if $t else $t)
    $f != $f
    $F <= $F
    np.max(b) > np.max(d)
    any([$1 > $f for $1 in b])
    bool($n)
""")
TOPIC_TESTS = {
    "lists": forms("""
    len(items) > $n
    items
    $n in items
    any($1 > $n for $1 in items)
    all([$1 > $n for $1 in items])
    not items
    len(out) > 2
"""),
    "none": forms("""
    opt is None
    opt is not None
    opt is None or opt > $n
"""),
    "objects": forms("""
    box.n > $n
    box.twice == $n
    isinstance(box, Sub)
    $n in (Level.LOW, Level.HIGH)
    box.level > Level.LOW
"""),
    "text": forms("""
    word == 'no'
    word != $S
"""),
}
SIMPLE = {
    "numbers": forms("""
    $v = $N
    $v = $N
    x = $N
    y = $N
    z = $N
    $u = $F
    $u = $F
    x += $N
    y -= $N
    $u += $F
    $u *= 0.5
    x, y = y, $N
    x, (y, z) = $N, ($n, x)
    p, q = q, $F
    z = x = $N
    assert x < 1000, 'large'
    x = y = $N if $T else $n
"""),
    "arrays": forms("""
    $a = $A
    $a = $A
    $b = $B
    $b = $B
    $a = $a
    a, c = c, a
    b, d = d, b
    c = a
    d = b
    d = a[$k % 3]
    d = b[:]
    c = a[:, ::-1]
    b = a.reshape(12)[:4]
"""),
    "writes": forms("""
    $a[$k % 3] = $B
    $a[:, $k % 4] = $F
    $a[1:, :2] = $A[:2, 2:]
    $a[0] += $B
    $a[$k % 3, $k % 4] = $F
    $b[$k % 4] = $F
    $a += $A
    $b *= 0.5
    $b -= $B
    $b[1:] = $B[:-1]
    $a[$a > $f] = 0.0
    bump($b, $k % 4, $f)
    $a[[0, 2]] = $B
    $a[$k % 3][$k % 4] = $F
    c = a.T.T
    $b[:] = $B
    $a[...] = $A
    bump(a[$k % 3], $k % 4, $f)
"""),
    "methods": forms("""
    np.add($b, $w, out=$b)
    $b.sort()
    $a.fill($f)
    np.multiply($a, $f, $a)
    $a = np.repeat($B[None], 3, axis=0)
    $a.put($c, $f)
    np.copyto($b, $w)
    $b[:] = np.nan_to_num($w)
    np.maximum($a, $f, out=$a[:])
    $a.partition(2)
    np.fill_diagonal($a, $f)
    x = $a.size + $a.ndim
    p = $b.item($c % 4)
    $b = $b.astype($b.dtype)
    $b = $a.ravel()[$c % 4:][:4]
    $b = $a.diagonal()[[0, 1, 2, 0]]
    $b = $a.flatten()[:4]
    $b = $b.clip(-2.0, $f)
    $b = $a.mean(axis=0)
    $b = $a.take([0, 1, 2, 3])
"""),
    "slices": forms("""
    del items[:1]
    items[0:1] = [$N, $n]
    items[1:] = []
    del items[$c:]
    items[:] = $L
    items *= 2
    items = items * 2
    items.clear()
"""),
    "lists": forms("""
    items.append($N)
    items.append($N)
    items += [$N, $n]
    items.extend([$N])
    items.insert(0, $N)
    if items: z = items.pop()
    if len(items) > 1: x = items.pop(0)
    if items: items[$k % len(items)] = $N
    items = $L
    items = [$N, *items]
    out.append($B)
    out.append($B)
    $b = out[-1] + $B
    $b = out[$k % len(out)]
    out[0] = $B
    z = len(items)
    items.sort()
    items.reverse()
    y = sum(items) % 101
    $b = np.stack(out)[0]
    items = [*$L]
    if $n in items: items.remove($v)
"""),
    "objects": forms("""
    box.n = $N
    box.n += $N
    box.m = $F
    box.add($N)
    box = Box($N, $F)
    box = Sub($N) if $T else box
    rec['n'] = $N
    rec['p'] = $F
    rec['n'] += $N
    x = box.n
    q = box.m
    other = box
    other.n = $N
    pair = Pair($N, $n)\\nz = pair.larger()
    box.add($n).add($N)
    t = ($N, $F)\\ny = t[0]
    rec = {**rec, 'n': $N}
    pair.left = $N
    box.level = $N
    box.level += $n\nz = box.level
    x = BOX + $N
    x = int($n == Level.HIGH) + Level.LOW
    box.row = $B\\n$b = box.row * 0.5
    setattr(box, 'n', $N)
    rec.update(n=$N)
    (box.n, box.m) = $N, $F
"""),
    "none": forms("""
    opt = None
    opt = $N
    opt = helper($N)
    if opt is not None: z = opt
    x = $N if opt is None else opt
    opt = opt if $T else None
    opt = None if $T else $n
"""),
    "text": forms("""
    word = $S
    word += $S
    word = 'yes' if $T else word
    word = f'{word}{$n}'
    word = word.upper()
    word = f'{Pair($n, $S)} {$n}'
    word = str([Pair($N, q)])
    word = f'{Point($n, word)!r:>24}|'
    word = str(deque([$n, $F]))
    word = '%s %r' % ({'n': $n}, Pair(float($F)))
    word = f'{float($n) / 7} {0.1 * int($n)!r}'
    word = f'{Money($F):.2f} {Money($n)}'
    word = str(Point(Pair($n), int($n)))
"""),
    "errors": forms("""
    if $T: raise KeyError('key')
    x = 7 // int($n)
    y = int($N) % int($n)
    q = 0.0 / float($n)
    z = 1 << int($n) % 40
    if $T: raise ValueError($n)
    assert $T, 'assert'
    assert $T
    x = helper($N) or 1
    z = items[$k]
    z = items[$n]
    p = b[$n]
    if $T: raise IndexError(f'at {$n}')
    y = items.pop()
    z = items.index($n)
    x = items[$n % 3]
"""),
    "deleted": forms("""
    del z\\nz = $N
    t1 = $N\\nif $T: del t1\\nz = $N
    if $T: late = $N\\nif $T: late = $n\\nz = late
"""),
    "calls": forms("""
    x = apply(lambda v: v + $n, $N)
    z = apply(helper, $n % 5)
    y = depth($N)
    $b = apply(lambda r: r * 0.5, $B)
    x = apply(max, $N, $n)
    q = apply(lambda *r: r[-1], $F, $f)
    z = sum($1 for $1 in range(n))
    x = sum([$1 * $1 for $1 in range(n)]) % 101
    y = max($1 % 7 for $1 in range(3))
    p = sum(b) * 0.25
    x = len([$1 for $1 in b if $1 > $f])
    y = int(sum(map(lambda v: v > $f, b)))
    $b = np.stack([$1 * 0.5 for $1 in b])
    x, y = divmod($N, 5)
    x = int(round(p * 4))
    x = list(range(n))[-1] if n > 0 else 0
    z = sorted([x, y, $n])[1]
    z = min([x, $n], key=lambda v: -v)
    x = [$n, $n, y][$k % 3]
    p, q = max(p, q), min(p, q)
    x = int('7') + $n
"""),
    "recursion": forms("""
    dig($b, $N % 5, $f)
    dig(a[$k % 3], $n % 5, $f)
    x = gather(found, $N % 6)
    tally(count, $N % 4)
    z = order($b, 0, 3)
    y = order(d, $k % 2, 2 + int($T))
    def go(k):\n    nonlocal z\n    z = (z + k) % 101\n    if k > 0 and $t: go(k - 1)\ngo($N % 5)
    def go(k):\n    b[k % 4] = b[(k + 1) % 4] * 0.5\n    return go(k - 1) + 1 if k > 0 else k\nx = go($N % 5)
    def go(k):\n    if k <= 0: return heap\n    heap.append(b[k % 4] + d)\n    return go(k - 2)\nz = len(go($N % 6))
    x = climb(found, 0, $N % 4)
"""),
    "iterators": forms("""
    it = enumerate($B)
    it = zip($B, $B)
    it = enumerate(reversed($B), $n)
    it = zip(range(9), $B)
    it = ((k, v * 0.5) for k, v in zip(range(9), $B))
    it = map(lambda v: (v, v + 1.0), $B)
    it = filter(lambda v: v[1] > 0.5, enumerate($B))
    $u = $u + sum(v for _, v in it) * 0.25
    $v = $v + len(list(it))
    $u = sum([v for _, v in it])
    $u = max((v for _, v in it), default=$f)
    $u = next(it)[1]
    $u = next(it, (0, $f))[1]
    $u = [*it, (0, $f)][0][1]
    $v = len([v for _, v in it if v > $f])
    x = int(any(v > $f for _, v in it))
    for _, $1 in it:\n    $u = $u + $1
    for _, $1 in it:\n    if $1 > $f:\n        break\n    $v = $v + 1
    for _, $1 in it:\n    $u = $1 + next(it, (0, 0.5))[1]
    $v = len(list(zip(it, it)))
    $u = sum(r[1] for _, r in enumerate(it))
    other = it
    $v = len(list(other)) if $t else $n
"""),
}
RARE = ("methods", "slices")  # what is refused often
TOPICS = [topic for topic in SIMPLE if topic not in RARE]
START = {
    "": ("x, y, z, p, q = n, m, n - m, 0.5, b[0] * 0.5", "x, y, z, p, q"),
    "arrays": ("c, d = a * 0.5, b + 1.0", "a, b, c, d"),
    "lists": ("items, out = [n, m], [b * 1.0]", "items, out"),
    "objects": ("box, rec, pair = Box(n), {'n': m, 'p': 0.25}, Pair(n, m)", "box.n, box.m, rec, pair.left"),
    "none": ("opt = None", "opt"),
    "recursion": ("found, heap, count = [n], [b * 1.0], Box(n)", "found, heap, count.n, count.m"),
    "text": ("word = 'ab'", "word"),
    "iterators": ("it = other = enumerate(b)", "len(list(it))"),
}
