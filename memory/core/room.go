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
	// By is Change.By of the change that wrote it.
	By string `json:"by,omitempty"`
	// AsWritten is true if a person asked for the content to be kept with its secrets.
	AsWritten bool `json:"asWritten,omitempty"`
}

// Chars returns the length of the block in Unicode code points.
func (b Block) Chars() int { return utf8.RuneCountInString(b.Content) }

// Revision returns the revision of the content.
func (b Block) Revision() string { return change.RevisionOf(b.Content) }

// Room holds the core memory of all sessions. It is safe for concurrent use.
type Room struct {
	env      room.Env
	dedup    render.DedupCache
	mu       sync.RWMutex
	sessions change.Table[map[string]Block]
	// written are the sessions with blocks that are kept as they were written. It may also
	// hold others.
	written map[string]bool
}

// New returns an empty room. It uses Settings of env.
func New(env room.Env) *Room {
	return &Room{env: env, sessions: change.Table[map[string]Block]{}, written: map[string]bool{}}
}

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "core" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{
		Name: "core", Panel: []string{Section, "budget", "sessions"}, Context: []string{ContextSection, "meta"},
	}}
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
	Block     string `json:"block"`
	Content   string `json:"content"`
	AsWritten bool   `json:"asWritten,omitempty"`
}

// Update returns the change that writes a block, which must be one of Names. If ifRevision is
// not empty and the block has another revision, the error is a refusal with the reason
// Conflict. It is a refusal also if the block would be too long.
func (r *Room) Update(
	session, block string, operation Operation, content, ifRevision string,
) ([]change.Change, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	before := r.sessions[session][block]
	tail := "" // of what is continued
	if operation == Append {
		tail = redact.Tail(before.Content)
	}
	content, _ = redact.TextAfter(tail, content)
	if ifRevision != "" && ifRevision != before.Revision() {
		return nil, fault.Refuse(fault.Conflict, fault.Data{Revision: before.Revision()},
			"the block %s was changed since, at %s: it says %q now; it was left as it is. "+
				"To write it nevertheless, call this without ifRevision", block,
			before.UpdatedAt.Format("15:04:05Z07:00"), before.Content)
	}
	if operation == Append && before.Content != "" {
		content = before.Content + "\n" + content
	}
	now := update{block, content, before.AsWritten && operation == Append}
	return r.updated(session, before, now)
}

// updated returns the change that writes a block, or the refusal if it is too long.
func (r *Room) updated(session string, before Block, now update) ([]change.Change, error) {
	if chars, limit := utf8.RuneCountInString(now.Content), r.MaxChars(now.Block); chars > limit {
		return nil, fault.Refuse(fault.Limit, fault.Data{Chars: chars, MaxChars: limit},
			"the block %s would have %d characters, %d more than its %d: shorten it first; it was left as it is",
			now.Block, chars, chars-limit, limit)
	}
	former := update{now.Block, before.Content, before.AsWritten}
	return []change.Change{change.New(Updated, session, now).WithBefore(former)}, nil
}

// KeepAsWritten returns the change that gives a block its original text, if it still has the
// text without the secrets. Otherwise there are no changes.
func (r *Room) KeepAsWritten(session, block, redacted, original string) ([]change.Change, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	before, known := r.sessions[session][block]
	if !known || before.Content != redacted {
		return nil, nil
	}
	return r.updated(session, before, update{block, original, true})
}

// Spares reports whether a string is a block that a person asked to keep as it was written, or one
// to which a string without secrets was appended.
func (r *Room) Spares(text string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for session := range r.written {
		for _, block := range r.sessions[session] {
			if !block.AsWritten {
				continue
			}
			appended, longer := strings.CutPrefix(text, block.Content+"\n")
			if clean, _ := redact.Text(appended); text == block.Content || longer && clean == appended {
				return true
			}
		}
	}
	return false
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
		if now.AsWritten {
			r.written[c.Subject] = true
		}
		blocks := map[string]Block{now.Block: {now.Content, c.At, c.By, now.AsWritten}}
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
	err := r.sessions.LoadAll(rows)
	for _, row := range rows {
		for _, block := range r.sessions[row.Key] {
			if block.AsWritten {
				r.written[row.Key] = true
			}
		}
	}
	return err
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
