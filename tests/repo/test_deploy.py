"""What stands in deploy names things that exist."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from console.cli import app
from console.settings import PREFIX, Settings
from events import yaml12

DEPLOY = Path(__file__).parent.parent.parent / "deploy"


def test_every_setting_of_the_example_is_one_and_none_is_missing() -> None:
    names = re.findall(r"^(\w+)=", (DEPLOY / "env.example").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(names) == sorted(PREFIX + name.upper() for name in Settings.model_fields)


def test_the_prefect_deployment_names_a_flow_and_its_parameters() -> None:
    path = DEPLOY / "prefect.yaml"
    (deployment,) = yaml12.parse(path.read_text(encoding="utf-8"), str(path)).value["deployments"]
    file, _, name = deployment["entrypoint"].partition(":")
    text = (DEPLOY.parent / file).read_text(encoding="utf-8")
    assert f"def {name}(" in text
    signature = text[text.index(f"def {name}(") :].partition(") ->")[0]
    assert all(re.search(rf"\b{parameter}:", signature) for parameter in deployment["parameters"])


def test_the_runbook_names_commands_and_options_that_exist() -> None:
    commands = {command.name: command.callback for command in app.registered_commands}
    for line in (DEPLOY / "runbook.md").read_text(encoding="utf-8").splitlines():
        for command, options in re.findall(r"roundaudit (\w+)([^`\n]*)", line):
            assert command in commands or command in ("rounds", "rules"), line
            if command in commands and commands[command] is not None:
                source = inspect.getsource(commands[command])
                for option in re.findall(r"--[a-z-]+", options):
                    assert f'"{option}"' in source or option.removeprefix("--").replace("-", "_") in source, line
