// Package pressure is the room of how full the contexts of agents are. It keeps the
// latest report of each session and a history of reports (systems.md A10, C2).
package pressure

import (
	"cmp"
	"math"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// The kinds of the changes of this room. The subject is the session.
const (
	Reported change.Kind = "pressure.reported"
	Outdated change.Kind = "pressure.outdated"
)

// A Level is how full a context is (systems.md A10).
type Level string

// The levels. The settings hold the percentage at which each begins.
const (
	Safe     Level = "safe"
	Moderate Level = "moderate"
	High     Level = "high"
	Critical Level = "critical"
)

// A Hint is how much to compress (systems.md C2).
type Hint string

// The hints. The settings hold the part of the context at which each begins.
const (
	Normal    Hint = "normal"
	Light     Hint = "light_compression"
	Medium    Hint = "medium_compression"
	Heavy     Hint = "heavy_compression"
	Emergency Hint = "emergency_compression"
)

// Advice returns what to compress at a hint (systems.md C2), "" for Normal.
func (h Hint) Advice() string {
	switch h {
	case Light:
		return "drop outputs of tools that are done with"
	case Medium:
		return "archive old discussion to detail/, and shorten outputs of tools"
	case Heavy:
		return "keep the decisions and the task in overview.md, and archive the rest but the last turns to detail/"
	case Emergency:
		return "keep the decisions, the task and the next step in overview.md, and archive the rest but the last " +
			"turns to detail/ now"
	}
	return ""
}

// A Point is one report of the history.
type Point struct {
	At         time.Time `json:"at"`
	Percentage float64   `json:"percentage"`
}

// A Pressure is the latest report of a session.
type Pressure struct {
	Used  int    `json:"used"`
	Limit int    `json:"limit"` // 0 if nothing was reported yet
	Unit  string `json:"unit"`  // chars or tokens
	// Messages is the number of messages in the host's history, 0 if unknown.
	Messages int `json:"messages,omitempty"`
	// Split is what of it the host knows.
	Split event.Split `json:"split,omitzero"`
	// LastChecked is the time of the report.
	LastChecked time.Time `json:"lastChecked"`
	// Critical is the percentage at which Critical began at the time of the report.
	Critical int `json:"critical,omitempty"`
	// LevelThen and HintThen are those at the time of the report, Safe and Normal once it is outdated.
	// Changed is true if one of them was another one at the report before.
	LevelThen Level `json:"level,omitempty"`
	HintThen  Hint  `json:"hint,omitempty"`
	Changed   bool  `json:"changed,omitempty"`
	// Outdated is true if the host has compacted the conversation since: how full the context is now is
	// unknown.
	Outdated bool `json:"outdated,omitempty"`
	// Interventions counts how often the level became Critical.
	Interventions int     `json:"interventions"`
	History       []Point `json:"history"` // oldest first, with the latest
}

// part returns used / limit, which may be more than 1.
func (p Pressure) part() float64 {
	if p.Limit == 0 {
		return 0
	}
	return float64(p.Used) / float64(p.Limit)
}

// Percentage returns 100 × used / limit, which may be more than 100.
func (p Pressure) Percentage() float64 {
	if p.Limit == 0 {
		return 0
	}
	return 100 * float64(p.Used) / float64(p.Limit)
}

// Percent returns the percentage as a whole number that is not higher, so that no bound is
// named before it is reached.
func (p Pressure) Percent() int { return int(math.Floor(p.Percentage())) }

// IsKnown reports whether the latest report still tells how full the context is.
func (p Pressure) IsKnown() bool { return p.Limit > 0 && !p.Outdated }

// IsNews reports whether the reader of a context has to be told: the latest report is true, and it
// changed the level or the hint, or the level is Moderate or more.
func (p Pressure) IsNews(bounds settings.Pressure) bool {
	return p.IsKnown() && (p.Changed || p.Level(bounds) != Safe)
}

// Level returns the level of the percentage. A bound belongs to the higher level.
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

// Hint returns the hint of the used part. A bound belongs to the higher hint.
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

// oldCritical is the value of Critical for reports of older versions, which lack it.
const oldCritical = 95

// wasCritical reports whether the level was Critical at the time of the report.
func (p Pressure) wasCritical() bool {
	return p.Percentage() >= float64(cmp.Or(p.Critical, oldCritical))
}

// maxHistory is how many reports are kept per session.
const maxHistory = 100

// Room holds the pressure of all sessions. It is safe for concurrent use.
type Room struct {
	env room.Env

	mu       sync.RWMutex
	sessions change.Table[Pressure]
}

// New returns an empty room. It uses Settings of env.
func New(env room.Env) *Room { return &Room{env: env, sessions: change.Table[Pressure]{}} }

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "pressure" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{
		Name: "pressure", Panel: []string{Section, "sessions"}, Context: []string{ContextSection, "meta"},
	}}
}

