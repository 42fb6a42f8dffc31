#!/usr/bin/env bash
# Writes the completions of the shells into dist-completions, for the archives and packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -rf dist-completions
mkdir dist-completions
program=$(mktemp -d)
trap 'rm -rf "$program"' EXIT
CGO_ENABLED=0 go build -buildvcs=false -o "$program" ./cmd/wm-lsp
"$program/wm-lsp" completion bash > dist-completions/wm-lsp.bash
"$program/wm-lsp" completion zsh > dist-completions/_wm-lsp
"$program/wm-lsp" completion fish > dist-completions/wm-lsp.fish
"$program/wm-lsp" completion powershell > dist-completions/wm-lsp.ps1
