"""Scripts into a log: what is good goes in, what is bad is told with file and line, and kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from events.archive import Archive
from events.errors import BadInput
from events.intake import to_json
from events.kafka_log import KafkaLog, KafkaSettings
from events.model import Event
from pipelines.ingest import Ingested, ingest
from pipelines.simulate.floor import Plan, Simulation
from tests.pipelines.toy import HOUSE

OPENED = (
    '{"type": "RoundOpened", "round_id": "r1", "table_id": "BJ-07", "occurred_at": "2026-11-29T21:05:00Z", '
    '"game": "blackjack", "jurisdiction": "us-ks-south-central", "gaming_day": "2026-11-29", "currency": "USD"}'
)
WAGER = '{"type": "WagerPlaced", "wager_id": "w1", "bet": "main", "amount_minor": 1000}'
CLOSED = '{"type": "RoundClosed"}'


def taken(scripts: Iterable[Path], folder: Path) -> tuple[list[Ingested], list[str]]:
    told: list[str] = []
    with Archive(folder / "archive", 2) as archive:
        done = list(ingest(scripts, archive, folder, lambda fault: told.append(str(fault))))
    return done, told


def events_in(folder: Path) -> list[Event]:
    archive = Archive(folder / "archive")
    entries = [entry for partition in archive.end_offsets() for entry in archive.read(partition)]
    return [entry.event for entry in entries if entry.event is not None]


def test_a_script_without_a_bad_item_needs_no_place_for_bad_items(tmp_path: Path) -> None:
    script, no_folder = tmp_path / "good.jsonl", tmp_path / "file"
    script.write_text(f"{OPENED}\n{CLOSED}\n")
    no_folder.write_text("")
    with Archive(tmp_path / "archive", 2) as archive:
        (done,) = ingest([script], archive, no_folder, lambda fault: None)
    assert (done.events, done.bad) == (2, 0)


def test_a_script_goes_into_the_log_as_it_is(tmp_path: Path) -> None:
    script = tmp_path / "night.jsonl"
    script.write_text("\n".join([OPENED, WAGER, CLOSED]))
    done, told = taken([script], tmp_path / "data")
    assert done == [Ingested(script, 3, 0, None)]
    assert told == []
    assert [(type(e).__name__, e.sequence) for e in events_in(tmp_path / "data")] == [
        ("RoundOpened", 0), ("WagerPlaced", 1), ("RoundClosed", 2),
    ]  # fmt: skip


def test_a_bad_line_is_told_and_kept_and_the_rest_goes_on(tmp_path: Path) -> None:
    script = tmp_path / "night.jsonl"
    bad = WAGER.replace("1000", "12.5")
    script.write_text("\n".join([OPENED, bad, "{no json", WAGER, CLOSED]))
    (one,), told = taken([script], tmp_path / "data")
    kept = tmp_path / "data" / "night.jsonl.rejected.jsonl"
    assert one == Ingested(script, 3, 2, kept)
    assert told[0].startswith(f"{script}:2, WagerPlaced: field amount_minor:")
    assert told[1].startswith(f"{script}:3: not JSON")
    items = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [item["item"] for item in items] == [bad, "{no json"]
    assert [item["reason"] for item in items] == told
    # the place of the bad wager in the count stays taken: the gap shows in the audit
    assert [event.sequence for event in events_in(tmp_path / "data")] == [0, 2, 3]


def test_what_an_earlier_run_kept_is_not_overwritten(tmp_path: Path) -> None:
    script = tmp_path / "night.jsonl"
    script.write_text("{first")
    taken([script], tmp_path / "data")
    script.write_text("{second")
    (one,), _ = taken([script], tmp_path / "data")
    assert one.kept_in == tmp_path / "data" / "night.jsonl.rejected-2.jsonl"
    assert "{first" in (tmp_path / "data" / "night.jsonl.rejected.jsonl").read_text()
    assert not list((tmp_path / "data").glob("*.part"))


def test_a_yaml_script_keeps_its_bad_items_in_json(tmp_path: Path) -> None:
    script = tmp_path / "night.yaml"
    script.write_text(f"- {OPENED}\n- {{type: WagerPlaced, wager_id: w1, bet: main, amount_minor: true}}\n- {CLOSED}\n")
    (one,), told = taken([script], tmp_path / "data")
    assert (one.events, one.bad) == (2, 1)
    assert told[0].startswith(f"{script}:2")
    assert one.kept_in is not None
    item = json.loads(json.loads(one.kept_in.read_text())["item"])
    assert item == {"type": "WagerPlaced", "wager_id": "w1", "bet": "main", "amount_minor": True}


def test_a_script_that_cannot_be_read_is_refused_whole_and_the_next_one_goes_on(tmp_path: Path) -> None:
    broken, good = tmp_path / "a.yaml", tmp_path / "b.jsonl"
    broken.write_text("- {type: RoundOpened\n")
    good.write_text(OPENED)
    (first, second), told = taken([broken, tmp_path / "b.jsonl"], tmp_path / "data")
    assert first.refused is not None
    assert (first.events, second.events) == (0, 1)
    assert len(told) == 1
    assert told[0].startswith(str(broken))


def test_a_log_that_is_in_use_stops_everything(tmp_path: Path) -> None:
    script = tmp_path / "night.jsonl"
    script.write_text(OPENED)
    with Archive(tmp_path / "archive", 2) as held:
        held.append([])
        with pytest.raises(BadInput):
            list(ingest([script], Archive(tmp_path / "archive"), tmp_path, lambda fault: None))


def test_a_simulated_day_goes_through_a_script_unchanged(tmp_path: Path) -> None:
    events = list(Simulation(Plan(2, 60, 3, 0.5, ("toy",)), {"toy": HOUSE}).events())
    script = tmp_path / "day.jsonl"
    script.write_text("".join(json.dumps(to_json(event)) + "\n" for event in events))
    (one,), told = taken([script], tmp_path / "data")
    assert (one.events, told) == (len(events), [])
    for table in ("TO-01", "TO-02"):
        at_table = [event for event in events if event.table_id == table]
        assert [event for event in events_in(tmp_path / "data") if event.table_id == table] == at_table


@pytest.mark.kafka
def test_a_script_goes_into_kafka_as_it_is(kafka_settings: KafkaSettings, tmp_path: Path) -> None:
    script = tmp_path / "night.jsonl"
    script.write_text("\n".join([OPENED, "{no json", CLOSED]))
    told: list[str] = []
    with KafkaLog(kafka_settings) as log:
        (done,) = ingest([script], log, tmp_path, lambda fault: told.append(str(fault)))
        entries = [entry for partition in log.end_offsets() for entry in log.read(partition)]
    assert (done.events, done.bad, len(told)) == (2, 1, 1)
    assert [type(entry.event).__name__ for entry in entries] == ["RoundOpened", "RoundClosed"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from console.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "120"})


def test_the_command_counts_and_exits_2_where_a_line_was_bad(tmp_path: Path) -> None:
    script = tmp_path / "night.jsonl"
    script.write_text("\n".join([OPENED, "{no json", CLOSED]))
    done = run("ingest", str(script), "--to", str(tmp_path / "data"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"roundaudit: {script}:2: not JSON")
    assert len(done.stderr.splitlines()) == 1
    assert "2 events taken, 1 bad lines, 0 files refused" in done.stdout


def test_the_command_exits_0_where_all_was_good(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "night.jsonl").write_text("\n".join([OPENED, WAGER, CLOSED]))
    done = run("ingest", str(tmp_path / "scripts"), "--to", str(tmp_path / "data"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 events taken" in done.stdout


def test_the_command_needs_exactly_one_log(tmp_path: Path) -> None:
    done = run("ingest", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "roundaudit: ingest: a log to write to is needed, and one only. Give --to DIR or --kafka BOOTSTRAP."
    ]


def test_a_kafka_that_does_not_answer_is_one_plain_line(tmp_path: Path) -> None:
    script = tmp_path / "night.jsonl"
    script.write_text(OPENED)
    done = run("ingest", str(script), "--kafka", "127.0.0.1:1")
    assert done.returncode == 2
    assert done.stderr.startswith("roundaudit: Kafka at 127.0.0.1:1: no broker answers")
    assert len(done.stderr.splitlines()) == 1
