package command

import "strings"

const bunName = "bun test"

var bunTest = &family{
	name: bunName, category: Test,
	runs: []run{{
		programs: "bun", subcommands: "test", filters: "-t --test-name-pattern",
		looks:  "-h",
		valued: "--timeout --preload --reporter --reporter-outfile --coverage-reporter --coverage-dir --rerun-each",
	}},
	reads:  reading{readers: []*reader{bunTests, nodeTraces}},
	covers: coverage{holds: patternHolds, selects: selectsPattern, less: "--only --todo"},
	clears: clearance{suite: javaScriptSuite},
}

var bunTests = &reader{stage: tests, marks: []string{"(fail) ", "✗ ", "# Unhandled error"}, read: readBun}

var (
	bunFile = lazy(`^(\S+\.(?:[cm]?[jt]sx?)):$`)
	bunFail = lazy(`^(?:\(fail\)|✗) (.+?)(?: \[[\d.]+m?s\])?$`)
	// bunError begins what went wrong.
	bunError = lazy(`^(?:error|\w*(?:Error|Exception)): `)
	bunPass  = lazy(`^(?:\(pass\)|✓) `)
)

// readBun reads "(fail) suite > test [1.00ms]" of bun test. What went wrong stands above it, below
// the name of the file.
func readBun(t *transcript) []Error {
	var errors []Error
	file := ""
	var message []string
	var frames []frame
	begin := func() { message, frames = nil, nil }
	between := false // whether the next error stands between the tests
	for _, line := range t.lines {
		if enough(errors) {
			break
		}
		if m := bunFile.FindStringSubmatch(line); m != nil {
			file = m[1]
			begin()
			continue
		}
		if f, ok := stackFrame(line); ok {
			frames = append(frames, f)
			continue
		}
		text := strings.TrimSpace(line)
		switch m := bunFail.FindStringSubmatch(line); {
		case m != nil:
			place := t.outermost(frames)
			if file == "" {
				file = place.file
			}
			line := 0
			if t.path(place.file) == t.path(file) {
				line = place.line
			}
			errors = append(errors, t.failing(bunName, m[1], file, line, strings.Join(message, " ")))
			begin()
		case bunPass.MatchString(line):
			begin()
		case strings.HasPrefix(line, "# Unhandled error"):
			begin()
			between = true
		case len(message) > 0 && len(message) < 3 && jestValue.MatchString(text):
			message = append(message, text)
		case bunError.MatchString(text):
			message = []string{strings.TrimPrefix(text, "error: ")}
			if between {
				errors = append(errors, t.failing(bunName, file, file, 0, message[0]))
				begin()
				between = false
			}
		}
	}
	return errors
}
