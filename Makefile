# `make play` opens a table, `make test` checks everything; both set up what they need.

PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3.14 python3,$(shell command -v $(name) 2>/dev/null)))
BIN := .venv/bin
# `make play` installs what playing needs; everything else adds what tests, tools and experiments need.
READY := .venv/ready
READY_TO_TEST := .venv/ready-to-test
# The games of examples/ are packages of their own, installed beside the environment: the tests find them as they would
# anybody's, and `make play` doesn't offer them.
EXAMPLES := .venv/examples
PIP := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Tests wait half of their time, for pages, processes and sockets: two workers a core keep the cores at work.
WORKERS ?= $(shell "$(PYTHON)" -c 'import os; print(min(2 * (os.cpu_count() or 1), 8))')
PYTEST = $(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal

.PHONY: play test quick lint format bench bench-web bench-lab messages golden picture screens facts hashes licences clean

play: $(READY)
	$(BIN)/nevel serve --browser

test: $(READY_TO_TEST) $(EXAMPLES)/ready
	$(PYTEST)
	PYTHONPATH="$(CURDIR)/$(EXAMPLES)" $(PYTEST) examples/liars-dice

quick: $(READY_TO_TEST)
	$(PYTEST) -m "not slow"

lint: $(READY_TO_TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

format: $(READY_TO_TEST)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY_TO_TEST)
	$(BIN)/python -m bench
	$(BIN)/python -m bench.thinking
	$(BIN)/python -m bench.storage

bench-web: $(READY_TO_TEST)
	$(BIN)/python -m bench.web
	$(BIN)/python -m bench.frames

# The peers are measured in an environment of their own, so that they can have whatever versions they want.
PEERS := .venv-peers/ready

bench-lab: $(READY_TO_TEST) $(PEERS)
	$(BIN)/python -m bench.lab .venv-peers/bin/python

$(PEERS):
	"$(PYTHON)" -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check 'pettingzoo[classic]' rlcard open_spiel pgx
	@touch $(PEERS)

messages: $(READY_TO_TEST)
	$(BIN)/python -m nevel.languages.extraction

golden: $(READY_TO_TEST)
	$(BIN)/python -m tests.golden.record

picture: $(READY_TO_TEST)
	$(BIN)/python docs/pictures/draw.py
	$(BIN)/python docs/pictures/drawings.py
	$(BIN)/python docs/pictures/icons.py

screens: $(READY_TO_TEST)
	$(BIN)/python -m docs.pictures.screens

facts: $(READY_TO_TEST)
	$(BIN)/python docs/facts.py

hashes: $(READY_TO_TEST)
	$(BIN)/python -m deploy.hashes

licences: $(READY_TO_TEST)
	$(BIN)/python -m deploy.licences

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Nevel needs Python 3.11 or later."; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Nevel needs Python 3.11 or later; $(PYTHON) is older."; exit 1; }
	"$(PYTHON)" -m venv .venv
	@# Modules are byte-compiled when first imported: few of what is installed are, and the first page comes seconds sooner.
	$(PIP) --no-compile -e .
	@touch $(READY)

$(READY_TO_TEST): $(READY)
	$(PIP) -e '.[dev]'
	@touch $(READY_TO_TEST)

$(EXAMPLES)/ready: $(READY_TO_TEST) $(shell find examples -type f -not -name '*.pyc')
	rm -rf $(EXAMPLES)
	$(PIP) --no-deps --target $(EXAMPLES) ./examples/liars-dice
	@touch $(EXAMPLES)/ready

clean:
	rm -rf .venv .venv-peers build dist .pytest_cache .ruff_cache .hypothesis
