# `make play` opens a table, `make test` checks everything; both set up what they need.

PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3.14 python3,$(shell command -v $(name) 2>/dev/null)))
BIN := .venv/bin
READY := .venv/ready

.PHONY: play test quick lint format bench bench-web bench-lab messages golden picture screens facts clean

play: $(READY)
	$(BIN)/nevel serve --browser

test: $(READY)
	$(BIN)/pytest -n 2 --dist worksteal

quick: $(READY)
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/python -m bench
	$(BIN)/python -m bench.thinking
	$(BIN)/python -m bench.storage

bench-web: $(READY)
	PYTHONPATH=tests/browser:tests/web $(BIN)/python -m bench.web

# The peers are measured in an environment of their own, so that they can have whatever versions they want.
PEERS := .venv-peers/ready

bench-lab: $(READY) $(PEERS)
	$(BIN)/python -m bench.lab .venv-peers/bin/python

$(PEERS):
	"$(PYTHON)" -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check 'pettingzoo[classic]' rlcard open_spiel pgx
	@touch $(PEERS)

messages: $(READY)
	$(BIN)/python -m nevel.languages.extraction

golden: $(READY)
	$(BIN)/python tests/golden/record.py

picture: $(READY)
	$(BIN)/python docs/pictures/draw.py
	$(BIN)/python docs/pictures/drawings.py

screens: $(READY)
	PYTHONPATH=tests/browser:tests/web $(BIN)/python docs/pictures/screens.py

facts: $(READY)
	$(BIN)/python docs/facts.py

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Nevel needs Python 3.11 or later."; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Nevel needs Python 3.11 or later; $(PYTHON) is older."; exit 1; }
	"$(PYTHON)" -m venv .venv
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(READY)

clean:
	rm -rf .venv .venv-peers build dist .pytest_cache .ruff_cache .hypothesis
