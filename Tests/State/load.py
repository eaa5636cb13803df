"""Providers, a device, a reader of feedback and an operator, each a thread, until their simulator is gone."""

import http.client
import json
import ssl
import threading
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions

import frames
from simulator import PATIENCE, TOPIC, token

DEVICES = 6
REFUSED = "41504e53494d" "e008" + "00" * 24  # a magic token: status 8
WINDOW = 20  # requests that are open at once

# The errors that a thread meets when the process at the other end is gone.
GONE = (OSError, ssl.SSLError, EOFError, ValueError, http.client.HTTPException, h2.exceptions.ProtocolError)


def gone_token(number):
    """A magic token whose app is gone: accepted, and then on the feedback list."""
    return "41504e53494d" "fb00" + f"{number:048x}"


def scenario():
    """Offline devices for either interface, and a rule that counts."""
    def offline(number):
        app = {"topic": TOPIC, "environment": "production", "token": token(number)}
        return {"apps": [app], "online": False}

    devices = {f"b{number}": offline(1000 + number) for number in range(DEVICES)}
    devices |= {f"h{number}": offline(2000 + number) for number in range(DEVICES)}
    return {
        "version": 1, "name": "killed again and again", "devices": devices,
        "rules": [{"name": "counted", "when": {"payload": {"counted": True}}, "reply": "Unregistered"}],
    }


class Worker(threading.Thread):
    """Works until it is told to stop or its simulator is gone; anything else that goes wrong is kept."""

    def __init__(self, simulator, ledger, rng, isVirtual=False):
        super().__init__(daemon=True)
        self.simulator, self.ledger, self.rng, self.is_virtual = simulator, ledger, rng, isVirtual
        self.stopped, self.wrong = threading.Event(), None

    def run(self):
        while not self.stopped.is_set():
            try:
                self.work()
            except GONE as error:
                # A fault of its own would go on while the simulator is there.
                if self.simulator.process.poll() is not None or self.stopped.is_set():
                    return
                self.wrong = error
                time.sleep(0.01)
            except AssertionError as error:
                self.wrong = error
                return


class Frames(Worker):
    """A provider of the binary interface: bursts that end with a bad one, so that all before it is answered for."""

    number = 0

    def work(self):
        with self.simulator.connect(self.simulator.gateway, self.simulator.provider_context) as connection:
            data, sent, listed = b"", [], set()
            for _ in range(self.rng.randint(1, 25)):
                Frames.number += 1
                number = Frames.number
                if self.rng.random() < 0.1:
                    data += frames.enhanced(number, gone_token(number))
                    sent.append((number, None))
                    listed.add(gone_token(number))
                else:
                    device = self.rng.randrange(DEVICES)
                    payload = json.dumps({"aps": {"alert": "b"}, "n": number}).encode()
                    data += frames.enhanced(number, token(1000 + device), payload)
                    sent.append((number, f"b{device}"))
            Frames.number += 1
            bad = Frames.number
            with self.ledger.lock:
                for number, device in sent:
                    if device:
                        self.ledger.sent[device] = number
            connection.sendall(data + frames.enhanced(bad, REFUSED))
            answer = b""
            while len(answer) < 6:
                chunk = connection.recv(6 - len(answer))
                if not chunk:
                    raise EOFError
                answer += chunk
            assert answer == frames.error_response(8, bad), answer
            with self.ledger.lock:
                for number, device in sent:
                    self.ledger.identifiers.add(f"{number:08x}")
                    if device:
                        self.ledger.answered[device] = number
                self.ledger.listed |= listed


class Requests(Worker):
    """A provider over HTTP/2 with some requests open at once."""

    number = 0
    # The token of the device that connects, once it is known.
    connected = None

    def work(self):
        with self.simulator.connect(self.simulator.http2, self.simulator.request_context) as socket:
            connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
            connection.initiate_connection()
            open_streams = {}
            while not self.stopped.is_set():
                while len(open_streams) < WINDOW and self.push(connection, open_streams):
                    pass
                socket.sendall(connection.data_to_send())
                data = socket.recv(65536)
                if not data:
                    raise EOFError
                for event in connection.receive_data(data):
                    self.take(connection, event, open_streams)

    def push(self, connection, open_streams):
        Requests.number += 1
        number, chance = Requests.number, self.rng.random()
        payload, device = {"aps": {"alert": "h"}, "n": number}, f"h{self.rng.randrange(DEVICES)}"
        to = token(2000 + int(device[1:]))
        if chance < 0.1:
            payload["counted"], device, to = True, "counted", token(3000)
        elif chance < 0.15 and Requests.connected:
            device, to = None, Requests.connected
        body = json.dumps(payload).encode()
        stream = connection.get_next_available_stream_id()
        if connection.outbound_flow_control_window < 2 * len(body):
            return False
        with self.ledger.lock:
            if device == "counted":
                self.ledger.counted_sent += 1
            elif device:
                self.ledger.sent[device] = number
        connection.send_headers(stream, [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", f"/3/device/{to}"),
            ("apns-topic", TOPIC), ("apns-push-type", "alert")])
        connection.send_data(stream, body, end_stream=True)
        open_streams[stream] = (device, number)
        return True

    def take(self, connection, event, open_streams):
        if isinstance(event, h2.events.DataReceived):
            connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.ResponseReceived):
            headers, (device, number) = dict(event.headers), open_streams[event.stream_id]
            if headers[":status"] == "503" and self.simulator.is_ending:
                raise EOFError
            assert headers[":status"] == ("410" if device == "counted" else "200"), headers
            with self.ledger.lock:
                self.ledger.apns_ids.add(headers["apns-id"].lower())
                if device == "counted":
                    self.ledger.counted_answered += 1
                elif device:
                    self.ledger.answered[device] = max(self.ledger.answered[device], number)
        elif isinstance(event, h2.events.StreamEnded):
            del open_streams[event.stream_id]
        elif isinstance(event, h2.events.ConnectionTerminated):
            raise EOFError


