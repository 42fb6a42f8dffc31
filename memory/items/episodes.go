package items

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/items/episode"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// EpisodeNoun is the noun of the changes of episodes.
const EpisodeNoun = "episode"

// The kinds of changes of episodes. The subject is the id of the episode. Episodes that go on, or that
// ended lately, are the state of the room; all that have a record are rows of a table.
const (
	// EpisodeBegun means that an episode begins or is taken up again, EpisodeContinued that more
	// happened in it. The payload is an episode.Step.
	EpisodeBegun     change.Kind = "episode.begun"
	EpisodeContinued change.Kind = "episode.continued"
	// EpisodeEnded means that it ended. The payload is an ending.
	EpisodeEnded change.Kind = "episode.ended"
	// EpisodeTold means that its line was written, and a summary if it was worth it. The payload is a
	// Record.
	EpisodeTold change.Kind = "episode.told"
)

type ending struct {
	At  time.Time `json:"at"`
	Why string    `json:"why"`
}

// maxKnown is the maximum number of episodes in the state. Above it those that ended first go.
const maxKnown = 100

// Fold applies a change of an episode. Items are not held in memory.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	if c.Kind.Noun() != EpisodeNoun {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known, there := r.episodes[c.Subject]
	switch c.Kind {
	case EpisodeBegun, EpisodeContinued:
		var step episode.Step
		if err := c.Decode(&step); err != nil {
			return nil, err
		}
		known.ID = c.Subject
		rows := []change.Row{r.episodes.Put(c.Subject, known.With(step))}
		if c.Kind == EpisodeBegun {
			rows = append(rows, r.forgetOldest()...)
		}
		return rows, nil
	case EpisodeEnded:
		var end ending
		if err := c.Decode(&end); err != nil || !there {
			return nil, err
		}
		known.Ended, known.Ending = end.At, end.Why
		return []change.Row{r.episodes.Put(c.Subject, known)}, nil
	case EpisodeTold:
		var record Record
		if err := c.Decode(&record); err != nil || !there {
			return nil, err
		}
		known.Told = record.Told
		return []change.Row{r.episodes.Put(c.Subject, known)}, nil
	}
	return nil, nil
}

// forgetOldest drops episodes over the limit: those with a record first, then those that ended.
func (r *Room) forgetOldest() []change.Row {
	var rows []change.Row
	for len(r.episodes) > maxKnown {
		ids := slices.SortedFunc(maps.Keys(r.episodes), func(a, b string) int {
			x, y := r.episodes[a], r.episodes[b]
			return cmp.Or(cmp.Compare(stage(x), stage(y)), x.Last.Compare(y.Last), cmp.Compare(a, b))
		})
		row, _ := r.episodes.Delete(ids[0])
		rows = append(rows, row)
	}
	return rows
}

func stage(e episode.Episode) int {
	switch {
	case e.IsOpen():
		return 3
	case !e.Told.Closed:
		return 2
	case len(e.Sessions) > 1: // see forsaken
		return 1
	}
	return 0
}

// Load sets rows of episodes.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.episodes.LoadAll(rows)
}

// forsaken returns the changes that evict the summaries of episodes in which a session was that is
// deleted. The summary of an episode of several sessions belongs to the first of them.
func (r *Room) forsaken(session string) []change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var changes []change.Change
	for _, id := range slices.Sorted(maps.Keys(r.episodes)) {
		if e := r.episodes[id]; e.Told.Summary != "" && slices.Contains(e.Sessions, session) {
			changes = append(changes,
				change.New(Evicted, e.Told.Summary, struct{}{}).Because("a session of its episode was deleted"))
		}
	}
	return changes
}

// EndSession returns the changes that end the episodes of a session, unless another live session goes
// on with them.
func (r *Room) EndSession(session string) []change.Change {
	return r.EndEpisodes(session, "the session ended")
}

// EndEpisodes returns the changes that end the episodes in which a session is, unless another live
// session goes on with them.
func (r *Room) EndEpisodes(session, why string) []change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var changes []change.Change
	for _, id := range slices.Sorted(maps.Keys(r.episodes)) {
		e := r.episodes[id]
		others := slices.ContainsFunc(e.Sessions, func(s string) bool { return s != session && r.env.Live(s) })
		if e.IsOpen() && slices.Contains(e.Sessions, session) && !others {
			changes = append(changes, ended(id, ending{r.env.Now(), why}))
		}
	}
	return changes
}

func ended(id string, end ending) change.Change {
	return change.New(EpisodeEnded, id, end).Because(end.Why).AsHot()
}

