#!/usr/bin/env python3
"""Make each change of the files below by itself, and check whether the test that is named for it notices.

    python3 testing/mutants/changes.py                      every change
    python3 testing/mutants/changes.py --only closure       changes whose statement, file or test has this text
    python3 testing/mutants/changes.py --untried            changes that are marked so
    python3 testing/mutants/changes.py --list               print them, run nothing
    python3 testing/mutants/changes.py --page               write docs/reports/design-statements.md
    python3 testing/mutants/changes.py --check              the page is current, each change fits its file, each test exists

A row is a statement, a change of the code that breaks it, and the test that has to fail then. Statements of the design
documents are in changes.toml. Changes that a reviewer once made without any test noticing are in survivors.toml.
Changes chosen by nine readers who had not seen the tests are in reader.toml and reader2.toml to reader9.toml. The
changes are made in a copy of the last commit. Before the first one, all named tests run without a change: a row whose
test fails then proves nothing. `cargo xtask test` makes the drivers that they need.

Exit code 0: every change is noticed by its test. 1: some are not. 2: it could not run.
"""

import argparse
import collections
import json
import pathlib
import re
import sys
import tomllib

import mutants

PAGE = mutants.ROOT / "docs/reports/design-statements.md"
READERS = ("reader.toml", *(f"reader{number}.toml" for number in range(2, 10)))
HEAD = """# Statements of the design documents, and their tests

Each row is a statement of a document that this project follows, in our words, and the test that fails when the code stops
keeping it. `python3 testing/mutants/changes.py` breaks each statement in turn, and watches the test fail. It also
writes this page, from `testing/mutants/changes.toml`, `survivors.toml` and `reader.toml` to `reader9.toml`;
`cargo xtask check statements` holds them together.
"""


TABLE = "| statement | test |"
AUDIT = """## What a review broke unnoticed

A reviewer once changed the code by hand, and no test noticed these changes. Each is made again, and watched in the same way.
"""
READER = """## What nine readers changed

Nine readers who had not seen the tests chose changes that would hurt a user. Each is made again, and watched in the same way. Most
were noticed at first. For those marked "new", the test was written because nothing had noticed.
"""


def load():
    """The rows of all files, and the changes that change nothing."""
    config = tomllib.loads((mutants.HERE / "changes.toml").read_text())
    survivors = tomllib.loads((mutants.HERE / "survivors.toml").read_text())
    config["change"] += survivors["change"]
    for name in READERS:
        reader = tomllib.loads((mutants.HERE / name).read_text())
        config["change"] += reader["change"]
        config["runner"] |= reader.get("runner", {})
    config["equivalent"] = survivors.get("equivalent", [])
    return config


def changed(change, root):
    """The file's text after the change, or None where the old text does not stand in it exactly once."""
    text = (root / change["file"]).read_text()
    return text.replace(change["from"], change["to"]) if text.count(change["from"]) == 1 else None


def table(head, rows):
    """A table of two columns."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return [head, "| --- | --- |", *(f"| {left} | {right} |" for left, right in cells), ""]


def page(config):
    """The page's text."""
    documents, audit, reader = collections.defaultdict(list), [], []
    for change in (change for change in config["change"] if not change.get("untried")):
        row = (change["statement"], f"`{change['test']}`")
        if "document" in change:
            documents[change["document"]].append(row)
        if change.get("audit"):
            audit.append(row)
        if change.get("reader"):
            reader.append((row[0], row[1] + (" (new)" if change.get("after") else "")))
    lines = [HEAD]
    for document, rows in documents.items():
        lines += [f"## {document}", "", *table(TABLE, rows)]
    lines += [AUDIT, *table(TABLE, audit), "No test can notice these:", ""]
    lines += table("| change | why |", [(one["change"], one["reason"]) for one in config["equivalent"]])
    lines += [READER, *table(TABLE, reader)]
    return "\n".join(lines)


def names_of_tests(root):
    """Every name that a test may have: a function's, or a text's last word, as tests in tables have it."""
    folders = ("pi-core", "ur-core", "lib", "math", "plugins", "runtime", "tools", "testing")
    names = set()
    for file in (file for folder in folders for kind in ("*.rs", "*.py") for file in (root / folder).rglob(kind)):
        text = file.read_text(errors="replace")
        names.update(re.findall(r"\b(?:fn|def) (\w+)", text), re.findall(r"(?:[\"`]|::)([\w-]+)[\"`]", text))
    return names | {file.stem for file in (root / "ctests").glob("*.cpp")}


