"""A process that runs programs: requests come in as lines of JSON, what became of them goes out the same way."""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import resource
import signal
import sys
import time
import traceback
import warnings

MEMORY = 6 << 30  # bytes of address space: a program that wants more is not worth the machine


def main():
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # do not outlive who asks
    from tests.fuzz import programs

    out.write("ready\n")
    for line in sys.stdin:
        request = json.loads(line)
        start = time.process_time()
        try:
            kind = programs.kind_of(request["number"])
            text = request.get("text")
            if text is None:
                text = programs.write(request["seed"], request["number"])
            found = programs.check(kind, text, request["seed"], request["number"], request.get("thorough", False))
        except BaseException as error:  # the fuzzer's own fault, or that of a program that does not compile
            found = {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
            if isinstance(error, KeyboardInterrupt):
                raise
        found |= {"number": request["number"], "seconds": time.process_time() - start}
        if found.get("failures") or found.get("error"):
            found["text"] = text
        out.write(json.dumps(found, default=str) + "\n")


if __name__ == "__main__":
    main()
