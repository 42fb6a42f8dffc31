package process

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// printCaller makes the program of the tests print the caller of its process.
const printCaller = "WM_TEST_PRINT_CALLER"

func TestMain(m *testing.M) {
	if os.Getenv(printCaller) != "" {
		_, _ = os.Stdout.WriteString(string(Caller()))
		return
	}
	os.Exit(m.Run())
}

// callerOf returns what a process that is run by a command line, in which "$0" is its program, takes for its caller.
func callerOf(t *testing.T, line ...string) ID {
	t.Helper()
	this, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(line[0], append(line[1:], this)...)
	command.Env = append(os.Environ(), printCaller+"=1")
	out, err := command.Output()
	require.NoError(t, err)
	return ID(out)
}

func TestTheCallerIsTheNearestProgramThatIsNoShell(t *testing.T) {
	own, err := read(os.Getpid())
	require.NoError(t, err)
	this := own.id(os.Getpid())
	assert.Equal(t, this, callerOf(t, "env"))
	assert.Equal(t, this, callerOf(t, "sh", "-c", `"$0"; exit 0`), "a shell runs it for another")
	assert.Equal(t, this, callerOf(t, "sh", "-c", `sh -c '"$0"; exit 0' "$0"; exit 0`))
	other := callerOf(t, "timeout", "1m", "sh", "-c", `"$0"; exit 0`)
	assert.NotEqual(t, this, other)
	assert.True(t, other.Ended())
	assert.False(t, this.Ended())
}

func TestAProcessHasEndedWhenItIsKilledAlsoBeforeItsParentIsTold(t *testing.T) {
	child := exec.Command("sleep", "1h")
	require.NoError(t, child.Start())
	found, err := read(child.Process.Pid)
	require.NoError(t, err)
	id := found.id(child.Process.Pid)
	assert.False(t, id.Ended())
	require.NoError(t, child.Process.Kill())
	for !id.Ended() { // the test's own timeout ends a vain wait
		runtime.Gosched()
	}
	_ = child.Wait()
	assert.True(t, id.Ended())
}

func TestOfWhatIsNotKnownNobodySaysThatItHasEnded(t *testing.T) {
	own, err := read(os.Getpid())
	require.NoError(t, err)
	id := string(own.id(os.Getpid()))
	boot, rest, _ := strings.Cut(id, " ")
	for name, test := range map[string]struct {
		id    string
		ended bool
	}{
		"none":                         {"", false},
		"another start of the machine": {strings.ToUpper(boot) + "x " + rest, false},
		"another container":            {strings.Replace(id, "pid:[", "pid:[9", 1), false},
		"no number":                    {strings.Join(strings.Fields(id)[:2], " ") + " x 1", false},
		"all processes":                {strings.Join(strings.Fields(id)[:2], " ") + " -1 1", false},
		"this process":                 {id, false},
		"an earlier one of the number": {id + "0", true},
	} {
		assert.Equal(t, test.ended, ID(test.id).Ended(), name)
	}
}
