"""Lays out the image's root as its Containerfile says, and runs it in namespaces as an engine would: without one.

What stands in for the base image is this system's own /usr/bin, /usr/lib and so on, read-only; what stands in for the
tarball is the program under test. Instructions that install packages are not run (the network is not the tests'
business); all others are, in the root.
"""

import os
import shlex
import shutil
import signal
import socket
import subprocess
import tarfile
import time
from pathlib import Path

import containerfile
import simulator
from simulator import PATIENCE, ROOT, wait_until

BINARY = Path(simulator.BINARY).resolve()
CONTAINERFILE = ROOT / "container/Containerfile"
NAMES = "apnsim,push.internal,10.1.2.3"  # in the certificate of the container that tests share

# Of the base: what is there before the first instruction.
SHARED = ["/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/share", "/dev"]
LINKED = {"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64", "lib32": "usr/lib32"}
NAMESPACES = ["--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child", "--propagation", "private"]


def namespaces():
    """What makes namespaces here, as a list of arguments; None with the reason where nothing may."""
    if not shutil.which("unshare") or not shutil.which("setpriv") or not shutil.which("nsenter"):
        return None, "unshare, setpriv and nsenter (util-linux) are not all installed"
    if os.geteuid() != 0:
        return None, "only root gives files to the image's user and mounts folders of the system"
    command = ["unshare", *NAMESPACES, "--"]
    trial = "mount -t tmpfs none /mnt && ip link set lo up && exec setpriv --reuid 2195 --regid 2195 --clear-groups true"
    run = subprocess.run([*command, "sh", "-c", trial], capture_output=True, text=True, timeout=PATIENCE)
    return (command, "") if run.returncode == 0 else (None, run.stderr.strip())


def libraries():
    """The shared libraries of the program: their names, and where those are that are not of the system's packages."""
    run = subprocess.run(["ldd", str(BINARY)], check=True, capture_output=True, text=True, timeout=PATIENCE)
    found = {}
    for line in run.stdout.splitlines():
        name, arrow, place = line.strip().partition(" => ")
        found[Path(name.split()[0]).name] = Path(place.split()[0]) if arrow else Path(name.split()[0])
    return found


def toolchain():
    """Folders of the Swift toolchain that a debug program, unlike a packaged one, takes libraries from."""
    folders = {str(place.parent) for place in libraries().values()}
    return sorted(folder for folder in folders if not folder.startswith(("/lib", "/usr/lib", "linux-vdso")) and folder != ".")