def findings(config, root):
    """What keeps the rows and the tree from fitting together, a line each."""
    found = []
    names = names_of_tests(root)
    for change in config["change"]:
        what = f"{change['file']}: {change['statement']}"
        if not (root / change["file"]).exists():
            found.append(f"{what}: there is no such file")
        elif changed(change, root) is None:
            found.append(f"{what}: the text to change does not stand in the file exactly once")
        if change["runner"] not in config["runner"]:
            found.append(f"{what}: there is no runner {change['runner']}")
        name = change["test"]
        if name.split("::")[-1] not in names:
            found.append(f"{what}: no test is called {name}")
    if not PAGE.exists() or PAGE.read_text() != page(config):
        found.append(f"{PAGE.relative_to(mutants.ROOT)} is not current: python3 testing/mutants/changes.py --page")
    return found


def command(runner, test):
    return runner["test"].replace("{test}", test)


def passed_some(log):
    """Whether the log counts a test that passed: a filter that fits nothing would pass too."""
    return re.search(r"\b[1-9]\d* passed", log) is not None


def notices(config, change):
    """What happens under a change: "noticed", or why it was not."""
    runner = config["runner"][change["runner"]]
    file = mutants.TREE / change["file"]
    original = file.read_text()
    new = changed(change, mutants.TREE)
    if new is None:
        return "does not fit its file"
    file.write_text(new)
    try:
        if not mutants.run(runner["build"], 2400):
            return "does not compile"
        passed = mutants.run(command(runner, change["test"]), 900)
        if passed is None:
            return "noticed: too slow"
        return "MISSED" if passed else "noticed"
    finally:
        file.write_text(original)


def fail_unchanged(config, changes):
    """Builds everything, and runs every named test on the code as it is: those that fail, with their runners."""
    for runner in dict.fromkeys(change["runner"] for change in changes):
        print(f"building for {runner}", flush=True)
        if not mutants.run(config["runner"][runner]["build"], 3600):
            raise mutants.CannotRun(f"the tests of {runner} do not build: see {mutants.WORK / 'last.log'}")
    failing = set()
    for runner, test in dict.fromkeys((change["runner"], change["test"]) for change in changes):
        passed = mutants.run(command(config["runner"][runner], test), 900)
        log = (mutants.WORK / "last.log").read_text(errors="replace")
        if not passed or not passed_some(log):
            failing.add((runner, test))
            print(f"without a change, {test} ({runner}) fails or does not run:\n{log[-2000:]}", flush=True)
    return failing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="TEXT", help="only changes whose statement, document, file or test has this text")
    parser.add_argument("--untried", action="store_true", help="only changes that are marked as untried")
    parser.add_argument("--list", action="store_true", help="print the changes, run nothing")
    parser.add_argument("--page", action="store_true", help="write the page of statements, run nothing")
    parser.add_argument("--check", action="store_true", help="compare the rows with the tree, run nothing")
    parser.add_argument("--json", type=pathlib.Path, help="also write the results to this file")
    arguments = parser.parse_args()

    config = load()
    if arguments.page:
        PAGE.write_text(page(config))
        return 0
    if arguments.check:
        found = findings(config, mutants.ROOT)
        print("\n".join(found), end="\n" if found else "")
        return 1 if found else 0
    changes = config["change"]
    if arguments.only:
        fields = ("statement", "document", "file", "test")
        changes = [one for one in changes if any(arguments.only in one.get(field, "") for field in fields)]
    if arguments.untried:
        changes = [one for one in changes if one.get("untried")]
    if not changes:
        raise mutants.CannotRun("no change fits")
    if arguments.list:
        for change in changes:
            print(f"{change.get('document', 'review')}: {change['statement']}\n    {change['file']}: {change['test']}")
        return 0
    mutants.WORK.mkdir(parents=True, exist_ok=True)
    mutants.copy_of_the_last_commit()
    failing = fail_unchanged(config, changes)
    results = []
    for number, change in enumerate(changes, 1):
        is_failing = (change["runner"], change["test"]) in failing
        result = "fails without" if is_failing else notices(config, change)
        print(f"{number:4} of {len(changes)}  {result:22} {change['statement']}", flush=True)
        results.append({"result": result, **change})
    noticed = sum(one["result"].startswith("noticed") for one in results)
    print(f"{noticed} passed, {len(results) - noticed} failed")
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    return 0 if noticed == len(results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (mutants.CannotRun, OSError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
