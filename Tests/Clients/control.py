"""One request to the control API, without a library."""

import json
import urllib.error
import urllib.request

from simulator import PATIENCE


def call(method, url, body=None):
    """Its status and what its body says; None where there is none."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
