package memory

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// ErrNoHistory means that the conversation of a session is not kept.
var ErrNoHistory = errors.New("the conversation of this session is not kept: start it with wm/session/start and history: true, or set history.keep")

// historyOf is the conversation of a session, kept or not.
func (w *Workspace) historyOf(session string) (history.Log, error) {
	s := w.store.Load()
	if s == nil {
		return history.Log{}, w.storeError()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	log, there := w.histories[session]
	if !there {
		log = history.In(s.SessionDir(session), history.Options{
			MaxBytes: func() int { return w.Settings().History.MaxBytes }, Tokens: tokens.Count,
		})
		w.histories[session] = log
	}
	return log, nil
}

// keepsHistory is ErrNoHistory if the conversation of a session is not kept.
func (w *Workspace) keepsHistory(session string) error {
	s := w.store.Load()
	if s == nil {
		return w.storeError()
	}
	_, err := os.Lstat(filepath.Join(s.SessionDir(session), history.MetaName))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoHistory
	}
	return err
}

// History is the conversation of a session; the error is ErrNoHistory if it is
// not kept.
func (w *Workspace) History(session string) (history.Conversation, error) {
	if err := w.keepsHistory(session); err != nil {
		return history.Conversation{}, err
	}
	log, err := w.historyOf(session)
	if err != nil {
		return history.Conversation{}, err
	}
	return log.Load()
}

// KeepHistory keeps the conversation of a session from now on, with the folder
// that it needs (systems.md D1). It is called on the queue.
func (w *Workspace) KeepHistory(ctx context.Context, ev event.Event) error {
	folder, err := ServiceOf[*notes.Service](w).Folder(ev.Session)
	if err != nil {
		return err
	}
	if err := folder.Make(); err != nil {
		return historyError(err)
	}
	if err := w.describe(ev.Session); err != nil {
		return historyError(err)
	}
	return ServiceOf[*notes.Service](w).MakeOverview(ctx, ev)
}

// redescribe brings that up to date; nothing depends on it.
func (w *Workspace) redescribe(session string) {
	if err := w.describe(session); err != nil {
		w.options.Log.Warn("describe a session", "workspace", w.key, "error", err)
	}
}

// describe writes down what session a folder is of.
func (w *Workspace) describe(session string) error {
	log, err := w.historyOf(session)
	if err != nil {
		return err
	}
	conversation, err := log.Load()
	if err != nil {
		return err
	}
	known, _ := w.Sessions().Get(session)
	return log.SetMeta(history.Meta{
		SessionID: session, Agent: gate.Text(known.Agent), Title: gate.Text(known.Title), Worktree: known.Worktree,
		StartedAt: known.StartedAt, UpdatedAt: known.UpdatedAt, Turn: known.Turn,
		Messages: len(conversation.Messages), Compactions: len(conversation.Compactions),
	})
}

// converse appends what was said, or what a tool printed, to the conversation of
// a session that keeps it. It comes before anything else is made of the event, so
// that an event which fails can be told again.
func (w *Workspace) converse(ctx context.Context, ev event.Event) error {
	switch ev.Body.(type) {
	case event.MessageReceived, event.ToolRan:
	default:
		return nil
	}
	err := w.keepsHistory(ev.Session)
	if errors.Is(err, ErrNoHistory) && w.Settings().History.Keep {
		err = w.KeepHistory(ctx, ev)
	}
	switch {
	case errors.Is(err, ErrNoHistory):
		return nil
	case w.store.Load() == nil:
		return nil // what is not kept at all goes on in memory
	case err != nil:
		return historyError(err)
	}
	log, err := w.historyOf(ev.Session)
	if err != nil {
		return err
	}
	m, err := log.Append(w.message(ev))
	if err != nil && m.ID != "" { // it is kept, only the file could not be bounded
		w.options.Log.Warn("bound a conversation", "workspace", w.key, "error", err)
		return nil
	}
	if err != nil {
		return historyError(err)
	}
	return nil
}

// message is what an event adds to a conversation, without its secrets.
func (w *Workspace) message(ev event.Event) history.Message {
	m := history.Message{ID: gate.Text(ev.ID), At: ev.At}
	if m.At.IsZero() {
		m.At = w.now()
	}
	switch body := ev.Body.(type) {
	case event.MessageReceived:
		m.Role, m.Text, m.Tokens = body.Role, gate.Text(body.Text), body.Tokens
	case event.ToolRan:
		run := body.Run(ev.Worktree, w.Settings().Errors)
		m.Role, m.Text = history.Tool, gate.Text(run.Output.Stdout)
		m.Tool, m.Command = gate.Text(body.Tool), gate.Text(run.Command.Line)
	}
	return m
}

