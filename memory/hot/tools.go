package hot

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

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
	var changes, files []change.Change
	switch kind := tool.KindOf(r.env.Settings().Tools, body.Tool); kind {
	case tool.Edit, tool.Write, tool.Grep, tool.Glob, tool.Read:
		files = r.touches(ev, body, event.FileAction(kind))
	case tool.Shell:
		run := body.Run(ev.Worktree, r.env.Settings().Errors)
		changes, files = r.ranCommand(ev, body, run), r.commandTouches(ev, run)
	}
	did := activity{Steps: 1}
	for _, c := range files {
		var p touched
		if c.Kind == FileRenamed || c.Kind == FileDeleted || c.Decode(&p) == nil && isChange(p.Action) {
			did.Edits++
		}
	}
	return slices.Concat([]change.Change{counted(ev.Session, did)}, changes, files)
}

// touches returns changes for the files that a tool touched. A failed tool touched none. A
// search of a folder touches the first files that it reported.
func (r *Room) touches(ev event.Event, body event.ToolRan, action event.FileAction) []change.Change {
	if body.Failed {
		return nil
	}
	of, content := extent{}, ""
	switch action {
	case event.Read:
		of.first, of.last = tool.Lines(body.Input)
	case event.Write:
		content = tool.Content(body.Input)
	}
	var changes []change.Change
	var paths []string
	touch := func(file string) {
		rel, tracked := r.env.Tracked(ev.Worktree, body.Cwd, file)
		if tracked && !slices.Contains(paths, rel) {
			paths = append(paths, rel)
			of.rewrites = command.Rewrites(rel, content)
			changes = append(changes, r.touch(ev, event.FileTouched{Path: rel, Action: action}, of))
		}
	}
	for _, file := range tool.Files(body.Input) {
		touch(file)
	}
	if isFound(action) {
		for _, file := range tool.Found(body.Output, body.Cwd, ev.Worktree) {
			if len(paths) < command.MaxFound {
				touch(filepath.Join(ev.Worktree, filepath.FromSlash(file)))
			}
		}
	}
	if !isChange(action) {
		return changes
	}
	code := tool.Content(body.Input)
	return append(changes, r.named(ev, func(file string) bool {
		return !slices.Contains(paths, file) && imports(code, file)
	})...)
}

// commandTouches returns changes for the files that a command read, changed, deleted and
// renamed. What its output does not prove is checked on the disk.
func (r *Room) commandTouches(ev event.Event, run *tool.Run) []change.Change {
	var changes []change.Change
	for _, e := range run.Command.Effects(run.Output) {
		path, tracked := r.env.Tracked(ev.Worktree, run.Output.Cwd, e.Path)
		if !tracked {
			continue
		}
		switch e.Action {
		case command.Deletes:
			if e.Sure || !r.env.Exists(ev.Worktree, path) {
				changes = append(changes, r.deletes(ev, path)...)
			}
		case command.Renames:
			to, tracked := r.env.Tracked(ev.Worktree, run.Output.Cwd, e.To)
			if tracked && (e.Sure || r.env.Exists(ev.Worktree, to)) {
				moved := r.observeRename(ev, event.FileRenamed{From: path, To: to})
				if len(moved) == 0 {
					moved = append(moved, r.touch(ev, event.FileTouched{Path: to, Action: event.Write}, extent{}))
				}
				changes = append(changes, moved...)
			}
		default:
			if e.Sure || r.env.Exists(ev.Worktree, path) {
				body := event.FileTouched{Path: path, Action: event.FileAction(e.Action)}
				if e.IfFound && r.isSame(ev, path) {
					body.Action = event.Read
				}
				changes = append(changes, r.touch(ev, body, extent{e.First, e.Last, e.Part, e.Restores, e.Rewrites}))
			}
		}
	}
	changes = append(changes, r.scriptTouches(ev, run)...)
	if run.Command.Commits(run.Output) {
		changes = append(changes, r.committed(ev, changes)...)
	}
	return append(changes, r.marks(ev, run, changes)...)
}

// isSame reports whether a file that a program should have changed is still as the version control
// holds it: the program did not find what to change.
func (r *Room) isSame(ev event.Event, path string) bool {
	known, there := r.files[key(fileTable, ev.Worktree, ev.Session, path)]
	return (!there || !known.isChanged() || known.Committed) && r.env.Pristine(ev.Worktree, path)
}

