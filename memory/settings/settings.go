// Package settings holds every limit, threshold, type and pattern of the
// product: its name, default, range and meaning, once. docs/settings.md is
// generated from here.
package settings

import (
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Settings is what a workspace is run with. Zero values are never used: start
// from Default and merge layers over it.
//
// The tags are the reference: wm is the key, min and max the range of a number,
// above the number that it has to be above, oneof the values of a text, maxChars
// the length of one that is free, kind what another text is, items what the texts
// of a list are (glob, word or name, see value.go), group what a regular
// expression has to find, repo says whether a repository's own wm-lsp.toml may set
// it, doc what it means. A list of tables has the columns of its struct; the
// first tells its items apart, and optional marks those that may be missing.
// Regular expressions are compiled once, and nil where there is none.
type Settings struct {
	Root      string    `wm:"root" oneof:"git,folder" doc:"What a workspace is: the repository that holds the folder (git), so that its subfolders and worktrees share one memory, or the folder itself (folder)."`
	Exclude   []string  `wm:"exclude" items:"glob" repo:"yes" doc:"Glob patterns of files that are never tracked, relative to the workspace, such as \"secrets/**\"."`
	Memory    Memory    `wm:"memory"`
	Session   Session   `wm:"session"`
	Errors    Errors    `wm:"errors"`
	Files     Files     `wm:"files"`
	Tools     Tools     `wm:"tools"`
	Context   Context   `wm:"context"`
	Prune     Prune     `wm:"prune"`
	Outputs   Outputs   `wm:"outputs"`
	Pressure  Pressure  `wm:"pressure"`
	Core      Core      `wm:"core"`
	Working   Working   `wm:"working"`
	Compact   Compact   `wm:"compact"`
	Notes     Notes     `wm:"notes"`
	History   History   `wm:"history"`
	Log       Log       `wm:"log"`
	Recording Recording `wm:"recording"`
}

// Memory limits the workspace memory (docs/systems.md B1).
type Memory struct {
	MaxEntries int      `wm:"maxEntries" min:"1" max:"500" doc:"Entries that are kept active; over it the weakest is evicted."`
	MaxChars   int      `wm:"maxChars" min:"200" max:"100000" doc:"Characters of the rendered workspace memory; entries that do not fit are left out of contexts, whole."`
	MaxPinned  int      `wm:"maxPinned" min:"0" max:"500" doc:"Entries that can be pinned at most."`
	Types      []string `wm:"types" items:"word" repo:"yes" doc:"Types of entries besides feedback, project, decision and reference."`
	// A repository must not write memories: a pattern of its file would turn what
	// people say into entries that nobody asked for.
	Patterns []MemoryPattern `wm:"patterns" doc:"What asks for an entry in the messages of a user, besides the built-in wordings. A repository cannot set them, because it must not write memories."`
}

// A MemoryPattern finds what is to be remembered (docs/systems.md B16).
type MemoryPattern struct {
	Pattern *pattern.Expression `wm:"pattern" doc:"What asks for it, in one line of a message that is neither code nor quoted. The text of the entry is the first group, or all that matches where there is no group."`
	Type    string              `wm:"type" kind:"word" doc:"Type of the entry: a built-in one or one of memory.types."`
}

// BuiltinTypes are the types of entries that always exist, in the order in which
// they are rendered (docs/systems.md B1).
var BuiltinTypes = []string{"feedback", "project", "decision", "reference"}

// AllTypes are the types that an entry can have.
func (m Memory) AllTypes() []string { return slices.Concat(BuiltinTypes, m.Types) }

// Session limits the hot state (docs/systems.md B7).
type Session struct {
	MaxChars      int `wm:"maxChars" min:"200" max:"20000" repo:"yes" doc:"Characters of the rendered session state."`
	MaxFiles      int `wm:"maxFiles" min:"0" max:"100" repo:"yes" doc:"Active files that are rendered."`
	MaxErrors     int `wm:"maxErrors" min:"0" max:"100" repo:"yes" doc:"Open errors that are rendered."`
	CollapseAfter int `wm:"collapseAfter" min:"1" max:"10000" repo:"yes" doc:"More open errors than this become one line with the commonest."`
	MaxDecisions  int `wm:"maxDecisions" min:"0" max:"50" repo:"yes" doc:"Recent decisions that are kept and rendered."`
	KeepDays      int `wm:"keepDays" min:"1" max:"365" doc:"Days after which the state of a session that is over is swept."`
	LeaseMinutes  int `wm:"leaseMinutes" min:"1" max:"1440" doc:"Minutes without a sign of life after which a session that no process owns is over. Signs of life are noted every ten seconds at most, and a lease is ten seconds longer for that."`
}

// Errors says what becomes an open error (docs/systems.md B9 and B10).
type Errors struct {
	Warnings    bool     `wm:"warnings" repo:"yes" doc:"Whether diagnostics of severity Warning open errors too."`
	StillMillis int      `wm:"stillMillis" min:"0" max:"60000" doc:"Milliseconds without a keystroke after which a diagnostic of an unsaved file opens an error."`
	Linters     []string `wm:"linters" items:"name" repo:"yes" doc:"Names of diagnostic sources whose errors have category lint."`

	Patterns []ErrorPattern `wm:"patterns" repo:"yes" doc:"Errors in the outputs of commands that failed, besides those that are known."`
}

// An ErrorPattern finds errors of a tool of one's own (docs/systems.md B16).
type ErrorPattern struct {
	Pattern  *pattern.Expression `wm:"pattern" group:"message" doc:"One line of an output that tells of an error. Its named group message is what is wrong, and must be there; the groups file and line say where."`
	Category string              `wm:"category" kind:"word" doc:"Category of the error: typecheck, test, lint, build, runtime or another."`
	Command  string              `wm:"command" kind:"glob" optional:"yes" doc:"Names of the programs whose output is searched, such as {lint,check}-*; all where it is missing."`
}

// Files says which files are tracked.
type Files struct {
	MaxBytes    int `wm:"maxBytes" min:"1024" max:"16777216" doc:"Larger files are not tracked."`
	BurstMillis int `wm:"burstMillis" min:"0" max:"60000" doc:"Changes of a file less than this apart are one edit."`
}

// Tools maps names of tools of an agent to what they do, in lower case.
type Tools struct {
	Read  []string `wm:"read" items:"name" repo:"yes" doc:"Tools that read files."`
	Edit  []string `wm:"edit" items:"name" repo:"yes" doc:"Tools that edit files."`
	Write []string `wm:"write" items:"name" repo:"yes" doc:"Tools that write files."`
	Grep  []string `wm:"grep" items:"name" repo:"yes" doc:"Tools that search or list files."`
	Shell []string `wm:"shell" items:"name" repo:"yes" doc:"Tools that run a command line."`
}

// Context limits what an agent is given.
type Context struct {
	PrefixChars int `wm:"prefixChars" min:"1000" max:"200000" doc:"Characters of the stable prefix: guide, workspace and what else seldom changes."`
}

// Prune says how much of long tool outputs is left out (docs/systems.md A8).
type Prune struct {
	Normal     PruneRule `wm:"normal"`
	Aggressive PruneRule `wm:"aggressive"`
	Hyper      PruneRule `wm:"hyper"`

	Lines []PruneLine `wm:"lines" repo:"yes" doc:"Lines that always stay, and lines that are noise and never do."`
}

// A PruneLine says what becomes of some lines, whatever the mode (docs/systems.md
// A15).
type PruneLine struct {
	Pattern *pattern.Expression `wm:"pattern" doc:"What the lines hold."`
	Keep    string              `wm:"keep" oneof:"always,never" doc:"Whether they always or never stay. Always is stronger, and error lines stay whatever is said here."`
}

// Kept returns what the lines hold that always stay, and those that never do.
func (p Prune) Kept() (always, never []*pattern.Expression) {
	for _, line := range p.Lines {
		if line.Keep == "always" {
			always = append(always, line.Pattern)
		} else {
			never = append(never, line.Pattern)
		}
	}
	return always, never
}

// PruneRule is the measure of one mode of pruning.
type PruneRule struct {
	Threshold int `wm:"threshold" min:"1" max:"100000" repo:"yes" doc:"Lines up to which an output stays whole."`
	Keep      int `wm:"keep" min:"1" max:"10000" repo:"yes" doc:"How many of the first and how many of the last lines of a longer output stay."`
}

// Outputs bounds the full texts of pruned outputs, which can be read back
// (docs/systems.md A12).
type Outputs struct {
	MaxFiles int `wm:"maxFiles" min:"1" max:"100000" doc:"Full texts of pruned outputs that are kept, the newest."`
	MaxDays  int `wm:"maxDays" min:"1" max:"365" doc:"Days after which the full text of a pruned output is deleted."`
}

// Pressure says how large an agent's context is, and when it is full
// (docs/systems.md A10).
type Pressure struct {
	CharLimit int `wm:"charLimit" min:"1000" max:"100000000" doc:"Characters that the context of an agent holds, where a report of usage does not say."`
	Moderate  int `wm:"moderate" min:"1" max:"100" doc:"Percentage of the context from which the pressure is moderate."`
	High      int `wm:"high" min:"1" max:"100" above:"moderate" doc:"Percentage from which it is high and outputs are pruned in mode aggressive."`
	Critical  int `wm:"critical" min:"1" max:"100" above:"high" doc:"Percentage from which it is critical and outputs are pruned in mode hyper."`
}

// Core limits the blocks of an agent's core memory (docs/systems.md A1).
type Core struct {
	Goal     int `wm:"goal" min:"100" max:"20000" doc:"Characters of the block goal."`
	Progress int `wm:"progress" min:"100" max:"20000" doc:"Characters of the block progress."`
	Context  int `wm:"context" min:"100" max:"20000" doc:"Characters of the block context."`
}

// Working limits the working memory of a session (docs/systems.md A3, A15).
type Working struct {
	MaxChars  int    `wm:"maxChars" min:"200" max:"20000" repo:"yes" doc:"Characters of the rendered working memory."`
	PoolItems int    `wm:"poolItems" min:"10" max:"1000" doc:"Items that the pool keeps."`
	Slots     []Slot `wm:"slots" repo:"yes" doc:"Slots besides error, decision, todo and dependency. One of these names says how many items the built-in slot keeps, which is else 5 for decision and 3 for the others."`
}

// A Slot keeps the newest items of one kind.
type Slot struct {
	Name    string              `wm:"name" kind:"word" doc:"Name of the slot."`
	Max     int                 `wm:"max" min:"1" max:"50" doc:"Items that it keeps, the newest."`
	Pattern *pattern.Expression `wm:"pattern" optional:"yes" doc:"What an item of the slot is recognised by: it is the first group, or all that matches where there is no group."`
}

// AllSlots are the slots that there are: the built-in ones, with what the
// settings say of them, then those that the settings add.
func (w Working) AllSlots() []Slot {
	slots := []Slot{
		{Name: "error", Max: 3},
		{Name: "decision", Max: 5},
		{Name: "todo", Max: 3},
		{Name: "dependency", Max: 3},
	}
	for _, slot := range w.Slots {
		i := slices.IndexFunc(slots, func(s Slot) bool { return s.Name == slot.Name })
		if i < 0 {
			slots = append(slots, slot)
			continue
		}
		slots[i] = slot
	}
	return slots
}

// Compact says when a conversation is to be made shorter (docs/systems.md C2, C7).
type Compact struct {
	Auto      bool    `wm:"auto" doc:"Whether a history that is kept is compacted without being asked: when a report comes to emergency, and while it stays there each time that as many turns have come as are kept."`
	Light     float64 `wm:"light" min:"0.01" max:"1" doc:"Part of the context from which light compression is advised."`
	Medium    float64 `wm:"medium" min:"0.01" max:"1" above:"light" doc:"Part from which medium compression is advised."`
	Heavy     float64 `wm:"heavy" min:"0.01" max:"1" above:"medium" doc:"Part from which heavy compression is advised."`
	Emergency float64 `wm:"emergency" min:"0.01" max:"1" above:"heavy" doc:"Part from which it is an emergency."`
}

// Notes are the files that an agent keeps about its work (docs/systems.md C1).
type Notes struct {
	Create   bool   `wm:"create" doc:"Whether overview.md is made where there is none."`
	Language string `wm:"language" oneof:"en,zh" doc:"Language of the built-in template."`
	Template string `wm:"template" maxChars:"5000" doc:"What a new overview.md begins with; empty means the built-in template."`
	MaxChars int    `wm:"maxChars" min:"500" max:"50000" doc:"Characters of the rendered overview."`
}

// History bounds the conversations that are kept (docs/systems.md C3).
type History struct {
	Keep        bool `wm:"keep" doc:"Whether the conversation of every session is kept, not only of those that ask."`
	KeepRecent  int  `wm:"keepRecent" min:"1" max:"100" doc:"Turns, or outputs of tools, that a compaction leaves as they are, where it does not say."`
	MaxBytes    int  `wm:"maxBytes" min:"65536" max:"268435456" doc:"Bytes of the conversation of one session that are kept, the newest."`
	MaxArchives int  `wm:"maxArchives" min:"1" max:"1000" doc:"Archived parts of the conversation of one session that are kept, the newest."`
}

// Log bounds the log of changes; what is older is folded into a snapshot.
type Log struct {
	MaxChanges int `wm:"maxChanges" min:"100" max:"10000000" doc:"Changes that are kept one by one."`
	MaxDays    int `wm:"maxDays" min:"1" max:"3650" doc:"Days for which changes are kept one by one."`
}

// Recording says what is recorded at all.
type Recording struct {
	PauseMinutes int `wm:"pauseMinutes" min:"1" max:"525600" doc:"How long wm/pause pauses when it is not told."`
}

// Default returns the settings of the product as it ships.
func Default() *Settings {
	return &Settings{
		Root:    "git",
		Exclude: []string{},
		Memory:  Memory{MaxEntries: 28, MaxChars: 5200, MaxPinned: 14, Types: []string{}, Patterns: []MemoryPattern{}},
		Session: Session{
			MaxChars: 1200, MaxFiles: 8, MaxErrors: 3, CollapseAfter: 50, MaxDecisions: 8, KeepDays: 14,
			LeaseMinutes: 30,
		},
		Errors: Errors{StillMillis: 1500, Linters: []string{
			"biome", "clippy", "eslint", "flake8", "golangci-lint", "hadolint", "luacheck", "markdownlint", "oxlint",
			"pycodestyle", "pydocstyle", "pyflakes", "pylint", "revive", "rubocop", "ruff", "selene", "shellcheck",
			"staticcheck", "stylelint", "yamllint",
		}, Patterns: []ErrorPattern{}},
		Files: Files{MaxBytes: 1 << 20, BurstMillis: 2000},
		Tools: Tools{
			Read:  []string{"read", "view", "open", "cat", "read_file", "notebookread"},
			Edit:  []string{"edit", "patch", "multiedit", "apply_patch", "str_replace", "notebookedit"},
			Write: []string{"write", "create", "write_file", "create_file"},
			Grep:  []string{"grep", "glob", "search", "list", "ls", "find"},
			Shell: []string{"bash", "shell", "run", "exec", "terminal", "run_command"},
		},
		Context: Context{PrefixChars: 17000},
		Prune: Prune{
			Normal:     PruneRule{Threshold: 50, Keep: 30},
			Aggressive: PruneRule{Threshold: 30, Keep: 20},
			Hyper:      PruneRule{Threshold: 15, Keep: 10},
			Lines:      []PruneLine{},
		},
		Outputs:   Outputs{MaxFiles: 300, MaxDays: 7},
		Pressure:  Pressure{CharLimit: 180_000, Moderate: 70, High: 85, Critical: 95},
		Core:      Core{Goal: 1000, Progress: 2000, Context: 1500},
		Working:   Working{MaxChars: 1600, PoolItems: 100, Slots: []Slot{}},
		Compact:   Compact{Auto: true, Light: 0.20, Medium: 0.40, Heavy: 0.60, Emergency: 0.75},
		Notes:     Notes{Create: true, Language: "en", MaxChars: 5000},
		History:   History{KeepRecent: 5, MaxBytes: 4 << 20, MaxArchives: 50},
		Log:       Log{MaxChanges: 20000, MaxDays: 90},
		Recording: Recording{PauseMinutes: 60},
	}
}

// Lease is LeaseMinutes as a duration.
func (s Session) Lease() time.Duration { return time.Duration(s.LeaseMinutes) * time.Minute }

// Still is StillMillis as a duration.
func (e Errors) Still() time.Duration { return time.Duration(e.StillMillis) * time.Millisecond }

// Burst is BurstMillis as a duration.
func (f Files) Burst() time.Duration { return time.Duration(f.BurstMillis) * time.Millisecond }
