#!/usr/bin/env python3
"""Measures apnsim beside what others take for the same bytes, and prints a table for each case (Benchmarks/README.md)."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import cases
from servers import Place
from tables import table, words

HERE = os.path.dirname(os.path.abspath(__file__))


def compile(scratch):
    compiler = next((name for name in ["cc", "clang", "gcc"] if shutil.which(name)), None)
    if not compiler:
        raise SystemExit("bench: expected a C compiler (cc, clang or gcc) on the PATH")
    for name, libraries in [("limit", []), ("load", []), ("nghttp2", ["-lnghttp2"])]:
        source, program = os.path.join(HERE, f"{name}.c"), os.path.join(scratch, name)
        subprocess.run(
            [compiler, "-O2", "-Wall", "-Wextra", "-std=gnu17", "-o", program, source, *libraries, "-lssl", "-lcrypto"],
            check=True,
        )


def name(case):
    return case.__name__.replace("_", "-")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--apnsim", default=os.path.join(HERE, "..", ".build", "release", "apnsim"))
    parser.add_argument("--only", metavar="CASE", action="append", help="cases whose name begins so")
    parser.add_argument("--runs", type=int, default=5, help="alternating runs of each (5)")
    parser.add_argument("--json", metavar="FILE", help="writes the figures there, too")
    parser.add_argument("--list", action="store_true", help="names the cases")
    options = parser.parse_args()
    chosen = [case for case in cases.ALL if not options.only or name(case).startswith(tuple(options.only))]
    if options.list:
        print("\n".join(map(name, cases.ALL)))
        return
    if not chosen:
        raise SystemExit("bench: no case of that name; --list has them")
    if not os.path.exists(options.apnsim):
        raise SystemExit(f"bench: {options.apnsim} is not there: make release")
    rows = []
    with tempfile.TemporaryDirectory(prefix="apnsim-bench-") as scratch:
        compile(scratch)
        place = Place(os.path.abspath(options.apnsim), scratch, scratch)
        place.prepare()
        for case in chosen:
            found = case(place, options.runs)
            print(f"{name(case)}\n{told(found)}\n", flush=True)
            rows += found
    if options.json:
        with open(options.json, "w") as file:
            json.dump([row.fields for row in rows], file, indent=1)
            file.write("\n")


def told(rows):
    return f"{table(rows)}\n{words(rows)}" if rows else "What it takes to measure this is not there."


if __name__ == "__main__":
    main()
