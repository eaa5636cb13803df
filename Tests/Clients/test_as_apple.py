"""`apnsim exec --as-apple`: programs whose host is built in push to the simulator, and nothing outside is changed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from simulator import BINARY, PATIENCE, token, wait_until

NOBODY = 65534
WATCHED = ["/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl/certs/ca-certificates.crt"]

# Programs as their libraries' documents have them: Apple's names, and no word of a CA.
AIOAPNS = """
import asyncio, os
from aioapns import APNs, NotificationRequest

async def main():
    apns = APNs(key=open(os.environ["APNSIM_AUTH_KEY"]).read(), key_id="ABC123DEFG", team_id="MYTEAM1234",
                topic="com.example.app", use_sandbox=False)
    response = await apns.send_notification(
        NotificationRequest(device_token=os.environ["TOKEN"], message={"aps": {"alert": "hello"}}))
    print(response.status, response.description)

asyncio.run(main())
"""
HTTPX = """
import base64, json, os, sys, httpx

host = sys.argv[1]
part = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
import time
jwt = part({"alg": "ES256", "kid": "ABC123DEFG"}) + "." + part({"iss": "MYTEAM1234", "iat": int(time.time())}) + "." + "A" * 86
with httpx.Client(http2=True) as client:
    answer = client.post(f"https://{host}/3/device/{os.environ['TOKEN']}", json={"aps": {"alert": "hello"}},
                         headers={"authorization": "bearer " + jwt, "apns-topic": "com.example.app"})
    print(answer.status_code, answer.text)
"""
NODE = """
const http2 = require('http2')
const session = http2.connect('https://' + process.argv[1])
session.on('error', error => { console.log(error.message); process.exit(1) })
const part = value => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = [part({alg: 'ES256', kid: 'ABC123DEFG'}), part({iss: 'MYTEAM1234', iat: Math.floor(Date.now() / 1000)}),
  'A'.repeat(86)].join('.')
const request = session.request({':method': 'POST', ':path': '/3/device/' + process.env.TOKEN,
  authorization: 'bearer ' + jwt, 'apns-topic': 'com.example.app'})
request.on('response', headers => { console.log(headers[':status']); session.close() })
request.end('{"aps":{"alert":"hello"}}')
"""
BINARY_FRAME = """
import os, socket, ssl, struct, sys

context = ssl.create_default_context()
provider = os.environ["APNSIM_CERTS"] + "/provider" + ("-sandbox" if ".sandbox." in sys.argv[1] else "")
context.load_cert_chain(provider + ".pem", provider + ".key")
with context.wrap_socket(socket.create_connection((sys.argv[1], 2195)), server_hostname=sys.argv[1]) as gateway:
    payload = b'{"aps":{"alert":"hello"}}'
    gateway.sendall(b"\\0" + struct.pack(">H", 32) + bytes.fromhex(os.environ["TOKEN"]) + struct.pack(">H", len(payload)) + payload)
    gateway.unwrap()
