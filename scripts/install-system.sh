#!/bin/sh
# Installs the Debian or Ubuntu packages that Otbor relies on, if any is missing. See README.md, "System packages".
#
#   python3-venv                        a virtual environment (Debian keeps it apart from python3)
#   tesseract-ocr, tesseract-ocr-rus    the reader of printed text
#   libgl1, libglib2.0-0                what OpenCV's wheel links to
#   chromium                            the browser that the tests drive
set -eu

missing=""
need() { missing="$missing $1"; }

"${PYTHON:-python3}" -c 'import venv, ensurepip' 2>/dev/null || need python3-venv
command -v tesseract >/dev/null 2>&1 || need tesseract-ocr
tesseract --list-langs 2>/dev/null | grep -qx rus || need tesseract-ocr-rus
library() { ldconfig -p 2>/dev/null | grep -q "$1" || /sbin/ldconfig -p 2>/dev/null | grep -q "$1"; }
library 'libGL\.so\.1' || need libgl1
library 'libglib-2\.0\.so\.0' || need libglib2.0-0
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || need chromium

[ -n "$missing" ] || exit 0
echo "Installing system packages:$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "This is neither Debian nor Ubuntu: please install the equivalents of$missing and run make again." >&2
    exit 1
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Please run as root: apt-get install$missing" >&2
        exit 1
    fi
    sudo="sudo"
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