class Operator(Worker):
    """Somebody at the control API: devices, tuples, snapshots, and a virtual clock."""

    number = 0

    def work(self):
        chance = self.rng.random()
        if chance < 0.5:
            self.change(f"c{self.rng.randrange(DEVICES)}")
        elif chance < 0.9:
            Operator.number += 1
            listed = token(0xFEED << 64 | Operator.number)
            assert self.call("POST", "/feedback", {"topic": TOPIC, "token": listed}) == 204
            with self.ledger.lock:
                self.ledger.listed.add(listed)
        elif chance < 0.93:
            assert self.call("POST", "/state/snapshot") == 200
        elif self.is_virtual:
            self.advance(self.rng.randint(1, 90))

    def change(self, device):
        online = None if self.rng.random() < 0.2 else self.rng.random() < 0.5
        known = self.ledger.devices.get(device)
        if online is None and known is None:
            return
        self.ledger.uncertain.add(device)
        if online is None:
            assert self.call("DELETE", f"/devices/{device}") == 204
        else:
            assert self.call("PUT", f"/devices/{device}", {"apps": [TOPIC], "online": online}) in (200, 201)
        self.ledger.devices[device] = online
        self.ledger.uncertain.discard(device)

    def advance(self, seconds):
        self.ledger.later = seconds
        status, clock = self.simulator.call("POST", "/clock/advance", {"by": f"{seconds}s"})
        if status == 503 and self.simulator.is_ending:
            raise EOFError
        assert status == 200, clock
        self.ledger.clock, self.ledger.later = clock["now"], None

    def call(self, method, path, body=None):
        status = self.simulator.call(method, path, body)[0]
        if status == 503 and self.simulator.is_ending:
            raise EOFError
        return status


class Reader(Worker):
    """Reads the feedback service again and again."""

    def work(self):
        self.stopped.wait(self.rng.uniform(0, 0.1))
        received, whole = b"", False
        try:
            with self.simulator.connect(self.simulator.feedback, self.simulator.provider_context) as connection:
                while chunk := connection.recv(65536):
                    received += chunk
                whole = True
        finally:
            received = received[:len(received) // 38 * 38]
            tokens = {found for found, _ in frames.feedback_tuples(received)}
            with self.ledger.lock:
                self.ledger.perhaps_read |= tokens
                if whole:
                    self.ledger.read |= tokens


class Phone(Worker):
    """The device that connects, and shows what comes."""

    def work(self):
        with self.simulator.connect(self.simulator.device, self.simulator.device_context) as connection:
            connection.sendall(json.dumps({"apps": [TOPIC]}).encode() + b"\n")
            rest = b""
            while not self.stopped.is_set():
                chunk = connection.recv(65536)
                if not chunk:
                    raise EOFError
                *lines, rest = (rest + chunk).split(b"\n")
                for line in map(json.loads, lines):
                    if "tokens" in line:
                        Requests.connected = line["tokens"][0]["token"]
                        self.ledger.phone = line["device"]
                    elif "notification" in line:
                        self.ledger.received.append(line["notification"]["id"])


def begin(simulator, ledger, rng, is_virtual):
    """Starts one of each."""
    workers = [
        kind(simulator, ledger, type(rng)(rng.random()), is_virtual)
        for kind in (Frames, Requests, Operator, Reader, Phone)]
    for worker in workers:
        worker.start()
    return workers


def end(workers):
    """Waits for their end; the simulator is gone, or going."""
    for worker in workers:
        worker.stopped.set()
    for worker in workers:
        worker.join(PATIENCE)
        assert not worker.is_alive(), f"{type(worker).__name__} does not end"
    for worker in workers:
        if isinstance(worker.wrong, AssertionError):
            raise worker.wrong
