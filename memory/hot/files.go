package hot

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// weight returns the weight of an action on a file (systems.md B8).
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
	case event.Glob:
		return 10
	}
	return 0
}

// isChange reports whether an action changed the file.
func isChange(action event.FileAction) bool { return action == event.Edit || action == event.Write }

// isFound reports whether an action only found the file: a search or a listing reported it.
func isFound(action event.FileAction) bool { return action == event.Grep || action == event.Glob }

// perTouch is what each action adds to the rank of a file.
const perTouch = 3

// maxFiles is how many active files are kept per session. If there are more, the one
// with the lowest rank is dropped.
const maxFiles = 200

// A File is an active file of a session.
type File struct {
	Worktree string `json:"worktree"`
	Session  string `json:"session"`
	Path     string `json:"path"` // relative to the worktree, with /
	// Action is the action with the highest weight, Count the number of all actions, Changes and
	// Reads that of those that changed and read the file, 0 if they were not counted.
	Action   event.FileAction `json:"action"`
	Count    int              `json:"count"`
	Changes  int              `json:"changes,omitempty"`
	Reads    int              `json:"reads,omitempty"`
	LastSeen time.Time        `json:"lastSeen"`
	By       string           `json:"by,omitempty"`
	Hash     string           `json:"hash,omitempty"`
	// Turn is the turn of the session in which the last action was, and Prompt the number of messages
	// of the user until then; Step is the step in which a tool read the file last, at ReadAt, 0 if the
	// session has changed it since.
	Turn   int       `json:"turn,omitempty"`
	Prompt int       `json:"prompt,omitempty"`
	Step   int       `json:"step,omitempty"`
	ReadAt time.Time `json:"readAt,omitzero"`
	// Changed and ChangedAt are the turn and the time of the last change, Committed is true if the
	// session made a commit since.
	Changed   int       `json:"changed,omitempty"`
	ChangedAt time.Time `json:"changedAt,omitzero"`
	Committed bool      `json:"committed,omitempty"`
	// Restored is true if the last change took back those before.
	Restored bool `json:"restored,omitempty"`
	// Part is true if only a part of the file was read in Step, and it is not known which.
	Part bool `json:"part,omitempty"`
	// LastAction is the last action. First and Last are the lines that were read in Step, 0 for the
	// whole file.
	LastAction event.FileAction `json:"lastAction,omitempty"`
	First      int              `json:"first,omitempty"`
	Last       int              `json:"last,omitempty"`
	// Rewrites are the files that the session's script of this name writes when it runs.
	Rewrites []string `json:"rewrites,omitempty"`
	standing
	// reader is the record of another session that read the file, where those of several are merged; nil if there is
	// none.
	reader *File
}

// loadFiles sets rows of files. Most sessions are over and never asked for again, so their files
// are decoded when they are needed.
func (r *Room) loadFiles(rows []change.Row) error {
	for len(rows) > 0 {
		session, n := packable(rows[0]), 0
		if session == "" {
			r.unpack(func(string) bool { return true })
			if err := r.loadFile(rows[0]); err != nil {
				return err
			}
			rows = rows[1:]
			continue
		}
		for n < len(rows) && packable(rows[n]) == session {
			if err := rows[n].Check(); err != nil {
				return err
			}
			n++
		}
		r.packed[session] = append(r.packed[session], rows[:n]...)
		rows = rows[n:]
	}
	return nil
}

// loadFile sets the row of a file. The lock must be held.
func (r *Room) loadFile(row change.Row) error {
	if row.Value == nil {
		delete(r.files, row.Key)
		return nil
	}
	var file File // and not a pointer, which the value null makes nil
	if err := row.Decode(&file); err != nil {
		return err
	}
	r.files[row.Key] = &file
	return nil
}

// packable returns the session of the row of a file. It is "" if the file cannot be decoded later.
func packable(row change.Row) string {
	_, rest, _ := strings.Cut(row.Key, separator) // the table
	_, rest, _ = strings.Cut(rest, separator)     // the worktree
	session, path, there := strings.Cut(rest, separator)
	if !there || strings.Contains(path, separator) || row.Value == nil {
		return ""
	}
	return session
}

