package assembly

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// HandoverSection is the id of the section of what another session left.
const HandoverSection = "handover"

// MaxHandoverChars is the maximum length of a handover, in characters.
const MaxHandoverChars = 1500

// A Handover is what an ended session left, as far as it still holds.
type Handover struct {
	Session sessions.Session
	// Own is true if it is for the session itself, which was resumed. Its contexts hold the rest.
	Own bool
	hot.Left
	// Goal and Progress are those that the agent noted, "" if the goal is reached.
	Goal, Progress string
	// Notes are its notes, Overview is what its overview says. NotesPath is the path of their folder.
	Notes     []notes.File
	Overview  string
	NotesPath string
	Usage     pressure.Pressure
}

// IsOpen reports whether the session left something that is not done. What a language server reports in files that it
// did not edit is not of its making, and neither is what failed only before it edited anything, if it answered since.
func (h *Handover) IsOpen() bool {
	return slices.ContainsFunc(h.Errors, h.made) || len(h.Todos) > 0 || h.Goal != "" ||
		h.Unanswered && h.Session.WasLost
}

// made reports whether an error is of the session's making, or its user told it last and it changed nothing
// since.
func (h *Handover) made(e hot.Error) bool {
	if source, ran := e.From(hot.FromCommand, h.Session.ID); ran {
		return !source.BeforeEdits || source.AfterEdits || h.Last != "" && !h.SaidAt.After(source.SeenAt)
	}
	if e.IsTold() {
		return !slices.ContainsFunc(h.Files, func(file hot.File) bool { return file.ChangedAt.After(e.LastSeen) })
	}
	return slices.ContainsFunc(h.Files, func(file hot.File) bool { return file.Path == e.Path })
}

// Title returns the title of the session, or else what the user asked for first.
func (h *Handover) Title() string {
	if h.Session.Title != "" {
		return h.Session.Title
	}
	return h.First
}

// HandoverOf returns what a session left, for a reader. It reads the notes of the session.
func HandoverOf(w *memory.Workspace, session sessions.Session, at room.Reader) *Handover {
	h := &Handover{
		Session: session, Own: session.ID == at.Session,
		Left: memory.RoomOf[*hot.Room](w).Left(session.ID, at), Usage: memory.RoomOf[*pressure.Room](w).Of(session.ID),
	}
	from := sourcesOf(w)
	goal, progress := from.core.Get(session.ID, "goal").Content, from.core.Get(session.ID, "progress").Content
	if !h.ListDone && !saysDone(progress) {
		h.Goal, h.Progress = goal, progress
	}
	h.Overview = strings.TrimSpace(from.snapshot(session.ID).Said) // the notes are named beside it
	h.Notes, h.NotesPath = notesOf(w, session.ID, h.Overview)
	return h
}

// notesOf returns the notes of a session whose overview says something, "" if it does not, and their folder.
func notesOf(w *memory.Workspace, session, overview string) (noted []notes.File, path string) {
	folder, err := memory.ServiceOf[*notes.Service](w).Folder(session)
	if err != nil {
		return nil, ""
	}
	files, _ := folder.List() // notes that cannot be listed are not handed over
	for _, file := range files {
		if file.Path != notes.Overview || overview != "" {
			noted = append(noted, file)
		}
	}
	return noted, folder.Path()
}

var done = once.Compile(`(?i)\b(?:done|completed?|finished|all tests pass(?:ed)?)\b`)

// saysDone reports whether the last line of an agent's progress says that the goal is reached.
func saysDone(progress string) bool {
	lines := strings.Split(strings.TrimSpace(progress), "\n")
	last := lines[len(lines)-1]
	return done.MatchString(last) && !undone.MatchString(last)
}

var undone = once.Compile(`(?i)\b(?:not|n't|half|partly|next|then|todo|remaining|left|but|except|open|\d+ of \d+)\b`)

// NextHandover returns what a session is given in its first context, nil for nothing: what a person
// offers; what the session itself left, if it was resumed; or what the session left that was over last,
// if it was over less than within before now, if something is open, and if nobody was given it whose agent did
// anything with it. It gives nothing to a session that has got beyond its first message, and nothing
// of sessions that ended since it began.
func NextHandover(w *memory.Workspace, at room.Reader, now time.Time, within time.Duration) *Handover {
	all := w.Sessions()
	reader, known := all.Get(at.Session)
	begun := now
	if known {
		begun = reader.Begun()
	}
	if at.Session == "" || !reader.Begins() {
		return nil
	}
	if offered := offeredIn(w, at.Worktree, begun); offered != nil {
		return HandoverOf(w, *offered, at)
	}
	if reader.Returned() {
		if within == 0 {
			return nil
		}
		return HandoverOf(w, reader, at)
	}
	for _, session := range candidates(w, at.Worktree, begun, now.Add(-within)) {
		if h := HandoverOf(w, session, at); h.IsOpen() {
			return h
		}
	}
	return nil
}

