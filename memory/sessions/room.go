// Package sessions is the room of the sessions: their data, whether they are live, the ids
// of their events, and whether recording is paused. It knows the time from which ages are
// measured.
package sessions

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/process"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// The kinds of changes that this room writes.
const (
	Started change.Kind = "session.started"
	Resumed change.Kind = "session.resumed"
	Active  change.Kind = "session.active"
	// Renewed extends the lease of a session without an owner.
	Renewed change.Kind = "session.renewed"
	// Hosted tells which process of an agent its hooks run for.
	Hosted  change.Kind = "session.hosted"
	Turned  change.Kind = "session.turned"
	Seen    change.Kind = "session.seen"
	Ended   change.Kind = "session.ended"
	Deleted change.Kind = "session.deleted"
	Swept   change.Kind = "session.swept"
	// Compact is a compaction of the conversation.
	Compact change.Kind = "session.compacted"
	Paused  change.Kind = "recording.paused"
)

// ActiveEvery is the minimum time between two changes that record the last event of a
// session. Leases are longer by it, so that they do not end early.
const ActiveEvery = 10 * time.Second

// maxSeen is how many ids of events are kept per session. Clients repeat an event at once
// or never.
const maxSeen = 256

// The reasons for which a session ends that nobody has ended.
const (
	processGone  = "process gone"
	leaseExpired = "lease expired"
	clientGone   = "client gone"
)

