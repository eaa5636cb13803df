"""`apnsim exec` on a terminal, where Ctrl-C goes to everybody in the foreground at once."""

import os
import pty
import select
import signal
import time

import pytest

from simulator import BINARY, PATIENCE, wait_until

CTRL_C = b"\x03"


class Terminal:
    """A terminal of its own with `apnsim exec -- sh -c SCRIPT` in the foreground."""

    def __init__(self, directory, cache, script):
        self.directory, self.shown = directory, b""
        environment = {
            "PATH": f"{os.path.dirname(BINARY)}:/usr/bin:/bin", "HOME": str(directory), "TMPDIR": str(directory),
            "XDG_CACHE_HOME": str(cache),
        }
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            # As a terminal's shell has them, also where the tests run in the background or under nohup.
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            os.execve(BINARY, [BINARY, "exec", "--", "sh", "-c", script], environment)

    def read(self, until):
        """Reads what the terminal shows until `until` has come; everything up to the end for None."""
        deadline = time.monotonic() + PATIENCE
        while until is None or until not in self.shown:
            left = deadline - time.monotonic()
            assert left > 0 and select.select([self.master], [], [], left)[0], f"waited in vain: {self.shown}"
            try:
                chunk = os.read(self.master, 4096)
            except OSError:  # EIO: nobody has the terminal open any more
                chunk = b""
            if not chunk:
                assert until is None, self.shown
                return
            self.shown += chunk

    def press(self, key):
        os.write(self.master, key)

    def press_until_the_end(self, key):
        """Again and again: two of them come within two seconds, however busy the machine is."""
        deadline = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < deadline, f"pressed in vain: {self.shown}"
            try:
                self.press(key)
                if select.select([self.master], [], [], 0.1)[0]:
                    os.read(self.master, 4096)
            except OSError:  # EIO: nobody has the terminal open any more
                return

    def hang_up(self):
        os.close(self.master)

    def status(self):
        """The exit code once it has ended."""
        ended = []

        def has_ended():
            ended[:] = os.waitpid(self.pid, os.WNOHANG)
            return ended[0] == self.pid

        wait_until(has_ended, "the end of apnsim exec")
        return os.waitstatus_to_exitcode(ended[1])

    def number(self, name):
        """The number after `name=` in what was shown."""
        return int(self.shown.split(f"{name}=".encode())[1].split()[0])


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Keys are made once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def terminal(tmp_path, cache):
    return lambda script: Terminal(tmp_path, cache, script)


def assert_nothing_is_left(terminal, *names):
    for name in names:
        wait_until(lambda: not is_running(terminal.number(name)), f"the end of {name}")
    wait_until(
        lambda: not list(terminal.directory.glob("apnsim-exec*")), "the end of the private certificates")


def test_ctrl_c_is_the_commands(terminal):
    shell = terminal("trap 'echo got; exit 5' INT; sleep 86400 & echo child=$!; echo ready; wait")
    shell.read(b"ready")
    shell.press(CTRL_C)
    shell.read(None)
    # Once: the terminal's, and not ours as well.
    assert shell.shown.count(b"got") == 1
    assert shell.status() == 5
    assert_nothing_is_left(shell, "child")


def test_a_second_ctrl_c_ends_everything(terminal):
    # The shell hears it and goes on, its children do not hear it at all.
    shell = terminal(
        "trap 'echo got' INT; trap '' TERM; (trap '' INT TERM; exec sleep 86400) & echo child=$!;"
        " setsid sh -c 'trap \"\" INT TERM; exec sleep 86400' & echo ready; while :; do wait; done")
    shell.read(b"ready")
    shell.press(CTRL_C)
    shell.read(b"got")
    shell.press_until_the_end(CTRL_C)
    assert shell.status() == 128 + 9
    assert_nothing_is_left(shell, "child")


def test_a_command_that_does_not_catch_it_ends_with_it(terminal):
    shell = terminal("echo child=$$; echo ready; exec sleep 86400")
    shell.read(b"ready")
    shell.press(CTRL_C)
    shell.read(None)
    assert shell.status() == 128 + 2
    assert_nothing_is_left(shell, "child")


def test_a_terminal_that_goes_away_takes_everything_along(terminal):
    shell = terminal("sleep 86400 & echo child=$!; echo ready; wait")
    shell.read(b"ready")
    shell.hang_up()
    assert shell.status() == 128 + 1
    assert_nothing_is_left(shell, "child")
