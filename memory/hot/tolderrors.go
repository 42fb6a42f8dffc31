package hot

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/fingerprint"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
)

// IsTold reports whether a person told the error in a message.
func (e Error) IsTold() bool { return e.isFrom(FromUser) }

// told returns changes for the errors that a person tells in a message, and that close those
// which are said to be gone and were told in the session or in one that is over. Their fingerprints are
// not those of tools, because nobody tells an error word by word.
func (r *Room) told(ev event.Event, message string) []change.Change {
	var changes []change.Change
	if command.ToldGone(message) {
		for _, k := range sortedKeys(r.errors) {
			e := r.errors[k]
			for _, s := range e.Sources {
				isHeard := s.Session == ev.Session || !r.env.Live(s.Session)
				if s.Origin == FromUser && isHeard && e.Worktree == ev.Worktree {
					changes = append(changes, r.fix(e, s, "the user said that it is gone", "", ev.Session))
				}
			}
		}
	}
	for _, summary := range command.Told(message) {
		id := fingerprint.Of(string(FromUser), summary, "")
		known := r.isOpenFor(ev.Session, ev.Worktree, id)
		changes = append(changes, change.New(ErrorSeen, id, seen{
			Worktree: ev.Worktree, Category: string(command.Runtime), Summary: summary, Origin: FromUser,
			Again: true, Known: known, Turn: r.activity(ev.Session).Turns,
		}).AsHot())
	}
	return changes
}

// toldClosed returns changes that close what a person told in a worktree, if an error that says
// the same is closed. gone are the summaries of the errors that are closed.
func (r *Room) toldClosed(worktree string, gone []string) []change.Change {
	if len(gone) == 0 {
		return nil
	}
	var changes []change.Change
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		saysSame := func(summary string) bool { return strings.Contains(summary, e.Summary) }
		for _, s := range e.Sources {
			if s.Origin == FromUser && e.Worktree == worktree && slices.ContainsFunc(gone, saysSame) {
				changes = append(changes, e.close(s, "the same error was closed"))
			}
		}
	}
	return changes
}
