"""The archive: durable, repaired after a crash, honest about damage, readable by any Avro reader."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import fastavro
import pytest

from events import acknowledged, codec, container
from events.archive import Archive
from events.archive_writer import BLOCK_BYTES, partition_of
from events.errors import BadInput
from events.log import Entry
from events.model import Event, WagerPlaced
from tests.events.log_suite import CLOCK, a_round


def rounds(first: int, last: int) -> list[Event]:
    return [event for number in range(first, last) for event in a_round("BJ-01", number)]


def entries(folder: Path) -> list[Entry]:
    return list(Archive(folder).read(0))


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.avro"))


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    path.write_bytes(data)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def full(folder: Path) -> Path:
    """400 events in one partition, five acknowledged appends of several blocks each."""
    with Archive(folder, 1) as archive:
        for number in range(0, 1000, 200):
            archive.append(rounds(number, number + 200))
    return folder


def test_plain_fastavro_reads_every_file_and_says_the_same(folder: Path) -> None:
    with Archive(folder, 1, roll_bytes=40_000) as archive:
        archive.append(rounds(0, 300))
    assert len(files(folder)) > 1
    read: list[tuple[str, object]] = []
    for path in files(folder):
        with path.open("rb") as file:
            read += [(record["round_id"], record["sequence"]) for record in fastavro.reader(file)]
    assert read == [(event.round_id, event.sequence) for event in rounds(0, 300)]


def test_an_item_is_the_body_of_the_wire_message_as_it_was(folder: Path) -> None:
    events = rounds(0, 2)
    with Archive(folder, 1) as archive:
        archive.append_messages([codec.encode(event) for event in events])
    data = files(folder)[0].read_bytes()
    assert all(codec.encode(event)[codec.HEADER_BYTES :] in data for event in events)
    assert [entry.event for entry in entries(folder)] == events


def test_a_file_is_named_by_its_first_offset_and_followed_at_its_size(folder: Path) -> None:
    with Archive(folder, 1, roll_bytes=60_000) as archive:
        archive.append(rounds(0, 500))
    names = [int(path.stem) for path in files(folder)]
    assert names[0] == 0
    assert len(names) > 1
    for path, first in zip(files(folder), names, strict=True):
        assert path.stat().st_size < 60_000 + 2 * BLOCK_BYTES
        (entry,) = Archive(folder).read(0, first, first + 1)
        with path.open("rb") as file:
            record = next(fastavro.reader(file))
        assert entry.event is not None
        assert (entry.event.round_id, entry.event.sequence) == (record["round_id"], record["sequence"])


def test_new_schemas_begin_a_new_file(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = codec.current_writer("BallDrawn")
    others = tuple(w._replace(version=2) if w is old else w for w in map(codec.current_writer, sorted(codec.EVENT_TYPES)))
    monkeypatch.setattr("events.container.event_writers", lambda: others)
    with Archive(full) as archive:
        archive.append(rounds(1000, 1001))
    assert [int(path.stem) for path in files(full)] == [0, 4000]
    assert [entry.event for entry in entries(full)] == rounds(0, 1001)


def test_the_partition_of_a_table_is_crc_32_of_its_name() -> None:
    # the check value of CRC-32/ISO-HDLC, printed in every catalogue of CRCs: "123456789" gives CBF43926
    assert partition_of("123456789", 1000) == 0xCBF43926 % 1000


def test_another_number_of_partitions_is_refused(full: Path) -> None:
    with pytest.raises(BadInput, match="has 1 partitions, not 4"):
        Archive(full, 4)


def test_a_folder_without_an_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no archive here"):
        Archive(tmp_path)


def test_a_second_writer_is_refused_and_told_who_holds_it(full: Path) -> None:
    with Archive(full) as first, Archive(full) as second:
        first.append(rounds(0, 1))
        with pytest.raises(BadInput, match=rf"lock: another writer has it open, process {os.getpid()}\."):
            second.append(rounds(0, 1))
        assert len(list(second.read(0))) == 4004
        first.close()
        assert second.append(rounds(0, 1)) == 4


class TestATornEnd:
    def test_readers_stop_before_it_and_a_writer_cuts_it_off(self, full: Path) -> None:
        whole = files(full)[0].read_bytes()
        files(full)[0].write_bytes(whole + whole[-5000:-200])
        assert [entry.event for entry in entries(full)] == rounds(0, 1000)
        with Archive(full) as archive:
            archive.append(rounds(1000, 1001))
            assert len(archive.repairs) == 1
            assert "4800 were never acknowledged" in archive.repairs[0]
        assert [entry.event for entry in entries(full)] == rounds(0, 1001)

    def test_even_whole_blocks_do_not_count_before_they_are_acknowledged(self, full: Path) -> None:
        before = (full / acknowledged.FILE).read_bytes()
        with Archive(full) as archive:
            archive.append(rounds(1000, 1010))
        (full / acknowledged.FILE).write_bytes(before)
        assert [entry.event for entry in entries(full)] == rounds(0, 1000)
        with Archive(full) as archive:
            archive.append(rounds(2000, 2001))
        assert [entry.event for entry in entries(full)] == rounds(0, 1000) + rounds(2000, 2001)

    def test_a_file_that_was_never_acknowledged_is_removed(self, folder: Path) -> None:
        with Archive(folder, 1, roll_bytes=20_000) as archive:
            archive.append(rounds(0, 10))
            before = (folder / acknowledged.FILE).read_bytes()
            archive.append(rounds(10, 500))
        assert len(files(folder)) > 1
        (folder / acknowledged.FILE).write_bytes(before)
        assert [entry.event for entry in entries(folder)] == rounds(0, 10)
        with Archive(folder, roll_bytes=20_000) as archive:
            archive.append(rounds(10, 11))
        assert [entry.event for entry in entries(folder)] == rounds(0, 11)

    @pytest.mark.parametrize("slot", [0, 1])
    def test_a_torn_commit_point_leaves_the_one_before(self, full: Path, slot: int) -> None:
        path = full / acknowledged.FILE
        data = bytearray(path.read_bytes())
        half = len(data) // 2
        data[slot * half + 20] ^= 0xFF
        path.write_bytes(data)
        assert len(entries(full)) in (3200, 4000)

    def test_an_archive_without_its_commit_point_counts_every_whole_block(self, full: Path) -> None:
        (full / acknowledged.FILE).unlink()
        path = files(full)[0]
        path.write_bytes(path.read_bytes()[:-5])
        found = [entry.event for entry in entries(full)]
        assert 3600 < len(found) < 4000
        assert found == rounds(0, 1000)[: len(found)]
        with Archive(full) as archive:
            archive.append(rounds(2000, 2001))
        assert [entry.event for entry in entries(full)] == found + rounds(2000, 2001)

    def test_kill_9_in_the_middle_of_appending_loses_nothing_acknowledged(self, folder: Path) -> None:
        script = (
            "import sys; from pathlib import Path; from events.archive import Archive\n"
            "from tests.events.test_archive import rounds\n"
            "archive = Archive(Path(sys.argv[1]), 1, roll_bytes=50_000)\n"
            "for n in range(10**6):\n"
            "    archive.append(rounds(n * 5, n * 5 + 5)); print(n, flush=True)\n"
        )
        root = str(Path(__file__).parents[2])
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(folder)],
            stdout=subprocess.PIPE,
            cwd=root,
            env={**os.environ, "PYTHONPATH": root},
        )
        assert process.stdout is not None
        for _ in range(50):
            process.stdout.readline()
        process.kill()
        acknowledged_appends = 50 + len(process.stdout.read().splitlines())
        process.wait()
        found = [entry.event for entry in entries(folder)]
        assert len(found) in (acknowledged_appends * 20, acknowledged_appends * 20 + 20)
        assert found == rounds(0, len(found) // 4)
        with Archive(folder) as archive:
            archive.append(rounds(0, 1))
        assert len(entries(folder)) == len(found) + 4


class TestDamage:
    def faults(self, folder: Path) -> Iterator[Entry]:
        return (entry for entry in entries(folder) if entry.fault is not None)

    def test_a_damaged_body_costs_its_block_and_is_named(self, full: Path) -> None:
        path = files(full)[0]
        place = path.read_bytes().index(b"BJ-01/500") - 1
        flip(path, place)
        (fault,) = self.faults(full)
        assert str(path) in str(fault.fault)
        assert f"events from offset {fault.offset} of partition 0 cannot be read" in str(fault.fault)
        assert b"BJ-01/501" in fault.raw
        assert fault.offset <= 2000 < fault.offset + fault.covers
        kept = rounds(0, 1000)
        del kept[fault.offset : fault.offset + fault.covers]
        assert [entry.event for entry in entries(full) if entry.event] == kept

    def test_a_damaged_sync_marker_costs_its_block_and_reading_goes_on_at_the_next(self, full: Path) -> None:
        path = files(full)[0]
        data = path.read_bytes()
        sync = data[-16:]
        third = -1
        for _ in range(4):  # the first stands in the header
            third = data.index(sync, third + 1)
        flip(path, third + 3)
        found = entries(full)
        faults = [entry for entry in found if entry.fault]
        assert sum(entry.covers for entry in found) == 4000
        assert len(faults) == 1
        last = found[-1].event
        assert last == rounds(999, 1000)[-1]
        assert found[-1].offset == 3999

    def test_a_damaged_count_does_not_shift_the_offsets_behind_it(self, full: Path) -> None:
        path = files(full)[0]
        data = path.read_bytes()
        flip(path, data.index(data[-16:], 30_000) + 16)
        found = entries(full)
        assert any(entry.fault for entry in found)
        events = rounds(0, 1000)
        assert all(entry.event == events[entry.offset] for entry in found if entry.event)
        assert sum(entry.covers for entry in found) == 4000

    def test_a_file_cut_short_from_outside_is_said_to_miss_events(self, full: Path) -> None:
        path = files(full)[0]
        path.write_bytes(path.read_bytes()[:-1000])
        for _ in range(2):
            found = entries(full)
            assert found[-1].fault is not None
            assert sum(entry.covers for entry in found) == 4000
            with Archive(full) as archive:
                archive.append([])
        with Archive(full) as archive:
            archive.append(rounds(1000, 1001))
        found = entries(full)
        assert found[-1].offset == 4003
        assert sum(entry.covers for entry in found) == 4004
        for avro in files(full):
            with avro.open("rb") as file:
                assert list(fastavro.reader(file))

    def test_a_missing_file_is_said_to_be_missing(self, folder: Path) -> None:
        with Archive(folder, 1, roll_bytes=40_000) as archive:
            archive.append(rounds(0, 1000))
        lost = files(folder)[1]
        lost.unlink()
        found = entries(folder)
        (fault,) = (entry for entry in found if entry.fault)
        assert fault.offset == int(lost.stem)
        assert sum(entry.covers for entry in found) == 4000

    def test_a_damaged_header_costs_its_file_and_is_named(self, folder: Path) -> None:
        with Archive(folder, 1, roll_bytes=40_000) as archive:
            archive.append(rounds(0, 1000))
        flip(files(folder)[1], 2)
        found = entries(folder)
        (fault,) = (entry for entry in found if entry.fault)
        assert str(files(folder)[1]) in str(fault.fault)
        assert sum(entry.covers for entry in found) == 4000

    def test_a_range_inside_a_damaged_block_is_answered_with_its_part_of_the_fault(self, full: Path) -> None:
        path = files(full)[0]
        flip(path, path.read_bytes().index(b"BJ-01/500") - 1)
        (found,) = Archive(full).read(0, 2000, 2002)
        assert (found.offset, found.covers) == (2000, 2)
        assert found.fault is not None

    def test_whatever_byte_is_damaged_every_offset_is_answered_for(self, folder: Path) -> None:
        with Archive(folder, 1) as archive:
            archive.append(rounds(0, 150))
            archive.append(rounds(150, 300))
        path = files(folder)[0]
        size = path.stat().st_size
        for place in range(0, size, size // 200):
            flip(path, place)
            assert sum(entry.covers for entry in entries(folder)) == 1200, f"byte {place}"
            flip(path, place)


class TestAFullDisk:
    @pytest.fixture
    def small(self, tmp_path: Path) -> Iterator[Path]:
        place = tmp_path / "small"
        place.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)], capture_output=True, text=True
        )
        if mounted.returncode:
            pytest.skip(f"a small tmpfs cannot be mounted here: {mounted.stderr.strip()}")
        yield place
        subprocess.run(["umount", str(place)], check=True)

    def test_nothing_of_a_refused_append_is_kept_and_all_before_it_is(self, small: Path) -> None:
        with Archive(small / "archive", 1) as archive:
            appends = itertools.count()
            with pytest.raises(BadInput, match=r"cannot append: No space left on device; nothing of this append was kept"):
                all(archive.append(rounds(100 * number, 100 * number + 100)) for number in appends)
            done = 100 * (next(appends) - 1)
            assert done
            assert [entry.event for entry in archive.read(0)] == rounds(0, done)
            with files(small)[0].open("rb") as file:
                assert sum(1 for _ in fastavro.reader(file)) == 4 * done
            assert archive.append(rounds(done, done + 1)) == 4


def test_an_append_that_fails_half_way_leaves_nothing(full: Path) -> None:
    def half() -> Iterator[Event]:
        yield from rounds(1000, 1500)
        yield WagerPlaced("R", "BJ-01", 1, CLOCK, "", "w", "main", True)
        yield from rounds(1500, 1501)

    with Archive(full) as archive:
        with pytest.raises(BadInput, match="WagerPlaced R/1"):
            archive.append(half())
        assert archive.append(rounds(1000, 1001)) == 4
    assert [entry.event for entry in entries(full)] == rounds(0, 1001)


def test_reading_a_few_events_decodes_their_block_and_no_other(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = entries(full)
    decoded = []
    decode_block = container.decode_block
    monkeypatch.setattr(container, "decode_block", lambda *of: decoded.append(of) or decode_block(*of))
    middle = len(whole) // 2
    assert list(Archive(full).read(0, middle, middle + 2)) == whole[middle : middle + 2]
    assert 1 <= len(decoded) <= 2
