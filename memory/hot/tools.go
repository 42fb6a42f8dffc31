package hot

import (
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// maxSuccesses is how many successes of a worktree are remembered.
const maxSuccesses = 200

// observeTool answers which files a tool touched and, for a command, which
// errors it opened and closed (systems.md B8 and B9).
func (r *Room) observeTool(ev event.Event, body event.ToolRan) []change.Change {
	switch kind := tool.KindOf(r.Settings().Tools, body.Tool); kind {
	case tool.Edit, tool.Write, tool.Grep, tool.Read:
		return r.touches(ev, body, event.FileAction(kind))
	case tool.Shell:
		return r.ranCommand(ev, body)
	}
	return nil
}

// touches answers which files a tool touched. One that failed changed nothing.
func (r *Room) touches(ev event.Event, body event.ToolRan, action event.FileAction) []change.Change {
	if body.Failed {
		return nil
	}
	var changes []change.Change
	var paths []string
	for _, file := range tool.Files(body.Input) {
		rel, tracked := r.Tracked(ev.Worktree, body.Cwd, file)
		if tracked && !slices.Contains(paths, rel) {
			paths = append(paths, rel)
			changes = append(changes, r.touch(ev, event.FileTouched{Path: rel, Action: action}))
		}
	}
	return changes
}

// ranCommand answers which errors a command opened, and which its success closed.
func (r *Room) ranCommand(ev event.Event, body event.ToolRan) []change.Change {
	run := body.Run(ev.Worktree, r.Settings().Errors)
	cmd, output := run.Command, run.Output
	var changes []change.Change
	for _, found := range run.Failures() {
		opener := cmd.Opener(found.Error, output.Cwd, output.Root)
		changes = append(changes, change.New(ErrorSeen, found.Fingerprint, seen{
			Worktree: ev.Worktree, Category: string(found.Category), Summary: found.Summary, Path: found.Path, Line: found.Line,
			Tool: found.Tool, Command: oneLine(cmd.Line), Origin: FromCommand, Opener: &opener, Masked: found.Masked, Again: true,
		}).AsHot())
	}
	if body.ExitCode == nil || *body.ExitCode != 0 || body.Failed {
		return changes
	}
	for _, s := range cmd.Successes(output.Cwd, output.Root) {
		changes = append(changes, r.closedBy(ev.Worktree, s)...)
		changes = append(changes, change.New(CommandSucceeded, s.Key(), success{ev.Worktree, s, time.Time{}}).AsHot())
	}
	return changes
}

// closedBy answers which errors a success closes, whichever session's command
// reported them.
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

// A success is that of a command: an error older than it is closed, also one
// that arrives later, from another process.
type success struct {
	Worktree string          `json:"worktree"`
	Success  command.Success `json:"success"`
	At       time.Time       `json:"at,omitzero"`
}

// clears reports whether a source reported before the success what it clears.
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
		// What an earlier success clears is gone already.
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

// clearedBy reports whether a command has succeeded since the source reported.
func (r *Room) clearedBy(worktree string, s Source) bool {
	for _, known := range r.successes {
		if known.Worktree == worktree && known.clears(s) {
			return true
		}
	}
	return false
}
