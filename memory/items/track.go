package items

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/prune"
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/items/episode"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// Observe returns the changes that memorize a tool that ran, if the settings say so, or a message of a
// session whose conversation is kept (systems.md E4), and those of their episode.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	track := r.env.Settings().Items.EnableToolTracking
	var item Item
	var prompt *episode.Prompt
	var t *tracker
	var call ToolCall
	step := stepOf(ev)
	switch body := ev.Body.(type) {
	case event.ToolRan:
		if !track {
			return nil, nil
		}
		t = r.tracker()
		item, call = r.toolItem(ev, body, &step)
	case event.MessageReceived:
		isKept := r.keepsConversation(ev.Session)
		if strings.TrimSpace(body.Text) == "" || !track && !isKept {
			return nil, nil
		}
		t = r.tracker()
		open, _ := t.open(ev.Session)
		task := body.Task(open.About())
		prompt = t.heard(&step, body.Role, body.Text, cmp.Or(task, body.Continued(open.About())))
		if !isKept {
			t.place("", step, prompt)
			return t.changes(), nil
		}
		item = messageItem(ev, body)
	case event.SessionDeleted:
		return r.forsaken(ev.Session), nil
	default:
		return nil, nil
	}
	item.At, item.Session, item.Task = step.At, ev.Session, ev.Task
	store := r.complete(&item, call.Failed)
	refused := refusal{Store: item.Store, Importance: item.Importance, Novelty: item.Novelty}
	refused.Needed = gating.Needed(r.env.Settings().Items.MinImportance, 0)
	if store.Gated && refused.Importance < refused.Needed {
		t.place("", step, prompt)
		return append(t.changes(), change.New(Rejected, item.ID, refused).Because("importance").AsHot()), nil
	}
	step.Items, step.Size = 1, item.Tokens
	item.Episode = t.place("", step, prompt)
	if store.Gated && len(call.Changed) == 0 { // what changes a file is news, though it may read like a former change
		refused.Like, refused.Novelty = r.noveltyIn(&item)
		if item.Novelty = refused.Novelty; item.Novelty < r.env.Settings().Items.MinNovelty {
			return append(t.changes(), change.New(Rejected, item.ID, refused).Because("novelty").AsHot()), nil
		}
	}
	memorized := change.New(Memorized, item.ID, item).Because("type " + item.Type).AsHot()
	return append(t.changes(), memorized), nil
}

// complete sets what follows from the type and the text of an item that was observed, and returns its store.
func (r *Room) complete(item *Item, failed bool) Store {
	store := RegistryOf(nil, r.env.Settings().Items).storeOf(item.Type, item.Store)
	item.putInto(store)
	item.ID, item.Tokens, item.Novelty = r.env.NewID(), tokens.Count(item.Text), 1
	item.Importance = gating.Importance(gating.Piece{
		Type: item.Type, Text: item.Text, Source: item.Source, Failed: failed,
	}, nil)
	if redact.HasMarker(item.Text) {
		item.Redaction = Partial
		if redact.OnlyMarkers(item.Text) {
			item.Redaction = Full
		}
	}
	return store
}

// noveltyIn returns how new the text of an item is in its episode, and the id of the item that is most similar. It is
// compared with the newest items in the tables: what was memorized a moment ago, and is not written yet, is not known.
func (r *Room) noveltyIn(item *Item) (like string, novelty float64) {
	if r.db == nil {
		return "", 1
	}
	p := prepared{sketch: gating.SketchOf(item.Text)}
	p.keys = keysOf(item, p.sketch)
	d := decision{ctx: context.Background(), tx: r.db, room: r, now: item.At, latest: map[key]*candidate{}}
	if err := d.readLatest(p.keys); err != nil {
		r.env.Log.Warn("what a tool did is taken for something new", "error", err)
	}
	found, similarity := d.nearest(&p)
	if found.episode != item.Episode {
		return "", 1
	}
	return found.id, noveltyOf(similarity)
}