class Layout:
    """The root file system of the image, and a volume that stays."""

    def __init__(self, unshare, folder):
        self.unshare, self.folder = unshare, Path(folder)
        self.image = containerfile.read(CONTAINERFILE)
        self.root = self.folder / "root"
        self._base()
        for step in self.image.steps:
            assert step[0] in ("ADD", "RUN"), f"{step[0]} is not laid out here"
            if step[0] == "ADD":
                self._add(*step[1:])
            elif step[0] == "RUN" and not step[1].startswith("apt-get "):
                self._run(step[1])

    def _base(self):
        for name in ("etc/ssl", "proc", "tmp", "run", "opt", "var/lib", "usr/local/bin", "dev", "mnt"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o755)
        (self.root / "tmp").chmod(0o1777)
        for name, target in LINKED.items():
            if Path(f"/{name}").exists():
                (self.root / name).symlink_to(target)
        for name, text in {
            "passwd": "root:x:0:0:root:/root:/bin/sh\n", "shadow": "root:*:::::::\n", "group": "root:x:0:\n",
            "gshadow": "root:*::\n", "hosts": "127.0.0.1 localhost\n", "nsswitch.conf": "hosts: files\n",
        }.items():
            (self.root / "etc" / name).write_text(text)
        for name in ("ld.so.cache", "login.defs", "ssl/openssl.cnf"):
            if Path("/etc", name).exists():
                shutil.copy(Path("/etc", name), self.root / "etc" / name)
        for place in self._shared():
            (self.root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def _shared(self):
        return [place for place in [*SHARED, *toolchain()] if Path(place).is_dir()]

    def _add(self, source, target):
        """Unpacks the tarball, which is made here with the program in the place that `make package` gives it."""
        tarball = self.folder / source.replace("*", os.uname().machine)
        stem = tarball.name.removesuffix(".tar.gz")
        with tarfile.open(tarball, "w:gz", compresslevel=1) as archive:
            # The program is large and is bound into its place instead.
            entry = tarfile.TarInfo(f"{stem}/bin/apnsim")
            entry.mode = 0o755
            archive.addfile(entry)
        with tarfile.open(tarball) as archive:
            archive.extractall(self.root / target.strip("/"), filter="data")
        self.program = self.root / target.strip("/") / stem / "bin/apnsim"

    def _mounts(self, *volumes):
        """The script that mounts what the root shares with the system, and volumes: (folder here, place, mode)."""
        lines = ["set -e"]
        root = shlex.quote(str(self.root))
        for place in self._shared():
            lines.append(f"mount --rbind {shlex.quote(place)} {root}{shlex.quote(place)}")
            if place != "/dev":
                lines.append(f"mount -o remount,bind,ro {root}{shlex.quote(place)}")
        lines.append(f"mount -t proc proc {root}/proc")
        if getattr(self, "program", None):
            lines.append(f"mount --bind {shlex.quote(str(BINARY))} {shlex.quote(str(self.program))}")
        for source, place, mode in volumes:
            target = f"{root}{shlex.quote(place)}"
            lines += [f"mkdir -p {target}", f"mount --bind {shlex.quote(str(source))} {target}"]
            if mode == "ro":
                lines.append(f"mount -o remount,bind,ro {target}")
        lines.append("ip link set lo up")
        # Engines let every user of a container listen on any of its ports.
        lines.append("echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start")
        return "\n".join(lines)

    def _run(self, text):
        script = f"{self._mounts()}\nexec chroot {shlex.quote(str(self.root))} /bin/sh -c {shlex.quote(text)}"
        run = subprocess.run(
            [*self.unshare, "sh", "-c", script], capture_output=True, text=True, timeout=PATIENCE)
        assert run.returncode == 0, f"RUN {text}: {run.stderr}"

    def volume(self, name):
        """A new named volume: it begins as what the image has in its place, as engines do it."""
        place, original = self.folder / name, self.root / self.image.volumes[0].lstrip("/")
        shutil.copytree(original, place)
        for entry in [place, *place.rglob("*")]:
            status = (original / entry.relative_to(place)).stat()
            os.chown(entry, status.st_uid, status.st_gid)
        return place

    def run(self, *arguments, volume=None, user=None, mounts=(), hosts=(), **variables):
        """Starts a container: with the image's variables and those given; without arguments as it is meant to be."""
        return Container(self, arguments, volume, user or self.image.user, mounts, hosts, variables)


class Container:
    """A running image. `pid` is the number that its process 1 has out here."""

    def __init__(self, layout, arguments, volume, user, mounts, hosts, variables):
        self.layout, self.user = layout, user
        image = layout.image
        self.variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOSTNAME": "c0ffee"}
        self.variables |= image.variables | variables
        (layout.root / "etc/hosts").write_text("127.0.0.1 localhost\n" + "".join(f"{line}\n" for line in hosts))
        # Where none is given, engines make one without a name.
        volume = volume or layout.volume(f"anonymous{time.monotonic_ns()}")
        volumes = [(volume, image.volumes[0], "rw")]
        self._command = [*image.entry, *(arguments or image.command)]
        script = f"{layout._mounts(*volumes, *mounts)}\nexec {shlex.join(self._inside(self._command, layout.root))}"
        self.log_file = layout.folder / f"log{time.monotonic_ns()}"
        with open(self.log_file, "wb") as log:
            self.process = subprocess.Popen(
                [*layout.unshare, "sh", "-c", script],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, preexec_fn=heed_signals)
        wait_until(lambda: self._child() or self.ended, "the container's process 1")
        self.pid = self._child()

    def _inside(self, command, root=None):
        """The command as a process of the container: its user, its folder, its variables and no other."""
        uid, _, gid = self.user.partition(":")
        become = ["setpriv", "--reuid", uid, "--regid", gid, "--clear-groups", "--no-new-privs", "--bounding-set=-all"]
        variables = [f"{name}={value}" for name, value in self.variables.items()]
        # env looks the program up by the image's PATH, as an engine does.
        inner = [*become, "env", "-i", f"--chdir={self.layout.image.folder}", *variables, *command]
        return ["chroot", str(root), *inner] if root else inner

    def _child(self):
        try:
            words = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        except FileNotFoundError:
            return None
        return int(words[0]) if words else None

    @property
    def log(self):
        return self.log_file.read_text(errors="replace")

    @property
    def ended(self):
        return self.process.poll() is not None

    @property
    def is_program(self):
        """True once process 1 is the program, and no longer what became it."""
        try:
            return os.path.samefile(f"/proc/{self.pid}/exe", BINARY)
        except OSError:
            return False

    def enter(self, *command, **options):
        """Runs a command in the running container, as `docker exec` and health checks do."""
        return subprocess.run(
            ["nsenter", "--target", str(self.pid), "--mount", "--pid", "--net", "--ipc", "--uts", "--root", "--wd",
             *self._inside(command)],
            capture_output=True, text=True, errors="replace", timeout=PATIENCE, **options)

    def beside(self, *command, **options):
        """Runs a command that sees the container's network, and nothing else of it: another container's."""
        return subprocess.run(
            ["nsenter", "--target", str(self.pid), "--net", *map(str, command)],
            capture_output=True, text=True, errors="replace", timeout=PATIENCE, **options)

    def health(self):
        """The exit code of the image's health check, and what it printed."""
        run = self.enter(*self.layout.image.health)
        return run.returncode, run.stdout + run.stderr

    def wait_until_healthy(self):
        """Asks for health until it is good; fails with the log where the container ends instead."""
        def is_good():
            assert not self.ended, f"ended with {self.process.returncode}:\n{self.log}"
            return self.health()[0] == 0
        wait_until(is_good, "health")
        return self

    def signal(self, number):
        """Sends a signal to process 1 from outside, as `docker stop` does."""
        os.kill(self.pid, number)

    def wait(self):
        """The exit code of the container."""
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still there after {PATIENCE} s:\n{self.log}") from None

    def stop(self):
        """As `docker stop`: the image's signal, and then the exit code."""
        self.signal(getattr(signal, self.layout.image.stop_signal))
        return self.wait()

    def kill(self):
        if not self.ended:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def heed_signals():
    """An engine starts a container so. What runs in a shell's background, as tests may, ignores SIGINT else."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
