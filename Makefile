# Two commands do all the set-up: `make demo` and `make test`. See README.md.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= out
export OMP_THREAD_LIMIT = 1

.PHONY: demo test lint bench bench-jury bench-ranking bench-reading model install system clean

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

# Real handwriting and a word list are optional: make bench-reading HANDWRITING=… WORDS=…
bench-reading: install
	$(BIN)/python -m tests.bench_reading --out $(OUT) $(if $(HANDWRITING),--handwriting $(HANDWRITING)) \
	    $(if $(WORDS),--words $(WORDS))

# Six jurors at once on a server with 300 sheets; then a scripted juror on the real page, in three hands.
bench-jury: install
	$(BIN)/python -m tests.bench_jury --out $(OUT)
	$(BIN)/python -m tests.bench_hands --out $(OUT)

# Ranking, re-scoring, seeding; the property tests counted; the regulations' sentences and their tests.
bench-ranking: install
	$(BIN)/python -m tests.bench_ranking --out $(OUT)

# Trains the handwriting network anew (an hour on one core), in an environment of its own:
# make model LETTERS=folder of comnist_letters_64.npz and mnist_digits_28.npz [MINUTES=60]
# [CROPS=folders of otbor crops export]; SMALL_MINUTES are for each of the two small networks.
MODEL_VENV ?= .venv-model
MINUTES ?= 60
SMALL_MINUTES ?= 12
CALIBRATION_SHEETS ?= 180
model:
	@test -n "$(LETTERS)" || { echo "Say where the real letters are: make model LETTERS=folder"; exit 1; }
	@test -x $(MODEL_VENV)/bin/python || $(PYTHON) -m venv $(MODEL_VENV)
	$(MODEL_VENV)/bin/python -m pip install --quiet -e ".[model]"
	$(MODEL_VENV)/bin/python -m training.fonts $(OUT)/model/fonts
	test -s $(OUT)/model/words.tsv || $(MODEL_VENV)/bin/python -m training.vocabulary $(OUT)/model/words.tsv
	$(MODEL_VENV)/bin/python -m training.train --data $(OUT)/model --handwriting $(LETTERS) \
	    --out $(OUT)/model --minutes $(MINUTES) --wall --bf16 $(if $(CROPS),--crops $(CROPS))
	$(MODEL_VENV)/bin/python -m training.export $(OUT)/model/network.pt scanner/models/handwriting.onnx
	$(MODEL_VENV)/bin/python -m training.digits --data $(OUT)/model --handwriting $(LETTERS) \
	    --out scanner/models/digits.onnx --minutes $(SMALL_MINUTES)
	$(MODEL_VENV)/bin/python -m training.struck --data $(OUT)/model --handwriting $(LETTERS) \
	    --out scanner/models/struck.onnx --minutes $(SMALL_MINUTES)
	$(MODEL_VENV)/bin/python -m training.calibrate --data $(OUT)/model --handwriting $(LETTERS) \
	    --model scanner/models/handwriting.onnx --out scanner/models/calibration.json \
	    --sheets $(CALIBRATION_SHEETS)

clean:
	rm -rf $(VENV) $(OUT)
