package hot

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
)

// weight is what is done to a file weighs, and perTouch what each time counts
// (systems.md B8).
func weight(action event.FileAction) int {
	switch action {
	case event.Edit:
		return 50
	case event.Write:
		return 45
	case event.Grep:
		return 30
	case event.Read:
		return 20
	}
	return 0
}

const perTouch = 3

// maxFiles is how many active files of a session are kept; over it the one of
// the lowest rank leaves.
const maxFiles = 200

// A File is one that is being worked on in a session.
type File struct {
	Worktree string `json:"worktree"`
	Session  string `json:"session"`
	Path     string `json:"path"` // relative to the worktree, with /
	// Action is the heaviest thing that was done to it, Count how often anything was.
	Action   event.FileAction `json:"action"`
	Count    int              `json:"count"`
	LastSeen time.Time        `json:"lastSeen"`
	By       string           `json:"by,omitempty"`
	Hash     string           `json:"hash,omitempty"`
}

// Rank is weight + 3 × count.
func (f File) Rank() int { return weight(f.Action) + perTouch*f.Count }

func (f File) key() string { return key(fileTable, f.Worktree, f.Session, f.Path) }

// join adds what is known of the same file elsewhere.
func (f File) join(other File) File {
	if weight(other.Action) > weight(f.Action) {
		f.Action = other.Action
	}
	f.Count += other.Count
	if !other.LastSeen.Before(f.LastSeen) {
		f.LastSeen, f.By, f.Session = other.LastSeen, other.By, other.Session
		f.Hash = cmp.Or(other.Hash, f.Hash)
	}
	return f
}

func byRank(a, b File) int {
	return cmp.Or(cmp.Compare(b.Rank(), a.Rank()), b.LastSeen.Compare(a.LastSeen), strings.Compare(a.Path, b.Path))
}

type touched struct {
	Worktree string           `json:"worktree"`
	Action   event.FileAction `json:"action"`
	Hash     string           `json:"hash,omitempty"`
	// Again is true if that does not count, for a file that is known already.
	Again bool `json:"again,omitempty"`
}

func (r *Room) touch(ev event.Event, body event.FileTouched) change.Change {
	file := File{Worktree: ev.Worktree, Session: ev.Session, Path: body.Path}
	known, there := r.files[file.key()]
	return change.New(FileTouched, body.Path, touched{ev.Worktree, body.Action, body.Hash, there && known.LastSeen.Before(body.Since)}).AsHot()
}

func (r *Room) foldTouch(c change.Change) ([]change.Row, error) {
	var payload touched
	if err := c.Decode(&payload); err != nil {
		return nil, err
	}
	file := File{
		Worktree: payload.Worktree, Session: c.Session, Path: c.Subject,
		Action: payload.Action, Count: 1, LastSeen: c.At, By: c.By, Hash: payload.Hash,
	}
	k := file.key()
	known, there := r.files[k]
	if there {
		if payload.Again {
			file.Count = 0
		}
		file = known.join(file)
	}
	rows := []change.Row{r.files.Put(k, file)}
	if !there {
		rows = append(rows, r.dropLowest(file)...)
	}
	if payload.Action == event.Edit || payload.Action == event.Write {
		rows = append(rows, r.maybeFixed(payload.Worktree, c.Subject)...)
	}
	return rows, nil
}

// dropLowest makes room among the files of a session for a new one.
func (r *Room) dropLowest(added File) []change.Row {
	var mine []File
	for _, file := range r.files {
		if file.Session == added.Session && file.Worktree == added.Worktree {
			mine = append(mine, file)
		}
	}
	if len(mine) <= maxFiles {
		return nil
	}
	mine = slices.DeleteFunc(mine, func(f File) bool { return f.Path == added.Path })
	row, _ := r.files.Delete(slices.MaxFunc(mine, byRank).key())
	return []change.Row{row}
}

type renamed struct {
	Worktree string `json:"worktree"`
	To       string `json:"to"`
}

// observeRename answers that what is known of a path goes on under a new one.
// It is written where there is something to move.
func (r *Room) observeRename(ev event.Event, body event.FileRenamed) []change.Change {
	if !r.knows(ev.Worktree, body.From) {
		return nil
	}
	return []change.Change{change.New(FileRenamed, body.From, renamed{ev.Worktree, body.To}).AsHot()}
}

func (r *Room) knows(worktree, path string) bool {
	for _, file := range r.files {
		if _, concerned := moved(file.Path, path, ""); concerned && file.Worktree == worktree {
			return true
		}
	}
	for _, e := range r.errors {
		if _, concerned := moved(e.Path, path, ""); concerned && e.Worktree == worktree {
			return true
		}
	}
	return false
}

func (r *Room) foldRename(c change.Change) ([]change.Row, error) {
	var payload renamed
	if err := c.Decode(&payload); err != nil {
		return nil, err
	}
	var rows []change.Row
	for _, k := range sortedKeys(r.files) {
		file := r.files[k]
		path, concerned := moved(file.Path, c.Subject, payload.To)
		if !concerned || file.Worktree != payload.Worktree {
			continue
		}
		row, _ := r.files.Delete(k)
		rows = append(rows, row)
		file.Path = path
		if there, known := r.files[file.key()]; known {
			file = file.join(there)
		}
		rows = append(rows, r.files.Put(file.key(), file))
	}
	return append(rows, r.renameErrors(payload.Worktree, c.Subject, payload.To)...), nil
}

type deleted struct {
	Worktree string `json:"worktree"`
}

func (r *Room) observeDelete(ev event.Event, body event.FileDeleted) []change.Change {
	if !r.knows(ev.Worktree, body.Path) {
		return nil
	}
	return []change.Change{change.New(FileDeleted, body.Path, deleted{ev.Worktree}).AsHot()}
}

// foldDelete drops the files that are gone, and the diagnostics in them. What a
// command reported may still be so, only elsewhere.
func (r *Room) foldDelete(c change.Change) ([]change.Row, error) {
	var payload deleted
	if err := c.Decode(&payload); err != nil {
		return nil, err
	}
	var rows []change.Row
	for _, k := range sortedKeys(r.files) {
		if _, gone := moved(r.files[k].Path, c.Subject, ""); gone && r.files[k].Worktree == payload.Worktree {
			row, _ := r.files.Delete(k)
			rows = append(rows, row)
		}
	}
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		if _, gone := moved(e.Path, c.Subject, ""); gone && e.Worktree == payload.Worktree {
			e = e.without(func(s Source) bool { return s.Origin == Diagnostic })
			e.MaybeFixed = true
			rows = append(rows, r.putError(k, e))
		}
	}
	return rows, nil
}

// Files returns the files of a worktree that are active in the session of the
// reader or in any that goes on, each once, highest rank first. A limit of 0 is
// no limit.
func (r *Room) Files(reader, worktree string, limit int) []File {
	r.mu.RLock()
	defer r.mu.RUnlock()
	byPath := make(map[string]File, len(r.files))
	for _, file := range r.files {
		if file.Worktree != worktree || !r.visible(file.Session, reader) {
			continue
		}
		if known, there := byPath[file.Path]; there {
			file = known.join(file)
		}
		byPath[file.Path] = file
	}
	files := make([]File, 0, len(byPath))
	for _, file := range byPath {
		files = append(files, file)
	}
	slices.SortFunc(files, byRank)
	if limit > 0 && len(files) > limit {
		files = files[:limit]
	}
	return files
}

func sortedKeys[T any](table change.Table[T]) []string {
	keys := make([]string, 0, len(table))
	for k := range table {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
