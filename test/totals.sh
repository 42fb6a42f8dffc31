#!/bin/sh
# Prints how the tests went in one line; gotestsum runs it after the tests.
echo "$((TESTS_TOTAL - TESTS_FAILED - TESTS_SKIPPED)) passed, $((TESTS_FAILED + TESTS_ERRORS)) failed"
