package longterm

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// markdown returns the details of an entry, or of a pair of them.
func (r *Room) markdown(at panel.Reader, item string) (string, bool) {
	if pair, is := strings.CutPrefix(item, pairPrefix); is {
		return r.pairMarkdown(at, pair)
	}
	if item == fullItem {
		return r.fullMarkdown()
	}
	id, ours := strings.CutPrefix(item, itemPrefix)
	if !ours {
		return "", false
	}
	e, there := r.Get(id)
	if !there {
		return "", false
	}
	facts := []panel.Fact{
		{Name: "Type", Value: panel.TypeName(e.Type)}, {Name: "Status", Value: e.standing()},
		{Name: "Why", Value: e.Rationale},
		{Name: "Said by", Value: e.saidBy(at), Markdown: true},
		{Name: "Said again", Value: panel.Times(e.Reinforced)},
		{Name: "Files", Value: panel.FileLinks(at.Worktree, e.there()), Markdown: true},
	}
	if e.Stale != nil {
		facts = append(facts, panel.Fact{Name: "May be out of date", Value: e.Stale.Reason})
	}
	return panel.WithFacts(panel.Literal(e.Text), facts...), true
}

// standing returns the status in words, with what a person should know.
func (e *Entry) standing() string {
	standing := e.Status.Words()
	if e.Ended != nil && e.Ended.Reason != OnRequest {
		standing += ": " + e.Ended.Reason
	}
	if e.Pinned {
		standing += ", pinned"
	}
	if e.Status == StatusActive && !e.Reviewed {
		standing += ", to review"
	}
	return standing
}

// saidBy returns who put the entry into words and when, as Markdown.
func (e *Entry) saidBy(at panel.Reader) string {
	said := e.Writer().Words()
	if e.Imported != nil {
		said = panel.Escape(e.from())
	} else if e.Writer() == Agent && e.ofCommand() {
		said = "a command of a script or an agent"
	} else if e.Origin != nil && e.Origin.Agent != "" {
		switch agent := panel.Escape(e.Origin.Agent); e.Writer() {
		case Person:
			preposition := ", to " // the agent of a message
			if e.Source == Manual {
				preposition = " in "
			}
			said += preposition + agent
		case Summary:
			said += " of " + agent
		default:
			said = agent
		}
	}
	said += ", " + panel.Clock(e.CreatedAt)
	if e.Origin != nil {
		said += at.In(e.Origin.SessionID)
	}
	return said
}

// CommandLine is the agent of what the commands of this program change.
const CommandLine = "wm-lsp"

// ofCommand reports whether the entry was added with a command of this program.
func (e *Entry) ofCommand() bool { return e.Origin != nil && e.Origin.Agent == CommandLine }

// maxAuthorChars is how much of the name of an author a row shows.
const maxAuthorChars = 20

// by returns the author as a row shows it, and the name of its icon. Both are "" if the author is not known.
func (e *Entry) by() (name, icon string) {
	switch name = string(e.Writer()); Author(name) {
	case Person:
		icon = "person"
	case Agent:
		icon = "hubot"
		switch {
		case e.ofCommand():
			name, icon = "command", "terminal"
		case e.Origin != nil && e.Origin.Agent != "":
			name = e.Origin.Agent
		}
	case Summary:
		icon = "fold"
	case Machine:
		icon = "desktop-download"
		if e.Imported != nil {
			name = e.Imported.Program
		}
	}
	return shorten.Chars(shorten.Line(name), maxAuthorChars), icon
}

// Detail returns the type of the entry and its author, if that is known, as people are shown them.
func (e *Entry) Detail() string {
	if name, _ := e.by(); name != "" {
		return panel.TypeName(e.Type) + " · " + name
	}
	return panel.TypeName(e.Type)
}

// row returns an item with what every row of the entry has: its text, its type and its author.
func (e *Entry) row() panel.Item {
	_, icon := e.by()
	return panel.Item{
		ID: itemPrefix + e.ID, Kind: "memory", Icon: panel.TypeIcon(e.Type), Label: shorten.Line(e.Text),
		Detail: e.Detail(), AuthorIcon: icon, HasMarkdown: true,
	}
}

// from returns in words from where an entry was taken over.
func (e *Entry) from() string { return e.Imported.String() + " (" + e.Imported.Program + ")" }

// there returns the linked files that were not deleted.
func (e *Entry) there() (files []string) {
	for _, file := range e.Files {
		if e.Stale == nil || !slices.Contains(e.Stale.Gone, file) {
			files = append(files, file)
		}
	}
	return files
}

// SentTo says in words whether agents are told an entry.
func (e Explanation) SentTo() string {
	switch {
	case e.Rendered && e.Entry.isBound():
		return "yes, to agents whose work is about the same"
	case e.Rendered:
		return "yes, to every agent in this folder"
	}
	return "no: " + e.Reason
}