// unpack decodes the files of sessions. The lock must be held.
func (r *Room) unpack(needed func(session string) bool) {
	for session := range r.packed {
		if needed(session) {
			r.unpackOne(session)
		}
	}
}

// unpackOne decodes the files of a session. The lock must be held.
func (r *Room) unpackOne(session string) {
	rows, unread := room.Separate(r.packed[session])
	for _, row := range rows {
		if r.loadFile(row) != nil {
			unread = append(unread, row)
		}
	}
	delete(r.packed, session)
	if len(unread) > 0 {
		r.env.Unreadable(r.Name(), unread)
	}
}

// Warm decodes the files of live sessions, which every context shows.
func (r *Room) Warm() { r.need(r.env.Live) }

// need is unpack for a caller that does not hold the lock. It decodes without the lock, for which
// the queue would wait.
func (r *Room) need(needed func(session string) bool) {
	for _, session := range r.packedSessions(needed) {
		r.mu.RLock()
		rows := r.packed[session]
		r.mu.RUnlock()
		separate, bad := room.Separate(rows)
		files := make([]File, len(separate))
		isRead := len(rows) > 0 && len(bad) == 0
		for i, row := range separate {
			isRead = isRead && row.Decode(&files[i]) == nil
		}
		r.mu.Lock()
		if now := r.packed[session]; isRead && len(now) == len(rows) && &now[0] == &rows[0] {
			delete(r.packed, session)
			for i, row := range separate {
				r.files[row.Key] = &files[i]
			}
		} else { // there are others now, or none
			r.unpackOne(session)
		}
		r.mu.Unlock()
	}
}

func (r *Room) packedSessions(needed func(session string) bool) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var sessions []string
	for session := range r.packed {
		if needed(session) {
			sessions = append(sessions, session)
		}
	}
	return sessions
}

// Rank returns weight + 3 × count. A scratch file counts as read.
func (f *File) Rank() int {
	if f.isScratch() {
		return weight(event.Read)
	}
	return weight(f.Action) + perTouch*f.Count
}

// isChanged reports whether the file was changed.
func (f *File) isChanged() bool { return isChange(f.Action) }

// perTurn is the factor by which a turn of the session lowers the rank of its files.
const perTurn = 0.9

// decayed returns rank × 0.9^age. The age is the number of turns since the last action. What was
// changed long ago and only read or found since ranks by what was done last, or by the change.
func (f *File) decayed(now activity) float64 {
	aged := func(rank, turn int) float64 {
		return float64(rank) * math.Pow(perTurn, float64(max(0, now.Turns-turn)))
	}
	if f.Changes == 0 || f.isScratch() {
		return aged(f.Rank(), f.Turn)
	}
	change := aged(weight(f.Action)+perTouch*f.Changes, f.Changed)
	if isChange(f.LastAction) {
		return change
	}
	return max(change, aged(weight(f.LastAction)+perTouch*(f.Count-f.Changes), f.Turn))
}

func (f *File) clone() *File {
	other := *f
	return &other
}

func (f *File) key() string { return key(fileTable, f.Worktree, f.Session, f.Path) }

// add adds to the record of a file what is counted in another one: its actions and what it is known for.
func (f *File) add(other *File) {
	if weight(other.Action) > weight(f.Action) {
		f.Action = other.Action
	}
	f.standing = f.standing.join(other.standing)
	f.Count += other.Count
	f.Changes += other.Changes
	f.Reads += other.Reads
}

// join returns a record of what two records of the same file hold.
func (f *File) join(other *File) *File {
	f = f.clone()
	f.add(other)
	if other.Changes > 0 && other.Changed >= f.Changed {
		f.Changed, f.ChangedAt, f.Committed = other.Changed, other.ChangedAt, other.Committed
		if f.Restored = other.Restored && f.Changes > other.Changes; f.Restored {
			f.Changes -= other.Changes
		}
	}
	if !other.LastSeen.Before(f.LastSeen) {
		f.LastSeen, f.By, f.Session = other.LastSeen, other.By, other.Session
		f.Turn, f.Prompt, f.LastAction = other.Turn, other.Prompt, other.LastAction
		if !isFound(other.LastAction) || other.Step > 0 {
			f.Step, f.ReadAt, f.First, f.Last, f.Part = other.Step, other.ReadAt, other.First, other.Last, other.Part
		}
		if other.Action == event.Write {
			f.Rewrites = other.Rewrites
		}
		f.Hash = cmp.Or(other.Hash, f.Hash)
	}
	return f
}

