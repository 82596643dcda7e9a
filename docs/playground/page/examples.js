// Code to begin with. What a code ends with decides what the graph is made for.

export const EXAMPLES = [
  { name: "collatz", title: "A loop and a branch", code: `def collatz(n):
    """How many steps lead from n to 1."""
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


collatz(97)
` },
  { name: "root", title: "NumPy: Newton's method", code: `import numpy as np


def root(x):
    """The square root of x."""
    guess = x
    while np.abs(guess * guess - x) > 1e-9:
        guess = (guess + x / guess) / 2
    return guess


root(2.0)
` },
  { name: "first", title: "An early return", code: `def first_above(items, limit):
    """Where the first item above the limit stands, or -1."""
    for i, item in enumerate(items):
        if item > limit:
            return i
    return -1


first_above([3.0, 1.0, 4.0, 1.0, 5.0], 3.5)
` },
  { name: "primes", title: "A list that grows", code: `def first_primes(n):
    """The first n primes."""
    found = []
    candidate = 2
    while len(found) < n:
        for p in found:
            if candidate % p == 0:
                break
        else:
            found.append(candidate)
        candidate += 1
    return found


first_primes(10)
` },
  { name: "quicksort", title: "A function that calls itself", code: `def quicksort(items):
    if len(items) <= 1:
        return items
    pivot = items[0]
    smaller = [x for x in items[1:] if x < pivot]
    larger = [x for x in items[1:] if x >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(larger)


def sort(array):
    return quicksort([x for x in array])


sort([3, 1, 4, 1, 5, 9, 2, 6])
` },
  { name: "match", title: "match, and what is raised", code: `def grade(points):
    # Each case is a branch of the graph, and so is what is raised.
    match points // 10:
        case 9 | 10:
            mark = 1
        case 7 | 8:
            mark = 2
        case other if other >= 0:
            mark = 3
        case _:
            raise ValueError(f"{points} points are too few")
    return mark


grade(85)
` },
  { name: "object", title: "State in an object", code: `class Account:
    def __init__(self):
        self.balance = 0.0
        self.refused = 0

    def withdraw(self, amount):
        if amount > self.balance:
            self.refused += 1
        else:
            self.balance -= amount


def month(deposit, rents):
    account = Account()
    account.balance += deposit
    for rent in rents:
        account.withdraw(rent)
    return account.balance, account.refused


month(1000.0, [400.0, 500.0, 450.0, 80.0])
` },
  { name: "python", title: "What stays Python", code: `def halvings(n):
    # This loop stays Python: go to its line to see why.
    while n > 1:
        n = n // 2
        yield n


def count(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


count(10)
` },
];