// A Compaction is what a conversation is to be compacted to.
type Compaction struct {
	Target   history.Target
	Strategy history.Strategy
	// KeepRecent is how many turns and outputs stay; 0 is the setting.
	KeepRecent int
	// ArchiveTo is a note in detail/, or empty for a new one.
	ArchiveTo string
	// Summary is that of the model; empty for an extractive one.
	Summary string
	By      history.By
}

// Compacted is what became of it. Removed is empty where nothing had to leave.
type Compacted struct {
	Removed, Kept []string
	Summary       string
	ArchivedTo    string
	TokensBefore  int
	TokensAfter   int
}

const (
	maxSummaryChars = 4000
	// maxToldChars is how much of what was compacted the overview tells.
	maxToldChars = 1500
)

// toldHeadings begin the part of the overview that tells what was compacted.
var toldHeadings = map[string]string{"en": "## Earlier history\n\n", "zh": "## 较早的历史\n\n"}

// Compact takes messages out of the conversation of a session: what they said is
// archived in a note, or only summarised; the overview tells of both (systems.md
// C3, C4). The last turns, the current task, the next step and decisions with
// their reasons stay. It is called on the queue.
func (w *Workspace) Compact(ctx context.Context, ev event.Event, c Compaction) (done Compacted, err error) {
	log, err := w.historyOf(ev.Session)
	if err != nil {
		return Compacted{}, err
	}
	if err := w.keepsHistory(ev.Session); err != nil {
		return Compacted{}, historyError(err)
	}
	// Two processes whose agent is nearly out of context compact one after the other.
	err = log.Alone(func() error {
		done, err = w.compact(ctx, ev, c)
		return err
	})
	if err != nil {
		return Compacted{}, historyError(err)
	}
	return done, nil
}

func (w *Workspace) compact(ctx context.Context, ev event.Event, c Compaction) (Compacted, error) {
	conversation, err := w.History(ev.Session)
	if err != nil {
		return Compacted{}, err
	}
	folder, err := ServiceOf[*notes.Service](w).Folder(ev.Session)
	if err != nil {
		return Compacted{}, err
	}
	var absent *notes.NotFoundError
	if _, err := folder.Read(notes.Overview); err != nil && !errors.As(err, &absent) {
		return Compacted{}, err // it could not be told there; nothing has changed yet
	}
	if c.KeepRecent == 0 {
		c.KeepRecent = w.Settings().History.KeepRecent
	}
	plan := history.NewPlan(conversation, history.Choice{Target: c.Target, KeepRecent: c.KeepRecent})
	done := Compacted{Summary: w.summaryOf(ctx, ev, conversation, plan, c.Summary)}
	done.Removed, done.Kept = plan.IDs()
	done.TokensBefore, done.TokensAfter = plan.Tokens(done.Summary, tokens.Count)
	for _, former := range conversation.Compactions { // whose summaries still stand for something
		summary := tokens.Count(former.Summary)
		done.TokensBefore, done.TokensAfter = done.TokensBefore+summary, done.TokensAfter+summary
	}
	if plan.IsEmpty() {
		done.Summary = ""
		return done, nil
	}
	now := w.now()
	if c.Strategy == history.Archive {
		if done.ArchivedTo, err = w.archive(ctx, ev, folder, plan, c.ArchiveTo, done.Summary); err != nil {
			return Compacted{}, err
		}
	}
	record := history.Compaction{
		Removed: done.Removed, Summary: done.Summary, ArchivedTo: done.ArchivedTo, Target: c.Target, Strategy: c.Strategy, By: c.By, At: now,
		TokensBefore: done.TokensBefore, TokensAfter: done.TokensAfter,
	}
	if err := w.record(ctx, ev, record); err != nil {
		return Compacted{}, err
	}
	if err := w.tellInOverview(ctx, ev); err != nil { // the messages have left all the same
		w.options.Log.Warn("tell in the overview what was compacted", "workspace", w.key, "error", err)
	}
	return done, nil
}

