"""Processes that run programs: a crash or a hang is laid to the program that was running, and the process replaced."""

from __future__ import annotations

import itertools
import json
import os
import select
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

LIMIT = 30.0  # seconds a program may take among others
LONG = 10 * LIMIT  # and by itself: only what takes longer hangs, however slow and busy the machine
IMPORTS = 20.0  # seconds that a process has to start in
LIFE = 400  # programs a process runs before another takes its place
CHECKED = "AUTOGRAPH_NATIVE_CHECKED"  # in every fourth process native code looks at each access to memory
ROOT = Path(__file__).parent.parent.parent


class Worker:
    """One process, and what it has been asked and not answered yet."""

    def __init__(self, checked=False, limit=None):
        self.limit = limit or LIMIT
        self.checked = checked or os.environ.get(CHECKED, "0") not in ("", "0")
        self.errors = tempfile.TemporaryFile()
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        environment = os.environ | {
            "AUTOGRAPH_FULL_TRACEBACK": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
            CHECKED: str(int(self.checked)), "PYTHONPATH": path,
        }  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker"], cwd=ROOT, env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
        )  # fmt: skip
        os.set_blocking(self.process.stdout.fileno(), False)
        self.asked = deque()
        self.buffer = b""
        self.started = False
        self.since = time.monotonic() + IMPORTS
        self.done = 0

    def ask(self, request):
        if not self.asked:
            self.since = max(self.since, time.monotonic())
        self.asked.append(request)
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has died: its output ends

    def answers(self):
        """What it has answered; None in the end if it has died."""
        try:
            data = self.process.stdout.read()
        except BlockingIOError:
            data = None
        ended = data == b""
        self.buffer += data or b""
        *lines, self.buffer = self.buffer.split(b"\n")
        found = []
        for line in lines:
            if not self.started:  # the first line says that it is ready
                self.started, self.since = True, time.monotonic()
                continue
            found.append((self.asked.popleft(), json.loads(line) | {"checked": self.checked}))
            self.since = time.monotonic()
            self.done += 1
        return found, ended

    def late(self):
        return bool(self.asked) and time.monotonic() - self.since > self.limit

    def end(self, wait=0.0):
        """Stop the process; returns what it wrote to standard error."""
        if wait:
            self.process.send_signal(signal.SIGUSR1)  # says where it hangs
            time.sleep(wait)
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace")
        self.errors.close()
        return text[-4000:]


def run(requests, jobs, deadline=None):
    """Answers to the requests of an iterator, with their requests, as they come."""
    requests = iter(requests)
    waiting = deque()
    workers = []
    selector = selectors.DefaultSelector()
    numbers = itertools.count()

    def start():
        worker = Worker(checked=next(numbers) % 4 == 3)
        workers.append(worker)
        selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
        return worker

    def stop(worker):
        selector.unregister(worker.process.stdout)
        workers.remove(worker)
        return worker.end()

    def feed(worker):
        while len(worker.asked) < 4 and worker.done + len(worker.asked) < LIFE:
            request = waiting.popleft() if waiting else None
            if request is None and (deadline is None or time.monotonic() < deadline):
                request = next(requests, None)
            if request is None:
                return
            worker.ask(request)

    try:
        for _ in range(jobs):
            feed(start())
        while any(w.asked for w in workers):
            for key, _ in selector.select(timeout=1.0):
                worker = key.data
                found, ended = worker.answers()
                yield from found
                if ended:
                    asked = list(worker.asked)
                    text = stop(worker)
                    if asked:
                        code = worker.process.returncode
                        yield asked[0], {"crash": _signal(code), "trace": text, **_kept(asked[0], worker)}
                        waiting.extend(asked[1:])
                    feed(start())
                elif worker.done >= LIFE and not worker.asked:
                    stop(worker)
                    feed(start())
                else:
                    feed(worker)
            for worker in [w for w in workers if w.late()]:
                asked = list(worker.asked)
                stop(worker)
                yield asked[0], {"checked": worker.checked} | alone(asked[0], worker.checked)
                waiting.extend(asked[1:])
                feed(start())
    finally:
        for worker in [*workers]:
            stop(worker)


def alone(request, checked):
    """The answer to a program that was late: from a process of its own, which has much more time."""
    ask = Asker(checked, LONG)
    try:
        return ask(request)
    finally:
        ask.end()


def _kept(request, worker):
    return {"number": request["number"], "seconds": worker.limit, "checked": worker.checked}


def _signal(code):
    return signal.Signals(-code).name if code and code < 0 else f"exit {code}"


class Asker:
    """A process that is asked one thing at a time."""

    def __init__(self, checked=False, limit=None):
        self.worker, self.checked, self.limit = None, checked, limit

    def __call__(self, request):
        if self.worker is None:
            self.worker = Worker(self.checked, self.limit)
        self.worker.ask(request)
        while True:
            found, ended = self.worker.answers()
            if found:
                return found[0][1]
            if ended or self.worker.late():
                worker, self.worker = self.worker, None
                text = worker.end(0.0 if ended else 0.3)
                crash = _signal(worker.process.returncode) if ended else "hang"
                return {"crash": crash, "trace": text, **_kept(request, worker)}
            select.select([self.worker.process.stdout], [], [], 0.5)

    def end(self):
        if self.worker is not None:
            self.worker.end()
