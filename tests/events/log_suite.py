"""What every log must do; each implementation's test module subclasses `LogSuite`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from events.errors import BadInput
from events.log import Entry, Events, Log
from events.model import BettingClosed, Event, RoundClosed, RoundOpened, WagerPlaced

CLOCK = 1_700_000_000_000_000
TABLES = tuple(f"BJ-{number:02d}" for number in range(1, 9))


def a_round(table_id: str, number: int = 0) -> list[Event]:
    """Four events of one round."""
    round_id, at = f"{table_id}/{number}", CLOCK + number * 60_000_000
    return [
        RoundOpened(round_id, table_id, 0, at, "tms", "blackjack", "us-ks-southwest", "2024-03-01", "USD"),
        WagerPlaced(round_id, table_id, 1, at + 1, "tms", "w1", "main", 2500, 1, "P-1"),
        BettingClosed(round_id, table_id, 2, at + 2, "tms"),
        RoundClosed(round_id, table_id, 3, at + 3, "tms"),
    ]


def everything(log: Log) -> list[Entry]:
    """All entries of all partitions."""
    return [entry for partition in log.end_offsets() for entry in log.read(partition)]


class LogSuite:
    """The tests. A subclass gives the fixture `log`: an empty log of four partitions."""

    @pytest.fixture
    def log(self) -> Iterator[Log]:
        raise NotImplementedError

    def test_what_was_appended_is_read_back_in_order(self, log: Log) -> None:
        events = a_round("BJ-01", 1) + a_round("BJ-01", 2)
        assert log.append(events) == 8
        assert [entry.event for entry in everything(log)] == events

    def test_offsets_count_from_zero_in_each_partition(self, log: Log) -> None:
        log.append([event for table in TABLES for event in a_round(table)])
        for partition, end in log.end_offsets().items():
            assert [(entry.partition, entry.offset) for entry in log.read(partition)] == [(partition, n) for n in range(end)]
        assert sum(log.end_offsets().values()) == 4 * len(TABLES)

    def test_all_rounds_of_a_table_stand_in_one_partition(self, log: Log) -> None:
        for number in range(3):
            log.append([event for table in TABLES for event in a_round(table, number)])
        homes: dict[str, set[int]] = {}
        for entry in everything(log):
            assert entry.event is not None
            homes.setdefault(entry.event.table_id, set()).add(entry.partition)
        assert {len(partitions) for partitions in homes.values()} == {1}
        assert len(set.union(*homes.values())) > 1

    def test_a_range_is_read_from_start_up_to_but_not_with_end(self, log: Log) -> None:
        log.append(a_round("BJ-01", 1))
        log.append(a_round("BJ-01", 2))
        (partition,) = [partition for partition, end in log.end_offsets().items() if end]
        assert [entry.offset for entry in log.read(partition, 2, 6)] == [2, 3, 4, 5]
        assert [entry.offset for entry in log.read(partition, 7)] == [7]
        assert [entry.offset for entry in log.read(partition, 6, 99)] == [6, 7]
        assert list(log.read(partition, 8)) == []

    def test_batches_are_the_same_events(self, log: Log) -> None:
        log.append([event for number in range(300) for event in a_round("BJ-01", number)])
        (partition,) = [partition for partition, end in log.end_offsets().items() if end]
        found = []
        for batch in log.batches(partition, 3, 1100):
            assert isinstance(batch, Events)
            found += [(offset, event) for offset, event in enumerate(batch.events, batch.offset)]
        assert found == [(entry.offset, entry.event) for entry in log.read(partition, 3, 1100)]
        assert [offset for offset, _ in found] == list(range(3, 1100))

    def test_an_empty_log_has_ends_at_zero_and_nothing_to_read(self, log: Log) -> None:
        assert dict(log.end_offsets()) == {0: 0, 1: 0, 2: 0, 3: 0}
        assert everything(log) == []
        assert log.append([]) == 0

    def test_an_event_that_cannot_be_encoded_is_refused_by_name(self, log: Log) -> None:
        wrong = WagerPlaced("R9", "BJ-01", 1, CLOCK, "tms", "w1", "main", "25.00")  # type: ignore[arg-type]  # the fault
        with pytest.raises(BadInput, match="WagerPlaced R9/1"):
            log.append([*a_round("BJ-01"), wrong])
        assert everything(log) == []
        assert log.append(a_round("BJ-01")) == 4

    def test_its_name_says_where_it_is(self, log: Log) -> None:
        assert log.name
