package hot

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sourcegraph/conc"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// A Line is one line of the rendered state: files, an error or a statement.
type Line struct {
	ID, Text string
	// Also are the ids of other files in the line.
	Also []string
	// Known is true if the reader knows it: it touched the file, or took part in the decision.
	Known bool
}

// The reasons for which lines are left out.
const (
	overLimit  = "limit"
	overBudget = "budget"
	unverified = "not reported since the restart"
	collapsed  = "collapsed"
	old        = "not checked again for ten turns"
	unused     = "not used for some turns"
	lesser     = "only found or read beside files that were used more"
	folded     = "counted in one line"
	fulfilled  = "of an earlier task"
	away       = "of another topic"
	elsewhere  = "of an earlier session, in a file that this one does not use"

	saidElsewhere = "said in another section"
	prompted      = "said in the prompt"
)

// Rendered is the text of the session state, with its lines.
type Rendered struct {
	Text    string
	Lines   []Line
	Omitted []render.Omission
	// Withheld are the statements that are left out although there is room.
	Withheld []string
	// moreErrors is the number of open errors that are counted and not listed.
	moreErrors int
	// task is the first line, see taskLine. It is empty if the prompt says it.
	task string
}

// A View selects what Render shows.
type View struct {
	// IsShown reports whether another section of the context shows a string, by its
	// deduplication key. nil says no.
	IsShown func(key string) bool
	// Whole is true if it is for a summary of the session: statements of earlier tasks are shown,
	// too, and nothing of other sessions.
	Whole bool
}

// Render returns the hot state of a worktree for a reader in at most maxChars
// characters, whole lines only. If not everything fits, errors take precedence over
// files, and files over decisions (systems.md B7). Lines of other sessions name their
// agent. The text is empty if the headings do not fit, or if there is nothing to show. Each
// list begins with what the query names.
func (r *Room) Render(at room.Reader, maxChars int, view View) Rendered {
	options := r.env.Settings().Session
	files, errs := &group{title: "Active files"}, &group{title: "Open errors", counts: true}
	said, causes := &group{title: "Said by the user"}, &group{title: "Root causes"}
	files.limit, errs.limit = options.MaxFiles, options.MaxErrors
	said.limit, causes.limit = options.MaxDecisions, min(options.MaxDecisions, maxCauses)
	if view.Whole {
		said.limit, causes.limit = maxStatements, maxStatements
	}
	var out Rendered
	out.task = r.taskLine(at.Session, view)
	var filesGone []render.Omission
	var beside conc.WaitGroup
	beside.Go(func() { files.lines, filesGone = r.fileLines(at, options.MaxFiles, view) })
	errs.lines, out.Omitted = r.errorLines(at, options.CollapseAfter, view)
	beside.Wait()
	out.Omitted = append(out.Omitted, filesGone...)
	for _, list := range []struct {
		group *group
		kind  StatementKind
	}{{said, Decision}, {causes, Cause}} {
		var gone []render.Omission
		list.group.lines, gone = r.statementLines(at, list.kind, view, out.task)
		out.Omitted = append(out.Omitted, gone...)
		for _, o := range gone {
			out.Withheld = append(out.Withheld, o.ID)
		}
	}
	if out.task != "" && saysItself(at.Query, strings.TrimPrefix(out.task, taskLabel)) {
		out.task, out.Omitted = "", append(out.Omitted, render.Omission{ID: taskID, Reason: prompted})
	}
	groups := slices.DeleteFunc([]*group{files, errs, said, causes}, func(g *group) bool { return len(g.lines) == 0 })

	const open, shut = "<" + tag.SessionState + ">\n", "</" + tag.SessionState + ">"
	left := maxChars - utf8.RuneCountInString(open+shut)
	for _, g := range groups {
		left -= utf8.RuneCountInString(g.title+":\n") + g.empty()
	}
	if cost := utf8.RuneCountInString(out.task + "\n"); out.task != "" && cost <= left {
		left -= cost
	} else {
		out.task = ""
	}
	if left < 0 || len(groups) == 0 && out.task == "" {
		for _, g := range groups {
			out.Omitted = append(out.Omitted, omitted(g.lines, overBudget)...)
		}
		return out
	}
	for _, g := range []*group{errs, files, said, causes} {
		gone := g.fill(&left)
		out.Omitted = append(out.Omitted, gone...)
		for _, o := range gone {
			if o.Reason == overLimit && (g == said || g == causes) {
				out.Withheld = append(out.Withheld, o.ID)
			}
		}
	}
	groups = slices.DeleteFunc(groups, func(g *group) bool { return len(g.chosen) == 0 && !g.counts })
	if len(groups) == 0 && out.task == "" {
		return out
	}
	var text strings.Builder
	text.WriteString(open)
	if out.task != "" {
		text.WriteString(out.task + "\n")
		out.Lines = append(out.Lines, Line{ID: taskID, Text: out.task, Known: true})
	}
	for _, g := range groups {
		g.write(&text)
		out.Lines = append(out.Lines, g.chosen...)
	}
	text.WriteString(shut)
	out.Text, out.moreErrors = text.String(), errs.more
	return out
}

