package hot

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// Agents write scripts to try something, and run them: a reproduction, a check, a patch. Such a
// scratch file is not part of the work once a file was changed that was there before.

// A standing tells how a file stands to the work of its session. Each field is set once.
type standing struct {
	// Created is true if the first that the session did with the file was to write it.
	Created bool `json:"created,omitempty"`
	// Ran is true if it was run by itself.
	Ran bool `json:"ran,omitempty"`
	// Named is true if a person named it, a version control tracks it, another file of the
	// session imports it, or it was given its name by a move.
	Named bool `json:"named,omitempty"`
}

func (s standing) join(other standing) standing {
	return standing{s.Created || other.Created, s.Ran || other.Ran, s.Named || other.Named}
}

// isScratch reports whether the session wrote the file only to run it.
func (s standing) isScratch() bool { return s.Created && s.Ran && !s.Named }

// isWork reports whether the session changed the file, and it was there before.
func (f *File) isWork() bool { return f.isChanged() && !f.Created }

// marked is the payload of FileMarked. The subject is the path.
type marked struct {
	Worktree string `json:"worktree"`
	// Committed is true if the session made a commit since it changed the file.
	Committed bool `json:"committed,omitempty"`
	standing
}

// mark returns the change that sets what is known of the standing of a file.
func mark(worktree, file string, as standing) change.Change {
	return change.New(FileMarked, file, marked{Worktree: worktree, standing: as}).AsHot()
}

func (r *Room) foldMarked(c change.Change) ([]change.Row, error) {
	var p marked
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	r.unpack(func(session string) bool { return session == c.Session })
	k := key(fileTable, p.Worktree, c.Session, c.Subject)
	file, there := r.files[k]
	if !there {
		return nil, nil
	}
	file = file.clone()
	file.standing = file.standing.join(p.standing)
	file.Committed = file.Committed || p.Committed
	return r.putFile(file), nil
}

// marks returns changes for the files that a command ran and put under version control. changes
// are those for the files that it touched.
func (r *Room) marks(ev event.Event, run *tool.Run, changes []change.Change) []change.Change {
	ran, stages := map[string]bool{}, run.Command.Stages()
	for _, file := range run.Command.Runs() {
		if rel, tracked := r.env.Tracked(ev.Worktree, run.Output.Cwd, file); tracked {
			ran[rel] = true
		}
	}
	if len(ran) == 0 && !stages {
		return nil
	}
	created := r.created(ev)
	for _, c := range changes {
		var p touched
		if c.Kind == FileTouched && c.Decode(&p) == nil && p.Created && !p.Named {
			created[c.Subject] = p.standing
		}
	}
	var found []change.Change
	for _, file := range slices.Sorted(maps.Keys(created)) {
		runs := ran[file] && !created[file].Ran
		if !runs && !stages {
			continue
		}
		as := standing{Ran: runs, Named: r.env.Versioned(ev.Worktree, file)}
		if as != (standing{}) {
			found = append(found, mark(ev.Worktree, file, as))
		}
	}
	return found
}

// named returns changes for the created files of a session that a string names.
func (r *Room) named(ev event.Event, names func(file string) bool) []change.Change {
	var changes []change.Change
	for _, file := range slices.Sorted(maps.Keys(r.created(ev))) {
		if names(file) {
			changes = append(changes, mark(ev.Worktree, file, standing{Named: true}))
		}
	}
	return changes
}

// created returns the files that a session created and that nothing has named, by path.
func (r *Room) created(ev event.Event) map[string]standing {
	files := map[string]standing{}
	for _, file := range r.files {
		if file.Session == ev.Session && file.Worktree == ev.Worktree && file.Created && !file.Named {
			files[file.Path] = file.standing
		}
	}
	return files
}

// names reports whether a string holds the name of a file.
func names(text, file string) bool {
	name := path.Base(file)
	for rest := text; ; {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !isOfName(last) && !isOfName(next) {
			return true
		}
		rest = after
	}
}

func isOfName(r rune) bool {
	return r == '_' || r == '-' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// imports reports whether code imports the module of a file.
func imports(code, file string) bool {
	module := strings.TrimSuffix(path.Base(file), path.Ext(file))
	for line := range strings.Lines(code) {
		if importing.MatchString(line) && names(line, module) {
			return true
		}
	}
	return false
}

var importing = once.Compile(
	`^\s*(?:import|from|export|require|source|#include|use|mod)\b|\brequire\(|\bimport\(`,
)

// aside reports whether the errors in a file are not those of the project: a session that works
// on other files uses it to try something.
func (r *Room) aside(worktree, session, file string) bool {
	if known, there := r.files[key(fileTable, worktree, session, file)]; !there || !known.isScratch() {
		return false
	}
	for _, other := range r.files {
		if other.Session == session && other.Worktree == worktree && other.isWork() {
			return true
		}
	}
	return false
}
