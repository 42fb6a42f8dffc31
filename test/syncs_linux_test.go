package test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A systemCall is a system call in the output of strace, which shows one that lasts while others begin or end
// in two lines.
type systemCall struct {
	process, name string
	began, ended  int // lines
	text          string
}

var (
	begun   = regexp.MustCompile(`(?m)^(\d+) +(\w+)\((.*)$`)
	resumed = regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed`)
)

// systemCallsIn returns the system calls in the output of strace. Those that did not end have ended last.
func systemCallsIn(trace []byte) (calls []systemCall) {
	lines := strings.Split(string(trace), "\n")
	open := map[string]int{} // by process
	for at, line := range lines {
		if match := resumed.FindStringSubmatch(line); match != nil {
			if i, there := open[match[1]]; there {
				calls[i].ended = at
			}
			continue
		}
		match := begun.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		call := systemCall{process: match[1], name: match[2], began: at, ended: at, text: match[3]}
		if strings.HasSuffix(line, "<unfinished ...>") {
			call.ended = len(lines)
			open[call.process] = len(calls)
		}
		calls = append(calls, call)
	}
	return calls
}

// syncNames are the names of system calls that sync.
var syncNames = []string{"fsync", "fdatasync", "syncfs", "sync", "sync_file_range", "msync"}

// chain returns the longest list of calls of which each begins after the one before it has ended.
func chain(calls []systemCall) (chain []systemCall) {
	slices.SortFunc(calls, func(a, b systemCall) int { return cmp.Compare(a.ended, b.ended) })
	for _, call := range calls {
		if len(chain) == 0 || call.began > chain[len(chain)-1].ended {
			chain = append(chain, call)
		}
	}
	return chain
}

// underStrace starts a server whose system calls of some kinds are written to a file, and
// returns that file.
func underStrace(t *testing.T, kinds string, options ...string) (client *peer.Client, trace string) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	require.NoError(t, err, "install strace, which shows the syncs")
	trace = filepath.Join(t.TempDir(), "trace")
	options = append(options, "-f", "-qq", "-s", "500", "-o", trace, "-e", "trace="+kinds, Binary(t, Server))
	process := exec.Command(strace, options...)
	data, folder := t.TempDir(), t.TempDir()
	process.Env = append(os.Environ(), "XDG_DATA_HOME="+data, "XDG_CONFIG_HOME="+data)
	client, err = peer.Open(t.Context(), "test", process, peer.Object{
		"processId": os.Getpid(), "capabilities": peer.Object{},
		"initializationOptions": peer.Object{"sessionId": "s"},
		"workspaceFolders":      []peer.Object{{"uri": "file://" + folder, "name": "wm-lsp"}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.End() })
	return client, trace
}

// A mutation is a call of a method that mutates. params is called when those before it are done.
type mutation struct {
	method string
	params func() peer.Object
	// keep is called with the answer, unless it is nil.
	keep func(answer answered)
}

// answered are the members of answers that later calls need.
type answered struct {
	ID        string
	Opened    []struct{ Fingerprint string }
	Results   []struct{ ID string }
	Path      string
	Removed   any
	FilesLeft []string
}

// mutations returns calls of every method that mutates, in an order in which each has an effect.
func mutations(t *testing.T, client *peer.Client) []mutation {
	var first, item, failed, skill, archived string
	var calls []mutation
	call := func(method string, params peer.Object) {
		calls = append(calls, mutation{method: method, params: func() peer.Object { return params }})
	}
	later := func(method string, params func() peer.Object) {
		calls = append(calls, mutation{method: method, params: params})
	}
	keep := func(keep func(answered)) { calls[len(calls)-1].keep = keep }
	nothingLeft := func(a answered) { require.Empty(t, a.FilesLeft) }
	// erase also empties the write-ahead log, which is moved into the database in the background when it is
	// large.
	erase := func(which string) {
		var id string
		call("wm/memory/add", peer.Object{"type": "project", "text": "Nobody repeats the " + which + " secret word"})
		keep(func(a answered) { id = a.ID })
		later("wm/memory/remove", func() peer.Object { return peer.Object{"id": id, "erase": true} })
		keep(nothingLeft)
	}

	call("wm/notes/write", peer.Object{"path": "detail/first.md", "content": "# One\n"}) // begins the session
	call("wm/session/start", peer.Object{"sessionId": "s", "title": "The cart", "history": true})
	call("wm/notes/write", peer.Object{"path": "overview.md", "content": "# Overview\n"})
	call("wm/notes/write", peer.Object{"path": "detail/a.md", "content": "# One\n"})
	call("wm/notes/write", peer.Object{"path": "detail/a.md", "content": "# One\n\nmore\n"})
	call("wm/notes/write", peer.Object{"path": "detail/a.md", "content": "# Another title\n"})
	call("wm/notes/write", peer.Object{"path": "overview.md", "content": "# Overview\n\nmore\n"})
	call("wm/notes/archive", peer.Object{"path": "detail/a.md"})
	keep(func(a answered) { archived = a.Path })
	later("wm/notes/restore", func() peer.Object { return peer.Object{"path": archived} })
	call("wm/state/event", peer.Object{"type": "task_started", "data": peer.Object{"task": "Add up all amounts"}})
	call("wm/state/write", peer.Object{"yaml": "current_state:\n  task: Round the total\n"})

	erase("first")

	const rule = "Everybody keeps the %s rule of the project"
	call("wm/memory/add", peer.Object{"type": "project", "text": fmt.Sprintf(rule, "first")})
	keep(func(a answered) { first = a.ID })
	call("wm/memory/add", peer.Object{"type": "project", "text": fmt.Sprintf(rule, "second")})
	later("wm/memory/update", func() peer.Object { return peer.Object{"id": first, "type": "decision"} })
	later("wm/memory/remove", func() peer.Object { return peer.Object{"id": first} })
	later("wm/memory/restore", func() peer.Object { return peer.Object{"id": first} })
	call("wm/memorize", peer.Object{"items": []peer.Object{{"text": "The cart rounds half up, on the total"}}})
	keep(func(a answered) {
		require.NotEmpty(t, a.Results)
		item = a.Results[0].ID
	})
	call("wm/core/update", peer.Object{"block": "goal", "operation": "replace", "content": "a goal"})
	call("wm/working/add", peer.Object{"slot": "todo", "content": "something to do"})
	call("wm/working/remove", peer.Object{"match": "to do"})
	call("wm/working/restore", peer.Object{"items": []peer.Object{{"slot": "todo", "content": "something to do"}}})
	call("wm/working/clear", peer.Object{"slot": "todo"})
	call("wm/message/received", peer.Object{"role": "user", "text": "Remember this: port 8080 is taken"})
	call("wm/todos/changed", peer.Object{"todos": []peer.Object{{"content": "round once", "status": "pending"}}})
	call("wm/usage/reported", peer.Object{"tokensUsed": 900, "tokensMax": 1000})
	at := peer.Object{"line": 0, "character": 0}
	call("wm/diagnostics/changed", peer.Object{"uri": "file:///nowhere/cart.go", "diagnostics": []peer.Object{
		{"range": peer.Object{"start": at, "end": at}, "severity": 1, "message": "undefined: cnt"},
	}})
	erase("second")

	for range 3 { // a procedure that succeeded becomes a skill
		call("wm/message/received", peer.Object{"role": "user", "text": "Check the gate of the garden"})
		for _, command := range []string{"deploy gate", "make lint", "deploy gate", "make test"} {
			input := peer.Object{"command": command}
			call("wm/tool/executed", peer.Object{"tool": "bash", "exitCode": 0, "input": input})
		}
	}
	call("wm/tool/executed", peer.Object{
		"tool": "bash", "exitCode": 1, "input": peer.Object{"command": "go vet ./..."},
		"output": "./a.go:1:1: undefined: gate\n",
	})
	keep(func(a answered) {
		require.NotEmpty(t, a.Opened)
		failed = a.Opened[0].Fingerprint
	})
	ofError := func() peer.Object { return peer.Object{"fingerprint": failed} }
	later("wm/errors/dismiss", ofError)
	later("wm/errors/restore", ofError)
	later("wm/errors/remember", func() peer.Object {
		return peer.Object{"fingerprint": failed, "fix": "declare gate before it is used"}
	})
	erase("third")

	call("wm/commit", peer.Object{})
	ofSkill := func() peer.Object {
		var found struct{ Skills []struct{ ID string } }
		require.NoError(t, client.Call("wm/skills", peer.Object{"includeDropped": true}, &found))
		require.NotEmpty(t, found.Skills)
		skill = found.Skills[0].ID
		return peer.Object{"id": skill}
	}
	later("wm/skills/remove", ofSkill)
	later("wm/skills/restore", ofSkill)
	later("wm/skills/update", func() peer.Object { return peer.Object{"id": skill, "status": "kept"} })
	call("wm/skills/export", peer.Object{"folder": "skills", "consent": true})
	call("wm/search/tune", peer.Object{"coefficients": peer.Object{
		"similarity": 1, "recency": 0, "importance": 0, "duplication": 0, "decay": 0,
	}})
	call("wm/sweep", peer.Object{})
	call("wm/prune", peer.Object{"output": strings.Repeat("a line of the output\n", 2000)})
	call("wm/import", peer.Object{})
	call("wm/pause", peer.Object{"minutes": 5})
	call("wm/pause", peer.Object{"resume": true})

	say := func(about string) {
		erase(about)
		for i := range 5 {
			text := strings.Repeat(fmt.Sprintf("This is sentence %d of the conversation. ", i), 100)
			for _, role := range []string{"user", "assistant"} {
				call("wm/message/received", peer.Object{"role": role, "text": text})
			}
		}
	}
	removes := func(a answered) { require.NotEmpty(t, a.Removed) }
	say("fourth")
	call("wm/history/compact", peer.Object{"keepRecent": 3, "target": "conversation"})
	keep(removes)
	say("fifth")
	call("wm/history/compact", peer.Object{"keepRecent": 3, "target": "all", "archiveTo": "detail/first.md"})
	keep(removes)
	say("sixth")
	call("wm/history/compact", peer.Object{"keepRecent": 3, "target": "all", "strategy": "summarize"})
	keep(removes)
	say("seventh")
	const candidates = "It was said.\n<workspace_memory_candidates>\n- [project] %s\n</workspace_memory_candidates>"
	call("wm/history/compact", peer.Object{
		"keepRecent": 3, "target": "all",
		"summary": fmt.Sprintf(candidates, "Discounts come off before the tax is added"),
	})
	keep(removes)
	call("wm/compaction/finished", peer.Object{"summary": fmt.Sprintf(candidates, "The tax is rounded for each line")})

	later("wm/memory/remove", func() peer.Object { return peer.Object{"id": item, "erase": true} })
	keep(nothingLeft)
	call("wm/session/end", peer.Object{"sessionId": "s"})
	call("wm/session/continue", peer.Object{"sessionId": "s"})
	call("wm/session/delete", peer.Object{"sessionId": "s"})
	later("wm/workspace/purge", func() peer.Object {
		var status struct{ Workspace struct{ Key string } }
		require.NoError(t, client.Call("wm/status", peer.Object{}, &status))
		return peer.Object{"confirm": status.Workspace.Key}
	})
	keep(nothingLeft)
	return calls
}

// A disk may take 400 ms for each sync, and syncs several files at once. So the syncs are counted that wait for each
// other, with strace, which lets each take a while. On a machine with other work, syncs that wait for nothing may begin
// after each other, so what seems to wait for more is tried again with syncs that take longer than its other work does.
func TestAnAcknowledgedWriteWaitsForTwoSyncsAtMost(t *testing.T) {
	slow.Test(t)
	called, more := syncsOfMutations(t, 50*time.Millisecond)
	for _, method := range wire.Methods() {
		if method.Access == wire.Mutates {
			assert.True(t, called[method.Name], "%s is not called here", method.Name)
		}
	}
	if len(more) > 0 {
		_, more = syncsOfMutations(t, time.Second)
	}
	assert.Empty(t, more, "calls that wait for more syncs")
}

// syncsOfMutations calls every method that mutates while each sync takes a time. It returns which were called, and
// which calls wait for more than two syncs, with these.
func syncsOfMutations(t *testing.T, each time.Duration) (called map[string]bool, more []string) {
	t.Helper()
	const kinds = "fsync,fdatasync,syncfs,sync,sync_file_range,msync"
	delay := fmt.Sprintf("inject=%s:delay_enter=%d", kinds, each.Microseconds())
	client, trace := underStrace(t, kinds+",write", "-y", "-e", delay)
	markers := 0
	// mark returns the system calls before now, when nothing runs any more that was sent before.
	mark := func() []systemCall {
		markers++
		marker := fmt.Sprintf("wm/none%d.", markers)
		require.NoError(t, client.Call("wm/files/list", peer.Object{}, nil)) // it waits for the queue
		require.Error(t, client.Call(marker, peer.Object{}, nil))            // the answer names the method
		var content []byte
		require.Eventually(t, func() bool {
			var err error
			content, err = os.ReadFile(trace)
			return err == nil && bytes.Contains(content, []byte(marker))
		}, Patience, time.Millisecond)
		return systemCallsIn(content)
	}
	require.NoError(t, client.Call("wm/status", peer.Object{}, nil)) // the memory is open
	called = map[string]bool{}
	isAnswer := func(c systemCall) bool {
		return c.name == "write" && strings.HasPrefix(c.text, "1<") && strings.Contains(c.text, `\"id\":`) &&
			!strings.Contains(c.text, `\"method\":`)
	}
	for _, call := range mutations(t, client) {
		called[call.method] = true
		params := call.params()
		before := mark()
		var result answered
		require.NoError(t, client.Call(call.method, params, &result), call.method)
		if call.keep != nil {
			call.keep(result)
		}
		after := mark()[len(before):]
		at := slices.IndexFunc(after, isAnswer)
		require.GreaterOrEqual(t, at, 0, "%s is answered", call.method)
		answer := after[at].began
		waits := chain(slices.DeleteFunc(after[:at], func(c systemCall) bool {
			return !slices.Contains(syncNames, c.name) || c.ended > answer // nobody waited for it
		}))
		if len(waits) > 2 {
			more = append(more, fmt.Sprintf("%s %.200v\n%+v", call.method, params, waits))
		}
	}
	return called, more
}

