package panel

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
)

// Markdown is what there is to read about an item; false if there is no such item.
func Markdown(r Reader, id string) (string, bool) {
	r.agent = Agent(r)
	kind, rest, _ := strings.Cut(id, ":")
	switch kind {
	case "memory":
		if e, there := memory.RoomOf[*longterm.Room](r.Workspace).Get(rest); there {
			return entryMarkdown(e), true
		}
	case "error":
		if e, there := memory.RoomOf[*hot.Room](r.Workspace).Open(r.Worktree, rest); there {
			return errorMarkdown(e), true
		}
	case "file":
		for _, f := range memory.RoomOf[*hot.Room](r.Workspace).Files(r.Session, r.Worktree, 0) {
			if f.Path == rest {
				return list(fence(f.Path), [][2]string{{"Done to it", fmt.Sprintf("%s, %d times in all", f.Action, f.Count)},
					{"Last", clock(f.LastSeen)}, {"By", f.By}}), true
			}
		}
	case "core":
		if block := memory.RoomOf[*core.Room](r.Workspace).Get(r.agent, rest); block.Content != "" {
			return list(shown(block.Content), [][2]string{{"Length", fmt.Sprintf("%d of %d characters", block.Chars(), memory.RoomOf[*core.Room](r.Workspace).MaxChars(rest))},
				{"Written", clock(block.UpdatedAt)}}), true
		}
	case "note":
		return noteMarkdown(r, rest)
	case "working":
		return workingMarkdown(r, rest)
	case "session":
		if s, there := r.Workspace.Sessions().Get(rest); there && !s.Deleted {
			return list(shown(sessionName(s)), [][2]string{{"Agent", s.Agent}, {"Began", clock(s.StartedAt)}, {"Last event", clock(s.UpdatedAt)},
				{"Turns", fmt.Sprint(s.Turn)}}), true
		}
	}
	return "", false
}

func entryMarkdown(e longterm.Entry) string {
	facts := [][2]string{
		{"Type", e.Type}, {"Status", string(e.Status)}, {"Why", e.Rationale}, {"Source", fmt.Sprintf("%s (%.2f)", e.Source, e.Confidence)},
		{"Added", clock(e.CreatedAt)}, {"Said again or restored", times(e.Reinforced)}, {"Files", strings.Join(e.Files, ", ")},
	}
	if e.Origin != nil {
		facts = append(facts, [2]string{"First said to", e.Origin.Agent})
	}
	if e.Stale != nil {
		facts = append(facts, [2]string{"May be out of date", e.Stale.Reason})
	}
	return list(shown(e.Text), facts)
}

func errorMarkdown(e hot.Error) string {
	return list(fence(e.Summary), [][2]string{
		{"Category", e.Category}, {"File", e.Path}, {"Reported by", e.Tool}, {"Command", e.Command},
		{"First seen", clock(e.FirstSeen)}, {"Last seen", clock(e.LastSeen)}, {"Times", fmt.Sprint(e.Count)}, {"Fingerprint", e.Fingerprint},
	})
}

// list writes a text and facts below it; those without a value are left out.
func list(head string, facts [][2]string) string {
	var text strings.Builder
	text.WriteString(head + "\n")
	for _, fact := range facts {
		if fact[1] != "" {
			text.WriteString("\n- **" + fact[0] + ":** " + escape(fact[1]))
		}
	}
	return text.String() + "\n"
}

// times is how often something happened, "" for never.
func times(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "once"
	default:
		return fmt.Sprintf("%d times", n)
	}
}

func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// shown is a text as it is, whatever it would mean as Markdown or HTML.
func shown(text string) string {
	if strings.Contains(text, "\n") {
		return fence(text)
	}
	return escape(text)
}

// escape keeps a text, as one line, from being read as Markdown or HTML. Only what
// would be is escaped, for where Markdown is shown as it is written.
func escape(text string) string {
	var out strings.Builder
	line := []rune(oneLine(text))
	counting := true // nothing but digits so far: 1. begins a list
	for i, c := range line {
		inWord := i > 0 && i+1 < len(line) && isWord(line[i-1]) && isWord(line[i+1])
		switch {
		case strings.ContainsRune("\\`*[]<&~|", c), c == '_' && !inWord,
			i == 0 && strings.ContainsRune("#+->=", c),
			i > 0 && counting && strings.ContainsRune(".)", c):
			out.WriteByte('\\')
		}
		out.WriteRune(c)
		counting = counting && unicode.IsDigit(c)
	}
	return out.String()
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// fence shows a text as it is.
func fence(text string) string {
	ticks := "```"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	return ticks + "\n" + text + "\n" + ticks
}
