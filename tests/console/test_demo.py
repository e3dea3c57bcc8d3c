"""The demo as a newcomer runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.simulate import answer_key


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from console.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env={**os.environ, "COLUMNS": "120"})


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("demo")
    return folder, run(folder, "demo", "--rounds", "300", "--tables", "5")


def test_the_demo_finds_every_planted_mistake_and_invents_none(
    shown: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    _, done = shown
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4. Against the answer key: 54 of 54 planted mistakes found, 0 invented." in done.stdout  # 0.18 of 300
    assert done.stderr == ""


def test_the_demo_says_where_the_report_is_and_what_to_do_next(
    shown: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, done = shown
    page = re.search(r"As a page: (\S+\.html)", done.stdout)
    assert page is not None
    assert "Discrepancy report" in (folder / page[1]).read_text()
    assert "roundaudit rounds --data demo --table" in done.stdout


def test_the_demo_again_starts_from_a_fresh_folder(shown: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, _ = shown
    before = answer_key.read(folder / "demo" / answer_key.FILE_NAME)
    done = run(folder, "demo", "--rounds", "300", "--tables", "5", "--seed", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert answer_key.read(folder / "demo" / answer_key.FILE_NAME) != before


def test_the_demo_leaves_a_folder_alone_that_it_did_not_make(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "thesis.txt").write_text("years of work")
    done = run(tmp_path, "demo")
    assert done.returncode == 2
    assert done.stderr == (
        "roundaudit: demo: not made by a simulation (no simulation.json), so it is left alone. Name another folder.\n"
    )
    assert (tmp_path / "demo" / "thesis.txt").read_text() == "years of work"


def test_a_demo_that_misses_a_mistake_says_which_and_exits_1(tmp_path: Path) -> None:
    # the planter is told to plant and the auditor to find nothing in the payout family
    code = "import processors.replay as replay; replay.compare = lambda *a, **k: (); from console.cli import main; main()"
    command = [sys.executable, "-c", code, "demo", "--rounds", "300", "--tables", "5"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert "   missing: " in done.stdout
