#!/usr/bin/env python3
"""Runs what is claimed of the simulator's staying power against the built program, and prints one table.

    Tests/Soak/soak.py [--only NAME]... [--seconds N] [--json FILE]

Each claim is a script in `claims/`. Every one is bounded in time and count, listens on loopback, and exits 1 when a
claim does not hold.
"""

import argparse
import importlib
import json
import os
import resource
import shutil
import sys
import tempfile
import textwrap
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import server  # noqa: E402

NAMES = [
    "idle_connections", "descriptor_limit", "unfinished_handshakes", "silent_crowd", "unread_answers", "endless_writers",
    "deaf_devices", "killed_recording", "full_disk", "shutdown_under_load", "idle_requests", "many_streams",
    "request_floods", "requests_at_shutdown", "many_devices", "mixed_traffic",
]


class Setup:
    """What all claims share."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.root = Path(tempfile.mkdtemp(prefix="apnsim-soak-"))
        self.certificates = server.certificates(self.root / "certs")

    def directory(self):
        return Path(tempfile.mkdtemp(dir=self.root))


def run(name, setup):
    """One claim's result; a claim that cannot be tried does not hold."""
    claim = importlib.import_module(f"claims.{name}")
    start = time.monotonic()
    try:
        figures, bound, held = claim.run(setup)
    except Exception as error:  # pylint: disable=broad-except
        figures, bound, held = [f"{type(error).__name__}: {error}"], "", False
    return {
        "name": name, "claim": " ".join(claim.__doc__.split()), "figures": figures, "bound": bound,
        "held": bool(held), "seconds": round(time.monotonic() - start, 1),
    }


def show(result):
    print(f"\n{'held    ' if result['held'] else 'NOT HELD'}  {result['name']}  ({result['seconds']} s)")
    lines = [result["claim"], *[f"- {figure}" for figure in result["figures"]], f"bound: {result['bound']}"]
    for line in lines:
        print(textwrap.fill(line, 108, initial_indent="  ", subsequent_indent="    "))
    sys.stdout.flush()


def table(results):
    """Markdown, one row a claim."""
    yield "| claim | figures | bound | held |"
    yield "|---|---|---|---|"
    for r in results:
        yield f"| {r['claim']} | {'; '.join(r['figures'])} | {r['bound']} | {'yes' if r['held'] else 'NO'} |"


def main():
    parser = argparse.ArgumentParser(description="What is claimed of the simulator's staying power.")
    parser.add_argument("--only", action="append", choices=NAMES, default=[])
    parser.add_argument("--seconds", type=int, default=int(os.environ.get("SOAK_SECONDS") or 60),
                        help="how long the mixed traffic runs (default: SOAK_SECONDS, or 60)")
    parser.add_argument("--json", help="also write the results to this file")
    options = parser.parse_args()

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    setup = Setup(max(10, options.seconds))
    results = []
    try:
        for name in options.only or NAMES:
            results.append(run(name, setup))
            show(results[-1])
    finally:
        shutil.rmtree(setup.root, ignore_errors=True)
    print("\n" + "\n".join(table(results)))
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(result["held"] for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
