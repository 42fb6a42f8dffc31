#!/bin/sh
# Runs the tests of this module with the race detector, those that compare times or take
# minutes with it without it (see raced in test/raced), and those of tools, and prints
# all as JSON: gotestsum reads it as one run and counts them together.
status=0
without='TimeGrows|AMegabyte|HostileOnes|TenThousand|InNoByte|SessionsLive|ManyProcessesAdd|KilledWhileItArchives'
without="$without|PlantedAmong|TestReplay|AnyStateComesBack|ASearchEnds|NoStoredTextOpens|PrefixStaysTheSame"
# SQLite is C that was translated to Go: the detector checks each of its accesses to memory
# and pointers, which took most of the time of the tests of the memory.
lean="'-gcflags=modernc.org/sqlite/lib=-race=false -d=checkptr=0'"
CGO_ENABLED=1 GORACE=atexit_sleep_ms=50 GOFLAGS="${GOFLAGS:-} $lean" go test -json -race -timeout 2h ./... || status=$?
go test -json -run "$without" ./extract ./extract/command ./extract/overview ./extract/pattern ./extract/redact \
	./extract/tag ./memory ./memory/assembly ./server/lsp || status=$?
(cd tools && go test -json ./...) || status=$?
exit $status
