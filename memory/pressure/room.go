// Package pressure is the room of how full an agent's context is: the latest
// report of each session, as a level and as a hint, and the course of the
// reports (systems.md A10, C2).
package pressure

import (
	"cmp"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Reported is the change of the room. Its subject is the session.
const Reported change.Kind = "pressure.reported"

// A Level says how full a context is (systems.md A10).
type Level string

// The levels. The settings say from which percentages they hold.
const (
	Safe     Level = "safe"
	Moderate Level = "moderate"
	High     Level = "high"
	Critical Level = "critical"
)

// A Hint says how hard to compress (systems.md C2).
type Hint string

// The hints. The settings say from which part of the context they hold.
const (
	Normal    Hint = "normal"
	Light     Hint = "light_compression"
	Medium    Hint = "medium_compression"
	Heavy     Hint = "heavy_compression"
	Emergency Hint = "emergency_compression"
)

// Advice says what to compress at a hint (systems.md C2); nothing while there is
// room.
func (h Hint) Advice() string {
	switch h {
	case Light:
		return "drop outputs of tools that are done with"
	case Medium:
		return "shorten outputs of tools, and what is resolved of the conversation"
	case Heavy:
		return "bring overview.md up to date and archive all but the last turns"
	case Emergency:
		return "keep the task, the next step and the decisions in overview.md, and archive everything but the active turn"
	}
	return ""
}

// A Point is one report of the past.
type Point struct {
	At         time.Time `json:"at"`
	Percentage float64   `json:"percentage"`
}

// A Pressure is what the latest report of a session says.
type Pressure struct {
	Used  int    `json:"used"`
	Limit int    `json:"limit"` // 0 if nothing was reported yet
	Unit  string `json:"unit"`  // chars or tokens
	// Messages is how many messages the host has in its history, 0 if not known.
	Messages int `json:"messages,omitempty"`
	// LastChecked is when it was reported.
	LastChecked time.Time `json:"lastChecked"`
	// Critical is the percentage from which it was critical when it was reported.
	Critical int `json:"critical,omitempty"`
	// Interventions is how often the level became critical.
	Interventions int     `json:"interventions"`
	History       []Point `json:"history"` // oldest first, with the latest
}

// part is used / limit; it may be more than 1.
func (p Pressure) part() float64 {
	if p.Limit == 0 {
		return 0
	}
	return float64(p.Used) / float64(p.Limit)
}

// Percentage is 100 × used / limit; it may be more than 100.
func (p Pressure) Percentage() float64 {
	if p.Limit == 0 {
		return 0
	}
	return 100 * float64(p.Used) / float64(p.Limit)
}

// Level is the level of the percentage; the bounds belong to the higher one.
func (p Pressure) Level(bounds settings.Pressure) Level {
	switch full := p.Percentage(); {
	case full >= float64(bounds.Critical):
		return Critical
	case full >= float64(bounds.High):
		return High
	case full >= float64(bounds.Moderate):
		return Moderate
	}
	return Safe
}

// Hint is the hint of the part that is used; the bounds belong to the higher one.
func (p Pressure) Hint(bounds settings.Compact) Hint {
	switch full := p.part(); {
	case full >= bounds.Emergency:
		return Emergency
	case full >= bounds.Heavy:
		return Heavy
	case full >= bounds.Medium:
		return Medium
	case full >= bounds.Light:
		return Light
	}
	return Normal
}

// oldCritical holds for reports that do not say from where it is critical.
const oldCritical = 95

// wasCritical reports whether the level was critical when it was reported.
func (p Pressure) wasCritical() bool {
	return p.Percentage() >= float64(cmp.Or(p.Critical, oldCritical))
}

// maxHistory is how many reports of a session are remembered.
const maxHistory = 100

// Options are what the room needs to know from outside.
type Options struct{ Settings func() *settings.Settings }

// A Room is the pressure of every session. It is safe for concurrent use.
type Room struct {
	Options

	mu       sync.RWMutex
	sessions change.Table[Pressure]
}

// New returns an empty room.
func New(options Options) *Room { return &Room{Options: options, sessions: change.Table[Pressure]{}} }

// Name names the rows of the room.
func (r *Room) Name() string { return "pressure" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{Name: "pressure", Panel: []string{"budget"}, Context: []string{"pressure", "meta"}}}
}

// report is the payload of Reported. It says from where it is critical, because
// a change means the same whatever the settings become.
type report struct {
	Used     int    `json:"used"`
	Limit    int    `json:"limit"`
	Unit     string `json:"unit"`
	Messages int    `json:"messages,omitempty"`
	Critical int    `json:"critical,omitempty"`
}

// Observe answers what a report of usage means.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	body, reported := ev.Body.(event.UsageReported)
	if !reported || ev.Session == "" {
		return nil, nil
	}
	now := report{Used: body.Used, Limit: body.Limit, Unit: body.Unit, Messages: body.Messages, Critical: r.Settings().Pressure.Critical}
	return []change.Change{change.New(Reported, ev.Session, now)}, nil
}

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case Reported:
		var now report
		if err := c.Decode(&now); err != nil {
			return nil, err
		}
		p := r.sessions[c.Subject]
		before := p.wasCritical()
		p.Used, p.Limit, p.Unit, p.Messages, p.Critical, p.LastChecked = now.Used, now.Limit, now.Unit, now.Messages, now.Critical, c.At
		if p.wasCritical() && !before {
			p.Interventions++
		}
		p.History = append(p.History[:len(p.History):len(p.History)], Point{c.At, p.Percentage()})
		p.History = p.History[max(0, len(p.History)-maxHistory):]
		return []change.Row{r.sessions.Put(c.Subject, p)}, nil
	}
	return nil, nil
}

// EndSession returns nothing: a resumed session goes on from its last report.
func (r *Room) EndSession(string) []change.Change { return nil }

// ForgetSession drops what is kept of a session.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions.Drop(session)
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions.LoadAll(rows)
}

// Of returns the pressure of a session, with a limit of 0 if none was reported.
func (r *Room) Of(session string) Pressure {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sessions[session]
}
