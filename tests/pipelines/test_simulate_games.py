"""The real games, dealt, written to the log, audited from it: the answer key is reproduced exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from events.archive import Archive
from events.errors import BadInput
from events.model import Event, RoundOpened
from pipelines.simulate import answer_key, written
from pipelines.simulate.answer_key import compare
from pipelines.simulate.floor import Plan, Simulation
from processors import rulebook
from processors.kernel.settlement import Discrepancy
from processors.replay import audit_round
from processors.rulebook import Rulebook

SEEDS = range(1, 21)
PLAN = Plan(tables=5, rounds=150, mistakes=0.5)


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return rulebook.load()


def audited(folder: Path, book: Rulebook) -> list[Discrepancy]:
    """What the audit finds in the rounds of the archive in a folder."""
    rounds: dict[str, list[Event]] = defaultdict(list)
    archive = Archive(folder / written.ARCHIVE)
    for partition in archive.end_offsets():
        for entry in archive.read(partition):
            assert entry.event is not None
            rounds[entry.event.round_id].append(entry.event)
    return [found for events in rounds.values() for found in audit_round(events, book).discrepancies]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_planted_mistake_is_found_and_none_is_invented(seed: int, book: Rulebook, tmp_path: Path) -> None:
    written.write(Simulation(PLAN._replace(seed=seed)), tmp_path)
    key = answer_key.read(tmp_path / answer_key.FILE_NAME)
    comparison = compare(audited(tmp_path, book), key)
    assert comparison.mistakes == 75  # half of 150
    assert comparison.reproduced, [*comparison.missing, *comparison.invented, *comparison.wrong_amounts]


def test_the_houses_own_rounds_hold_no_discrepancy(book: Rulebook, tmp_path: Path) -> None:
    written.write(Simulation(PLAN._replace(rounds=400, mistakes=0.0)), tmp_path)
    assert audited(tmp_path, book) == []
    assert answer_key.read(tmp_path / answer_key.FILE_NAME) == []


def test_every_sort_of_mistake_of_every_game_occurs_in_a_big_enough_day() -> None:
    simulation = Simulation(PLAN._replace(rounds=1500))
    for _ in simulation.events():
        pass
    assert simulation.not_shown == []


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    one, same = tmp_path / "one", tmp_path / "same"
    for folder in (one, same):
        written.write(Simulation(PLAN), folder, json_lines=True)
    for name in (answer_key.FILE_NAME, written.JSON_LINES, written.MARKER):
        assert (one / name).read_bytes() == (same / name).read_bytes()


def test_a_key_line_says_what_was_done_in_a_sentence() -> None:
    simulation = Simulation(PLAN)
    for _ in simulation.events():
        pass
    assert all(line.done.endswith(".") and line.mistake for line in simulation.key)
    assert all(line.delta_minor == line.recorded_minor - line.due_minor for line in simulation.key)
    mistakes = Counter(line.mistake for line in {one.round_id: one for one in simulation.key}.values())
    assert mistakes == simulation.mistakes


def test_a_game_is_dealt_where_it_is_said_to_be_dealt(book: Rulebook) -> None:
    places = Counter(
        (event.game, event.jurisdiction, event.table_id[:2])
        for event in Simulation(PLAN._replace(rounds=10)).events()
        if isinstance(event, RoundOpened)
    )
    assert set(places) == {
        ("blackjack", "us-ks-southwest", "BJ"),
        ("blackjack", "us-sd", "SD"),
        ("craps", "us-ks-south-central", "CR"),
        ("i_luv_suits", "us-ks-southwest", "IL"),
        ("pure_21_5", "us-ca", "PB"),
    }
    with pytest.raises(BadInput, match="no rules of craps in 'us-nv'"):
        Simulation(PLAN._replace(games=("craps@us-nv",)))


def test_a_simulation_wants_a_new_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="there is something here already"):
        written.write(Simulation(PLAN), tmp_path)


def test_only_a_folder_that_a_simulation_made_is_cleared(tmp_path: Path) -> None:
    made, mine = tmp_path / "made", tmp_path / "mine"
    written.write(Simulation(PLAN._replace(rounds=2)), made)
    mine.mkdir()
    (mine / "notes.txt").write_text("mine")
    written.clear(made)
    assert not made.exists()
    with pytest.raises(BadInput, match="left alone"):
        written.clear(mine)
    assert (mine / "notes.txt").exists()
