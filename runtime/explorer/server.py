"""The page over HTTP, made anew at each request, so that reloading shows what has been edited."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from runtime.explorer.data import Error, Page
from runtime.explorer.exploration import Exploration
from runtime.explorer.loading import NoFunctionError, in_user_lines


def server(explored: Callable[[], Exploration], name: str, port: int) -> ThreadingHTTPServer:
    """A server on this machine's own address that shows what `explored` gives, or the error that it raises.

    It has to be started (``serve_forever``) and closed. Raises OSError where the port is taken; 0 is any that is free.
    """

    one_at_a_time = threading.Lock()  # running a file changes what is imported

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.partition("?")[0] != "/":
                self.send_error(404)
                return
            if self.headers.get("Host", "").rpartition(":")[0] not in ("127.0.0.1", "localhost"):
                self.send_error(403)  # another site's page that asks under its own name
                return
            try:
                with one_at_a_time:
                    made = explored()
            except NoFunctionError as error:
                made = Exploration(Page(name, "", error=Error(str(error), [])))
            except (Exception, SystemExit) as error:  # of the user's file, which may well be half written
                made = Exploration(Page(name, "", error=Error(in_user_lines(error), [])))
            body = made.html.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: what is asked for is on the screen."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)
