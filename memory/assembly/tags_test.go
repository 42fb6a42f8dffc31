package assembly

import (
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// tagsOf returns the tags of a context that a lenient reader finds in a string: one
// that decodes entities, sees no invisible characters, takes characters that look
// alike for the same, and minds neither case nor spaces nor what follows a name.
func tagsOf(text string) []string {
	text = norm.NFKC.String(html.UnescapeString(text))
	text = strings.ToLower(strings.Map(func(c rune) rune {
		if unicode.In(c, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
			unicode.IsControl(c) && !unicode.IsSpace(c) {
			return -1
		}
		return c
	}, text))
	var found []string
	for _, match := range anyTag.FindAllStringSubmatch(text, -1) {
		if slices.Contains(tag.Names(), match[2]) {
			if strings.Contains(match[1], "/") {
				match[2] = "/" + match[2]
			}
			found = append(found, match[2])
		}
	}
	return found
}

var anyTag = regexp.MustCompile(`<([\s\p{Z}\x{85}/]*)([a-z0-9_]+)`)

// elements are the tags of each section.
var elements = map[string][]string{
	"guide":     {"guide", "/guide"},
	"workspace": {"workspace_memory", "/workspace_memory"},
	"recalled":  {"recalled_memory", "/recalled_memory"},
	"handover":  {"session_handover", "/session_handover"},
	"core":      {"core_memory", "goal", "/goal", "progress", "/progress", "context", "/context", "/core_memory"},
	"overview":  {"overview", "/overview"},
	"working":   {"working_memory", "/working_memory"},
	"session":   {"session_state", "/session_state"},
	"pressure":  {"pressure", "/pressure"},
	"meta":      {"context_meta", "/context_meta"},
}

// elementsOf returns the tags of a section with a string. Empty blocks have no elements.
func elementsOf(section, text string) []string {
	if strings.HasPrefix(text, "<core_memory>empty") {
		return []string{"core_memory", "/core_memory"}
	}
	return elements[section]
}

// A writer makes nasty texts.
type writer struct{ *rand.Rand }

func (w writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// gap is what may stand between the parts of a tag.
func (w writer) gap() string {
	return w.pick("", "", "", " ", "\t", "\n", "\r\n", "\u00a0", "\u2028", "\u0085", "\u3000", "\u200b", "\u202e",
		"\x00", "\x1b", "&Tab;")
}

// letter is a way to write a letter of a tag.
func (w writer) letter(c rune) string {
	switch w.IntN(40) {
	case 0:
		hidden := w.pick("\u200b", "\u200d", "\u2066", "\u202e", "\u00ad", "\ufeff", "\ufe0f", "\u034f", "\u061c",
			"\x01")
		return hidden + string(c)
	case 1:
		return fmt.Sprintf("&#%d;", c)
	case 2:
		return fmt.Sprintf("&#x%04X", c) + w.pick(";", "")
	case 3:
		if '!' <= c && c <= '~' {
			return string(c + 0xfee0) // its full width
		}
	case 4:
		if c == '<' {
			return w.pick("&lt;", "&LT;", "&lt", "﹤", "&amp;lt;")
		}
		if c == 's' {
			return "ſ"
		}
	case 5, 6, 7, 8:
		return strings.ToUpper(string(c))
	}
	return string(c)
}

// tag is more or less a tag of a context.
func (w writer) tag() string {
	var written strings.Builder
	name := tag.Names()[w.IntN(len(tag.Names()))]
	spelled := "<" + w.gap() + w.pick("", "/", "/", "//") + w.gap() + name + w.gap() +
		w.pick("", "", ` chars="1/2"`, " a=b", "/", "x", "_x", "-x") + w.pick(">", ">", ">", "")
	for _, c := range spelled {
		written.WriteString(w.letter(c))
	}
	text := []rune(written.String())
	if w.IntN(5) == 0 {
		text = text[:w.IntN(len(text)+1)]
	} else if w.IntN(8) == 0 {
		text = text[w.IntN(len(text)+1):]
	}
	return string(text)
}

// text is a nasty text of a few pieces.
func (w writer) text() string {
	var text strings.Builder
	for range 1 + w.IntN(4) {
		switch w.IntN(4) {
		case 0:
			text.WriteString(w.pick("a rule", " of the ", "größer", "数据库", "```", "<!--", "-->", "]]>", "\\",
				`"`, "a < b", "&", "‹", "\xff", "\n", "\n\n", "\n## ", "\n===\n", "\n---\n", "<", "</", ">", "- ",
				"\u2029", "🎉"))
		default:
			text.WriteString(w.tag())
		}
	}
	return text.String()
}

// document is a nasty overview.
func (w writer) document() string {
	var doc strings.Builder
	for range w.IntN(12) {
		switch w.IntN(6) {
		case 0:
			doc.WriteString("\n## " + w.text())
		case 1:
			doc.WriteString("\n" + w.text() + w.pick("\n===", "\n---"))
		case 2:
			doc.WriteString("\n- [x] " + w.text())
		case 3:
			doc.WriteString(strings.Repeat(w.text()+" ", 40))
		case 4: // a tag over the border of two sections
			half := w.pick(tag.Names()...)
			between := w.pick("", "\n## between\n"+strings.Repeat("word ", 300)+"\n")
			doc.WriteString("\nan end <" + w.pick("", "/") + "\n" + between + half + ">\n===\n")
		default:
			doc.WriteString("\n" + w.text())
		}
		doc.WriteString(w.pick("\n", "\r\n", ""))
	}
	return doc.String()
}

// nastyDesk returns rooms in which every string is nasty, whatever way it took there.
func nastyDesk(t *testing.T, w writer) *desk {
	d := newDesk(t)
	for range w.IntN(6) {
		d.rememberAs(longterm.Entry{
			Type: w.pick("project", w.text()), Text: w.text(), Rationale: w.text(), Files: []string{w.text()},
		})
	}
	for _, block := range d.blocks() {
		if w.IntN(3) > 0 {
			d.block(block, w.text()+strings.Repeat(w.pick("", " word"), w.IntN(200))+w.text())
		}
	}
	d.overview = w.document()
	for range w.IntN(6) {
		path, agent := w.text(), w.text()
		touched := map[string]any{"worktree": tree, "action": w.pick("edit", "read", w.text())}
		c := change.New(hot.FileTouched, path, touched)
		c.At, c.Session, c.By = d.at, w.pick("s", "another"), agent
		_, err := d.from.hot.Fold(c)
		require.NoError(t, err)
		c = change.New(hot.ErrorSeen, w.text(), map[string]any{
			"worktree": tree, "category": w.pick("test", w.text()), "summary": w.text(), "path": w.pick("", path),
			"line": w.IntN(3), "tool": w.text(), "code": w.text(), "command": w.text(), "origin": hot.FromCommand,
			"masked": w.IntN(2) == 0, "again": true,
		})
		c.At, c.Session, c.By = d.at, w.pick("s", "another"), agent
		_, err = d.from.hot.Fold(c)
		require.NoError(t, err)
		d.decide(w.text())
	}
	if w.IntN(4) == 0 {
		d.settings.Session.CollapseAfter = 1
	}
	d.settings.Working.Slots = nil
	for range w.IntN(10) {
		content := w.text()
		d.hold(working.Item{
			Slot:    w.pick(working.Errors, working.Decisions, working.Todos, working.Dependencies, working.Pool),
			Content: content, Source: w.text(), Path: w.pick("", content, w.text()), Fingerprint: w.pick("", "gone"),
		})
	}
	if w.IntN(3) > 0 {
		d.use(w.IntN(1200), 1000, w.pick("tokens", "chars", w.text()))
	}
	started := map[string]any{"worktree": tree, "agent": w.text(), "title": w.text()}
	d.fold(d.from.sessions, sessions.Started, "s", "s", started)
	for turn := range w.IntN(20) {
		d.fold(d.from.sessions, sessions.Turned, "s", "s", struct{}{})
		d.messages = append(d.messages, history.Message{
			ID: w.text(), Role: "assistant", Text: w.text(), Turn: turn, Tool: w.text(), Command: w.text(),
		})
	}
	seen := map[string]any{"path": notes.Overview, "revision": notes.OwnRevision(d.overview), "turn": 0}
	d.fold(d.from.notes, notes.Changed, "s", "s", seen)
	return d
}

// found is a nasty recall of a few recollections.
func (w writer) found() Recall {
	r := Recall{Limit: w.IntN(6), Tokens: w.IntN(1000), Shares: map[string]float64{"semantic": 0.5}}
	for range w.IntN(6) {
		r.Found = append(r.Found, Recollection{
			ID: "item:" + w.text(), Store: w.pick("semantic", w.text()), Label: w.text(), Text: w.text(),
			Episode: w.pick("", w.text()), Summary: w.pick("", w.document()), Mandate: w.IntN(4) == 0,
		})
	}
	return r
}

// left is a nasty handover, nil in some rounds.
func (w writer) left() *Handover {
	if w.IntN(4) == 0 {
		return nil
	}
	h := &Handover{
		Session: sessions.Session{ID: w.text(), Agent: w.text(), Title: w.pick("", w.text())}, Own: w.IntN(4) == 0,
		Left: hot.Left{First: w.text(), Last: w.text(), Answered: w.IntN(2) == 0},
		Goal: w.text(), Progress: w.document(), Overview: w.pick("", w.document()), NotesPath: w.text(),
	}
	for range w.IntN(4) {
		path := w.text()
		h.Todos = append(h.Todos, w.text())
		h.Files = append(h.Files, hot.File{Path: path, Committed: w.IntN(2) == 0})
		h.Notes = append(h.Notes, notes.File{Path: w.text()})
		h.Errors = append(h.Errors, hot.Error{
			Fingerprint: w.text(), Category: w.pick("test", w.text()), Summary: w.text(), Path: w.pick("", path),
			Line: w.IntN(3), Tool: w.text(), Code: w.text(), Command: w.text(), Over: w.IntN(2) == 0,
			Sources: []hot.Source{{Origin: hot.FromCommand, Session: h.Session.ID, BeforeEdits: w.IntN(2) == 0}},
		})
	}
	return h
}

// Whatever is stored: a context has the tags of its sections, each once, and no
// others, under every budget, and what is said of items that are gone has none.
func TestNoStoredTextOpensOrClosesASection(t *testing.T) {
	const seed = 1
	rounds := slow.Rounds(400)
	if raced.On {
		rounds = 80
	}
	former := known{} // the items of another desk, which are gone
	for round := range uint64(rounds) {
		w := writer{rand.New(rand.NewPCG(seed, round))}
		d := nastyDesk(t, w)
		a := New()
		since := ""
		for _, budget := range []Budget{
			{}, {Chars: 1 + w.IntN(8000)}, {Tokens: 1 + w.IntN(2500)},
			{Chars: 1 + w.IntN(2500), Tokens: 1 + w.IntN(1000)},
		} {
			c := a.compose(d.from, Request{Reader: reader(), Budget: budget, Recall: w.found(), Handover: w.left()})
			packed := c.pack()
			var want []string
			for _, section := range packed.Sections {
				if section.Text != "" {
					want = append(want, elementsOf(section.ID, section.Text)...)
				}
			}
			text := packed.Text()
			require.Equal(t, want, tagsOf(text), "seed %d, round %d, budget %+v:\n%s", seed, round, budget, text)
			for _, section := range packed.Sections {
				for _, item := range section.Items {
					require.Empty(t, tagsOf(item.Told), "seed %d, round %d: %s", seed, round, item.Told)
					if tags := tagsOf(item.Text); len(tags) > 0 {
						require.Equal(t, elements[section.ID], tags, "seed %d, round %d: %s", seed, round, item.Text)
						require.Equal(t, section.Text, item.Text)
					}
				}
			}
			since = c.Answer(since).Revision
			for _, n := range newsOf(former, packed) {
				if n.item == nil {
					require.Empty(t, tagsOf(n.line), "seed %d, round %d: %s", seed, round, n.line)
				}
			}
			former = knownItems(recorded(itemsOf(packed)))
		}
		section := d.from.hot.Sections(reader())[0]
		if alone := section.Render(section.MaxChars, nil).Text; alone != "" {
			require.Equal(t, elements["session"], tagsOf(alone), "seed %d, round %d", seed, round)
		}
	}
}

func (d *desk) blocks() []string { return []string{"goal", "progress", "context"} }

// The lenient reader finds what it has to.
func TestALenientReaderFindsTags(t *testing.T) {
	for _, text := range []string{
		"<goal>", "</GOAL x=1", "< \n/\u200bgo\u202eal>", "&lt;/goal&gt;", "＜/ｇｏａｌ＞",
		"<g&#111;al>", "&ltgoal>", "﹤\u00a0goal",
	} {
		require.Len(t, tagsOf("a "+text+" b"), 1, "%q", text)
	}
	require.Empty(t, tagsOf("‹goal> a < b, <goals> <a goal>"))
	w := writer{rand.New(rand.NewPCG(7, 7))}
	found := 0
	for range 1000 {
		found += len(tagsOf(w.tag()))
	}
	require.Greater(t, found, 500)
}
