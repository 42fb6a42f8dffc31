// Package episode divides what happens in threads into episodes, and summarizes them
// (systems.md E10, E11). Its functions are pure.
package episode

import (
	"path"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/quality"
)

// An Episode is a piece of work: what happened in one or several threads between two boundaries. A
// thread is a session or a channel of a client.
type Episode struct {
	ID string `json:"id"`
	// Threads and Sessions are those in which it happened, in the order in which they joined.
	Threads  []string `json:"threads"`
	Sessions []string `json:"sessions,omitempty"`
	Agent    string   `json:"agent,omitempty"`
	// Task is the agent's own id of the task.
	Task  string    `json:"task,omitempty"`
	Begun time.Time `json:"begun"`
	Last  time.Time `json:"last"`
	// Why is the reason why it began, Ending the reason why it ended. Ended is zero while it goes on.
	Why    string    `json:"why,omitempty"`
	Ending string    `json:"ending,omitempty"`
	Ended  time.Time `json:"ended,omitzero"`
	// Explicit is true if a client named it.
	Explicit bool `json:"explicit,omitempty"`
	// Items is the number of its items, Size that of their tokens.
	Items int `json:"items"`
	Size  int `json:"size"`
	// Asked are the requests of the user, in quotations, Said is the statement of the agent that says
	// last what was done, and Decisions are statements of both.
	Asked     []Request `json:"asked,omitempty"`
	Said      string    `json:"said,omitempty"`
	Decisions []string  `json:"decisions,omitempty"`
	// Words are what the last message of the agent is about.
	Words []string `json:"words,omitempty"`
	// Changed and Read are files relative to the worktree, Runs the checks that ran.
	Changed []File `json:"changed,omitempty"`
	Read    []File `json:"read,omitempty"`
	Runs    []Run  `json:"runs,omitempty"`
	// Foreign is how many tools in a row touched only files of folders that are new to the episode.
	Foreign int `json:"foreign,omitempty"`
	// Told is what the latest summary covers.
	Told Told `json:"told,omitzero"`
}

// A Request is what the user asked for, and the number of items until the next one.
type Request struct {
	Text  string `json:"text"`
	Items int    `json:"items,omitempty"`
}

// A Told is what a summary covers: so many items with so many tokens. Summary is the id of the item
// with its text, "" if there is none.
type Told struct {
	Items   int    `json:"items,omitempty"`
	Size    int    `json:"size,omitempty"`
	Summary string `json:"summary,omitempty"`
	Closed  bool   `json:"closed,omitempty"` // of an episode that had ended
}

// A File is a file and how often it was touched.
type File struct {
	Path  string `json:"path"`
	Times int    `json:"times"`
}

// A Run is a check, such as "go test", and what came of it.
type Run struct {
	Name   string `json:"name"`
	Times  int    `json:"times"`
	Failed int    `json:"failed,omitempty"`
	// LastFailed is true if the last one failed, and Error says how one failed last.
	LastFailed bool   `json:"lastFailed,omitempty"`
	Error      string `json:"error,omitempty"`
}

