"""Where Kafka is, what its topics are called, and how its clients get in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FilePath, ValidationError

from events import codec, yaml12
from events.errors import BadInput


@dataclass(frozen=True)
class KafkaSettings:
    """`bootstrap` is one address or several with commas between; `connect_ms` is how long a broker may take to answer
    before it counts as missing, `answer_ms` how long a working one may be silent. `client` goes to every client as it is
    (kafka-python's names, as `security_protocol`); it may hold a password. `confluent_schemas` names for each schema id of
    messages in Confluent framing the event that it is, as `CardDealt` or, in an older version, `CardDealt/1`.
    """

    bootstrap: str = "127.0.0.1:9092"
    events_topic: str = "round-events"
    audits_topic: str = "round-audits"
    deadletters_topic: str = "round-deadletters"
    cases_topic: str = "case-events"
    connect_ms: int = 4000
    answer_ms: int = 20_000
    client: Mapping[str, Any] = field(default_factory=dict, repr=False)
    confluent_schemas: Mapping[int, str] = field(default_factory=dict)

    @property
    def topics(self) -> tuple[str, ...]:
        """All topics."""
        return (self.events_topic, self.audits_topic, self.deadletters_topic, self.cases_topic)


def read_settings(bootstrap: str, file: Path | None = None) -> KafkaSettings:
    """The settings for the Kafka at `bootstrap`, with what a Kafka file (YAML or JSON) says of getting in and of framing.

    Raises BadInput where an address is none, or naming the file and everything in it that is wrong; values that may be
    secret are not repeated.
    """
    for address in bootstrap.split(","):
        _check_address(address.strip())
    if file is None:
        return KafkaSettings(bootstrap)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "not UTF-8"
        raise BadInput(f"cannot be read ({why})", str(file), "check the path") from fault
    document = yaml12.parse(text, str(file))
    try:
        said = _KafkaFile.model_validate(document.value)
    except ValidationError as fault:
        faults = [(document.line(error["loc"]), _sentence(error["loc"], error["msg"])) for error in fault.errors()]
        raise yaml12.Faults(str(file), faults) from None
    client = said.model_dump(exclude={"confluent_schemas"}, exclude_none=True, mode="json")
    return KafkaSettings(bootstrap, client=client, confluent_schemas=said.confluent_schemas)


def _check_address(address: str) -> None:
    after = address.rpartition("://")[2]
    if after.count(":") > 1 and not after.startswith("["):
        return  # IPv6 without a port
    try:
        _ = urlsplit(f"//{after}").port
    except ValueError as fault:
        raise BadInput(f"{address!r} is no address of a Kafka", do="write HOST:PORT, as 127.0.0.1:9092") from fault


def _event(name: str) -> str:
    try:
        codec.event_writer(name)
    except KeyError as fault:
        raise ValueError(
            f"there is no event {name!r}; write its name, as CardDealt, or an older version, as CardDealt/1"
        ) from fault
    return name


_Milliseconds = Annotated[int, Field(gt=0, strict=True)]
_SchemaId = Annotated[int, Field(ge=0, lt=2**32)]
_EventName = Annotated[str, AfterValidator(_event)]


class _KafkaFile(BaseModel):
    """What a Kafka file may say. The names are kafka-python's, but for the last."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] | None = None
    ssl_cafile: FilePath | None = None
    ssl_certfile: FilePath | None = None
    ssl_keyfile: FilePath | None = None
    ssl_crlfile: FilePath | None = None
    ssl_password: str | None = None
    ssl_check_hostname: bool | None = None
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI"] | None = None
    sasl_plain_username: str | None = None
    sasl_plain_password: str | None = None
    sasl_kerberos_name: str | None = None
    sasl_kerberos_service_name: str | None = None
    sasl_kerberos_domain_name: str | None = None
    request_timeout_ms: _Milliseconds | None = None
    connections_max_idle_ms: _Milliseconds | None = None
    confluent_schemas: dict[_SchemaId, _EventName] = Field(default_factory=dict)


def _sentence(place: tuple[int | str, ...], said: str) -> str:
    if not place:
        return "a Kafka file is a mapping of names and values"
    said = said.removeprefix("Value error, ")
    if said == "Extra inputs are not permitted":
        said = "no such name"
    return f"{'.'.join(map(str, place))}: {said[:1].lower()}{said[1:]}"
