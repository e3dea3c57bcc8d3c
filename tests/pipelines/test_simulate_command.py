"""`roundaudit simulate` as it is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from pipelines.simulate import answer_key, written


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from console.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_it_writes_a_log_a_key_and_what_was_simulated(tmp_path: Path) -> None:
    folder = tmp_path / "day"
    done = run("simulate", "--tables", "2", "--rounds", "40", "--seed", "3", "--mistakes", "0.25", "--out", str(folder))
    assert (done.returncode, done.stderr) == (0, "")  # and no progress bar in a pipe
    assert "10 rounds with a planted mistake" in done.stdout  # a quarter of 40
    said = json.loads((folder / written.MARKER).read_text())
    assert (said["complete"], said["rounds"], sum(said["mistakes"].values())) == (True, 40, 10)
    assert len({line.round_id for line in answer_key.read(folder / answer_key.FILE_NAME)}) == 10
    assert (folder / written.ARCHIVE / "archive.json").exists()


def test_its_script_can_be_ingested(tmp_path: Path) -> None:
    folder = tmp_path / "day"
    run("simulate", "--tables", "2", "--rounds", "40", "--mistakes", "0.5", "--out", str(folder), "--json-lines")
    events = json.loads((folder / written.MARKER).read_text())["events"]
    done = run("ingest", str(folder / written.JSON_LINES), "--to", str(tmp_path / "copy"))
    assert done.returncode == 0, done.stderr
    assert f"{events:,} events taken, 0 bad lines" in done.stdout


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = run("simulate", "--out", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == f"roundaudit: {tmp_path}: there is something here already. Name a new folder.\n"


def test_no_game_at_all_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    done = run("simulate", "--games", " ,", "--out", str(tmp_path / "day"))
    assert done.returncode == 2
    assert done.stderr == "roundaudit: --games: no game is named. Name one or more with commas, as blackjack,craps.\n"
    assert not (tmp_path / "day").exists()


def test_a_game_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    done = run("simulate", "--games", "roulette", "--out", str(tmp_path / "day"))
    assert done.returncode == 2
    assert done.stderr.startswith("roundaudit: --games: no game 'roulette' that can be dealt. Choose from ")
    assert len(done.stderr.splitlines()) == 1
