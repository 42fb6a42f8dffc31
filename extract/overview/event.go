package overview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
)

// maxRecent is the number of recent lines that are kept (systems.md C8).
const maxRecent = 20

// An eventRow is a row of the table of systems.md C8: the members of an event and its
// effect. The first member may also be called description, text or title.
type eventRow struct {
	Type    string
	Members []eventMember
	Effect  string
	apply   func(*change)
}

// An eventMember is a string member of an event. Its lines are joined.
type eventMember struct {
	Name     string
	Required bool
}

var events = []eventRow{
	{
		"task_started",
		[]eventMember{{"task", true}, {"next_step", false}},
		"sets the task and the next step; without a next step removes the old one; a status becomes in_progress",
		(*change).taskStarted,
	},
	{
		"decision_made",
		[]eventMember{{"decision", true}, {"reason", false}},
		"adds the decision with its reason, unless it is there already",
		(*change).decisionMade,
	},
	{
		"bug_found",
		[]eventMember{{"bug", true}, {"file", false}, {"severity", false}},
		"adds the bug with its file to the open issues, in the shape of those that are there, unless it is there " +
			"already",
		(*change).bugFound,
	},
	{
		"compression_completed",
		[]eventMember{{"summary", false}, {"archived_to", false}},
		"adds a line to the recent ones",
		(*change).compressionCompleted,
	},
	{
		"task_completed",
		[]eventMember{{"task", false}, {"result", false}},
		"moves the task with its result to the recent lines; sets the status to completed; clears the task, the " +
			"next step and the next actions",
		(*change).taskCompleted,
	},
	{
		"context_changed",
		[]eventMember{{"context", true}},
		"adds a line to what is known, unless it is there already",
		(*change).contextChanged,
	},
}

var synonyms = []string{"description", "text", "title"}

// An EventError reports a member of an event that is missing or invalid. Field is
// "type" for the type of the event itself, such as "data.task" for a member of its data, and a key
// of the state if its value is in the way.
type EventError struct{ Field, Reason string }

// dataField is the beginning of the fields of the data of an event.
const dataField = "data."

func (e *EventError) Error() string { return e.Field + " " + e.Reason }

var (
	task        = path{"current_state", "task", true}
	status      = path{"current_state", "status", true}
	nextStep    = path{"current_state", "next_step", true}
	nextActions = path{"current_state", "next_actions", true}
	decisions   = path{"current_state", "decisions", true}
	recent      = path{"current_state", "recent", true}
	known       = path{"project", "known", true}
	issues      = path{top: "issues"}
)

// words are the fixed parts of lines in one language.
type words struct{ because, compacted, archived, done, open, close string }

var (
	englishWords = words{" — because ", "Compacted the history", "archived in ", "Done: ", " (", ")"}
	chineseWords = words{" — 因为", "已压缩历史", "归档于 ", "完成：", "（", "）"}
)

// A change is the application of an event to a string.
type change struct {
	words
	doc    *document // the text
	stamp  string
	values map[string]string
	err    error
}

// Apply applies an event to a string (systems.md C8). The recent lines name the time.
// Values are written to the sections that Write uses for their keys; a line is
// added below the existing content of a section, which is kept. The error is an
// *EventError if the event is invalid, or that of Write.
func Apply(text string, typ string, data map[string]any, at time.Time) (string, error) {
	i := slices.IndexFunc(events, func(e eventRow) bool { return e.Type == typ })
	if i < 0 {
		return "", &EventError{"type", fmt.Sprintf("must be one of %s, got %q", eventTypes(), typ)}
	}
	values, err := events[i].read(data)
	if err != nil {
		return "", err
	}
	c := &change{doc: parse(text), values: values, words: englishWords, stamp: at.Format("2006-01-02 15:04 ")}
	if c.doc.isChinese() {
		c.words = chineseWords
	}
	if events[i].apply(c); c.err != nil {
		return "", c.err
	}
	return c.doc.text, nil
}

func eventTypes() string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = e.Type
	}
	return strings.Join(names, ", ")
}