type group struct {
	title         string
	lines, chosen []Line
	limit         int
	counts        bool // whether the lines that are left out are counted
	more          int  // how many are left out
}

// rest is the line with the number of lines that are left out.
const rest = "(%d more)\n"

// empty returns the length of the line that replaces all lines if none is shown. A list that is not counted is left out
// then.
func (g *group) empty() int {
	if !g.counts {
		return 0
	}
	return len(fmt.Sprintf(rest, len(g.lines)))
}

// fill chooses the lines that fit into what is left of the budget, from which empty is
// already subtracted.
func (g *group) fill(left *int) []render.Omission {
	var gone []render.Omission
	if len(g.lines) > g.limit {
		gone = omitted(g.lines[g.limit:], overLimit)
		g.lines = g.lines[:g.limit]
	}
	if g.counts && (len(gone) > 0 || len(g.lines) > 1) {
		*left -= len(fmt.Sprintf(rest, len(gone)+len(g.lines)))
	}
	for _, line := range g.lines {
		cost := utf8.RuneCountInString("- " + line.Text + "\n")
		if len(g.chosen) == 0 {
			cost -= g.empty()
		}
		if cost > *left {
			gone = append(gone, render.Omission{ID: line.ID, Reason: overBudget})
			continue
		}
		*left -= cost
		g.chosen = append(g.chosen, line)
	}
	g.more = len(gone)
	return gone
}

func (g *group) write(text *strings.Builder) {
	text.WriteString(g.title + ":\n")
	for _, line := range g.chosen {
		text.WriteString("- " + line.Text + "\n")
	}
	if g.more > 0 && g.counts {
		fmt.Fprintf(text, rest, g.more)
	}
}

func omitted(lines []Line, reason string) []render.Omission {
	list := make([]render.Omission, 0, len(lines))
	for _, line := range lines {
		list = append(list, render.Omission{ID: line.ID, Reason: reason})
	}
	return list
}

// fileLines returns the lines of at most limit files. Each file that was edited, and each file
// of another session, has a line. The other files of the reader share a line for each action.
func (r *Room) fileLines(
	at room.Reader, limit int, view View,
) (lines []Line, gone []render.Omission) {
	least, isUsed, files := 0.0, true, []*ranked{}
	for _, file := range r.ranking(at.Session, at.Worktree) {
		if view.Whole && file.Session != at.Session {
			continue
		}
		isUsed = isUsed && file.rank >= least
		if !isUsed || file.passed() {
			gone = append(gone, render.Omission{ID: file.Path, Reason: unused})
			continue
		}
		if least == 0 {
			least = leastShare * file.rank
		}
		files = append(files, file)
	}
	files = render.Front(at.Query, files, func(f *ranked) (path, text string) { return f.Path, "" })
	changed := slices.ContainsFunc(files, func(f *ranked) bool {
		return f.isChanged() && !f.isScratch() && f.Session == at.Session
	})
	reads := slices.ContainsFunc(files, func(f *ranked) bool {
		return f.use() == event.Read && f.Session == at.Session
	})
	shared, shown := map[event.FileAction]int{}, 0
	for _, file := range files {
		own, action := file.Session == at.Session, file.use()
		line, begun := shared[action]
		if shown == limit {
			gone = append(gone, render.Omission{ID: file.Path, Reason: overLimit})
			continue
		}
		most := mostOf(action, changed)
		once := reads && isFound(action) && file.Count == 1
		if own && (most == 0 || once || begun && 1+len(lines[line].Also) == most) {
			gone = append(gone, render.Omission{ID: file.Path, Reason: lesser})
			continue
		}
		text := r.describe(file.File, at.Session)
		if own && changed && action == event.Read && file.Count == 1 && text == file.counted() {
			// It was read once, and may be another one now.
			gone = append(gone, render.Omission{ID: file.Path, Reason: lesser})
			continue
		}
		shown++
		text = fmt.Sprintf("%s (%s)", render.Flat(file.Path), text)
		switch {
		case !own && file.By != "" && file.asRead(at.Session) == nil:
			text += " in " + render.Flat(file.By)
		case own && begun:
			lines[line].Text += ", " + text
			lines[line].Also = append(lines[line].Also, file.Path)
			continue
		case own && action != event.Edit:
			shared[action] = len(lines)
		}
		lines = append(lines, Line{ID: file.Path, Text: text, Known: own})
	}
	return lines, gone
}

