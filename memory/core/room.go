// Package core is the room of an agent's core memory: three small blocks of a
// session that are in every context, written by the agent itself (systems.md A1,
// A2).
package core

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Updated is the change of the room. Its subject is the session.
const Updated change.Kind = "core.updated"

// Names are the blocks, in the order in which they are rendered.
var names = []string{tag.Goal, tag.Progress, tag.Context}

// Names returns the names of the blocks, in the order in which they are rendered.
func Names() []string { return slices.Clone(names) }

// An Operation says what an update does with what was there.
type Operation string

// The operations.
const (
	Replace Operation = "replace"
	Append  Operation = "append" // begins a new line
)

// A Block is one block of a session.
type Block struct {
	Content   string    `json:"content"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Chars is the length of the block in Unicode code points.
func (b Block) Chars() int { return utf8.RuneCountInString(b.Content) }

// Options are what the room is made with.
type Options struct{ Settings func() *settings.Settings }

// A Room is the core memory of every session. It is safe for concurrent use.
type Room struct {
	Options
	sayings  render.Sayings
	mu       sync.RWMutex
	sessions change.Table[map[string]Block]
}

// New returns an empty room.
func New(options Options) *Room {
	return &Room{Options: options, sessions: change.Table[map[string]Block]{}}
}

// Name names the rows of the room.
func (r *Room) Name() string { return "core" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{Name: "core", Panel: []string{"core", "budget"}, Context: []string{"core", "meta"}}}
}

// Observe answers nothing: only the agent writes its blocks.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// MaxChars is the limit of a block in characters, 0 if there is no such block.
func (r *Room) MaxChars(block string) int {
	limits := r.Settings().Core
	switch block {
	case "goal":
		return limits.Goal
	case "progress":
		return limits.Progress
	case "context":
		return limits.Context
	}
	return 0
}

type update struct {
	Block   string `json:"block"`
	Content string `json:"content"`
}

// Update answers what writing a block changes. It is refused where the block
// would become too long. The block has to be one of Names.
func (r *Room) Update(session, block string, operation Operation, content string) ([]change.Change, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	content, _ = redact.Text(content)
	before := r.sessions[session][block]
	if operation == Append && before.Content != "" {
		content = before.Content + "\n" + content
	}
	if chars, limit := utf8.RuneCountInString(content), r.MaxChars(block); chars > limit {
		return nil, fault.Refuse(fault.Limit, fault.Data{Chars: chars, MaxChars: limit},
			"the block %s would have %d characters, %d more than its %d: shorten it first; it was left as it is",
			block, chars, chars-limit, limit)
	}
	return []change.Change{change.New(Updated, session, update{block, content}).WithBefore(update{block, before.Content})}, nil
}

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case Updated:
		var now update
		if err := c.Decode(&now); err != nil {
			return nil, err
		}
		blocks := map[string]Block{now.Block: {now.Content, c.At}}
		for name, block := range r.sessions[c.Subject] {
			if name != now.Block {
				blocks[name] = block
			}
		}
		return []change.Row{r.sessions.Put(c.Subject, blocks)}, nil
	}
	return nil, nil
}

// EndSession returns nothing: an agent may go on with its blocks.
func (r *Room) EndSession(string) []change.Change { return nil }

// ForgetSession drops what is kept of a session.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions.Drop(session)
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions.LoadAll(rows)
}

// Get returns a block of a session, empty if it was never written.
func (r *Room) Get(session, block string) Block {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sessions[session][block]
}

// AddFacts adds what the blocks of a session say about its goal and progress.
func (r *Room) AddFacts(_ context.Context, at room.Reader, facts *summary.Facts) {
	facts.Goal = r.Get(at.Session, "goal").Content
	facts.Progress = r.Get(at.Session, "progress").Content
}

// Render returns the blocks as <core_memory>, "" where all are empty or where
// they do not fit whole into maxChars characters (systems.md A2).
func (r *Room) Render(session string, maxChars int) (text string, fits bool) {
	var out strings.Builder
	empty := true
	out.WriteString("<" + tag.CoreMemory + ">\n")
	for _, name := range names {
		block := r.Get(session, name)
		empty = empty && block.Content == ""
		fmt.Fprintf(&out, "<%s chars=\"%d/%d\">%s</%s>\n", name, block.Chars(), r.MaxChars(name), render.Inert(block.Content), name)
	}
	out.WriteString("</" + tag.CoreMemory + ">")
	switch {
	case empty:
		return "", true
	case utf8.RuneCountInString(out.String()) > maxChars:
		return "", false
	}
	return out.String(), true
}
