//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

const (
	// listNote is a note of every session to which all slots append lines.
	listNote = "detail/list.md"
	// movedNote is a note that its slot archives and restores.
	movedNote = "detail/moved.md"
	// slotItems is the number of items of the slot soak of the working memory.
	slotItems = 50
)

// An action calls a method, and perhaps others that it needs. Its error is that of the last
// call.
type action struct {
	weight int
	run    func(s *slot) error
}

// actions are the actions of a slot, by the method that they are for.
var actions = map[string]action{
	"wm/session/start":       {1, (*slot).startSession},
	"wm/session/end":         {1, (*slot).endScratch},
	"wm/session/delete":      {1, (*slot).deleteScratch},
	"wm/session/list":        {1, (*slot).listSessions},
	"wm/session/handover":    {1, (*slot).handOver},
	"wm/session/continue":    {1, (*slot).continueScratch},
	"wm/diagnostics/changed": {2, (*slot).changeDiagnostics},
	"wm/tool/executed":       {4, (*slot).executeTool},
	"wm/message/received":    {4, (*slot).receiveMessage},
	"wm/todos/changed":       {1, (*slot).changeTodos},
	"wm/usage/reported":      {2, (*slot).reportUsage},
	"wm/state/event":         {1, (*slot).stateEvent},
	"wm/compaction/starting": {1, reads("wm/compaction/starting")},
	"wm/compaction/finished": {1, (*slot).finishCompaction},

	"wm/context":         {3, reads("wm/context")},
	"wm/search":          {2, (*slot).search},
	"wm/errors/list":     {1, reads("wm/errors/list")},
	"wm/errors/copy":     {1, onError("wm/errors/copy")},
	"wm/errors/command":  {1, onError("wm/errors/command")},
	"wm/errors/dismiss":  {1, onError("wm/errors/dismiss")},
	"wm/errors/restore":  {1, onError("wm/errors/restore")},
	"wm/errors/remember": {1, (*slot).rememberError},
	"wm/files/list":      {1, reads("wm/files/list")},
	"wm/panel":           {2, reads("wm/panel")},
	"wm/pressure":        {1, reads("wm/pressure")},
	"wm/panel/resolve":   {1, (*slot).resolvePanel},

	"wm/memory/list":     {2, (*slot).listEntries},
	"wm/memory/add":      {8, (*slot).addEntry},
	"wm/memory/update":   {3, (*slot).updateEntry},
	"wm/memory/remove":   {2, (*slot).removeEntry},
	"wm/memory/explain":  {1, (*slot).explainEntry},
	"wm/memory/restore":  {1, (*slot).restoreEntry},
	"wm/workspace/purge": {1, (*slot).purge},
	"wm/core/read":       {1, reads("wm/core/read")},
	"wm/core/update":     {4, (*slot).updateCore},
	"wm/working/read":    {1, reads("wm/working/read")},
	"wm/working/add":     {3, (*slot).addItem},
	"wm/working/remove":  {1, (*slot).removeItem},
	"wm/working/clear":   {1, (*slot).clearTodos},
	"wm/working/restore": {1, (*slot).restoreItem},
	"wm/notes/list":      {1, reads("wm/notes/list")},
	"wm/notes/read":      {1, (*slot).readNote},
	"wm/notes/write":     {4, (*slot).writeNote},
	"wm/notes/archive":   {1, (*slot).moveNote},
	"wm/notes/restore":   {1, (*slot).moveNote},
	"wm/state/read":      {1, reads("wm/state/read")},
	"wm/state/write":     {1, (*slot).writeState},
	"wm/history/compact": {1, (*slot).compactHistory},
	"wm/prune":           {1, (*slot).prune},
	"wm/output/read":     {1, (*slot).readOutput},
	"wm/search/tune":     {1, (*slot).tune},
	"wm/sweep":           {1, (*slot).sweep},
	"wm/budget":          {1, reads("wm/budget")},
	"wm/commit":          {1, (*slot).commit},
	"wm/memorize":        {6, (*slot).memorize},
	"wm/skills":          {1, reads("wm/skills")},
	"wm/skills/get":      {1, (*slot).getSkill},
	"wm/skills/update":   {1, (*slot).keepSkill},
	"wm/skills/remove":   {1, (*slot).dropSkill},
	"wm/skills/restore":  {1, (*slot).restoreSkill},
	"wm/skills/export":   {1, (*slot).exportSkills},
	"wm/trace":           {1, reads("wm/trace")},
	"wm/import":          {1, reads("wm/import")},
	"wm/pause":           {1, (*slot).pause},
	"wm/status":          {1, reads("wm/status")},
}