// beside merges the records of the same file in two sessions, for a session that asks. The one that changed it last is
// told, or else the one that used it last.
func (f *File) beside(other *File, asks string) *File {
	if other.leads(f) {
		f, other = other, f
	}
	f = f.clone()
	for _, record := range []*File{other.reader, other} {
		if record != nil && record.LastAction == event.Read && record.isNearer(f.reader, asks) {
			f.reader = record
		}
	}
	f.add(other)
	if f.Hash = cmp.Or(f.Hash, other.Hash); other.LastSeen.After(f.LastSeen) {
		f.LastSeen, f.Hash = other.LastSeen, cmp.Or(other.Hash, f.Hash)
	}
	return f
}

// leads reports whether the record of a file is told rather than that of another session.
func (f *File) leads(other *File) bool {
	if f.isChanged() != other.isChanged() {
		return f.isChanged()
	}
	order := f.LastSeen.Compare(other.LastSeen)
	if f.isChanged() {
		order = f.ChangedAt.Compare(other.ChangedAt)
	}
	return cmp.Or(order, strings.Compare(f.Session, other.Session)) > 0
}

// isNearer reports whether the record of a file tells a session that asks more than another one, which may be nil, of
// who read the file: its own does, or else that of who read it last.
func (f *File) isNearer(other *File, asks string) bool {
	switch {
	case other == nil || f.Session == asks:
		return true
	case other.Session == asks:
		return false
	}
	return cmp.Or(f.ReadAt.Compare(other.ReadAt), strings.Compare(f.Session, other.Session)) > 0
}

// A ranked file has its decayed rank, and what its session has done so far.
type ranked struct {
	*File
	rank float64
	now  *activity
}

// byRank orders files by their decayed rank, the highest first.
func byRank(a, b *ranked) int {
	return cmp.Or(cmp.Compare(b.rank, a.rank), b.LastSeen.Compare(a.LastSeen), strings.Compare(a.Path, b.Path))
}

type touched struct {
	Worktree string           `json:"worktree"`
	Action   event.FileAction `json:"action"`
	Hash     string           `json:"hash,omitempty"`
	// Again is true if the action does not count for a file that is already active.
	Again  bool `json:"again,omitempty"`
	Turn   int  `json:"turn,omitempty"`
	Prompt int  `json:"prompt,omitempty"`
	Step   int  `json:"step,omitempty"`
	First  int  `json:"first,omitempty"`
	Last   int  `json:"last,omitempty"`
	// Part and Rewrites are those of the File, Restored is true if the action takes back changes.
	Part     bool     `json:"part,omitempty"`
	Restored bool     `json:"restored,omitempty"`
	Rewrites []string `json:"rewrites,omitempty"`
	standing
}

// An extent is what an action on a file was about, besides the file.
type extent struct {
	// first and last are the lines that it read, 0 for the whole file, or for unknown ones if part
	// is true.
	first, last int
	part        bool
	// restores is true if it took back what was changed.
	restores bool
	// rewrites are the files that the written script writes.
	rewrites []string
}

// touch returns the change for an action on a file.
func (r *Room) touch(ev event.Event, body event.FileTouched, of extent) change.Change {
	file := &File{Worktree: ev.Worktree, Session: ev.Session, Path: body.Path}
	known, there := r.files[file.key()]
	again := there && known.LastSeen.Before(body.Since)
	now, step := r.activity(ev.Session), 0
	if _, isTool := ev.Body.(event.ToolRan); isTool {
		step = now.Steps + 1
	}
	stands := standing{Created: !there && body.Action == event.Write}
	stands.Named = stands.Created && names(r.tasks[key(taskTable, ev.Session)], body.Path)
	return change.New(FileTouched, body.Path, touched{
		Worktree: ev.Worktree, Action: body.Action, Hash: body.Hash, Again: again, standing: stands,
		Turn: now.Turns, Prompt: now.Prompts, Step: step,
		First: of.first, Last: of.last, Part: of.part, Restored: of.restores,
		Rewrites: of.rewrites,
	}).AsHot()
}

