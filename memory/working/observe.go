package working

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

const (
	// maxTaken is how many items of a kind are extracted from one event.
	maxTaken = 10
	// maxSearched is how much of a message is searched for mentions, in bytes.
	maxSearched = 64 << 10
	// minMention is the length of the shortest name that counts as a mention, in bytes.
	minMention = 3
)

// Observe returns a change for a tool event or a message. Other events are ignored
// (systems.md A3).
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	if ev.Session == "" {
		return nil, nil
	}
	var found []Item
	message, edited, prompted, heard := "", false, false, request.Heard{}
	switch body := ev.Body.(type) {
	case event.ToolRan:
		found, edited = r.fromTool(ev, body), r.edits(ev, body)
	case event.MessageReceived:
		message, heard, prompted = body.Text, body.Heard(), body.Role == "user"
		found = append(fromMessage(body), r.matched(message, "message:"+body.Role)...)
	default:
		return nil, nil
	}
	s := r.read(ev.Session)
	defer r.mu.RUnlock()
	if s == nil {
		s = newSession()
	}
	p := noted{Event: s.counter() + 1, Mentioned: s.mentionedIn(message), Said: message != "", Prompted: prompted}
	for _, item := range identified(found) {
		switch _, held := s.items[keyOf(ev.Session, item.ID)]; {
		case !held:
			p.Items = append(p.Items, item)
		case !slices.Contains(p.Mentioned, item.ID):
			p.Mentioned = append(p.Mentioned, item.ID)
		}
	}
	p.Gone = slices.Concat(r.evicted(s, p), s.superseded(p, heard), s.outdated(p, edited, prompted))
	slices.Sort(p.Gone)
	p.Gone = slices.Compact(p.Gone)
	return []change.Change{change.New(Observed, ev.Session, p).AsHot()}, nil
}

// identified returns items with their ids, each once and without empty ones.
func identified(found []Item) []Item {
	var items []Item
	taken := map[string]bool{}
	for _, item := range found {
		item.ID = idOf(item)
		if item.Content != "" && !taken[item.ID] {
			taken[item.ID] = true
			items = append(items, item)
		}
	}
	return items
}

