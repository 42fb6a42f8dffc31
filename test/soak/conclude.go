//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

const (
	// maxResident is how much memory a server may take, in bytes.
	maxResident = 200 << 20
	// maxFiles is how many files a server may have open.
	maxFiles = 200
	// settling is how long the servers may take to agree, and to finish an erasure: they try
	// again every minute.
	settling = 3 * time.Minute
)

// prepare starts the servers, and makes what the actions expect.
func (w *world) prepare(ctx context.Context) error {
	for _, s := range w.slots {
		if err := s.start(ctx); err != nil {
			return err
		}
		if err := s.call("wm/session/start", peer.Object{"sessionId": s.session, "history": true}, nil); err != nil {
			return err
		}
		if err := s.call("wm/notes/write", peer.Object{"path": listNote, "content": "# List\n\n"}, nil); err != nil {
			return err
		}
	}
	return nil
}

// watch measures the servers.
func (w *world) watch(ctx context.Context) {
	for sleep(ctx, time.Second) {
		for _, s := range w.slots {
			pid := s.pid()
			if pid == 0 {
				continue
			}
			resident, files := measure(pid)
			if resident > maxResident {
				w.faults.add("a server takes more than %d MB: %d MB", maxResident>>20, resident>>20)
			}
			if files > maxFiles {
				w.faults.add("a server has more than %d open files: %d", maxFiles, files)
			}
			w.maxResident.Store(max(w.maxResident.Load(), resident))
			w.maxFiles.Store(max(w.maxFiles.Load(), files))
		}
	}
}

// measure returns the resident memory of a process in bytes and the number of its open files,
// 0 if it has ended.
func measure(pid int) (resident, files int64) {
	folder := fmt.Sprintf("/proc/%d/", pid)
	if statm, err := os.ReadFile(folder + "statm"); err == nil {
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64) // the kernel writes numbers
			resident = pages * int64(os.Getpagesize())
		}
	}
	open, _ := os.ReadDir(folder + "fd")
	return resident, int64(len(open))
}

// conclude checks what is there after all disturbances.
func (w *world) conclude(ctx context.Context) error {
	for _, s := range w.slots {
		if err := s.settle(ctx); err != nil {
			return err
		}
	}
	w.each((*slot).finishErasures)
	if err := w.slots[0].resume(); err != nil {
		w.faults.add("recording cannot be resumed: %v", err)
	}
	w.agree()
	w.checkEntries()
	for _, s := range w.slots {
		w.checkSession(s)
	}
	w.checkPurged()
	w.awaitGone("erased", w.erasures.all())
	if w.copy != "" {
		if err := os.CopyFS(w.copy, os.DirFS(w.data)); err != nil {
			return fmt.Errorf("copy the data: %w", err)
		}
	}
	w.purgeAll()
	w.each(func(s *slot) {
		s.disturb(shutDown)
		s.awaitEnd()
	})
	return w.checkRemains()
}

// settle makes sure that the slot has a server that answers. A server that was disturbed at
// last is ending.
func (s *slot) settle(ctx context.Context) error {
	for {
		if at := s.current(); at != nil {
			at.mu.Lock()
			ending := at.by != ""
			at.mu.Unlock()
			if !ending && s.call("wm/status", peer.Object{}, nil) == nil {
				return nil
			}
		}
		if err := s.restart(ctx); err != nil {
			return err
		}
	}
}

// A question is a request that all servers have to answer alike.
type question struct {
	method string
	params peer.Object
	// member is the member of the result that is compared, all if empty.
	member string
}

func (w *world) questions() []question {
	questions := []question{
		{"wm/memory/list", peer.Object{"includeInactive": true}, ""},
		{"wm/session/list", peer.Object{}, "sessions"},
		{"wm/trace", peer.Object{"limit": 1000}, ""},
		{"wm/memory/list", peer.Object{"includeInactive": true, "workspace": folderURI(w.purged)}, ""},
	}
	for _, s := range w.slots {
		for _, method := range []string{"wm/core/read", "wm/working/read", "wm/notes/list", "wm/pressure",
			"wm/state/read", "wm/errors/list", "wm/files/list", "wm/context"} {
			questions = append(questions, question{method, peer.Object{"sessionId": s.session}, ""})
		}
		questions = append(questions,
			question{"wm/notes/read", peer.Object{"sessionId": s.session, "path": listNote}, ""})
	}
	return questions
}

