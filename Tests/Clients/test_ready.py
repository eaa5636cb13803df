"""`apnsim ready` beside servers that are none of ours."""

import contextlib
import http.server
import threading

import pytest

from simulator import PATIENCE, apnsim


@contextlib.contextmanager
def answering(status, body):
    """A server of another kind; yields its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("status, body", [
    (200, b""), (200, b"[]"), (200, b"{}"), (200, b'{"ok":"yes"}'), (204, b""), (200, b"<html>"), (200, b"1" * 400),
], ids=["empty", "list", "object", "word", "no content", "page", "number"])
def test_another_server_is_not_ready_for_answering_200(status, body):
    with answering(status, body) as address:
        run = apnsim("ready", "--timeout", f"{PATIENCE}s", "--control", address, check=False)
    assert run.returncode == 2, run
    assert "is it an apnsim control API?" in run.stderr
    assert run.stdout == ""
