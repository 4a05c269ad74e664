# Every target makes what it needs: on a fresh machine Python 3.11 or newer and make are enough (and Go, for `make real`).

VENV := .venv
PYTEST := $(VENV)/bin/pytest
CLUSTER ?= real
FRAMEWORK := model k8s schema cel http client observe cache controller operator cluster/wire cluster/patches trials examples

# What was compiled is kept: the tests run in several processes and start many more, and each would compile it all anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo docs test test-real test-newest test-deep lint format real bench generate constraints clean

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/dev ## The story of a WebServer: created, scaled, rolled, healed, deleted
	$(VENV)/bin/python -m tools.demo

docs: $(VENV)/dev ## Check that the documentation is true: links, blocks of Python, commands
	$(VENV)/bin/python tools/docs.py

test: $(VENV)/dev ## The everyday tests
	$(PYTEST) -n 3 -m "not real and not deep"

test-real: $(VENV)/dev ## The tests that ask a real Kubernetes API (first: make real; or CLUSTER=kubeconfig)
	$(PYTEST) -m "real and not deep" --cluster=$(CLUSTER) --ignore=tests/docs

test-newest: $(VENV)/newest/dev ## The tests of all that depends on the Python it runs on, on the newest (3.14)
	$(VENV)/newest/bin/pytest -n 3 -m "not real and not deep" $(wildcard $(FRAMEWORK:%=tests/%))

test-deep: $(VENV)/dev ## The long tests, and every property with many more examples
	$(PYTEST) -n 3 -m "deep or (hypothesis and not real)" --hypothesis-profile=deep --cluster=$(CLUSTER)

lint: $(VENV)/bench ## Form, types, layers, and code nobody uses
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/python tools/unused.py
	$(VENV)/bin/python tools/docs.py

format: $(VENV)/dev ## Put the code into form
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format

real: ## Build Kubernetes' own servers, kubectl and etcd, once (needs Go; some eight minutes)
	real/build

bench: $(VENV)/bench ## Measure, beside the peers
	$(VENV)/bin/python -m bench

generate: $(VENV)/dev ## Write src/kubewright/k8s and the table of Go types again, from Kubernetes' own sources (needs Go)
	$(VENV)/bin/python tools/generate.py
	cd real && go run ./types ../src/kubewright/cluster/wire/types.txt
	$(VENV)/bin/python tools/catalogue.py
	$(VENV)/bin/python tools/policy.py

constraints: ## Take the newest versions of everything we depend on into constraints.txt
	tools/constrain

clean: ## Remove the environment and what tools left behind
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# An environment, and in it what developing needs; then what comparing with peers needs. The files are stamps.
$(VENV)/dev: pyproject.toml constraints.txt tools/environment
	tools/environment $(VENV) dev
	@touch $@

$(VENV)/newest/dev: $(VENV)/dev tools/newest
	tools/newest $(VENV)/newest
	@touch $@

$(VENV)/bench: $(VENV)/dev
	tools/environment $(VENV) dev bench
	@touch $@