const (
	// leastShare is the share of the highest rank below which a file leaves the context.
	leastShare = 0.25
	// maxCauses is how many root causes are shown.
	maxCauses = 3
)

// mostOf returns how many files share the line of an action. Beside files that were changed,
// those that were only found are not shown.
func mostOf(action event.FileAction, changed bool) int {
	switch {
	case isFound(action) && changed:
		return 0
	case isFound(action), action == event.Read && changed:
		return 3
	case action == event.Read, action == event.Write:
		return 5
	}
	return maxFiles
}

// The number of turns after which a file leaves the context: one that only a search reported, one
// that was read, and one whose changes are in a commit.
const (
	foundTurns     = 1
	readTurns      = 10
	committedTurns = 6
	// changedPrompts is the number of messages of the user after which a file that was changed leaves it,
	// if nothing was done with it since.
	changedPrompts = 4
)

// passed reports whether a file was only found or read, or was changed and committed, some turns ago,
// or not used for some messages of the user.
func (f *ranked) passed() bool {
	if f.isChanged() {
		return f.Committed && f.now.Turns-f.Changed > committedTurns ||
			f.Prompt > 0 && f.now.Prompts-f.Prompt > changedPrompts
	}
	age := f.now.Turns - f.Turn
	return age > readTurns || isFound(f.use()) && age > foundTurns
}

// use returns the action by which a file is shown: a file that was found and then read is one
// that was read.
func (f *File) use() event.FileAction {
	if isFound(f.Action) && (f.Reads > 0 || f.LastAction == event.Read) {
		return event.Read
	}
	return f.Action
}

// counted says how often something was done with a file: how often it was changed, if it was, or
// else read.
func (f *File) counted() string {
	count := f.Count
	switch {
	case f.isChanged() && f.Changes > 0:
		count = f.Changes
	case f.use() == event.Read && f.Reads > 0:
		count = f.Reads
	}
	done := fmt.Sprintf("%s, %dx", render.Flat(string(f.use())), count)
	switch {
	case f.Restored:
		done += ", then restored"
	case f.Committed:
		done += ", before the last commit"
	}
	return done
}

// describe says what was done with a file: how often, and which lines the reader's own session
// read last if the file has not changed since. If it has, by a script or by somebody else, that
// is said.
func (r *Room) describe(file *File, reader string) string {
	done, own := file.counted(), file.asRead(reader)
	if own != nil && file.Session != reader && file.By != "" {
		done += " in " + render.Flat(file.By)
	}
	switch {
	case own == nil:
		return done
	case r.env.Unchanged(file.Worktree, file.Path, cmp.Or(own.ReadAt, own.LastSeen)):
	case r.env.Exists(file.Worktree, file.Path):
		return done + ", changed since it was read"
	default:
		return done
	}
	read := "read"
	switch {
	case own.Part:
		read = "read in part"
	case own.Last > 0:
		read = fmt.Sprintf("read lines %d–%d", own.First, own.Last)
	}
	read = fmt.Sprintf("%s at step %d, unchanged", read, own.Step)
	if file.isChanged() {
		return done + "; " + read
	}
	return read
}

