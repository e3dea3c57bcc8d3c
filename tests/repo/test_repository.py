"""Tests of the repository itself: what must hold in every file."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from processors.kernel.settlement import FAMILIES

ROOT = Path(__file__).parent.parent.parent
OURS = ("schemas", "events", "processors", "pipelines", "console")
SOURCES = sorted(path for package in OURS for path in (ROOT / package).rglob("*.py"))
PYTHON = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))]
TEXT_SUFFIXES = {
    ".py",
    ".md",
    ".toml",
    ".yaml",
    ".yml",
    ".json",
    ".avsc",
    ".sh",
    ".lock",
    ".html",
    ".sql",
    ".jinja",
    ".xml",
    "",
}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("package", OURS)
def test_no_other_installed_distribution_owns_a_package_of_ours(package: str) -> None:
    owners = set(metadata.packages_distributions().get(package, ()))
    assert owners <= {"roundaudit"}, f"{owners - {'roundaudit'}} also installs a package {package!r}: uninstall it"


def test_the_packages_are_listed_by_name_and_are_all_there_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    found = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert sorted(listed) == sorted(found) == sorted(OURS)
    assert "Private :: Do Not Upload" in project["project"]["classifiers"]


def test_the_lock_names_packages_and_versions_and_nothing_else() -> None:
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!_-]+", line), line


def test_every_dependency_is_in_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    names = {re.split(r"[><=~! ]", requirement)[0].lower().replace("_", "-") for requirement in wanted}
    locked = {
        line.split("==")[0].lower().replace("_", "-") for line in (ROOT / "requirements.lock").read_text().splitlines()
    }
    assert names <= locked, f"missing in requirements.lock: {sorted(names - locked)}"


# dealers draw their chances as floats; they are no money
FLOAT_ALLOWED = re.compile(r"^(pipelines|console)/|/dealer\w*\.py$|^processors/kernel/dealing\.py$")


@pytest.mark.parametrize("path", [p for p in SOURCES if not FLOAT_ALLOWED.search(relative(p))], ids=relative)
def test_nothing_that_decides_money_knows_a_float(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        where = f"{relative(path)}:{getattr(node, 'lineno', 0)}"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), f"{where}: a float"
        assert not (isinstance(node, ast.Name) and node.id in ("float", "Decimal")), f"{where}: {ast.dump(node)}"
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and _is_amount(node)), (
            f"{where}: money is divided in processors.kernel.money.divide alone"
        )


def _is_amount(node: ast.BinOp) -> bool:
    return any(isinstance(n, ast.Attribute | ast.Name) and ast.unparse(n).endswith("_minor") for n in ast.walk(node))


def test_amounts_outside_are_no_floats_either() -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target).endswith("_minor"):
                assert "float" not in ast.unparse(node.annotation), f"{relative(path)}:{node.lineno}"


def test_every_ignore_has_its_reason_beside_it() -> None:
    mark = re.compile(r"#\s*(type: ignore|noqa)(\[[^\]]*\]|: ?[A-Z0-9, ]+)?(?P<rest>.*)")
    for path in PYTHON:
        if path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = mark.search(line)
            if found:
                assert found[2], f"{relative(path)}:{number}: say which rule is ignored"
                assert len(found["rest"].strip(" #")) > 5, f"{relative(path)}:{number}: say why"


def test_public_names_are_documented() -> None:
    missing = []
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if path.stat().st_size and ast.get_docstring(tree) is None:
            missing.append(relative(path))
        for node in tree.body:
            public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            if public and ast.get_docstring(node) is None:
                missing.append(f"{relative(path)}:{node.lineno} {node.name}")
    assert missing == []


def test_every_kind_of_discrepancy_is_in_the_glossary() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    missing = [kind for kinds in FAMILIES.values() for kind in sorted(kinds) if f"`{kind}`" not in glossary]
    assert missing == []


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


def test_no_file_names_a_folder_of_one_machine_or_a_registry() -> None:
    pattern = re.compile("/" + r"work/|/root/|/home/\w+/|index-url|pypi\.org/simple|registry\.npmjs")
    for path in _tracked():
        if path.suffix in TEXT_SUFFIXES and path != Path(__file__):
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                assert not pattern.search(line), f"{relative(path)}:{number}: {line.strip()[:80]}"


def _tracked() -> list[Path]:
    skipped = {".git", ".venv", "dist", "demo", "__pycache__", ".cache", "roundaudit-data", "node_modules"}
    found = []
    for path in sorted(ROOT.rglob("*")):
        parts = set(path.relative_to(ROOT).parts)
        if path.is_file() and not parts & skipped and not any(p.startswith(".") and p != ".ci" for p in parts):
            found.append(path)
    return found
