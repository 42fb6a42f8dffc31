package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/doctor/running"
	"github.com/wm-lsp/wm-lsp/install"
	"github.com/wm-lsp/wm-lsp/memory/inventory"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const secret = "the-name-of-a-customer"

// extensionManifest is the manifest of an extension of VS Code, in the folder of extensions.
const extensionManifest = "wm-lsp.wm-lsp-1.0.0/package.json"

// newMachine returns a machine on which all is well.
func newMachine(t *testing.T) *Machine {
	home := filepath.Join(t.TempDir(), secret)
	this, err := os.Executable()
	require.NoError(t, err)
	m := &Machine{
		Version: "1.2.3", Now: time.Now(), Sessions: []sessions.Session{{UpdatedAt: time.Now()}},
		Options: install.Options{
			Home: home, WorkDir: filepath.Join(home, "work"), DataDir: filepath.Join(home, "data"),
			StateDir: filepath.Join(home, "state"), Env: func(string) string { return "" },
			LookPath: func(name string) (string, error) {
				if name == "wm-lsp" {
					return this, nil
				}
				return "", errors.New("it is not there")
			},
		},
	}
	m.Status.Store.Path = store.WorkspaceDir(m.DataDir, "0123456789abcdef")
	for _, dir := range []string{m.WorkDir, m.StateDir, m.Status.Store.Path} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	return m
}

