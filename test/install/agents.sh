#!/usr/bin/env bash
# Installs the agents that the tests of test/agents run, from npm into private folders.
# Nothing of them is part of this repository; some are proprietary. Without the registry
# the script says which are missing and succeeds: their tests are then reported as not run.
#
# usage: agents.sh FOLDER some|all     all adds those that only `make test-agents` runs
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=$1
which=$2
mkdir -p "$folder"

# install NAME PACKAGE VERSION. npm takes an older release without a word where Node is too
# old for the newest one, if no version is named.
install() {
  local name=$1 package=$2 version=$3
  if grep -qs "\"version\": \"$version\"" "$folder/$name/node_modules/$package/package.json"; then return; fi
  say "$name $version"
  local fresh
  fresh=$(mktemp -d "$folder.new-XXXXXX")
  if npm install --prefix "$fresh" --ignore-scripts --no-audit --no-fund --loglevel=error \
    --fetch-retries=1 --fetch-timeout=60000 "$package@$version" >/dev/null 2>"$fresh/npm.log" </dev/null; then
    rm -rf "${folder:?}/$name"
    mv "$fresh" "$folder/$name"
  else
    tail -2 "$fresh/npm.log" >&2
    say "$name $version could not be installed; its tests are not run"
    rm -rf "$fresh"
  fi
}

install claude-code @anthropic-ai/claude-code 2.1.330
install codex @openai/codex 0.169.0
install copilot-cli @github/copilot 1.0.102
install opencode opencode-ai 1.18.33
if [ "$which" = all ]; then
  install gemini-cli @google/gemini-cli 0.61.0
  install qwen-code @qwen-code/qwen-code 0.24.4
  install pi @mariozechner/pi-coding-agent 0.73.1
  install cline cline 3.0.65
fi
