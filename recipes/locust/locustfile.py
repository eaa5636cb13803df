"""A load test over HTTP/2 with locust: each user is a provider with a connection and a provider token of its own.

    apnsim exec -- locust -f locustfile.py --headless --users 4 --spawn-rate 4 --run-time 10s --stop-timeout 5s --only-summary

With --stop-timeout pushes that are under way at the end get their answers. Needs locust, httpx[http2] and PyJWT[crypto]; where the simulator is, apnsim exec says in the environment. Put your own
provider in the place of Provider. Afterwards the simulator's own counts are compared with locust's: a request that one of
them does not know of fails the run.
"""

import logging
import os
import ssl
import time
import urllib.request

import gevent
import httpx
import jwt
from locust import User, constant_throughput, events, task

ENV = os.environ
URL = f"https://{ENV['APNSIM_HOST']}:{ENV['APNSIM_HTTP2_PORT']}"
logging.getLogger("httpx").setLevel(logging.WARNING)  # it has a line for each request otherwise
PUSHES_PER_SECOND = float(ENV.get("PUSHES_PER_SECOND", "50"))  # of each user


def provider_token():
    """A token of now; one serves all users for 20 to 60 minutes."""
    with open(ENV["APNSIM_AUTH_KEY"], encoding="utf-8") as key:
        return jwt.encode(
            {"iss": ENV["APNSIM_TEAM_ID"], "iat": int(time.time())}, key.read(),
            algorithm="ES256", headers={"kid": ENV["APNSIM_KEY_ID"]})


TOKEN = provider_token()


class Provider(User):
    """Pushes to its own devices at a steady rate."""

    wait_time = constant_throughput(PUSHES_PER_SECOND)
    number = 0
    cut = 0  # requests that locust ended with their user

    def on_start(self):
        Provider.number += 1
        self.device = f"{Provider.number:064x}"
        context = ssl.create_default_context(cafile=ENV["APNSIM_CA_FILE"])
        self.client = httpx.Client(http1=False, http2=True, base_url=URL, verify=context)

    def on_stop(self):
        self.client.close()

    @task
    def push(self):
        start = time.perf_counter()
        answer, failure = None, None
        try:
            answer = self.client.post(
                f"/3/device/{self.device}", json={"aps": {"alert": "hi"}},
                headers={"authorization": f"bearer {TOKEN}", "apns-topic": "com.example.app",
                         "apns-push-type": "alert"})
            if answer.status_code != 200:
                failure = RuntimeError(answer.text)
        except httpx.HTTPError as error:
            failure = error
        except gevent.GreenletExit:
            Provider.cut += 1
            raise
        self.environment.events.request.fire(
            request_type="push", name="/3/device", response_length=len(answer.content) if answer else 0,
            response_time=(time.perf_counter() - start) * 1000, exception=failure)


def count(name):
    """The sum of a counter of GET /metrics over its labels."""
    with urllib.request.urlopen(f"{ENV['APNSIM_CONTROL_URL']}/api/v1/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return sum(int(line.split()[-1]) for line in lines if line.split("{")[0].split(" ")[0] == name)


@events.test_stop.add_listener
def compare(environment, **_):
    stats = environment.stats.total
    received, answered = count("apnsim_requests_received_total"), count("apnsim_request_answers_total")
    print(f"locust counted {stats.num_requests} requests, {stats.num_failures} failures, and cut {Provider.cut} off; "
          f"apnsim received {received} and answered {answered}")
    if not 0 < stats.num_requests <= received <= stats.num_requests + Provider.cut:
        environment.process_exit_code = 1
