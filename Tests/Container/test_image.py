"""The container image without a container engine: its root, its variables, its process 1, its health."""

import fnmatch
import json
import os
import re
import signal
import stat
import subprocess
from pathlib import Path

import containerfile
import image as engine

TOKEN = "ab" * 32


# The Containerfile

def test_the_image_has_the_libraries_of_the_program_and_no_others():
    """A package for each library that the program is linked to, but for what the base image has."""
    packages = {
        "libssl.so.3": "libssl3", "libcrypto.so.3": "libssl3", "libyaml-0.so.2": "libyaml-0-2", "libz.so.1": "zlib1g",
        "libstdc++.so.6": "libstdc++6",
    }
    base = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
            "ld-linux-aarch64.so.1", "linux-vdso.so.1", "libutil.so.1"}
    toolchain = engine.toolchain()
    linked = {name for name, place in engine.libraries().items()
              if name not in base and not str(place).startswith(tuple(toolchain))}
    image = containerfile.read(engine.CONTAINERFILE)
    install = next(text for text in image.runs if text.startswith("apt-get"))
    installed = set(re.search(r"--no-install-recommends ([^&]*)", install)[1].split())
    assert {packages.get(name, f"? for {name}") for name in linked} <= installed
    assert installed <= set(packages.values())


def test_the_version_in_the_containerfile_is_the_programs():
    version = subprocess.run([engine.BINARY, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    image = containerfile.read(engine.CONTAINERFILE)
    assert image.arguments["VERSION"] == image.labels["org.opencontainers.image.version"] == version
    assert f"apnsim:{version}" in engine.CONTAINERFILE.read_text()


def test_the_tarball_is_the_one_that_make_package_makes():
    """Its name fits what is added, and there is one program in it, where the link points."""
    image = containerfile.read(engine.CONTAINERFILE)
    [(source, target)] = [step[1:] for step in image.steps if step[0] == "ADD"]
    name = re.search(r"^name=(.+)$", (engine.ROOT / "scripts/package").read_text(), re.M)[1]
    name = name.replace("$version", image.arguments["VERSION"]).replace("$(uname -m)", os.uname().machine)
    assert fnmatch.fnmatch(f"{name}.tar.gz", source)
    link = next(text for text in image.runs if text.startswith("ln -s "))
    assert fnmatch.fnmatch(f"{target}{name}/bin/apnsim", link.split()[2]) and link.split()[3] == "/usr/local/bin/apnsim"


def test_the_context_is_the_tarball_and_nothing_else():
    """Engines are sent what Containerfile.dockerignore lets through, of which the last line that fits a name decides."""
    lines = engine.CONTAINERFILE.with_name(engine.CONTAINERFILE.name + ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]

    def is_sent(path):
        sent = True
        for pattern in patterns:
            if fnmatch.fnmatch(path, pattern.removeprefix("!")):
                sent = pattern.startswith("!")
        return sent

    image = containerfile.read(engine.CONTAINERFILE)
    [source] = [step[1] for step in image.steps if step[0] == "ADD"]
    assert is_sent(source.replace("*", os.uname().machine))
    for other in ("apnsim_0.2.0_amd64.deb", "root-base/etc/passwd", "first/apnsim_0.2.0_amd64.deb", "debootstrap.log"):
        assert not is_sent(other)


def test_the_ports_of_the_image_are_those_that_the_program_listens_on():
    help_text = subprocess.run([engine.BINARY, "serve", "--help"], check=True, capture_output=True, text=True).stdout
    usual = re.findall(r"--[a-z0-9-]*port[^[]*?\[[^\]]*\]\s*\(default:\s*(\d+)\)", help_text)
    assert sorted(containerfile.read(engine.CONTAINERFILE).ports) == sorted({int(port) for port in usual}) != []


def test_the_image_runs_as_a_user_by_number_and_without_a_shell():
    image = containerfile.read(engine.CONTAINERFILE)
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", image.user)
    assert image.entry == ["apnsim"] and image.command == []
    assert image.health[0] == "apnsim"


def test_the_readme_has_the_variables_that_the_image_sets():
    image = containerfile.read(engine.CONTAINERFILE)
    table = (engine.ROOT / "container/README.md").read_text().partition("| variable |")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| `(APNSIM_\w+)` \| `([^`]*)` \|", table, re.M)) == image.variables
    # Certificates, and files with relative names, stay where a volume is.
    assert image.volumes == [image.folder] and image.variables["APNSIM_CERTS"].startswith(f"{image.folder}/")


def test_a_reader_of_the_file_finds_mistakes(tmp_path):
    """The reader that the other tests believe does not take what it does not know."""
    for text, message in [("FROM a\nONBUILD b c\n", "ONBUILD"), ("FROM a\nENV A=${B}\n", "$B"), ("RUN a \\\n", "goes on")]:
        (tmp_path / "Containerfile").write_text(text)
        try:
            containerfile.read(tmp_path / "Containerfile")
        except AssertionError as error:
            assert message in str(error)
        else:
            raise AssertionError(f"taken: {text}")


# Starting, health, and the end

def test_it_starts_without_arguments_as_process_1_of_its_user(healthy):
    status = Path(f"/proc/{healthy.pid}/status").read_text()
    assert re.search(r"^NSpid:\s+\d+\s+1$", status, re.M)
    user, _, group = healthy.layout.image.user.partition(":")
    assert re.search(rf"^Uid:\s+{user}\s+{user}\s+{user}\s+{user}$", status, re.M)
    assert re.search(rf"^Gid:\s+{group}\s+{group}\s+{group}\s+{group}$", status, re.M)
    assert re.search(r"^CapEff:\s+0+$", status, re.M)
    assert "warning" not in healthy.log and "error" not in healthy.log


def test_it_listens_for_other_containers_where_the_image_says(healthy):
    """Production's ports, and the control API, on an address that is not the loopback's own."""
    for port in (2195, 2196, 2197, 2199):
        assert port in healthy.layout.image.ports
        run = healthy.beside("bash", "-c", f"exec 3<>/dev/tcp/127.0.0.2/{port}")
        assert run.returncode == 0, run.stderr


def test_health_is_bad_before_it_is_ready_and_good_then(layout, running, certified):
    """The scenario comes through a pipe to which nobody has written: until then, health is bad."""
    volume = certified("held")
    os.mkfifo(volume / "late.pipe")
    (volume / "late.pipe").chmod(0o666)
    container = running.enter_context(layout.run(volume=volume, APNSIM_SCENARIO="late.pipe"))
    engine.wait_until(lambda: container.is_program, "the program as process 1")
    code, said = container.health()
    assert code == 69 and "no apnsim" in said
    with open(volume / "late.pipe", "w") as scenario:
        scenario.write('{"version": 1, "name": "written late"}')
    container.wait_until_healthy()
    assert container.health()[0] == 0
    assert container.stop() == 0


def test_health_finds_the_control_api_by_the_same_variables(layout, running, certified):
    """Another port, another address, a token: the health check needs no words of its own."""
    container = running.enter_context(layout.run(
        volume=certified("elsewhere"), APNSIM_CONTROL_PORT="8080", APNSIM_HOST="127.0.0.3", APNSIM_CONTROL_TOKEN="secret"))
    container.wait_until_healthy()
    assert "http://127.0.0.3:8080" in container.health()[1]
    refused = container.beside("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.3:8080/api/v1/credentials")
    assert refused.stdout == "401"
    # Everybody may have the CA.
    assert container.beside("curl", "-s", "http://127.0.0.3:8080/ca.pem").stdout.startswith("-----BEGIN CERTIFICATE-----")
    let_in = container.beside("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer secret",
                              "http://127.0.0.3:8080/api/v1/credentials")
    assert let_in.stdout == "200"


def test_health_is_bad_once_the_control_api_is_off(layout, running, certified):
    container = running.enter_context(layout.run(volume=certified("silent"), APNSIM_NO_CONTROL="on"))
    engine.wait_until(lambda: container.ended or "2195" in container.log, "the banner")
    assert container.health()[0] == 69


def test_sigterm_and_sigint_end_process_1_without_a_drain_where_nothing_is_to_be_finished(layout, running, certified):
    volume = certified("ended")
    for number in (signal.SIGTERM, signal.SIGINT):
        container = running.enter_context(layout.run(volume=volume, APNSIM_DRAIN="1h")).wait_until_healthy()
        container.signal(number)
        assert container.wait() == 0, container.log


def test_a_signal_during_the_first_start_is_not_lost(layout, running, certified):
    """Process 1 is sent SIGTERM while it waits for its scenario, before any server is there to handle it."""
    for number in (signal.SIGTERM, signal.SIGINT):
        volume = certified(f"early{number}")
        os.mkfifo(volume / "late.pipe")
        (volume / "late.pipe").chmod(0o666)
        container = running.enter_context(layout.run(volume=volume, APNSIM_SCENARIO="late.pipe"))
        engine.wait_until(lambda: container.is_program and handles(container.pid, number), "the handler of the signal")
        container.signal(number)
        assert container.wait() in (0, 128 + number), container.log


def handles(process, number):
    """True if a process has a handler for a signal: without one, the system ignores it for process 1."""
    caught = re.search(r"^SigCgt:\s+([0-9a-f]+)$", Path(f"/proc/{process}/status").read_text(), re.M)[1]
    return int(caught, 16) >> (number - 1) & 1 == 1


def test_other_commands_end_at_ctrl_c_as_process_1(layout, running):
    """Somebody looks with the image: `docker run -it apnsim watch`, and presses Ctrl-C while it waits."""
    container = running.enter_context(layout.run("ready", "--timeout", "1h"))
    engine.wait_until(lambda: container.is_program and handles(container.pid, signal.SIGINT), "the handler of SIGINT")
    container.signal(signal.SIGINT)
    assert container.wait() == 128 + signal.SIGINT


def test_processes_that_lost_their_parent_leave_no_zombies(layout, running, certified):
    """Process 1 inherits them, whether it serves or runs `exec`."""
    orphan = "((sleep 0.05; exit 3) &); (sleep 0.05 &)"
    serving = running.enter_context(layout.run(volume=certified("orphans"))).wait_until_healthy()
    serving.enter("sh", "-c", orphan)
    engine.wait_until(lambda: not children(serving, "sleep") and not zombies(serving), "the end of the orphans")

    executing = running.enter_context(layout.run("exec", "--", "sh", "-c", f"{orphan}; echo started; exec sleep 86400"))
    engine.wait_until(lambda: "started" in executing.log, "the command of exec")
    engine.wait_until(lambda: len(children(executing, "sleep")) == 1 and not zombies(executing), "the end of the orphans")
    executing.signal(signal.SIGTERM)
    assert executing.wait() == 128 + signal.SIGTERM


def processes(container):
    """(name, state) of each process of the container."""
    space = os.readlink(f"/proc/{container.pid}/ns/pid")
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if os.readlink(folder / "ns/pid") == space:
                name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
                yield name, rest.split()[0]
        except OSError:
            # A zombie's namespace cannot be read: its parent says whose it is.
            try:
                name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
                if int(rest.split()[1]) == container.pid:
                    yield name, rest.split()[0]
            except OSError:
                continue


def children(container, name):
    return [state for found, state in processes(container) if found == name and state != "Z"]


def zombies(container):
    return [name for name, state in processes(container) if state == "Z"]


# Certificates

def names(certificate):
    text = subprocess.run(
        ["openssl", "x509", "-noout", "-ext", "subjectAltName"], input=certificate, check=True, capture_output=True, text=True)
    return set(re.findall(r"(?:DNS|IP Address):([^,\s]+)", text.stdout))


def test_certificates_are_made_once_and_stay_in_the_volume(layout, running):
    volume = layout.volume("kept")
    files = volume / "certs"
    assert list(files.iterdir()) == []
    first = running.enter_context(layout.run(volume=volume)).wait_until_healthy()
    made = {file.name: file.read_bytes() for file in files.iterdir()}
    user = int(layout.image.user.partition(":")[0])
    for file in files.iterdir():
        assert file.stat().st_uid == user
        if file.suffix in (".key", ".p8"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {"ca.pem", "provider.pem", "AuthKey_APNSIMKEY1.p8"} <= made.keys()
    assert first.stop() == 0

    second = running.enter_context(layout.run(volume=volume)).wait_until_healthy()
    assert {file.name: file.read_bytes() for file in files.iterdir()} == made
    assert second.stop() == 0

    # Another name needs another certificate, but neither another CA nor another key.
    third = running.enter_context(layout.run(volume=volume, APNSIM_SERVER_NAME="push.internal")).wait_until_healthy()
    after = {file.name: file.read_bytes() for file in files.iterdir()}
    assert [name for name in made if after[name] != made[name]] == ["server.pem"]
    assert "push.internal" in names(third.beside(
        "sh", "-c", "openssl s_client -connect 127.0.0.1:2197 </dev/null 2>/dev/null").stdout)


def test_the_certificate_has_the_names_that_the_environment_gives(healthy, tmp_path):
    (tmp_path / "ca.pem").write_text(healthy.beside("curl", "-fsS", "http://127.0.0.1:2199/ca.pem").stdout)
    credentials = json.loads(healthy.beside("curl", "-fsS", "http://127.0.0.1:2199/api/v1/credentials").stdout)
    provider = tmp_path / "provider.pem"
    provider.write_text(credentials["providerCertificate"] + credentials["providerKey"])

    def verifies(name, port, option="-verify_hostname"):
        run = healthy.beside(
            "openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", tmp_path / "ca.pem", "-cert", provider,
            option, name, "-verify_return_error", stdin=subprocess.DEVNULL)
        return run.returncode == 0 and "Verify return code: 0 (ok)" in run.stdout

    for port in (2195, 2196, 2197):
        assert verifies("push.internal", port) and verifies("apnsim", port) and verifies("localhost", port)
        assert verifies("10.1.2.3", port, "-verify_ip")
        assert not verifies("api.push.apple.com", port)


def test_a_directory_that_cannot_be_written_is_named_with_what_to_do(layout, running):
    """A read-only volume that is empty, and one that belongs to somebody else."""
    foreign = layout.volume("foreign")
    for place in (foreign, foreign / "certs"):
        os.chown(place, 0, 0)
    empty = layout.volume("empty") / "certs"
    for container in (
        layout.run(volume=foreign),
        layout.run(volume=layout.volume("unused"), mounts=[(empty, "/var/lib/apnsim/certs", "ro")]),
    ):
        running.enter_context(container)
        assert container.wait() == 73
        assert "/var/lib/apnsim/certs" in container.log and "hint: " in container.log, container.log
        assert "Fatal" not in container.log


def test_a_read_only_directory_with_certificates_serves(layout, running, certified):
    made = certified("made") / "certs"
    container = running.enter_context(
        layout.run(mounts=[(made, "/var/lib/apnsim/certs", "ro")], APNSIM_SERVER_NAME=engine.NAMES))
    container.wait_until_healthy()
    assert container.stop() == 0


def test_another_user_by_number_serves_from_a_directory_of_its_own(layout, running, certified):
    """`--user 4711`, as some platforms choose one: nothing but the volume has to be that user's."""
    volume = certified("numbered")
    (volume / "certs/server.pem").unlink()
    for place in [volume, *volume.rglob("*")]:
        os.chown(place, 4711, 4711)
    container = running.enter_context(layout.run(volume=volume, user="4711:4711")).wait_until_healthy()
    assert (volume / "certs/server.pem").stat().st_uid == 4711
    assert container.stop() == 0


# Another container

def test_another_container_gets_the_ca_and_pushes_with_verification(healthy, tmp_path):
    """By nothing but the network: the CA, the credentials, a push over HTTP/2 to a name from the environment, a wait."""
    control = "http://apnsim:2199"
    resolve = ["--resolve", "apnsim:2199:127.0.0.2", "--resolve", "push.internal:2197:127.0.0.2"]

    def curl(*arguments):
        run = healthy.beside("curl", "-sS", "--fail-with-body", "--max-time", str(engine.PATIENCE), *resolve, *arguments)
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    (tmp_path / "ca.pem").write_text(curl(f"{control}/ca.pem"))
    credentials = json.loads(curl(f"{control}/api/v1/credentials"))
    assert credentials["shared"] is True and credentials["ca"] == (tmp_path / "ca.pem").read_text()
    (tmp_path / "provider.pem").write_text(credentials["providerCertificate"])
    (tmp_path / "provider.key").write_text(credentials["providerKey"])
    key = tmp_path / f"AuthKey_{credentials['keyId']}.p8"
    key.write_text(credentials["authKey"])
    url = f"https://push.internal:2197/3/device/{TOKEN}"
    push = ["--http2", "--cacert", tmp_path / "ca.pem", "-w", " %{http_code} %{http_version} %{ssl_verify_result}",
            "-H", "apns-topic: com.example.app", "-d", '{"aps":{"alert":"hello"}}', url]
    assert curl("--cert", tmp_path / "provider.pem", "--key", tmp_path / "provider.key", *push) == " 200 2 0"

    # The key of provider tokens, in a container that has the program: the file's name has the key's identifier.
    token = subprocess.run(
        [engine.BINARY, "certs", "jwt", "--key", key, "--team", credentials["teamId"]],
        capture_output=True, text=True, timeout=engine.PATIENCE)
    assert token.returncode == 0, token.stderr
    assert curl("-H", f"authorization: bearer {token.stdout.strip()}", *push) == " 200 2 0"
    waited = json.loads(curl(
        "-H", "content-type: application/json", "-d",
        json.dumps({"where": {"token": TOKEN}, "count": {"atLeast": 1}, "timeout": f"{engine.PATIENCE}s"}),
        f"{control}/api/v1/notifications/wait?assert=true"))
    assert waited["satisfied"] and waited["notifications"][0]["payload"] == {"aps": {"alert": "hello"}}

    # Verification is on: a name that the certificate does not have is refused by the client.
    refused = healthy.beside(
        "curl", "-s", "--http2", "--cacert", str(tmp_path / "ca.pem"), "--resolve", "other.internal:2197:127.0.0.1",
        url.replace("push.internal", "other.internal"))
    assert refused.returncode == 60


def test_a_sandbox_is_where_another_container_reaches_it(healthy, tmp_path):
    """Its address is the name by which the request came, so that a client elsewhere can use what it is told."""
    control = "http://push.internal:2199"
    resolve = ["--resolve", "push.internal:2199:127.0.0.2"]

    def curl(*arguments):
        run = healthy.beside("curl", "-sS", "--fail-with-body", "--max-time", str(engine.PATIENCE), *resolve, *arguments)
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    sandbox = json.loads(curl("-X", "POST", f"{control}/api/v1/sandboxes"))
    assert (sandbox["host"], sandbox["control"]) == ("push.internal", control)
    ready = json.loads(curl(f"{control}/readyz"))["endpoints"]
    assert (ready["host"], ready["http2"], ready["control"]) == ("push.internal", 2197, control)
    assert json.loads(healthy.beside("curl", "-s", "http://127.0.0.1:2199/readyz").stdout)["endpoints"]["host"] == "127.0.0.1"

    (tmp_path / "ca.pem").write_text(curl(f"{control}/ca.pem"))
    answer = curl(
        "--http2", "--cacert", tmp_path / "ca.pem", "-o", tmp_path / "answer", "-w", "%{ssl_verify_result}",
        "--resolve", f"push.internal:{sandbox['http2']}:127.0.0.2", "-X", "POST", "--no-fail-with-body",
        f"https://{sandbox['host']}:{sandbox['http2']}/3/device/{TOKEN}")
    assert answer == "0" and json.loads((tmp_path / "answer").read_text())["reason"] == "MissingProviderToken"
    curl("-X", "DELETE", f"{control}{sandbox['base']}")


# Settings by the environment

def test_a_wrong_setting_is_told_and_ends_with_78(layout, running, certified):
    container = running.enter_context(layout.run(volume=certified("wrong"), APNSIM_EDITION="latest"))
    assert container.wait() == 78
    assert "APNSIM_EDITION: expected" in container.log and 'found "latest"' in container.log


def test_a_misspelt_setting_is_warned_of(layout, running, certified):
    container = running.enter_context(layout.run(volume=certified("misspelt"), APNSIM_SERVER_NAMES="a,b"))
    container.wait_until_healthy()
    assert "APNSIM_SERVER_NAMES is not a setting; did you mean APNSIM_SERVER_NAME?" in container.log