// ForgetSession drops the episodes of a session.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	var rows []change.Row
	for _, id := range slices.Sorted(maps.Keys(r.episodes)) {
		if slices.Contains(r.episodes[id].Sessions, session) {
			row, _ := r.episodes.Delete(id)
			rows = append(rows, row)
		}
	}
	return rows
}

// Episodes returns the episodes that go on or ended lately, by the time when they began.
func (r *Room) Episodes() []episode.Episode {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.SortedFunc(maps.Values(r.episodes), func(a, b episode.Episode) int {
		return cmp.Or(a.Begun.Compare(b.Begun), cmp.Compare(a.ID, b.ID))
	})
}

// A tracker finds the episodes of some events in a row.
type tracker struct {
	bounds  episode.Bounds
	newID   func() string
	known   map[string]episode.Episode
	current map[string]string // the id of the open episode by thread

	tracked []tracked
	last    map[trackedKey]int // the place in tracked
	ended   map[string]ending
}

// A tracked is what some events of a session in a thread add to an episode.
type tracked struct {
	id    string
	begun bool // it begins, or is taken up again
	step  episode.Step
}

type trackedKey struct{ id, thread, session string }

// tracker returns a tracker of the newest state.
func (r *Room) tracker() *tracker {
	r.mu.RLock()
	defer r.mu.RUnlock()
	t := &tracker{
		bounds: episode.Bounds{Gap: r.env.Settings().Items.EpisodeGap()}, newID: r.env.NewID,
		known: maps.Clone(r.episodes), current: map[string]string{}, last: map[trackedKey]int{},
		ended: map[string]ending{},
	}
	for id, e := range t.known {
		for _, thread := range e.Threads {
			former, there := t.known[t.current[thread]]
			if e.IsOpen() && (!there || cmp.Or(e.Last.Compare(former.Last), cmp.Compare(id, former.ID)) > 0) {
				t.current[thread] = id
			}
		}
	}
	return t
}

// open returns the open episode of a thread.
func (t *tracker) open(thread string) (episode.Episode, bool) {
	e, there := t.known[t.current[thread]]
	return e, there
}

// leaveNamed makes a thread leave an episode that a client named: what names none is of another one.
func (t *tracker) leaveNamed(thread string) {
	if open, there := t.open(thread); there && open.Explicit {
		delete(t.current, thread)
	}
}

// place returns the id of the episode of an event: named if a client named it, else the open one of
// its thread, one of another thread that it joins, or a new one. prompt is nil if the event is no
// message of the user.
func (t *tracker) place(named string, s episode.Step, prompt *episode.Prompt) string {
	open, there := t.open(s.Thread)
	touched := slices.Concat(s.Changed, s.Read)
	if there {
		s.Foreign = open.ForeignAfter(touched)
	}
	if named != "" {
		if there && open.ID != named && !open.Explicit {
			t.end(open.ID, s.At, "the client named another")
		}
		s.Explicit, s.Why = true, "named by the client"
		return t.add(named, s)
	}
	why := "the thread began"
	if there {
		if why = t.bounds.Ends(open, s, prompt); why == "" {
			return t.add(open.ID, s)
		}
		t.end(open.ID, s.At, why)
		s.Foreign = 0
	}
	s.Why = why
	if joined, is := t.joined(open.ID, s, prompt); is {
		return t.add(joined, s)
	}
	return t.add(t.newID(), s)
}

// joined returns the latest episode that an event goes on with, but for the one that it has ended.
func (t *tracker) joined(left string, s episode.Step, prompt *episode.Prompt) (id string, is bool) {
	var latest episode.Episode
	for _, e := range t.known {
		if e.ID != left && !e.Explicit && e.Joins(s, prompt) &&
			cmp.Or(e.Last.Compare(latest.Last), cmp.Compare(e.ID, latest.ID)) > 0 {
			latest = e
		}
	}
	return latest.ID, latest.ID != ""
}

func (t *tracker) add(id string, s episode.Step) string {
	e, there := t.known[id]
	e.ID = id
	key := trackedKey{id, s.Thread, s.Session}
	if i, again := t.last[key]; again {
		t.tracked[i].step = t.tracked[i].step.And(s)
	} else {
		t.last[key] = len(t.tracked)
		t.tracked = append(t.tracked, tracked{id, !there || !e.IsOpen(), s})
	}
	delete(t.ended, id)
	t.known[id], t.current[s.Thread] = e.With(s), id
	return id
}

func (t *tracker) end(id string, at time.Time, why string) {
	e := t.known[id]
	if at.Before(e.Last) { // what is told now happened long before
		at = e.Last
	}
	e.Ended, e.Ending = at, why
	t.known[id] = e
	t.ended[id] = ending{at, why}
	for thread, current := range t.current {
		if current == id {
			delete(t.current, thread)
		}
	}
}

