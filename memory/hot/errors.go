package hot

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/fingerprint"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// Origin is the kind of source that reports an error.
type Origin string

// The origins. Neither closes errors of the other (systems.md B10).
const (
	Diagnostic  Origin = "diagnostic"
	FromCommand Origin = "command"
	FromUser    Origin = "user" // a person told it in a message
)

// maxErrors is how many open errors are kept per worktree. If there are more, the one
// that was seen longest ago is dropped.
const maxErrors = 1000

// A Source reports an error. An error is closed when all its sources have closed it.
type Source struct {
	Origin  Origin    `json:"origin"`
	Session string    `json:"session"`
	By      string    `json:"by,omitempty"` // the editor or agent
	SeenAt  time.Time `json:"seenAt"`
	// Verified is false from a restart of the session's process until the source reports
	// the error again, and when the session is over.
	Verified bool `json:"verified"`
	// Ended is true if the session was over since the source reported the error.
	Ended bool `json:"ended,omitempty"`
	// Opener is the command that reported the error, nil for a diagnostic.
	Opener *command.Opener `json:"opener,omitempty"`
	// BeforeEdits is true if the session had edited no file when the command first reported
	// the error.
	BeforeEdits bool `json:"beforeEdits,omitempty"`
	// AfterEdits is true if a command reported it then and again after an edit.
	AfterEdits bool `json:"afterEdits,omitempty"`
	// Turn is the turn of the session in which the command reported the error last.
	Turn int `json:"turn,omitempty"`
	// Dismissed is true if a person dismissed what the source reports.
	Dismissed bool `json:"dismissed,omitempty"`
}

// An Error is an open error.
type Error struct {
	Worktree    string    `json:"worktree"`
	Fingerprint string    `json:"fingerprint"`
	Category    string    `json:"category"`
	Summary     string    `json:"summary"`
	Path        string    `json:"path,omitempty"`
	Line        int       `json:"line,omitempty"`
	Tool        string    `json:"tool,omitempty"`
	Code        string    `json:"code,omitempty"` // the tool's name for it
	Command     string    `json:"command,omitempty"`
	Rerun       *Rerun    `json:"rerun,omitempty"` // nil if the command cannot be run as it was
	Count       int       `json:"count"`
	FirstSeen   time.Time `json:"firstSeen"`
	LastSeen    time.Time `json:"lastSeen"`
	// MaybeFixed is true if its file was edited after a command reported it.
	MaybeFixed bool `json:"maybeFixed,omitempty"`
	// Masked is true if a pipe hid the exit code of the test runner that reported it.
	Masked  bool     `json:"masked,omitempty"`
	Sources []Source `json:"sources"`
	// Over is true if every session that reports the error is over, so that nobody has checked
	// it since LastSeen. Errors sets it.
	Over bool `json:"-"`
}

// MakeRoom makes room for the one source that most errors have. It implements change.Roomy.
func (e *Error) MakeRoom() { e.Sources = make([]Source, 0, 1) }

// Verified reports whether a source of the error is verified.
func (e *Error) Verified() bool {
	return slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Verified })
}

// isFrom reports whether a source of an origin reports the error.
func (e Error) isFrom(origin Origin) bool {
	return slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Origin == origin })
}

// stays reports whether the error stays in contexts after a restart until it is closed: an editor
// reports its diagnostics again, a command is only run again when somebody wants to know.
func (e Error) stays() bool {
	return slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Origin != Diagnostic })
}

// From returns the source with an origin and session.
func (e Error) From(origin Origin, session string) (Source, bool) {
	i := slices.IndexFunc(e.Sources, func(s Source) bool { return s.Origin == origin && s.Session == session })
	if i < 0 {
		return Source{}, false
	}
	return e.Sources[i], true
}

func (e Error) without(gone func(Source) bool) Error {
	e.Sources = slices.DeleteFunc(slices.Clone(e.Sources), gone)
	return e
}

func (e Error) key() string { return key(errorTable, e.Worktree, e.Fingerprint) }

// seen is the payload of ErrorSeen. The subject is the fingerprint.
type seen struct {
	Worktree string          `json:"worktree"`
	Category string          `json:"category"`
	Summary  string          `json:"summary"`
	Path     string          `json:"path,omitempty"`
	Line     int             `json:"line,omitempty"`
	Tool     string          `json:"tool,omitempty"`
	Code     string          `json:"code,omitempty"`
	Command  string          `json:"command,omitempty"`
	Rerun    *Rerun          `json:"rerun,omitempty"`
	Origin   Origin          `json:"origin"`
	Opener   *command.Opener `json:"opener,omitempty"`
	Masked   bool            `json:"masked,omitempty"`
	// Again is false if a source only confirms an error that it reported before.
	Again bool `json:"again,omitempty"`
	// Known is true if the session saw the error open before.
	Known       bool `json:"known,omitempty"`
	BeforeEdits bool `json:"beforeEdits,omitempty"`
	Turn        int  `json:"turn,omitempty"`
}