// committed returns changes for the files that a session has changed before it made a commit, with
// those of the same command.
func (r *Room) committed(ev event.Event, changes []change.Change) []change.Change {
	changed := map[string]bool{}
	for _, file := range r.files {
		if file.Session == ev.Session && file.Worktree == ev.Worktree && file.isChanged() && !file.Committed {
			changed[file.Path] = true
		}
	}
	for _, c := range changes {
		var p touched
		if c.Kind == FileTouched && c.Decode(&p) == nil && isChange(p.Action) {
			changed[c.Subject] = true
		}
	}
	var found []change.Change
	for _, file := range slices.Sorted(maps.Keys(changed)) {
		found = append(found, change.New(FileMarked, file, marked{Worktree: ev.Worktree, Committed: true}).AsHot())
	}
	return found
}

// scriptTouches returns changes for the files that scripts of the session rewrote, if the command
// that ran them succeeded.
func (r *Room) scriptTouches(ev event.Event, run *tool.Run) []change.Change {
	if run.Output.ExitCode == nil || *run.Output.ExitCode != 0 {
		return nil
	}
	var changes []change.Change
	for _, script := range run.Command.ScriptFiles() {
		name, tracked := r.env.Tracked(ev.Worktree, run.Output.Cwd, script)
		if !tracked {
			continue
		}
		known, there := r.files[key(fileTable, ev.Worktree, ev.Session, name)]
		if !there {
			continue
		}
		for _, written := range known.Rewrites {
			path, tracked := r.env.Tracked(ev.Worktree, run.Output.Cwd, written)
			if tracked {
				changes = append(changes, r.touch(ev, event.FileTouched{Path: path, Action: event.Edit}, extent{}))
			}
		}
	}
	return changes
}

// deletes returns changes for the deletion of a file, of a folder, or of all known files
// that a glob matches.
func (r *Room) deletes(ev event.Event, path string) []change.Change {
	if !strings.ContainsAny(path, "*?[{") {
		return r.observeDelete(ev, event.FileDeleted{Path: path})
	}
	var changes []change.Change
	for _, known := range r.paths(ev.Worktree) {
		if matches, err := doublestar.Match(path, known); err == nil && matches {
			changes = append(changes, r.observeDelete(ev, event.FileDeleted{Path: known})...)
		}
	}
	return changes
}

