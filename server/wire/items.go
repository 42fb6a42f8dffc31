package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// MemorizeParams are items to store. If one is invalid, none is stored.
type MemorizeParams struct {
	Params
	// The items, 1 to 1000.
	Items []MemoryItem `json:"items"`
	// An object of what holds for every item that does not say it itself: members of an item, such as
	// type, source, tags and importance. Other members are added to the metadata of the items.
	Metadata json.RawMessage `json:"metadata,omitzero"`
}

// usualItems is for how many items there is room from the start.
const usualItems = 1000

// UnmarshalJSON decodes params whose items may have the names of members with underscores, such as
// agent_id. The error is a *json.UnmarshalTypeError if a member has another type.
func (p *MemorizeParams) UnmarshalJSON(data []byte) error {
	type plain MemorizeParams
	objects := bytes.Count(data, []byte("{")) - 1 // in the params
	p.Items = make([]MemoryItem, 0, max(0, min(objects, usualItems)))
	err := unmarshalItems(data, (*plain)(p), "")
	if len(p.Items) == 0 {
		p.Items = nil // it may be missing
	}
	if err != nil || len(p.Metadata) == 0 {
		return err
	}
	var common commonItem
	if err := unmarshalItems(p.Metadata, &common, "/metadata"); err != nil {
		return err
	}
	for i := range p.Items {
		common.complete(&p.Items[i])
	}
	return nil
}

