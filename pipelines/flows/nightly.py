"""The night run as a Prefect flow: read and load what is new, check the day, report, publish. Its steps are tasks.

It runs under a Prefect server and without one. Run twice, it changes nothing. The report is also a Prefect artifact.

    python -c 'from pipelines.flows.nightly import nightly; nightly("roundaudit-data")'
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

import duckdb
from prefect import flow, get_run_logger, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE

from events.errors import BadInput
from pipelines import night
from pipelines.reports.discrepancies import DiscrepancyReport
from pipelines.warehouse.store import BUSY
from processors.checks import PropertyClock
from processors.kernel.money import money_text

RETRY_SECONDS: Final = (5, 30)
MAY_PASS: Final = frozenset({BUSY, "NO_BROKER", "KAFKA"})
"""Reason classes of faults that another try may find gone. Other bad input stays bad however often it is read, and a fault
of the code stays one."""
LISTED: Final = 50
"""Discrepancies that the artifact lists; the report has them all."""


def _may_pass(_task: Any, _run: Any, state: Any) -> bool:
    try:
        state.result()
    except BadInput as fault:
        return fault.reason in MAY_PASS
    except (OSError, RuntimeError, duckdb.Error):
        return True
    except Exception:
        return False
    return False


def _step(function: Callable[..., Any], name: str) -> Any:
    # nothing is cached or kept: a step reads the warehouse as it stands, and what was done once stays done there
    made = task(
        name=name,
        retries=len(RETRY_SECONDS),
        retry_delay_seconds=list(RETRY_SECONDS),
        retry_condition_fn=_may_pass,
        cache_policy=NO_CACHE,
        persist_result=False,
        log_prints=False,
    )
    return made(function)


_WATCH: ContextVar[night.Watch | None] = ContextVar("watch", default=None)


def _take_in(plan: night.Plan) -> night.TakenIn:
    return night.take_in(plan, _WATCH.get())


take_in = _step(_take_in, "take in the log")
check = _step(night.check, "check the day")
report = _step(night.report, "report")
publish = _step(night.publish, "publish the snapshot")


@flow(name="nightly", persist_result=False)
def nightly(
    data: str,
    gaming_day: str = "",
    time_zone: str = "UTC",
    day_begins_hour: int = 0,
    operator: str = "",
    workers: int = 1,
    kafka: str = "",
    kafka_file: str = "",
    again: bool = False,
    extra_games: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Balance a gaming day; the parameters are those of `pipelines.night.Plan`. Returns the night as plain values."""
    plan = night.Plan(
        Path(data), gaming_day, PropertyClock(time_zone, day_begins_hour), operator, workers, kafka,
        Path(kafka_file) if kafka_file else None, tuple(Path(folder) for folder in extra_games), again,
    )  # fmt: skip
    taken = take_in(plan)
    reported = report(plan, check(plan, taken))
    ended = publish(plan, taken, reported)
    day = ended.gaming_day or "(none)"
    get_run_logger().info("%s: gaming day %s, %s", ended.outcome, day, ended.reconciliation)
    for other in ended.other_days:
        get_run_logger().info("also %s: gaming day %s, %s", other.outcome, other.gaming_day, other.reconciliation)
    if os.environ.get("PREFECT_API_URL"):
        # without a server nobody could open it
        create_markdown_artifact(markdown(reported.made), key="discrepancy-report", description=f"Gaming day {day}")
    return dict(night.as_json(ended))


def run(plan: night.Plan, watch: night.Watch | None = None) -> night.Night:
    """Run the flow for a plan, here and now. Raises what its steps raise."""
    _WATCH.set(watch)
    ended = nightly(
        str(plan.data), plan.gaming_day, plan.clock.time_zone, plan.clock.day_begins_hour, plan.operator, plan.workers,
        plan.kafka, str(plan.kafka_file or ""), plan.again, tuple(str(folder) for folder in plan.extra_games),
    )  # fmt: skip
    return night.from_json(ended)


def markdown(made: DiscrepancyReport) -> str:
    """The report as a Prefect artifact: heading, reconciliation, totals, and the first of the discrepancies."""
    lines = [f"# {made.heading.title}", ""]
    lines += [f"- {name}: {_plain(said)}" for name, said in made.heading.lines()[1:]]
    lines += ["", f"**Reconciliation.** {made.reconciliation}.", ""]
    if made.is_empty:
        lines.append("No Activity")
    for title, totals in (("kind", made.by_kind), ("table", made.by_table), ("dealer", made.by_dealer)):
        if totals:
            lines += ["", f"| {title} | discrepancies | over | under |", "|---|---:|---:|---:|"]
            lines += [
                f"| {_plain(t.name)} | {t.found} | {money_text(t.over_minor)} | {money_text(t.under_minor)} |"
                for t in totals
            ]
    if made.lines:
        lines += ["", "| round | kind | difference | what |", "|---|---|---:|---|"]
        lines += [
            f"| {_plain(x.round_id)} | {x.kind} | {money_text(x.delta_minor)} | {_plain(x.sentence)} {_plain(x.cite)} |"
            for x in made.lines[:LISTED]
        ]
    if len(made.lines) > LISTED:
        lines.append(f"\nand {len(made.lines) - LISTED} more in the report file.")
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text from the log, so that it cannot be markup."""
    return "".join(f"\\{c}" if c in "\\|`*_[]<>#&!" else c for c in " ".join(text.split()))
