package hot

import (
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// maxSuccesses is how many successes are kept.
const maxSuccesses = 200

// observeTool returns changes for the files that a tool touched or, for a command, for
// the errors that it opened and closed (systems.md B8 and B9).
func (r *Room) observeTool(ev event.Event, body event.ToolRan) []change.Change {
	switch kind := tool.KindOf(r.env.Settings().Tools, body.Tool); kind {
	case tool.Edit, tool.Write, tool.Grep, tool.Read:
		return r.touches(ev, body, event.FileAction(kind))
	case tool.Shell:
		return r.ranCommand(ev, body)
	}
	return nil
}

// touches returns changes for the files that a tool touched. A failed tool touched none.
func (r *Room) touches(ev event.Event, body event.ToolRan, action event.FileAction) []change.Change {
	if body.Failed {
		return nil
	}
	var changes []change.Change
	var paths []string
	for _, file := range tool.Files(body.Input) {
		rel, tracked := r.env.Tracked(ev.Worktree, body.Cwd, file)
		if tracked && !slices.Contains(paths, rel) {
			paths = append(paths, rel)
			changes = append(changes, r.touch(ev, event.FileTouched{Path: rel, Action: action}))
		}
	}
	return changes
}

// ranCommand returns changes for the errors that a command opened and its success closed.
func (r *Room) ranCommand(ev event.Event, body event.ToolRan) []change.Change {
	run := body.Run(ev.Worktree, r.env.Settings().Errors)
	cmd, output := run.Command, run.Output
	var changes []change.Change
	for _, found := range run.Failures() {
		opener := cmd.Opener(found.Error, output.Cwd, output.Root)
		changes = append(changes, change.New(ErrorSeen, found.Fingerprint, seen{
			Worktree: ev.Worktree, Category: string(found.Category), Summary: found.Summary,
			Path: found.Path, Line: found.Line, Tool: found.Tool, Command: oneLine(cmd.Line),
			Origin: FromCommand, Opener: &opener, Masked: found.Masked, Again: true,
		}).AsHot())
	}
	if body.ExitCode == nil || *body.ExitCode != 0 || body.Failed {
		return changes
	}
	for _, s := range cmd.Successes(output.Cwd, output.Root) {
		changes = append(changes, r.closedBy(ev.Worktree, s)...)
		succeeded := success{Worktree: ev.Worktree, Success: s}
		changes = append(changes, change.New(CommandSucceeded, s.Key(), succeeded).AsHot())
	}
	return changes
}

// closedBy returns changes that close the errors which a success clears, in all
// sessions.
func (r *Room) closedBy(worktree string, s command.Success) []change.Change {
	var changes []change.Change
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		if e.Worktree != worktree {
			continue
		}
		for _, source := range e.Sources {
			if source.Opener != nil && s.Clears(*source.Opener) {
				changes = append(changes, e.close(source, "the command succeeded"))
			}
		}
	}
	return changes
}

// A success of a command closes the errors that it clears and that were reported before,
// also if another process writes them later.
type success struct {
	Worktree string          `json:"worktree"`
	Success  command.Success `json:"success"`
	At       time.Time       `json:"at,omitzero"`
}

// clears reports whether the success clears what a source reported before it.
func (p success) clears(s Source) bool {
	return s.Opener != nil && p.At.After(s.SeenAt) && p.Success.Clears(*s.Opener)
}

func (r *Room) foldSucceeded(c change.Change) ([]change.Row, error) {
	var p success
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	p.At = c.At
	k := key(successTable, p.Worktree, p.Success.Key())
	if known, there := r.successes[k]; there && known.At.After(p.At) {
		return nil, nil
	}
	rows := []change.Row{r.successes.Put(k, p)}
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		if e.Worktree != p.Worktree {
			continue
		}
		if rest := e.without(p.clears); len(rest.Sources) < len(e.Sources) {
			rows = append(rows, r.putError(k, rest))
		}
	}
	if len(r.successes) > maxSuccesses {
		oldest := slices.MinFunc(sortedKeys(r.successes), func(a, b string) int {
			return r.successes[a].At.Compare(r.successes[b].At)
		})
		row, _ := r.successes.Delete(oldest)
		rows = append(rows, row)
	}
	return rows, nil
}

// clearedBy reports whether a later success clears what a source reported.
func (r *Room) clearedBy(worktree string, s Source) bool {
	for _, known := range r.successes {
		if known.Worktree == worktree && known.clears(s) {
			return true
		}
	}
	return false
}
