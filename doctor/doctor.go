// Package doctor looks at everything that the memory needs on a machine: the program and its
// processes, the folders and files, the memory of a workspace, the clock, and the settings of agents
// and editors. It says what is wrong, what a person can do, and does most of it itself with Apply.
// There is a file for each subject.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/install"
	"github.com/wm-lsp/wm-lsp/memory/inventory"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A Severity is how bad a finding is.
type Severity string

// The severities.
const (
	OK      Severity = "ok"      // It is as it should be.
	Note    Severity = "note"    // It is worth knowing.
	Warning Severity = "warning" // Something does not work as it should.
	Error   Severity = "error"   // The memory cannot be used, or may lose something.
)

// A Finding is what was found about a subject.
type Finding struct {
	// Subject is the name of the check, such as "disk".
	Subject  string   `json:"subject"`
	Severity Severity `json:"severity"`
	// Kind names the problem, "" if there is none. It is the same on every machine.
	Kind string `json:"kind,omitzero"`
	// Message is what was found, and Fix what a person can do, "" if nothing.
	Message string `json:"message"`
	Fix     string `json:"fix,omitzero"`
	// Fixable is true if Apply does what Fix says.
	Fixable bool `json:"fixable,omitzero"`
	// Numbers are counts and sizes, for a report.
	Numbers map[string]int64 `json:"numbers,omitzero"`

	apply func(ctx context.Context) error
}

// Problem reports whether something does not work as it should.
func (f Finding) Problem() bool { return f.Severity == Warning || f.Severity == Error }

// Apply does what Fix says.
func (f Finding) Apply(ctx context.Context) error { return f.apply(ctx) }

// fixedBy returns the finding with what does its fix.
func (f Finding) fixedBy(apply func(ctx context.Context) error) Finding {
	f.Fixable, f.apply = true, apply
	return f
}

// with returns the finding with a number.
func (f Finding) with(name string, n int64) Finding {
	if f.Numbers == nil {
		f.Numbers = map[string]int64{}
	}
	f.Numbers[name] = n
	return f
}

func fine(format string, args ...any) Finding {
	return Finding{Severity: OK, Message: fmt.Sprintf(format, args...)}
}

func note(kind, message, fix string) Finding {
	return Finding{Severity: Note, Kind: kind, Message: message, Fix: fix}
}

func warning(kind, message, fix string) Finding {
	return Finding{Severity: Warning, Kind: kind, Message: message, Fix: fix}
}

func failure(kind, message, fix string) Finding {
	return Finding{Severity: Error, Kind: kind, Message: message, Fix: fix}
}

// A Machine is what is looked at.
type Machine struct {
	// Version is the version of the program.
	Version string
	// Install says where settings are, and the folders of the program.
	install.Options
	// Status is what the memory of the workspace says of itself.
	Status wire.StatusResult
	// Sessions are the sessions of the memory. If they cannot be read, Unread is the reason.
	Sessions []sessions.Session
	Unread   error
	// Memories are the memories of all workspaces. If they cannot be listed, Unlisted is the reason.
	Memories []inventory.Memory
	Unlisted error
	// Endpoint asks the endpoint for embeddings; nil if the settings name none.
	Endpoint func(ctx context.Context) error
	// Now is the time.
	Now time.Time
}

// A check looks at one subject.
type check struct {
	subject string
	look    func(ctx context.Context, m Machine) []Finding
}

// checks are all checks, in the order in which they are shown.
func checks() []check {
	return []check{
		{"program", program},
		{"processes", processes},
		{"folders", permissions},
		{"disk", disk},
		{"clock", clock},
		{"memory", memory},
		{"locks", locks},
		{"sessions", leases},
		{"left files", leftFiles},
		{"other memories", otherMemories},
		{"agents", agents},
		{"editors", editors},
		{"embeddings", embeddings},
		{"crashes", crashes},
	}
}

// Examine returns what was found, in the order of the subjects.
func Examine(ctx context.Context, m Machine) (all []Finding) {
	for _, c := range checks() {
		for _, found := range c.look(ctx, m) {
			found.Subject = c.subject
			all = append(all, found)
		}
	}
	return all
}

// otherwise returns findings, or one that all is well if there are none.
func otherwise(found []Finding, format string, args ...any) []Finding {
	if len(found) > 0 {
		return found
	}
	return []Finding{fine(format, args...)}
}

// dir returns the folder of the memory of the workspace, "" if it has none.
func (m Machine) dir() string { return m.Status.Store.Path }