func (m *Machine) write(t *testing.T, path, content string) string {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// of returns the findings about a subject.
func of(all []Finding, subject string) (found []Finding) {
	for _, f := range all {
		if f.Subject == subject {
			found = append(found, f)
		}
	}
	return found
}

func TestAMachineOnWhichAllIsWellHasNoProblem(t *testing.T) {
	found := Examine(t.Context(), *newMachine(t))
	for _, f := range found {
		assert.False(t, f.Problem(), "%s: %s", f.Subject, f.Message)
	}
	for _, c := range checks() {
		assert.NotEmpty(t, of(found, c.subject), c.subject)
	}
}

func TestAPauseIsNoted(t *testing.T) {
	m := newMachine(t)
	m.Status.PausedUntil = wire.At(m.Now.Add(time.Hour))
	found := of(Examine(t.Context(), *m), "memory")
	require.Len(t, found, 2)
	assert.Equal(t, Note, found[1].Severity)
	assert.Contains(t, found[1].Message, "Recording is paused until ")
}

func TestWhetherAnAgentThatIsNotOnThePathRunsTheHooksIsNotKnown(t *testing.T) {
	m := newMachine(t)
	m.Out, m.Yes = io.Discard, true
	_, err := install.Install(m.Options, install.Selection{Agent: "codex"})
	require.NoError(t, err)
	found := of(Examine(t.Context(), *m), "agents")
	assert.Equal(t, Note, found[0].Severity, found)
	assert.Equal(t, "Whether Codex runs the hooks is not known: codex is not on the PATH.", found[0].Message)
}

func TestOfSessionsThatCannotBeReadNothingIsSaid(t *testing.T) {
	m := newMachine(t)
	m.Sessions, m.Unread = nil, errors.New("the table is gone")
	assert.Empty(t, of(Examine(t.Context(), *m), "sessions"))
}

func TestADatabaseThatMayNotBeReadIsNoDamagedOne(t *testing.T) {
	for _, c := range []struct {
		err       error
		kind, fix string
	}{
		{fmt.Errorf("read it: %w", fs.ErrPermission), "not opened", "you may read and write"},
		{fmt.Errorf("%w: malformed", store.ErrCorrupt), "damaged", "Use the memory once"},
	} {
		found := unread(c.err, "/data/memory.db")
		assert.Equal(t, c.kind, found.Kind)
		assert.Contains(t, found.Message, "/data/memory.db")
		assert.Contains(t, found.Fix, c.fix)
	}
}

func TestAProblemIsFoundAndMended(t *testing.T) {
	for _, c := range []struct {
		name, subject, kind, message string
		breaks                       func(t *testing.T, m *Machine)
		mends                        bool
	}{
		{"the program is not on the PATH", "program", "not on the PATH", "is not on the PATH",
			func(_ *testing.T, m *Machine) {
				m.LookPath = func(string) (string, error) { return "", errors.New("none") }
			}, false},
		{"another program is on the PATH", "program", "another on the PATH", "which is not this program",
			func(t *testing.T, m *Machine) {
				other := m.write(t, filepath.Join(m.Home, "bin", "wm-lsp"), "")
				m.LookPath = func(string) (string, error) { return other, nil }
			}, false},
		{"a process of an older version", "processes", "another version", "has another version than this program",
			func(t *testing.T, m *Machine) {
				m.runs(t, running.Process{PID: 4711, Parent: os.Getpid(), Version: "1.0.0"})
			}, false},
		{"a process whose parent has ended", "processes", "orphan", "goes on though",
			func(t *testing.T, m *Machine) {
				m.runs(t, running.Process{PID: 4711, Parent: 1, Version: "1.2.3"})
			}, false},
		{"a process whose program was replaced", "processes", "replaced", "is older than its program",
			func(t *testing.T, m *Machine) {
				program := m.write(t, filepath.Join(m.Home, "bin", "wm-lsp"), "")
				m.runs(t, running.Process{PID: 4711, Parent: os.Getpid(), Version: "1.2.3", Program: program})
			}, false},
		{"others can read the memory", "folders", "open to others", "1 file or folder",
			func(t *testing.T, m *Machine) {
				require.NoError(t, os.Chmod(m.write(t, filepath.Join(m.dir(), "poke"), ""), 0o644))
			}, true},
		{"no home folder", "folders", "no home", "nothing is kept",
			func(_ *testing.T, m *Machine) { m.DataDir = "" }, false},
		{"the memory is ahead of the clock", "clock", "memory ahead", "in the future by 3h0m0s",
			func(_ *testing.T, m *Machine) {
				m.Sessions[0].UpdatedAt = m.Now.Add(3 * time.Hour)
			}, false},
		{"the memories cannot be listed", "other memories", "not listed", "cannot be listed: permission denied",
			func(_ *testing.T, m *Machine) { m.Unlisted = fs.ErrPermission }, false},
		{"the memory has a problem", "memory", "problem of the memory", "the disk is full",
			func(_ *testing.T, m *Machine) {
				m.Status.Problems = []wire.StatusProblem{{Severity: wire.ProblemError, Message: "the disk is full"}}
			}, false},
		{"the database is damaged", "memory", "damaged", "cannot be read as a whole",
			func(t *testing.T, m *Machine) {
				m.write(t, filepath.Join(m.dir(), store.DatabaseName), strings.Repeat("no database ", 1000))
			}, false},
		{"a folder stands where the database should be", "memory", "not opened", "is not read",
			func(t *testing.T, m *Machine) {
				require.NoError(t, os.MkdirAll(filepath.Join(m.dir(), store.DatabaseName), 0o700))
			}, false},
		{"a process holds the lock", "locks", "held", "holds the lock memory.lock",
			func(t *testing.T, m *Machine) {
				lock, err := files.Lock(t.Context(), filepath.Join(m.dir(), store.LockName))
				require.NoError(t, err)
				t.Cleanup(func() { _ = lock.Close() })
			}, false},
		{"a folder stands where a lock should be", "locks", "no lock", "memory.lock",
			func(t *testing.T, m *Machine) {
				require.NoError(t, os.Mkdir(filepath.Join(m.dir(), store.LockName), 0o700))
			}, false},
		{"temporary files of killed processes", "left files", "temporary", "1 temporary file",
			func(t *testing.T, m *Machine) {
				left := m.write(t, filepath.Join(m.dir(), files.TempName()), "half a file")
				long := m.Now.Add(-time.Hour)
				require.NoError(t, os.Chtimes(left, long, long))
			}, true},
		{"a damaged file that was set aside", "left files", "set aside", "1 file, 4 B",
			func(t *testing.T, m *Machine) {
				m.write(t, filepath.Join(m.dir(), store.AsideName(store.DatabaseName, m.Now)), "rows")
			}, false},
		{"memories of folders that are gone", "other memories", "gone", "1 memory is of a folder that is gone, 2.0 kB",
			func(_ *testing.T, m *Machine) {
				m.Memories = []inventory.Memory{{State: inventory.Gone, Bytes: 2000}, {State: inventory.There}}
			}, false},
		{"settings of an agent that are not complete", "agents", "incomplete", "in the settings of Claude Code",
			func(t *testing.T, m *Machine) {
				require.NoError(t, m.connect("claude-code"))
				require.NoError(t, os.Remove(filepath.Join(m.Home, ".claude.json")))
			}, true},
		{"an agent that was never heard", "agents", "never heard", "Claude Code is connected and was never heard",
			func(t *testing.T, m *Machine) {
				require.NoError(t, m.connect("claude-code"))
			}, false},
		{"an agent that is not connected", "agents", "not connected", "Claude Code is on this machine",
			func(t *testing.T, m *Machine) {
				require.NoError(t, os.MkdirAll(filepath.Join(m.Home, ".claude"), 0o700))
			}, false},
		{"an agent's settings that cannot be read", "agents", "settings of an agent", "Claude Code: ",
			func(t *testing.T, m *Machine) {
				m.write(t, filepath.Join(m.Home, ".claude", "settings.json"), "{")
			}, false},
		{"an extension of another version", "editors", "another version", "the version 1.0.0 and this program 1.2.3",
			func(t *testing.T, m *Machine) {
				m.write(t, filepath.Join(m.Home, ".vscode", "extensions", extensionManifest), `{"version": "1.0.0"}`)
			}, false},
		{"an extension that is broken", "editors", "broken extension", "The extension of vscode-server is broken",
			func(t *testing.T, m *Machine) {
				m.write(t, filepath.Join(m.Home, ".vscode-server", "extensions", extensionManifest), `{`)
			}, false},
		{"an endpoint that does not answer", "embeddings", "no answer", "connection refused",
			func(_ *testing.T, m *Machine) {
				m.Endpoint = func(context.Context) error { return errors.New("connection refused") }
			}, false},
		{"a panic", "crashes", "crash", "panicked 1 time", func(t *testing.T, m *Machine) {
			m.write(t, CrashLog(m.StateDir), "panic: no\n\ngoroutine 1 [running]:\n")
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			c.breaks(t, m)
			index := -1
			found := of(Examine(t.Context(), *m), c.subject)
			for i, f := range found {
				if f.Kind == c.kind {
					index = i
				}
			}
			require.GreaterOrEqual(t, index, 0, "%v", found)
			f := found[index]
			assert.Contains(t, f.Message, c.message)
			assert.NotEmpty(t, f.Fix+m.Status.Store.Path)
			assert.NotContains(t, Report(*m, found), secret)
			if !c.mends {
				return
			}
			require.NoError(t, f.Apply(t.Context()))
			for _, left := range of(Examine(t.Context(), *m), c.subject) {
				assert.NotEqual(t, c.kind, left.Kind)
			}
		})
	}
}

// connect puts the memory into the settings of an agent.
func (m *Machine) connect(agent string) error {
	o := m.Options
	o.Yes, o.Out = true, new(strings.Builder)
	m.Options.Out = o.Out
	folder := os.MkdirAll(filepath.Join(m.Home, "."+strings.TrimSuffix(agent, "-code")), 0o700)
	_, err := install.Install(o, install.Selection{Agent: agent})
	return errors.Join(folder, err)
}

// runs records a process of the machine until the test ends.
func (m *Machine) runs(t *testing.T, p running.Process) {
	end, err := running.Record(RunningDir(m.StateDir), p)
	require.NoError(t, err)
	t.Cleanup(end)
}

func TestACrashIsReportedWithItsFunctionsAndWithoutWhatItSays(t *testing.T) {
	m := newMachine(t)
	stack := "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/src/runtime/debug/stack.go:26 +0x5e\n" +
		"panic({0x1?, 0x2?})\n\t/go/src/runtime/panic.go:783 +0x132\n" +
		"example.com/a/hot.(*Room).Apply(0xc0000, {0x1, 0x2})\n\t/home/" + secret + "/hot/room.go:12 +0x1\n" +
		"example.com/a/hot.main.func1()\n\t/home/" + secret + "/hot/main.go:3 +0x1\n" +
		"created by example.com/a.run in goroutine 1\n" +
		"\t/home/" + secret + "/run.go:1 +0x2\n"
	lines := []string{
		fmt.Sprintf(`{"time": "2026-01-02T03:04:05Z", "panic": %q, "stack": %q}`, secret, stack),
		"fatal error: all goroutines are asleep - deadlock!\n\n" + stack +
			"\n\ngoroutine 8 [running]:\nother.one()\n\t/other.go:1 +0x1",
		`{"time": "2026-01-02T03:04:06Z", "stack": "x", ` +
			`"panic": "runtime error: index out of range [3] with length 3"}`,
	}
	m.write(t, CrashLog(m.StateDir), strings.Join(lines, "\n")+"\n")
	list, err := readCrashes(CrashLog(m.StateDir))
	require.NoError(t, err)
	require.Len(t, list, 3)
	want := []string{
		"example.com/a/hot.(*Room).Apply room.go:12", "example.com/a/hot.main.func1 main.go:3",
		"example.com/a.run run.go:1",
	}
	assert.Equal(t, want, list[0].frames())
	assert.Equal(t, want, list[1].frames())
	report := Report(*m, Examine(t.Context(), *m))
	assert.NotContains(t, report, secret)
	assert.Contains(t, report, "\nPanic, index out of range [3] with length 3:\n")
	assert.Contains(t, report, "\n    example.com/a/hot.(*Room).Apply room.go:12\n")
}

func FuzzCrashes(f *testing.F) {
	f.Add([]byte("panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/main.go:3 +0x1\n"))
	f.Add([]byte(`{"time": "2026-01-02T03:04:05Z", "panic": "no", "stack": "a.b(0x1)\n\t/c.go:3 +0x1"}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		for _, c := range parseCrashes(doc) {
			for _, at := range c.frames() {
				assert.NotContains(t, at, "\n")
			}
		}
	})
}

func TestAFolderThatIsGoneWhileItIsLookedAtIsNoProblem(t *testing.T) {
	m := newMachine(t)
	require.NoError(t, os.RemoveAll(m.StateDir))
	for _, f := range Examine(t.Context(), *m) {
		assert.False(t, f.Problem(), "%s: %s", f.Subject, f.Message)
	}
	_, err := os.Stat(m.StateDir)
	assert.ErrorIs(t, err, fs.ErrNotExist, "it was made by looking")
}