// TrackedIn returns the id of the item of a tool that ran, "" if changes have none.
func TrackedIn(changes []change.Change) string {
	for _, c := range changes {
		if c.Kind == Memorized {
			return c.Subject
		}
	}
	return ""
}

// keepsConversation reports whether the conversation of a session is kept.
func (r *Room) keepsConversation(session string) bool {
	dir, err := r.env.SessionDir(session)
	return err == nil && history.IsKept(dir)
}

// messageTypes are the types of the items of messages, messageSources their sources, by role.
var (
	messageTypes = once.Value[map[string]string]{Make: func() map[string]string {
		return map[string]string{
			history.User: "user_message", history.Assistant: "assistant_message", history.System: "system_message",
			history.Tool: "tool_result",
		}
	}}
	messageSources = once.Value[map[string]string]{Make: func() map[string]string {
		return map[string]string{
			history.User: "user", history.Assistant: "model", history.System: "system", history.Tool: "tool",
		}
	}}
)

func messageItem(ev event.Event, body event.MessageReceived) Item {
	item := Item{
		Store: gating.Conversation, Type: messageTypes.Get()[body.Role], Source: messageSources.Get()[body.Role],
		Text: history.Shortened(body.Text),
	}
	if body.Role != history.User {
		item.Agent = ev.Agent
	}
	return item
}

const (
	// maxCall is the maximum length of what a tool was called with, maxResult of what came of it,
	// maxShown of a part of a file that it showed or wrote, in bytes.
	maxCall   = 500
	maxResult = 1200
	maxShown  = 300
)

// A ToolCall is the content of the item of a tool that ran.
type ToolCall struct {
	Tool string `json:"tool"`
	// Kind is what the tool does: edit, write, grep, read, shell, or "".
	Kind    string `json:"kind,omitempty"`
	Command string `json:"command,omitempty"`
	// Files are the files of the input of a tool for files, or those that a command read or
	// changed, relative to the worktree, with slashes. Changed are those of them that it changed.
	Files   []string `json:"files,omitempty"`
	Changed []string `json:"changed,omitempty"`
	// ExitCode is nil if it is unknown. Failed is true if the tool reported a failure, or if the
	// exit code is not 0 and no command that only searches returned it.
	ExitCode *int   `json:"exitCode,omitempty"`
	Failed   bool   `json:"failed,omitempty"`
	Error    string `json:"error,omitempty"`
}

// toolItem returns the item of a tool that ran: what it was called with and what came of it, without
// what can be read again, such as the content of a file.
func (r *Room) toolItem(ev event.Event, body event.ToolRan, step *episode.Step) (item Item, call ToolCall) {
	kind := tool.KindOf(r.env.Settings().Tools, body.Tool)
	call = ToolCall{
		Tool: shorten.Bytes(body.Tool, maxLabel), Kind: string(kind), ExitCode: body.ExitCode, Failed: body.Failed,
		Error: shorten.Bytes(shorten.Line(body.Error), maxShown),
	}
	var text string
	if kind == tool.Shell {
		text = r.shellText(ev, body, &call)
		step.Runs = checksOf(body.Run(ev.Worktree, r.env.Settings().Errors), call.Failed)
	} else {
		text = r.toolText(ev, body, kind, &call)
	}
	for _, file := range call.Files {
		switch {
		case path.IsAbs(file) || filepath.IsAbs(file):
		case slices.Contains(call.Changed, file):
			step.Changed = append(step.Changed, file)
		default:
			step.Read = append(step.Read, file)
		}
	}
	content, err := json.Marshal(call)
	if err != nil { // strings and integers can be encoded
		panic(err)
	}
	return Item{
		Store: gating.Episodic, Type: "tool_result", Source: "tool", Agent: ev.Agent, Text: text, Content: content,
	}, call
}

// maxFiles is the maximum number of files of a call that are kept.
const maxFiles = 20

