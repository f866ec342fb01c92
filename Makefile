# How slicewright is built, run, checked and measured; everything that it writes stays in this checkout.

PYTHON ?= python3
BIN := .venv/bin
ENGINE := python/slicewright/_core.abi3.so
# Folders too: a file that was removed changes its folder and nothing else.
ENGINE_SOURCES := $(shell find crates scenarios Cargo.toml Cargo.lock pyproject.toml 2>/dev/null)

# Each worker begins with half of the tests in their order; one that is done takes over a part of the other's rest.
# So tests of a file mostly share a worker, and what they have in common is made once.
PYTEST := $(BIN)/python -m pytest -q -n 2 --dist worksteal --ignore tests/timing
CARGO_TEST := cargo test --quiet --locked --workspace

# `make test SLOW=yes` runs slow tests in one program with the quick ones, so that what both need is made once.
SLOW := no
ifeq ($(SLOW),no)
PYTHON_TESTS := -m 'not slow and not long'
else
PYTHON_TESTS := -m 'not long'
RUST_TESTS := --include-ignored
endif
STEPS := $(BIN)/python packaging/steps.py
INSTALL := $(BIN)/python -m pip install --require-hashes
# Most modules of these are never imported, so that each is compiled when it first is.
INSTALL_TOOLS := $(INSTALL) --no-compile
COMPILE := $(BIN)/maturin develop --release

# The tools of `make audit`, in a place of their own.
AUDIT := target/audit
PIP_AUDIT := 2.10.1
CARGO_AUDIT := 0.22.2

export SLICEWRIGHT_STORE := $(CURDIR)/target/store
export PIP_NO_CACHE_DIR := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Without compiled modules, each process of a test compiles the package anew: a third of a second.
unexport PYTHONDONTWRITEBYTECODE
# Under `make -j`, cargo would look for the job server of make, which is closed to it.
unexport MAKEFLAGS MFLAGS

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run check test test-all bench audit dist docs editor clean lint-rust lint-python test-rust test-python FORCE

help: ## this list
	@echo 'make TARGET, where TARGET is one of'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-8s  %s\n", $$1, $$2 }' Makefile

setup: .venv/.engine ## make .venv and build the engine into it; does nothing if nothing changed

run: setup ## set up, advise on a published report, reproduce its study; two minutes at first, then seconds
	$(BIN)/slicewright advise published/hyperpav/device-reports/Y032180H.txt --out out/first
	$(BIN)/slicewright reproduce hyperpav --quick
	@echo
	@echo 'The advice with its figure: open out/first/report.html'
	@echo 'All studies: $(BIN)/slicewright reproduce --quick'

check: lint-rust lint-python setup ## check formatting, lints, types and the tidy rules
	$(PYTEST) tests/tidy

test: test-rust test-python ## check and run every quick test, in Rust and Python; about five minutes; with SLOW=yes all tests

test-all: setup .venv/.testing ## run what make test leaves out: slow and long tests, hostile input; half an hour
	$(CARGO_TEST) --tests -- --ignored
	$(PYTEST) -m 'slow or long'

# Parts of check and test. `make -j 2 test` runs those for Rust beside those for Python, as many steps use one processor.
lint-rust: .venv/.made
	cargo fmt --all --check
	cargo fmt --manifest-path benches/peers/Cargo.toml --check
	cargo clippy --quiet --locked --workspace --all-targets -- -D warnings

lint-python: .venv/.testing
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

test-rust: lint-rust
	$(CARGO_TEST) --tests -- $(RUST_TESTS)
	$(CARGO_TEST) --doc

test-python: lint-python setup
	$(PYTEST) $(PYTHON_TESTS)

bench: setup .venv/.testing ## the calendar, models here, in peers and as flat loops, how often advice contains the truth, and more; takes an hour
	cargo bench --quiet --locked --package kernel --bench calendar
	$(BIN)/python -m benches.reaches studies
	$(BIN)/python -m benches.closed_model
	$(BIN)/python -m benches.sweep
	$(BIN)/python -m benches.commands
	$(BIN)/python -m benches.terminals
	$(BIN)/python -m benches.dispatch_model
	$(BIN)/python -m benches.virtual_processors
	$(BIN)/python -m benches.growth
	$(BIN)/python -m benches.figure_points
	$(BIN)/python -m benches.spin_locks
	cargo bench --quiet --locked --package serialization --bench pairs
	$(BIN)/python -m benches.enq
	$(BIN)/python -m benches.exits
	cargo bench --quiet --locked --package records --bench rates
	$(BIN)/python -m benches.page
	$(BIN)/python -m benches.page_timeline
	$(BIN)/python -m benches.monitor_data
	$(BIN)/python -m benches.alias_coverage
	$(BIN)/python -m benches.second_pages
	$(BIN)/python -m benches.limit_coverage
	$(BIN)/python -m benches.limit_fleet
	$(BIN)/python -m benches.limit_fleet time
	$(BIN)/python -m benches.fleet_data
	$(BIN)/python -m benches.plan_sites
	$(BIN)/python -m benches.plan_time
	$(BIN)/python -m pytest -q tests/timing

