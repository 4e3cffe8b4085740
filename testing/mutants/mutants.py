#!/usr/bin/env python3
"""Change the product's code at random places, and check whether the tests notice.

    python3 testing/mutants/mutants.py                      400 changes over all crates of mutants.toml
    python3 testing/mutants/mutants.py --seed 20261125      the same changes again
    python3 testing/mutants/mutants.py --crate sycl-pi-image --sample 60
    python3 testing/mutants/mutants.py --list               print the sample, run nothing

cargo-mutants lists the possible changes. This program takes a sample, makes one change at a time in a copy of the last
commit, and runs the tests that mutants.toml names for the crate. A change is caught if a test fails or takes too long.
A change that does not compile is not counted.

Exit code 0: at least 85 % of the changes in each crate are caught. 1: fewer in some crate. 2: it could not run.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "testing" / "mutants"
WORK = ROOT / "target" / "mutations"
TREE = WORK / "tree"
GOAL = 0.85
VERSION = "27.1.0"


class CannotRun(Exception):
    """The reason is for people."""


def cargo_mutants():
    """The program's file. It is installed once, into the target folder."""
    program = WORK / "tools" / "bin" / "cargo-mutants"
    if not program.exists():
        print(f"installing cargo-mutants {VERSION}, once: this takes minutes", flush=True)
        command = ["cargo", "install", "--locked", "cargo-mutants", "--version", VERSION, "--root", WORK / "tools"]
        environment = dict(os.environ, CARGO_PROFILE_RELEASE_OPT_LEVEL="1", CARGO_PROFILE_RELEASE_LTO="off")
        subprocess.run(command, check=True, env=environment)
    return program


def copy_of_the_last_commit():
    """A work tree of its own: the user's files stay as they are. Its build folder is kept between runs."""
    if not TREE.exists():
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--quiet", "--force", "--detach", TREE], cwd=ROOT, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    subprocess.run(["git", "checkout", "--quiet", "--force", "--detach", head.strip()], cwd=TREE, check=True)


def all_mutants(crate):
    command = [cargo_mutants(), "mutants", "--list", "--json", "--package", crate["name"]]
    listed = subprocess.run(command, cwd=TREE, check=True, capture_output=True, text=True).stdout
    return [mutant for mutant in json.loads(listed) if mutant["package"] == crate["name"]]


def changed(text, mutant):
    """The file's text with the mutant's span replaced. Lines and columns count from 1, columns in characters."""
    lines = text.split("\n")
    start, end = mutant["span"]["start"], mutant["span"]["end"]
    before = lines[: start["line"] - 1] + [lines[start["line"] - 1][: start["column"] - 1]]
    after = [lines[end["line"] - 1][end["column"] - 1 :]] + lines[end["line"] :]
    return "\n".join(before) + mutant["replacement"] + "\n".join(after)


def run(command, limit):
    """Whether the command succeeds, or None after the limit. Everything that it started is ended then."""
    log = open(WORK / "last.log", "w")
    environment = dict(os.environ, CARGO_TARGET_DIR=str(WORK / "build"), PI_MUTANTS_BUILD=str(WORK / "build" / "debug"))
    process = subprocess.Popen(
        ["bash", "-euc", command], cwd=TREE, env=environment, stdout=log, stderr=log,
        stdin=subprocess.DEVNULL, start_new_session=True,
    )
    try:
        return process.wait(timeout=limit) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def tests(crate):
    """The quick tests, and those that run only where the quick ones pass."""
    return [crate["test"]] + ([crate["slow"]] if "slow" in crate else [])


def outcome(crate, mutant, limit):
    file = TREE / mutant["file"]
    original = file.read_text()
    file.write_text(changed(original, mutant))
    try:
        if not run(crate["build"], 1200):
            return "does not compile"
        for test in tests(crate):
            passed = run(test, limit)
            if not passed:
                return "caught: too slow" if passed is None else "caught"
        return "MISSED"
    finally:
        file.write_text(original)