// After a power cut no message must be out of the conversation and in no archive.
func TestWhatIsArchivedIsOnTheDiskBeforeItIsOutOfTheConversation(t *testing.T) {
	slow.Test(t)
	client, trace := underStrace(t, "fsync,fdatasync,renameat,renameat2", "-y")
	require.NoError(t, client.Call("wm/session/start", peer.Object{"sessionId": "s", "history": true}, nil))
	for i := range 20 {
		text := strings.Repeat(fmt.Sprintf("This is sentence %d of the conversation. ", i), 20)
		for _, role := range []string{"user", "assistant"} {
			require.NoError(t, client.Call("wm/message/received", peer.Object{"role": role, "text": text}, nil))
		}
	}
	var done struct{ ArchivedTo string }
	require.NoError(t, client.Call("wm/history/compact", peer.Object{"target": "conversation"}, &done))
	require.NotEmpty(t, done.ArchivedTo)
	require.NoError(t, client.End())
	content, err := os.ReadFile(trace)
	require.NoError(t, err)
	calls := systemCallsIn(content)
	archived := slices.IndexFunc(calls, func(c systemCall) bool {
		return strings.HasPrefix(c.name, "rename") && strings.Contains(c.text, `"`+filepath.Base(done.ArchivedTo)+`"`)
	})
	require.Positive(t, archived, "the archive is written")
	temporary := regexp.MustCompile(`\.writing-\w+\.tmp`).FindString(calls[archived].text)
	require.NotEmpty(t, temporary)
	isSyncOf := func(name string) func(c systemCall) bool {
		return func(c systemCall) bool {
			return slices.Contains(syncNames, c.name) && strings.Contains(c.text, name+">")
		}
	}
	assert.True(t, slices.ContainsFunc(calls[:archived], isSyncOf(temporary)), "the archive is synced before")
	isSynced := isSyncOf("messages.jsonl")
	assert.False(t, slices.ContainsFunc(calls[:archived], isSynced), "the conversation is not synced before")
	assert.True(t, slices.ContainsFunc(calls[archived:], isSynced), "the conversation is synced")
}
