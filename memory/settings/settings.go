// Package settings holds every limit, threshold, type and pattern of the
// product: its name, default, range and meaning, once. docs/settings.md is
// generated from here.
package settings

import "time"

// Settings is what a workspace is run with. Zero values are never used: start
// from Default and merge layers over it.
//
// The tags are the reference: wm is the key, min and max the range of a number,
// oneof the values of a text, items what the texts of a list are (glob, word or
// name, see layer.go), repo says whether a repository's own wm-lsp.toml may set
// it, doc what it means.
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
	Log       Log       `wm:"log"`
	Recording Recording `wm:"recording"`
}

// Memory limits the workspace memory (docs/systems.md B1).
type Memory struct {
	MaxEntries int      `wm:"maxEntries" min:"1" max:"500" doc:"Entries that are kept active; over it the weakest is evicted."`
	MaxChars   int      `wm:"maxChars" min:"200" max:"100000" doc:"Characters of the rendered workspace memory; entries that do not fit are left out of contexts, whole."`
	MaxPinned  int      `wm:"maxPinned" min:"0" max:"500" doc:"Entries that can be pinned at most."`
	Types      []string `wm:"types" items:"word" repo:"yes" doc:"Types of entries besides feedback, project, decision and reference."`
}

// Session limits the hot state (docs/systems.md B7).
type Session struct {
	MaxChars      int `wm:"maxChars" min:"200" max:"20000" repo:"yes" doc:"Characters of the rendered session state."`
	MaxFiles      int `wm:"maxFiles" min:"0" max:"100" repo:"yes" doc:"Active files that are rendered."`
	MaxErrors     int `wm:"maxErrors" min:"0" max:"100" repo:"yes" doc:"Open errors that are rendered."`
	CollapseAfter int `wm:"collapseAfter" min:"1" max:"10000" repo:"yes" doc:"More open errors than this become one line with the commonest."`
	MaxDecisions  int `wm:"maxDecisions" min:"0" max:"50" repo:"yes" doc:"Recent decisions that are kept and rendered."`
	KeepDays      int `wm:"keepDays" min:"1" max:"365" doc:"Days after which the state of a session that is over is swept."`
}

// Errors says what becomes an open error (docs/systems.md B9 and B10).
type Errors struct {
	Warnings    bool     `wm:"warnings" repo:"yes" doc:"Whether diagnostics of severity Warning open errors too."`
	StillMillis int      `wm:"stillMillis" min:"0" max:"60000" doc:"Milliseconds without a keystroke after which a diagnostic of an unsaved file opens an error."`
	Linters     []string `wm:"linters" items:"name" repo:"yes" doc:"Names of diagnostic sources whose errors have category lint."`
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

// Pressure says how large an agent's context is (docs/systems.md A10).
type Pressure struct {
	CharLimit int `wm:"charLimit" min:"1000" max:"100000000" doc:"Characters that the context of an agent holds, where a report of usage does not say."`
}

// Core limits the blocks of an agent's core memory (docs/systems.md A1).
type Core struct {
	Goal     int `wm:"goal" min:"100" max:"20000" doc:"Characters of the block goal."`
	Progress int `wm:"progress" min:"100" max:"20000" doc:"Characters of the block progress."`
	Context  int `wm:"context" min:"100" max:"20000" doc:"Characters of the block context."`
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
		Memory:  Memory{MaxEntries: 28, MaxChars: 5200, MaxPinned: 14, Types: []string{}},
		Session: Session{MaxChars: 1200, MaxFiles: 8, MaxErrors: 3, CollapseAfter: 50, MaxDecisions: 8, KeepDays: 14},
		Errors: Errors{StillMillis: 1500, Linters: []string{
			"biome", "clippy", "eslint", "flake8", "golangci-lint", "hadolint", "luacheck", "markdownlint", "oxlint", "pycodestyle",
			"pydocstyle", "pyflakes", "pylint", "revive", "rubocop", "ruff", "selene", "shellcheck", "staticcheck", "stylelint", "yamllint",
		}},
		Files: Files{MaxBytes: 1 << 20, BurstMillis: 2000},
		Tools: Tools{
			Read:  []string{"read", "view", "open", "cat", "read_file", "notebookread"},
			Edit:  []string{"edit", "patch", "multiedit", "apply_patch", "str_replace", "notebookedit"},
			Write: []string{"write", "create", "write_file", "create_file"},
			Grep:  []string{"grep", "glob", "search", "list", "ls", "find"},
			Shell: []string{"bash", "shell", "run", "exec", "terminal", "run_command"},
		},
		Context:   Context{PrefixChars: 14000},
		Prune:     Prune{Normal: PruneRule{Threshold: 50, Keep: 30}, Aggressive: PruneRule{Threshold: 30, Keep: 20}, Hyper: PruneRule{Threshold: 15, Keep: 10}},
		Outputs:   Outputs{MaxFiles: 300, MaxDays: 7},
		Pressure:  Pressure{CharLimit: 180_000},
		Core:      Core{Goal: 1000, Progress: 2000, Context: 1500},
		Log:       Log{MaxChanges: 20000, MaxDays: 90},
		Recording: Recording{PauseMinutes: 60},
	}
}

// Still is StillMillis as a duration.
func (e Errors) Still() time.Duration { return time.Duration(e.StillMillis) * time.Millisecond }

// Burst is BurstMillis as a duration.
func (f Files) Burst() time.Duration { return time.Duration(f.BurstMillis) * time.Millisecond }
