package cli

import (
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// A terminal is where text is written. Its zero value is not a terminal: text is written without
// colours and links, and lines are not broken.
type terminal struct {
	// width is the number of columns; 0 if it is not known.
	width         int
	colors, links bool
	// whole is true if text can be drawn anywhere on it.
	whole bool
	// typed is true if a person types there, and not an agent.
	typed bool
}

// agentVariables are set by agents for the commands that they run, also those in a terminal of their own:
// AI_AGENT by any, the others by Claude Code, Cline, Codex, Copilot, Cursor, Gemini, OpenCode and Qwen Code.
var agentVariables = []string{
	"AI_AGENT", "CLAUDECODE", "CLINE_ACTIVE", "CODEX_CI", "CODEX_SANDBOX", "CODEX_THREAD_ID", "COPILOT_CLI",
	"CURSOR_AGENT", "GEMINI_CLI", "OPENCODE", "QWEN_CODE",
}

// terminalOf returns the terminal of an output.
func terminalOf(out io.Writer, env func(string) string) terminal {
	file, is := out.(*os.File)
	if !is || !isatty.IsTerminal(file.Fd()) {
		return terminal{}
	}
	t := terminal{links: env("TERM") != "dumb"}
	t.typed = !slices.ContainsFunc(agentVariables, func(name string) bool { return env(name) != "" })
	t.whole = t.links
	t.colors = t.links && env("NO_COLOR") == ""
	if width, _, err := term.GetSize(int(file.Fd())); err == nil {
		t.width = width
	}
	return t
}

// halfway is what a command must not leave as it is when it is interrupted: the terminal on the whole of which it
// draws, a file that is not at its place yet, an import that could not be taken back.
type halfway struct{ begun sync.Mutex }

// begin is called before. The returned function is called when everything is as it should be.
func (h *halfway) begin() (end func()) {
	h.begun.Lock()
	return h.begun.Unlock
}

// tidying is how long that may take. A terminal that reads nothing is never as it was.
const tidying = 10 * time.Second

// wait waits for the end if there was a beginning.
func (h *halfway) wait() {
	free := make(chan struct{})
	go func() {
		h.begin()()
		close(free)
	}()
	select {
	case <-free:
	case <-time.After(tidying):
	}
}

// A style is a rendition of ECMA-48.
type style string

const (
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	yellow style = "33"
	blue   style = "34"
)

// paint returns a string in a style.
func (t terminal) paint(s style, text string) string {
	if !t.colors || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// link returns a string that opens a URI.
func (t terminal) link(uri, text string) string {
	if !t.links || uri == "" {
		return text
	}
	return "\x1b]8;;" + uri + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// minColumns is the width below which lines are not broken.
const minColumns = 20

// indented returns a string whose lines are indented, and broken between words to fit the width. A line is
// measured as a whole: signs that stand side by side may be shown as one.
func (t terminal) indented(indent int, text string) string {
	var out strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		begins := out.Len()
		for i, word := range strings.Fields(line) {
			switch {
			case i == 0:
				out.WriteString(strings.Repeat(" ", indent))
			case t.width >= minColumns && displaywidth.String(out.String()[begins:]+" "+word) > t.width:
				out.WriteByte('\n')
				begins = out.Len()
				out.WriteString(strings.Repeat(" ", indent))
			default:
				out.WriteByte(' ')
			}
			out.WriteString(word)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// padded returns a string with spaces behind it, so that it has a number of columns.
func padded(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-displaywidth.String(text)))
}