func (r *Room) foldTouch(c change.Change) ([]change.Row, error) {
	var payload touched
	if err := c.Decode(&payload); err != nil {
		return nil, err
	}
	file := &File{
		Worktree: payload.Worktree, Session: c.Session, Path: c.Subject,
		Action: payload.Action, Count: 1, LastSeen: c.At, By: c.By, Hash: payload.Hash,
		Turn: payload.Turn, Prompt: payload.Prompt,
		LastAction: payload.Action, Rewrites: payload.Rewrites, standing: payload.standing,
	}
	if payload.Action == event.Read {
		file.Reads, file.Step, file.ReadAt = 1, payload.Step, c.At
		file.First, file.Last, file.Part = payload.First, payload.Last, payload.Part
	}
	if file.isChanged() {
		file.Changes, file.Changed, file.ChangedAt = 1, payload.Turn, c.At
		file.Restored = payload.Restored
	}
	k := file.key()
	r.unpack(func(session string) bool { return session == c.Session })
	known, there := r.files[k]
	if there {
		if payload.Again {
			file.Count, file.Reads = 0, 0
		}
		file = known.join(file)
	} else {
		file.Restored = false
	}
	rows := r.putFile(file)
	if !there {
		rows = append(rows, r.dropLowest(file)...)
	}
	if isChange(payload.Action) {
		rows = append(rows, r.maybeFixed(payload.Worktree, c.Subject)...)
	}
	return rows, nil
}

// isBeside reports whether two files are different ones of a session in a worktree.
func (f *File) isBeside(other *File) bool {
	return f.Session == other.Session && f.Worktree == other.Worktree && f.Path != other.Path
}

// dropLowest drops the lowest file of a session if the added one is too many.
func (r *Room) dropLowest(added *File) []change.Row {
	others := 0
	for _, file := range r.files {
		if file.isBeside(added) {
			others++
		}
	}
	if others < maxFiles {
		return nil
	}
	now := r.activity(added.Session)
	var lowest ranked
	for _, file := range r.files {
		if !file.isBeside(added) {
			continue
		}
		if one := (ranked{File: file, rank: file.decayed(now)}); lowest.File == nil || byRank(&one, &lowest) > 0 {
			lowest = one
		}
	}
	return r.dropFile(lowest.File)
}

type renamed struct {
	Worktree string `json:"worktree"`
	To       string `json:"to"`
}

// observeRename returns the change that moves the state of a path to a new path. There is
// none if the path has no state.
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
	r.unpack(func(string) bool { return true })
	var rows []change.Row
	for _, k := range sortedKeys(r.files) {
		file := r.files[k]
		path, concerned := moved(file.Path, c.Subject, payload.To)
		if !concerned || file.Worktree != payload.Worktree {
			continue
		}
		rows = append(rows, r.dropFile(file)...)
		file = file.clone()
		file.Path, file.Named = path, true
		if there, known := r.files[file.key()]; known {
			file = file.join(there)
		}
		rows = append(rows, r.putFile(file)...)
	}
	return append(rows, r.renameErrors(payload.Worktree, c.Subject, payload.To)...), nil
}