// FallbackDue reports whether the server is to compact a conversation whose
// context is still nearly full after it did: it has twice as many turns again as
// a compaction keeps.
func (w *Workspace) FallbackDue(session string) bool {
	conversation, err := w.History(session)
	turns := 0
	for _, m := range conversation.Messages {
		if m.Role == history.User {
			turns++
		}
	}
	return err == nil && turns >= 2*w.Settings().History.KeepRecent
}

// record notes a compaction in the conversation and in the log of changes
// (systems.md A13).
func (w *Workspace) record(ctx context.Context, ev event.Event, c history.Compaction) error {
	log, err := w.historyOf(ev.Session)
	if err == nil {
		err = log.Record(c)
	}
	if err != nil {
		return historyError(err)
	}
	_, err = w.Apply(ctx, change.Actor{Session: ev.Session, Agent: ev.Agent}, func() ([]change.Change, error) {
		return w.Sessions().Compacted(ev.Session, sessions.Compaction{
			By: string(c.By), Target: string(c.Target), Messages: len(c.Removed), ArchivedTo: c.ArchivedTo, TokensBefore: c.TokensBefore, TokensAfter: c.TokensAfter,
		}), nil
	})
	if err == nil {
		w.redescribe(ev.Session)
	}
	return err
}

// tellInOverview brings the part of the overview up to date that tells what was
// compacted. Without an overview there is nothing to tell it in.
func (w *Workspace) tellInOverview(ctx context.Context, ev event.Event) error {
	conversation, err := w.History(ev.Session)
	if err != nil {
		return err
	}
	folder, err := ServiceOf[*notes.Service](w).Folder(ev.Session)
	if err != nil {
		return err
	}
	if _, err := folder.Read(notes.Overview); err != nil && !w.Settings().Notes.Create {
		return nil
	}
	language := w.Settings().Notes.Language
	files, err := folder.List()
	if err != nil {
		return historyError(err)
	}
	compactions := slices.Clone(conversation.Compactions)
	for i, c := range compactions {
		if !slices.ContainsFunc(files, func(f notes.File) bool { return f.Path == c.ArchivedTo }) {
			compactions[i].ArchivedTo = "" // it is gone, or was archived further
		}
	}
	told := history.Block(compactions, language, maxToldChars)
	_, err = ServiceOf[*notes.Service](w).UpdateOverview(ctx, ev, "", func(text string) (string, error) {
		return overview.SetBlock(text, overview.History, toldHeadings[language]+told), nil
	})
	return err
}

// nothingToSay is the summary of messages in which nothing was asked or decided.
var nothingToSay = map[string]string{"en": "Nothing was asked or decided in these messages.", "zh": "这些消息中没有提出要求或作出决定。"}

// summaryOf is the summary of what leaves: the model's, with what it forgot, or
// an extractive one.
func (w *Workspace) summaryOf(ctx context.Context, ev event.Event, all history.Conversation, plan history.Plan, given string) string {
	language := w.Settings().Notes.Language
	facts := w.facts(ctx, ev)
	whole := summary.Of(history.Said(all.Messages), facts)
	s := summary.Of(history.Said(plan.Removed), facts)
	s.Task, s.NextStep = whole.Task, whole.NextStep
	if strings.TrimSpace(given) == "" {
		return gate.Text(cmp.Or(s.Markdown(maxSummaryChars, language), nothingToSay[language]))
	}
	if forgotten := s.Without(given).Markdown(maxSummaryChars, language); forgotten != "" {
		given = strings.TrimRight(given, "\n") + "\n\n" + forgotten
	}
	return gate.Text(given)
}

// facts are what the rooms know of a session.
func (w *Workspace) facts(ctx context.Context, ev event.Event) summary.Facts {
	facts := summary.Facts{Root: ev.Worktree}
	blocks := map[string]*string{"goal": &facts.Goal, "progress": &facts.Progress}
	for _, name := range core.Names() {
		if into := blocks[name]; into != nil {
			*into = RoomOf[*core.Room](w).Get(ev.Session, name).Content
		}
	}
	for _, note := range RoomOf[*hot.Room](w).Notes(ev.Session, hot.Decision) {
		facts.Decisions = append(facts.Decisions, note.Text)
	}
	for _, todo := range RoomOf[*hot.Room](w).Todos(ev.Session) {
		if todo.Status != "completed" && todo.Status != "cancelled" {
			facts.Todos = append(facts.Todos, todo.Content)
		}
	}
	for _, note := range RoomOf[*hot.Room](w).Notes(ev.Session, hot.Todo) {
		facts.Todos = append(facts.Todos, note.Text)
	}
	for _, file := range RoomOf[*hot.Room](w).Files(ev.Session, ev.Worktree, 0) {
		if file.Session == ev.Session && (file.Action == event.Edit || file.Action == event.Write) {
			facts.Files = append(facts.Files, file.Path)
		}
	}
	facts.Opened, facts.Closed = w.errorsOf(ctx, ev)
	return facts
}

