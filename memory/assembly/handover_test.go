package assembly

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

func left() *Handover {
	ended := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	return &Handover{
		Session: sessions.Session{ID: "old", Agent: "claude", EndedAt: ended},
		Left:    hot.Left{First: "Fix the cart", Last: "Now the tax", Answered: true, Todos: []string{"round once"}},
		Goal:    "Totals are right", Progress: "cart done, tax not done",
		Notes:    []notes.File{{Path: "overview.md"}, {Path: "detail/tax.md"}},
		Overview: "The tax is added last.", NotesPath: "/data/old",
		Usage: pressure.Pressure{Used: 745, Limit: 1000},
	}
}

func TestAHandoverSaysWhatWasLeft(t *testing.T) {
	assert.Equal(t, `<session_handover>
An earlier session (claude) ended at 2026-03-01 09:30 UTC. What it left, in case its work goes on; not checked since:
- Began with: Fix the cart
- Asked last, answered: Now the tax
- Its goal: Totals are right
- Its progress: cart done, tax not done
- Todo: round once
- Notes in /data/old: overview.md, detail/tax.md: The tax is added last.
- Its context was 74 % full.
</session_handover>`, left().Text(MaxHandoverChars, nil))
}

func TestAHandoverLeavesOutWhatOthersShow(t *testing.T) {
	shown := render.DedupSet{{render.DedupKey("now the tax"): true, "f1": true}}
	h := left()
	h.Errors = []hot.Error{
		{Fingerprint: "f1", Summary: "one"}, {Fingerprint: "f2", Category: "test", Summary: "two"},
	}
	text := h.Text(MaxHandoverChars, shown)
	assert.NotContains(t, text, "Now the tax")
	assert.Contains(t, text, "- Fails: [test] two")
	assert.Contains(t, text, "- Fails: 1 of the open errors below.\n")

	h.Own = true
	h.Session.LeftAt = h.Session.EndedAt
	assert.Equal(t, "<session_handover>\nThis session was over at 2026-03-01 09:30 UTC and goes on. Left, and not "+
		"checked since:\n- Todo: round once\n- Fails: [test] two (not run again since the restart)\n"+
		"</session_handover>",
		h.Text(MaxHandoverChars, shown))
	h.Todos, h.Errors = nil, h.Errors[:1]
	assert.Empty(t, h.Text(MaxHandoverChars, shown), "its contexts say it all")
}

func TestWhatASessionEditedIsToldAlsoIfTheFileIsOpen(t *testing.T) {
	h := left()
	h.Files = []hot.File{{Path: "cart.go"}}
	active := render.DedupSet{{render.DedupKey("cart.go"): true}}
	assert.Contains(t, h.Text(MaxHandoverChars, active), "- Edited: cart.go\n")
}

func TestAHandoverIsBoundedAndCutsNoName(t *testing.T) {
	h := left()
	h.Goal, h.Progress = strings.Repeat("g", 5000), strings.Repeat("p", 5000)
	h.First, h.Last = strings.Repeat("<guide>", 1000), strings.Repeat("ä", 2000)
	for i := range 300 {
		h.Todos = append(h.Todos, strings.Repeat("t", i))
		h.Errors = append(h.Errors, hot.Error{Fingerprint: fmt.Sprint(i), Summary: strings.Repeat("e", 300)})
		h.Files = append(h.Files, hot.File{Path: fmt.Sprintf("some/folder/of/the/tree/file%d.go", i)})
	}
	rounds := slow.Rounds(MaxHandoverChars)
	for round := range rounds + 1 {
		limit := MaxHandoverChars * round / rounds
		text := h.Text(limit, nil)
		assert.LessOrEqual(t, utf8.RuneCountInString(text), limit)
		assert.NotContains(t, text, "<guide>")
	}
	h = left()
	for i := range 300 {
		h.Files = append(h.Files, hot.File{Path: fmt.Sprintf("some/folder/of/the/tree/file%d.go", i)})
	}
	_, edited, _ := strings.Cut(h.Text(MaxHandoverChars, nil), "- Edited: ")
	edited, _, _ = strings.Cut(edited, "\n")
	listed, more, _ := strings.Cut(edited, " and ")
	for _, path := range strings.Split(listed, ", ") {
		assert.Regexp(t, `^some/folder/of/the/tree/file\d\.go$`, path)
	}
	assert.Regexp(t, `^\d+ more$`, more)
}

func TestTheEndOfALongProgressBeginsWithAWord(t *testing.T) {
	for text, want := range map[string]string{
		"cart done":             "cart done",
		"the cart is done now":  "…is done now",
		"the cart was done now": "…done now",
		"合計は四捨五入して税は最後に足す": "…五入して税は最後に足す",
		"aaaaaaaaaaaaaaaa ": "…aaaaaaaaaa ",
	} {
		assert.Equal(t, want, tail(text, 12), text)
	}
}

func TestAGoalThatIsReachedIsNotHandedOver(t *testing.T) {
	for progress, done := range map[string]bool{
		"": false, "Totals done": true, "read the code\nAll tests pass now.": true, "tax done, next: coupons": false,
		"not done yet": false, "completed\nnow the docs": false, "2 of 3 finished": false,
	} {
		assert.Equal(t, done, saysDone(progress), progress)
	}
}

func TestOnlyWhatIsOpenIsHandedOverByItself(t *testing.T) {
	closed := &Handover{Left: hot.Left{First: "Fix the cart", Unanswered: true}}
	assert.False(t, closed.IsOpen(), "a person ended it")
	closed.Session.WasLost = true
	assert.True(t, closed.IsOpen())
	failed := hot.Error{Sources: []hot.Source{{Origin: hot.FromCommand, Session: "old"}}}
	h := &Handover{Session: sessions.Session{ID: "old"}, Left: hot.Left{Errors: []hot.Error{failed}}}
	assert.True(t, h.IsOpen())
	failed.Sources[0].BeforeEdits = true
	assert.False(t, h.IsOpen(), "it failed before, and nobody asked for anything")
	failed.Sources[0].SeenAt = time.Unix(20, 0)
	h.Last, h.SaidAt = "Fix the cart", time.Unix(10, 0)
	assert.True(t, h.IsOpen(), "the agent worked on it and said nothing since")
	h.SaidAt = time.Unix(30, 0)
	assert.False(t, h.IsOpen(), "the agent answered, and it failed before")
	failed.Sources[0].AfterEdits = true
	assert.True(t, h.IsOpen(), "it failed before, and failed again after an edit")

	told := hot.Error{LastSeen: time.Unix(10, 0), Sources: []hot.Source{{Origin: hot.FromUser, Session: "old"}}}
	h.Errors = []hot.Error{told}
	assert.True(t, h.IsOpen(), "the user told it, and nothing was done")
	h.Files = []hot.File{{Path: "a.go", ChangedAt: time.Unix(9, 0)}}
	assert.True(t, h.IsOpen())
	h.Files[0].ChangedAt = time.Unix(11, 0)
	assert.False(t, h.IsOpen(), "it may be fixed")
}