// LastLeft returns the session whose work the next one may be given: what a person offers, or the session that
// was over last in which an agent did anything, if it was over less than within before now. It returns nil if there
// is none, or if another session goes on with it.
func LastLeft(w *memory.Workspace, worktree string, now time.Time, within time.Duration) *sessions.Session {
	if offered := offeredIn(w, worktree, now); offered != nil {
		return offered
	}
	for _, session := range candidates(w, worktree, now, now.Add(-within)) {
		if did(w, session.ID) {
			return &session
		}
	}
	return nil
}

// candidates returns the sessions whose work may be given to the next one, in the order in which they are looked at:
// the one that was over last in which an agent did anything, and before it those whose users only asked for something
// since. They were over between two times, and nobody has taken what they left.
func candidates(w *memory.Workspace, worktree string, before, after time.Time) (list []sessions.Session) {
	for _, session := range w.Sessions().Past() {
		switch {
		case !session.Over().After(after):
			return list
		case session.Worktree != worktree || session.Over().After(before) || !worked(w, session.ID):
			continue
		}
		if to, was := session.WasHanded(); was && isTaken(w, to) {
			return list
		}
		if list = append(list, session); did(w, session.ID) {
			return list
		}
	}
	return list
}

// offeredIn returns the session that a person offered last before a time and that nobody has taken, nil
// if there is none.
func offeredIn(w *memory.Workspace, worktree string, before time.Time) *sessions.Session {
	var last *sessions.Session
	for _, s := range w.Sessions().Past() {
		switch {
		case s.Worktree != worktree || s.OfferedAt.IsZero() || s.OfferedAt.After(before):
		case !s.IsOffered() && isTaken(w, *s.Handed):
		case last == nil || s.OfferedAt.After(last.OfferedAt):
			last = &s
		}
	}
	return last
}

// worked reports whether an agent did anything in a session, or was asked to.
func worked(w *memory.Workspace, session string) bool {
	return memory.RoomOf[*hot.Room](w).Asked(session) || did(w, session)
}

// did reports whether an agent said anything in a session, used a tool or noted a goal.
func did(w *memory.Workspace, session string) bool {
	said, steps := memory.RoomOf[*hot.Room](w).Done(session)
	return said > 0 || steps > 0 || memory.RoomOf[*core.Room](w).Get(session, tag.Goal).Content != ""
}

// isTaken reports whether a session that was given something lives, or its agent did anything after that.
func isTaken(w *memory.Workspace, to sessions.Handing) bool {
	said, steps := memory.RoomOf[*hot.Room](w).Done(to.To)
	return w.Sessions().Live(to.To) || said != to.Said || steps != to.Steps || hasNoted(w, to.To)
}

// hasNoted reports whether an agent wrote core memory or notes. One that reports no tools leaves no other trace.
func hasNoted(w *memory.Workspace, session string) bool {
	if memory.RoomOf[*core.Room](w).HasMemory(session) {
		return true
	}
	noted, _ := notesOf(w, session, sourcesOf(w).snapshot(session).Shown)
	return len(noted) > 0
}

// LastHandover returns what the session left that was over last, nil if there is none in a worktree in
// which anything was done. What a person offers comes first.
func LastHandover(w *memory.Workspace, at room.Reader, now time.Time) *Handover {
	past := w.Sessions().Past()
	if offered := offeredIn(w, at.Worktree, now); offered != nil {
		return HandoverOf(w, *offered, at)
	}
	for _, session := range past {
		if session.Worktree == at.Worktree && worked(w, session.ID) {
			return HandoverOf(w, session, at)
		}
	}
	return nil
}

const (
	// The maximum number of errors, todos and files that are named, and the maximum length of a line.
	maxHandedErrors = 5
	maxHandedTodos  = 5
	maxHandedFiles  = 8
	maxHandedLine   = 300
)

// Text returns the handover as one section of a context, in at most maxChars characters, "" if there is
// nothing to say. What others of its sections show is left out.
func (h *Handover) Text(maxChars int, shown render.DedupSet) string {
	left := maxChars - utf8.RuneCountInString(handoverOpen+handoverShut)
	var text strings.Builder
	said := 0
	for i, line := range append([]string{h.head()}, h.lines(shown)...) {
		if line = shorten.Chars(line, maxHandedLine); i > 0 {
			line = "- " + line
		}
		if cost := utf8.RuneCountInString(line) + 1; cost <= left {
			left -= cost
			text.WriteString(line + "\n")
			said++
		}
	}
	if said < 2 {
		return ""
	}
	return handoverOpen + text.String() + handoverShut
}

const (
	handoverOpen = "<" + tag.Handover + ">\n"
	handoverShut = "</" + tag.Handover + ">"
)

// Lines returns for a person what the session worked on and what it left, the most important first.
func (h *Handover) Lines() []string { return h.lines(nil) }

