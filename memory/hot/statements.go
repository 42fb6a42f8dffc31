package hot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// StatementKind is the kind of a statement.
type StatementKind string

// The kinds of statements: what the user said that directs the work, open work, and the
// root causes that the assistant stated.
const (
	Decision StatementKind = "decision"
	Todo     StatementKind = "todo"
	Cause    StatementKind = "cause"
)

// maxStatements is how many statements of a kind are kept per session.
const maxStatements = 50

// A Statement is what was stated in a session (systems.md B12). A decision is a quotation of
// the user, with what it answers.
type Statement struct {
	Text string    `json:"text"`
	At   time.Time `json:"at"`
	saidAs
}

// saidAs is how something was said.
type saidAs struct {
	// Prompt and Step are the user's message in which it was said, counted from 1, and the
	// number of tools that had run. Prompt is 0 if that is unknown.
	Prompt int `json:"prompt,omitempty"`
	Step   int `json:"step,omitempty"`
	// Once is true if it asks for work that is done once, Design if it says how the product shall be,
	// Lasting if it holds beyond the task, and Rule if that is a rule or a preference.
	Once    bool `json:"once,omitempty"`
	Design  bool `json:"design,omitempty"`
	Lasting bool `json:"lasting,omitempty"`
	Rule    bool `json:"rule,omitempty"`
	// Answers is true if it agrees with the assistant, or chooses one of its options. Edits is how
	// often the session had changed a file when it was said.
	Answers bool `json:"answers,omitempty"`
	Edits   int  `json:"edits,omitempty"`
	// Argues is true if it is part of an argument, which the answer settles.
	Argues bool `json:"argues,omitempty"`
	// Entry is the text that it asks to remember.
	Entry string `json:"entry,omitempty"`
}

// taken is the payload of StatementTaken.
type taken struct {
	Kind StatementKind `json:"kind"`
	Text string        `json:"text"`
	saidAs
}

// forgotten is the payload of StatementForgotten. It must not hold the text, which
// is to be erased.
type forgotten struct {
	Kind StatementKind `json:"kind"`
	Hash string        `json:"hash"`
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(quality.Canonical(text)))
	return hex.EncodeToString(sum[:])
}

// observeMessage returns changes for what a message states, what that supersedes, and what
// the next message may refer to.
func (r *Room) observeMessage(ev event.Event, body event.MessageReceived) []change.Change {
	if body.Role != "user" && body.Role != "assistant" {
		return nil
	}
	heard := body.Heard()
	now, said := r.activity(ev.Session), activity{Turns: 1}
	if body.Role == "user" {
		said.Prompts = 1
	}
	changes := []change.Change{counted(ev.Session, said)}
	if body.Role == "user" {
		changes = append(changes, r.told(ev, body.Text)...)
		changes = append(changes, r.tasked(ev, body)...)
		changes = append(changes, r.named(ev, func(file string) bool { return names(body.Text, file) })...)
	}
	sayings := make([]string, 0, len(heard.Sayings))
	for _, saying := range heard.Sayings {
		sayings = append(sayings, saying.String())
	}
	replaces := request.Superseding(sayings...)
	former := r.statements[key(statementTable, ev.Session, string(Decision))]
	for i, old := range former {
		last := heard.TakesBack && i == len(former)-1
		if last || replaces(old.Text) || heard.Overtakes(old.Text) {
			changes = append(changes, forget(ev.Session, Decision, old.Text).AsHot())
		}
	}
	for i, saying := range heard.Sayings {
		as := saidAs{
			Prompt: now.Prompts + 1, Step: now.Steps, Edits: now.Edits, Once: saying.Once(), Lasting: saying.Lasting,
			Answers: saying.Answers != "", Design: saying.Design || saying.AsksForWork(), Argues: saying.Argues,
			Entry: heard.Entry(saying.Text),
		}
		as.Rule = saying.Type == request.Feedback && saying.Answers == "" && saying.Standing()
		changes = append(changes, change.New(StatementTaken, "", taken{Decision, sayings[i], as}).AsHot())
	}
	for _, text := range heard.Todos {
		changes = append(changes, TakeStatement(Todo, text).AsHot())
	}
	for _, text := range heard.Causes {
		as := saidAs{Prompt: now.Prompts + said.Prompts, Step: now.Steps, Edits: now.Edits, Lasting: true}
		changes = append(changes, change.New(StatementTaken, "", taken{Cause, text, as}).AsHot())
	}
	if !reflect.DeepEqual(heard.Next, r.replies[key(replyTable, ev.Session)]) {
		changes = append(changes, change.New(ReplySeen, ev.Session, heard.Next).AsHot())
	}
	return changes
}

