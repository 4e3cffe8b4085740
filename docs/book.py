"""Builds the book of the documentation: docs/book.py MDBOOK OUT. `cargo xtask docs` runs it.

The book has the pages of docs/SUMMARY.md, under the paths that they have in the repository, so that their links work in both. Links to
sources lead to the repository. The reference of the C API is generated from the headers. A broken link is an error.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/sycl-pi/sycl-pi/blob/main/"
LINK = re.compile(r"(?<!\\)(\]\()([^)\s]+)(\))")
CONFIG = """[book]
title = "sycl-pi"
authors = ["The sycl-pi developers"]
language = "en"
src = "src"

[output.html]
git-repository-url = "https://github.com/sycl-pi/sycl-pi"
default-theme = "light"
preferred-dark-theme = "navy"

[output.html.search]
limit-results = 20
"""


def pages():
    """The pages of the summary, from the root."""
    text = (ROOT / "docs/SUMMARY.md").read_text()
    return [target for _, target, _ in LINK.findall(text)]


def anchors(text):
    """The anchors of a page, as GitHub and mdBook make them from its headings."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


def with_links(page, text, known, problems):
    """The page's text with links to sources led to the repository."""

    def link(found):
        target, _, anchor = found[2].partition("#")
        if re.match(r"[a-z]+:", found[2]):
            return found[0]
        path = (ROOT / page).parent / target if target else ROOT / page
        path = pathlib.Path(path).resolve()
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else target
        if name not in known and not path.exists():
            problems.append(f"{page}: {found[2]} leads nowhere")
        elif anchor and name in known and anchor not in anchors(known[name]):
            problems.append(f"{page}: {found[2]}: there is no such heading")
        elif name == "README.md":
            # mdBook makes it the book's front page.
            up = "../" * page.count("/")
            return f"{found[1]}{up}index.html{'#' + anchor if anchor else ''}{found[3]}"
        elif name not in known and path.suffix not in (".png", ".svg"):
            return f"{found[1]}{REPOSITORY}{name}{found[3]}"
        return found[0]

    return LINK.sub(link, text)


def escaped(text):
    """Comments of C as text of Markdown."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([<>*_\[\]])", r"\\\1", p) for p in parts)


def comment(lines):
    """The text of a comment in C, without its marks."""
    text = "\n".join(lines).strip()
    text = re.sub(r"^/\*+ ?|\s*\*/$", "", text)
    return "\n".join(re.sub(r"^\s*(///|\*) ?", "", line) for line in text.splitlines()).strip()


def declarations(header, first):
    """Declarations whose first line begins so, with the comments before them: pairs of texts."""
    lines, at, said = header.splitlines(), 0, []
    while at < len(lines):
        line = lines[at]
        if line.startswith("/*") or line.startswith("///"):
            start = at
            if line.startswith("/*"):
                while "*/" not in lines[at]:
                    at += 1
            else:
                while lines[at + 1].startswith("///"):
                    at += 1
            said = lines[start : at + 1]
        elif not re.match(first, line):
            said = []
        else:
            start, depth = at, 0
            while True:
                depth += lines[at].count("{") - lines[at].count("}")
                code = re.sub(r"/\*.*?\*/|//.*", "", lines[at]).rstrip()
                if depth == 0 and code.endswith(";"):
                    break
                at += 1
            yield comment(said), "\n".join(lines[start : at + 1])
            said = []
        at += 1


def name_of(code):
    """What a declaration declares."""
    function = re.search(r"(\w+)\s*\(", code)
    if function and not code.startswith(("typedef", "enum", "struct")):
        return function[1]
    return re.search(r"(\w+)\s*;\s*$", code)[1] if code.startswith("typedef") else code.split()[1]


def introduction(text):
    """A header's first comment as paragraphs. What is indented in it is code; a single word at the start is a heading."""
    paragraphs = [textwrap.dedent(part) if part.startswith("    ") else part for part in text.split("\n\n")]
    code = [part.startswith("    ") for part in text.split("\n\n")]
    head = re.compile(r"^(\w+)\. ")
    page = re.compile(r"docs/guide/(\w+)\.md")
    prose = lambda part: page.sub(r"[\g<0>](../guide/\1.md)", head.sub(r"**\1.** ", escaped(part)))
    return "\n\n".join(f"```c\n{part}\n```" if is_code else prose(part) for part, is_code in zip(paragraphs, code))


def reference(file, title, first):
    """A page with each declaration of a header whose first line begins so."""
    header = (ROOT / file).read_text()
    head = comment(re.match(r"/\*.*?\*/", header, flags=re.S)[0].splitlines())
    out = [f"# {title}\n", f"Made from [{pathlib.Path(file).name}]({REPOSITORY}{file}).\n", introduction(head) + "\n"]
    for text, code in declarations(header, first):
        out.append(f"## {name_of(code)}\n\n{escaped(text)}\n\n```c\n{code}\n```\n")
    return "\n".join(out)


def generated():
    """Pages that no file has."""
    runtime = reference("include/pi/pi_runtime.h", "C API of the runtime", r"typedef struct \w+ \{|enum|(const )?\w+ \*?\w+\(")
    pi = reference("include/pi/pi.h", "Functions of the Plugin Interface", r"extern \w")
    return {"docs/reference/pi_runtime.md": runtime, "docs/reference/pi.md": pi}


def main(mdbook, out):
    out = pathlib.Path(out).resolve()
    known = generated()
    for page in pages():
        if page not in known:
            known[page] = (ROOT / page).read_text()
    problems, source = [], out / "src"
    shutil.rmtree(out, ignore_errors=True)
    for page, text in known.items():
        file = source / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(with_links(page, text, known, problems))
    for picture in [*ROOT.glob("docs/*.png"), *ROOT.glob("docs/reports/*.svg")]:
        file = source / picture.relative_to(ROOT)
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, file)
    (source / "SUMMARY.md").write_text((ROOT / "docs/SUMMARY.md").read_text())
    (out / "book.toml").write_text(CONFIG)
    # Guides that the book leaves out are pages too, but readers would not find them.
    for guide in sorted([*ROOT.glob("docs/guide/*.md"), *ROOT.glob("docs/reports/*.md")]):
        if guide.relative_to(ROOT).as_posix() not in known:
            problems.append(f"docs/SUMMARY.md lacks {guide.relative_to(ROOT)}")
    if problems:
        sys.exit("\n".join(problems))
    subprocess.run([mdbook, "build", str(out), "--dest-dir", str(out / "html")], check=True)
    print(f"{len(known)} pages: {out / 'html' / 'index.html'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
