"""The documents: their code prints what they show, their links lead somewhere, no public name is missing."""

import ast
import doctest
import inspect
import re
import sys
import tomllib

import pytest

import autograph
import runtime
from autograph import dispatch
from docs import reference
from docs.__main__ import sources
from tests.documents import ROOT, Document, blocks, prose

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A place for the files of a document; what it has changed for all is put back."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    before = set(sys.modules)
    backends, numbers = list(dispatch._types), (dispatch.active, dispatch.lasting)
    yield tmp_path
    dispatch._types[:], (dispatch.active, dispatch.lasting) = backends, numbers
    dispatch._known.clear()
    autograph.rules.forget()
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_code_of_a_document_runs(path, folder):
    runtime.keras.backend.clear_session()  # which a reader's Python has not begun yet
    Document(path, folder).run()


def backends():
    """The classes in documents that have the methods of a backend: what they need to run may not be installed."""
    for path in PAGES:
        for block in blocks(path.read_text()):
            if block.language == "python" and "def is_staged" in block.text:
                for node in ast.walk(ast.parse(block.text)):
                    if isinstance(node, ast.ClassDef) and any(getattr(d, "name", "") == "is_staged" for d in node.body):
                        yield pytest.param(node, id=f"{path.stem}:{node.name}")


@pytest.mark.parametrize("written", [*backends()])
def test_backends_in_documents_take_what_they_are_given(written):
    for definition in written.body:
        if isinstance(definition, ast.FunctionDef) and hasattr(autograph.Backend, definition.name):
            wanted = inspect.signature(getattr(autograph.Backend, definition.name)).parameters
            assert [argument.arg for argument in definition.args.args] == [*wanted], definition.name


SITE = sources()


def anchors(text):
    """What a link can name in a page: its headings, as Sphinx and GitHub do, and its marks."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^(```+).*?^\1 *$", "", text, flags=re.S | re.M), re.M)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r"^\(([\w.-]+)\)=$", text, re.M))


def resolved(page, target):
    """The path of the page that a link in another leads to."""
    parts = page.split("/")[:-1]
    for step in target.split("/"):
        parts = parts[:-1] if step == ".." else parts if step == "." else [*parts, step]
    return "/".join(parts)


MADE = {"benchmarks/report.html"}  # by a command


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_files_of_which_a_document_tells_are_there(path):
    named = re.findall(
        r"`((?:autograph|benchmarks|docs|runtime|samples|tests)/[\w./]*)`", path.read_text(encoding="utf-8")
    )
    assert [name for name in named if "NAME" not in name and not (name in MADE or (ROOT / name).exists())] == []


def links(text):
    found = re.findall(r"\]\(([^()\s]+)\)", prose(text))
    return [link for link in found if not re.match(r"\w+://|mailto:", link)]


@pytest.mark.parametrize("page", SITE)
def test_links_lead_somewhere(page):
    for link in links(SITE[page]):
        target, _, anchor = link.partition("#")
        path = resolved(page, target) if target else page
        assert path in SITE, f"{page} links to {link}"
        assert not anchor or anchor in anchors(SITE[path]), f"{page} links to {link}"


def test_links_of_the_readme_lead_somewhere():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for link in links(text):
        target, _, anchor = link.partition("#")
        assert (ROOT / target).exists(), link
        assert not anchor or anchor in anchors((ROOT / target).read_text(encoding="utf-8") if target else text), link


@pytest.mark.parametrize("page", SITE)
def test_each_page_is_in_a_table_of_contents(page):
    listed = set()
    for other, text in SITE.items():
        for tree in re.findall(r"^```{toctree}\n(.*?)^```", text, re.S | re.M):
            entries = [re.sub(r".*<(.*)>", r"\1", line) for line in tree.splitlines() if line and line[0] != ":"]
            listed |= {resolved(other, entry.removesuffix(".md")) + ".md" for entry in entries}
    assert page == "index.md" or page in listed


@pytest.mark.parametrize("module", reference.PAGES)
def test_every_public_name_is_in_the_reference(module):
    text = SITE[f"reference/{module}.md"]
    for name in reference.public_names(module):
        full = f"{module}.{name}"
        assert re.search(rf"`{re.escape(full)}( <|`).* \| \S.* \|$", text, re.M), (
            f"{full} is in no table, or without a word"
        )
    for full in re.findall(r"{py:obj}`\S+ <(\S+)>`", text):
        home = SITE[f"reference/{full.rpartition('.')[0]}.md"]
        assert re.search(rf"^:+{{py:\w+}} {re.escape(full)}(\(|$)", home, re.M), f"{full} has no entry"


def test_the_version_is_one():
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert autograph.__version__ == runtime.__version__ == stated


def test_what_makes_the_reference_does_what_it_says():
    assert doctest.testmod(reference).failed == 0


def test_pages_are_built_of_what_there_is():
    for page, text in SITE.items():
        assert "<!--" not in re.sub(r"<!-- (end of )?benchmarks -->", "", text), page
