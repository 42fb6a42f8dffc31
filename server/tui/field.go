package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// A field is a string that is edited. The text fields of bubbles look for programs of clipboards in PATH at
// every start of a program that contains them.
type field struct {
	clusters []string // what a person sees as characters
	at       int      // the place of the cursor
	multi    bool     // whether it may have several lines
}

func newField(text string, multi bool) *field {
	f := &field{multi: multi}
	f.insert(text)
	return f
}

func (f *field) value() string { return strings.Join(f.clusters, "") }

// insert inserts a string at the cursor. In a field of one line, white space is one space.
func (f *field) insert(text string) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ").Replace(text)
	if !f.multi {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	before, after := strings.Join(f.clusters[:f.at], "")+visible(text), strings.Join(f.clusters[f.at:], "")
	f.at = len(clustersOf(before))
	f.clusters = clustersOf(before + after)
	f.at = min(f.at, len(f.clusters))
}

func clustersOf(text string) (all []string) {
	for each := graphemes.FromString(text); each.Next(); {
		all = append(all, each.Value())
	}
	return all
}

// remove removes the characters from one place to another.
func (f *field) remove(from, to int) {
	f.clusters = append(f.clusters[:from:from], f.clusters[to:]...)
	f.at = from
}

// word returns the place where the word before the cursor begins.
func (f *field) word() int {
	at := f.at
	for at > 0 && strings.TrimSpace(f.clusters[at-1]) == "" {
		at--
	}
	for at > 0 && strings.TrimSpace(f.clusters[at-1]) != "" {
		at--
	}
	return at
}

// press edits the text and reports whether the key has a meaning here.
func (f *field) press(key tea.KeyPressMsg) bool {
	switch key.String() {
	case "left", "ctrl+b":
		f.at = max(f.at-1, 0)
	case "right", "ctrl+f":
		f.at = min(f.at+1, len(f.clusters))
	case "home", "ctrl+a":
		f.at = 0
	case "end", "ctrl+e":
		f.at = len(f.clusters)
	case "backspace", "ctrl+h":
		f.remove(max(f.at-1, 0), f.at)
	case "delete", "ctrl+d":
		f.remove(f.at, min(f.at+1, len(f.clusters)))
	case "ctrl+u":
		f.remove(0, f.at)
	case "ctrl+k":
		f.remove(f.at, len(f.clusters))
	case "ctrl+w", "alt+backspace":
		f.remove(f.word(), f.at)
	case "alt+enter", "shift+enter", "ctrl+j":
		if !f.multi {
			return false
		}
		f.insert("\n")
	default:
		if key.Text == "" || key.Mod&^tea.ModShift != 0 {
			return false
		}
		f.insert(key.Text)
	}
	return true
}

// lines returns the text in lines of a width, and where the cursor is in them.
func (f *field) lines(method ansi.Method, width int) (lines []string, x, y int) {
	var line strings.Builder
	used := 0
	end := func() {
		lines = append(lines, line.String())
		line.Reset()
		used = 0
	}
	for i := 0; i <= len(f.clusters); i++ {
		cells, cluster := 1, ""
		if i < len(f.clusters) {
			cluster = f.clusters[i]
			cells = method.StringWidth(cluster)
		}
		if cluster != "\n" && used+cells > width && used > 0 {
			end()
		}
		if i == f.at {
			x, y = used, len(lines)
		}
		if cluster == "\n" {
			end()
			continue
		}
		line.WriteString(cluster)
		used += cells
	}
	end()
	return lines, x, y
}