func (e eventRow) read(data map[string]any) (map[string]string, error) {
	values := map[string]string{}
	for i, member := range e.Members {
		names := []string{member.Name}
		if i == 0 {
			names = append(names, synonyms...)
		}
		for _, name := range names {
			value, there := data[name]
			if !there || value == nil || values[member.Name] != "" {
				continue
			}
			text, is := value.(string)
			if !is {
				return nil, &EventError{dataField + name, "must be a string, got " + typeOf(value)}
			}
			values[member.Name] = oneLine(text)
		}
		if member.Required && values[member.Name] == "" {
			return nil, &EventError{dataField + member.Name, "must be a nonempty string"}
		}
	}
	return values, nil
}

// typeOf returns the name of the JSON type of a value.
func typeOf(value any) string {
	switch value.(type) {
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any, Map:
		return "object"
	}
	return "number"
}

func oneLine(text string) string {
	return shorten.Line(strings.ToValidUTF8(text, "\ufffd"))
}

func (c *change) taskStarted() {
	s := c.doc.state()
	c.set(&s, task, c.values["task"])
	c.set(&s, nextStep, c.values["next_step"])
	if _, there := s.value(status); there {
		c.set(&s, status, statusStarted)
	}
	c.write(s)
}

func (c *change) decisionMade() {
	line := c.values["decision"]
	if reason := c.values["reason"]; reason != "" {
		line += c.because + reason
	}
	c.addOnce(decisions, line)
}

// The values of the status.
const (
	statusStarted   = "in_progress"
	statusCompleted = "completed"
)

func (c *change) bugFound() {
	if value, _ := c.doc.state().value(issues); c.addIssue(value) {
		return
	}
	line := c.values["bug"]
	details := []string{c.values["file"], c.values["severity"]}
	details = slices.DeleteFunc(details, func(s string) bool { return s == "" })
	if len(details) > 0 {
		line += c.open + strings.Join(details, ", ") + c.close
	}
	c.addOnce(issues, line)
}

// addIssue adds the bug to a list of mappings, with the keys that the last one has. It
// returns false if the value is not such a list.
func (c *change) addIssue(value any) bool {
	list, _ := value.([]any)
	if len(list) == 0 {
		return false
	}
	last, is := list[len(list)-1].(Map)
	if !is {
		return false
	}
	title := "title"
	for _, name := range []string{"title", "description", "text", "bug"} {
		if _, there := last.Get(name); there {
			title = name
			break
		}
	}
	for _, old := range list {
		if known, is := old.(Map); is {
			if text, _ := known.Get(title); text == c.values["bug"] {
				return true
			}
		}
	}
	var issue Map
	for _, member := range last {
		switch member.Key {
		case "id":
			issue = append(issue, Member{"id", nextID(member.Value, list)})
		case title:
			issue = append(issue, Member{title, c.values["bug"]})
		case "status":
			issue = append(issue, Member{"status", "open"})
		}
	}
	issue = issue.With(title, c.values["bug"])
	for _, name := range []string{"severity", "file"} {
		if value := c.values[name]; value != "" {
			issue = issue.With(name, value)
		}
	}
	s := c.doc.state()
	c.write(s.with(issues, append(slices.Clone(list), issue)))
	return true
}

// nextID returns an id like the given one that no issue of a list has: issue-2 after
// issue-1, or 2 after 1.
func nextID(id any, list []any) any {
	for next := len(list) + 1; ; next++ {
		var made any = fmt.Sprint(next)
		switch id := id.(type) {
		case int64:
			made = int64(next)
		case string:
			made = strings.TrimRight(id, "0123456789") + fmt.Sprint(next)
		}
		taken := slices.ContainsFunc(list, func(old any) bool {
			known, is := old.(Map)
			value, _ := known.Get("id")
			return is && value == made
		})
		if !taken {
			return made
		}
	}
}

func (c *change) contextChanged() { c.addOnce(known, c.values["context"]) }

func (c *change) compressionCompleted() {
	line := c.compacted
	if summary := c.values["summary"]; summary != "" {
		line += ": " + summary
	}
	if archive := c.values["archived_to"]; archive != "" {
		line += c.open + c.archived + archive + c.close
	}
	c.addRecent(line)
}

