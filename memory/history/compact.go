package history

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// A Request describes a compaction.
type Request struct {
	Target   Target
	Strategy Strategy
	// KeepRecent is how many turns and outputs stay. 0 means the setting.
	KeepRecent int
	// ArchiveTo is a note in detail/. Empty means a new note.
	ArchiveTo string
	// Summary is the summary of the model. Empty means an extractive one.
	Summary string
	By      By
}

// A Result is the result of a compaction. Removed is empty if there was nothing to remove.
type Result struct {
	Removed, Kept []string
	Summary       string
	ArchivedTo    string
	TokensBefore  int
	TokensAfter   int
}

const (
	maxSummaryChars = 4000
	// maxBlockChars is the maximum length of the overview's block about compactions.
	maxBlockChars = 1500
)

// blockHeadings are the headings of the overview's block about compactions.
var blockHeadings = map[string]string{"en": "## Earlier history\n\n", "zh": "## 较早的历史\n\n"}

// Compact removes messages from the conversation of a session. They are archived in a note,
// or only summarized. The overview describes the compaction (systems.md C3, C4), soon after.
// The last turns stay, and the summary holds the current task, the next step and decisions with
// their reasons.
//
// The compaction is on the disk when confirm has returned, which the caller calls before it
// acknowledges it. The disk may sync what the caller writes until then at the same time.
func (s *Service) Compact(
	ctx context.Context, ev event.Event, c Request,
) (done Result, confirm func() error, err error) {
	log, err := s.log(ev.Session)
	if err != nil {
		return Result{}, nil, err
	}
	if err := s.kept(ev.Session); err != nil {
		return Result{}, nil, notes.StoreError(err)
	}
	// Compactions of several processes run one after the other. What was erased before is not
	// read from the memory or the files any more, and what is erased now waits.
	err = log.Exclusive(func() error {
		s.workspace.Refresh(ctx)
		done, err = s.compact(ctx, ev, c)
		return err
	})
	if err != nil {
		return Result{}, nil, notes.StoreError(err)
	}
	if len(done.Removed) == 0 {
		return done, func() error { return nil }, nil
	}
	s.soon(func() {
		if s.kept(ev.Session) != nil {
			return // the session was deleted meanwhile
		}
		s.tryDescribeCompactions(context.WithoutCancel(ctx), ev)
		s.tryDescribe(context.WithoutCancel(ctx), ev.Session)
	})
	synced := make(chan error, 1)
	go func() { synced <- log.Sync() }()
	return done, func() error {
		if err := <-synced; err != nil {
			return notes.StoreError(err)
		}
		return nil
	}, nil
}

// soon runs a task on the queue after the current one, or now if the queue is full or closed.
func (s *Service) soon(task func()) {
	if !s.workspace.Offer(task) {
		task()
	}
}

