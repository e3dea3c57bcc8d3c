"""A real broker for the tests marked `kafka`.

ROUNDAUDIT_KAFKA_BOOTSTRAP names one that runs already; else deploy/kafka/start starts one where Java and Maven are
present; else the tests are skipped, or fail where ROUNDAUDIT_REQUIRE_KAFKA=1.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn
from uuid import uuid4

import pytest

from events.kafka_log import KafkaSettings, create_topics

START = Path(__file__).parents[1] / "deploy" / "kafka" / "start"
START_SECONDS = 300
"""The first start fetches 44 MB of jars."""


@pytest.fixture(scope="session")
def kafka_bootstrap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a broker."""
    given = os.environ.get("ROUNDAUDIT_KAFKA_BOOTSTRAP")
    if given:
        yield given
        return
    try:
        with running_broker(tmp_path_factory.mktemp("kafka")) as bootstrap:
            yield bootstrap
    except NoBroker as why:
        _give_up(str(why))


class NoBroker(Exception):
    """There is none, and why."""


@contextlib.contextmanager
def running_broker(folder: Path) -> Iterator[str]:
    """A broker of our own with its data in `folder`. Raises NoBroker."""
    needed = {"java": "openjdk-17-jre-headless", "mvn": "maven"}
    missing = [package for tool, package in needed.items() if not shutil.which(tool)]
    if missing:
        raise NoBroker(f"no Kafka broker: install {' and '.join(missing)}, or set ROUNDAUDIT_KAFKA_BOOTSTRAP")
    with (folder / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            [str(START), "--data", str(folder / "data")], stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        bootstrap = _bootstrap(process)
        if not bootstrap:
            said = (folder / "stderr").read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise NoBroker(f"the Kafka broker did not start: {said[-1] if said else 'it said nothing'}")
        yield bootstrap
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture
def kafka_settings(kafka_bootstrap: str) -> KafkaSettings:
    """Settings with topics of their own, four partitions each, made and empty."""
    mark = uuid4().hex[:8]
    settings = KafkaSettings(
        kafka_bootstrap, f"round-events-{mark}", f"round-audits-{mark}", f"round-deadletters-{mark}", f"case-events-{mark}"
    )
    create_topics(settings, partitions=4)
    return settings


def _bootstrap(process: subprocess.Popen[str]) -> str:
    timer = threading.Timer(START_SECONDS, process.kill)
    timer.start()
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("bootstrap="):
                return line.strip().removeprefix("bootstrap=")
        return ""
    finally:
        timer.cancel()


def _give_up(why: str) -> NoReturn:
    if os.environ.get("ROUNDAUDIT_REQUIRE_KAFKA") == "1":
        pytest.fail(why)
    pytest.skip(why)
