package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/working"
)

// A home is a workspace and a data folder with files of opencode-working-memory.
type home struct {
	t          *testing.T
	root, data string
}

func newHome(t *testing.T) home {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return home{t, root, t.TempDir()}
}

func (p home) write(path, doc string) string {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(doc), 0o644))
	return path
}

// older writes a file of the first layout, newer one of the second.
func (p home) older(name, doc string) string {
	return p.write(filepath.Join(p.root, ".opencode", filepath.FromSlash(name)), doc)
}

func (p home) newer(name, doc string) string {
	sum := sha256.Sum256([]byte(p.root))
	dir := filepath.Join(p.data, "opencode-working-memory", "workspaces", hex.EncodeToString(sum[:])[:16])
	return p.write(filepath.Join(dir, filepath.FromSlash(name)), doc)
}

func (p home) read() Memory { return readOpenCode([]string{p.root}, p.data) }

func readOpenCode(folders []string, data string) Memory {
	return Read(Place{Folders: folders, DataHome: data}, OpenCodeWorkingMemory)
}

// items are the contents of the items of a session, with the slot before each.
func items(s Session) []string {
	var list []string
	for _, item := range s.Working.Items {
		list = append(list, item.Slot+": "+item.Content)
	}
	return list
}

func TestB15_TheOlderLayoutIsRead(t *testing.T) {
	p := newHome(t)
	p.older("memory-core/ses_1.json", `{"sessionID":"ses_1","blocks":{
		"goal":{"content":"Ship the cart","chars":13,"maxChars":1000,"updatedAt":"2026-02-01T00:00:00Z"},
		"progress":{"content":" ","chars":1,"maxChars":2000},"context":{"content":"src/cart.ts"}},"updatedAt":""}`)
	p.older("memory-working/ses_1.json", `{"sessionID":"ses_1","slots":{"error":[{"content":"TS2345","timestamp":2}],
		"decision":[{"content":"Use Go","timestamp":1}],"todo":[],"dependency":[]},"pool":[],"eventCounter":3}`)
	p.older("memory-working/ses_2.json", `{"items":[{"type":"todo","content":"test","timestamp":1}]}`)
	for _, record := range []string{"ses_1_pressure", "ses_1_compaction", "ses_1_sweep"} {
		p.older("memory-working/"+record+".json", `{"sessionID":"ses_1","items":[{"content":"no memory"}]}`)
	}
	memory := p.read()
	assert.Empty(t, memory.Skipped)
	assert.Empty(t, memory.Entries)
	require.Len(t, memory.Sessions, 2)
	assert.Equal(t, "ses_1", memory.Sessions[0].ID)
	assert.Equal(t, map[string]string{"goal": "Ship the cart", "context": "src/cart.ts"}, memory.Sessions[0].Core)
	assert.ElementsMatch(t, []string{"error: TS2345", "decision: Use Go"}, items(memory.Sessions[0]))
	assert.Equal(t, "ses_2", memory.Sessions[1].ID, "a file without an id is named after its session")
	assert.Equal(t, []string{"todo: test"}, items(memory.Sessions[1]))
}

func TestB15_TheNewerLayoutIsRead(t *testing.T) {
	p := newHome(t)
	p.newer("workspace-memory.json", `{"version":1,"workspace":{"root":"/x","key":"y"},"entries":[
		{"id":"mem_1","type":"decision","text":"Use npm cache","rationale":"it is fast","source":"explicit",
		 "status":"active"},
		{"id":"mem_2","type":"project","text":"Old","source":"compaction","status":"superseded"},
		{"type":"feedback","text":"Prefers tabs","source":"manual"}]}`)
	p.newer("sessions/0123456789abcdef0123456789abcdef.json", `{"version":1,"sessionID":"ses_1","turn":3,
		"activeFiles":[{"path":"src/a.ts","action":"edit","count":18,"lastSeen":1767225600000}],
		"openErrors":[{"summary":"TS1 broken","status":"open","lastSeen":2},{"summary":"gone","status":"maybe_fixed"}],
		"recentDecisions":[{"text":"Use PostgreSQL","createdAt":3}],
		"pendingMemories":[{"id":"mem_3","type":"project","text":"Built with turbo","source":"explicit",
		 "status":"active"}]}`)
	memory := p.read()
	assert.Empty(t, memory.Skipped)
	require.Len(t, memory.Entries, 3)
	first := memory.Entries[0]
	assert.True(t, strings.HasSuffix(first.File, "/workspace-memory.json"))
	first.File = ""
	assert.Equal(t, Entry{
		Program: OpenCodeWorkingMemory, Key: "mem_1", Type: "decision", Text: "Use npm cache",
		Rationale: "it is fast", Source: "explicit",
	}, first)
	assert.Equal(t, "Prefers tabs", memory.Entries[1].Text)
	assert.Len(t, memory.Entries[1].Key, 16, "an entry without an id is known by its text")
	assert.Equal(t, "mem_3", memory.Entries[2].Key)
	require.Len(t, memory.Sessions, 1)
	assert.ElementsMatch(t, []string{": src/a.ts", "error: TS1 broken", "decision: Use PostgreSQL"},
		items(memory.Sessions[0]))
	for _, item := range memory.Sessions[0].Working.Items {
		if item.Slot == working.Pool {
			assert.Equal(t, "src/a.ts", item.Path)
			assert.Equal(t, 18, item.Mentions)
		}
	}
}

func TestThereIsNothingToRead(t *testing.T) {
	p := newHome(t)
	assert.Equal(t, Memory{}, p.read())
	assert.Equal(t, Memory{}, readOpenCode([]string{filepath.Join(p.root, "gone")}, ""))
	p.older("memory-core/README.md", "no session")
	p.older("memory-core/.json", "no name")
	require.NoError(t, os.MkdirAll(filepath.Join(p.root, ".opencode", "memory-core", "folder.json"), 0o755))
	assert.Equal(t, Memory{}, p.read())
}