audit: ## known vulnerabilities of what is pinned; needs the network and fails where advisories cannot be reached
	@$(PYTHON) -m venv $(AUDIT)/python && $(AUDIT)/python/bin/python -m pip install pip-audit==$(PIP_AUDIT) || { echo 'not audited: pip-audit $(PIP_AUDIT) cannot be installed' >&2; exit 1; }
	@cargo install --quiet --root $(AUDIT) --locked cargo-audit --version $(CARGO_AUDIT) || { echo 'not audited: cargo-audit $(CARGO_AUDIT) cannot be installed' >&2; exit 1; }
	@$(PYTHON) packaging/audit.py

dist: setup ## build the wheel and the source archive into target/dist, each held against the checkout
	$(BIN)/python packaging/dist.py

docs: setup .venv/.testing ## write the generated pages anew and build target/docs/index.html; a warning is an error
	$(BIN)/python -m docs.generate
	rm -rf target/docs target/doctrees
	$(BIN)/sphinx-build -q -W --keep-going -b html -d target/doctrees docs target/docs
	@echo 'target/docs/index.html'

editor: ## bundle the text editor of the page anew; needs Node and the network, and only after a change in packaging/editor
	rm -rf target/editor
	mkdir -p target && cp -R packaging/editor target/editor
	cd target/editor && npm ci --ignore-scripts --no-audit --no-fund
	node target/editor/bundle.mjs python/slicewright/serve/page/codemirror.js

clean: ## remove everything that make has made
	rm -rf .venv target out/first $(ENGINE) .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find python tests benches docs -name __pycache__ -type d -prune -exec rm -rf {} +

# Each of these ends the build with one sentence: what is missing, and what helps.
define need_python
@command -v $(PYTHON) >/dev/null || { echo "slicewright needs Python 3.11 or newer, and there is no $(PYTHON) on the PATH; install it, or name another: make setup PYTHON=python3.12" >&2; exit 1; }
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "slicewright needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1); name another: make setup PYTHON=python3.12" >&2; exit 1; }
@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make a virtual environment (it has no ensurepip); on Debian and Ubuntu this helps: apt-get install $$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; exit 1; }
endef
define need_rust
@command -v cargo >/dev/null || { echo "slicewright needs cargo (Rust $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml) or newer), and it is not on the PATH; on Debian 13 and Ubuntu 24.04 this helps: apt-get install rustup && rustup default stable" >&2; exit 1; }
@command -v cc >/dev/null || { echo "slicewright needs a C linker, and there is no cc on the PATH; on Debian and Ubuntu this helps: apt-get install gcc libc6-dev" >&2; exit 1; }
endef

.venv/.made:
	$(need_python)
	$(need_rust)
	$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/.building: .venv/.made requirements-build.lock
	@echo 'fetching maturin into .venv'
	@$(STEPS) .venv/building.log $(INSTALL) -r requirements-build.lock
	@touch $@

# The engine is compiled beside what pip fetches: pip waits for the network, and the end of a build uses one processor.
.venv/.running: .venv/.building requirements.lock
	@echo 'fetching what slicewright imports into .venv, and compiling the engine'
	@$(STEPS) .venv/compiled.log $(COMPILE) --skip-install & compiled=$$!; \
	$(STEPS) .venv/running.log $(INSTALL) -r requirements.lock; fetched=$$?; \
	wait $$compiled && exit $$fetched
	@touch $@

.venv/.testing: .venv/.running requirements-dev.lock requirements-clients.lock requirements-dask.lock requirements-optuna.lock requirements-sensitivity.lock
	@echo 'fetching what checks, tests and documentation need into .venv'
	@$(STEPS) .venv/testing.log $(INSTALL_TOOLS) -r requirements-dev.lock
	@$(STEPS) .venv/clients.log $(INSTALL_TOOLS) --no-build-isolation -r requirements-clients.lock
	@$(STEPS) .venv/dask.log $(INSTALL_TOOLS) -r requirements-dask.lock
	@$(STEPS) .venv/sensitivity.log $(INSTALL_TOOLS) -r requirements-sensitivity.lock
	@$(STEPS) .venv/optuna.log $(INSTALL_TOOLS) -r requirements-optuna.lock
	@touch $@

# The engine is installed by pip too, which must not read what another pip is writing.
ifneq ($(filter check test test-all,$(MAKECMDGOALS)),)
.venv/.engine: | .venv/.testing
endif

.venv/.engine: .venv/.running $(ENGINE_SOURCES) $(if $(wildcard $(ENGINE)),,FORCE)
	$(need_rust)
	@echo 'building the engine, and installing it'
	@$(STEPS) .venv/engine.log $(COMPILE)
	@$(BIN)/python -m compileall -q python/slicewright
	@touch $@