// evicted returns the ids of items that exceed the limits of their slots after p, and of
// items that have faded from the pool.
func (r *Room) evicted(s *session, p noted) []string {
	after := newSession()
	for _, item := range s.items {
		after.items[item.ID] = item
	}
	for _, item := range p.Items {
		known, there := after.items[item.ID]
		if !there {
			known = item
		}
		after.items[item.ID] = known.mentioned(p.Event, latest)
	}
	for _, id := range p.Mentioned {
		after.items[id] = after.items[id].mentioned(p.Event, latest)
	}
	var ids []string
	for _, slot := range r.Slots() {
		if items := after.in(slot.Name); len(items) > slot.Max {
			for _, item := range items[slot.Max:] {
				ids = append(ids, item.ID)
			}
		}
	}
	for i, item := range after.pool(p.Event) {
		if i >= r.env.Settings().Working.PoolItems || item.Score < faded {
			ids = append(ids, item.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// superseded returns the ids of decisions whose place new ones take, and of the last one if
// the user takes it back.
func (s *session) superseded(p noted, heard request.Heard) []string {
	var ids, decided []string
	for _, item := range p.Items {
		if item.Slot == Decisions {
			decided = append(decided, item.Content)
		}
	}
	replaces := request.Superseding(decided...)
	for i, old := range s.in(Decisions) {
		said := strings.HasPrefix(old.Source, "message:")
		if said && (heard.TakesBack && i == 0 || replaces(old.Content) || heard.Overtakes(old.Content)) {
			ids = append(ids, old.ID)
		}
	}
	return ids
}

// edits reports whether a tool changed a file. What was the problem may be none any more.
func (r *Room) edits(ev event.Event, body event.ToolRan) bool {
	if body.Failed {
		return false
	}
	switch tool.KindOf(r.env.Settings().Tools, body.Tool) {
	case tool.Edit:
		return true
	case tool.Shell:
		run := body.Run(ev.Worktree, r.env.Settings().Errors)
		return slices.ContainsFunc(run.Command.Effects(run.Output), func(e command.Effect) bool {
			return e.Action == command.Edits
		})
	}
	return false
}

// outdated returns the ids of facts about what new facts are about, about the problem at hand if a
// file was edited, and about a problem that was, once the user has gone on twice.
func (s *session) outdated(p noted, edited, prompted bool) []string {
	topics := map[string]bool{}
	for _, item := range p.Items {
		if item.Slot == Pool && item.Source == fromAssistant {
			topics[request.Topic(item.Content)] = true
		}
	}
	var ids []string
	for _, old := range s.items {
		if topic := request.Topic(old.Content); old.Slot == Pool && old.Source == fromAssistant && topic != "" &&
			(topics[topic] || edited || prompted && old.Answered) && !slices.Contains(p.Mentioned, old.ID) {
			ids = append(ids, old.ID)
		}
	}
	return ids
}

// fromUser is the source of what users say, fromAssistant that of facts, fromTool the beginning of the source of
// what tools show.
const (
	fromUser      = "message:user"
	fromAssistant = "message:assistant"
	fromTool      = "tool:"
)

// latest stands for the time of the change, which is not known yet.
var latest = time.Unix(1<<40, 0)

// fromTool extracts files, errors and dependencies from a tool event (systems.md A5).
func (r *Room) fromTool(ev event.Event, body event.ToolRan) []Item {
	source := fromTool + strings.ToLower(body.Tool)
	var items []Item
	// What only an output names is a file if it exists.
	file := func(name string, isNamed bool) {
		rel, tracked := r.env.Tracked(ev.Worktree, body.Cwd, name)
		if tracked && len(items) < maxTaken && (!isNamed || r.env.Exists(ev.Worktree, rel)) {
			items = append(items, Item{Content: rel, Path: rel, Source: source})
		}
	}
	switch tool.KindOf(r.env.Settings().Tools, body.Tool) {
	case tool.Edit, tool.Write, tool.Grep, tool.Glob, tool.Read:
		for _, name := range tool.Files(body.Input) {
			file(name, false)
		}
	case tool.Shell:
		run := body.Run(ev.Worktree, r.env.Settings().Errors)
		failures := run.Failures()
		located := map[string]bool{} // base names of files whose path is known
		for _, e := range failures {
			if e.Path != "" {
				located[path.Base(e.Path)] = true
				file(inTree(ev.Worktree, e.Path), true)
			}
		}
		if !run.Command.Prints() {
			for _, name := range run.Output.Files() {
				if !located[name] {
					file(inTree(ev.Worktree, name), true)
				}
			}
		}
		for _, e := range failures[:min(len(failures), maxTaken)] {
			items = append(items, Item{
				Slot: Errors, Content: "[" + string(e.Category) + "] " + e.Summary,
				Path: e.Path, Source: source, Fingerprint: e.Fingerprint,
			})
		}
		for _, name := range run.Command.Dependencies(run.Output) {
			items = append(items, Item{Slot: Dependencies, Content: name, Source: source})
		}
		items = append(items, r.matched(run.Output.Stdout, source)...)
	}
	return items
}

// inTree returns the absolute path of a file that is relative to the worktree.
func inTree(worktree, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(worktree, filepath.FromSlash(name))
}

// matched extracts items of the slots with a pattern in the settings from the lines of a
// text (systems.md A15).
func (r *Room) matched(text, source string) []Item {
	var items []Item
	var search pattern.Search
	for _, slot := range r.Slots() {
		if slot.Pattern == nil {
			continue
		}
		taken := 0
		for line := range strings.Lines(text[:min(len(text), maxSearched)]) {
			found := strings.TrimSpace(search.Find(slot.Pattern, strings.TrimSpace(line)))
			if found == "" || utf8.RuneCountInString(found) > MaxChars {
				continue
			}
			items = append(items, Item{Slot: slot.Name, Content: found, Source: source})
			if taken++; taken == maxTaken {
				break
			}
		}
	}
	return items
}

// fromMessage extracts decisions and todos from messages of the user, and key facts from
// messages of the assistant (systems.md A5).
func fromMessage(body event.MessageReceived) []Item {
	source := "message:" + body.Role
	var items []Item
	take := func(slot string, texts []string) {
		for _, text := range texts[:min(len(texts), maxTaken)] {
			items = append(items, Item{Slot: slot, Content: text, Source: source})
		}
	}
	heard := body.Heard()
	for _, saying := range heard.Sayings[:min(len(heard.Sayings), maxTaken)] {
		items = append(items, Item{
			Slot: Decisions, Content: saying.String(), Source: source, Entry: heard.Entry(saying.Text),
		})
	}
	take(Todos, heard.Todos)
	take(Pool, slices.DeleteFunc(slices.Clone(heard.Facts), func(fact string) bool {
		topic := request.Topic(fact)
		last := func(other string) bool { return request.Topic(other) == topic }
		return topic != "" && fact != heard.Facts[lastIndex(heard.Facts, last)]
	}))
	return items
}

// lastIndex returns the index of the last text that matches, -1 if there is none.
func lastIndex(texts []string, matches func(string) bool) int {
	for i, text := range slices.Backward(texts) {
		if matches(text) {
			return i
		}
	}
	return -1
}

// mentionedIn returns the ids of the items whose content, path or base name occurs in a
// message, sorted.
func (s *session) mentionedIn(message string) []string {
	if message == "" || len(s.items) == 0 {
		return nil
	}
	if len(message) > maxSearched {
		message = message[:maxSearched]
	}
	message = strings.ToLower(message)
	var ids []string
	for _, item := range s.items {
		if item.occursIn(message) {
			ids = append(ids, item.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// occursIn reports whether a string in lower case contains the item's content, its path, or
// the base name of its path, as words.
func (i Item) occursIn(text string) bool {
	base := i.Path[strings.LastIndexByte(i.Path, '/')+1:]
	return slices.ContainsFunc([]string{i.Content, i.Path, base}, func(name string) bool {
		name = strings.ToLower(name)
		return len(name) >= minMention && pattern.HasWord(text, name)
	})
}
