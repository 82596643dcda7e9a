"""Games and simulations."""

import random

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def minimax(board, player):
    """The best score that a player can reach, and the move."""
    won = winner(board)
    if won:
        return (1 if won == player else -1), None
    if " " not in board:
        return 0, None
    best = -2, None
    for move, cell in enumerate(board):
        if cell == " ":
            score = -minimax(board[:move] + player + board[move + 1 :], "xo"[player == "x"])[0]
            if score > best[0]:
                best = score, move
    return best


def life(alive):
    """The next generation of Conway's game of life."""
    counts = {}
    for x, y in alive:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    counts[x + dx, y + dy] = counts.get((x + dx, y + dy), 0) + 1
    return {cell for cell, n in counts.items() if n == 3 or (n == 2 and cell in alive)}


def bowling(rolls):
    score = place = 0
    for _frame in range(10):
        if rolls[place] == 10:
            score += 10 + rolls[place + 1] + rolls[place + 2]
            place += 1
            continue
        pair = rolls[place] + rolls[place + 1]
        score += pair + rolls[place + 2] if pair == 10 else pair
        place += 2
    return score


def guess_number(secret, low=1, high=100):
    tries = 0
    while True:
        tries += 1
        guess = (low + high) // 2
        if guess == secret:
            return tries
        if guess < secret:
            low = guess + 1
        else:
            high = guess - 1


def roll(dice, seed=None):
    """``3d6+2``: the sum of some dice."""
    generator = random.Random(seed)
    count, _, rest = dice.partition("d")
    sides, sign, bonus = rest.partition("+")
    total = sum(generator.randint(1, int(sides)) for _ in range(int(count or 1)))
    return total + int(bonus) if sign else total


def queens(size, placed=()):
    if len(placed) == size:
        return 1
    found = 0
    for column in range(size):
        if all(column != c and abs(column - c) != len(placed) - r for r, c in enumerate(placed)):
            found += queens(size, (*placed, column))
    return found


def walk(steps, x=0, y=0):
    direction = 0
    for turn, length in steps:
        direction = (direction + (1 if turn == "R" else -1)) % 4
        if direction == 0:
            y += length
        elif direction == 1:
            x += length
        elif direction == 2:
            y -= length
        else:
            x -= length
    return abs(x) + abs(y)


CALLS = {
    "winner": [("xxx o oo ",), (" " * 9,)],
    "minimax": [("xx oo    ", "x"), ("xoxxoxoxo", "o")],
    "life": [({(0, 0), (1, 0), (2, 0)},)],
    "bowling": [([10] * 12,), ([5] * 21,), ([1] * 20,)],
    "guess_number": [(50,), (1,), (73,)],
    "roll": [("3d6+2", 1), ("d20", 2)],
    "queens": [(5,)],
    "walk": [([("R", 2), ("L", 3), ("L", 4), ("L", 1)],)],
}
