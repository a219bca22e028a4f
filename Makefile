# Two commands do all the set-up: `make demo` and `make test`. See README.md.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= out
export OMP_THREAD_LIMIT = 1

.PHONY: demo test lint bench install system clean

install: $(VENV)/.installed

system:
	@sh scripts/install-system.sh

# The lock names every package with its hashes; our own code is then installed without looking anywhere.
$(VENV)/.installed: requirements.lock pyproject.toml scripts/install-system.sh
	@sh scripts/install-system.sh
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

demo: install
	$(BIN)/python -m samples.demo --out $(OUT) $(if $(SERVE),--serve) $(if $(HAND),--hand $(HAND))

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest

bench: install
	$(BIN)/python -m tests.bench --out $(OUT)

clean:
	rm -rf $(VENV) $(OUT)
