"""Settings from the environment: ROUNDAUDIT_<NAME> for each field. A name that is no field is refused, not passed over."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from events.errors import BadInput
from processors.checks import PropertyClock

PREFIX: Final = "ROUNDAUDIT_"
NOT_SETTINGS: Final = frozenset({"ROUNDAUDIT_REQUIRE_KAFKA", "ROUNDAUDIT_KAFKA_BOOTSTRAP"})
"""Names with our prefix that the tests read, not the product."""


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as fault:
        raise ValueError("no such time zone; use a name as America/Chicago") from fault
    return name


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


class Settings(BaseModel):
    """What a property sets once.

    `data` is the folder with the archive, the warehouse, its snapshot and the reports; `kafka` the bootstrap servers where
    the log is a Kafka, and `kafka_file` a file that says how to get in (`events.kafka_log.read_settings`); `time_zone` and
    `day_begins_hour` say when the property's gaming day begins; `operator` is the name that reports carry; `query_seconds`
    how long a question may take.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Path = Path("roundaudit-data")
    kafka: str = ""
    kafka_file: Path | None = None
    time_zone: Annotated[str, AfterValidator(_zone)] = "UTC"
    day_begins_hour: Annotated[int, Field(ge=0, le=23)] = 0
    operator: str = Field(default_factory=_user)
    workers: Annotated[int, Field(ge=1, le=256)] = 1
    query_seconds: Annotated[float, Field(gt=0, le=86_400)] = 20.0

    @property
    def clock(self) -> PropertyClock:
        """When the property's days begin."""
        return PropertyClock(self.time_zone, self.day_begins_hour)


def load(environment: Mapping[str, str] | None = None, **given: object) -> Settings:
    """The settings of the environment; what is `given` and not None goes before it, what is empty there is not set.

    Raises BadInput naming the setting, or the option that gave it.
    """
    found = os.environ if environment is None else environment
    values: dict[str, object] = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in found.items()
        if name.startswith(PREFIX) and name not in NOT_SETTINGS and value
    }
    values.update({name: value for name, value in given.items() if value is not None})
    try:
        return Settings.model_validate(values)
    except ValidationError as fault:
        errors = fault.errors()
        said = "; ".join(_sentence(error, given) for error in errors)
        unknown = any(error["type"] == "extra_forbidden" for error in errors)
        names = ", ".join(PREFIX + name.upper() for name in Settings.model_fields)
        raise BadInput(said, "settings", f"there are {names}" if unknown else "correct it") from None


def _sentence(error: object, given: Mapping[str, object]) -> str:
    assert isinstance(error, dict)  # noqa: S101  # pydantic's errors are dictionaries
    setting = str(error["loc"][0])
    option = "--day-begins" if setting == "day_begins_hour" else f"--{setting.replace('_', '-')}"
    name = option if given.get(setting) is not None else PREFIX + setting.upper()
    what = str(error["msg"]).removeprefix("Value error, ")
    return f"{name} is no setting" if error["type"] == "extra_forbidden" else f"{name}: {what[:1].lower()}{what[1:]}"
