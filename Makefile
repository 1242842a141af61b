# Everything runs in .venv, which any target makes when it is missing. Needs Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEMO_HOME := demo-data
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
FUNDSTELLE := FUNDSTELLE_HOME=$(DEMO_HOME) $(BIN)/fundstelle

.PHONY: help demo test check bench numbers reference lock clean
.DEFAULT_GOAL := help

help:  ## Say what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Fundstelle needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "Installing into $(VENV) (a few minutes, once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

demo: $(STAMP)  ## Import the three sample handbooks and answer two questions, refuse a third
	@echo "== Importing three German handbooks into $(DEMO_HOME) (about a minute) =="
	@$(FUNDSTELLE) import examples/*.pdf
	@printf '\n== Was muss ich zahlen, wenn ich einen Termin erst am Vortag absage? ==\n\n'
	@$(FUNDSTELLE) ask "Was muss ich zahlen, wenn ich einen Termin erst am Vortag absage?"
	@printf '\n== Gibt es beim Coaching eine Kuendigungsfrist? ==\n\n'
	@$(FUNDSTELLE) ask "Gibt es beim Coaching eine Kuendigungsfrist?"
	@printf '\n== Wie viel kostet eine Sitzung im Gruppencoaching? (the handbooks do not say) ==\n\n'
	@$(FUNDSTELLE) ask "Wie viel kostet eine Sitzung im Gruppencoaching?"
	@printf '\n== Your turn ==\n\n'
	@echo 'Ask:    FUNDSTELLE_HOME=$(DEMO_HOME) $(BIN)/fundstelle ask "…"'
	@echo 'Import: FUNDSTELLE_HOME=$(DEMO_HOME) $(BIN)/fundstelle import FOLDER'
	@echo 'Prove:  FUNDSTELLE_HOME=$(DEMO_HOME) $(BIN)/fundstelle replay --all'
	@echo 'The web pages are being built; this version answers on the command line.'

check: $(STAMP)  ## Formatting, lint, types, layers, reference pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/write_reference.py --check

test: check  ## Everything that must pass without services
	$(BIN)/pytest -n auto --dist loadgroup

numbers: $(STAMP)  ## The measured promises that must hold (some minutes)
	$(BIN)/python -m bench.promises --check

bench: $(STAMP)  ## All benchmarks; writes what docs/benchmarks.md quotes
	$(BIN)/python -m bench.all

reference: $(STAMP)  ## Write the reference pages from the code
	$(BIN)/python tools/write_reference.py

lock: $(STAMP)  ## Renew the lock files from pyproject.toml
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
	  pyproject.toml --group dev -o requirements.lock
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
	  pyproject.toml -c requirements.lock -o requirements-run.lock

clean:  ## Remove environment and demo data
	rm -rf $(VENV) $(DEMO_HOME)
