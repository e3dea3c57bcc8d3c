"""Runs the pages of docs that say how something is added, block by block, so that they cannot rot.

A block `file=NAME` is written to that file, a block `sh` is run, a block `sh fails` must fail, and each line of a block
`text` must stand in what the last command printed or in a file that it made.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from console.cli import app
from processors import rulebook

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(r"^```(?P<kind>\w+)(?P<rest>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PACKAGES = ("schemas", "events", "processors", "pipelines", "console")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the product with a command `roundaudit` that runs it."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    command = tmp_path / "bin" / "roundaudit"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from console.cli import main; main()" "$@"\n')
    command.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("page", ["add-a-paytable.md", "add-a-game.md"])
def test_a_page_does_what_it_says(page: str, checkout: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PATH": f"{checkout / 'bin'}:{os.environ['PATH']}"}
    printed = ""
    for block in BLOCK.finditer((ROOT / "docs" / page).read_text(encoding="utf-8")):
        kind, rest, body = block["kind"], block["rest"].strip(), block["body"]
        if rest.startswith("file="):
            path = checkout / rest.removeprefix("file=")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")
        elif kind == "sh":
            before = set(checkout.rglob("*.yaml"))
            done = subprocess.run(
                ["bash", "-euc", body], cwd=checkout, env=environment, capture_output=True, text=True, timeout=120
            )
            assert (done.returncode != 0) == (rest == "fails"), done.stdout + done.stderr
            assert "Traceback" not in done.stderr
            made = [path.read_text(encoding="utf-8") for path in checkout.rglob("*.yaml") if path not in before]
            printed = "\n".join([done.stdout, done.stderr, *made])
        elif kind == "text":
            for line in body.splitlines():
                assert line.strip() in printed, f"{line!r} is not in:\n{printed}"


def test_pages_that_the_readme_names_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_commands_that_the_readme_names_exist() -> None:
    known = {command.name for command in app.registered_commands} | {group.name for group in app.registered_groups}
    for page in ("README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))):
        for command in re.findall(r"roundaudit ([a-z]+)\b", (ROOT / page).read_text(encoding="utf-8")):
            if command not in ("is", "replays"):
                assert command in known, f"{page}: roundaudit {command}"


def test_every_game_says_what_it_follows() -> None:
    for name, game in rulebook.load().games.items():
        readme = ROOT / "processors" / "games" / name / "README.md"
        assert readme.is_file(), f"{name} has no README.md"
        text = readme.read_text(encoding="utf-8")
        for jurisdiction in game.rules:
            assert jurisdiction in text, f"{name}: {jurisdiction}"
