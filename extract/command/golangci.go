package command

import (
	"slices"
	"strings"
)

const golangciName = "golangci-lint"

// golangci runs many linters of Go, and compiles the code for them.
var golangci = &family{
	name: golangciName, category: Lint,
	runs: []run{{
		programs: golangciName,
		valued: "-c --config -E --enable -D --disable --enable-only --default --timeout --out-format --build-tags" +
			" --new-from-rev --new-from-patch --new-from-merge-base --issues-exit-code --presets -p",
	}},
	recognises: recognition{verbs: startVerbs},
	reads:      reading{readers: []*reader{golangciIssues, goPanics}},
	covers: coverage{
		reaches: goReaches, parts: "--build-tags", same: "GOOS GOARCH -c --config --default -p --presets",
		more: "-E --enable --enable-all --no-config",
		less: "-D --disable --disable-all --enable-only --new -n --new-from-rev --new-from-patch" +
			" --new-from-merge-base --fast --fast-only --tests=false --no-config --issues-exit-code",
		concerns: goConcerns,
	},
	clears: clearance{compiles: goCode},
}

// staticcheck checks Go by rules of its own.
var staticcheck = &family{
	name: "staticcheck", category: Lint,
	runs: []run{{
		programs: "staticcheck", valued: "-checks -tags -f -go -explain -fail", looks: "-version -explain -h",
	}},
	covers: ofGo(coverage{less: "-tests=false", same: "-checks -fail"}),
}

var golangciIssues = &reader{marks: []string{".go:"}, read: readGolangci}

var (
	// issueCount is the line behind the issues with their number.
	issueCount = lazy(`^(\d+) issues?[:.]$`)
	// ofLinter matches the name of the linter at the end of an issue.
	ofLinter = lazy(` \(([\w-]+)\)$`)
)

// issues returns the lines of golangci-lint: up to the last number of issues, or all if that is what
// the step runs.
func (t *transcript) issues() []string {
	for i, line := range slices.Backward(t.lines) {
		if issueCount.MatchString(line) {
			return t.lines[:i]
		}
	}
	if t.known && t.step.Tool == golangciName {
		return t.lines
	}
	return nil
}

// readGolangci reads issues: "a.go:3:1: message (linter)". What the compiler says, which it prints as
// one issue of several lines, is an error of the build.
func readGolangci(t *transcript) []Error {
	var errors []Error
	for _, line := range t.issues() {
		if enough(errors) {
			break
		}
		file, number, message, ok := goPosition(line)
		if !ok || strings.HasPrefix(strings.TrimLeft(message, ": "), "#") {
			continue
		}
		switch linter := ofLinter.FindStringSubmatch(message); {
		case linter == nil, linter[1] == "typecheck":
			message = strings.TrimSuffix(message, " (typecheck)")
			errors = append(errors, t.error(Build, golangciName, file, number, message))
		default:
			errors = append(errors, t.error(Lint, golangciName, file, number, message))
		}
	}
	return errors
}