// A Session is a session of an editor or agent.
type Session struct {
	ID    string `json:"id"`
	Agent string `json:"agent,omitempty"`
	Title string `json:"title,omitempty"`
	// Editor is true for the session of an editor, in which a person works.
	Editor    bool      `json:"editor,omitempty"`
	Worktree  string    `json:"worktree"`
	StartedAt time.Time `json:"startedAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	// EndedAt is zero while the session is live.
	EndedAt time.Time `json:"endedAt,omitzero"`
	// LeaseUntil is the end of the lease of a session without an owner, zero if it has one.
	LeaseUntil time.Time `json:"leaseUntil,omitzero"`
	// Host is the process for which the hooks of the session run, nil if it is not known.
	Host *Host `json:"host,omitempty"`
	// Turn counts the user's messages.
	Turn int `json:"turn"`
	// Compactions counts the compactions of the conversation.
	Compactions int `json:"compactions,omitempty"`
	// CompactedAt is when the last of them was, zero if there was none.
	CompactedAt time.Time `json:"compactedAt,omitzero"`
	// LeftAt is when the session was over the last time: its last event if the process of its owner was
	// gone or its lease expired. WasLost is true in that case, and if its client was gone.
	LeftAt  time.Time `json:"leftAt,omitzero"`
	WasLost bool      `json:"wasLost,omitempty"`
	// ResumedAt is when it was resumed after that, ResumedTurn its Turn then.
	ResumedAt   time.Time `json:"resumedAt,omitzero"`
	ResumedTurn int       `json:"resumedTurn,omitempty"`
	// OfferedAt is when a person gave what it left to the next session, Handed to which session it was
	// given last.
	OfferedAt time.Time `json:"offeredAt,omitzero"`
	Handed    *Handing  `json:"handed,omitempty"`
	// Deleted is true for a tombstone. It keeps late events from starting the session again
	// (systems.md B14).
	Deleted bool `json:"deleted,omitempty"`
}

// Live reports whether the session has not ended.
func (s Session) Live() bool { return s.ID != "" && s.EndedAt.IsZero() && !s.Deleted }

// Owned reports whether the session is live and has an owner.
func (s Session) Owned() bool { return s.Live() && s.LeaseUntil.IsZero() }

// A Host is the process of an agent that runs a command at each of its events.
type Host struct {
	Process process.ID `json:"process"`
	// Hook is the number of the latest process that it ran for an event.
	Hook int `json:"hook"`
	// Stays is true if it has run two of them. One that runs a single command may have been started for that only.
	Stays bool `json:"stays,omitempty"`
}

// told reports whether an event has nothing new about the host.
func (h *Host) told(ev event.Event) bool {
	return h != nil && h.Process == ev.Host && (h.Stays || h.Hook == ev.Hook)
}

// HostEnded reports whether the process for which the hooks of the session ran is known to have ended.
func (s Session) HostEnded() bool {
	return s.Host != nil && s.Host.Stays && !s.Owned() && s.Host.Process.Ended()
}

// maxLease is longer than any lease. A longer one is from a clock that went ahead.
const maxLease = 25 * time.Hour

// Leased reports whether the session is live, has no owner, and its lease has not expired.
func (s Session) Leased(now time.Time) bool {
	return s.Live() && !s.Owned() && !now.After(s.LeaseUntil) && s.LeaseUntil.Sub(now) <= maxLease
}

// RenewalDue reports whether a lease until a time is worth a change: it is longer than
// the current one by ActiveEvery.
func (s Session) RenewalDue(until time.Time) bool { return until.Sub(s.LeaseUntil) >= ActiveEvery }

// Room holds the sessions. It is safe for concurrent use.
type Room struct {
	mu       sync.RWMutex
	sessions change.Table[Session]   // by sessionKey
	seen     change.Table[[]string]  // by seenKey: ids of events, oldest first
	pause    change.Table[time.Time] // by pauseKey: until when
	clock    change.Table[clock]     // by clockKey
}

// New returns an empty room.
func New(room.Env) *Room {
	return &Room{
		sessions: change.Table[Session]{}, seen: change.Table[[]string]{}, pause: change.Table[time.Time]{},
		clock: change.Table[clock]{},
	}
}

// The keys of rows, or their prefixes, which the id of the session follows.
const (
	sessionPrefix = "session\x1f"
	seenPrefix    = "seen\x1f"
	pauseKey      = "pause"
	clockKey      = "clock"
)

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "sessions" }

// Nouns returns the nouns of the changes that this room writes. The end or deletion of a
// session concerns everything that is kept for it.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{
		{
			Name:    "session",
			Panel:   []string{Section, "files", "errors", "core", "working", "notes", "budget"},
			Context: []string{"core", "overview", "working", "session", "handover", "pressure", "meta"},
		},
		{Name: "recording", Panel: []string{Section}},
	}
}

type started struct {
	Agent    string `json:"agent,omitempty"`
	Title    string `json:"title,omitempty"`
	Editor   bool   `json:"editor,omitempty"`
	Worktree string `json:"worktree"`
	// LeaseUntil is zero if the session has an owner.
	LeaseUntil time.Time `json:"leaseUntil,omitzero"`
	// Lost is true if the session was not alive, but nobody had ended it.
	Lost bool `json:"lost,omitempty"`
}

// A Compaction is the payload of Compact (systems.md A13).
type Compaction struct {
	By           string `json:"by"` // model, server or host
	Target       string `json:"target,omitempty"`
	Messages     int    `json:"messages,omitempty"` // that were removed
	ArchivedTo   string `json:"archivedTo,omitempty"`
	TokensBefore int    `json:"tokensBefore,omitempty"`
	TokensAfter  int    `json:"tokensAfter,omitempty"`
}

// Compacted returns the change that records a compaction of a session's conversation.
func (r *Room) Compacted(session string, c Compaction) []change.Change {
	return []change.Change{change.New(Compact, session, c)}
}

// begun returns the change that starts or resumes a session. A folder that is known from a session is clean.
func (r *Room) begun(kind change.Kind, session string, payload started) change.Change {
	c := change.New(kind, session, payload).AsHot()
	for _, known := range r.sessions {
		if known.Worktree == payload.Worktree {
			c.Clean = []string{known.Worktree}
			break
		}
	}
	return c
}

// hosted returns the change that records the host of a session, none if an event has nothing new about it.
func hosted(session Session, ev event.Event) []change.Change {
	if ev.Host == "" || session.Host.told(ev) {
		return nil
	}
	return []change.Change{change.New(Hosted, ev.Session, Host{Process: ev.Host, Hook: ev.Hook}).AsHot()}
}

// Observe returns the changes that an event makes to its session.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if ev.Session == "" {
		return nil, nil
	}
	session, known := r.sessions[sessionPrefix+ev.Session]
	var changes []change.Change
	switch body := ev.Body.(type) {
	case event.SessionDeleted:
		if !known || session.Deleted {
			return nil, nil
		}
		return []change.Change{change.New(Deleted, ev.Session, struct{}{})}, nil
	case event.SessionEnded:
		if !known || !session.Live() {
			return nil, nil
		}
		return []change.Change{change.New(Ended, ev.Session, struct{}{}).Because(endReason(body)).AsHot()}, nil
	case event.SessionStarted:
		return r.observeStart(ev, body, session, known), nil
	case event.CompactionFinished:
		if !body.Recorded {
			changes = append(changes, change.New(Compact, ev.Session, Compaction{By: "host"}))
		}
	case event.MessageReceived:
		if body.Role == "user" {
			changes = append(changes, change.New(Turned, ev.Session, struct{}{}).AsHot())
		}
	}
	if session.Live() && !session.Owned() {
		changes = append(changes, hosted(session, ev)...)
	}
	if ev.ID != "" {
		changes = append(changes, change.New(Seen, ev.Session, ev.ID).AsHot())
	}
	if len(changes) == 0 && ev.At.Sub(session.UpdatedAt) >= ActiveEvery {
		changes = append(changes, change.New(Active, ev.Session, struct{}{}).AsHot())
	}
	return changes, nil
}

// endReason returns why a session ended, as its change tells.
func endReason(end event.SessionEnded) string {
	switch {
	case end.Lost:
		return processGone
	case end.Expired:
		return leaseExpired
	case end.Abandoned:
		return clientGone
	}
	return "ended"
}

// observeStart returns the changes of a start: a session begins, is resumed, or its lease is renewed.
func (r *Room) observeStart(ev event.Event, start event.SessionStarted, session Session, known bool) []change.Change {
	payload := started{
		Agent: ev.Agent, Title: start.Title, Editor: ev.Editor, Worktree: ev.Worktree, LeaseUntil: start.LeaseUntil,
	}
	switch {
	case !known || session.Deleted && start.Explicit:
		return append([]change.Change{r.begun(Started, ev.Session, payload)}, hosted(Session{}, ev)...)
	case session.Deleted:
		return nil
	case start.Resumed || !session.Live():
		payload.Lost = session.Live()
		return append([]change.Change{r.begun(Resumed, ev.Session, payload)}, hosted(session, ev)...)
	}
	if session.Owned() { // attaching does not take a session from its owner
		payload.LeaseUntil = time.Time{}
	}
	switch {
	case session.Owned() != payload.LeaseUntil.IsZero(), start.Title != "" && start.Title != session.Title:
		return []change.Change{r.begun(Resumed, ev.Session, payload)}
	case session.Owned() || !session.RenewalDue(payload.LeaseUntil):
		return nil
	}
	return []change.Change{change.New(Renewed, ev.Session, payload.LeaseUntil).AsHot()}
}

// Pause returns the change that pauses recording until a time. A zero time resumes it.
func (r *Room) Pause(until time.Time) []change.Change {
	why := "resumed"
	if !until.IsZero() {
		why = "until " + until.UTC().Format(time.RFC3339)
	}
	return []change.Change{change.New(Paused, "", until.UTC()).Because(why)}
}

// Sweep returns changes that forget the sessions that ended before a time, tombstones
// included.
func (r *Room) Sweep(before time.Time) []change.Change {
	var changes []change.Change
	for _, session := range r.List() {
		if !session.Live() && session.UpdatedAt.Before(before) {
			changes = append(changes, change.New(Swept, session.ID, struct{}{}).Because("over for too long").AsHot())
		}
	}
	return changes
}

// Fold applies a change. It notes the time of every change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows := r.foldTime(c)
	folded, err := r.foldSession(c)
	return append(rows, folded...), err
}

func (r *Room) foldSession(c change.Change) ([]change.Row, error) {
	key := sessionPrefix + c.Subject
	session, known := r.sessions[key]
	switch {
	case c.Kind == Paused:
		var until time.Time
		if err := c.Decode(&until); err != nil {
			return nil, err
		}
		return []change.Row{r.pause.Put(pauseKey, until)}, nil
	case c.Kind == Swept:
		return r.forget(key, seenPrefix+c.Subject), nil
	case c.Kind == Started || !known && c.Kind == Resumed:
		session, known = Session{ID: c.Subject, StartedAt: c.At}, true
	}
	if !known {
		return nil, nil
	}
	switch c.Kind {
	case Seen:
		return r.foldSeen(c)
	case Offered, HandedOver: // no sign of life
		err := session.foldHandover(c)
		return []change.Row{r.sessions.Put(key, session)}, err
	case Deleted:
		rows := r.forget(seenPrefix + c.Subject)
		tombstone := Session{ID: c.Subject, StartedAt: session.StartedAt, EndedAt: c.At, Deleted: true}
		return append(rows, r.touch(key, tombstone, c.At)), nil
	}
	if changed, err := session.fold(c); err != nil || !changed {
		return nil, err
	}
	return []change.Row{r.touch(key, session, c.At)}, nil
}

// fold folds a sign of life of a session into it. It reports whether the change is one.
func (s *Session) fold(c change.Change) (bool, error) {
	switch c.Kind {
	case Started, Resumed:
		return true, s.foldStart(c)
	case Active:
	case Turned:
		s.Turn++
	case Compact:
		s.Compactions++
		s.CompactedAt = c.At
	case Renewed:
		var until time.Time
		if err := c.Decode(&until); err != nil || !s.Live() || s.Owned() {
			return false, err
		}
		if until.After(s.LeaseUntil) {
			s.LeaseUntil = until
		}
	case Hosted:
		var host Host
		if err := c.Decode(&host); err != nil {
			return false, err
		}
		former := s.Host
		host.Stays = former != nil && former.Process == host.Process && (former.Stays || former.Hook != host.Hook)
		s.Host = &host
	case Ended:
		s.LeftAt, s.WasLost = c.At, c.Reason == clientGone
		if c.Reason == processGone || c.Reason == leaseExpired {
			s.LeftAt, s.WasLost = s.UpdatedAt, true
		}
		s.EndedAt, s.LeaseUntil = c.At, time.Time{}
	default:
		return false, nil
	}
	return true, nil
}

// foldStart folds that a session was started, resumed or attached to, or got another owner or title.
func (s *Session) foldStart(c change.Change) error {
	var payload started
	if err := c.Decode(&payload); err != nil {
		return err
	}
	if payload.Lost {
		s.LeftAt, s.WasLost = s.UpdatedAt, true
	}
	if payload.Lost || !s.Live() {
		s.ResumedAt, s.ResumedTurn, s.OfferedAt = c.At, s.Turn, time.Time{}
	}
	s.EndedAt, s.Worktree, s.LeaseUntil = time.Time{}, payload.Worktree, payload.LeaseUntil
	s.Editor = payload.Editor
	s.Agent = cmp.Or(payload.Agent, s.Agent)
	s.Title = cmp.Or(payload.Title, s.Title)
	return nil
}

func (r *Room) touch(key string, session Session, at time.Time) change.Row {
	if newest := r.clock[clockKey].Newest; newest.Sub(at) > maxStep {
		at = newest // the clock may have been set back; the session is not old for it
	}
	if at.After(session.UpdatedAt) {
		session.UpdatedAt = at
	}
	return r.sessions.Put(key, session)
}

func (r *Room) foldSeen(c change.Change) ([]change.Row, error) {
	var id string
	if err := c.Decode(&id); err != nil {
		return nil, err
	}
	key := seenPrefix + c.Subject
	ids := append(slices.Clone(r.seen[key]), id)
	return []change.Row{r.seen.Put(key, ids[max(0, len(ids)-maxSeen):])}, nil
}

func (r *Room) forget(keys ...string) []change.Row {
	var rows []change.Row
	for _, key := range keys {
		rows = append(rows, r.sessions.Drop(key)...)
		rows = append(rows, r.seen.Drop(key)...)
	}
	return rows
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, row := range rows {
		switch {
		case row.Key == pauseKey:
			errs = append(errs, r.pause.Load(row))
		case row.Key == clockKey:
			errs = append(errs, r.clock.Load(row))
		case strings.HasPrefix(row.Key, sessionPrefix):
			errs = append(errs, r.sessions.Load(row))
		case strings.HasPrefix(row.Key, seenPrefix):
			errs = append(errs, r.seen.Load(row))
		}
	}
	return errors.Join(errs...)
}

// Get returns a session.
func (r *Room) Get(id string) (Session, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	session, known := r.sessions[sessionPrefix+id]
	return session, known
}

// Live reports whether a session is known and has not ended.
func (r *Room) Live(id string) bool {
	session, known := r.Get(id)
	return known && session.Live()
}

// WasHere reports whether a session of an editor or agent began in a folder before a time.
func (r *Room) WasHere(agent, worktree string, before time.Time) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.sessions {
		if s.client() == (client{agent, worktree}) && s.StartedAt.Before(before) {
			return true
		}
	}
	return false
}

// Deleted reports whether a session was deleted.
func (r *Room) Deleted(id string) bool {
	session, _ := r.Get(id)
	return session.Deleted
}

// Known returns a refusal with the reason NotFound if a session is not known.
func (r *Room) Known(id string) error {
	if _, known := r.Get(id); !known {
		return fault.Missing(id, "no session %s is known here; check the id, or begin it with wm/session/start", id)
	}
	return r.NotDeleted(id)
}

// NotDeleted returns a refusal with the reason NotFound if a session was deleted.
func (r *Room) NotDeleted(id string) error {
	if r.Deleted(id) {
		return fault.Missing(id,
			"the session %s was deleted, nothing more is kept of it; begin it anew with wm/session/start", id)
	}
	return nil
}

// Seen reports whether a session has sent an event with that id before.
func (r *Room) Seen(session, id string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Contains(r.seen[seenPrefix+session], id)
}

// SeenLast returns the latest id with a prefix of the events that a session has sent, "" if there is none.
func (r *Room) SeenLast(session, prefix string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, id := range slices.Backward(r.seen[seenPrefix+session]) {
		if strings.HasPrefix(id, prefix) {
			return id
		}
	}
	return ""
}

// PausedUntil returns the time until which recording is paused. It is zero or past if
// recording is not paused.
func (r *Room) PausedUntil() time.Time {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.pause[pauseKey]
}

// List returns all sessions, tombstones included. Live sessions come first. Within both
// groups, the latest event comes first.
func (r *Room) List() []Session {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := make([]Session, 0, len(r.sessions))
	for _, session := range r.sessions {
		list = append(list, session)
	}
	slices.SortFunc(list, func(a, b Session) int {
		if a.Live() != b.Live() {
			if a.Live() {
				return -1
			}
			return 1
		}
		if c := b.UpdatedAt.Compare(a.UpdatedAt); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list
}