// report is the payload of Reported. It holds the bound of Critical, the level and the hint, so
// that the fold does not depend on the settings.
type report struct {
	Used     int         `json:"used"`
	Limit    int         `json:"limit"`
	Unit     string      `json:"unit"`
	Messages int         `json:"messages,omitempty"`
	Split    event.Split `json:"split,omitzero"`
	Critical int         `json:"critical,omitempty"`
	Level    Level       `json:"level,omitempty"`
	Hint     Hint        `json:"hint,omitempty"`
}

// Observe returns a change for a report of usage, and one for a compaction by the host, after which the
// latest report is untrue.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	if ev.Session == "" {
		return nil, nil
	}
	switch body := ev.Body.(type) {
	case event.UsageReported:
		return []change.Change{change.New(Reported, ev.Session, r.reported(body))}, nil
	case event.CompactionFinished:
		if !body.Recorded && r.Of(ev.Session).IsKnown() {
			return []change.Change{change.New(Outdated, ev.Session, struct{}{})}, nil
		}
	}
	return nil, nil
}

// reported returns the payload for a report of usage.
func (r *Room) reported(body event.UsageReported) report {
	now := report{
		Used: body.Used, Limit: body.Limit, Unit: body.Unit, Messages: body.Messages, Split: body.Split,
		Critical: r.env.Settings().Pressure.Critical,
	}
	p, s := Pressure{Used: now.Used, Limit: now.Limit}, r.env.Settings()
	now.Level, now.Hint = p.Level(s.Pressure), p.Hint(s.Compact)
	return now
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
		p.Used, p.Limit, p.Unit, p.Messages = now.Used, now.Limit, now.Unit, now.Messages
		p.Split, p.Critical, p.LastChecked = now.Split, now.Critical, c.At
		p.Changed = now.Level != cmp.Or(p.LevelThen, Safe) || now.Hint != cmp.Or(p.HintThen, Normal)
		p.LevelThen, p.HintThen, p.Outdated = now.Level, now.Hint, false
		if p.wasCritical() && !before {
			p.Interventions++
		}
		p.History = append(p.History[:len(p.History):len(p.History)], Point{c.At, p.Percentage()})
		p.History = p.History[max(0, len(p.History)-maxHistory):]
		return []change.Row{r.sessions.Put(c.Subject, p)}, nil
	case Outdated:
		p := r.sessions[c.Subject]
		p.Outdated, p.LevelThen, p.HintThen = true, Safe, Normal
		return []change.Row{r.sessions.Put(c.Subject, p)}, nil
	}
	return nil, nil
}

// EndSession returns nothing: a resumed session keeps its last report.
func (r *Room) EndSession(string) []change.Change { return nil }

// ForgetSession drops the state of a session.
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

// Of returns the pressure of a session. Its Limit is 0 if none was reported.
func (r *Room) Of(session string) Pressure {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sessions[session]
}
