#!/bin/sh
# Makes requirements.lock again: every package of every extra, for Python 3.11 and later, with hashes.
# It needs uv on the path. The lock names no index address.
set -eu
cd "$(dirname "$0")/.."
uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
    --no-emit-index-url --no-emit-find-links --extra samples --extra cluster --extra dev pyproject.toml \
    --output-file requirements.lock
