# Everything happens in a virtual environment of its own; `make help` lists what there is.
SHELL := /bin/bash
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip --disable-pip-version-check --quiet install

.DEFAULT_GOAL := help
.PHONY: help demo test check fuzz mutants lint golden bench docs clean

help:  ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/samples  ## set up and run the main job: train a classifier of handwritten digits as plain Python, converted, and as a graph
	@$(RUN) -m samples.digits

# Tests start many processes, each of which imports hundreds of files: without bytecode it would compile them first.
test check: export PYTHONDONTWRITEBYTECODE =

test: $(VENV)/test  ## set up and run the tests
	@$(RUN) -m pytest $(ARGS)

check: $(VENV)/test  ## what to run before each commit: all cores, without CPython's tests, samples of long series (ARGS="tests/runtime" for some)
	@$(RUN) -m pytest -n $(or $(JOBS),auto) -m "not slow" --ignore tests/test_standard_library.py $(ARGS)

MINUTES ?= 5
fuzz: $(VENV)/test  ## run programs at random in every form for MINUTES minutes; what fails is made small and printed
	@$(RUN) -m tests.fuzz --minutes $(MINUTES) --jobs $(or $(JOBS),2) $(ARGS)

COUNT ?= 100
mutants: $(VENV)/test  ## change COUNT lines one at a time and see whether the tests notice (SEED repeats a sample)
	@$(RUN) -m tests.mutants --count $(COUNT) $(if $(SEED),--seed $(SEED)) --jobs $(or $(JOBS),2) $(ARGS)

lint: $(VENV)/dev  ## check format, style and types
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m mypy tests/runtime/typed_program.py

golden: $(VENV)/test  ## write the golden files of tests/golden anew, and what the documents show
	@UPDATE_GOLDEN=1 $(RUN) -m pytest -q tests/test_golden.py tests/test_people.py tests/test_site.py

bench: $(VENV)/test  ## time the suite beside whichever peers are installed in .venv; writes benchmarks/report.html
	@$(RUN) -m benchmarks $(ARGS)

docs: $(VENV)/docs  ## build the site into build/docs; what Sphinx warns of ends it
	@$(RUN) -m docs build/site
	@$(RUN) -m sphinx -W --keep-going -q -E -a -c docs build/site build/docs
	@$(RUN) -m docs.playground build/docs/playground
	@echo "The site is in build/docs/index.html"

clean:  ## remove the virtual environment and what tools left behind
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .autograph_cache .hypothesis .mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp file for each set of extras: nothing is installed twice.
$(VENV)/%: pyproject.toml | $(VENV)/bin/python
	@echo "Installing what '$*' needs into $(VENV) ..."
	@$(PIP) -e '.[$*]' || { echo; echo "Installation failed. It needs the network (or a package index that pip knows) once."; exit 1; }
	@touch $@

$(VENV)/bin/python:
	@if [ -z "$(PYTHON)" ]; then echo "Python 3.11 or newer is needed and was not found. Install it, or say where it is: make PYTHON=/path/to/python"; exit 1; fi
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"$(PYTHON) is Python {v[0]}.{v[1]}; 3.11 or newer is needed. Say which: make PYTHON=/path/to/python")'
	@echo "Making a virtual environment in $(VENV) with $(PYTHON) ..."
	@$(PYTHON) -m venv $(VENV) || { echo "The venv module is missing (on Debian: apt install python3-venv)."; exit 1; }
