package hot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
)

// maxSuccesses is how many successes of a worktree are remembered.
const maxSuccesses = 200

// input is what hosts call their tools with, as far as it is understood.
type input struct {
	FilePath     string   `json:"filePath"`
	FilePathToo  string   `json:"file_path"`
	Path         string   `json:"path"`
	NotebookPath string   `json:"notebook_path"`
	Paths        []string `json:"paths"`
	PatchText    string   `json:"patchText"`
	Patch        string   `json:"patch"`
	Input        string   `json:"input"`
	Command      any      `json:"command"`
	Cmd          any      `json:"cmd"`
}

// inputOf reads an input. Members of another type than expected are left out,
// so each is read on its own.
func inputOf(doc json.RawMessage) input {
	var members map[string]json.RawMessage
	var in input
	if json.Unmarshal(doc, &members) != nil {
		return in
	}
	for name, into := range map[string]any{
		"filePath": &in.FilePath, "file_path": &in.FilePathToo, "path": &in.Path, "notebook_path": &in.NotebookPath, "paths": &in.Paths,
		"patchText": &in.PatchText, "patch": &in.Patch, "input": &in.Input, "command": &in.Command, "cmd": &in.Cmd,
	} {
		if value, there := members[name]; there {
			_ = json.Unmarshal(value, into)
		}
	}
	return in
}

// CommandLine returns the command line that a tool was called with, or "".
func CommandLine(toolInput json.RawMessage) string { return inputOf(toolInput).commandLine() }

func (in input) commandLine() string {
	for _, c := range []any{in.Command, in.Cmd} {
		switch c := c.(type) {
		case string:
			if c != "" {
				return c
			}
		case []any:
			return quoted(c)
		}
	}
	return ""
}

// quoted makes a command line of an argument vector.
func quoted(args []any) string {
	words := make([]string, 0, len(args))
	for _, arg := range args {
		word, err := syntax.Quote(fmt.Sprint(arg), syntax.LangBash)
		if err != nil {
			continue // a NUL byte: no shell and no system call takes it
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (in input) files() []string {
	files := slices.DeleteFunc([]string{in.FilePath, in.FilePathToo, in.Path, in.NotebookPath}, func(s string) bool { return s == "" })
	files = append(files, in.Paths...)
	for _, patch := range []string{in.PatchText, in.Patch, in.Input} {
		files = append(files, patched(patch)...)
	}
	return files
}

// patched returns the files that an apply_patch text changes.
func patched(patch string) []string {
	var files []string
	for line := range strings.Lines(patch) {
		for _, head := range []string{"*** Update File: ", "*** Add File: "} {
			if file, found := strings.CutPrefix(strings.TrimSpace(line), head); found {
				files = append(files, file)
			}
		}
	}
	return files
}

// observeTool answers which files a tool touched and, for a command, which
// errors it opened and closed (systems.md B8 and B9).
func (r *Room) observeTool(ev event.Event, body event.ToolRan) []change.Change {
	tools := r.Settings().Tools
	name := strings.ToLower(body.Tool)
	for _, kind := range []struct {
		names  []string
		action event.FileAction
	}{{tools.Edit, event.Edit}, {tools.Write, event.Write}, {tools.Grep, event.Grep}, {tools.Read, event.Read}} {
		if slices.Contains(kind.names, name) {
			return r.touches(ev, body, kind.action)
		}
	}
	if slices.Contains(tools.Shell, name) {
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
	for _, file := range inputOf(body.Input).files() {
		rel, tracked := r.Tracked(ev.Worktree, body.Cwd, file)
		if tracked && !slices.Contains(paths, rel) {
			paths = append(paths, rel)
			changes = append(changes, touch(ev.Worktree, event.FileTouched{Path: rel, Action: action}))
		}
	}
	return changes
}

// ranCommand answers which errors a command opened, and which its success closed.
func (r *Room) ranCommand(ev event.Event, body event.ToolRan) []change.Change {
	cmd, output := commandOf(ev, body)
	var changes []change.Change
	for _, found := range cmd.Errors(output) {
		opener := cmd.Opener(found, output.Cwd, output.Root)
		changes = append(changes, seen{
			Worktree: ev.Worktree, Category: string(found.Category), Summary: oneLine(found.Summary), Path: found.Path, Line: found.Line,
			Tool: found.Tool, Command: oneLine(cmd.Line), Origin: FromCommand, Opener: &opener, Masked: found.Masked, Again: true,
		}.change())
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
		rest := e.without(func(s Source) bool { return r.clearedBy(p.Worktree, s) })
		if e.Worktree == p.Worktree && len(rest.Sources) < len(e.Sources) {
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
	if s.Opener == nil {
		return false
	}
	for _, known := range r.successes {
		if known.Worktree == worktree && known.At.After(s.SeenAt) && known.Success.Clears(*s.Opener) {
			return true
		}
	}
	return false
}