func (s *Service) compact(ctx context.Context, ev event.Event, c Request) (Result, error) {
	conversation, err := s.Of(ev.Session)
	if err != nil {
		return Result{}, err
	}
	folder, err := s.notes.Folder(ev.Session)
	if err != nil {
		return Result{}, err
	}
	if _, err := folder.Read(notes.Overview); err != nil && !fault.Has(err, fault.NotFound) {
		return Result{}, err // it could not be described there; nothing has changed yet
	}
	if c.KeepRecent == 0 {
		c.KeepRecent = s.workspace.Settings().History.KeepRecent
	}
	finished, err := s.finish(ctx, ev, c, folder, conversation)
	if err != nil {
		return Result{}, err
	}
	if len(finished.Removed) > 0 {
		if conversation, err = s.Of(ev.Session); err != nil {
			return Result{}, err
		}
	}
	plan := NewPlan(conversation, Choice{Target: c.Target, KeepRecent: c.KeepRecent})
	done := Result{Summary: s.shorterThan(plan, s.summaries(ctx, ev, conversation, plan, c.Summary))}
	if done.Summary == "" {
		plan = Plan{Target: c.Target, Kept: conversation.Messages}
	}
	done.Removed, done.Kept = plan.IDs()
	done.TokensBefore, done.TokensAfter = plan.Tokens(done.Summary, tokens.Count)
	for _, former := range conversation.Compactions { // summaries count too
		summary := tokens.Count(former.Summary)
		done.TokensBefore, done.TokensAfter = done.TokensBefore+summary, done.TokensAfter+summary
	}
	if plan.IsEmpty() && len(finished.Removed) > 0 {
		return Result{
			Removed: finished.Removed, Kept: done.Kept, Summary: finished.Summary, ArchivedTo: finished.ArchivedTo,
			TokensBefore: finished.TokensBefore, TokensAfter: done.TokensAfter,
		}, nil
	}
	if plan.IsEmpty() {
		return done, nil
	}
	record := Compaction{
		Removed: done.Removed, Summary: done.Summary, Target: c.Target, Strategy: c.Strategy, By: c.By,
		At: s.workspace.Now(), TokensBefore: done.TokensBefore, TokensAfter: done.TokensAfter,
	}
	if c.Strategy == Archive {
		if record.ArchivedTo, err = s.archiveName(ev.Session, folder, plan.Target, c.ArchiveTo); err != nil {
			return Result{}, err
		}
		if err := s.archive(ctx, ev, folder, plan, record); err != nil {
			return Result{}, err
		}
	}
	if err := s.record(ctx, ev, record); err != nil {
		return Result{}, err
	}
	done.Removed, done.ArchivedTo = append(finished.Removed, done.Removed...), record.ArchivedTo
	return done, nil
}

// finish records what is archived and still in the conversation, because the process that
// archived it was killed, or had no power. It removes these messages, so that they are not
// archived again, and returns them as one compaction. Its Removed is empty if there are none.
func (s *Service) finish(
	ctx context.Context, ev event.Event, c Request, folder notes.Folder, conversation Conversation,
) (finished Compaction, err error) {
	archives, err := folder.List()
	if err != nil {
		return Compaction{}, err
	}
	headings := map[string]int{} // the index of the message
	for i, m := range conversation.Messages {
		headings[gate.Text(m.heading())] = i
	}
	removed := make([]bool, len(conversation.Messages))
	for _, archive := range archives {
		note, err := folder.Read(archive.Path)
		var absent *fault.Fault // also if it is no longer a note
		if err != nil && !errors.As(err, &absent) {
			return Compaction{}, err
		}
		for line := range strings.Lines(note.Content) {
			if i, there := headings[strings.TrimSuffix(line, "\n")]; there {
				removed[i], finished.ArchivedTo = true, archive.Path
			}
		}
	}
	if finished.ArchivedTo == "" {
		return Compaction{}, nil
	}
	plan := Plan{Target: c.Target}
	for i, m := range conversation.Messages {
		if removed[i] {
			plan.Removed = append(plan.Removed, m)
		} else {
			plan.Kept = append(plan.Kept, m)
		}
	}
	language := s.workspace.Settings().Notes.Language
	summary := s.shorterThan(plan, s.summaries(ctx, ev, conversation, plan, ""))
	finished.Summary = cmp.Or(summary, emptySummary[language])
	finished.Removed, _ = plan.IDs()
	finished.TokensBefore, finished.TokensAfter = plan.Tokens(finished.Summary, tokens.Count)
	finished.Target, finished.Strategy, finished.By, finished.At = c.Target, Archive, c.By, s.workspace.Now()
	return finished, s.record(ctx, ev, finished)
}

// FallbackDue reports whether the server should compact a conversation again: it has twice
// as many turns as a compaction keeps.
func (s *Service) FallbackDue(session string) bool {
	conversation, err := s.Of(session)
	turns := 0
	for _, m := range conversation.Messages {
		if m.Role == User {
			turns++
		}
	}
	return err == nil && turns >= 2*s.workspace.Settings().History.KeepRecent
}

