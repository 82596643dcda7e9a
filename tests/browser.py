"""Chromium without a window, spoken to over the two pipes that it offers to debuggers."""

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from pathlib import Path

ARGUMENTS = """--headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-extensions
--disable-dev-shm-usage --remote-debugging-pipe about:blank""".split()
# The browser reads from number 3 and writes to number 4. What it is given may have these numbers already.
START = """import fcntl, os, sys
ends = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execvp(sys.argv[3], sys.argv[3:])"""


class Browser:
    """One page: `open` an address, `run` JavaScript in it, wait `until` some is true, take a `picture`."""

    def __init__(self, program, profile):
        read, self._write = os.pipe()
        self._read, write = os.pipe()
        command = [sys.executable, "-c", START, str(read), str(write), program, f"--user-data-dir={profile}"]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen([*command, *ARGUMENTS], pass_fds=(read, write), **quiet)
        os.close(read)
        os.close(write)
        self._buffer, self._number, self._session = b"", 0, None
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.send("Page.enable")

    def send(self, method, timeout=60, **parameters):
        """Ask for something; what comes back."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while True:
            answer = self._message(end)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _message(self, end):
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self._read, 1 << 16)
            assert part, "the browser has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def open(self, address):
        self.send("Page.navigate", url=address)

    def run(self, code):
        """The value of an expression of JavaScript, in the page."""
        answer = self.send("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, code, seconds=90):
        """Wait for an expression to be true, and give its value."""
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(AssertionError):  # the page may not be there yet
                value = self.run(code)
                if value:
                    return value
            assert time.monotonic() < end, (
                f"{code} has not come true; the page says:\n{self.run('document.body.innerText')}"
            )
            time.sleep(0.1)

    def press(self, key, code=0, modifiers=0, text=""):
        """A key, down and up; with Alt (1), Ctrl (2), Shift (8)."""
        key = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers, "text": text}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **key)
        self.send("Input.dispatchKeyEvent", type="keyUp", **{**key, "text": ""})

    def picture(self, path, width=1500, height=900, dark=False):
        """Write what the page looks like to a file."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        time.sleep(0.3)
        Path(path).write_bytes(b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self._process.terminate()
        self._process.wait(30)
        os.close(self._read)
        os.close(self._write)


@contextlib.contextmanager
def browser(program):
    """A browser with an empty profile of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        made = Browser(program, profile)
        try:
            yield made
        finally:
            made.close()