// shellText returns the text for a command: the command line, the exit code if it is not 0, and its
// output in short.
func (r *Room) shellText(ev event.Event, body event.ToolRan, call *ToolCall) string {
	run := body.Run(ev.Worktree, r.env.Settings().Errors)
	call.Command = shorten.Bytes(run.Command.Line, maxCall)
	call.Failed = call.Failed || len(run.Failures()) > 0 ||
		body.ExitCode != nil && *body.ExitCode != 0 && !run.Command.Prints()
	for _, effect := range run.Command.Effects(run.Output) {
		rel, tracked := r.env.Tracked(ev.Worktree, run.Output.Cwd, effect.Path)
		if !tracked || len(call.Files) == maxFiles || strings.HasPrefix(rel, "~") {
			continue
		}
		call.Files = append(call.Files, rel)
		if effect.Action != "read" {
			call.Changed = append(call.Changed, rel)
		}
	}
	lines := []string{"$ " + call.Command}
	if code := body.ExitCode; code != nil && *code != 0 {
		lines = append(lines, fmt.Sprintf("exit code %d", *code))
	}
	most := maxResult
	if run.Command.Prints() && !call.Failed {
		most = maxShown
	}
	if result := inShort(run.Output.Stdout, most, run.Command.Prints()); result != "" {
		lines = append(lines, result)
	}
	return strings.Join(lines, "\n")
}

// toolText returns the text for another tool: its name with the files, what it wrote or found in
// short, and its error.
func (r *Room) toolText(ev event.Event, body event.ToolRan, kind tool.Kind, call *ToolCall) string {
	for _, file := range tool.Files(body.Input) {
		rel, tracked := r.env.Tracked(ev.Worktree, body.Cwd, file)
		if inside, is := r.env.Relative(file); !tracked && is {
			rel = inside
		} else if !tracked {
			rel = filepath.ToSlash(file)
		}
		if len(call.Files) < maxFiles {
			call.Files = append(call.Files, shorten.Bytes(rel, maxShown))
		}
	}
	head := []string{call.Tool}
	if searched := tool.Searched(body.Input); kind == tool.Grep && searched != "" {
		head = append(head, shorten.Bytes(shorten.Line(searched), maxShown))
	}
	head = append(head, call.Files...)
	if first, last := tool.Lines(body.Input); kind == tool.Read && last > 0 {
		head = append(head, fmt.Sprintf("lines %d to %d", first, last))
	}
	if kind == tool.Other && len(body.Input) > 2 {
		head = append(head, shorten.Bytes(shorten.Line(string(body.Input)), maxCall))
	}
	lines := []string{strings.Join(head, " ")}
	switch {
	case body.Failed || body.Error != "":
		call.Failed = true
		lines = append(lines, "failed", inShort(cmp.Or(body.Error, body.Output), maxResult, false))
	case kind == tool.Edit || kind == tool.Write:
		call.Changed = call.Files
		lines = append(lines, inShort(tool.Content(body.Input), maxShown, true))
	case kind == tool.Grep:
		lines = append(lines, inShort(body.Output, maxShown, true))
	case kind == tool.Other:
		lines = append(lines, inShort(body.Output, maxResult, false))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n ")
}

// inShort returns an output in at most so many bytes: its errors, its first and its last lines, or,
// of what shows files, the first lines.
func inShort(text string, most int, shows bool) string {
	text = strings.TrimSpace(text)
	if len(text) <= most {
		return text
	}
	if !shows {
		const ends = 3 // lines at the beginning and at the end
		pruned := prune.Prune(text, prune.Options{
			Mode: prune.Normal, Rule: prune.Rule{Threshold: 2 * ends, Keep: ends},
		}).Output
		if len(pruned) <= most {
			return pruned
		}
		// What failed is at the end of most outputs.
		head := shorten.Bytes(pruned, most/3)
		tail := strings.ToValidUTF8(pruned[len(pruned)-most*2/3+len("\n"):], "")
		if _, whole, cut := strings.Cut(tail, "\n"); cut {
			tail = whole
		}
		return head + "\n" + tail
	}
	short := shorten.Bytes(text, most)
	if end := strings.LastIndexByte(short, '\n'); end > 0 {
		return short[:end] + "\n…"
	}
	return short
}