func TestWhatCannotBeReadIsNamedAndTheRestIsTaken(t *testing.T) {
	p := newHome(t)
	p.older("memory-core/ses_1.json", `{"blocks":{"goal":{"content":"Ship"},"progress":3}}`)
	p.older("memory-core/ses_2.json", `{"blocks":`)
	p.older("memory-working/ses_3.json", `{"items":3}`)
	p.older("memory-working/ses_4.json", `{"pool":[{"content":"`+strings.Repeat("x", maxFileBytes)+`"}]}`)
	p.newer("workspace-memory.json", `{"entries":[{"id":"mem_1","text":3},{"id":"mem_2","text":"Use Go"},"x",null]}`)
	p.newer("sessions/a.json", `{"turn":3}`)
	outside := p.write(filepath.Join(p.data, "secret.json"), `{"blocks":{"goal":{"content":"secret"}}}`)
	require.NoError(t, os.Symlink(outside, filepath.Join(p.root, ".opencode", "memory-core", "ses_5.json")))
	memory := p.read()
	require.Len(t, memory.Sessions, 1)
	assert.Equal(t, map[string]string{"goal": "Ship"}, memory.Sessions[0].Core)
	require.Len(t, memory.Entries, 1)
	assert.Equal(t, "Use Go", memory.Entries[0].Text)
	reasons := map[string]string{}
	for _, skipped := range memory.Skipped {
		assert.True(t, filepath.IsAbs(skipped.Path))
		reasons[filepath.Base(skipped.Path)] += skipped.Reason + "\n"
	}
	assert.Len(t, reasons, 7, "%v", reasons)
	assert.Contains(t, reasons["ses_1.json"], "the block progress")
	assert.Contains(t, reasons["ses_2.json"], "damaged")
	assert.Contains(t, reasons["ses_3.json"], "damaged")
	assert.Contains(t, reasons["ses_4.json"], "at most")
	assert.Contains(t, reasons["workspace-memory.json"], "entry 1")
	assert.Contains(t, reasons["workspace-memory.json"], "entry 3")
	assert.Contains(t, reasons["a.json"], "names no session")
	assert.NotEmpty(t, reasons["ses_5.json"], "a link that leads out of the workspace")
}

func TestFilesThatNoPluginWroteAreReadUpToALimit(t *testing.T) {
	p := newHome(t)
	entries := make([]string, 2000)
	for i := range entries {
		entries[i] = fmt.Sprintf(`{"id":"%d","type":"decision","text":"Use library %d"}`, i, i)
	}
	p.newer("workspace-memory.json", `{"entries":[`+strings.Join(entries, ",")+`]}`)
	p.older("memory-core/long.json", `{"sessionID":"`+strings.Repeat("s", 300)+`","blocks":{"goal":{"content":"x"}}}`)
	for i := range 12 { // 36 MB
		p.older(fmt.Sprintf("memory-working/%d.json", i), `{"items":[{"content":"a"}]}`+strings.Repeat(" ", 3<<20))
	}
	elsewhere := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "private.json"), []byte("{}"), 0o600))
	dir := filepath.Join(t.TempDir(), "linked")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".opencode"), 0o700))
	require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, ".opencode", "memory-core")))

	got := p.read()
	require.Len(t, got.Entries, 500)
	assert.Equal(t, "Use library 1999", got.Entries[499].Text)
	var reasons []string
	for _, skipped := range append(got.Skipped, readOpenCode([]string{dir}, "").Skipped...) {
		reasons = append(reasons, skipped.Reason)
		assert.NotContains(t, skipped.Path, "private")
	}
	said := strings.Join(reasons, "\n")
	assert.Contains(t, said, "only the last 500 of 2000 entries are read")
	assert.Contains(t, said, "more than 256 bytes")
	assert.Contains(t, said, "more than 32 MB of files")
	assert.Contains(t, said, "escapes from parent")
}

func TestAWorkspaceIsKnownByItsRealPathAndReadOnce(t *testing.T) {
	p := newHome(t)
	p.newer("workspace-memory.json", `{"entries":[{"id":"mem_1","text":"Use Go"}]}`)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(p.root, link))
	assert.Len(t, readOpenCode([]string{link, p.root, p.root}, p.data).Entries, 1)
}

func FuzzOpenCodeWorkingMemory(f *testing.F) {
	f.Add([]byte(`{"sessionID":"s","blocks":{"goal":{"content":"x"}},"items":[{"content":"y"}]}`))
	f.Add([]byte(`{"entries":[{"id":"m","text":"x","status":"active"}],"pendingMemories":[{}]}`))
	f.Add([]byte(`{"sessionID":"s","activeFiles":[{"path":"a","count":-1e9,"lastSeen":1e300}],"openErrors":[{}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		r := newReader()
		f := file{path: "/x/s.json", name: "x/s.json", text: string(doc)}
		for _, read := range []func(file) error{r.coreFile, r.workingFile, r.entriesFile, r.stateFile} {
			if err := read(f); err != nil {
				assert.NotEmpty(t, err.Error())
			}
		}
		for _, entry := range r.memory.Entries {
			assert.NotEmpty(t, entry.Key)
			assert.NotEmpty(t, strings.TrimSpace(entry.Text))
		}
		for id, session := range r.sessions {
			assert.NotEmpty(t, id)
			for _, item := range session.Working.Items {
				assert.NotEmpty(t, item.Content)
			}
		}
	})
}