// maxErrorsTraced is how many reports of errors are looked through for a summary.
const maxErrorsTraced = 500

// errorsOf returns the errors of a session that are open, and those that were.
func (w *Workspace) errorsOf(ctx context.Context, ev event.Event) (opened, closed []string) {
	w.flush(ctx)
	reports, err := w.Trace(ctx, store.Filter{Kinds: []string{string(hot.ErrorSeen)}, Limit: maxErrorsTraced})
	if err != nil {
		w.options.Log.Warn("look for the errors of a session", "workspace", w.key, "error", err)
	}
	for _, report := range reports {
		if report.Session != ev.Session {
			continue
		}
		told := hot.Told(report)
		if _, open := RoomOf[*hot.Room](w).Open(ev.Worktree, report.Subject); open {
			opened = append(opened, told)
		} else {
			closed = append(closed, told)
		}
	}
	return opened, closed
}

// archive writes what leaves a conversation into notes and returns the first. A
// note that is named and there already is continued.
func (w *Workspace) archive(ctx context.Context, ev event.Event, folder notes.Folder, plan history.Plan, to, text string) (string, error) {
	name, err := w.archiveName(ev.Session, folder, plan.Target, to)
	if err != nil {
		return "", err
	}
	for _, note := range plan.Archive(name, text, w.now()) {
		_, err := ServiceOf[*notes.Service](w).Update(ctx, ev, func(folder notes.Folder) (notes.Note, error) {
			return folder.Update(note.Name, func(before notes.Note) (string, error) {
				if before.Content == "" {
					return gate.Text(note.Text), nil
				}
				return strings.TrimRight(before.Content, "\n") + "\n\n" + gate.Text(note.Text), nil
			})
		})
		if err != nil {
			return "", err
		}
	}
	return name, w.boundArchives(folder)
}

// archiveName is the note that is asked for, or a new one.
func (w *Workspace) archiveName(session string, folder notes.Folder, target history.Target, to string) (string, error) {
	if to != "" {
		name, err := notes.Clean(to)
		if err == nil {
			err = notes.TellsNothing(name)
		}
		if err == nil && !strings.HasPrefix(name, notes.Detail+"/") {
			err = &notes.PathError{Path: to, Reason: "is not in detail/, where archived history goes"}
		}
		return name, err
	}
	files, err := folder.List()
	if err != nil {
		return "", historyError(err)
	}
	conversation, err := w.History(session)
	if err != nil {
		return "", historyError(err)
	}
	taken := func(name string) bool { // a name that is told of is not used again
		return slices.ContainsFunc(files, func(f notes.File) bool { return f.Path == name }) ||
			slices.ContainsFunc(conversation.Compactions, func(c history.Compaction) bool { return c.ArchivedTo == name })
	}
	at := w.now()
	name := history.ArchiveName(target, at)
	for taken(name) {
		at = at.Add(time.Second)
		name = history.ArchiveName(target, at)
	}
	return name, nil
}

// archived are the names that the server gives to archived history; a large one
// has parts.
var archived = pattern.Lazy(`^detail/((?:conversation|tools)-\d{4}-\d\d-\d\d-\d{6})(?:-\d+)?\.md$`)

// boundArchives deletes the oldest of too many archives, each with all its parts.
func (w *Workspace) boundArchives(folder notes.Folder) error {
	files, err := folder.List()
	if err != nil {
		return historyError(err)
	}
	slices.SortFunc(files, func(a, b notes.File) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	kept := map[string]bool{}
	for _, file := range files {
		match := archived().FindStringSubmatch(file.Path)
		if match == nil {
			continue
		}
		if len(kept) < w.Settings().History.MaxArchives {
			kept[match[1]] = true
		}
		if kept[match[1]] {
			continue
		}
		if err := folder.Remove(file.Path); err != nil {
			return historyError(err)
		}
	}
	return nil
}

// historyError says that the disk is to blame for an error that nothing else
// explains.
func historyError(err error) error {
	if errors.Is(err, ErrNoHistory) {
		return err
	}
	return notes.StoreError(err)
}
