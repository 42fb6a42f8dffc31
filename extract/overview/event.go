package overview

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxRecent is how many lines of what was done last are kept (systems.md C8).
const maxRecent = 20

// An Event is a row of the table of systems.md C8: what an event has to say and
// what it changes. The first member is the main one; it may also be called
// description, text or title.
type Event struct {
	Type    string
	Members []EventMember
	Effect  string
	apply   func(*change)
}

// An EventMember is a text of an event. Several lines in it become one.
type EventMember struct {
	Name     string
	Required bool
}

var events = []Event{
	{
		"task_started",
		[]EventMember{{"task", true}, {"next_step", false}},
		"sets the task and the next step; without a next step takes the old one away",
		(*change).taskStarted,
	},
	{
		"decision_made",
		[]EventMember{{"decision", true}, {"reason", false}},
		"adds the decision with its reason, unless it stands there",
		(*change).decisionMade,
	},
	{
		"bug_found",
		[]EventMember{{"bug", true}, {"file", false}},
		"adds the bug with its file to the open issues, unless it stands there",
		(*change).bugFound,
	},
	{
		"compression_completed",
		[]EventMember{{"summary", false}, {"archived_to", false}},
		"adds a line to the recent ones",
		(*change).compressionCompleted,
	},
	{
		"task_completed",
		[]EventMember{{"task", false}, {"result", false}},
		"moves the task with its result to the recent lines; clears the task and the next step",
		(*change).taskCompleted,
	},
	{
		"context_changed",
		[]EventMember{{"context", true}},
		"adds a line to what is known, unless it stands there",
		(*change).contextChanged,
	},
}

// Events returns the table of events. Of the recent lines the newest 20 are kept.
func Events() []Event { return slices.Clone(events) }

var synonyms = []string{"description", "text", "title"}

// An EventError says which member of an event is missing or wrong, "type" for
// the kind of the event itself.
type EventError struct{ Field, Reason string }

func (e *EventError) Error() string { return e.Field + " " + e.Reason }

var (
	task      = path{"current_state", "task", true}
	nextStep  = path{"current_state", "next_step", true}
	decisions = path{"current_state", "decisions", true}
	recent    = path{"current_state", "recent", true}
	known     = path{"project", "known", true}
	issues    = path{top: "issues"}
)

// words are what a line is put together with, in one language.
type words struct{ because, compacted, archived, done, open, close string }

var (
	englishWords = words{" — because ", "Compacted the history", "archived in ", "Done: ", " (", ")"}
	chineseWords = words{" — 因为", "已压缩历史", "归档于 ", "完成：", "（", "）"}
)

// A change is an event on its way into a text.
type change struct {
	words
	text   string
	stamp  string
	values map[string]string
	err    error
}

// Apply puts an event into a text (systems.md C8), at a time that the recent
// lines name. Events are written where Write puts their keys. A line is added to
// a section below what the writer wrote there, which stays as it is. The error is
// an *EventError where the event is wrong, or that of Write.
func Apply(text string, typ string, data map[string]any, at time.Time) (string, error) {
	i := slices.IndexFunc(events, func(e Event) bool { return e.Type == typ })
	if i < 0 {
		return "", &EventError{"type", fmt.Sprintf("%q is not one of %s", typ, eventTypes())}
	}
	values, err := events[i].read(data)
	if err != nil {
		return "", err
	}
	c := &change{text: text, values: values, words: englishWords, stamp: at.Format("2006-01-02 15:04 ")}
	if parse(text).isChinese() {
		c.words = chineseWords
	}
	if events[i].apply(c); c.err != nil {
		return "", c.err
	}
	return c.text, nil
}

func eventTypes() string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = e.Type
	}
	return strings.Join(names, ", ")
}

func (e Event) read(data map[string]any) (map[string]string, error) {
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
				return nil, &EventError{name, fmt.Sprintf("has to be text, not %T", value)}
			}
			values[member.Name] = oneLine(text)
		}
		if member.Required && values[member.Name] == "" {
			return nil, &EventError{member.Name, "is missing: say it in one line"}
		}
	}
	return values, nil
}

func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
}

func (c *change) taskStarted() {
	s := Read(c.text)
	c.set(&s, task, c.values["task"])
	c.set(&s, nextStep, c.values["next_step"])
	c.write(s)
}

func (c *change) decisionMade() {
	line := c.values["decision"]
	if reason := c.values["reason"]; reason != "" {
		line += c.because + reason
	}
	c.addOnce(decisions, line)
}

func (c *change) bugFound() {
	line := c.values["bug"]
	if file := c.values["file"]; file != "" {
		line += c.open + file + c.close
	}
	c.addOnce(issues, line)
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
	s := Read(c.text)
	done := c.values["task"]
	if value, there := s.value(task); done == "" && there {
		done = asLine(value)
	}
	switch result := c.values["result"]; {
	case done == "" && result == "":
		c.err = &EventError{"task", "is missing, and the overview names none"}
		return
	case done == "":
		done = result
	case result != "":
		done += " → " + result
	}
	c.set(&s, task, "")
	c.set(&s, nextStep, "")
	c.write(s)
	c.addRecent(c.done + done)
}

// asLine is a value of any kind as one line.
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

// admits tells why a key cannot be set: what stands in place of its mapping would
// be lost.
func (s State) admits(p path) error {
	top, there := s.Get(p.top)
	if _, is := top.(Map); p.part && there && !is {
		return &EventError{
			p.top,
			"is not a mapping in the overview: give its section " + path{
				top: p.top,
			}.String() + " keys, or take it away",
		}
	}
	return nil
}

func (c *change) write(s State) {
	if c.err == nil {
		c.text, c.err = Write(c.text, s)
	}
}

func (c *change) addRecent(line string) { c.add(recent, c.stamp+line, maxRecent) }

func (c *change) addOnce(p path, line string) {
	if !c.stands(p, line) {
		c.add(p, line, 0)
	}
}

// stands tells whether a section has a line, or the same one with its reason.
func (c *change) stands(p path, line string) bool {
	value, _ := Read(c.text).value(p)
	list, _ := value.([]any)
	if text, is := value.(string); is {
		for old := range strings.SplitSeq(text, "\n") {
			list = append(list, listItem().ReplaceAllString(strings.TrimSpace(old), "$1"))
		}
	}
	return slices.ContainsFunc(list, func(old any) bool {
		text, _ := old.(string)
		return text == line || strings.HasPrefix(text, line+c.because)
	})
}

// add puts a line below what stands in a section, and keeps the newest ones of
// the list there if keep is not 0.
func (c *change) add(p path, line string, keep int) {
	if c.err != nil {
		return
	}
	d := parse(c.text)
	slots := d.slots()
	if i := slices.IndexFunc(slots, func(s slot) bool { return s.path == p && s.filled && !s.fenced }); i >= 0 {
		at := slots[i].at
		for at.end < len(c.text) && !strings.ContainsRune("\r\n", rune(c.text[at.end])) {
			at.end++ // blanks at the end of the line
		}
		c.text = c.text[:at.start] + d.withItem(c.text[at.start:at.end], line, keep) + c.text[at.end:]
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

// withItem adds a list item to Markdown, next to the list at its end if there is one.
func (d *document) withItem(body, line string, keep int) string {
	lines := strings.Split(body, "\n")
	var items []int // of the list at the end, newest first
	for i := len(lines) - 1; i >= 0; i-- {
		if listItem().MatchString(lines[i]) {
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
