"""The archive is a log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.archive import Archive
from events.log import Log
from tests.events.log_suite import LogSuite


class TestArchive(LogSuite):
    @pytest.fixture
    def log(self, tmp_path: Path) -> Iterator[Log]:
        with Archive(tmp_path / "archive", 4) as archive:
            yield archive