// asRead returns the record of a session that read the file in a step, nil if it did not.
func (f *File) asRead(session string) *File {
	for _, record := range []*File{f, f.reader} {
		if record != nil && record.Session == session && record.Step > 0 {
			return record
		}
	}
	return nil
}

// errorLines returns the lines of the errors that were reported since the restart, and of those
// that nothing reports again by itself. More than collapseAfter errors become one line with the
// most common one.
func (r *Room) errorLines(
	at room.Reader, collapseAfter int, view View,
) (lines []Line, gone []render.Omission) {
	open := r.Errors(at.Session, at.Worktree)
	verified := open[:0]
	used, works := r.used(at.Session, at.Worktree), r.activityOf(at.Session).Edits > 0
	for _, e := range open {
		switch {
		case view.Whole && !e.isOf(at.Session):
		case !e.Verified() && !e.stays():
			gone = append(gone, render.Omission{ID: e.Fingerprint, Reason: unverified})
		case e.IsAside():
			gone = append(gone, render.Omission{ID: e.Fingerprint, Reason: elsewhere})
		case e.Over && works && !slices.Contains(used, e.Path):
			gone = append(gone, render.Omission{ID: e.Fingerprint, Reason: elsewhere})
		case r.faded(e, at.Session):
			gone = append(gone, render.Omission{ID: e.Fingerprint, Reason: old})
		default:
			verified = append(verified, e)
		}
	}
	all := slices.Clone(verified)
	verified = slices.DeleteFunc(verified, func(e Error) bool {
		named := isNamed(e, all)
		if named {
			gone = append(gone, render.Omission{ID: e.Fingerprint, Reason: collapsed})
		}
		return named
	})
	if len(verified) > collapseAfter {
		for _, e := range verified {
			gone = append(gone, render.Omission{ID: e.Fingerprint, Reason: collapsed})
		}
		return []Line{{ID: "errors", Text: collapse(verified)}}, gone
	}
	verified = render.Front(at.Query, verified, func(e Error) (path, text string) { return e.Path, e.Summary })
	var lint []Error
	for _, e := range verified {
		if e.Category == string(command.Lint) {
			lint = append(lint, e)
		}
	}
	foldLint := len(lint) > r.env.Settings().Session.MaxErrors
	for _, e := range verified {
		if foldLint && e.Category == string(command.Lint) {
			gone = append(gone, render.Omission{ID: e.Fingerprint, Reason: folded})
			continue
		}
		lines = append(lines, Line{ID: e.Fingerprint, Text: e.line(at.Session)})
	}
	if foldLint {
		lines = append(lines, Line{ID: string(command.Lint), Text: fold(lint)})
	}
	return lines, gone
}

// isNamed reports whether an error says no more than that a package failed, and another one which of its tests did.
func isNamed(e Error, open []Error) bool {
	importPath, is := command.FailedPackage(e.Summary)
	return is && slices.ContainsFunc(open, func(other Error) bool {
		return other.Tool == e.Tool && other.Path != "" && strings.HasSuffix(importPath, "/"+path.Dir(other.Path))
	})
}

// fold returns a line with the number of the findings of linters, their files, and the commonest.
func fold(lint []Error) string {
	var files []string
	counts := map[string]int{}
	commonest := ""
	for _, e := range lint {
		if !slices.Contains(files, e.Path) {
			files = append(files, e.Path)
		}
		if counts[e.Summary]++; counts[e.Summary] > counts[commonest] {
			commonest = e.Summary
		}
	}
	where := fmt.Sprintf("in %d files", len(files))
	if len(files) == 1 {
		where = "in " + cmp.Or(files[0], "no file")
	}
	return fmt.Sprintf("[lint] %d findings %s, such as: %s", len(lint), render.Flat(where), render.Flat(commonest)) +
		unchecked(lint)
}

// head returns the error without what is known about it.
func (e Error) head() string {
	text := "[" + render.Flat(e.Category) + "] "
	switch named := strings.HasPrefix(e.Summary, e.Path+"::"); {
	case e.Path == "":
	case named && e.Line > 0: // the id of a test of pytest begins with its file
		return fmt.Sprintf("%s%s (line %d)", text, render.Flat(e.Summary), e.Line)
	case named:
	default:
		text += render.Flat(e.place()) + ": "
	}
	return text + render.Flat(e.Summary)
}