func (s seen) change() change.Change {
	return change.New(ErrorSeen, fingerprint.Of(s.Category, s.Summary, s.Path), s).AsHot()
}

// Opens reports whether a change opens an error that was not open before.
func Opens(c change.Change) bool {
	var p seen
	return c.Kind == ErrorSeen && c.Decode(&p) == nil && !p.Known
}

// reportLine returns a line for the error that a change reports, "" for other changes.
func reportLine(c change.Change) string {
	var p seen
	if c.Kind != ErrorSeen || c.Decode(&p) != nil {
		return ""
	}
	text := "[" + p.Category + "] "
	if p.Path != "" {
		text += p.Path + ": "
	}
	return text + p.Summary
}

func (r *Room) foldSeen(c change.Change) ([]change.Row, error) {
	var p seen
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	e := Error{Worktree: p.Worktree, Fingerprint: c.Subject}
	known, there := r.errors[e.key()]
	if there {
		e = known
	} else {
		e.Category, e.FirstSeen = p.Category, c.At
	}
	if !c.At.Before(e.LastSeen) {
		e.Summary, e.Path, e.Line, e.LastSeen = p.Summary, p.Path, p.Line, c.At
		if p.Command != "" {
			e.Command, e.Rerun = p.Command, p.Rerun
		}
		if p.Tool != "" || p.Code != "" {
			e.Tool, e.Code = p.Tool, p.Code
		}
		e.MaybeFixed = e.MaybeFixed && p.Origin == Diagnostic
		e.Masked = p.Masked
	}
	if p.Again || !there {
		e.Count++
	}
	source := Source{
		Origin: p.Origin, Session: c.Session, By: c.By, SeenAt: c.At, Verified: true, Opener: p.Opener,
		BeforeEdits: p.BeforeEdits, Turn: p.Turn, Dismissed: e.staysDismissed(p),
	}
	if before, there := e.From(p.Origin, c.Session); there {
		source.BeforeEdits, source.AfterEdits = before.BeforeEdits, before.BeforeEdits && !p.BeforeEdits
	}
	e = e.without(func(s Source) bool { return s.Origin == p.Origin && s.Session == c.Session })
	if !r.clearedBy(p.Worktree, e.Fingerprint, source) {
		e.Sources = append(e.Sources, source)
		slices.SortFunc(e.Sources, func(a, b Source) int {
			return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Session, b.Session))
		})
	}
	rows := []change.Row{r.putError(e.key(), e)}
	if !there {
		rows = append(rows, r.dropOldest(p.Worktree)...)
	}
	return rows, nil
}

// putError stores an error, or deletes it if it has no source.
func (r *Room) putError(k string, e Error) change.Row {
	if len(e.Sources) > 0 {
		return r.errors.Put(k, e)
	}
	row, there := r.errors.Delete(k)
	if !there {
		row = change.Row{Key: k}
	}
	return row
}

func (r *Room) dropOldest(worktree string) []change.Row {
	count := 0
	var oldest Error
	for _, e := range r.errors {
		if e.Worktree != worktree {
			continue
		}
		if count++; count == 1 || byRecency(&e, &oldest) > 0 {
			oldest = e
		}
	}
	if count <= maxErrors {
		return nil
	}
	row, _ := r.errors.Delete(oldest.key())
	return []change.Row{row}
}

// closed is the payload of ErrorClosed. The subject is the fingerprint.
type closed struct {
	Worktree string `json:"worktree"`
	Origin   Origin `json:"origin"`
	// Session is the session of the source.
	Session string `json:"session"`
	// Fix is what closed the error, nil if it is not worth keeping.
	Fix *Fix `json:"fix,omitempty"`
}

func (e Error) close(s Source, reason string) change.Change {
	return change.New(ErrorClosed, e.Fingerprint, closed{Worktree: e.Worktree, Origin: s.Origin, Session: s.Session}).
		Because(reason).AsHot()
}

func (r *Room) foldClosed(c change.Change) ([]change.Row, error) {
	var p closed
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	k := key(errorTable, p.Worktree, c.Subject)
	e, there := r.errors[k]
	if !there {
		return nil, nil
	}
	rest := e.without(func(s Source) bool {
		return s.Origin == p.Origin && s.Session == p.Session && !s.SeenAt.After(c.At)
	})
	if len(rest.Sources) == len(e.Sources) {
		return nil, nil
	}
	return []change.Row{r.putError(k, rest)}, nil
}

