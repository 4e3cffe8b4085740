"""The origin of the shipped files: the licences of their crates, and a bill of materials of each package in CycloneDX."""

import collections
import json
import os
import pathlib
import shutil
import tempfile

import build
import xtask

CYCLONEDX = ("cargo-cyclonedx", "0.5.9")
LICENCES = build.PARTS / "THIRD-PARTY-LICENCES.txt"
BILLS = build.PARTS / "sboms"
LICENCE_NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT")


def bill(package):
    return BILLS / f"{package}.cdx.json"


def write_licences():
    """Each text once, with the crates that it is the licence of."""
    tree = build.cargo("tree", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--no-dedupe", *build.PACKAGES)
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    everything = json.loads(build.cargo("metadata", "--format-version", "1"))["packages"]
    crates = [one for one in everything if one["source"] and (one["name"], f"v{one['version']}") in linked]
    if not crates:
        raise xtask.CannotRun("the output of `cargo tree` was not understood")
    texts, listed = collections.defaultdict(list), ""
    for one in crates:
        title = f"{one['name']} {one['version']}"
        if not one["license"]:
            raise xtask.CannotRun(f"{title} names no licence")
        listed += f"{title}: {one['license']}\n"
        for file in sorted(pathlib.Path(one["manifest_path"]).parent.iterdir()):
            if file.is_file() and file.name.upper().startswith(LICENCE_NAMES):
                texts[file.read_text(errors="replace")].append(title)
    line = "=" * 100
    out = f"The libraries and programs of sycl-pi are made of these crates besides its own. Their licences follow.\n\n{listed}"
    for text, titles in sorted(texts.items()):
        out += f"\n{line}\n{', '.join(titles)}\n{line}\n\n{text.rstrip()}\n"
    LICENCES.write_text(out)


def write_bills():
    tool = build.cargo_tool(*CYCLONEDX)
    build.fresh(BILLS)
    folders = {one["name"]: pathlib.Path(one["manifest_path"]).parent for one in build.workspace()}
    with xtask.Step("writing bills of materials"), tempfile.TemporaryDirectory(dir=build.PARTS) as scratch:
        # The program writes beside each Cargo.toml, so it gets a copy of the sources.
        for name in xtask.output(["git", "ls-files", "-z", "*.rs", "*Cargo.toml", "Cargo.lock"], cwd=xtask.ROOT).split("\0")[:-1]:
            (pathlib.Path(scratch) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(xtask.ROOT / name, f"{scratch}/{name}")
        words = ["cyclonedx", "--format", "json", "--target", build.TRIPLE, "--override-filename", "bill"]
        xtask.output([tool, *words], cwd=scratch, env={**os.environ, **build.EPOCH})
        for package in build.SHIPPED:
            written = pathlib.Path(scratch) / folders[package].relative_to(xtask.ROOT) / "bill.json"
            # Paths of this machine mean nothing elsewhere.
            text = written.read_text().replace(scratch, "")
            if str(xtask.ROOT) in text:
                raise xtask.CannotRun(f"the bill of {package} names this machine's folders")
            bill(package).write_text(text)
