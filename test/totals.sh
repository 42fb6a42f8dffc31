#!/bin/sh
# Prints how the tests went in one line, the last one; gotestsum runs it after the tests. A
# package that does not build counts as one failed test. Agents that are not installed are
# named: their tests were not run.
skipped=$(grep -o 'not run: [a-z-]* is not installed' "$GOTESTSUM_JSONFILE" | sort -u)
[ -z "$skipped" ] || echo "$skipped; test/install/agents.sh installs it"
passed=$(grep -c '"Action":"pass","Package":"[^"]*","Test":' "$GOTESTSUM_JSONFILE")
failed=$((TESTS_FAILED > TESTS_ERRORS ? TESTS_FAILED : TESTS_ERRORS))
echo "$passed passed, $failed failed"
