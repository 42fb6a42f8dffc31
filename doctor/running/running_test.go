package running

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recordIn names the folder in which a process of the tests records itself.
const recordIn = "WM_TEST_RECORD_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(recordIn); dir != "" {
		_, err := Record(dir, This("1.0.0", "lsp", time.Now()))
		fmt.Println(err)
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // until it is killed
		return
	}
	os.Exit(m.Run())
}

// start starts a process that records itself.
func start(t *testing.T, dir string) *exec.Cmd {
	this, err := os.Executable()
	require.NoError(t, err)
	process := exec.Command(this)
	process.Env = append(os.Environ(), recordIn+"="+dir)
	in, err := process.StdinPipe()
	require.NoError(t, err)
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		_ = in.Close()
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "<nil>\n", line)
	return process
}

func TestAProcessIsListedWhileItRunsAndItsRecordIsDeletedAfterItWasKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "running")
	none, err := List(dir)
	require.NoError(t, err)
	assert.Empty(t, none)

	process := start(t, dir)
	list, err := List(dir)
	require.NoError(t, err)
	require.Len(t, list, 1)
	p := list[0]
	assert.Equal(t, process.Process.Pid, p.PID)
	assert.Equal(t, os.Getpid(), p.Parent)
	assert.False(t, p.Orphan())
	assert.False(t, p.Replaced())

	require.NoError(t, p.End())
	_ = process.Wait()
	list, err = List(dir)
	require.NoError(t, err)
	assert.Empty(t, list)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestARecordIsGoneWhenItsProcessEnds(t *testing.T) {
	dir := t.TempDir()
	end, err := Record(dir, This("1.0.0", "mcp", time.Now()))
	require.NoError(t, err)
	_, err = Record(dir, This("1.0.0", "mcp", time.Now()))
	assert.Error(t, err, "it is recorded already")
	end()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestWhatIsNoRecordIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes.json", "12x.json", "0012.json", "12", "-.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o600))
	}
	list, err := List(dir)
	require.NoError(t, err)
	assert.Empty(t, list)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 5)
}

func TestAProgramThatWasReplacedIsFound(t *testing.T) {
	program := filepath.Join(t.TempDir(), "wm-lsp")
	require.NoError(t, os.WriteFile(program, nil, 0o700))
	p := Process{Program: program, Built: writtenAt(program)}
	assert.False(t, p.Replaced())
	later := p.Built.Add(time.Hour)
	require.NoError(t, os.Chtimes(program, later, later))
	assert.True(t, p.Replaced())
	require.NoError(t, os.Remove(program))
	assert.False(t, p.Replaced(), "nothing is known")
}
