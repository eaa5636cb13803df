#!/usr/bin/env python3
"""Measures apnsim beside the limit of the machine and prints one table (Benchmarks/README.md)."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import cases
from servers import Place

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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--apnsim", default=os.path.join(HERE, "..", ".build", "release", "apnsim"))
    parser.add_argument("--only", metavar="CASE", action="append", help="cases whose name begins so")
    parser.add_argument("--runs", type=int, default=5, help="alternating runs of each (5)")
    parser.add_argument("--json", metavar="FILE", help="writes the figures there, too")
    parser.add_argument("--list", action="store_true", help="names the cases")
    options = parser.parse_args()
    chosen = [
        case for case in cases.ALL
        if not options.only or any(case.__name__.replace("_", "-").startswith(name) for name in options.only)
    ]
    if options.list:
        print("\n".join(case.__name__.replace("_", "-") for case in cases.ALL))
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
            print(f"bench: {case.__name__.replace('_', '-')}", file=sys.stderr, flush=True)
            found = case(place, options.runs)
            print(table(found) if found else "not there to be measured", file=sys.stderr, flush=True)
            rows += found
    print(table(rows))
    if options.json:
        with open(options.json, "w") as file:
            json.dump([row.__dict__ | {"ratio": row.ratio, "verdict": row.verdict} for row in rows], file, indent=1)
            file.write("\n")


def table(rows):
    def number(value):
        return "" if value is None else f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:.0f}"

    lines = [["case", "unit", "beside", "", "apnsim", "ratio", "target", "verdict"]]
    for row in rows:
        lines.append([
            row.case, row.unit, row.beside, number(row.limit), number(row.apnsim), number(row.ratio), row.target,
            row.verdict,
        ])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    isNumber = [False, False, False, True, True, True, False, False]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, isNumber)
        ).rstrip()
        for line in lines
    )


if __name__ == "__main__":
    main()
