#!/bin/sh
# Runs the tests of this module with the race detector, then those of tools, and
# prints both as JSON: gotestsum reads it as one run and counts them together.
status=0
CGO_ENABLED=1 go test -json -race -timeout 2h ./... || status=$?
(cd tools && go test -json ./...) || status=$?
exit $status
