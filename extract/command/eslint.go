package command

import (
	"encoding/json"
	"strings"
)

const (
	eslintName   = "eslint"
	prettierName = "prettier"
)

var (
	eslint = &family{
		name: eslintName, category: Lint,
		runs: []run{{
			programs: "eslint",
			valued: "-c --config -f --format --ext --max-warnings -o --output-file --rule --plugin --parser" +
				" --ignore-path --ignore-pattern --cache-location --resolve-plugins-relative-to",
			looks: "-v -h --print-config --env-info --init --inspect-config",
		}},
		recognises: recognition{target: true, formats: "--fix"},
		reads:      reading{readers: []*reader{eslints, nodeTraces}},
		covers: coverage{
			more: warnsMore + " --no-eslintrc --no-config-lookup",
			less: "--quiet --ignore-pattern --ignore-path --fix-dry-run --no-eslintrc --no-config-lookup",
			same: "-c --config --rule --rulesdir --ext", concerns: eslintConcerns,
		},
		clears: clearance{servers: "eslint"},
	}
	stylelint = &family{
		name: "stylelint", category: Lint,
		runs: []run{{
			programs: "stylelint", valued: "--config -f --formatter --max-warnings --mw --ignore-path --ignore-pattern",
			looks: "-v -h --print-config",
		}},
		reads: reading{readers: []*reader{eslints}},
		covers: coverage{
			more: warnsMore, less: "--quiet -q --ignore-path --ignore-pattern", same: "--config",
			concerns: eslintConcerns,
		},
		clears: clearance{servers: "stylelint Stylelint"},
	}
	prettier = &family{
		name: prettierName, category: Lint,
		runs: []run{{
			programs: "prettier", valued: "--config --parser --ignore-path --plugin",
			looks: "-v -h --find-config-path --file-info --support-info",
		}},
		recognises: recognition{target: true, formats: "-w --write"},
		reads:      reading{readers: []*reader{prettiers}},
		covers:     coverage{less: "--ignore-path", same: "--config --no-config"},
	}
)

// warnsMore are the options with which a linter fails for warnings.
const warnsMore = "--max-warnings --mw --report-unused-disable-directives"

// eslintConcerns reports whether an option decides about an error: some are for warnings only.
func eslintConcerns(_ Success, option string, o Opener) bool {
	switch name, _, _ := strings.Cut(option, " "); name {
	case "--quiet", "-q", "--max-warnings", "--mw", "--report-unused-disable-directives":
		return o.Warning
	}
	return true
}

var (
	eslints   = &reader{marks: []string{"error", "warning", `"messages":`, "✖"}, read: readESLint}
	prettiers = &reader{marks: []string{"[error] ", "[warn] "}, read: readPrettier}
)

// A finding is one message of a linter with its severity.
type finding struct {
	Error
	warning bool
}

// failures are the errors among the findings; the warnings, if there is nothing
// else that the run can have failed for.
func failures(findings []finding) []Error {
	var errors, warnings []Error
	for _, f := range findings {
		if f.Warning = f.warning; f.warning {
			warnings = append(warnings, f.Error)
		} else {
			errors = append(errors, f.Error)
		}
	}
	if len(errors) == 0 {
		return warnings
	}
	return errors
}

// readESLint reads ESLint's formats stylish, json, compact and unix, and
// stylelint, whose form is the same.
func readESLint(t *transcript) []Error {
	if found := t.eslintJSON(); len(found) > 0 {
		return failures(found)
	}
	return failures(t.eslintText())
}

func (t *transcript) eslintJSON() []finding {
	start := strings.Index(t.text, `[{"filePath":`)
	if start < 0 {
		return nil
	}
	var files []struct {
		FilePath string
		Messages []struct {
			Severity, Line int
			Message        string
		}
	}
	if json.NewDecoder(strings.NewReader(t.text[start:])).Decode(&files) != nil {
		return nil
	}
	var found []finding
	for _, file := range files {
		for _, m := range file.Messages {
			e := t.error(Lint, t.tool(eslintName), file.FilePath, m.Line, m.Message)
			found = append(found, finding{e, m.Severity < 2})
		}
	}
	return found
}

var (
	stylish = lazy(`^\s+(\d+):(\d+)\s+(error|warning|✖|×|⚠)\s+(.*)$`)
	compact = lazy(`^(.+): line (\d+), col \d+, (Error|Warning) - (.*?)(?: \([^()]*\))?$`)
	unix    = lazy(`^(.+?):(\d+):\d+: (.*) \[(Error|Warning)(?:/[^\]]*)?\]$`)
	columns = lazy(`\s{2,}[@\w./-]+\s*$`)
)

func (t *transcript) eslintText() []finding {
	var found []finding
	add := func(file, line, message string, warning bool) {
		number, _ := digits(line)
		found = append(found, finding{t.error(Lint, t.tool(eslintName), file, number, message), warning})
	}
	file := ""
	for _, line := range t.lines {
		if len(found) >= maxEntries {
			break
		}
		switch {
		case line == "":
		case line[0] == ' ':
			match := stylish.FindStringSubmatch(line)
			if match == nil || file == "" {
				continue
			}
			message := strings.TrimSpace(columns.ReplaceAllString(match[4], ""))
			add(file, match[1], message, match[3] == "warning" || match[3] == "⚠")
		case strings.Contains(line, ": line "):
			if match := compact.FindStringSubmatch(line); match != nil {
				add(match[1], match[2], match[4], match[3] == "Warning")
			}
		case strings.HasSuffix(line, "]") &&
			(strings.Contains(line, " [Error") || strings.Contains(line, " [Warning")):
			if match := unix.FindStringSubmatch(line); match != nil {
				add(match[1], match[2], match[3], match[4] == "Warning")
			}
		default:
			file = ""
			if !strings.Contains(line, ": ") && strings.ContainsAny(line, "./\\") {
				file = strings.TrimSpace(line)
			}
		}
	}
	return found
}

var prettierLine = lazy(`^\[(error|warn)\] ([^\s:]+\.\w+)(?:: (.*?)(?: \((\d+):\d+\))?)?$`)

// readPrettier reads prettier --check: files that cannot be parsed, or else those
// that are not formatted.
func readPrettier(t *transcript) []Error {
	var found []finding
	for _, line := range t.lines {
		if len(found) >= maxEntries {
			break
		}
		match := prettierLine.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		number, _ := digits(match[4])
		message := match[3]
		if message == "" {
			message = "not formatted"
		}
		found = append(found, finding{t.error(Lint, prettierName, match[2], number, message), match[1] == "warn"})
	}
	return failures(found)
}