// paths returns the paths of the active files and of the errors of a worktree, sorted.
func (r *Room) paths(worktree string) []string {
	var paths []string
	for _, file := range r.files {
		if file.Worktree == worktree {
			paths = append(paths, file.Path)
		}
	}
	for _, e := range r.errors {
		if e.Worktree == worktree && e.Path != "" {
			paths = append(paths, e.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// ranCommand returns changes for the errors that a command opened and its success closed.
func (r *Room) ranCommand(ev event.Event, body event.ToolRan, run *tool.Run) []change.Change {
	cmd, output := run.Command, run.Output
	var changes []change.Change
	failures := run.Failures()
	beforeEdits, turn := !r.hasEdits(ev.Session), r.activity(ev.Session).Turns
	rerun := rerunOf(cmd.Line, ev.Worktree, output.Cwd)
	reported := map[string]bool{}
	for _, found := range failures {
		if reported[found.Fingerprint] || r.aside(ev.Worktree, ev.Session, found.Path) {
			continue // a run reports an error once, on however many lines it does
		}
		reported[found.Fingerprint] = true
		opener := cmd.Opener(found.Error, output.Cwd, output.Root)
		if found.Unnamed && r.isNamed(ev.Worktree, opener) {
			continue
		}
		if !found.Unnamed {
			changes = append(changes, r.closeUnnamed(ev.Worktree, opener)...)
		}
		known := r.isOpenFor(ev.Session, ev.Worktree, found.Fingerprint)
		changes = append(changes, change.New(ErrorSeen, found.Fingerprint, seen{
			Known: known, BeforeEdits: beforeEdits, Turn: turn,
			Worktree: ev.Worktree, Category: string(found.Category), Summary: found.Summary,
			Path: found.Path, Line: found.Line, Tool: found.Tool, Command: firstLine(cmd.Line), Rerun: rerun,
			Origin: FromCommand, Opener: &opener, Masked: found.Masked, Again: true,
		}).AsHot())
	}
	if body.Failed {
		return append(changes, r.ended(ev, cmd.Line, run.Examined(), failures)...)
	}
	proven := cmd.Successes(output)
	read := func(file string) (string, bool) { return r.env.Read(ev.Worktree, file) }
	proven = append(proven, cmd.Beneath(proven, ev.Worktree, read)...)
	return append(changes, r.ended(ev, cmd.Line, append(proven, run.Examined()...), failures)...)
}

// isNamed reports whether tests are open of which a run says no more than that some failed.
func (r *Room) isNamed(worktree string, opener command.Opener) bool {
	for _, e := range r.errors {
		for _, s := range e.Sources {
			if e.Worktree == worktree && s.Opener != nil && !s.Opener.Unnamed && s.Opener.SameRun(opener) {
				return true
			}
		}
	}
	return false
}

// closeUnnamed returns changes that close what an earlier run of the same check reported
// without a name, because this one names it.
func (r *Room) closeUnnamed(worktree string, opener command.Opener) []change.Change {
	var changes []change.Change
	for _, k := range sortedKeys(r.errors) {
		for _, s := range r.errors[k].Sources {
			if r.errors[k].Worktree == worktree && s.Opener != nil && s.Opener.Unnamed && s.Opener.SameRun(opener) {
				changes = append(changes, r.errors[k].close(s, "the command names what fails"))
			}
		}
	}
	return changes
}

// ended returns changes for what runs to their end prove: of the errors that they could
// have reported, only the failures are open.
func (r *Room) ended(
	ev event.Event, line string, runs []command.Success, failures []tool.Failure,
) []change.Change {
	var changes []change.Change
	reported := make([]string, 0, len(failures))
	for _, f := range failures {
		reported = append(reported, f.Fingerprint)
	}
	for _, s := range runs {
		ran := success{Worktree: ev.Worktree, Success: s, Reported: reported}
		changes = append(changes, r.closedBy(ran, firstLine(line), ev.Session)...)
		changes = append(changes, change.New(CommandSucceeded, ran.key(), ran).AsHot())
	}
	return changes
}

// closedBy returns changes that close the errors which a run to its end in a session proves to be
// gone, in all sessions. line is the command.
func (r *Room) closedBy(ran success, line, session string) []change.Change {
	reason := "the command succeeded"
	if len(ran.Reported) > 0 {
		reason = "the command no longer reports it"
	}
	var changes []change.Change
	var gone []string // the summaries of what is closed
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		if e.Worktree != ran.Worktree || slices.Contains(ran.Reported, e.Fingerprint) {
			continue
		}
		clears := func(s Source) bool { return s.Opener != nil && ran.Success.Clears(*s.Opener) }
		isChecked := slices.ContainsFunc(e.Sources, clears) || ran.checks(e)
		for _, s := range e.Sources {
			if clears(s) || isChecked && r.isLeft(s) {
				changes, gone = append(changes, r.fix(e, s, reason, line, session)), append(gone, e.Summary)
			}
		}
	}
	return append(changes, r.toldClosed(ran.Worktree, gone)...)
}

// A success is a run of a command to its end. It closes the errors that it could have
// reported and did not, and that were reported before, also if another process writes them
// later.
type success struct {
	Worktree string          `json:"worktree"`
	Success  command.Success `json:"success"`
	// Reported are the fingerprints of the errors that it reported, if it failed.
	Reported []string  `json:"reported,omitempty"`
	At       time.Time `json:"at,omitzero"`
}

// key identifies what the run proves. A run does not replace one that reported other
// errors, so that the order in which they are folded does not matter.
func (p success) key() string {
	if len(p.Reported) == 0 {
		return p.Success.Key()
	}
	return hashOf(p.Success.Key() + strings.Join(p.Reported, ""))
}

// clears reports whether the run clears what a source of an error reported before it.
func (p success) clears(fingerprint string, s Source) bool {
	return s.Opener != nil && p.At.After(s.SeenAt) && p.Success.Clears(*s.Opener) &&
		!slices.Contains(p.Reported, fingerprint)
}

// checks reports whether the run looked for what a language server reported, and found nothing at all. A run that
// fails may say the same in other words.
func (p success) checks(e Error) bool {
	return len(p.Reported) == 0 && e.Path != "" && p.Success.ClearsReported(e.Tool, e.Path)
}

func (r *Room) foldSucceeded(c change.Change) ([]change.Row, error) {
	var p success
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	p.At = c.At
	k := key(successTable, p.Worktree, p.key())
	if known, there := r.successes[k]; there && known.At.After(p.At) {
		return nil, nil
	}
	rows := []change.Row{r.successes.Put(k, p)}
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		if e.Worktree != p.Worktree {
			continue
		}
		cleared := func(s Source) bool { return p.clears(e.Fingerprint, s) }
		if rest := e.without(cleared); len(rest.Sources) < len(e.Sources) {
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

// clearedBy reports whether a later run clears what a source of an error reported.
func (r *Room) clearedBy(worktree, fingerprint string, s Source) bool {
	for _, known := range r.successes {
		if known.Worktree == worktree && known.clears(fingerprint, s) {
			return true
		}
	}
	return false
}
