package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// CrashLog returns the file to which panics are written, in the folder of the program's state.
func CrashLog(stateDir string) string { return filepath.Join(stateDir, "crashes.log") }

// A Crash is a panic of the program. In the file it is a line of JSON, or, if it ended the process,
// the text that the runtime of Go writes.
type Crash struct {
	// Time is when it happened, zero if the process ended by it.
	Time  time.Time `json:"time"`
	Panic string    `json:"panic"`
	Stack string    `json:"stack"`
}

// maxCrashes is how many bytes of the end of the file are read.
const maxCrashes = 1 << 20

// readCrashes returns the crashes in a file, the newest last.
func readCrashes(path string) ([]Crash, error) {
	doc, err := regular.Tail(path, maxCrashes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return parseCrashes(doc), err
}

// parseCrashes returns the crashes in a file that may begin and end within one.
func parseCrashes(doc []byte) (all []Crash) {
	ended := false // the process, by the last one
	for line := range bytes.Lines(doc) {
		var c Crash
		text := strings.TrimRight(string(line), "\r\n")
		first, _, _ := strings.Cut(text, ": ")
		switch {
		case json.Unmarshal(line, &c) == nil && c.Stack != "":
			all, ended = append(all, c), false
		case first == "panic", first == "fatal error", strings.HasPrefix(first, "SIG"):
			all, ended = append(all, Crash{Panic: text}), true
		case ended:
			all[len(all)-1].Stack += text + "\n"
		}
	}
	return all
}

// frames returns where a crash happened, the innermost function first: the function without its
// arguments, the name of the file and the line. The functions of the runtime are left out, and
// those that were running beside it.
func (c Crash) frames() (all []string) {
	stack, _, _ := strings.Cut(strings.TrimLeft(c.Stack, "\n"), "\n\ngoroutine ")
	function := ""
	for text := range strings.Lines(stack) {
		text = strings.TrimRight(text, "\r\n")
		place, isPlace := strings.CutPrefix(text, "\t")
		switch {
		case !isPlace:
			function = withoutArguments(text)
		case strings.HasPrefix(function, "runtime") || function == "panic" || function == "":
		default:
			place, _, _ = strings.Cut(place, " ")
			all = append(all, function+" "+filepath.Base(filepath.FromSlash(place)))
		}
	}
	return all
}

// withoutArguments returns the function of a line of a stack, "" if it is none.
func withoutArguments(text string) string {
	text = strings.TrimPrefix(text, "created by ")
	text, _, _ = strings.Cut(text, " in goroutine ")
	if end := strings.LastIndexByte(text, '('); end > 0 && strings.HasSuffix(text, ")") {
		text = text[:end]
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !inFunction(r) }) {
		return ""
	}
	return text
}

// inFunction reports whether a character stands in names of functions.
func inFunction(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_.-/*()[]", r)
}

// crashes looks for panics of servers and hooks.
func crashes(_ context.Context, m Machine) []Finding {
	if m.StateDir == "" {
		return nil
	}
	path := CrashLog(m.StateDir)
	list, err := readCrashes(path)
	switch {
	case err != nil:
		return []Finding{note("unreadable", "The file of crashes cannot be read: "+err.Error()+".", "Move it away.")}
	case len(list) == 0:
		return []Finding{fine("none")}
	}
	last := list[len(list)-1]
	message := fmt.Sprintf("The program panicked %s. The last one", count(len(list), "time", "times"))
	if !last.Time.IsZero() {
		message += " was at " + last.Time.Local().Format(time.DateTime)
	} else {
		message += " ended its process"
	}
	message += ": " + last.Panic
	if at := last.frames(); len(at) > 0 {
		message += ", in " + at[0]
	}
	return []Finding{warning("crash", message+". The stacks are in "+path+".",
		"Report it with wm-lsp doctor --report. Then delete the file.").with("crashes", int64(len(list))).
		fixedBy(func(context.Context) error { return os.Remove(path) })}
}