// act runs an action at random.
func (s *slot) act() error {
	total := 0
	for _, method := range wire.Methods() {
		total += actions[method.Name].weight
	}
	chosen := s.random.IntN(total)
	for _, method := range wire.Methods() {
		if chosen -= actions[method.Name].weight; chosen < 0 {
			return actions[method.Name].run(s)
		}
	}
	return nil
}

// reads returns an action that reads without parameters.
// search searches for a word of the entries that the slots add.
func (s *slot) search() error {
	return s.read("wm/search", peer.Object{"query": "which entry was added", "explain": true}, nil)
}

func reads(method string) func(s *slot) error {
	return func(s *slot) error { return s.read(method, peer.Object{}, nil) }
}

// read calls a method that reads, and checks that the answer holds no erased text.
func (s *slot) read(method string, params peer.Object, result any) error {
	seen := s.world.seen()
	var answer json.RawMessage
	if err := s.call(method, params, &answer); err != nil {
		return err
	}
	for _, value := range s.world.erasures.before(seen, string(answer)) {
		s.world.faults.add("an erased text is in the answer of %s: %s", method, value)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(answer, result); err != nil {
		s.world.faults.add("the answer of %s cannot be read: %v", method, err)
	}
	return nil
}

// An entry is an entry of the workspace memory that the slot has added.
type entry struct {
	id      string
	values  []string // of its text; the last one is current
	removed bool
	// doomed reports whether the client has tried to erase it, without success as far as it
	// knows. Its text must not be written anywhere any more.
	doomed bool
}

// slotState is what a slot remembers for its next actions.
type slotState struct {
	entries   []*entry
	scratch   string // a session that is to be deleted
	scratches int
	dropped   []any // items that can be restored
	outputs   []string
	message   int
}

// pick returns a random entry of the slot, nil if there is none.
func (s *slot) pick(removed bool) *entry {
	var fit []*entry
	for _, e := range s.state.entries {
		if e.removed == removed && !e.doomed {
			fit = append(fit, e)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return fit[s.random.IntN(len(fit))]
}

// forget drops an entry of which the slot does not know the state.
func (s *slot) forget(e *entry) {
	s.state.entries = slices.DeleteFunc(s.state.entries, func(other *entry) bool { return other == e })
}

// any returns a random session of a slot: its own or that of another.
func (s *slot) any() string { return s.world.slots[s.random.IntN(len(s.world.slots))].session }

func folderURI(path string) string { return string(uri.File(path)) }

func (s *slot) addEntry() error {
	w := s.world
	value := w.value()
	params := peer.Object{"text": sentence(value), "type": "decision", "pinned": s.random.IntN(40) == 0}
	if s.random.IntN(4) == 0 {
		params["workspace"] = folderURI(w.purged)
		return s.addTo(&w.bag.ledger, value, params, nil)
	}
	var receipt wire.Receipt
	err := s.addTo(w.entries, value, params, &receipt)
	if err == nil && receipt.Status == wire.ReceiptAdded {
		s.state.entries = append(s.state.entries, &entry{id: receipt.ID, values: []string{value}})
	}
	return err
}

// addTo adds an entry. What is rejected, because of a pause, is refused.
func (s *slot) addTo(to *ledger, value string, params peer.Object, receipt *wire.Receipt) error {
	if receipt == nil {
		receipt = new(wire.Receipt)
	}
	to.begin(value, s.world.tick())
	err := s.call("wm/memory/add", params, receipt)
	outcome := outcomeOf(err)
	switch {
	case err != nil:
	case receipt.Status == wire.ReceiptRejected && receipt.Reason == "paused":
		outcome = refused
	case receipt.Status != wire.ReceiptAdded || receipt.Entry == nil || receipt.Entry.Text != sentence(value):
		s.world.faults.add("the receipt of a new entry does not fit: %+v", *receipt)
	}
	to.end(value, outcome, s.world.tick())
	return err
}

// onError returns an action that calls a method with an open error, if there is one. Another slot may
// close it meanwhile.
func onError(method string) func(s *slot) error {
	return func(s *slot) error { return s.withError(method, nil) }
}

// rememberError remembers an open error, and erases the entry.
func (s *slot) rememberError() error {
	var receipt wire.Receipt
	if err := s.withError("wm/errors/remember", &receipt); err != nil || receipt.ID == "" {
		return err
	}
	err := s.call("wm/memory/remove", peer.Object{"id": receipt.ID, "erase": true}, nil)
	if refusedFor(err, wire.RefusalNotFound) { // it was evicted
		return nil
	}
	return err
}

func (s *slot) withError(method string, result any) error {
	var open wire.ErrorsListResult
	if err := s.read("wm/errors/list", peer.Object{}, &open); err != nil || len(open.Errors) == 0 {
		return err
	}
	one := open.Errors[s.random.IntN(len(open.Errors))]
	err := s.call(method, peer.Object{"fingerprint": one.Fingerprint}, result)
	if refusedFor(err, wire.RefusalNotFound) { // it is closed, or its command is not known
		return nil
	}
	return err
}

func (s *slot) updateEntry() error {
	e := s.pick(false)
	if e == nil {
		return s.addEntry()
	}
	value := s.world.value()
	params := peer.Object{"id": e.id, "text": sentence(value), "reviewed": true}
	err := s.write(s.world.entries, value, "wm/memory/update", params, nil)
	switch {
	case err == nil:
		e.values = append(e.values, value)
	case errors.Is(err, errGone), refusedFor(err, wire.RefusalNotFound): // its text is not known, or it was evicted
		s.forget(e)
	}
	return err
}

// removeEntry removes an entry, or erases one whose text is also in a note, in the
// conversation and in an output.
func (s *slot) removeEntry() error {
	if i := slices.IndexFunc(s.state.entries, func(e *entry) bool { return e.doomed }); i >= 0 {
		return s.erase(s.state.entries[i])
	}
	e := s.pick(false)
	if e == nil {
		return s.addEntry()
	}
	if s.random.IntN(2) == 0 {
		err := s.call("wm/memory/remove", peer.Object{"id": e.id}, nil)
		if e.removed = err == nil; err != nil {
			s.forget(e)
		}
		return err
	}
	text := sentence(e.values[len(e.values)-1])
	_ = s.call("wm/notes/write", peer.Object{"path": "detail/quote.md", "content": "# Quote\n\n" + text + "\n"}, nil)
	_ = s.call("wm/message/received", peer.Object{"role": "assistant", "text": text}, nil)
	_ = s.call("wm/prune", peer.Object{"output": longOutput(text), "mode": "hyper"}, nil)
	return s.erase(e)
}

// erase erases an entry. It is tried again until there is an answer.
func (s *slot) erase(e *entry) error {
	e.doomed = true
	for _, value := range e.values {
		s.world.entries.forgive(value)
	}
	err := s.call("wm/memory/remove", peer.Object{"id": e.id, "erase": true}, nil)
	if err == nil || refusedFor(err, wire.RefusalNotFound) {
		now := s.world.tick()
		for _, value := range e.values {
			s.world.erasures.add(value, now)
		}
		s.forget(e)
	}
	return err
}

// finishErasures tries the erasures again that have no answer.
func (s *slot) finishErasures() {
	for _, e := range slices.Clone(s.state.entries) {
		if e.doomed {
			if err := s.erase(e); err != nil && !refusedFor(err, wire.RefusalNotFound) {
				s.world.faults.add("an entry cannot be erased: %v", err)
			}
		}
	}
}

func (s *slot) explainEntry() error {
	e := s.pick(s.random.IntN(2) == 0)
	if e == nil {
		return s.addEntry()
	}
	return s.read("wm/memory/explain", peer.Object{"id": e.id}, nil)
}

func (s *slot) restoreEntry() error {
	e := s.pick(true)
	if e == nil {
		return s.removeEntry()
	}
	err := s.call("wm/memory/restore", peer.Object{"id": e.id}, nil)
	if e.removed = err != nil; err != nil {
		s.forget(e)
	}
	return err
}

func (s *slot) listEntries() error {
	w := s.world
	var list wire.MemoryListResult
	if s.random.IntN(2) == 0 {
		return s.read("wm/memory/list", peer.Object{"includeInactive": s.random.IntN(2) == 0}, &list)
	}
	seen := w.seen()
	err := s.read("wm/memory/list", peer.Object{"workspace": folderURI(w.purged), "includeInactive": true}, &list)
	if err == nil {
		w.report("the purged workspace", w.bag.check(valuesOf(list.Entries), seen, w.tick()))
	}
	return err
}

func valuesOf(entries []wire.MemoryEntry) []string {
	var values []string
	for _, e := range entries {
		values = append(values, valuesAfter(e.Text, inSentence)...)
	}
	return values
}

// report adds faults of a part of the memory. Their kind stands before the colon.
func (w *world) report(part string, faults []string) {
	for _, fault := range faults {
		kind, _, _ := strings.Cut(fault, ":")
		w.faults.addKind(part+": "+kind, part+": "+fault)
	}
}

func (s *slot) purge() error {
	if s.random.IntN(3) > 0 { // it disturbs the others
		return nil
	}
	w := s.world
	var status wire.StatusResult
	if err := s.read("wm/status", peer.Object{"workspace": folderURI(w.purged)}, &status); err != nil {
		return err
	}
	done := w.bag.clear(w.tick())
	err := s.call("wm/workspace/purge",
		peer.Object{"workspace": folderURI(w.purged), "confirm": status.Workspace.Key}, nil)
	done(outcomeOf(err), w.tick())
	return err
}

func (s *slot) pause() error {
	params := peer.Object{"workspace": folderURI(s.world.purged), "minutes": 1}
	if err := s.call("wm/pause", params, nil); err != nil {
		return err
	}
	return s.resume()
}

func (s *slot) resume() error {
	return s.call("wm/pause", peer.Object{"workspace": folderURI(s.world.purged), "resume": true}, nil)
}

func (s *slot) startSession() error {
	if s.state.scratch != "" {
		return s.call("wm/session/start", peer.Object{"sessionId": s.session, "history": true, "title": "Soak"}, nil)
	}
	s.state.scratches++
	s.state.scratch = fmt.Sprintf("scratch-%d-%d", s.index, s.state.scratches)
	return s.call("wm/session/start", peer.Object{"sessionId": s.state.scratch}, nil)
}

func (s *slot) endScratch() error {
	if s.state.scratch == "" {
		return s.startSession()
	}
	return s.call("wm/session/end", peer.Object{"sessionId": s.state.scratch}, nil)
}

func (s *slot) deleteScratch() error {
	session := s.state.scratch
	if session == "" {
		return s.startSession()
	}
	for _, write := range []struct {
		method string
		params peer.Object
	}{
		{"wm/core/update", peer.Object{"block": "goal", "operation": "replace", "content": "Add up"}},
		{"wm/notes/write", peer.Object{"path": "detail/scratch.md", "content": "# Scratch\n"}},
		{"wm/session/delete", peer.Object{}},
	} {
		write.params["sessionId"] = session
		if err := s.call(write.method, write.params, nil); err != nil {
			return err
		}
	}
	s.world.scratch.add(session, s.world.tick())
	s.state.scratch = ""
	return nil
}

func (s *slot) listSessions() error {
	seen := s.world.seen()
	var list wire.SessionListResult
	err := s.read("wm/session/list", peer.Object{}, &list)
	for _, known := range list.Sessions {
		if s.world.scratch.has(known.SessionID, seen) {
			s.world.faults.add("a deleted session came back: %s", known.SessionID)
		}
	}
	return err
}

// handOver asks for what any session left.
func (s *slot) handOver() error {
	var left wire.SessionHandoverResult
	err := s.read("wm/session/handover", peer.Object{}, &left)
	if h := left.Handover; h != nil && utf8.RuneCountInString(h.Text) > assembly.MaxHandoverChars {
		s.world.faults.add("a handover has %d characters", utf8.RuneCountInString(h.Text))
	}
	return err
}

// continueScratch ends a session and gives what it left to the next one.
func (s *slot) continueScratch() error {
	session := s.state.scratch
	if session == "" {
		return s.startSession()
	}
	if err := s.call("wm/session/end", peer.Object{"sessionId": session}, nil); err != nil {
		return err
	}
	return s.call("wm/session/continue", peer.Object{"sessionId": session}, nil)
}

func (s *slot) changeDiagnostics() error {
	diagnostics := []peer.Object{}
	for range s.random.IntN(3) {
		at := peer.Object{"line": s.random.IntN(100), "character": 0}
		diagnostics = append(diagnostics, peer.Object{
			"range": peer.Object{"start": at, "end": at}, "severity": 1, "source": "compiler",
			"message": "undefined: " + word(s.random.Int64N(50)),
		})
	}
	return s.call("wm/diagnostics/changed",
		peer.Object{"uri": folderURI(s.world.kept) + "/cart.go", "diagnostics": diagnostics}, nil)
}

func (s *slot) executeTool() error {
	test := peer.Object{"command": "go test ./..."}
	params := []peer.Object{
		{"tool": "read", "input": peer.Object{"path": "cart.go"}},
		{"tool": "edit", "input": peer.Object{"path": "tax.go"}},
		{"tool": "bash", "input": test, "exitCode": 0, "output": "ok  \tcart\t0.1s\n"},
		{"tool": "bash", "input": test, "exitCode": 1,
			"output": "--- FAIL: TestTotal (0.00s)\n    cart_test.go:7: got " + word(s.random.Int64N(50)) + "\nFAIL\n"},
		{"tool": "bash", "input": peer.Object{"command": "make lint"}, "exitCode": 0},
		{"tool": "bash", "input": peer.Object{"command": "make all"}, "exitCode": 0, "prune": true,
			"output": longOutput(line(s.world.value()))},
	}[s.random.IntN(6)]
	if s.random.IntN(4) == 0 {
		if at := s.current(); at != nil {
			at.client.Notify("wm/tool/executed", params)
		}
		return nil
	}
	return s.call("wm/tool/executed", params, nil)
}

// longOutput is an output of a tool that is pruned.
func longOutput(text string) string {
	var output strings.Builder
	for i := range 200 {
		fmt.Fprintf(&output, "compile unit %s\n", word(int64(i)))
	}
	return output.String() + text + "\n" + strings.Repeat("linked\n", 200)
}

func (s *slot) receiveMessage() error {
	value := s.world.value()
	s.state.message++
	role := []string{"user", "assistant", "tool"}[s.state.message%3]
	return s.write(s.world.sessions[s.session].messages, value, "wm/message/received", peer.Object{
		"role": role, "text": line(value), "messageId": fmt.Sprintf("message-%d-%d", s.index, s.state.message),
	}, nil)
}

func (s *slot) compactHistory() error {
	s.world.sessions[s.session].messages.forgiveAll() // also if it fails half-way: archives are not read here
	target := []string{"conversation", "tools", "all"}[s.random.IntN(3)]
	strategy := []string{"archive", "summarize"}[s.random.IntN(2)]
	return s.call("wm/history/compact", peer.Object{"target": target, "strategy": strategy, "keepRecent": 5}, nil)
}

func (s *slot) changeTodos() error {
	todo := peer.Object{"content": "round " + word(s.random.Int64N(50)), "status": "pending"}
	partial := s.random.IntN(2) == 0
	if partial {
		todo["id"] = word(s.random.Int64N(20))
	}
	return s.call("wm/todos/changed", peer.Object{"todos": []peer.Object{todo}, "partial": partial}, nil)
}

func (s *slot) reportUsage() error {
	return s.call("wm/usage/reported", peer.Object{"tokensUsed": s.random.IntN(1000), "tokensMax": 1000}, nil)
}

func (s *slot) stateEvent() error {
	kind, member := "task_started", "task"
	if s.random.IntN(2) == 0 {
		kind, member = "decision_made", "decision"
	}
	text := "Step " + word(s.random.Int64N(50))
	return s.call("wm/state/event", peer.Object{"type": kind, "data": peer.Object{member: text}}, nil)
}

func (s *slot) writeState() error {
	yaml := "current_state:\n  task: Round " + word(s.random.Int64N(50)) + "\n"
	return s.call("wm/state/write", peer.Object{"yaml": yaml}, nil)
}

func (s *slot) finishCompaction() error {
	entries, value := s.world.entries, s.world.value()
	var result wire.CompactionFinishedResult
	entries.begin(value, s.world.tick())
	err := s.call("wm/compaction/finished", peer.Object{
		"summary": "Done.\n<workspace_memory_candidates>\n- [decision] " + sentence(value) +
			"\n</workspace_memory_candidates>",
	}, &result)
	outcome := outcomeOf(err)
	if err == nil && (len(result.Memories) != 1 || result.Memories[0].Status != wire.ReceiptAdded) {
		s.world.faults.add("a candidate of a summary was not added: %+v", result.Memories)
	}
	entries.end(value, outcome, s.world.tick())
	return err
}

func (s *slot) resolvePanel() error {
	var panel wire.PanelResult
	if err := s.read("wm/panel", peer.Object{}, &panel); err != nil || panel.Panel == nil {
		return err
	}
	for _, section := range panel.Sections {
		if len(section.Items) > 0 {
			return s.read("wm/panel/resolve", peer.Object{"id": section.Items[0].ID}, nil)
		}
	}
	return nil
}

func (s *slot) updateCore() error {
	session, value := s.any(), s.world.value()
	model := s.world.sessions[session]
	if s.random.IntN(2) == 0 {
		return s.write(model.goal, value, "wm/core/update",
			peer.Object{"sessionId": session, "block": "goal", "operation": "replace", "content": line(value)}, nil)
	}
	return s.write(model.progress, value, "wm/core/update",
		peer.Object{"sessionId": session, "block": "progress", "operation": "append", "content": line(value)}, nil)
}

func (s *slot) addItem() error {
	session, value := s.any(), s.world.value()
	return s.write(s.world.sessions[session].items, value, "wm/working/add",
		peer.Object{"sessionId": session, "slot": "soak", "content": line(value)}, nil)
}

func (s *slot) removeItem() error {
	text := "ask about " + s.world.value()
	if err := s.call("wm/working/add", peer.Object{"slot": "todo", "content": text}, nil); err != nil {
		return err
	}
	var result wire.WorkingRemoveResult
	err := s.call("wm/working/remove", peer.Object{"slot": "todo", "match": text}, &result)
	if err == nil && result.Undo != nil {
		if items, ok := result.Undo.Params["items"].([]any); ok {
			s.state.dropped = items
		}
	}
	return err
}

func (s *slot) restoreItem() error {
	if s.state.dropped == nil {
		return s.removeItem()
	}
	return s.call("wm/working/restore", peer.Object{"items": s.state.dropped}, nil)
}

func (s *slot) clearTodos() error {
	return s.call("wm/working/clear", peer.Object{"slot": "todo"}, nil)
}

func (s *slot) readNote() error {
	return s.read("wm/notes/read", peer.Object{"sessionId": s.any(), "path": listNote}, nil)
}

// writeNote appends a line to the list of a session, if nobody else does at the same time.
func (s *slot) writeNote() error {
	session, value := s.any(), s.world.value()
	var note wire.NotesReadResult
	if err := s.read("wm/notes/read", peer.Object{"sessionId": session, "path": listNote}, &note); err != nil {
		return err
	}
	content := note.Content + line(value) + "\n"
	return s.write(s.world.sessions[session].note, value, "wm/notes/write", peer.Object{
		"sessionId": session, "path": listNote, "content": content, "ifRevision": note.Revision,
	}, nil)
}

// moveNote writes a note, archives and restores it, and reads it.
func (s *slot) moveNote() error {
	content := "# Moved\n\n" + line(s.world.value()) + "\n"
	if err := s.call("wm/notes/write", peer.Object{"path": movedNote, "content": content}, nil); err != nil {
		return err
	}
	var archived wire.NotesArchiveResult
	if err := s.call("wm/notes/archive", peer.Object{"path": movedNote}, &archived); err != nil {
		return err
	}
	if err := s.call("wm/notes/restore", peer.Object{"path": archived.Path, "to": movedNote}, nil); err != nil {
		return err
	}
	var note wire.NotesReadResult
	err := s.read("wm/notes/read", peer.Object{"path": movedNote}, &note)
	if err == nil && note.Content != content {
		s.world.faults.add("a note that was moved says %q, want %q", note.Content, content)
	}
	return err
}

// memorize stores items: a few, or as many as let the index merge its segments in the background.
func (s *slot) memorize() error {
	if s.random.IntN(2) == 0 {
		return s.memorizeFew()
	}
	const many = 400
	items := make([]peer.Object, many)
	for i := range items {
		text := fmt.Sprintf("Step %s of %s after %s", ulid.Make(), word(s.random.Int64N(50)), word(s.random.Int64N(50)))
		items[i] = peer.Object{"type": "action", "importance": 0.9, "text": text}
	}
	return s.call("wm/memorize", peer.Object{"items": items}, nil)
}

// memorizeFew stores a fact with an id of its own twice, and an item that is not worth it.
func (s *slot) memorizeFew() error {
	id := ulid.Make().String()
	items := []peer.Object{
		{"id": id, "type": "fact", "importance": 0.9, "text": "Item " + id + " of " + word(s.random.Int64N(50))},
		{"type": "thought", "text": "ok"},
	}
	for _, again := range []wire.MemorizeStatus{wire.MemorizeStored, wire.MemorizeUpdated} {
		var result wire.MemorizeResult
		if err := s.call("wm/memorize", peer.Object{"items": items}, &result); err != nil {
			return err
		}
		got := []wire.MemorizeStatus{result.Results[0].Status, result.Results[1].Status}
		stored := got[0] == again || got[0] == wire.MemorizeStored // again, if the workspace was purged
		if !stored || got[1] != wire.MemorizeRejected {
			s.world.faults.add("memorize: the items are %v", got)
		}
		items[0]["importance"] = 0.8
	}
	return nil
}

// skill returns the id of a known skill, which another slot may drop, or that of none.
func (s *slot) skill() (string, error) {
	var list wire.SkillsResult
	if err := s.read("wm/skills", peer.Object{"includeDropped": true}, &list); err != nil {
		return "", err
	}
	if len(list.Skills) == 0 {
		return "none", nil
	}
	return list.Skills[s.random.IntN(len(list.Skills))].ID, nil
}

// onSkill calls a method with the id of a skill.
func (s *slot) onSkill(method string, params peer.Object) error {
	id, err := s.skill()
	if err != nil {
		return err
	}
	params["id"] = id
	return s.call(method, params, nil)
}

func (s *slot) getSkill() error { return s.onSkill("wm/skills/get", peer.Object{}) }

func (s *slot) keepSkill() error { return s.onSkill("wm/skills/update", peer.Object{"status": "kept"}) }

func (s *slot) dropSkill() error { return s.onSkill("wm/skills/remove", peer.Object{}) }

func (s *slot) restoreSkill() error { return s.onSkill("wm/skills/restore", peer.Object{}) }

func (s *slot) exportSkills() error {
	return s.call("wm/skills/export", peer.Object{"folder": ".agents/skills", "consent": true}, nil)
}

// commit closes a step of a session whose progress no ledger checks.
func (s *slot) commit() error { return s.call("wm/commit", peer.Object{"sessionId": "steps"}, nil) }

func (s *slot) prune() error {
	var pruned wire.Pruned
	err := s.call("wm/prune", peer.Object{"output": longOutput(line(s.world.value())), "mode": "hyper"}, &pruned)
	if pruned.Ref != "" {
		s.state.outputs = append(s.state.outputs, pruned.Ref)
	}
	return err
}

func (s *slot) readOutput() error {
	if len(s.state.outputs) == 0 {
		return s.prune()
	}
	ref := s.state.outputs[len(s.state.outputs)-1] // older ones may be swept
	return s.read("wm/output/read", peer.Object{"ref": ref, "limit": 100}, nil)
}

func (s *slot) tune() error {
	return s.call("wm/search/tune", peer.Object{"coefficients": peer.Object{
		"similarity": 0.5, "recency": 0.4, "importance": 0, "duplication": 0, "decay": 0,
	}}, nil)
}

func (s *slot) sweep() error { return s.call("wm/sweep", peer.Object{}, nil) }
