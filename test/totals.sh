#!/bin/sh
# Prints how the tests went in one line; gotestsum runs it after the tests. A
# package that does not build counts as one failed test.
passed=$(grep -c '"Action":"pass","Package":"[^"]*","Test":' "$GOTESTSUM_JSONFILE")
failed=$((TESTS_FAILED > TESTS_ERRORS ? TESTS_FAILED : TESTS_ERRORS))
echo "$passed passed, $failed failed"