// Before returns what the next message of a session may refer to.
func (r *Room) Before(session string) request.Before {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.replies[key(replyTable, session)]
}

func (r *Room) foldReply(c change.Change) ([]change.Row, error) {
	var before request.Before
	if err := c.Decode(&before); err != nil {
		return nil, err
	}
	return []change.Row{r.replies.Put(key(replyTable, c.Subject), before)}, nil
}

func forget(session string, kind StatementKind, text string) change.Change {
	return change.New(StatementForgotten, session, forgotten{kind, hashOf(text)})
}

// TakeStatement returns the change that adds a statement to the session that applies it.
func TakeStatement(kind StatementKind, text string) change.Change {
	return change.New(StatementTaken, "", taken{Kind: kind, Text: text})
}

// TakenIn returns the statements of a kind that changes add, in order.
func TakenIn(changes []change.Change, kind StatementKind) []string {
	texts := []string{}
	for _, c := range changes {
		var p taken
		if c.Kind == StatementTaken && c.Decode(&p) == nil && p.Kind == kind {
			texts = append(texts, p.Text)
		}
	}
	return texts
}

// foldTaken keeps a statement. It replaces an earlier one with the same canonical text.
func (r *Room) foldTaken(c change.Change) ([]change.Row, error) {
	var p taken
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	k := key(statementTable, c.Session, string(p.Kind))
	list := append(r.statementsBut(k, hashOf(p.Text)), Statement{p.Text, c.At, p.saidAs})
	return []change.Row{r.statements.Put(k, list[max(0, len(list)-maxStatements):])}, nil
}

func (r *Room) foldForgotten(c change.Change) ([]change.Row, error) {
	var p forgotten
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	k := key(statementTable, c.Subject, string(p.Kind))
	return []change.Row{r.statements.Put(k, r.statementsBut(k, p.Hash))}, nil
}

func (r *Room) statementsBut(k, hash string) []Statement {
	list := slices.Clone(r.statements[k])
	return slices.DeleteFunc(list, func(s Statement) bool { return hashOf(s.Text) == hash })
}

// Statements returns the statements of a kind of a session, the newest last.
func (r *Room) Statements(session string, kind StatementKind) []Statement {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.statements[key(statementTable, session, string(kind))])
}

// The number of messages of the user after which a choice leaves the context, and a request
// of a lasting kind after which something was edited.
const (
	choicePrompts  = 4
	lastingPrompts = 2
	// factPrompts is the same for what holds beyond the task and is not a rule. It is offered as a
	// memory.
	factPrompts = 10
)

// fulfilledSteps is the number of tools after which a request is taken to be fulfilled.
const fulfilledSteps = 5

// The number of messages of the user and of tools after which a statement leaves the context that is
// about something else than the session is now.
const (
	awayPrompts = 1
	awaySteps   = 75
)