// agree waits until all servers give the same answers.
func (w *world) agree() {
	deadline := time.Now().Add(settling)
	for _, asked := range w.questions() {
		for {
			answers := make([]string, len(w.slots))
			for i, s := range w.slots {
				answers[i] = s.ask(asked)
			}
			other := slices.IndexFunc(answers, func(answer string) bool { return answer != answers[0] })
			if other < 0 {
				break
			}
			if time.Now().After(deadline) {
				w.report(asked.method, []string{"servers do not agree: " + difference(answers[0], answers[other])})
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// ask returns the answer to a question, or the error.
func (s *slot) ask(asked question) string {
	var answer json.RawMessage
	if err := s.call(asked.method, asked.params, &answer); err != nil {
		return err.Error()
	}
	var members map[string]json.RawMessage
	if asked.member != "" && json.Unmarshal(answer, &members) == nil {
		return string(members[asked.member])
	}
	return string(answer)
}

// difference returns the parts of two strings around their first difference.
func difference(a, b string) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	around := func(text string) string { return text[max(0, at-80):min(len(text), at+80)] }
	return fmt.Sprintf("%q and %q", around(a), around(b))
}

// checkEntries compares the entries with the log, and the log with the model.
func (w *world) checkEntries() {
	s := w.slots[0]
	s.readLog()
	w.report("the log", w.entries.checkList(w.log.values, true))
	var list wire.MemoryListResult
	if err := s.read("wm/memory/list", peer.Object{}, &list); err != nil {
		w.faults.add("the entries cannot be read: %v", err)
		return
	}
	texts := []string{}
	for _, e := range list.Entries {
		texts = append(texts, e.Text)
	}
	slices.Sort(texts)
	if active := w.log.active(); !slices.Equal(texts, active) {
		w.faults.add("the entries are not those of the log: %s",
			difference(strings.Join(texts, "\n"), strings.Join(active, "\n")))
	}
}

// checkSession compares a session with its model.
func (w *world) checkSession(s *slot) {
	model := w.sessions[s.session]
	var note wire.NotesReadResult
	if err := s.read("wm/notes/read", peer.Object{"path": listNote}, &note); err != nil {
		w.faults.add("a note cannot be read: %v", err)
	}
	w.report("a note", model.note.checkList(valuesAfter(note.Content, inLine), true))
	var core wire.CoreReadResult
	if err := s.read("wm/core/read", peer.Object{}, &core); err != nil {
		w.faults.add("the core memory cannot be read: %v", err)
	}
	w.report("a block of the core memory",
		model.progress.checkList(valuesAfter(core.Blocks.Progress.Content, inLine), true))
	goal := strings.Join(valuesAfter(core.Blocks.Goal.Content, inLine), " ")
	if fault := model.goal.checkValue(goal); fault != "" {
		w.report("the block goal", []string{fault})
	}
	var working wire.WorkingReadResult
	if err := s.read("wm/working/read", peer.Object{}, &working); err != nil {
		w.faults.add("the working memory cannot be read: %v", err)
	}
	var items []string
	for _, item := range slices.Backward(working.Slots["soak"]) {
		items = append(items, valuesAfter(item.Content, inLine)...)
	}
	w.report("the working memory", model.items.checkList(items, len(items) < slotItems))
	w.checkConversation(s, model.messages)
}

// checkConversation compares the conversation of a session with its model. It is read from its
// file, because no method returns it.
func (w *world) checkConversation(s *slot, model *ledger) {
	var notes wire.NotesListResult
	if err := s.read("wm/notes/list", peer.Object{}, &notes); err != nil {
		w.faults.add("the notes cannot be listed: %v", err)
		return
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(notes.Root), "messages.jsonl"))
	if err != nil {
		w.faults.add("the conversation cannot be read: %v", err)
		return
	}
	var values []string
	for line := range bytes.Lines(text) {
		var record struct{ Kind, Text, Role, Tool string }
		err := json.Unmarshal(line, &record) // a full disk cuts lines off, which are not acknowledged
		if err == nil && record.Kind == "message" && record.Tool == "" {
			values = append(values, valuesAfter(record.Text, inLine)...)
		}
	}
	w.report("the conversation", model.checkList(values, true))
}

// checkPurged checks the workspace that was purged.
func (w *world) checkPurged() {
	seen := w.tick()
	var list wire.MemoryListResult
	params := peer.Object{"workspace": folderURI(w.purged), "includeInactive": true}
	if err := w.slots[0].read("wm/memory/list", params, &list); err != nil {
		w.faults.add("the purged workspace cannot be read: %v", err)
	}
	w.report("the purged workspace", w.bag.check(valuesOf(list.Entries), seen, w.tick()))
}

// purgeAll purges both workspaces. No value may be left then.
func (w *world) purgeAll() {
	for _, folder := range []string{w.kept, w.purged} {
		var status wire.StatusResult
		err := w.slots[0].read("wm/status", peer.Object{"workspace": folderURI(folder)}, &status)
		if err == nil {
			err = w.slots[0].call("wm/workspace/purge",
				peer.Object{"workspace": folderURI(folder), "confirm": status.Workspace.Key}, nil)
		}
		if err != nil {
			w.faults.add("a workspace cannot be purged: %v", err)
		}
	}
	w.awaitGone("purged", append(w.entries.all(), w.bag.all()...))
}

// all returns the values of all writes.
func (l *ledger) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	values := make([]string, 0, len(l.writes))
	for value := range l.writes {
		values = append(values, value)
	}
	return values
}

// awaitGone waits until values are in no byte of the folders of the servers.
func (w *world) awaitGone(why string, values []string) {
	gone := map[string]bool{}
	for _, value := range values {
		gone[value] = true
	}
	deadline := time.Now().Add(settling)
	for {
		found := map[string]string{} // by path
		for _, folder := range []string{w.data, w.temporary} {
			w.search(folder, gone, found)
		}
		if len(found) == 0 {
			return
		}
		if time.Now().After(deadline) {
			for name, value := range found {
				w.faults.addKind(why, fmt.Sprintf("%s text %q is in %s", why, value, name))
			}
			return
		}
		time.Sleep(time.Second)
	}
}

// search looks for sentences with values in the files below a folder.
func (w *world) search(folder string, gone map[string]bool, found map[string]string) {
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // it was deleted in the meantime
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		for _, value := range valuesAfter(string(text), inSentence) {
			if gone[value] {
				found[strings.TrimPrefix(path, folder+"/")] = value
			}
		}
		return nil
	})
}

// checkRemains checks that the servers left no process, and no file outside of their data.
func (w *world) checkRemains() error {
	children, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return err
	}
	for _, path := range children {
		text, err := os.ReadFile(path)
		if err == nil && len(bytes.TrimSpace(text)) > 0 {
			w.faults.add("processes are left: %s", text)
		}
	}
	left, err := os.ReadDir(w.temporary)
	for _, entry := range left {
		w.faults.add("a temporary file is left: %s", entry.Name())
	}
	return err
}