// isOf reports whether a session reports the error.
func (e Error) isOf(session string) bool {
	return slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Session == session })
}

func (e Error) line(reader string) string {
	text := e.head()
	if e.Count > 1 {
		text += fmt.Sprintf(" (%dx)", e.Count)
	}
	if e.Masked {
		text += " (a pipe hid the exit code)"
	}
	if source, mine := e.From(FromCommand, reader); mine && source.BeforeEdits {
		text += " (failed before your first edit)"
	}
	text += e.restarted() + e.told() + e.edited()
	if !e.isOf(reader) && e.Sources[0].By != "" {
		text += " (reported in " + render.Flat(e.Sources[0].By) + ")"
	}
	return text
}

// told says that a person told the error in a message.
func (e Error) told() string {
	if e.IsTold() {
		return " (told by the user)"
	}
	return ""
}

// restarted says that nobody has checked the error since its session was over, or restarted.
func (e Error) restarted() string {
	switch {
	case e.Over:
		return " (not checked since " + e.LastSeen.UTC().Format("2006-01-02 15:04 UTC") + ")"
	case !e.Verified():
		return " (not run again since the restart)"
	}
	return ""
}

// edited says that nobody has checked the error since its file was edited.
func (e Error) edited() string {
	if !e.MaybeFixed {
		return ""
	}
	return " (not checked since its file was edited)"
}

// unchecked says that nobody has checked any of the errors since its session was over, or restarted.
func unchecked(list []Error) string {
	latest := list[0]
	for _, e := range list {
		if e.restarted() == "" {
			return ""
		}
		if e.LastSeen.After(latest.LastSeen) {
			latest = e
		}
	}
	return latest.restarted()
}

// collapse returns a line with the number of errors and the most common one.
func collapse(list []Error) string {
	type kind struct{ category, summary string }
	counts := map[kind]int{}
	var commonest kind
	for _, e := range list {
		k := kind{e.Category, e.Summary}
		counts[k]++
		if counts[k] > counts[commonest] {
			commonest = k
		}
	}
	return fmt.Sprintf("%d errors are open; the commonest, %dx: [%s] %s", len(list), counts[commonest],
		render.Flat(commonest.category), render.Flat(commonest.summary)) + unchecked(list)
}

// statementLines returns the statements of a kind of the session that other sections do not
// show, the newest first.
func (r *Room) statementLines(at room.Reader, kind StatementKind, view View, task string) (
	lines []Line, gone []render.Omission,
) {
	statements := r.Statements(at.Session, kind)
	if len(statements) == 0 {
		return nil, nil
	}
	now, edited := r.activityOf(at.Session), r.lastEdit(at.Session)
	var topic quality.Topic // of the session, with what was said lately; it is needed for old statements only
	about := func() quality.Topic {
		if topic == nil {
			topic = r.About(at)
			for _, line := range lines {
				topic.Add(line.ID)
			}
		}
		return topic
	}
	for _, statement := range slices.Backward(statements) {
		isShown := func(text string) bool { return view.IsShown != nil && view.IsShown(render.DedupKey(text)) }
		mayLeave := !view.Whole && (kind == Decision || edited.After(statement.At)) // a cause holds until it is mended
		switch {
		case isTask(task, statement.Text) || isShown(statement.Text) || isShown(statement.Entry):
			gone = append(gone, render.Omission{ID: statement.Text, Reason: saidElsewhere})
		case saysItself(at.Query, statement.Text):
			gone = append(gone, render.Omission{ID: statement.Text, Reason: prompted})
		case mayLeave && statement.isPast(now, edited):
			gone = append(gone, render.Omission{ID: statement.Text, Reason: fulfilled})
		case mayLeave && statement.isAway(now, about):
			gone = append(gone, render.Omission{ID: statement.Text, Reason: away})
		default:
			if topic != nil {
				topic.Add(statement.Text)
			}
			text := render.Flat(statement.Text)
			if kind == Cause && edited.After(statement.At) {
				text += " (files were edited since)"
			}
			lines = append(lines, Line{ID: statement.Text, Text: text, Known: true})
		}
	}
	return render.Front(at.Query, lines, func(l Line) (path, text string) { return "", l.Text }), gone
}
