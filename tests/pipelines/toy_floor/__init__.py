"""The toy game as a folder that the rulebook finds."""

from tests.pipelines.toy import TOY as GAME

__all__ = ["GAME"]