def reason_for(survivor, reasons):
    for known in reasons:
        if known["file"] == survivor["file"] and known["change"] in survivor["name"]:
            return known["reason"]
    return None


def run_crate(crate, sample, reasons):
    """Runs one crate's sample. Returns its row of the table."""
    start = time.monotonic()
    print(f"\n{crate['name']}: {len(sample)} changes; first its tests without a change", flush=True)
    if not all(run(command, 3600) for command in [crate["build"], *tests(crate)]):
        raise CannotRun(f"the tests of {crate['name']} fail without a change: see {WORK / 'last.log'}")
    limit = 60 + 3 * (time.monotonic() - start)
    count, survivors = collections.Counter(), []
    for number, mutant in enumerate(sample, 1):
        result = outcome(crate, mutant, limit)
        count[result.split(":")[0]] += 1
        print(f"{number:4} of {len(sample)}  {result:17} {mutant['name']}", flush=True)
        if result == "MISSED":
            reason = reason_for(mutant, reasons)
            survivors.append({"name": mutant["name"], "reason": reason})
    tested = count["caught"] + count["MISSED"]
    return {
        "crate": crate["name"],
        "caught": count["caught"],
        "missed": count["MISSED"],
        "does not compile": count["does not compile"],
        "rate": count["caught"] / tested if tested else 1.0,
        "seconds": round(time.monotonic() - start),
        "survivors": survivors,
    }


def print_table(rows, seed):
    print(f"\nseed {seed}\n\n| crate | caught | missed | does not compile | caught of tested | seconds |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        print(
            f"| {row['crate']} | {row['caught']} | {row['missed']} | {row['does not compile']} "
            f"| {row['rate']:.0%} | {row['seconds']} |"
        )
    for row in rows:
        for survivor in row["survivors"]:
            print(f"missed: {survivor['name']}\n    {survivor['reason'] or 'no reason is known: write a test'}")


def part(text):
    number, parts = map(int, text.split("/"))
    if not 1 <= number <= parts:
        raise ValueError
    return number, parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=int(datetime.date.today().strftime("%Y%m%d")))
    parser.add_argument("--sample", type=int, default=400, help="changes in all, shared equally by the crates")
    parser.add_argument("--crate", action="append", help="only this crate (repeatable)")
    parser.add_argument(
        "--part", type=part, default=(1, 1), metavar="I/N", help="only part I of N of the sample, for N machines at once"
    )
    parser.add_argument("--list", action="store_true", help="print the sample, run nothing")
    parser.add_argument("--json", type=pathlib.Path, help="also write the rows to this file")
    arguments = parser.parse_args()

    config = tomllib.loads((HERE / "mutants.toml").read_text())
    crates = [crate for crate in config["crate"] if not arguments.crate or crate["name"] in arguments.crate]
    if not crates:
        raise CannotRun(f"mutants.toml has no such crate; it has {[crate['name'] for crate in config['crate']]}")
    WORK.mkdir(parents=True, exist_ok=True)
    copy_of_the_last_commit()
    rows = []
    for crate in crates:
        mutants = all_mutants(crate)
        chosen = random.Random(f"{arguments.seed} {crate['name']}")
        sample = chosen.sample(mutants, min(len(mutants), -(-arguments.sample // len(crates))))
        number, parts = arguments.part
        sample = sample[number - 1 :: parts]
        if arguments.list:
            print("\n".join(mutant["name"] for mutant in sample))
            continue
        rows.append(run_crate(crate, sample, config.get("survivor", [])))
    if arguments.list:
        return 0
    print_table(rows, arguments.seed)
    if arguments.json:
        arguments.json.write_text(json.dumps({"seed": arguments.seed, "rows": rows}, indent=1) + "\n")
    return 0 if all(row["rate"] >= GOAL for row in rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CannotRun, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
