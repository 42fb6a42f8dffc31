// Package core is the room of an agent's core memory: three small blocks per session
// that are in every context. The agent writes them (systems.md A1, A2).
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
)

// Updated is the kind of the changes of this room. The subject is the session.
const Updated change.Kind = "core.updated"

// names are the names of the blocks, in the order in which they are rendered.
var names = []string{tag.Goal, tag.Progress, tag.Context}

// Names returns the names of the blocks, in the order in which they are rendered.
func Names() []string { return slices.Clone(names) }

// An Operation is what an update does with the content of a block.
type Operation string

// The operations.
const (
	Replace Operation = "replace"
	Append  Operation = "append" // on a new line
)

// A Block is one block of a session.
type Block struct {
	Content   string    `json:"content"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Chars returns the length of the block in Unicode code points.
func (b Block) Chars() int { return utf8.RuneCountInString(b.Content) }

// Room holds the core memory of all sessions. It is safe for concurrent use.
type Room struct {
	env      room.Env
	dedup    render.DedupCache
	mu       sync.RWMutex
	sessions change.Table[map[string]Block]
}

// New returns an empty room. It uses Settings of env.
func New(env room.Env) *Room {
	return &Room{env: env, sessions: change.Table[map[string]Block]{}}
}

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "core" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{Name: "core", Panel: []string{"core", "budget"}, Context: []string{"core", "meta"}}}
}

// Observe returns nothing, because only the agent writes its blocks.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// MaxChars returns the limit of a block in characters, 0 if there is no such block.
func (r *Room) MaxChars(block string) int {
	limits := r.env.Settings().Core
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

// Update returns the change that writes a block, which must be one of Names. The error is
// a refusal if the block would be too long.
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
	updated := change.New(Updated, session, update{block, content}).WithBefore(update{block, before.Content})
	return []change.Change{updated}, nil
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

// EndSession returns nothing: a resumed session keeps its blocks.
func (r *Room) EndSession(string) []change.Change { return nil }

// ForgetSession drops the state of a session.
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

// AddFacts adds the goal and the progress of a session.
func (r *Room) AddFacts(_ context.Context, at room.Reader, facts *summary.Facts) {
	facts.Goal = r.Get(at.Session, "goal").Content
	facts.Progress = r.Get(at.Session, "progress").Content
}

// Render returns the blocks as <core_memory>, or their limits in one line if all are empty
// (systems.md A2). It returns "" if they do not fit into maxChars characters as a whole.
func (r *Room) Render(session string, maxChars int) (text string, fits bool) {
	var elements strings.Builder
	var limits []string
	empty := true
	for _, name := range names {
		block := r.Get(session, name)
		empty = empty && block.Content == ""
		elements.WriteString(r.element(name, block) + "\n")
		limits = append(limits, fmt.Sprintf("%s %d", name, r.MaxChars(name)))
	}
	text = "<" + tag.CoreMemory + ">\n" + elements.String() + "</" + tag.CoreMemory + ">"
	if empty {
		text = "<" + tag.CoreMemory + ">empty (" + strings.Join(limits, ", ") + " characters)</" + tag.CoreMemory + ">"
	}
	if utf8.RuneCountInString(text) > maxChars {
		return "", false
	}
	return text, true
}

// element returns a block with its name and fill.
func (r *Room) element(name string, block Block) string {
	return fmt.Sprintf("<%s chars=\"%d/%d\">%s</%s>",
		name, block.Chars(), r.MaxChars(name), render.Inert(block.Content), name)
}
