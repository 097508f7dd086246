# Everything is installed beside the code (.venv, .emulator, .tools): a machine needs Python 3.11 or later and make, no more.

SHELL := /bin/sh
.DELETE_ON_ERROR:
MAKEFLAGS += --jobs=2
.DEFAULT_GOAL := help

# The first Python that is new enough; a pyenv shim may exist and still not run.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$python; break; }; done)
PY := .venv/bin/python
PIP_INSTALL := -m pip install --disable-pip-version-check --quiet --no-compile
LOCK := $(CURDIR)/.venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --no-header
JOBS ?= 2
PYTEST := $(PY) -m pytest -n $(JOBS) --dist loadgroup
CONFIG ?= $(firstword $(wildcard infra/watched-stacks.toml) infra/watched-stacks.example.toml)
CDK := cd infra && ../.tools/cdk --context config=$(abspath $(CONFIG))
EVENT ?= events/scan-stack.json
ARGS ?=

.PHONY: help setup demo test lint bench synth bootstrap deploy invoke schemas lock clean

help:
	@echo 'make demo      watch it work: an AWS emulator, drift behind the state, alert, report (one to two minutes)'
	@echo 'make test      all tests, the end-to-end test on the emulator included'
	@echo 'make lint      ruff, mypy --strict, freshness of generated files'
	@echo 'make bench     benchmarks'
	@echo 'make synth     CloudFormation template of infra/ into infra/cdk.out'
	@echo 'make bootstrap prepare an AWS account and region for the CDK (once)'
	@echo 'make deploy    deploy infra/ as infra/watched-stacks.toml says; ARGS="-c target=local" for the emulator'
	@echo 'make invoke    run the scanner here: EVENT=events/scan-stack.json, with REPORTS_BUCKET and the others set'
	@echo 'make schemas   generate again: the distilled CloudFormation schemas, the JSON Schemas of reports and of the approval gate'
	@echo 'make lock      resolve the dependencies again (the only step that changes versions)'
	@echo 'make clean     remove everything that make installed or built'

setup: .venv/.stamp .emulator/.stamp .tools/.stamp .build/.stamp

.venv/.stamp: tests/requirements.txt pyproject.toml .ci/make_venv.py
	@test -n '$(PYTHON)' || { echo 'No Python 3.11 or later on PATH: install one, or name it: make PYTHON=/path/to/python3' >&2; exit 1; }
	@echo 'Installing into .venv (about a minute the first time) ...'
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) .ci/make_venv.py .venv
	@$(PY) $(PIP_INSTALL) --require-hashes -r tests/requirements.txt
	@$(PY) $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.emulator/.stamp: tests/e2e/emulator-requirements.txt .ci/make_venv.py
	@test -n '$(PYTHON)' || { echo 'No Python 3.11 or later on PATH: install one, or name it: make PYTHON=/path/to/python3' >&2; exit 1; }
	@echo 'Installing the AWS emulator into .emulator ...'
	@.emulator/bin/python -m pip --version >/dev/null 2>&1 || $(PYTHON) .ci/make_venv.py .emulator
	@.emulator/bin/python $(PIP_INSTALL) --require-hashes -r tests/e2e/emulator-requirements.txt
	@touch $@

.tools/.stamp: .venv/.stamp infra/package.json infra/package-lock.json .ci/install_cdk.py
	@echo 'Installing the CDK command-line tool into .tools ...'
	@$(PY) .ci/install_cdk.py .tools
	@touch $@

# The emulator runs the functions with this machine's Python: its layer is made once, so that tests need no network.
.build/.stamp: .venv/.stamp functions/requirements.txt infra/bundling.py
	@echo 'Bundling the dependencies of the functions for this machine ...'
	@$(PY) -m infra.bundling
	@touch $@

demo: setup
	@$(PY) tests/e2e/demo.py $(ARGS)

test: setup
	@$(PYTEST) --ignore=tests/benchmarks $(ARGS)

lint: .venv/.stamp
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) .ci/check_generated.py

bench: setup
	@$(PY) -m pytest tests/benchmarks -p no:xdist --benchmark-only $(ARGS)

synth: .tools/.stamp
	@$(CDK) synth --quiet $(ARGS)

bootstrap: .tools/.stamp
	@$(CDK) bootstrap $(ARGS)

deploy: .tools/.stamp
	@test -f infra/watched-stacks.toml -o '$(origin CONFIG)' != file || { echo 'Say what to watch first: cp infra/watched-stacks.example.toml infra/watched-stacks.toml, then edit it.' >&2; exit 1; }
	@$(CDK) deploy --all $(ARGS)

invoke: .venv/.stamp
	@$(PY) .ci/invoke.py $(EVENT) $(ARGS)

schemas: .venv/.stamp
	@$(PY) .ci/distil_schemas.py
	@$(PY) -m driftwarden.report.document
	@$(PY) -m driftwarden.gate.documents

lock: .venv/.stamp
	@$(LOCK) $(ARGS) --extra lambda pyproject.toml --output-file functions/requirements.txt
	@$(LOCK) $(ARGS) --all-extras pyproject.toml --constraint functions/requirements.txt --output-file tests/requirements.txt
	@$(LOCK) $(ARGS) --group pyproject.toml:emulator --output-file tests/e2e/emulator-requirements.txt
	@$(PY) .ci/install_cdk.py --lock

clean:
	@rm -rf .venv .emulator .tools .build .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks infra/cdk.out functions/*.egg-info
	@find functions infra tests -name __pycache__ -type d -prune -exec rm -rf {} +