// A Step is what one or several events add to an episode.
type Step struct {
	// At is when the last of them happened, From the first, if it was earlier.
	At      time.Time `json:"at"`
	From    time.Time `json:"from,omitzero"`
	Thread  string    `json:"thread"`
	Session string    `json:"session,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Task    string    `json:"task,omitempty"`
	// Why is the reason of the first step, Explicit is true if a client named the episode.
	Why      string `json:"why,omitempty"`
	Explicit bool   `json:"explicit,omitempty"`
	Items    int    `json:"items,omitempty"`
	Size     int    `json:"size,omitempty"`

	Asked     []string `json:"asked,omitempty"`
	Said      string   `json:"said,omitempty"`
	Decisions []string `json:"decisions,omitempty"`
	Words     []string `json:"words,omitempty"`
	Changed   []string `json:"changed,omitempty"`
	Read      []string `json:"read,omitempty"`
	Runs      []Run    `json:"runs,omitempty"` // with Times 1
	Foreign   int      `json:"foreign,omitempty"`
}

// And returns both steps as one. The other one is later.
func (s Step) And(other Step) Step {
	if s.From.IsZero() {
		s.From = s.At
	}
	s.At = later(s.At, other.At)
	s.Items, s.Size = s.Items+other.Items, s.Size+other.Size
	s.Asked, s.Decisions = append(s.Asked, other.Asked...), append(s.Decisions, other.Decisions...)
	s.Changed, s.Read = append(s.Changed, other.Changed...), append(s.Read, other.Read...)
	s.Runs = append(s.Runs, other.Runs...)
	if other.Said != "" {
		s.Said = other.Said
	}
	if len(other.Words) > 0 {
		s.Words = other.Words
	}
	if s.Task == "" {
		s.Task = other.Task
	}
	s.Foreign = other.Foreign
	return s
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Limits of what is kept of an episode.
const (
	maxAsked     = 12
	maxDecisions = 8
	maxFiles     = 40
	maxRuns      = 12
	maxThreads   = 20
)

// With returns the episode after a step. An episode that had ended goes on.
func (e Episode) With(s Step) Episode {
	if e.Begun.IsZero() {
		e.Begun, e.Why, e.Explicit = s.At, s.Why, s.Explicit
		if !s.From.IsZero() {
			e.Begun = s.From
		}
	}
	e.Last = later(e.Last, s.At)
	e.Ended, e.Ending, e.Told.Closed = time.Time{}, "", false
	e.Threads = joined(e.Threads, maxThreads, s.Thread)
	e.Sessions = joined(e.Sessions, maxThreads, s.Session)
	if e.Agent == "" {
		e.Agent = s.Agent
	}
	if e.Task == "" {
		e.Task = s.Task
	}
	e.Items, e.Size = e.Items+s.Items, e.Size+s.Size
	e.Asked = requested(e.Asked, s)
	if all := joined(e.Decisions, maxDecisions+len(s.Decisions), s.Decisions...); len(all) > maxDecisions {
		e.Decisions = all[len(all)-maxDecisions:]
	} else {
		e.Decisions = all
	}
	if s.Said != "" {
		e.Said = s.Said
	}
	if len(s.Words) > 0 {
		e.Words = s.Words
	}
	e.Changed, e.Read = counted(e.Changed, s.Changed), counted(e.Read, s.Read)
	e.Runs = ran(e.Runs, s.Runs)
	e.Foreign = s.Foreign
	return e
}

// requested returns requests after a step. The first ones stay: they say what it is about.
func requested(asked []Request, s Step) []Request {
	asked = slices.Clone(asked)
	for _, text := range s.Asked {
		if !slices.ContainsFunc(asked, func(r Request) bool { return r.Text == text }) {
			asked = append(asked, Request{Text: text})
		}
	}
	if len(asked) > maxAsked {
		asked = slices.Delete(asked, maxAsked/2, maxAsked/2+len(asked)-maxAsked)
	}
	if len(asked) > 0 {
		asked[len(asked)-1].Items += s.Items
	}
	return asked
}

// joined returns a new list with what it lacks of others, up to a limit.
func joined(list []string, limit int, others ...string) []string {
	list = slices.Clone(list)
	for _, other := range others {
		if other != "" && len(list) < limit && !slices.Contains(list, other) {
			list = append(list, other)
		}
	}
	return list
}

func counted(files []File, paths []string) []File {
	files = slices.Clone(files)
	for _, one := range paths {
		i := slices.IndexFunc(files, func(f File) bool { return f.Path == one })
		switch {
		case i >= 0:
			files[i].Times++
		case len(files) < maxFiles:
			files = append(files, File{one, 1})
		}
	}
	return files
}

func ran(runs, further []Run) []Run {
	runs = slices.Clone(runs)
	for _, run := range further {
		i := slices.IndexFunc(runs, func(r Run) bool { return r.Name == run.Name })
		if i < 0 {
			if len(runs) < maxRuns {
				runs = append(runs, run)
			}
			continue
		}
		known := &runs[i]
		known.Times, known.Failed, known.LastFailed = known.Times+run.Times, known.Failed+run.Failed, run.LastFailed
		if run.Error != "" {
			known.Error = run.Error
		}
	}
	return runs
}

// IsOpen reports whether the episode has not ended.
func (e Episode) IsOpen() bool { return e.Ended.IsZero() }

// In reports whether the episode happens in a thread.
func (e Episode) In(thread string) bool { return slices.Contains(e.Threads, thread) }

// Bounds are when an episode ends by itself.
type Bounds struct {
	// Gap is the time without anything after which a request that is about something else, or that
	// cannot be compared, begins another episode. After PauseFactor times as much every event does.
	Gap time.Duration
}

// PauseFactor is how many times as long as a gap a pause is that always ends an episode.
const PauseFactor = 16

const (
	// minWork is the number of items from which an episode has work that another request leaves.
	minWork = 3
	// maxForeign is the number of tools in a row, in folders that are new to an episode, with which
	// another one has begun, if nobody says what the work is. minKnown is the number of files from
	// which the folders of an episode are known.
	maxForeign = 6
	minKnown   = 3
)

// A Prompt is a message of the user.
type Prompt struct {
	// Text is the message, Task what it asks for, as a quotation, "" if it says nothing by itself.
	Text, Task string
}

// Ends returns why an event does not belong to an episode any more, or "". prompt is nil if it is no
// message of the user.
func (b Bounds) Ends(e Episode, s Step, prompt *Prompt) string {
	pause := s.At.Sub(e.Last)
	if early := e.Begun.Sub(s.At); early > pause { // what is told later may have happened before
		pause = early
	}
	switch {
	case s.Task != "" && e.Task != "" && s.Task != e.Task:
		return "another task"
	case pause > PauseFactor*b.Gap:
		return "a gap of " + lasted(pause)
	case prompt == nil && pause > b.Gap && len(e.Asked) == 0:
		return "a gap of " + lasted(pause)
	case prompt != nil && (e.Items >= minWork || pause > b.Gap) && e.isLeft(*prompt, pause, b.Gap):
		if pause > b.Gap {
			return "a gap of " + lasted(pause) + " and another topic"
		}
		return "another topic"
	case prompt == nil && len(e.Asked) == 0 && s.Foreign >= maxForeign:
		return "other files"
	}
	return ""
}

const (
	// minTopic is the number of words from which a prompt that follows soon says what it is about.
	minTopic = 4
	// A prompt is about something else if it shares less than such a part of its words with the
	// episode: one that follows soon, one after a third of a gap, and one after a gap.
	sharedSoon, sharedLater, sharedAfterGap = 0.15, 0.25, 0.35
)

// isLeft reports whether a prompt is about something else than the episode. One that says nothing by
// itself, or that follows soon and begins as what goes on does, is a remark on what was before.
func (e Episode) isLeft(prompt Prompt, pause, gap time.Duration) bool {
	if prompt.Task == "" || resumed.MatchString(prompt.Text) {
		return false
	}
	own := quality.TopicOf(prompt.Text)
	least := sharedAfterGap
	switch {
	case pause > gap:
	case len(own) < minTopic || goesOn.MatchString(prompt.Task):
		return false
	case pause > gap/3:
		least = sharedLater
	default:
		least = sharedSoon
	}
	return e.shared(own) < least
}

// shared returns the part of the words of a topic that the episode is about.
func (e Episode) shared(own quality.Topic) float64 {
	if len(own) == 0 {
		return 1
	}
	about := quality.TopicOf(append([]string{e.Said}, e.Decisions...)...)
	for _, request := range e.Asked {
		about.Add(request.Text)
	}
	for _, files := range [][]File{e.Changed, e.Read} {
		for _, file := range files {
			about.Add(path.Base(file.Path))
		}
	}
	for _, word := range e.Words {
		about[word]++
	}
	shared := 0
	for word := range own {
		if about[word] > 0 {
			shared++
		}
	}
	return float64(shared) / float64(len(own))
}

// goesOn matches the beginnings of messages about what was said before.
var goesOn = once.Compile(`(?i)^\W*(?:but|and|or|so|also|then|too|instead|still|again|however|what about|how about|` +
	`why|because|it|its|it's|this|that|these|those|they|there|here|he|she|i|you|same|both|yes|no|yeah|ok|okay|sure|` +
	`maybe|` +
	`(?:can|could|should|would|do|does|did|is|are|was|were|will) (?:we|you|it|this|that|these|those|there|they|i)|` +
	`(?:quick )?follow[- ]?up|quick question|one (?:last|more|other)|another|\d|option|und|aber|oder|et|mais|y|pero)\b`)

// ForeignAfter returns Step.Foreign for an event that touched files.
func (e Episode) ForeignAfter(files []string) int {
	if len(files) == 0 {
		return e.Foreign
	}
	if len(e.Changed)+len(e.Read) < minKnown {
		return 0
	}
	for _, file := range files {
		for _, known := range slices.Concat(e.Changed, e.Read) {
			if path.Dir(known.Path) == path.Dir(file) {
				return 0
			}
		}
	}
	return e.Foreign + 1
}

// resumed matches messages with which work is taken up again that was begun elsewhere.
var resumed = once.Compile(`(?i)^\W*(?:(?:please|ok|okay|let's|bitte)\W+)?(?:(?:continue|resume|go on|carry on|` +
	`keep going|pick up|mach weiter|weiter)\b|(?:this|the) session is being continued from a previous conversation)`)

// maxResume is the time after which work is not taken up in another thread any more, except by the
// same task.
const (
	maxResume = 24 * time.Hour
	maxTask   = 7 * 24 * time.Hour
)

// Joins reports whether what begins in another thread goes on with an episode: it has the same task,
// the same request, or takes the work up again.
func (e Episode) Joins(s Step, prompt *Prompt) bool {
	since := s.At.Sub(e.Last)
	switch {
	case since < 0 && e.Begun.After(s.At):
		return false
	case s.Task != "" && s.Task == e.Task:
		return since <= maxTask
	case prompt == nil || since > maxResume || s.Task != "" && e.Task != "":
		return false
	case prompt.Task != "" && slices.ContainsFunc(e.Asked, func(r Request) bool { return r.Text == prompt.Task }):
		return true
	}
	return resumed.MatchString(prompt.Text)
}