func (c *change) taskCompleted() {
	s := c.doc.state()
	done := c.values["task"]
	if value, there := s.value(task); done == "" && there {
		done = asLine(value)
	}
	switch result := c.values["result"]; {
	case done == "" && result == "":
		c.err = &EventError{dataField + "task", "must be given, because the overview has no task"}
		return
	case done == "":
		done = result
	case result != "":
		done += " → " + result
	}
	c.set(&s, task, "")
	c.set(&s, nextStep, "")
	c.set(&s, nextActions, "")
	c.set(&s, status, statusCompleted)
	c.write(s)
	c.addRecent(c.done + done)
}

// asLine returns a value of any type as one line.
func asLine(value any) string {
	if text, is := value.(string); is {
		return oneLine(text)
	}
	return oneLine(string(appendJSON(nil, value)))
}

func (c *change) set(s *State, p path, value string) {
	switch {
	case c.err != nil:
	case value == "":
		if _, there := s.value(p); there {
			*s = s.without(p)
		}
	default:
		c.err = s.admits(p)
		*s = s.with(p, value)
	}
}

// admits returns an error if a key cannot be set because its top key has a value
// that is not a mapping and would be lost.
func (s State) admits(p path) error {
	top, there := s.Get(p.top)
	if _, is := top.(Map); p.part && there && !is {
		whole := path{top: p.top}
		return &EventError{p.top, "must be a mapping in the overview: give its section " + whole.String() +
			" keys, or remove it"}
	}
	return nil
}

func (c *change) write(s State) {
	if c.err == nil {
		c.doc, c.err = c.doc.written(s)
	}
}

func (c *change) addRecent(line string) { c.add(recent, c.stamp+line, maxRecent) }

func (c *change) addOnce(p path, line string) {
	if !c.has(p, line) {
		c.add(p, line, 0)
	}
}

// has reports whether a section has a line, with or without a reason.
func (c *change) has(p path, line string) bool {
	value, _ := c.doc.state().value(p)
	list, _ := value.([]any)
	if text, is := value.(string); is {
		for old := range strings.SplitSeq(text, "\n") {
			list = append(list, listItem.ReplaceAllString(strings.TrimSpace(old), "$1"))
		}
	}
	return slices.ContainsFunc(list, func(old any) bool {
		text, _ := old.(string)
		return text == line || strings.HasPrefix(text, line+c.because)
	})
}

// add adds a line at the end of a section. If keep is not 0, only the newest keep
// lines of the list there are kept.
func (c *change) add(p path, line string, keep int) {
	if c.err != nil {
		return
	}
	d := c.doc
	slots := d.slots()
	if i := slices.IndexFunc(slots, func(s slot) bool { return s.path == p && s.filled && !s.fenced }); i >= 0 {
		at := slots[i].at
		for at.end < len(d.text) && !strings.ContainsRune("\r\n", rune(d.text[at.end])) {
			at.end++ // blanks at the end of the line
		}
		c.doc = parse(d.text[:at.start] + d.withItem(d.text[at.start:at.end], line, keep) + d.text[at.end:])
		return
	}
	s := stateOf(slots)
	if c.err = s.admits(p); c.err != nil {
		return
	}
	old, there := s.value(p)
	list, is := old.([]any)
	if there && !is {
		list = []any{old}
	}
	list = append(slices.Clone(list), line)
	if keep > 0 {
		list = list[max(0, len(list)-keep):]
	}
	c.write(s.with(p, list))
}

// withItem appends a list item to Markdown text, to the list at its end if there is
// one.
func (d *document) withItem(body, line string, keep int) string {
	lines := strings.Split(body, "\n")
	var items []int // of the list at the end, newest first
	for i := len(lines) - 1; i >= 0; i-- {
		if listItem.MatchString(lines[i]) {
			items = append(items, i)
		} else if strings.TrimSpace(lines[i]) != "" {
			break
		}
	}
	if keep > 0 && len(items) >= keep {
		body = strings.Join(slices.Delete(lines, items[len(items)-1], items[keep-2]), "\n")
	}
	if len(items) == 0 {
		body += d.newline
	}
	return body + d.newline + "- " + line
}
