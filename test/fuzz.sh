#!/usr/bin/env bash
# Runs every fuzz target for a time: as many targets at once as there are processors, with one
# worker each. Prints one line for a target that passes, and the output of one that fails.
#
# usage: fuzz.sh TIME     such as: fuzz.sh 10s
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export FUZZTIME=${1:?usage: fuzz.sh TIME}

# fuzz FILE TARGET runs a target, which is declared in a test file.
fuzz() {
  local package target=$2 output
  package=$(dirname "$1")
  # Inputs are not minimized: by default that may take a minute for each, and a short run would do
  # nothing else.
  local flags=(-run '^$' -fuzz "^$target\$" -fuzztime "$FUZZTIME" -fuzzminimizetime 0s -parallel 1)
  # The folder may be in the module of tools.
  if output=$(cd "$package" && go test "${flags[@]}" . 2>&1 </dev/null); then
    echo "ok   $package $target, $(grep -o 'execs: [0-9]*' <<<"$output" | tail -1)"
  elif grep -q '^    context deadline exceeded$' <<<"$output" && ! grep -q 'Failing input' <<<"$output"; then
    # Before Go 1.27 the fuzzer may take the end of its own time for a failure (go.dev/issue/75804); one has an input.
    echo "ok   $package $target, $(grep -o 'execs: [0-9]*' <<<"$output" | tail -1)"
  else
    printf 'FAIL %s %s\n%s\n' "$package" "$target" "$output"
    return 1
  fi
}
export -f fuzz

grep -rHoE '^func Fuzz[A-Za-z0-9_]*' --include='*_test.go' . | sort | sed 's/:func / /' |
  xargs -P "$(nproc)" -L 1 bash -c 'fuzz "$@"' fuzz