// Rebase moves a file that was touched, or the place of an error, to the path to which
// another process has renamed the file since.
func (r *Room) Rebase(pending, other change.Change) change.Change {
	isMoved := pending.Kind == FileTouched || pending.Kind == ErrorSeen
	if !isMoved || other.Kind != FileRenamed || pending.At.After(other.At) {
		return pending
	}
	var report seen // has the worktree of both kinds
	var to renamed
	if pending.Decode(&report) != nil || other.Decode(&to) != nil || report.Worktree != to.Worktree {
		return pending
	}
	if pending.Kind == FileTouched {
		pending.Subject, _ = moved(pending.Subject, other.Subject, to.To)
		return pending
	}
	report.Path, _ = moved(report.Path, other.Subject, to.To)
	pending.After = change.New(pending.Kind, pending.Subject, report).After
	return pending
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

// foldDelete drops deleted files and the errors in them.
func (r *Room) foldDelete(c change.Change) ([]change.Row, error) {
	var payload deleted
	if err := c.Decode(&payload); err != nil {
		return nil, err
	}
	r.unpack(func(string) bool { return true })
	var rows []change.Row
	for _, k := range sortedKeys(r.files) {
		file := r.files[k]
		if _, gone := moved(file.Path, c.Subject, ""); gone && file.Worktree == payload.Worktree {
			rows = append(rows, r.dropFile(file)...)
		}
	}
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		if _, gone := moved(e.Path, c.Subject, ""); gone && e.Worktree == payload.Worktree {
			e.Sources = nil
			rows = append(rows, r.putError(k, e))
		}
	}
	return rows, nil
}

// Files returns the files of a worktree that are active in the session of the reader or
// in a live session, each once, the highest rank first. A limit of 0 means no limit.
func (r *Room) Files(reader, worktree string, limit int) []File {
	order := r.ranking(reader, worktree)
	if limit > 0 && len(order) > limit {
		order = order[:limit]
	}
	list := make([]File, len(order))
	for i, one := range order {
		list[i] = *one.File
	}
	return list
}

// ranking returns all of Files, with their ranks. There may be thousands, in few sessions.
func (r *Room) ranking(reader, worktree string) []*ranked {
	r.need(func(session string) bool { return r.visible(session, reader) })
	r.mu.RLock()
	defer r.mu.RUnlock()
	visible, works, activities := map[string]bool{}, map[string]bool{}, map[string]*activity{} // by session
	// byPath points into files, which has room for all.
	files := make([]ranked, 0, len(r.files))
	byPath := make(map[string]*ranked, len(r.files))
	for _, file := range r.files {
		if file.Worktree != worktree {
			continue
		}
		shown, known := visible[file.Session]
		if !known {
			shown = r.visible(file.Session, reader)
			now := r.activity(file.Session)
			visible[file.Session], activities[file.Session] = shown, &now
		}
		if !shown {
			continue
		}
		works[file.Session] = works[file.Session] || file.isWork()
		if known, there := byPath[file.Path]; there {
			known.File = known.beside(file, reader)
			continue
		}
		files = append(files, ranked{File: file})
		byPath[file.Path] = &files[len(files)-1]
	}
	order := make([]*ranked, len(files))
	newest := map[string]time.Time{} // the scratch file of a session that has changed no other
	for i := range files {
		if f := &files[i]; f.isScratch() && !works[f.Session] && f.LastSeen.After(newest[f.Session]) {
			newest[f.Session] = f.LastSeen
		}
		order[i] = &files[i]
	}
	for _, file := range order {
		file.now = activities[file.Session]
		if !file.isScratch() || file.LastSeen.Equal(newest[file.Session]) {
			file.rank = file.decayed(*file.now)
		}
	}
	slices.SortFunc(order, byRank)
	return order
}

// used returns the files that are active in a session.
func (r *Room) used(session, worktree string) []string {
	r.need(func(other string) bool { return other == session })
	r.mu.RLock()
	defer r.mu.RUnlock()
	var paths []string
	for _, file := range r.files {
		if file.Session == session && file.Worktree == worktree {
			paths = append(paths, file.Path)
		}
	}
	return paths
}

// hasEdits reports whether a session has changed a file, also one that was deleted since.
func (r *Room) hasEdits(session string) bool {
	if r.activity(session).Edits > 0 {
		return true
	}
	for _, file := range r.files {
		if file.Session == session && file.isChanged() {
			return true
		}
	}
	return false
}

func sortedKeys[T any](table change.Table[T]) []string {
	keys := make([]string, 0, len(table))
	for k := range table {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
