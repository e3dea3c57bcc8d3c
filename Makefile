# The two commands a newcomer needs: `make demo` and `make test`. Everything else is here for people who work on it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check format kafka wheel clean

demo: $(READY)  ## one simulated gaming day, the night run and the discrepancy report
	$(BIN)/roundaudit demo

test: $(READY)  ## every test; with a real Kafka where Java and Maven are present
	$(BIN)/pytest

check: $(READY)  ## ruff, mypy strict, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

kafka: $(READY)  ## a real one-node Kafka in the foreground; stop it with Ctrl-C
	deploy/kafka/start

wheel: $(READY)
	rm -rf dist
	$(BIN)/python -m build --wheel --no-isolation --outdir dist .

$(READY): pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	# what is imported is compiled when it is first imported; compiling all of it here would take as long as the rest
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

clean:
	rm -rf $(VENV) dist demo roundaudit-data .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
