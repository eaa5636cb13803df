"""Stands in for the wait strategy that the recipe uses."""

import time
import urllib.error
import urllib.request


class HttpWaitStrategy:
    def __init__(self, port, path="/"):
        self.port, self.path, self.code = port, path, 200

    def for_status_code(self, code):
        self.code = code
        return self

    def wait_until_ready(self, container):
        url = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(self.port)}{self.path}"
        deadline = time.monotonic() + 30
        while True:
            try:
                with urllib.request.urlopen(url, timeout=5) as answer:
                    if answer.status == self.code:
                        return
            except urllib.error.URLError:
                assert time.monotonic() < deadline, f"{url} is not ready"
            time.sleep(0.05)