// A doubt says why nobody knows whether what a session reported still holds.
type doubt struct {
	// Ended is true if the session is over, false if its process restarted.
	Ended bool `json:"ended,omitempty"`
}

// foldUnverified marks what a session reported before it was over, or its process restarted.
func (r *Room) foldUnverified(c change.Change) ([]change.Row, error) {
	var why doubt
	if err := c.Decode(&why); err != nil {
		return nil, err
	}
	var rows []change.Row
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		e.Sources = slices.Clone(e.Sources)
		marked := false
		for i, s := range e.Sources {
			is := s.Verified || why.Ended && !s.Ended
			if s.Session == c.Subject && is && !s.SeenAt.After(c.At) {
				e.Sources[i].Verified, e.Sources[i].Ended, marked = false, s.Ended || why.Ended, true
			}
		}
		if marked {
			rows = append(rows, r.errors.Put(k, e))
		}
	}
	return rows, nil
}

// maybeFixed marks the errors that commands reported in a file that was edited now.
func (r *Room) maybeFixed(worktree, path string) []change.Row {
	var rows []change.Row
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		if e.Worktree != worktree || e.Path != path || e.MaybeFixed {
			continue
		}
		if e.isFrom(FromCommand) {
			e.MaybeFixed = true
			rows = append(rows, r.errors.Put(k, e))
		}
	}
	return rows
}

func (r *Room) renameErrors(worktree, from, to string) []change.Row {
	var rows []change.Row
	for _, k := range sortedKeys(r.errors) {
		e := r.errors[k]
		path, concerned := moved(e.Path, from, to)
		if !concerned || e.Worktree != worktree {
			continue
		}
		row, _ := r.errors.Delete(k)
		e.Path, e.Fingerprint = path, tool.Fingerprint(command.Category(e.Category), e.test(), e.Summary, path)
		rows = append(rows, row, r.errors.Put(e.key(), e))
	}
	return rows
}

// test returns the id of the failing test, or "".
func (e Error) test() string {
	for _, s := range e.Sources {
		if s.Opener != nil && s.Opener.Test != "" {
			return s.Opener.Test
		}
	}
	return ""
}

func (r *Room) hasErrors(session string) bool {
	for _, e := range r.errors {
		if slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Session == session }) {
			return true
		}
	}
	return false
}

// unverified returns the change that marks what a session reported, none if that is nothing.
func (r *Room) unverified(session string, why doubt) []change.Change {
	if !r.hasErrors(session) {
		return nil
	}
	return []change.Change{change.New(ErrorsUnverified, session, why).AsHot()}
}

// byRecency orders errors by the time when they were seen, the latest first, then by place and by
// what they say: a fingerprint differs with the folder of the worktree.
func byRecency(a, b *Error) int {
	return cmp.Or(b.LastSeen.Compare(a.LastSeen), strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
		strings.Compare(a.Summary, b.Summary), strings.Compare(a.Fingerprint, b.Fingerprint))
}

// sortedErrors returns errors in an order. An error has hundreds of bytes, so pointers are sorted.
func sortedErrors(list []Error, order func(a, b *Error) int) []Error {
	pointers := make([]*Error, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	slices.SortFunc(pointers, order)
	sorted := make([]Error, len(list))
	for i, e := range pointers {
		sorted[i] = *e
	}
	return sorted
}

// Errors returns the open errors of a worktree that the session of the reader, a live session
// or a command of a session that is over reports. Verified ones come first, then the one seen
// last. Each error has only the visible sources.
func (r *Room) Errors(reader, worktree string) []Error {
	r.needReporters(worktree)
	r.mu.RLock()
	defer r.mu.RUnlock()
	now := r.env.Now()
	list := r.matching(reader, func(e Error) bool { return e.Worktree == worktree && !e.forgotten(now) })
	return sortedErrors(list, func(a, b *Error) int {
		if isVerified := a.Verified(); isVerified != b.Verified() {
			if isVerified {
				return -1
			}
			return 1
		}
		return byRecency(a, b)
	})
}

// ErrorsAt returns the Errors on the lines first to last of a file, the one seen last
// first, without those that are Over: their lines may be others now. Lines are counted from 1.
func (r *Room) ErrorsAt(reader, worktree, path string, first, last int) []Error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := r.matching(reader, func(e Error) bool {
		return first <= e.Line && e.Line <= last && e.Path == path && e.Worktree == worktree
	})
	list = slices.DeleteFunc(list, func(e Error) bool { return e.Over })
	return sortedErrors(list, byRecency)
}