// isPast reports whether a statement of a session in its present state is of the past: a
// request that was fulfilled since, or a choice for an earlier task. edited is when the session
// last changed a file.
func (s Statement) isPast(now activity, edited time.Time) bool {
	age := now.Prompts - s.Prompt
	worked := edited.After(s.At)
	switch {
	case s.Prompt == 0 || age == 0:
		return false
	case s.Argues:
		return true
	case s.Answers && now.Done > s.Edits: // what was agreed to is done, and the user has seen it
		return true
	case s.Design && !s.Rule && age >= lastingPrompts && now.Done > s.Edits:
		return true
	case s.Once && s.Lasting:
		return age >= lastingPrompts && worked
	case s.Once:
		return worked || age > 1 && now.Steps-s.Step >= fulfilledSteps
	}
	return !s.Rule && (!s.Lasting && age >= choicePrompts || age >= factPrompts)
}

// isAway reports whether a statement that still holds was said some time ago, of something else than the
// session is about now. A rule is about everything.
func (s Statement) isAway(now activity, about func() quality.Topic) bool {
	if s.Prompt == 0 || s.Rule || now.Prompts-s.Prompt < awayPrompts || now.Steps-s.Step < awaySteps {
		return false
	}
	return len(about()) > 0 && !about().Touches(s.Text)
}

// lastEdit returns when a session last changed a file.
func (r *Room) lastEdit(session string) time.Time {
	r.need(func(other string) bool { return other == session })
	r.mu.RLock()
	defer r.mu.RUnlock()
	var last time.Time
	for _, file := range r.files {
		if file.Session == session && !file.isScratch() && file.ChangedAt.After(last) {
			last = file.ChangedAt
		}
	}
	return last
}

// ForgetStatements returns changes that drop the statements of a session with the
// canonical form of one of the strings.
func (r *Room) ForgetStatements(session string, texts []string) []change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var changes []change.Change
	for _, kind := range []StatementKind{Decision, Todo, Cause} {
		for _, s := range r.statements[key(statementTable, session, string(kind))] {
			if slices.ContainsFunc(texts, func(t string) bool { return hashOf(t) == hashOf(s.Text) }) {
				changes = append(changes, forget(session, kind, s.Text))
			}
		}
	}
	return changes
}

// Forget returns a row without the statements and todos that contain one of the strings to
// erase, and without the statements that are a part of one. What the next message may refer
// to goes as a whole.
func (r *Room) Forget(row change.Row, texts []string) change.Row {
	holds := func(said string) bool { return holdsOne(said, texts) }
	isPart := func(said string) bool { return isPartOfOne(said, texts) }
	switch tableOf(row) {
	case bundleTable:
		return room.ForgetBundled(row, func(row change.Row) change.Row { return r.Forget(row, texts) })
	case statementTable:
		row.Value = withoutItems(row.Value, func(n Statement) bool { return holds(n.Text) || isPart(n.Text) })
	case todoTable:
		row.Value = withoutItems(row.Value, func(t event.Todo) bool {
			return slices.ContainsFunc([]string{t.ID, t.Content, t.Status, t.Priority}, holds)
		})
	case replyTable:
		var before request.Before
		if json.Unmarshal(row.Value, &before) == nil &&
			slices.ContainsFunc(before.Texts(), func(text string) bool { return holds(text) || isPart(text) }) {
			row.Value = nil
		}
		return row
	case taskTable, firstTable:
		var said string
		if json.Unmarshal(row.Value, &said) == nil {
			if text := strings.TrimSuffix(said, "…"); holds(text) || isPart(text) {
				row.Value = nil
			}
		}
		return row
	}
	return room.Without(row, texts)
}

func holdsOne(said string, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(said, text) })
}

func isPartOfOne(said string, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, said) })
}

// withoutItems returns a list in JSON without the items that match.
func withoutItems[T any](doc json.RawMessage, matches func(T) bool) json.RawMessage {
	var list []T
	if json.Unmarshal(doc, &list) != nil || !slices.ContainsFunc(list, matches) {
		return doc
	}
	kept, err := json.Marshal(slices.DeleteFunc(list, matches))
	if err != nil {
		return doc
	}
	return kept
}
