"""The toy game as a folder that the rulebook finds; by its path, because worker processes do not know the tests."""

import importlib.util
import sys
from pathlib import Path

_spec = importlib.util.spec_from_file_location("roundaudit_toy", Path(__file__).parent.parent / "toy.py")
assert _spec is not None
assert _spec.loader is not None
_toy = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = _toy
_spec.loader.exec_module(_toy)

GAME = _toy.TOY