// unmarshalItems decodes what UnmarshalJSON decodes, or the part of it that a JSON pointer names.
func unmarshalItems(data []byte, to any, pointer string) error {
	err := jsonv2.Unmarshal(data, to, jsonv2.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	var semantic *jsonv2.SemanticError
	if !errors.As(err, &semantic) || semantic.GoType == nil {
		return err
	}
	return &json.UnmarshalTypeError{
		Value: kinds.Get()[semantic.JSONKind], Type: semantic.GoType,
		Field: pathOf(pointer + string(semantic.JSONPointer)),
	}
}

// A commonItem is what holds for several items.
type commonItem struct {
	MemoryItem
	Others map[string]jsontext.Value `json:",embed"`
}

// complete sets the members that an item does not have, and adds the others to its metadata, unless that is not an
// object.
func (c *commonItem) complete(item *MemoryItem) {
	to, from := reflect.ValueOf(item).Elem(), reflect.ValueOf(c.MemoryItem)
	for i := range to.NumField() {
		if to.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
	if len(c.Others) == 0 {
		return
	}
	all := maps.Clone(c.Others)
	if len(item.Metadata) > 0 && jsonv2.Unmarshal(item.Metadata, &all) != nil {
		return
	}
	if merged, err := jsonv2.Marshal(all, jsonv2.Deterministic(true)); err == nil {
		item.Metadata = merged
	}
}

// pathOf returns a JSON pointer as a path, such as items[3].tags[0] for /items/3/tags/0.
func pathOf(pointer string) string {
	var path strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch {
		case part != "" && strings.Trim(part, "0123456789") == "":
			path.WriteString("[" + part + "]")
		case path.Len() > 0:
			path.WriteString("." + part)
		default:
			path.WriteString(part)
		}
	}
	return path.String()
}

// kinds are the names of the kinds of JSON values, as in errors of encoding/json.
var kinds = once.Value[map[jsontext.Kind]string]{Make: func() map[jsontext.Kind]string {
	return map[jsontext.Kind]string{
		'n': "null", 't': "bool", 'f': "bool", '"': "string", '0': "number", '[': "array", '{': "object",
	}
}}

// MemorizeResult lists what became of the items.
type MemorizeResult struct {
	// One result for each item, in their order.
	Results []MemorizeReceipt `json:"results"`
}

// MemorizeStatus is what became of an item.
type MemorizeStatus string

// The statuses.
const (
	MemorizeStored    MemorizeStatus = "stored"    // It was stored.
	MemorizeUpdated   MemorizeStatus = "updated"   // It was stored before; its importance or tags were set.
	MemorizeDuplicate MemorizeStatus = "duplicate" // It was stored before; nothing was changed.
	MemorizeRejected  MemorizeStatus = "rejected"  // It was not stored; the reason is importance or novelty.
)

// MemorizeReceipt describes what became of an item.
type MemorizeReceipt struct {
	// The id; that of the stored item if it is a duplicate.
	ID string `json:"id"`
	// The stores that hold it: working, episodic, semantic, conversation or others of the settings;
	// empty if it was rejected.
	Stores []string `json:"stores"`
	// What became of it.
	Status MemorizeStatus `json:"status"`
	// Why: importance or novelty if it was rejected, else the rule that led to the store, or that
	// working memory was full of more important items.
	Reason string `json:"reason,omitzero"`
	// The ids of the items that were evicted for it. What working memory puts away is not evicted.
	Evicted []string `json:"evicted"`
}

// MemoryItem is an item of the orchestrated memory. Only text is required. Names with underscores,
// such as agent_id, are accepted, too.
type MemoryItem struct {
	// The text, at most 65536 bytes.
	Text string `json:"text"`
	// The id, a ULID; by default the server makes one. An item with the id and text of a stored
	// one is not stored twice, so that a call can be repeated; its importance and tags are set.
	ID string `json:"id,omitzero"`
	// The type: user_message, tool_result, thought, action, plan, skill, summary, fact, metric,
	// observation, pattern or another.
	Type string `json:"type,omitzero"`
	// The store: auto, the default, or working, episodic, semantic, conversation or another of the
	// settings.
	Store string `json:"store,omitzero"`
	// Structured content beside the text; with the metadata at most 65536 bytes.
	Content json.RawMessage `json:"content,omitzero"`
	// When it happened; now by default.
	Timestamp Time `json:"timestamp,omitzero"`
	// The agent; that of the call by default.
	AgentID string `json:"agentId,omitzero"`
	// The agent's own id of its task; that of the call by default.
	TaskID string `json:"taskId,omitzero"`
	// The episode.
	EpisodeID string `json:"episodeId,omitzero"`
	// The channel of the conversation. By default the session is the thread of messages, thoughts,
	// actions, results of tools and observations with an agent or a source; others have none.
	Thread string `json:"thread,omitzero"`
	// How useful it will be, 0 to 1; estimated by default.
	Importance *float64 `json:"importance,omitzero"`
	// How new it was, 0 to 1; set by the server.
	Novelty *float64 `json:"novelty,omitzero"`
	// How recent it is, 0 to 1: exp(-recall.decay·d) after d days; set by the server.
	Recency *float64 `json:"recency,omitzero"`
	// Where it comes from: user, tool, system or model.
	Source string `json:"source,omitzero"`
	// Labels, at most 50.
	Tags []string `json:"tags,omitzero"`
	// An object with further data of the client.
	Metadata json.RawMessage `json:"metadata,omitzero"`
	// How long it is kept from when it was memorized: session, day, week, month, quarter, year or forever; by
	// default that of the store. With session, others find it while its session is live.
	Retention string `json:"retention,omitzero"`
	// The time to live in seconds from the timestamp; 0 is no limit.
	TTL int64 `json:"ttl,omitzero"`
	// The estimated number of tokens of the text; set by the server.
	TokensEstimate int `json:"tokensEstimate,omitzero"`
	// none, partial or full: how much of it was redacted; set by the server.
	RedactionStatus string `json:"redactionStatus,omitzero"`
	// The SHA-256 in hex of the text, or of the text, a zero byte and the content as it was sent.
	// If a client sends one, it is checked.
	Checksum string `json:"checksum,omitzero"`
	// A vector of the text.
	Embedding []float32 `json:"embedding,omitzero"`
	// Words by which it is to be found, besides those of the text.
	SparseTerms []string `json:"sparseTerms,omitzero"`
	// The position in working memory.
	Position int `json:"position,omitzero"`
	// The number of the step.
	StepIndex int `json:"stepIndex,omitzero"`
	// The item of which it is a chunk, or the summary that stands for it.
	ParentID string `json:"parentId,omitzero"`
	// The number of the chunk, from 0.
	ChunkIndex *int `json:"chunkIndex,omitzero"`
	// The version in semantic memory, from 1; set by the server.
	Version int `json:"version,omitzero"`
	// The items that it replaces in semantic memory, and those of other stores from which it follows, which stay.
	LineageIDs []string `json:"lineageIds,omitzero"`
	// When it is valid; always by default.
	Validity *Validity `json:"validity,omitzero"`
	// When it was last recalled.
	AccessedAt Time `json:"accessedAt,omitzero"`
	// When its importance or tags were set.
	ModifiedAt Time `json:"modifiedAt,omitzero"`
	// When it was removed, evicted or superseded, or its time was over.
	DeletedAt Time `json:"deletedAt,omitzero"`
}

// Validity is a range of time.
type Validity struct {
	// The begin; open by default.
	From Time `json:"from,omitzero"`
	// The end; open by default.
	To Time `json:"to,omitzero"`
}

// MemoryType is a memory type that holds items.
type MemoryType struct {
	// The name of the store.
	Name string `json:"name"`
	// Whether items are never changed or replaced.
	AppendOnly bool `json:"appendOnly"`
	// Whether an item may be a new version of others.
	Versioned bool `json:"versioned"`
	// Whether items are found by a search.
	Searchable bool `json:"searchable"`
	// Whether there is a maximum number of items, which evicts others.
	Bounded bool `json:"bounded"`
	// The maximum number of items, of each session if perSession is true; 0 if there is none.
	MaxItems int `json:"maxItems"`
	// Whether every session has its own.
	PerSession bool `json:"perSession"`
	// How long items are kept that do not say it.
	Retention string `json:"retention"`
	// The number of items, of all sessions.
	Items int `json:"items"`
	// The number of their tokens.
	Tokens int `json:"tokens"`
}

// BudgetParams request how full the budgets are.
type BudgetParams struct {
	Params
}

// BudgetResult is how much of each budget is used.
type BudgetResult struct {
	// The tokens of the sections of the context that have a limit.
	Tokens TokenBudget `json:"tokens"`
	// These sections, in the order of the context.
	Sections []SectionBudget `json:"sections"`
	// The memory types that hold items.
	MemoryTypes []MemoryType `json:"memoryTypes"`
	// The number of tool events and messages in the session.
	Events int `json:"events"`
	// The time for a context.
	Time TimeBudget `json:"time"`
}

// TokenBudget is how much of a budget in tokens is used.
type TokenBudget struct {
	// What is used.
	Used int `json:"used"`
	// What is left, at least 0.
	Remaining int `json:"remaining"`
	// The budget, estimated from the limits in characters with four characters a token.
	Max int `json:"max"`
}

// SectionBudget is how much of its budget a section uses.
type SectionBudget struct {
	// The id of the section.
	ID string `json:"id"`
	// The number of characters.
	Chars int `json:"chars"`
	// The maximum number.
	MaxChars int `json:"maxChars"`
	// The number of tokens.
	Tokens int `json:"tokens"`
}

// TimeBudget is how much of the time for a context is used, in microseconds.
type TimeBudget struct {
	// What it took to assemble the context for this answer.
	Used int64 `json:"used"`
	// What it should take at most.
	Budget int64 `json:"budget"`
}

// CommitParams close the step of a session.
type CommitParams struct {
	Params
	// What the step has achieved, in a line, for the block progress of the core memory; by default
	// the most important outcome among its items.
	Progress string `json:"progress,omitzero"`
}

// CommitResult is a step that was closed.
type CommitResult struct {
	// The number of the step in the session, from 1.
	Turn int `json:"turn"`
	// What the step has stored and what is still recalled, by store.
	Writes []CommitWrites `json:"writes"`
	// The summary of the tail of working memory; absent if it is short.
	Summary *MemoryItem `json:"summary,omitzero"`
	// The ids of the items for which the summary stands. They are in episodic memory now, and found as before.
	Summarized []string `json:"summarized"`
	// What the step has stored.
	Exports CommitExports `json:"exports"`
	// The skills that were found, or of which there is a new version, by what was done until now.
	Skills []Skill `json:"skills"`
}

// CommitWrites are the items that a step has stored in a store.
type CommitWrites struct {
	// The name of the store.
	Store string `json:"store"`
	// The number of items.
	Items int `json:"items"`
	// The number of their tokens.
	Tokens int `json:"tokens"`
}

// CommitExports are what a step has stored, and the goals.
type CommitExports struct {
	// The items in episodic memory, oldest first; the newest 200.
	Episodic []MemoryItem `json:"episodic"`
	// The items in semantic memory, oldest first; the newest 200.
	Semantic []MemoryItem `json:"semantic"`
	// The episodes of these items and of those in other stores, in the order in which they began.
	Episodes []CommitEpisode `json:"episodes"`
	// The goals of the core memory.
	Goals CommitGoals `json:"goals"`
}

// CommitEpisode is an episode: a piece of work in one or several threads.
type CommitEpisode struct {
	// The id, as in MemoryItem.episodeId.
	ID string `json:"id"`
	// What was asked for, which files were changed and what came of the checks; empty if nothing is known of it.
	Line string `json:"line"`
	// When it began.
	BegunAt Time `json:"begunAt"`
	// When it last went on.
	LastAt Time `json:"lastAt"`
	// When it ended; absent while it goes on.
	EndedAt Time `json:"endedAt,omitzero"`
	// Why it ended.
	Ending string `json:"ending,omitzero"`
	// The sessions and channels in which it happened.
	Threads []string `json:"threads"`
	// The number of its items.
	Items int `json:"items"`
	// The id of the item with its summary; absent before there is one.
	SummaryID string `json:"summaryId,omitzero"`
}

// CommitGoals are the goals of the core memory, and the progress.
type CommitGoals struct {
	// The block goal.
	Goal string `json:"goal"`
	// The block progress.
	Progress string `json:"progress"`
	// The line that was added to the progress; absent if there is no goal or no outcome, or if it
	// does not fit.
	Added string `json:"added,omitzero"`
}