// head returns which session it was, and how it ended.
func (h *Handover) head() string {
	when := h.Session.Over().UTC().Format("2006-01-02 15:04 UTC")
	if h.Own {
		return "This session was over at " + when + " and goes on. Left, and not checked since:"
	}
	name := "An earlier session"
	if h.Session.Agent != "" {
		name += " (" + render.Flat(h.Session.Agent) + ")"
	}
	end := " ended at " + when
	if h.Session.WasLost {
		end = " was last heard of at " + when
	}
	return name + end + ". What it left, in case its work goes on; not checked since:"
}

// lines returns the lines of the handover, the most important first.
func (h *Handover) lines(shown render.DedupSet) (lines []string) {
	say := func(label, text string) {
		if text = render.Flat(text); text != "" && !shown.Has(render.DedupKey(text)) {
			lines = append(lines, label+": "+text)
		}
	}
	if !h.Own {
		if h.Title() != h.Last || h.Session.Title != "" {
			say("Began with", h.Title())
		}
		asked := "Asked last"
		switch {
		case h.Unanswered:
			asked = "Asked last, not answered"
		case h.Answered:
			asked = "Asked last, answered"
		}
		say(asked, h.Last)
		say("Its goal", h.Goal)
		say("Its progress", tail(h.Progress, maxHandedLine/2))
	}
	if len(h.Todos) > 0 {
		say("Todo", listed(h.Todos, maxHandedTodos, "; "))
	}
	lines = append(lines, h.failing(shown)...)
	if h.Own {
		return lines
	}
	var paths []string
	for _, file := range h.Files {
		path := file.Path
		if file.Committed {
			path += " (committed)"
		}
		paths = append(paths, path)
	}
	if len(paths) > 0 { // the list of active files may have them, too, but not that this session edited them
		lines = append(lines, "Edited: "+render.Flat(listed(paths, maxHandedFiles, ", ")))
	}
	if len(h.Notes) > 0 {
		var names []string
		for _, note := range h.Notes {
			names = append(names, note.Path)
		}
		about := ""
		if h.Overview != "" {
			about = ": " + h.Overview
		}
		say("Notes in "+render.Flat(h.NotesPath), listed(names, maxHandedFiles, ", ")+about)
	}
	if h.Usage.Limit > 0 {
		lines = append(lines, fmt.Sprintf("Its context was %d %% full.", h.Usage.Percent()))
	}
	return lines
}

// failing returns a line for each open error that no other section lists, and one for those that one does.
func (h *Handover) failing(shown render.DedupSet) (lines []string) {
	elsewhere, more := 0, 0
	for _, e := range h.Errors {
		switch {
		case shown.Has(e.Fingerprint) && !e.IsAside():
			elsewhere++
		case len(lines) == maxHandedErrors:
			more++
		default:
			lines = append(lines, "Fails: "+e.Handed(h.Session.ID))
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("Fails, too: %d more errors.", more))
	}
	if elsewhere > 0 && !h.Own {
		lines = append(lines, fmt.Sprintf("Fails: %d of the open errors below.", elsewhere))
	}
	return lines
}

// listed joins as many strings as fit into a line, at most limit, and counts the others.
func listed(texts []string, limit int, separator string) string {
	line, shown := "", 0
	for _, text := range texts[:min(limit, len(texts))] {
		if text = shorten.Chars(text, maxHandedLine/2); shown > 0 {
			text = separator + text
		}
		if utf8.RuneCountInString(line+text) > maxHandedLine-50 { // for the label and the count
			break
		}
		line, shown = line+text, shown+1
	}
	if more := len(texts) - shown; more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// tail returns the end of a string of at most limit characters. It begins with a word, if one begins in it.
func tail(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	cut := len(runes) - limit + 1
	rest := string(runes[cut:])
	if at := strings.IndexFunc(rest, unicode.IsSpace); at >= 0 && !unicode.IsSpace(runes[cut-1]) {
		if words := strings.TrimSpace(rest[at:]); words != "" {
			rest = words
		}
	}
	return "…" + rest
}

// handoverSection returns the section of what another session left.
func (c *Composition) handoverSection() render.Section {
	section := render.Section{
		ID: HandoverSection, Label: "Left by another", MaxChars: MaxHandoverChars,
		Render: func(int, render.DedupSet) render.Part { return render.Part{} },
	}
	h := c.request.Handover
	if h == nil {
		return section
	}
	section.State = h.Session.ID + " " + h.Text(MaxHandoverChars, nil)
	section.Render = func(maxChars int, shown render.DedupSet) render.Part {
		text := h.Text(maxChars, shown)
		if text == "" {
			return render.Part{}
		}
		return render.Part{Text: text, Items: []render.Item{{ID: HandoverSection + ":" + h.Session.ID, Text: text}}}
	}
	return section
}

// HandsOver reports whether the context shows the handover of the request.
func (c *Composition) HandsOver() bool {
	for _, section := range c.pack().Sections {
		if section.ID == HandoverSection {
			return section.Text != ""
		}
	}
	return false
}