// record writes a compaction to the conversation and to the log of changes (systems.md A13).
func (s *Service) record(ctx context.Context, ev event.Event, c Compaction) error {
	log, err := s.log(ev.Session)
	if err == nil {
		err = log.Record(c)
	}
	if err != nil {
		return notes.StoreError(err)
	}
	who := change.Actor{Session: ev.Session, Agent: ev.Agent}
	_, err = s.workspace.ApplyDeferred(ctx, who, func() ([]change.Change, error) {
		return s.workspace.Sessions().Compacted(ev.Session, sessions.Compaction{
			By: string(c.By), Target: string(c.Target), Messages: len(c.Removed), ArchivedTo: c.ArchivedTo,
			TokensBefore: c.TokensBefore, TokensAfter: c.TokensAfter,
		}), nil
	})
	return err
}

// tryDescribeCompactions updates the overview's block about compactions and logs an error: the
// messages are removed all the same.
func (s *Service) tryDescribeCompactions(ctx context.Context, ev event.Event) {
	log, err := s.log(ev.Session)
	if err == nil { // what is erased meanwhile is not written again, see Compact
		err = log.Exclusive(func() error {
			s.workspace.Refresh(ctx)
			return s.describeCompactions(ctx, ev)
		})
	}
	if err != nil {
		s.workspace.Log().Warn("describe a compaction in the overview", "error", err)
	}
}

// describeCompactions updates the overview's block about compactions, if it says something else.
// It does nothing if there is no overview and overviews are not created.
func (s *Service) describeCompactions(ctx context.Context, ev event.Event) error {
	conversation, err := s.Of(ev.Session)
	if err != nil || len(conversation.Compactions) == 0 {
		return err
	}
	folder, err := s.notes.Folder(ev.Session)
	if err != nil {
		return err
	}
	before, err := folder.Read(notes.Overview)
	if err != nil && !s.workspace.Settings().Notes.Create {
		return nil
	}
	language := s.workspace.Settings().Notes.Language
	files, err := folder.List()
	if err != nil {
		return notes.StoreError(err)
	}
	compactions := slices.Clone(conversation.Compactions)
	for i, c := range compactions {
		if !slices.ContainsFunc(files, func(f notes.File) bool { return f.Path == c.ArchivedTo }) {
			compactions[i].ArchivedTo = "" // the note was deleted or moved
		}
	}
	block := Block(compactions, language, maxBlockChars)
	describe := func(text string) string {
		return overview.SetBlock(text, overview.History, blockHeadings[language]+block)
	}
	if before.Revision != "" && gate.Text(describe(before.Content)) == before.Content {
		return nil
	}
	_, err = s.notes.UpdateOverview(ctx, ev, "", func(text string) (string, error) { return describe(text), nil })
	return err
}

// emptySummary is the summary of messages in which nothing was asked or decided.
var emptySummary = map[string]string{
	"en": "Nothing was asked or decided in these messages.",
	"zh": "这些消息中没有提出要求或作出决定。",
}

// shorterThan returns the first summary that is shorter than the removed messages, in tokens
// and in characters, "" if none is. A compaction never makes a conversation longer.
func (s *Service) shorterThan(plan Plan, summaries []string) string {
	removed, chars := 0, 0
	for _, m := range plan.Removed {
		removed += m.Tokens
		chars += utf8.RuneCountInString(m.Text)
	}
	for _, text := range summaries {
		if utf8.RuneCountInString(text) < chars && tokens.Count(text) < removed {
			return text
		}
	}
	return ""
}

