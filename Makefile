# Two commands do everything: `make demo` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup generate tidy demo test soak conformance check bench docs clean

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

setup: $(STAMP) ## make the virtual environment with all that is needed

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "zwire needs Python 3.11 or later; say which one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@$(BIN)/python -c 'from zwire_spark.java import find_home; find_home()' 2>/dev/null \
		|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[java]'
	@# the tests look at the report in a real browser where there is one
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null \
		|| DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install --yes --quiet chromium >/dev/null 2>&1 \
		|| echo "chromium could not be installed: the tests of the report in a browser are skipped"
	@touch $@

generate: setup ## write generated/ anew from grammars/
	$(BIN)/zwire generate

tidy: setup ## format what people write
	$(BIN)/black --quiet .
	$(BIN)/ruff check --quiet --fix .

demo: setup ## see it work: from the grammars to a running stack
	$(BIN)/zwire lint grammars
	$(BIN)/zwire generate
	@rm -rf build/demo
	$(BIN)/zwire demo --into build/demo

check: setup ## format, lint, types, layers and drift, without the tests
	$(BIN)/black --quiet --check . || { echo "not formatted: make tidy mends it" >&2; exit 1; }
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/zwire format --check grammars
	$(BIN)/zwire generate --check

test: check ## everything CI runs: check, then all tests
	$(BIN)/pytest

soak: setup ## faults, soak and fuzz at full size, telling how far it is (an hour or two)
	ZWIRE_SOAK=1 ZWIRE_ONE_TRY=1 $(BIN)/pytest -vv -s --timeout 7200 --durations 0 \
		tests/faults tests/core/test_broker_machine.py tests/codegen/test_dialogs_*.py tests/codegen/test_*fuzz*.py tests/pipeline/test_cluster.py tests/pipeline/test_connect.py

conformance: setup ## write docs/conformance.md from a run of the marked tests
	ZWIRE_CONFORMANCE=write $(BIN)/pytest tests/conformance

bench: setup ## measure against the peers; writes docs/benchmarks.md
	@test -e /usr/include/zmq.h || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null \
		|| { apt-get update --quiet && DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet libzmq3-dev; } >/dev/null 2>&1 \
		|| echo "libzmq's headers could not be installed: the broker cannot be measured"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python benchmarks/run.py $(NAMES)

docs: setup ## build the site into site/
	$(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

clean: ## remove what can be made again
	rm -rf $(VENV) site dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