print("sent")
"""


def may(*command):
    """True if this machine lets us do so."""
    return subprocess.run(command, capture_output=True).returncode == 0


def nobody_may(*command):
    """True if a user without rights can run a program, which may be where only we can read."""
    try:
        return subprocess.run(
            command, user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True).returncode == 0
    except PermissionError:
        return False


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to be root and somebody else")
needs_mounts = pytest.mark.skipif(not may("unshare", "--mount", "true") and not may("unshare", "-rmn", "true"),
                                  reason="this machine allows no mounts of one's own")


class AsApple:
    """One way to run commands under `exec --as-apple`."""

    def __init__(self, directory, user=None, prefix=()):
        self.directory, self.user, self.prefix = directory, user, list(prefix)

    def start(self, *command, flags=(), **options):
        environment = {
            "PATH": f"{os.path.dirname(BINARY)}:{os.environ['PATH']}", "HOME": str(self.directory), "TOKEN": token(7),
            "TMPDIR": str(self.directory),
        }
        return subprocess.Popen(
            [*self.prefix, BINARY, "exec", "--as-apple", *flags, "--", *map(str, command)],
            env=environment, user=self.user, group=self.user, extra_groups=None if self.user is None else [],
            cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def run(self, *command, flags=()):
        process = self.start(*command, flags=flags)
        output, errors = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(command, process.returncode, output, errors)


@pytest.fixture(params=["this user", pytest.param("nobody", marks=needs_root)])
def as_apple(request, tmp_path):
    if request.param == "this user":
        yield AsApple(tmp_path)
        return
    if not may("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "unshare", "-rmn", "true"):
        pytest.skip("users may have no namespaces on this machine")
    # The built program may be where only we can read.
    if not nobody_may(BINARY, "--version"):
        pytest.skip("nobody cannot run the built program")
    # The folders of tests are for their user alone.
    with tempfile.TemporaryDirectory(prefix="apnsim-nobody-") as folder:
        os.chown(folder, NOBODY, NOBODY)
        yield AsApple(Path(folder), NOBODY)


def environments(journal):
    """The environment that each connection of providers had, and what became of its notifications."""
    events = [json.loads(line) for line in Path(journal).read_text().splitlines()]
    opened = {event["connection"]: event["provider"]["environment"] for event in events
              if event.get("event") == "connectionOpened"}
    return [(opened[event["connection"]], event["outcome"]) for event in events if event.get("event") == "notification"]


@needs_mounts
@pytest.mark.parametrize("program", ["aioapns", "httpx", "node"])
def test_a_program_for_apples_names_pushes_unchanged(as_apple, program):
    if program != "node":
        pytest.importorskip(program)
        command = [sys.executable, "-c", AIOAPNS if program == "aioapns" else HTTPX]
    elif node := shutil.which("node"):
        command = [node, "-e", NODE]
    else:
        pytest.skip("no node")
    if as_apple.user and not nobody_may(command[0], "--version"):
        pytest.skip(f"nobody cannot run {command[0]}")
    run = as_apple.run(*command, *([] if program == "aioapns" else ["api.push.apple.com"]))
    assert run.stdout.startswith("200"), run
    assert "Apple's names are this simulator for the command" in run.stderr
    assert "the page: http://127." in run.stderr


@needs_mounts
@pytest.mark.parametrize("host, environment", [
    ("api.push.apple.com", "production"), ("api.push.apple.com:2197", "production"),
    ("api.sandbox.push.apple.com", "sandbox"), ("api.development.push.apple.com:2197", "sandbox"),
])
def test_the_name_that_is_asked_for_decides_the_environment(as_apple, host, environment):
    script = ('apnsim certs jwt --certs "$APNSIM_CERTS" > jwt && curl -sS --http2 -o /dev/null -w "%{http_code}\\n" '
              f'-H "authorization: bearer $(cat jwt)" -H "apns-topic: com.example.app" '
              f'-d \'{{"aps":{{"alert":"hello"}}}}\' https://{host}/3/device/$TOKEN && '
              'curl -sS "$APNSIM_CONTROL_URL/api/v1/notifications"')
    run = as_apple.run("sh", "-c", script)
    status, _, answer = run.stdout.partition("\n")
    assert status == "200", run
    assert [push["environment"] for push in json.loads(answer)["notifications"]] == [environment]


@needs_mounts
@pytest.mark.parametrize("host, environment", [
    ("gateway.push.apple.com", "production"), ("gateway.sandbox.push.apple.com", "sandbox")])
def test_the_binary_gateway_is_behind_its_names_too(tmp_path, host, environment):
    simulator = AsApple(tmp_path)
    run = simulator.run(sys.executable, "-c", BINARY_FRAME, host, flags=["--record", "journal.jsonl"])
    assert run.stdout == "sent\n", run
    assert environments(tmp_path / "journal.jsonl") == [(environment, "delivered")]


@needs_mounts
def test_other_cas_stay_trusted(as_apple):
    count = "python3 -c 'import ssl; c = ssl.create_default_context(); c.load_default_certs(); print(len(c.get_ca_certs()))'"
    outside = int(subprocess.run(["sh", "-c", count], capture_output=True, text=True, check=True).stdout)
    run = as_apple.run("sh", "-c", f"{count}; env -u SSL_CERT_FILE {count}; grep -c BEGIN /etc/ssl/certs/ca-certificates.crt")
    assert run.returncode == 0, run
    with_variable, _, lines = map(int, run.stdout.split())
    assert with_variable == lines and with_variable >= outside + 1, (run, outside)


@needs_mounts
def test_java_trusts_the_simulator_too(as_apple, tmp_path):
    if not shutil.which("java") or not shutil.which("javac"):
        pytest.skip("no JDK")
    (as_apple.directory / "Push.java").write_text("""
