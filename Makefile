# Each target is a word of scripts/tasks.py, which also works by itself: python3 scripts/tasks.py test
# Further words: make test ARGS="-k schema"

PYTHON ?= python3

.PHONY: help try test servers lint format docs lock setup

help:
	@$(PYTHON) scripts/tasks.py || true

try test servers lint format docs lock setup:
	@$(PYTHON) scripts/tasks.py $@ $(ARGS)
