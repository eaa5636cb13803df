"""The examples with containers, as far as a machine without an engine can tell: they are read, what they say fits the
image and the program, and their own scripts run beside the image as another container would."""

import ast
import json
import os
import re
import shlex
import subprocess
import sys

import pytest
import yaml

import containerfile
import image as engine

RECIPES = engine.ROOT / "recipes"
COMPOSE = yaml.safe_load((RECIPES / "compose/compose.yaml").read_text())
SERVICE = yaml.safe_load((RECIPES / "github-actions/service.yaml").read_text())
PACKAGE = yaml.safe_load((RECIPES / "github-actions/package.yaml").read_text())
# Not the program's: where recipes find it, and the image that one of them takes.
OF_RECIPES = {"APNSIM_BIN", "APNSIM_IMAGE"}


@pytest.fixture(scope="module")
def version():
    return subprocess.run([engine.BINARY, "--version"], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def settings():
    """The variables of all settings, by the program's own help."""
    text = subprocess.run([engine.BINARY, "serve", "--help"], check=True, capture_output=True, text=True).stdout
    found = {"APNSIM_" + flag.replace("-", "_").upper() for flag in re.findall(r"^  --([a-z0-9-]+) ", text, re.M)}
    assert {"APNSIM_SERVER_NAME", "APNSIM_SHARE_CREDENTIALS", "APNSIM_CLOCK"} <= found
    return found


@pytest.fixture(scope="module")
def of_providers():
    """The variables by which a provider under test finds its simulator: the table of recipes/README.md."""
    table = (RECIPES / "README.md").read_text().partition("## Where everything is")[2]
    return set(re.findall(r"`(APNSIM_[A-Z0-9_]+)`", table))


def provider_runs(container, variables, command, folder, hosts=()):
    """Runs a command as a container beside: the network, its own folder, names as the network's DNS has them."""
    names = folder / "hosts"
    names.write_text("127.0.0.1 localhost\n" + "".join(f"127.0.0.2 {name}\n" for name in hosts))
    inner = shlex.join(["env", "-i", f"PATH={os.environ['PATH']}", *[f"{n}={v}" for n, v in variables.items()], *map(str, command)])
    script = f"mount --bind {shlex.quote(str(names))} /etc/hosts && cd {shlex.quote(str(folder))} && exec {inner}"
    return container.beside("unshare", "--mount", "sh", "-c", script)


def test_every_variable_in_the_examples_is_known(settings, of_providers):
    known = settings | of_providers | OF_RECIPES
    for file in [*(engine.ROOT / "container").iterdir(), *RECIPES.rglob("*")]:
        if file.is_file() and file.suffix not in (".pyc", ".class"):
            names = set(re.findall(r"\bAPNSIM_[A-Z0-9_]*[A-Z0-9]\b", file.read_text(errors="replace")))
            assert names <= known, f"{file}: {sorted(names - known)}"


def test_images_and_ports_of_the_examples_are_those_of_the_image(version):
    image = containerfile.read(engine.CONTAINERFILE)
    assert COMPOSE["services"]["apnsim"]["image"] == f"apnsim:{version}"
    assert SERVICE["jobs"]["test"]["services"]["apnsim"]["image"].endswith(f"/apnsim:{version}")
    assert f"apnsim_{version}_amd64.deb" in PACKAGE["jobs"]["test"]["env"]["PACKAGE_URL"]
    assert f'"apnsim:{version}"' in (RECIPES / "testcontainers/apnsim.py").read_text()
    for port in [*COMPOSE["services"]["apnsim"]["ports"], *SERVICE["jobs"]["test"]["services"]["apnsim"]["ports"]]:
        assert int(str(port).rpartition(":")[2]) in image.ports


def test_the_clients_service_waits_for_health_and_gets_the_ca(layout, running, certified, settings, of_providers, tmp_path):
    """recipes/compose: the simulator with exactly its environment, and the script of the tests' service beside it."""
    service, tests = COMPOSE["services"]["apnsim"], COMPOSE["services"]["tests"]
    assert tests["depends_on"]["apnsim"]["condition"] == "service_healthy" and layout.image.health
    assert service["environment"].keys() <= settings and tests["environment"].keys() <= of_providers
    aliases = service["networks"]["default"]["aliases"]
    reached = {tests["environment"]["APNSIM_HOST"], tests["environment"]["APNSIM_CONTROL_URL"].split("/")[2].split(":")[0]}
    assert reached <= {"apnsim", *aliases} and tests["environment"]["APNSIM_HOST"] in service["environment"]["APNSIM_SERVER_NAME"]

    client = containerfile.read(RECIPES / "compose" / tests["build"]["dockerfile"])
    assert [step[1:] for step in client.steps if step[0] == "COPY"] == [("push.sh", "/push.sh")]
    assert client.command == ["sh", "/push.sh"]
    assert all(f" {program}" in client.runs[0] for program in ("curl", "jq"))

    container = running.enter_context(layout.run(volume=certified("compose"), **service["environment"])).wait_until_healthy()
    assert "warning" not in container.log
    run = provider_runs(
        container, tests["environment"], ["sh", RECIPES / "compose/push.sh"], tmp_path, ["apnsim", *aliases])
    assert (run.returncode, run.stdout) == (0, "arrived: Your order has shipped\n"), run.stderr
    # Under a name that is not in the certificate it fails: verification is on.
    run = provider_runs(
        container, tests["environment"] | {"APNSIM_HOST": "other"}, ["sh", RECIPES / "compose/push.sh"], tmp_path,
        ["apnsim", "other"])
    assert run.returncode != 0 and "certificate" in run.stderr


def test_a_container_reaches_the_simulator_by_apples_names(layout, running, certified, settings, tmp_path):
    """recipes/compose/as-apple.yaml and recipes/kubernetes: the simulator with exactly their environment, and a container
    beside it that asks for Apple's names and trusts the CA of the volume."""
    compose = yaml.safe_load((RECIPES / "compose/as-apple.yaml").read_text())["services"]
    pod = yaml.safe_load((RECIPES / "kubernetes/as-apple.yaml").read_text())["spec"]
    environment = compose["apnsim"]["environment"]
    assert {one["name"]: one["value"] for one in pod["containers"][0]["env"]} == environment
    aliases = compose["apnsim"]["networks"]["default"]["aliases"]
    assert pod["hostAliases"][0]["hostnames"] == aliases
    volume = certified("as-apple")
    container = running.enter_context(layout.run(volume=volume, **environment)).wait_until_healthy()
    push = (
        'curl --silent --show-error --http2 --output /dev/null --write-out "%{http_code}\\n" '
        '--header "apns-topic: com.example.app" --data \'{"aps":{}}\' https://$1/3/device/' + "c0" * 32)
    for name in aliases[:3]:
        run = provider_runs(container, {"CURL_CA_BUNDLE": str(volume / "certs/ca.pem")}, ["sh", "-c", push, "sh", name], tmp_path, aliases)
        # Without a provider token; the name, the port and the certificate are good.
        assert run.stdout == "403\n", run.stdout + run.stderr


def test_the_steps_of_the_service_workflow_lead_to_a_push(layout, running, certified, settings, of_providers, tmp_path):
    """recipes/github-actions/service.yaml: the service's environment, its step, and a provider that has what it wrote."""
    job = SERVICE["jobs"]["test"]
    service = job["services"]["apnsim"]
    assert service["env"].keys() <= settings and job["env"].keys() <= of_providers
    published = {str(port).partition(":")[0] for port in service["ports"]}
    assert {value for name, value in job["env"].items() if name.endswith("_PORT")} <= published
    container = running.enter_context(layout.run(volume=certified("workflow"), **service["env"])).wait_until_healthy()
    assert "warning" not in container.log

    step = next(step["run"] for step in job["steps"] if "credentials" in step.get("run", ""))
    variables = job["env"] | {"GITHUB_ENV": str(tmp_path / "env")}
    run = provider_runs(container, variables, ["bash", "-e", "-o", "pipefail", "-c", step], tmp_path)
    assert run.returncode == 0, run.stderr
    written = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines())
    assert written.keys() <= of_providers and written["APNSIM_KEY_ID"] == "APNSIMKEY1"
    (tmp_path / "hello.json").write_text('{"aps":{"alert":"hello"}}')
    for interface in ("http2", "binary"):
        run = provider_runs(
            container, job["env"] | written,
            [engine.BINARY, "send", "hello.json", "--to", "ab" * 32, "--topic", "com.example.app", "--api", interface]
            if interface == "http2" else [engine.BINARY, "send", "hello.json", "--to", "ab" * 32], tmp_path)
        assert run.returncode == 0, run.stdout + run.stderr

    # The journal that a failed run keeps.
    capture = next(step["run"] for step in job["steps"] if "/capture" in step.get("run", ""))
    run = provider_runs(container, job["env"], ["bash", "-c", capture], tmp_path)
    assert run.returncode == 0, run.stderr
    lines = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert lines[0]["apnsim"] == "journal" and lines[0]["seed"] == int(service["env"]["APNSIM_SEED"])
    assert [line["outcome"] for line in lines if line.get("event") == "notification"] == ["delivered", "delivered"]


