"""`python -m tests.fuzz`: programs at random for so many minutes; what fails is made small and printed."""

from __future__ import annotations

import argparse
import itertools
import json
import secrets
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

from tests.fuzz import pool
from tests.fuzz.programs import kind_of
from tests.fuzz.shrink import shrink

KNOWN = Path(__file__).with_name("known.txt")
NAMES = {
    "a": "plain programs",
    "b": "staged programs",
    "c": "graphs of operations",
    "d": "programs on NumPy",
    "e": "lists of lists",
}


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--count", type=int, default=None, help="end after so many programs")
    parser.add_argument("--seed", default=None, help="the same seed gives the same programs")
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--kind", default="a,b,c,d,e", help="; ".join(f"{k}: {v}" for k, v in NAMES.items()))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--program", metavar="SEED:NUMBER", help="run one program, and print it")
    parser.add_argument("--checked", action="store_true", help="with --program: native code looks at each access")
    parser.add_argument("--log", help="a file to which failures are appended, as lines of JSON")
    parser.add_argument("--shrink", type=float, default=30.0, help="seconds for making each failure smaller")
    parser.add_argument("--most", type=int, default=20, help="how many kinds of failure are made smaller and printed")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")  # of what becomes of programs while they are made smaller
    if options.program:
        return one(options)
    seed = options.seed or secrets.token_hex(4)
    print(f"seed {seed}", flush=True)
    kinds = options.kind.split(",")
    numbers = (n for n in itertools.count(options.start) if kind_of(n) in kinds)
    numbers = itertools.islice(numbers, options.count)
    return report(seed, *collect(seed, numbers, options), options)


def collect(seed, numbers, options):
    """Run the programs; failures by their kind, and what else is to be counted."""
    start = time.monotonic()
    found, counts, refusals = {}, Counter(), Counter()
    requests = ({"seed": seed, "number": n} for n in numbers)
    for request, answer in pool.run(requests, options.jobs, start + 60 * options.minutes):
        kind = kind_of(request["number"])
        counts[kind] += 1
        counts["seconds " + kind] += answer["seconds"]
        counts["not run " + kind] += not answer.get("ran", True)
        refusals.update({f"{kind} {r}" for r in answer.get("refusals", ())})
        for what in failures(answer)[:1]:
            found.setdefault(f"{kind} {what}", []).append((request, answer))
            if options.log:
                with open(options.log, "a", encoding="utf-8") as file:
                    file.write(json.dumps({"seed": seed, "what": what, **answer}) + "\n")
    counts["all seconds"] = time.monotonic() - start
    return found, counts, refusals


def known():
    """Programs that are known to fail, by seed and number: faults that are still open."""
    rows = [line.partition("#") for line in KNOWN.read_text(encoding="utf-8").splitlines()]
    return {place.strip(): what.strip() for place, _, what in rows if place.strip()}


def failures(answer):
    """The kinds of failure in an answer."""
    if "crash" in answer:
        return [f"crash: {answer['crash']}"]
    if "error" in answer:
        return [f"error of the fuzzer: {answer['error'][:80]}"]
    return [f["what"] for f in answer["failures"]]


def report(seed, found, counts, refusals, options):
    open_ones = known()
    for what, cases in list(found.items()):
        for request, _ in cases:
            if (place := f"{seed}:{request['number']}") in open_ones:
                print(f"known to fail: {place} ({what}): {open_ones[place]}")
        found[what] = [case for case in cases if f"{seed}:{case[0]['number']}" not in open_ones]
    found = {what: cases for what, cases in found.items() if cases}
    for number, (what, cases) in enumerate(sorted(found.items(), key=lambda item: -len(item[1]))):
        request, answer = min(cases, key=lambda case: len(case[1].get("text") or "") or 9999)
        print(f"\n{'=' * 100}\n{what}\n{len(cases)} times; python -m tests.fuzz --program {seed}:{request['number']}")
        if answer["checked"]:
            print("(native code looked at each access to memory: add --checked)")
        if number < options.most:
            ask = pool.Asker(answer["checked"])
            tell(ask, request, answer, what[2:], options.shrink)
            ask.end()
    print()
    for kind, name in NAMES.items():
        if counts[kind]:
            each = counts["seconds " + kind] / counts[kind] * 1000
            print(
                f"{counts[kind]} {name}, {counts['not run ' + kind]} without a result: {each:.1f} ms of processor each"
            )
    for text, count in refusals.most_common(25):
        print(f"  refused {count:5}  {text}")
    total = sum(map(len, found.values()))
    speed = sum(counts[k] for k in NAMES) / max(counts["all seconds"], 1e-9)
    print(f"seed {seed}: {speed:.1f} programs a second; {total} failed, of {len(found)} kinds")
    return 1 if found else 0


def tell(ask, request, answer, what, seconds):
    """Print the smallest program found that fails like this one."""
    text = answer.get("text")
    if text is None:
        from tests.fuzz import programs

        text = programs.write(request["seed"], request["number"])

    def fails(smaller):
        return what in failures(ask({**request, "text": smaller}))

    if "error" not in answer:
        if seconds and fails(text):
            text = shrink(text, fails, seconds)
            answer = ask({**request, "text": text})
        elif seconds:
            print("(not when it is run alone)")
    print(f"\n{text}")
    show(answer)


def show(answer):
    for failure in answer.get("failures", ()):
        print(f"{failure['what']}\n    expected {failure['expected'][:700]}\n    got      {failure['got'][:700]}")
    if "error" in answer or "crash" in answer:
        print(answer.get("crash", ""), answer.get("trace", "")[-2500:])


def one(options):
    """Run a single program in all its forms."""
    from tests.fuzz import programs

    seed, _, number = options.program.rpartition(":")
    request = {"seed": seed, "number": int(number)}
    text = programs.write(seed, int(number))
    ask = pool.Asker(options.checked, pool.LONG)
    answer = ask(request)
    print(text)
    show(answer)
    for refusal in answer.get("refusals", ()):
        print("refused:", refusal)
    if options.shrink and failures(answer):
        print("made smaller:")
        tell(ask, request, answer, failures(answer)[0], options.shrink)
    ask.end()
    return 1 if failures(answer) else 0


if __name__ == "__main__":
    sys.exit(main())
