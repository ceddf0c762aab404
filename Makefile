# Everything a developer or a newcomer types. `make` alone lists it.
# Needs python3 (3.11 or newer), make, git and the package registries; the rest installs itself into .venv.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/installed
COUNT ?= small
WORKERS ?= 3
ARGS ?=
UV := 0.13.9

# COUNT=small leaves every long test its own small number, COUNT=full is the whole run, COUNT=50 means 50.
HATAMOTO_COUNT_small :=
HATAMOTO_COUNT_full := 1000
LONG_COUNT := $(if $(filter small full,$(COUNT)),$(HATAMOTO_COUNT_$(COUNT)),$(COUNT))

.DEFAULT_GOAL := help
.PHONY: help setup demo run test test-long test-postgresql lint fmt bench messages lock

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | \
	  awk -F'|' '{ printf "  make %-15s %s\n", $$1, $$2 }'

setup: $(INSTALLED) ## .venv with the locked packages (the others call it)

$(INSTALLED): requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Hatamoto needs Python 3.11 or newer; say which one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || { echo "making .venv"; $(PYTHON) -m venv .venv; } || \
	  { rm -rf .venv; echo "python3 cannot make a virtual environment: install python3-venv" >&2; exit 1; }
	@echo "installing the locked packages into .venv (a minute or two, once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

demo: setup ## the bot on a simulated Discord, in your browser, no token
	@$(BIN)/python bot.py demo

run: setup ## the bot on Discord; wants DISCORD_TOKEN
	@$(BIN)/python bot.py run

test: setup ## the tests, in a few minutes
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not long" $(ARGS)

test-long: setup ## fuzzing, deep perft, SIGKILLs; COUNT=small, full or a number
	$(if $(LONG_COUNT),HATAMOTO_COUNT=$(LONG_COUNT) )$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long $(ARGS)

test-postgresql: setup ## what is tested of storage, tables and processes with a file, with a PostgreSQL server
	HATAMOTO_TEST_DATABASE=postgresql $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not long" \
	  tests/db tests/tables tests/process $(ARGS)

lint: setup ## ruff, mypy --strict, the arrows between the packages, known faults of the locked ones
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict .
	$(BIN)/lint-imports
	@$(BIN)/python .ci/audit

fmt: setup ## formats, and mends what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup ## measures, and writes docs/performance.md
	$(BIN)/python -m bench

messages: setup ## compiles the catalogues: .po to .mo
	$(BIN)/python -m locales

lock: setup ## new locked versions for Python 3.11 and later
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV)
	$(BIN)/python -m uv pip compile $(LOCK) pyproject.toml -o requirements/run.txt
	$(BIN)/python -m uv pip compile $(LOCK) -c requirements/run.txt --extra postgresql pyproject.toml -o requirements/postgresql.txt
	$(BIN)/python -m uv pip compile $(LOCK) -c requirements/run.txt --extra dev pyproject.toml -o requirements/dev.txt

LOCK := --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url
