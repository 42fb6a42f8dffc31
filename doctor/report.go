package doctor

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
)

// Report returns Markdown for a bug report. It has versions, the subjects and kinds of
// what was found, numbers, and the functions in which the program panicked. It has no path, no
// message and nothing that was remembered.
func Report(m Machine, all []Finding) string {
	var out strings.Builder
	fmt.Fprintf(&out, "wm-lsp %s, %s/%s, %s\n\n", plain(m.Version), runtime.GOOS, runtime.GOARCH, runtime.Version())
	out.WriteString("| subject | severity | kind | numbers |\n|---|---|---|---|\n")
	for _, f := range all {
		var numbers []string
		for _, name := range slices.Sorted(maps.Keys(f.Numbers)) {
			numbers = append(numbers, fmt.Sprintf("%s %d", name, f.Numbers[name]))
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", f.Subject, f.Severity, f.Kind, strings.Join(numbers, ", "))
	}
	list, _ := readCrashes(CrashLog(m.StateDir)) // that it cannot be read is a finding
	for _, c := range list[max(0, len(list)-reported):] {
		out.WriteString("\nPanic" + sayable(c.Panic) + ":\n\n")
		for _, at := range c.frames() {
			out.WriteString("    " + at + "\n")
		}
	}
	return out.String()
}

// reported is how many crashes are reported, the newest ones.
const reported = 3

// sayable returns what a panic says if it can quote nothing of a person: an error of the runtime.
func sayable(panicked string) string {
	if _, said, is := strings.Cut(panicked, "runtime error: "); is {
		said, _, _ = strings.Cut(said, "\n")
		return ", " + said
	}
	return ""
}

// plain returns a version as it was built, or "unknown" if it is not a version.
func plain(version string) string {
	if len(version) > 40 || strings.ContainsAny(version, "/\\\n|") {
		return "unknown"
	}
	return version
}
