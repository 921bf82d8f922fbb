# Every target prepares .venv first; `make setup` alone is a no-op when nothing changed.
PYTHON ?= python3
BIN := .venv/bin
export UV_PROJECT_ENVIRONMENT := .venv
export UV_COMPILE_BYTECODE := 1
export UV_PYTHON_DOWNLOADS := never

.PHONY: run test test-fast check setup bench reliability shots lock clean

# The app needs a terminal; the tour shows its work where there is none.
run: setup
	@$(if $(ARGS),$(BIN)/wakeful $(ARGS),if [ -t 0 ] && [ -t 1 ]; then exec $(BIN)/wakeful; else exec $(BIN)/wakeful tour; fi)

test: setup
	@$(BIN)/pytest -n auto --dist worksteal $(ARGS)

# Pure and store tests, and one smoke test for each front end.
test-fast: setup
	@$(BIN)/pytest -n auto --dist worksteal -m "smoke or not (pty or pilot or slow)" $(ARGS)

check: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/basedpyright --warnings
	@$(BIN)/lint-imports

reliability: setup
	@$(BIN)/python -m tests.reliability $(ARGS)

bench: setup
	@$(BIN)/python -m bench $(ARGS)

shots: setup
	@$(BIN)/python -m tests.shots $(ARGS)

setup: .venv/ready

.venv/ready: pyproject.toml uv.lock .ci/uv.txt tui/version.py
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --require-hashes -r .ci/uv.txt
	@$(BIN)/uv sync --quiet --locked
	@$(BIN)/python -m compileall -q tui agent store themes
	@touch $@

lock:
	@$(BIN)/uv lock

clean:
	rm -rf .venv dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