// changes returns what was found.
func (t *tracker) changes() []change.Change {
	var changes []change.Change
	for _, one := range t.tracked {
		kind := EpisodeContinued
		if one.begun {
			kind = EpisodeBegun
		}
		changes = append(changes, change.New(kind, one.id, one.step).Because(one.step.Why).AsHot())
	}
	for _, id := range slices.Sorted(maps.Keys(t.ended)) {
		changes = append(changes, ended(id, t.ended[id]))
	}
	return changes
}

// stepOf returns what an event adds to an episode besides its item.
func stepOf(ev event.Event) episode.Step {
	return episode.Step{At: ev.At.UTC().Truncate(time.Millisecond), Thread: ev.Session, Session: ev.Session,
		Agent: ev.Agent, Task: ev.Task}
}

// heard completes a step with what a message says, and returns the prompt if it is one.
func (t *tracker) heard(s *episode.Step, role, text, task string) *episode.Prompt {
	said := summary.Of([]summary.Message{{Role: role, Text: text, At: s.At}}, summary.Facts{})
	for _, decision := range said.Decisions {
		s.Decisions = append(s.Decisions, shorten.Bytes(decision, maxQuote))
	}
	switch role {
	case history.User:
		if task != "" {
			s.Asked = []string{task}
		}
		return &episode.Prompt{Text: text, Task: task}
	case history.Assistant:
		s.Said, s.Words = statement(text), wordsOf(text)
	}
	return nil
}

// maxQuote is the maximum length of a statement that is kept of an episode, in bytes.
const maxQuote = 240

// announces matches sentences that say what is done next, or nothing of the work, achieves those that
// say what was done or found.
var (
	announces = once.Compile(`(?i)^\W*(?:let me|let's|let us|i'll|i will|i'm going|i need|i should|i want|i can see|` +
		`i see|now|next|first|first,|wait|looking|great|good|perfect|excellent|sure|okay|ok|you're right|` +
		`you are right|do you want|would you like|should i|shall i)\b`)
	achieves = once.Compile(`(?i)\b(?:fixed|fixes|added|adds|implemented|complete|completed|done|passes|passed|pass|` +
		`works|working|changed|renamed|removed|refactored|moved|created|updated|replaced|committed|confirmed|` +
		`confirms|found|caused|cause|because|resolved|resolves|succeeded|the (?:issue|problem|` +
		`bug|reason|fix) (?:is|was))\b`)
)

// statement returns the first sentence of a message of an agent that says what was done or found, ""
// if there is none.
func statement(text string) string {
	const fewWords, manyWords = 5, 45
	for _, sentences := range request.Speech(text) {
		for _, sentence := range sentences {
			flat := strings.ReplaceAll(shorten.Line(sentence), "**", "")
			words := len(strings.Fields(flat))
			if words >= fewWords && words <= manyWords && achieves.MatchString(flat) &&
				!announces.MatchString(flat) && !strings.HasSuffix(flat, ":") && !strings.HasSuffix(flat, "?") {
				return shorten.Bytes(flat, maxQuote)
			}
		}
	}
	return ""
}

// maxWords is the number of words that are kept of a message, maxHead the bytes in which they are
// looked for.
const (
	maxWords = 60
	maxHead  = 2000
)

func wordsOf(text string) []string {
	words := slices.Sorted(maps.Keys(quality.TopicOf(shorten.Bytes(text, maxHead))))
	return words[:min(maxWords, len(words))]
}

// checksOf returns the checks of a command: tests, builds, linters.
func checksOf(run *tool.Run, failed bool) []episode.Run {
	var runs []episode.Run
	for _, step := range run.Command.Steps {
		name := step.Tool
		if step.Category == command.Runtime {
			if name = scriptName(step.Script); !strings.Contains(name, "test") {
				continue
			}
		}
		if step.Category == "" || name == "" {
			continue
		}
		if step.Category != command.Runtime && step.Script != "" && !strings.ContainsAny(step.Script, "/.:") &&
			!strings.HasSuffix(name, " "+step.Script) {
			name += " " + step.Script // of a task runner
		}
		check := episode.Run{Name: shorten.Bytes(name, maxLabel), Times: 1, LastFailed: failed}
		if failed {
			check.Failed = 1
			if failures := run.Failures(); len(failures) > 0 {
				check.Error = shorten.Bytes(shorten.Line(failures[0].Summary), maxQuote)
			}
		}
		runs = append(runs, check)
	}
	return runs
}

func scriptName(script string) string {
	if strings.HasPrefix(script, "inline:") {
		return ""
	}
	return script[strings.LastIndexByte(script, '/')+1:]
}