// matching returns the errors that match, each with the visible sources.
func (r *Room) matching(reader string, match func(Error) bool) []Error {
	list := make([]Error, 0, len(r.errors))
	for _, e := range r.errors {
		if !match(e) {
			continue
		}
		e = r.seenBy(reader, e)
		if len(e.Sources) > 0 {
			list = append(list, e)
		}
	}
	return list
}

// needReporters decodes the files of the sessions that report errors in files: only with them
// is known which are scratch scripts.
func (r *Room) needReporters(worktree string) {
	reporters := map[string]bool{}
	r.mu.RLock()
	for _, e := range r.errors {
		if len(r.packed) == 0 || e.Worktree != worktree || e.Path == "" {
			continue
		}
		for _, s := range e.Sources {
			reporters[s.Session] = true
		}
	}
	r.mu.RUnlock()
	r.need(func(session string) bool { return reporters[session] })
}

// seenBy returns an error as a reader sees it: without the diagnostics of sessions that are over, and without
// what is dismissed or set aside. What a command reported or a person told in a session that is over stays:
// nobody has checked it since. A session that is over does not see its own diagnostics either.
func (r *Room) seenBy(reader string, e Error) Error {
	isOver := func(s Source) bool { return !r.visible(s.Session, reader) }
	isHidden := func(s Source) bool {
		return !r.isLive(s) || s.Origin == Diagnostic && isOver(s) || r.aside(e.Worktree, s.Session, e.Path)
	}
	if !slices.ContainsFunc(e.Sources, func(s Source) bool { return isOver(s) || isHidden(s) }) {
		return e
	}
	e = e.without(isHidden)
	e.Over = true
	for i, s := range e.Sources {
		over := isOver(s)
		e.Sources[i].Verified = s.Verified && !over
		e.Over = e.Over && over
	}
	return e
}

// isOpenFor reports whether an error is open that a session can see.
func (r *Room) isOpenFor(reader, worktree, fingerprint string) bool {
	return slices.ContainsFunc(r.errors[key(errorTable, worktree, fingerprint)].Sources,
		func(s Source) bool { return r.isLive(s) && (s.Origin != Diagnostic || r.visible(s.Session, reader)) })
}

// isLive reports whether what a source reports stands among the open errors of the worktree.
func (r *Room) isLive(s Source) bool { return !s.Dismissed && !r.isLeft(s) }

// isLeft reports whether a source is a language server of a session that was over since, also when it is
// resumed, maybe by a hook. Only the handover of the session has what it reported: the next language server
// reports it again.
func (r *Room) isLeft(s Source) bool {
	return s.Origin == Diagnostic && (s.Ended || !r.env.Live(s.Session))
}

const (
	// runtimeTurns is the number of turns after which a runtime error leaves the context, and
	// runtimeAge the time after which it leaves the list: nothing checks it again.
	runtimeTurns = 10
	runtimeAge   = 24 * time.Hour
)

// isRuntime reports whether the error is one that only a command or a person reported and
// that no check reports again.
func (e Error) isRuntime() bool {
	return e.Category == string(command.Runtime) && !e.isFrom(Diagnostic)
}

// forgotten reports whether the error is too old for the list. Nothing checks a diagnostic again whose editor
// is gone.
func (e Error) forgotten(now time.Time) bool {
	fades := e.isRuntime() || !e.stays() && !e.Verified()
	return fades && now.Sub(e.LastSeen) > runtimeAge
}

// faded reports whether the error is too old for the context of a reader. For one that is over
// the turns of the reader count, because its session has no more.
func (r *Room) faded(e Error, reader string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if e.Over {
		return e.isRuntime() && r.activity(reader).Turns > runtimeTurns
	}
	return e.isRuntime() && !slices.ContainsFunc(e.Sources, func(s Source) bool {
		return r.activity(s.Session).Turns-s.Turn <= runtimeTurns
	})
}

// Open returns the open error with a fingerprint. One that was dismissed is not open, and neither are
// diagnostics of sessions that are over.
func (r *Room) Open(worktree, fingerprint string) (Error, bool) {
	e, _ := r.kept(worktree, fingerprint)
	return e, slices.ContainsFunc(e.Sources, r.isLive)
}

// kept returns the error with a fingerprint that somebody reported and nobody has closed.
func (r *Room) kept(worktree, fingerprint string) (Error, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	e, there := r.errors[key(errorTable, worktree, fingerprint)]
	return e, there
}
