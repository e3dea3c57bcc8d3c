"""Starts a flow for those who must not depend on Prefect: the console does, and a deployment does not need this module."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

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
    if not os.environ.get("PREFECT_API_URL"):
        _be_quiet(plan.data)
    # by name, so that nothing that imports this module imports Prefect
    flows: Any = importlib.import_module("pipelines.flows.nightly")
    ended: Night = flows.run(plan, watch)
    return ended


def _be_quiet(data: Path) -> None:
    settings = {
        "PREFECT_HOME": str(data.resolve() / "prefect"),
        "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "true",
        "PREFECT_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_LOGGING_TO_API_ENABLED": "false",
        "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_SERVER_UI_ENABLED": "false",
    }
    for name, value in settings.items():
        os.environ.setdefault(name, value)
