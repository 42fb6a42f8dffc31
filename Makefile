# The commands of this repository; `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := build

# What the tests need is installed here; the tests read it from the environment.
export WM_LSP_TEST ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/wm-lsp-test
# The version is set by hand below; a clone of another owner cannot be asked for it.
export GOFLAGS := $(GOFLAGS) -buildvcs=false

# HTTP/2 is not needed: the only use of the network is an endpoint for embeddings.
TAGS    := nethttpomithttp2
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# The version of a release is that of the extension of VS Code.
RELEASE := $(shell sed -n 's/^  "version": "\(.*\)",/\1/p' editors/vscode/package.json)
TOOLS   := $(WM_LSP_TEST)/bin
STYLUA  := $(WM_LSP_TEST)/stylua/node_modules/.bin/stylua
BIOME   := $(WM_LSP_TEST)/biome/node_modules/.bin/biome
gofmt   := unformatted=$$(gofmt -l .); \
	[ -z "$$unformatted" ] || { echo "not formatted; run gofmt -w on:"; echo "$$unformatted"; exit 1; }
LUA     := editors/nvim
VSCODE  := editors/vscode
OPENCODE := editors/opencode

.PHONY: help build install check test test-agents lint cross demo bench screenshots widths fuzz soak docs clean release test-release

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-11s %s\n", $$1, $$2}' Makefile

build: ## bin/wm-lsp, stripped, with its version
	CGO_ENABLED=0 go build -tags $(TAGS) -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/ ./cmd/wm-lsp

install: ## wm-lsp into the folder where go install puts programs
	CGO_ENABLED=0 go install -tags $(TAGS) -trimpath -ldflags "-s -w -X main.version=$(VERSION)" ./cmd/wm-lsp

# The packages whose tests take longest are begun first, so that at the end nothing waits for one of them.
LONGEST := ./test ./server/lsp ./server/service ./memory ./extract/redact

# Linking is a third of the time; programs without cgo and HTTP/2, such as that of a release, are linked faster.
# go vet was here before, so go test needs no part of it.
check: export CGO_ENABLED := 0
check: export GOFLAGS := $(GOFLAGS) -tags=$(TAGS)
check: ## formatting, go vet and the quick tests that need no editor and no agent, in about a minute
	@$(gofmt)
	@go vet ./...
	@test/in-memory.sh go test -short -vet=off -p 4 $(LONGEST) $$(go list ./... | grep -v '/test/\(agents\|editors\)$$')
	@test/editors/not-run.sh

test: cross ## install what the tests need, run them all with the race detector
	@test/install/all.sh test
	@$(TOOLS)/gotestsum --format pkgname --format-hide-empty-pkg \
		--jsonfile $(WM_LSP_TEST)/last.json --post-run-command test/totals.sh --raw-command test/modules.sh

test-agents: ## the tests with the real agents, also with those that `make test` leaves out
	@test/install/all.sh agents
	@go test -tags ondemand -count=1 -timeout 1h -v ./test/agents | grep -E '^ *(---|ok|FAIL|panic)|Error|not run'

release: ## everything that a release has, into dist: programs, packages, extensions; nothing is published
	@test/install/all.sh release
	@PATH=$(TOOLS):$$PATH tools/release/release.sh $(RELEASE)

test-release: ## builds the release of the newest commit twice, compares both, and tries everything in it
	@test/install/all.sh release
	@PATH=$(TOOLS):$$PATH go test -tags ondemand -count=1 -timeout 1h -v ./test/release | grep -E '^ *(---|ok|FAIL|panic)|Error|not on this|only compiled'

cross: ## compile without cgo for every system that is supported
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "build $$os/$$arch"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -tags $(TAGS) -trimpath -o /dev/null ./cmd/wm-lsp; \
	done; done

# Only go.mod has to be tidy: go.sum depends on which tests of libraries can be downloaded.
lint: ## formatting, length of lines, go vet, staticcheck, govulncheck, go.mod, luacheck, stylua, biome, tsc
	@test/install/all.sh lint
	@$(gofmt)
	@go run ./test/columns .
	@for module in . tools; do \
		(cd $$module && echo "vet, staticcheck, govulncheck and go.mod of $$module" && go vet ./... && $(TOOLS)/staticcheck ./...) || exit 1; \
		(cd $$module && $(CURDIR)/test/vulnerabilities.sh $(TOOLS)/govulncheck) || exit 1; \
		(cd $$module && go mod tidy -e -diff 2>/dev/null || true) | (! grep -A 20 '^--- current/go.mod') || \
			{ echo "$$module/go.mod is not tidy; run go mod tidy -e there"; exit 1; }; \
	done
	@echo "vet and staticcheck of what only make test-agents and test-release run"
	@go vet -tags ondemand ./test/agents ./test/release && $(TOOLS)/staticcheck -tags ondemand ./test/agents ./test/release
	luacheck --quiet $(LUA)
	$(STYLUA) --check $(LUA)
	cd $(VSCODE) && $(BIOME) check --error-on-warnings . ../screens ../agents/pi
	npm run --silent --prefix $(VSCODE) types
	cd $(OPENCODE) && $(BIOME) check --error-on-warnings .
	npm run --silent --prefix $(OPENCODE) types

demo: ## the main job on this repository, with a scripted editor and a scripted agent
	@go run ./test/demo

bench: ## speed and memory, of the server and in the editors; writes docs/benchmarks.md; PART=server measures a part
	@test/install/all.sh bench
	@go run ./test/bench $(PART)

screenshots: ## what the README shows, from the real VS Code, Neovim and a terminal; writes docs/screens
	@test/install/all.sh screenshots
	@PATH=$(WM_LSP_TEST)/vscode/bin:$$PATH WM_TEST_VSCODE=$(WM_LSP_TEST)/vscode node editors/screens/main.mjs

widths: ## the panel in VS Code at 300, 400 and 600 pixels in every kind of theme, into dist/widths
	@test/install/all.sh screenshots
	@PATH=$(WM_LSP_TEST)/vscode/bin:$$PATH WM_TEST_VSCODE=$(WM_LSP_TEST)/vscode node editors/screens/widths.mjs dist/widths

FUZZTIME ?= 60s
fuzz: ## every fuzz target for FUZZTIME (60s), one on each processor
	@test/fuzz.sh $(FUZZTIME)

SOAK ?= 10m
soak: ## eight servers for SOAK (10m), with kills and a full disk, checked by a model
	@go run ./test/soak -for $(SOAK)

docs: ## write the documents that are generated from the Go sources
	go test ./cmd/wm-lsp ./extract/overview ./memory/settings ./server/mcp ./server/wire -run Current -update

clean: ## remove what make built, not what it installed for the tests
	rm -rf bin
