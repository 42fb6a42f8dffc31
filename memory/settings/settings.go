// Package settings defines every limit, threshold, type and pattern of the product:
// its name, default, range and meaning. docs/settings.md is generated from it.
package settings

import (
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Settings are the settings of a workspace. Zero values are not valid settings: start
// with Default and merge layers with it.
//
// The doc comment of a field is its description in docs/settings.md and in editors.
// Tags define the rest: wm is the key, min and max are the range of a number, above is
// the number that it must be greater than, oneof lists the values of a string, maxChars
// is the maximum length of a free text, kind is the kind of another string and items
// that of the strings of a list (glob, word, name or label, see value.go), group is a group
// that a regular expression must have, and repo says whether a repository's own
// wm-lsp.toml may set the field. The fields of a struct are the columns of a list of
// tables; the first one identifies a table, and optional marks those that may be
// missing. A missing regular expression is nil. person marks what only the settings of the person
// may set, neither a repository's file nor the settings of a folder in an editor. workspace marks
// what bounds what a workspace keeps, see WithLimits. common marks what the settings of the VS Code
// extension have as well.
type Settings struct {
	// Root of a workspace: the repository of the folder (git), so that its subfolders and
	// worktrees share one memory, or the folder itself (folder).
	Root string `wm:"root" oneof:"git,folder" common:"yes"`
	// Glob patterns of files that are never tracked, relative to the workspace, such as
	// "secrets/**".
	Exclude    []string   `wm:"exclude" items:"glob" repo:"yes" common:"yes"`
	Memory     Memory     `wm:"memory"`
	Session    Session    `wm:"session"`
	Errors     Errors     `wm:"errors"`
	Files      Files      `wm:"files"`
	Tools      Tools      `wm:"tools"`
	Context    Context    `wm:"context"`
	Prune      Prune      `wm:"prune"`
	Outputs    Outputs    `wm:"outputs"`
	Pressure   Pressure   `wm:"pressure"`
	Core       Core       `wm:"core"`
	Working    Working    `wm:"working"`
	Compact    Compact    `wm:"compact"`
	Notes      Notes      `wm:"notes"`
	History    History    `wm:"history"`
	Items      Items      `wm:"items"`
	Recall     Recall     `wm:"recall"`
	Embeddings Embeddings `wm:"embeddings"`
	Log        Log        `wm:"log"`
	Recording  Recording  `wm:"recording"`
	Cleaning   Cleaning   `wm:"cleaning"`
	Export     Export     `wm:"export"`

	// additions are what a repository's file adds to lists that are limits.
	additions []addition
}

// Memory limits the workspace memory (docs/systems.md B1).
type Memory struct {
	// Maximum number of active entries; above it the weakest is evicted.
	MaxEntries int `wm:"maxEntries" min:"1" max:"500" common:"yes" workspace:"yes"`
	// Maximum characters of the rendered workspace memory; entries that do not fit are
	// left out of contexts as a whole.
	MaxChars int `wm:"maxChars" min:"200" max:"100000" common:"yes" workspace:"yes"`
	// Maximum number of pinned entries.
	MaxPinned int `wm:"maxPinned" min:"0" max:"500" workspace:"yes"`
	// Maximum number of entries that are offered and that nobody has kept; above it the
	// oldest offer goes. 0 offers nothing.
	MaxOffered int `wm:"maxOffered" min:"0" max:"500" workspace:"yes"`
	// Maximum number of entries that were evicted, superseded or removed and can still be
	// explained and restored; above it, a sweep deletes those that left first.
	MaxPast int `wm:"maxPast" min:"10" max:"10000" workspace:"yes"`
	// The same for offers that nobody took. One that somebody removed counts as an entry: as
	// long as it is known, the same is not offered again.
	MaxPastOffers int `wm:"maxPastOffers" min:"0" max:"10000" workspace:"yes"`
	// Types of entries besides feedback, project, decision and reference.
	Types []string `wm:"types" items:"word" repo:"yes" common:"yes" workspace:"yes"`
	// Requests for an entry in the messages of a user, besides the built-in wordings. A
	// repository cannot set them, because it must not write memories.
	Patterns []MemoryPattern `wm:"patterns"`
}

// A MemoryPattern matches requests to remember something (docs/systems.md B16).
type MemoryPattern struct {
	// Matches a request in one line of a message that is neither code nor quoted. The text
	// of the entry is the first group, or the whole match if there is no group.
	Pattern *pattern.Expression `wm:"pattern"`
	// Type of the entry: a built-in one or one of memory.types.
	Type string `wm:"type" kind:"word"`
}

// BuiltinTypes are the types of entries that always exist, in the order in which
// they are rendered (docs/systems.md B1).
var BuiltinTypes = []string{"feedback", "project", "decision", "reference"}

// AllTypes returns the types that an entry can have.
func (m Memory) AllTypes() []string { return slices.Concat(BuiltinTypes, m.Types) }

// Session limits the hot state (docs/systems.md B7).
type Session struct {
	// Maximum characters of the rendered session state.
	MaxChars int `wm:"maxChars" min:"200" max:"20000" repo:"yes"`
	// Maximum number of active files that are rendered.
	MaxFiles int `wm:"maxFiles" min:"0" max:"100" repo:"yes"`
	// Maximum number of open errors that are rendered.
	MaxErrors int `wm:"maxErrors" min:"0" max:"100" repo:"yes"`
	// More open errors than this are rendered as one line with the most common ones.
	CollapseAfter int `wm:"collapseAfter" min:"1" max:"10000" repo:"yes"`
	// Maximum number of recent decisions that are kept and rendered.
	MaxDecisions int `wm:"maxDecisions" min:"0" max:"50" repo:"yes" workspace:"yes"`
	// Days after which the state of an ended session is swept.
	KeepDays int `wm:"keepDays" min:"1" max:"365" common:"yes" workspace:"yes"`
	// Minutes without activity after which a session that no process owns ends. Activity
	// is recorded at most every ten seconds, so a lease is ten seconds longer.
	LeaseMinutes int `wm:"leaseMinutes" min:"1" max:"1440"`
	// Hours after the end of an agent's session in which the next one is told what it left, if
	// something is open. 0 tells only what a person gives on.
	HandoverHours int `wm:"handoverHours" min:"0" max:"336" common:"yes"`
}

// Errors determines what becomes an open error (docs/systems.md B9 and B10).
type Errors struct {
	// Whether diagnostics of severity Warning also open errors.
	Warnings bool `wm:"warnings" repo:"yes" common:"yes"`
	// Whether errors of commands are published as diagnostics, at their places in an editor.
	Publish bool `wm:"publish" common:"yes"`
	// Milliseconds without a keystroke after which a diagnostic of an unsaved file opens
	// an error.
	StillMillis int `wm:"stillMillis" min:"0" max:"60000"`
	// Names of diagnostic sources whose errors have category lint.
	Linters []string `wm:"linters" items:"name" repo:"yes"`
	// Errors in the outputs of commands that failed, besides the built-in ones.
	Patterns []ErrorPattern `wm:"patterns" repo:"yes"`
}

// An ErrorPattern matches errors of a custom tool (docs/systems.md B16).
type ErrorPattern struct {
	// Matches one line of an output that reports an error. The named group message is the
	// message and is required; the groups file and line are its location.
	Pattern *pattern.Expression `wm:"pattern" group:"message"`
	// Category of the error: typecheck, test, lint, build, runtime or another.
	Category string `wm:"category" kind:"word"`
	// Names of the programs whose output is searched, such as {lint,check}-*; all if it is
	// missing.
	Command string `wm:"command" kind:"glob" optional:"yes"`
}

// Files determines which files are tracked.
type Files struct {
	// Larger files are not tracked.
	MaxBytes int `wm:"maxBytes" min:"1024" max:"16777216"`
	// Changes of a file less than this apart are one edit.
	BurstMillis int `wm:"burstMillis" min:"0" max:"60000"`
}

// Tools lists the names of tools of an agent, in lower case, by what they do.
type Tools struct {
	// Tools that read files.
	Read []string `wm:"read" items:"name" repo:"yes"`
	// Tools that edit files.
	Edit []string `wm:"edit" items:"name" repo:"yes"`
	// Tools that write files.
	Write []string `wm:"write" items:"name" repo:"yes"`
	// Tools that search in files.
	Grep []string `wm:"grep" items:"name" repo:"yes"`
	// Tools that find files by their names, or list them.
	Glob []string `wm:"glob" items:"name" repo:"yes"`
	// Tools that run a command line.
	Shell []string `wm:"shell" items:"name" repo:"yes"`
}

// Context limits the context of an agent.
type Context struct {
	// Maximum characters of the stable prefix: guide, workspace memory and other sections
	// that seldom change.
	PrefixChars int `wm:"prefixChars" min:"1000" max:"200000"`
}

// Prune determines how much of long tool outputs is left out (docs/systems.md A8).
type Prune struct {
	Normal     PruneRule `wm:"normal"`
	Aggressive PruneRule `wm:"aggressive"`
	Hyper      PruneRule `wm:"hyper"`
	// Lines that are always kept, and noise that is never kept.
	Lines []PruneLine `wm:"lines" repo:"yes"`
}

// A PruneLine keeps or removes some lines in every mode (docs/systems.md A15).
type PruneLine struct {
	// Matches the lines.
	Pattern *pattern.Expression `wm:"pattern"`
	// Whether the lines are always or never kept. Always takes precedence over never, and
	// error lines are kept in any case.
	Keep string `wm:"keep" oneof:"always,never"`
}

// Kept returns the patterns of the lines that are always kept and of those that never
// are.
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

// A PruneRule limits the outputs of one mode of pruning.
type PruneRule struct {
	// Number of lines up to which an output is not pruned.
	Threshold int `wm:"threshold" min:"1" max:"100000" repo:"yes"`
	// Number of first lines, and of last lines, that are kept of a longer output.
	Keep int `wm:"keep" min:"1" max:"10000" repo:"yes"`
}

// Outputs limits the stored originals of pruned outputs (docs/systems.md A12).
type Outputs struct {
	// Maximum number of stored originals of pruned outputs; the newest are kept.
	MaxFiles int `wm:"maxFiles" min:"1" max:"100000" workspace:"yes"`
	// Days after which the original of a pruned output is deleted.
	MaxDays int `wm:"maxDays" min:"1" max:"365" workspace:"yes"`
}

// Pressure defines the size of an agent's context and the levels of its pressure
// (docs/systems.md A10).
type Pressure struct {
	// Size of the context of an agent in characters, unless a report of usage has it.
	CharLimit int `wm:"charLimit" min:"1000" max:"100000000"`
	// Percentage of the context from which the pressure is moderate.
	Moderate int `wm:"moderate" min:"1" max:"100"`
	// Percentage from which the pressure is high and outputs are pruned in mode aggressive.
	High int `wm:"high" min:"1" max:"100" above:"moderate"`
	// Percentage from which the pressure is critical and outputs are pruned in mode hyper.
	Critical int `wm:"critical" min:"1" max:"100" above:"high"`
}

// Core limits the blocks of an agent's core memory (docs/systems.md A1).
type Core struct {
	// Maximum characters of the block goal.
	Goal int `wm:"goal" min:"100" max:"20000" workspace:"yes"`
	// Maximum characters of the block progress.
	Progress int `wm:"progress" min:"100" max:"20000" workspace:"yes"`
	// Maximum characters of the block context.
	Context int `wm:"context" min:"100" max:"20000" workspace:"yes"`
}

// Working limits the working memory of a session (docs/systems.md A3, A15).
type Working struct {
	// Maximum characters of the rendered working memory.
	MaxChars int `wm:"maxChars" min:"200" max:"20000" repo:"yes"`
	// Maximum number of items in the pool.
	PoolItems int `wm:"poolItems" min:"10" max:"1000" workspace:"yes"`
	// Slots besides error, decision, todo and dependency. A slot with one of these names
	// sets the number of items of the built-in slot, which is otherwise 5 for decision and
	// 3 for the others.
	Slots []Slot `wm:"slots" repo:"yes" workspace:"yes"`
}

// A Slot keeps the newest items of one kind.
type Slot struct {
	// Name of the slot.
	Name string `wm:"name" kind:"word"`
	// Maximum number of items; the newest are kept.
	Max int `wm:"max" min:"1" max:"50"`
	// Matches items of the slot: an item is the first group, or the whole match if there
	// is no group.
	Pattern *pattern.Expression `wm:"pattern" optional:"yes"`
}

// AllSlots returns the built-in slots, which the settings may change, followed by the
// other slots of the settings.
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

// Compact determines when a conversation is compacted (docs/systems.md C2, C7).
type Compact struct {
	// Whether a kept history is compacted automatically: when a report reaches emergency
	// and, as long as it stays there, after every keepRecent further turns.
	Auto bool `wm:"auto"`
	// Fraction of the context from which light compression is advised.
	Light float64 `wm:"light" min:"0.01" max:"1"`
	// Fraction from which medium compression is advised.
	Medium float64 `wm:"medium" min:"0.01" max:"1" above:"light"`
	// Fraction from which heavy compression is advised.
	Heavy float64 `wm:"heavy" min:"0.01" max:"1" above:"medium"`
	// Fraction from which it is an emergency.
	Emergency float64 `wm:"emergency" min:"0.01" max:"1" above:"heavy"`
}

// Notes configures the notes that an agent keeps about its work (docs/systems.md C1).
type Notes struct {
	// Whether a missing overview.md is created.
	Create bool `wm:"create" common:"yes"`
	// Language of the built-in template.
	Language string `wm:"language" oneof:"en,zh" common:"yes"`
	// Content of a new overview.md; empty means the built-in template.
	Template string `wm:"template" maxChars:"5000"`
	// Maximum characters of the rendered overview.
	MaxChars int `wm:"maxChars" min:"500" max:"50000"`
}

// History limits the conversations that are kept (docs/systems.md C3).
type History struct {
	// Whether the conversation of every session is kept, not only of those that request it.
	Keep bool `wm:"keep"`
	// Number of recent turns, or outputs of tools, that a compaction keeps unless it
	// specifies another.
	KeepRecent int `wm:"keepRecent" min:"1" max:"100"`
	// Maximum bytes of the conversation of one session; the newest are kept.
	MaxBytes int `wm:"maxBytes" min:"65536" max:"268435456" workspace:"yes"`
	// Maximum number of archived parts of the conversation of one session; the newest are
	// kept.
	MaxArchives int `wm:"maxArchives" min:"1" max:"1000" workspace:"yes"`
}

// Items determines which items are memorized and where (docs/systems.md E5, E9, E16).
type Items struct {
	// Importance, from 0 to 1, that an item needs at least. A store that is fuller than 80 % needs
	// more, a full one twice as much.
	MinImportance float64 `wm:"minImportance" min:"0" max:"1" workspace:"yes"`
	// Novelty that an item needs at least: the share of its words and pairs of words that the most
	// similar item of the store does not have.
	MinNovelty float64 `wm:"minNovelty" min:"0" max:"1" workspace:"yes"`
	// Importance from which working memory spares an item when it puts the oldest away.
	Guard float64 `wm:"guard" min:"0" max:"1" workspace:"yes"`
	// Maximum number of items in the working memory of a session; above it, the oldest are put away into
	// episodic memory, where they are found as before, as long as their session, those that are spared last.
	MaxWorking int `wm:"maxWorking" min:"1" max:"10000" workspace:"yes"`
	// Maximum number of items in the conversation of a session.
	MaxConversation int `wm:"maxConversation" min:"1" max:"100000" workspace:"yes"`
	// Maximum number of items in episodic memory; above it, the least useful for their size of the
	// oldest and of some others are evicted.
	MaxEpisodic int `wm:"maxEpisodic" min:"100" max:"10000000" workspace:"yes"`
	// Maximum number of items in semantic memory.
	MaxSemantic int `wm:"maxSemantic" min:"100" max:"10000000" workspace:"yes"`
	// Whether the tools that agents run become items of episodic memory (docs/systems.md E4, E16).
	EnableToolTracking bool `wm:"enableToolTracking"`
	// Whether procedures that succeed three times are offered as skills. What tools do is recorded for it
	// (docs/systems.md E12, E16).
	EnableSkillExtraction bool `wm:"enableSkillExtraction"`
	// Minutes without anything after which a request about something else begins another episode;
	// after 16 times as much, everything does.
	EpisodeGapMinutes int `wm:"episodeGapMinutes" min:"1" max:"1440"`
	// Number of items after which an episode that goes on is summarised again, or a quarter of those that it has if
	// that is more.
	EpisodeItems int `wm:"episodeItems" min:"5" max:"1000"`
	// Number of tokens of its items after which it is, too.
	EpisodeTokens int `wm:"episodeTokens" min:"500" max:"1000000"`
	// Stores by type of item; they take precedence over the built-in ones.
	Routes []ItemRoute `wm:"routes"`
	// Memory types besides working, episodic, semantic and conversation. A route leads items to
	// them; above its limit, a memory type evicts its oldest items.
	MemoryTypes []MemoryType `wm:"memoryTypes" workspace:"yes"`
}

// EpisodeGap returns EpisodeGapMinutes as a duration.
func (i Items) EpisodeGap() time.Duration { return time.Duration(i.EpisodeGapMinutes) * time.Minute }

// An ItemRoute routes items of a type to a store.
type ItemRoute struct {
	// Type of the items.
	Type string `wm:"type" kind:"word"`
	// Name of the store.
	Store string `wm:"store" kind:"word"`
}

// A MemoryType is a store of items that the settings add.
type MemoryType struct {
	// Name of the memory type.
	Name string `wm:"name" kind:"word"`
	// Maximum number of items.
	Max int `wm:"max" min:"1" max:"1000000"`
	// Policy for items without one.
	Retention string `wm:"retention" oneof:"session,day,week,month,quarter,year,forever"`
}

// Recall holds the coefficients with which hits are rated (docs/systems.md E8).
type Recall struct {
	// How much counts how well a document fits the query, compared with the one that fits best.
	Similarity float64 `wm:"similarity" min:"0" max:"1"`
	// How much counts how new a document is.
	Recency float64 `wm:"recency" min:"0" max:"1"`
	// How much counts how important a document is.
	Importance float64 `wm:"importance" min:"0" max:"1"`
	// How much is taken away from a document whose words are those of a better one.
	Duplication float64 `wm:"duplication" min:"0" max:"1"`
	// How fast a document is no longer new, in recall and when a full store evicts: after d days, exp(-decay·d)
	// of its recency is left. With 0.01 half of it is left after 69 days.
	Decay float64 `wm:"decay" min:"0" max:"10"`
	// Number of documents that fit best and are rated, at least as many as are asked for.
	Candidates int `wm:"candidates" min:"1" max:"1000"`
	// Maximum number of them from working memory, the newest ones.
	Working int `wm:"working" min:"1" max:"1000"`
	// Maximum number of them from episodic memory, those that fit best.
	Episodic int `wm:"episodic" min:"1" max:"1000"`
	// Maximum number of them from semantic memory, those that fit best.
	Semantic int     `wm:"semantic" min:"1" max:"1000"`
	Weights  Weights `wm:"weights"`
	// Maximum tokens of what a context recalls for a prompt. 0 recalls nothing but pinned feedback.
	MaxTokens int `wm:"maxTokens" min:"0" max:"10000"`
	// Maximum number of documents that a context recalls for a prompt.
	TopK int `wm:"topK" min:"1" max:"50"`
	// How well a sentence must fit a prompt at least to be recalled: how much the words say that
	// both have, times the cosine of both. A rare word says about 6, a frequent one 2.
	Floor float64 `wm:"floor" min:"0" max:"1000"`
	// The same for what was only said or decided in a conversation, or shown by a tool, and for errors that
	// are closed: nobody has said that it is to be kept.
	FloorOfSaid float64 `wm:"floorOfSaid" min:"0" max:"1000"`
	// Parts of maxTokens that are reserved for stores. What they leave, and the rest, goes to what
	// fits best.
	Shares []RecallShare `wm:"shares"`
	// What a context recalls if the request has no filter of that kind.
	DefaultFilters RecallFilters `wm:"defaultFilters"`
}

// A RecallShare is the part of what is recalled that is reserved for a store.
type RecallShare struct {
	// Name of the store, such as workspace, errors, notes, conversation, semantic or episodic.
	Store string `wm:"store" kind:"word"`
	// Part of recall.maxTokens. If all are more than 1 together, the best documents get theirs first.
	Share float64 `wm:"share" min:"0" max:"1"`
}

// ShareOf returns the shares by store.
func (r Recall) ShareOf() map[string]float64 {
	shares := make(map[string]float64, len(r.Shares))
	for _, share := range r.Shares {
		shares[share.Store] = share.Share
	}
	return shares
}

// RecallFilters say what a context recalls (docs/systems.md E16). An empty list filters nothing.
type RecallFilters struct {
	// Only what is in these stores.
	Stores []string `wm:"stores" items:"word"`
	// Only what is of these types.
	Types []string `wm:"types" items:"label"`
	// Only what has one of these tags.
	Tags []string `wm:"tags" items:"label"`
	// Only what this agent recorded; empty means any.
	AgentID string `wm:"agentId" maxChars:"200"`
	// Only what is at least so important.
	MinImportance float64 `wm:"minImportance" min:"0" max:"1"`
	// Only what is at most so many days old; 0 is any age.
	MaxDays int `wm:"maxDays" min:"0" max:"36500"`
}

// Weights are those of the ranking of search, by words and meaning (package recall). A document with all
// words of a query has a score of about 1.
type Weights struct {
	// How soon a word that is repeated in a document counts no more (BM25).
	K1 float64 `wm:"k1" min:"0" max:"10"`
	// How much the length of a document counts against its words (BM25).
	B float64 `wm:"b" min:"0" max:"1"`
	// Weight of a word of the query that says little, such as "thing". Any other word has 1.
	Generic float64 `wm:"generic" min:"0" max:"10"`
	// Weight of a word that begins with a capital letter within the query.
	Capital float64 `wm:"capital" min:"0" max:"10"`
	// Weight of a word that names who says something in the documents.
	Speaker float64 `wm:"speaker" min:"0" max:"10"`
	// Weight of words of documents that only begin like one of the query.
	Family float64 `wm:"family" min:"0" max:"10"`
	// Weight of a word that only the goal, the plan or working memory has, not the prompt.
	Beside float64 `wm:"beside" min:"0" max:"10"`
	// Factor of the weights of words that mean about the same as one of the query; 0 looks for none.
	Related float64 `wm:"related" min:"0" max:"10"`
	// The same, once more, in turns of a conversation.
	RelatedInThread float64 `wm:"relatedInThread" min:"0" max:"10"`
	// How much counts how near in meaning a document is by the built-in word vectors; 0 ignores them.
	Meaning float64 `wm:"meaning" min:"0" max:"10"`
	// Score of the words of the best text from which its meaning no longer counts.
	Sure float64 `wm:"sure" min:"0" max:"10"`
	// How much of a word in the text before, in a conversation, counts as a document's own.
	Before1 float64 `wm:"before1" min:"-10" max:"10"`
	// The same for the second text before.
	Before2 float64 `wm:"before2" min:"-10" max:"10"`
	// The same for the third text before.
	Before3 float64 `wm:"before3" min:"-10" max:"10"`
	// The same for the text after.
	After1 float64 `wm:"after1" min:"-10" max:"10"`
	// The same for the second text after.
	After2 float64 `wm:"after2" min:"-10" max:"10"`
	// The same for the third text after.
	After3 float64 `wm:"after3" min:"-10" max:"10"`
	// The same for the text before if it asks a question, instead of before1.
	Question float64 `wm:"question" min:"-10" max:"10"`
	// How much counts what the whole conversation has of the query.
	Thread float64 `wm:"thread" min:"-10" max:"10"`
	// What is added if the one person that the query names says the text.
	Said float64 `wm:"said" min:"-10" max:"10"`
	// What is added on the day that the query names.
	OnDay float64 `wm:"onDay" min:"-10" max:"10"`
	// What is added in the ten days after it.
	SoonAfter float64 `wm:"soonAfter" min:"-10" max:"10"`
	// What is added in the month that the query names.
	InMonth float64 `wm:"inMonth" min:"-10" max:"10"`
	// What is added for longer turns of a conversation, times ln(1 + words).
	Length float64 `wm:"length" min:"-10" max:"10"`
	// What is added to a turn that ends in a question mark.
	Asks float64 `wm:"asks" min:"-10" max:"10"`
	// What is added to a turn for three names or more, and by a third for each of fewer.
	Capitals float64 `wm:"capitals" min:"-10" max:"10"`
	// What is added to the first two turns of a conversation.
	Opens float64 `wm:"opens" min:"-10" max:"10"`
	// What is added to a turn with a pronoun of the first person.
	OfSelf float64 `wm:"ofSelf" min:"-10" max:"10"`
	// What is added to a turn with a pronoun of the second person.
	ToOther float64 `wm:"toOther" min:"-10" max:"10"`
	// What is added to a turn with a time if the query asks for one.
	When float64 `wm:"when" min:"-10" max:"10"`
	// What is added to capitals if the query asks for a place or which one.
	NamesAsked float64 `wm:"namesAsked" min:"-10" max:"10"`
	// What is added to a turn with a number if the query asks how many.
	Number float64 `wm:"number" min:"-10" max:"10"`
	// Factor of the best score in a turn's conversation, which is added before all is divided by 1 +
	// best.
	Best float64 `wm:"best" min:"0" max:"10"`
	// Factor of the score of the second turn before, which is added likewise.
	TwoBefore float64 `wm:"twoBefore" min:"-10" max:"10"`
	// Factor of the score of the turn before.
	OneBefore float64 `wm:"oneBefore" min:"-10" max:"10"`
	// Factor of the score of the turn after.
	OneAfter float64 `wm:"oneAfter" min:"-10" max:"10"`
	// What a turn has by chance; it is taken from its score, up to three quarters of it, if the query
	// names no speaker.
	ByChance float64 `wm:"byChance" min:"-10" max:"10"`
	// How much less the rest of the score of a turn counts; it is divided by 1 + turn.
	Turn float64 `wm:"turn" min:"0" max:"10"`
}

// Embeddings is an endpoint for embeddings, by which search finds what is near in meaning
// (docs/systems.md E15). docs/privacy.md says what is sent to it.
type Embeddings struct {
	// Address of an endpoint with OpenAI's API, such as http://localhost:11434/v1: documents are sent to
	// /embeddings below it. It must be https, or http on this machine. Nothing is sent to anybody if
	// it is empty.
	URL string `wm:"url" kind:"endpoint" person:"yes" common:"yes"`
	// Name of the model. If it changes, all documents are sent again.
	Model string `wm:"model" maxChars:"200" person:"yes" common:"yes"`
	// Length of the vectors that the model is asked for; 0 leaves it to the model. If it changes, all
	// documents are sent again.
	Dimensions int `wm:"dimensions" min:"0" max:"4096" person:"yes"`
	// Name of the environment variable with the API key. If there is no such variable, no key is sent.
	KeyVariable string `wm:"keyVariable" kind:"variable" person:"yes"`
	// Absolute path of a file with the API key. It takes precedence over keyVariable.
	KeyFile string `wm:"keyFile" kind:"path" person:"yes"`
	// What is put before a query, as some models need it, such as "search_query: ".
	QueryPrefix string `wm:"queryPrefix" maxChars:"200" person:"yes"`
	// What is put before a document that is searched for, such as "search_document: ". If it changes, all
	// documents are sent again.
	TextPrefix string `wm:"textPrefix" maxChars:"200" person:"yes"`
	// Maximum characters of a document that are sent.
	MaxChars int `wm:"maxChars" min:"100" max:"100000" person:"yes"`
	// Number of documents that are sent together.
	Batch int `wm:"batch" min:"1" max:"256" person:"yes"`
	// Milliseconds that a search waits for the vector of its query. After that it goes by words.
	SearchMillis int `wm:"searchMillis" min:"10" max:"10000" person:"yes"`
	// Seconds after which a request is given up.
	TimeoutSeconds int `wm:"timeoutSeconds" min:"1" max:"600" person:"yes"`
	// How much the vectors count in a search: what is added to the score of the text whose vector is
	// the nearest. A document with all words of a query has a score of about 1.
	Weight float64 `wm:"weight" min:"0" max:"10"`
}

// Search returns SearchMillis as a duration.
func (e Embeddings) Search() time.Duration { return time.Duration(e.SearchMillis) * time.Millisecond }

// Timeout returns TimeoutSeconds as a duration.
func (e Embeddings) Timeout() time.Duration { return time.Duration(e.TimeoutSeconds) * time.Second }

// Log limits the log of changes. Older changes are folded into a snapshot.
type Log struct {
	// Maximum number of changes that are kept individually.
	MaxChanges int `wm:"maxChanges" min:"100" max:"10000000" workspace:"yes"`
	// Days for which changes are kept individually.
	MaxDays int `wm:"maxDays" min:"1" max:"3650" workspace:"yes"`
	// Maximum number of contexts and searches that the trace keeps. They are not changes and do not
	// count as such.
	MaxReads int `wm:"maxReads" min:"0" max:"1000000" workspace:"yes"`
	// Days for which they are kept.
	ReadDays int `wm:"readDays" min:"1" max:"3650" workspace:"yes"`
}

// Recording controls recording.
type Recording struct {
	// Minutes that wm/pause pauses by default.
	PauseMinutes int `wm:"pauseMinutes" min:"1" max:"525600" common:"yes"`
}

// Cleaning bounds the memories that wm-lsp purge --gone deletes.
type Cleaning struct {
	// Days for which the memory of a folder that is gone must not have been used.
	GoneDays int `wm:"goneDays" min:"1" max:"36500"`
}

// Export lists what is written into files of a worktree.
type Export struct {
	// File in a worktree, such as AGENTS.md, whose block between the markers of wm-lsp export is kept up to
	// date with the entries in force. A file without markers stays as it is; wm-lsp export --into adds them.
	// None by default.
	File string `wm:"file" maxChars:"200" person:"yes"`
}

// Default returns the default settings.
func Default() *Settings {
	return &Settings{
		Root:    "git",
		Exclude: []string{},
		Memory: Memory{
			MaxEntries: 28, MaxChars: 5200, MaxPinned: 14, MaxOffered: 40,
			MaxPast: 500, MaxPastOffers: 50, Types: []string{},
			Patterns: []MemoryPattern{},
		},
		Session: Session{
			MaxChars: 1200, MaxFiles: 8, MaxErrors: 3, CollapseAfter: 50, MaxDecisions: 5, KeepDays: 14,
			LeaseMinutes: 30, HandoverHours: 12,
		},
		Errors: Errors{Publish: true, StillMillis: 1500, Linters: []string{
			"biome", "clippy", "eslint", "flake8", "golangci-lint", "hadolint", "luacheck", "markdownlint", "oxlint",
			"pycodestyle", "pydocstyle", "pyflakes", "pylint", "revive", "rubocop", "ruff", "selene", "shellcheck",
			"staticcheck", "stylelint", "yamllint",
		}, Patterns: []ErrorPattern{}},
		Files: Files{MaxBytes: 1 << 20, BurstMillis: 2000},
		Tools: Tools{
			Read:  []string{"read", "view", "open", "cat", "read_file", "notebookread"},
			Edit:  []string{"edit", "patch", "multiedit", "apply_patch", "str_replace", "notebookedit"},
			Write: []string{"write", "create", "write_file", "create_file"},
			Grep:  []string{"grep", "search"},
			Glob:  []string{"glob", "list", "ls", "find"},
			Shell: []string{"bash", "shell", "run", "exec", "terminal", "run_command"},
		},
		Context: Context{PrefixChars: 17000},
		Prune: Prune{
			Normal:     PruneRule{Threshold: 50, Keep: 30},
			Aggressive: PruneRule{Threshold: 30, Keep: 20},
			Hyper:      PruneRule{Threshold: 15, Keep: 10},
			Lines:      []PruneLine{},
		},
		Outputs:  Outputs{MaxFiles: 300, MaxDays: 7},
		Pressure: Pressure{CharLimit: 180_000, Moderate: 70, High: 85, Critical: 95},
		Core:     Core{Goal: 1000, Progress: 2000, Context: 1500},
		Working:  Working{MaxChars: 1600, PoolItems: 100, Slots: []Slot{}},
		Compact:  Compact{Auto: true, Light: 0.20, Medium: 0.40, Heavy: 0.60, Emergency: 0.75},
		Notes:    Notes{Create: true, Language: "en", MaxChars: 5000},
		History:  History{KeepRecent: 5, MaxBytes: 4 << 20, MaxArchives: 50},
		Items: Items{
			MinImportance: 0.15, MinNovelty: 0.1, Guard: 0.7, MaxWorking: 100, MaxConversation: 1000,
			MaxEpisodic: 1_000_000, MaxSemantic: 100_000, Routes: []ItemRoute{},
			EnableSkillExtraction: true,
			EpisodeGapMinutes:     30, EpisodeItems: 40, EpisodeTokens: 4000,
			MemoryTypes: []MemoryType{},
		},
		Recall: Recall{
			Similarity: 0.40, Recency: 0.25, Importance: 0.25, Duplication: 0.10, Decay: 0.01,
			Candidates: 50, Working: 20, Episodic: 30, Semantic: 30,
			Weights: Weights{
				K1: 0.8, B: 0.3, Generic: 0.6, Capital: 1.5, Speaker: 0.3, Family: 0.3, Beside: 0.2,
				Related: 1, RelatedInThread: 0.5, Meaning: 0.5, Sure: 1.2,
				Before1: 0, Before2: 0.3, Before3: 0.05, After1: 0.1, After2: 0.1,
				After3: 0.05, Question: 1, Thread: 0.2, Said: 0.15, OnDay: 0.5, SoonAfter: 0.3, InMonth: 0.45,
				Length: 0.01, Asks: -0.1, Capitals: 0.1, Opens: 0.05, OfSelf: 0.05, ToOther: -0.05, When: 0.4,
				NamesAsked: 0.2, Number: 0.2, Best: 0.3, TwoBefore: 0.1, OneBefore: -0.1, OneAfter: 0.1,
				ByChance: 0.3, Turn: 0.6,
			},
			MaxTokens: 300, TopK: 5, Floor: 3.2, FloorOfSaid: 4.2, Shares: []RecallShare{
				{"workspace", 0.3}, {"semantic", 0.3}, {"errors", 0.2}, {"notes", 0.2},
			},
			DefaultFilters: RecallFilters{Stores: []string{}, Types: []string{}, Tags: []string{}},
		},
		Embeddings: Embeddings{
			KeyVariable: "WM_LSP_EMBEDDINGS_KEY", MaxChars: 6000, Batch: 32, SearchMillis: 300, TimeoutSeconds: 30,
			Weight: 1,
		},
		Log:       Log{MaxChanges: 20000, MaxDays: 90, MaxReads: 5000, ReadDays: 30},
		Recording: Recording{PauseMinutes: 60},
		Cleaning:  Cleaning{GoneDays: 90},
	}
}

// Lease returns LeaseMinutes as a duration.
func (s Session) Lease() time.Duration { return time.Duration(s.LeaseMinutes) * time.Minute }

// Handover returns HandoverHours as a duration.
func (s Session) Handover() time.Duration { return time.Duration(s.HandoverHours) * time.Hour }

// Still returns StillMillis as a duration.
func (e Errors) Still() time.Duration { return time.Duration(e.StillMillis) * time.Millisecond }

// Burst returns BurstMillis as a duration.
func (f Files) Burst() time.Duration { return time.Duration(f.BurstMillis) * time.Millisecond }