// summaries returns summaries of the removed messages, the best first: that of the model with
// the facts that it lacks, an extractive one, a shorter one. Each has the task, the next step
// and the decisions.
func (s *Service) summaries(
	ctx context.Context, ev event.Event, all Conversation, plan Plan, given string,
) (texts []string) {
	language := s.workspace.Settings().Notes.Language
	facts := s.facts(ctx, ev)
	whole := summary.Of(ForSummary(all.Messages), facts)
	found := summary.Of(ForSummary(plan.Removed), facts)
	found.Task, found.NextStep = whole.Task, whole.NextStep
	if given = request.WithoutCandidates(given); given != "" {
		if missing := found.Without(given).Markdown(maxSummaryChars, language); missing != "" {
			given += "\n\n" + missing
		}
		texts = append(texts, gate.Text(given))
	}
	short := summary.Summary{Task: found.Task, NextStep: found.NextStep, Decisions: found.Decisions}
	for _, extract := range []summary.Summary{found, short} {
		texts = append(texts, gate.Text(cmp.Or(extract.Markdown(maxSummaryChars, language), emptySummary[language])))
	}
	return texts
}

// facts returns the facts that the rooms hold about a session.
func (s *Service) facts(ctx context.Context, ev event.Event) summary.Facts {
	facts := summary.Facts{Root: ev.Worktree}
	for _, r := range s.workspace.Rooms() {
		if contributor, contributes := r.(room.Contributor); contributes {
			contributor.AddFacts(ctx, room.Reader{Session: ev.Session, Worktree: ev.Worktree}, &facts)
		}
	}
	return facts
}

// archive writes the removed messages of a compaction into notes. An existing note is appended
// to. What is archived is found by finish if it is not recorded.
func (s *Service) archive(ctx context.Context, ev event.Event, folder notes.Folder, plan Plan, c Compaction) error {
	for _, note := range plan.Archive(c.ArchivedTo, c.Summary, c.At) {
		_, err := s.notes.Put(ctx, ev, func(folder notes.Folder) (notes.Note, error) {
			return folder.Update(note.Name, func(before notes.Note) (string, error) {
				if before.Content == "" {
					return gate.Text(note.Text), nil
				}
				return strings.TrimRight(before.Content, "\n") + "\n\n" + gate.Text(note.Text), nil
			})
		})
		if err != nil {
			return err
		}
	}
	return s.boundArchives(folder)
}

// archiveName returns the requested name of a note, or a new one.
func (s *Service) archiveName(session string, folder notes.Folder, target Target, to string) (string, error) {
	if to != "" {
		name, err := notes.Clean(to)
		if err == nil {
			err = notes.CheckPathForSecrets(name)
		}
		if err == nil && !strings.HasPrefix(name, notes.Detail+"/") {
			err = notes.BadPath(to, "is not in detail/, where archived history goes")
		}
		return name, err
	}
	files, err := folder.List()
	if err != nil {
		return "", notes.StoreError(err)
	}
	conversation, err := s.Of(session)
	if err != nil {
		return "", notes.StoreError(err)
	}
	taken := func(name string) bool { // names in compactions are not used again
		return slices.ContainsFunc(files, func(f notes.File) bool { return f.Path == name }) ||
			slices.ContainsFunc(conversation.Compactions, func(c Compaction) bool { return c.ArchivedTo == name })
	}
	at := s.workspace.Now()
	name := ArchiveName(target, at)
	for taken(name) {
		at = at.Add(time.Second)
		name = ArchiveName(target, at)
	}
	return name, nil
}

// archived matches the names of archives that the server chose, with the numbers of parts.
var archived = once.Compile(`^` + notes.Detail + `/((?:conversation|tools)-\d{4}-\d\d-\d\d-\d{6})(?:-\d+)?\.md$`)

// boundArchives deletes the oldest archives that exceed the limit, with all their parts.
func (s *Service) boundArchives(folder notes.Folder) error {
	files, err := folder.List()
	if err != nil {
		return notes.StoreError(err)
	}
	slices.SortFunc(files, func(a, b notes.File) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	kept := map[string]bool{}
	for _, file := range files {
		match := archived.FindStringSubmatch(file.Path)
		if match == nil {
			continue
		}
		if len(kept) < s.workspace.Settings().History.MaxArchives {
			kept[match[1]] = true
		}
		if kept[match[1]] {
			continue
		}
		if err := folder.Remove(file.Path); err != nil {
			return notes.StoreError(err)
		}
	}
	return nil
}