import java.net.URI;
import java.net.http.*;
public class Push {
  public static void main(String[] arguments) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("https://api.push.apple.com/3/device/" + System.getenv("TOKEN")))
      .header("apns-topic", "com.example.app").POST(HttpRequest.BodyPublishers.ofString("{\\"aps\\":{}}")).build();
    System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
  }
}
""")
    run = as_apple.run("java", "Push.java")
    # Without a provider token; what counts is that its TLS is good.
    assert run.stdout == "403\n", run


@needs_mounts
def test_nothing_outside_is_changed_even_when_it_is_killed(as_apple):
    def outside():
        files = {name: Path(name).read_bytes() for name in WATCHED if Path(name).exists()}
        return files, Path("/proc/self/mounts").read_text(), sorted(os.listdir("/etc/ssl/certs"))

    before = outside()
    # Once before the command runs, and once while it does.
    for script in ("true", "touch running; exec sleep 1000"):
        process = as_apple.start("sh", "-c", script)
        if "running" in script:
            wait_until((as_apple.directory / "running").exists, "the command")
            assert outside() == before
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        assert outside() == before
        wait_until(lambda: not list(as_apple.directory.glob("apnsim-exec-*")), "its files to go")


@needs_mounts
def test_two_stand_in_apples_place_at_once(tmp_path):
    first, second = AsApple(tmp_path), AsApple(tmp_path)
    script = "touch $0; while [ ! -e $1 ]; do sleep 0.01; done; getent hosts api.push.apple.com"
    pair = [first.start("sh", "-c", script, "a", "b"), second.start("sh", "-c", script, "b", "a")]
    for process in pair:
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0 and output.startswith("127."), errors


def test_without_the_right_it_says_what_to_allow_and_how_to_do_it_by_hand(tmp_path):
    # Of namespaces there may be none, and no capability is left.
    deny = ("echo 0 > /proc/sys/user/max_user_namespaces && echo 0 > /proc/sys/user/max_mnt_namespaces && "
            "exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs \"$@\"")
    if not may("unshare", "-rm", "sh", "-c", "echo 0 > /proc/sys/user/max_user_namespaces"):
        pytest.skip("this machine allows no user namespaces")
    run = AsApple(tmp_path, prefix=["unshare", "-rm", "sh", "-c", deny, "sh"]).run("true")
    assert run.returncode == 69, run
    assert "apnsim: error: --as-apple cannot change what the command alone sees" in run.stderr
    assert "CAP_SYS_ADMIN" in run.stderr and "apnsim serve --as-apple" in run.stderr and "/etc/hosts" in run.stderr


def test_serve_has_both_environments_on_apples_ports_by_their_names(start):
    simulator = start("--as-apple", "--environment", "both")
    for host, environment in (("api.push.apple.com", "production"), ("api.sandbox.push.apple.com", "sandbox")):
        jwt = subprocess.run([BINARY, "certs", "jwt", "--certs", simulator.certs], capture_output=True, text=True, check=True).stdout
        subprocess.run(
            ["curl", "-sS", "--fail", "--http2", "--cacert", simulator.ca, "--resolve", f"{host}:{simulator.http2}:127.0.0.1",
             "-H", f"authorization: bearer {jwt.strip()}", "-H", "apns-topic: com.example.app",
             "-d", '{"aps":{"alert":"hello"}}', f"https://{host}:{simulator.http2}/3/device/{token(7)}"],
            check=True, timeout=PATIENCE)
    simulator.stop()
    assert environments(simulator.journal_file) == [("production", "delivered"), ("sandbox", "delivered")]
