// Package pressure is the room of how full an agent's context is: the latest
// report of each session, as a level and as a hint, and the course of the
// reports (systems.md A10, C2).
package pressure

import (
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
)

// Reported is the change of the room. Its subject is the session.
const Reported change.Kind = "pressure.reported"

// A Level says how full a context is (systems.md A10).
type Level string

// The levels, and the percentages from which they hold.
const (
	Safe     Level = "safe"
	Moderate Level = "moderate" // 70
	High     Level = "high"     // 85
	Critical Level = "critical" // 95
)

// A Hint says how hard to compress (systems.md C2).
type Hint string

// The hints, and the percentages from which they hold.
const (
	Normal    Hint = "normal"
	Light     Hint = "light_compression"     // 20
	Medium    Hint = "medium_compression"    // 40
	Heavy     Hint = "heavy_compression"     // 60
	Emergency Hint = "emergency_compression" // 75
)

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
	// LastChecked is when it was reported.
	LastChecked time.Time `json:"lastChecked"`
	// Interventions is how often the level became critical.
	Interventions int     `json:"interventions"`
	History       []Point `json:"history"` // oldest first, with the latest
}

// Percentage is 100 × used / limit; it may be more than 100.
func (p Pressure) Percentage() float64 {
	if p.Limit == 0 {
		return 0
	}
	return 100 * float64(p.Used) / float64(p.Limit)
}

// Level is the level of the percentage; the bounds belong to the higher one.
func (p Pressure) Level() Level {
	switch full := p.Percentage(); {
	case full >= 95:
		return Critical
	case full >= 85:
		return High
	case full >= 70:
		return Moderate
	}
	return Safe
}

// Hint is the hint of the percentage; the bounds belong to the higher one.
func (p Pressure) Hint() Hint {
	switch full := p.Percentage(); {
	case full >= 75:
		return Emergency
	case full >= 60:
		return Heavy
	case full >= 40:
		return Medium
	case full >= 20:
		return Light
	}
	return Normal
}

// maxHistory is how many reports of a session are remembered.
const maxHistory = 100

// A Room is the pressure of every session. It is safe for concurrent use.
type Room struct {
	mu       sync.RWMutex
	sessions change.Table[Pressure]
}

// New returns an empty room.
func New() *Room { return &Room{sessions: change.Table[Pressure]{}} }

// Name names the rows of the room.
func (r *Room) Name() string { return "pressure" }

type report struct {
	Used  int    `json:"used"`
	Limit int    `json:"limit"`
	Unit  string `json:"unit"`
}

// Observe answers what a report of usage means.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	body, reported := ev.Body.(event.UsageReported)
	if !reported || ev.Session == "" {
		return nil, nil
	}
	return []change.Change{change.New(Reported, ev.Session, report(body))}, nil
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
		before := p.Level()
		p.Used, p.Limit, p.Unit, p.LastChecked = now.Used, now.Limit, now.Unit, c.At
		if p.Level() == Critical && before != Critical {
			p.Interventions++
		}
		p.History = append(p.History[:len(p.History):len(p.History)], Point{c.At, p.Percentage()})
		p.History = p.History[max(0, len(p.History)-maxHistory):]
		return []change.Row{r.sessions.Put(c.Subject, p)}, nil
	case "session.deleted", "session.swept":
		if row, there := r.sessions.Delete(c.Subject); there {
			return []change.Row{row}, nil
		}
	}
	return nil, nil
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, row := range rows {
		if err := r.sessions.Load(row); err != nil {
			return err
		}
	}
	return nil
}

// Of returns the pressure of a session, with a limit of 0 if none was reported.
func (r *Room) Of(session string) Pressure {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.sessions[session]
}