def test_the_package_workflow_runs_its_tests_with_a_recording(settings, tmp_path):
    """recipes/github-actions/package.yaml: its command, with a stand-in for the tests."""
    step = next(step for step in PACKAGE["jobs"]["test"]["steps"] if "apnsim exec" in step.get("run", ""))
    assert step["env"].keys() <= settings
    tests = tmp_path / "run-tests"
    tests.write_text("#!/bin/sh\nexec apnsim ready\n")
    tests.chmod(0o755)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "apnsim").symlink_to(engine.BINARY)
    run = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=tmp_path, capture_output=True, text=True, timeout=engine.PATIENCE,
        env={"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(tmp_path), **step["env"]})
    assert run.returncode == 0 and "warning" not in run.stderr, run.stderr
    assert '"seed":1' in (tmp_path / "journal.jsonl").read_text().splitlines()[0].replace(" ", "")


def test_the_testcontainers_recipe_passes_beside_the_image(layout, running, certified, settings, tmp_path):
    """recipes/testcontainers: its own tests, with a stand-in for the library's container."""
    paths = [str(engine.ROOT / "Tests/Container/standin"), str(RECIPES / "testcontainers")]
    # The container that it describes, before anything is started.
    tree = ast.parse((RECIPES / "testcontainers/test_orders.py").read_text())
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "ApnsimContainer")
    given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    look = ("import json, sys; from apnsim import ApnsimContainer; made = ApnsimContainer(**json.loads(sys.argv[1])); "
            "print(json.dumps([made.env, made.ports]))")
    looked = subprocess.run(
        [sys.executable, "-B", "-c", look, json.dumps(given)], env={"PYTHONPATH": ":".join(paths)}, check=True,
        capture_output=True, text=True, timeout=engine.PATIENCE)
    variables, ports = json.loads(looked.stdout)
    assert variables.keys() <= settings and set(ports) <= set(layout.image.ports)

    container = running.enter_context(layout.run(volume=certified("testcontainers"), **variables)).wait_until_healthy()
    assert "warning" not in container.log
    run = provider_runs(
        container,
        {"PYTHONPATH": ":".join(paths), "STANDIN_VARIABLES": json.dumps(variables), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={tmp_path}",
         RECIPES / "testcontainers"], tmp_path)
    assert run.returncode == 0 and "2 passed" in run.stdout, run.stdout + run.stderr
