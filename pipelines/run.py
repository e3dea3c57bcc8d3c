"""Starts a flow for those who must not depend on Prefect: the console does, and a deployment does not need this module."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

from events.errors import BadInput
from pipelines import night
from pipelines.night import Night, Plan, Watch


def nightly(plan: Plan, watch: Watch | None = None, *, prefect: bool = True) -> Night:
    """Run the night run: as a Prefect flow, or with `prefect` False the same steps one after the other.

    Where PREFECT_API_URL names a server, the run and its log appear there. Without one Prefect starts its own for the time
    of the run, which takes about ten seconds, and keeps its history under the data folder; it then says nothing, and what
    there is to say is in the returned Night. Raises BadInput where a step cannot be done.
    """
    if not prefect:
        return night.run(plan, watch)
    if plan.data.is_dir() and not os.access(plan.data, os.W_OK):
        # Prefect would say after minutes that its server does not answer
        raise BadInput("nothing can be written in this data folder", str(plan.data), "give the night run write access to it")
    os.environ.setdefault("DO_NOT_TRACK", "1")  # what a casino runs, and when, is nobody else's business
    if not os.environ.get("PREFECT_API_URL"):
        _be_quiet(plan.data)
    # by name, so that nothing that imports this module imports Prefect
    flows: Any = importlib.import_module("pipelines.flows.nightly")
    try:
        ended: Night = flows.run(plan, watch)
    except Exception as fault:
        raise _plainly(fault) from fault
    return ended


def _plainly(fault: Exception) -> Exception:
    """A fault of Prefect's server as one line; any other fault as it is."""
    at_fault = type(fault).__module__.split(".")[0] in ("httpx", "httpcore", "prefect") or "API" in str(fault)
    if isinstance(fault, BadInput) or not at_fault:
        return fault
    line = (str(fault).splitlines() or [type(fault).__name__])[0]
    where = os.environ.get("PREFECT_API_URL") or "a server of its own"
    return BadInput(
        f"Prefect cannot be used ({line})", where, "look at its server, or run the steps alone with --no-prefect"
    )


def _be_quiet(data: Path) -> None:
    home = data.resolve() / "prefect"
    home.mkdir(parents=True, exist_ok=True)
    settings = {
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "true",
        "PREFECT_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_LOGGING_TO_API_ENABLED": "false",
        "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_SERVER_UI_ENABLED": "false",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    }
    for name, value in settings.items():
        os.environ.setdefault(name, value)
