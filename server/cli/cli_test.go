package cli

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// runOther runs a command and returns the exit code and the messages.
func runOther(ctx context.Context, run func([]string) int) (int, string) {
	var errOut bytes.Buffer
	code := Run(ctx, Options{
		Out: &bytes.Buffer{}, Err: &errOut, Env: func(string) string { return "" },
		Others: []Other{{Use: "other", Flags: func(*flag.FlagSet) {}, Run: run}},
	}, []string{"other"})
	return code, errOut.String()
}

func TestACommandThatPanicsFails(t *testing.T) {
	code, said := runOther(t.Context(), func([]string) int { panic("a bug") })
	assert.Equal(t, ExitFailed, code)
	assert.Contains(t, said, "internal error: a bug")
}

func TestACommandThatIsInterruptedEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hang := make(chan struct{})
	defer close(hang)
	code, said := runOther(ctx, func([]string) int {
		cancel()
		<-hang
		return ExitDone
	})
	assert.Equal(t, ExitFailed, code)
	assert.Equal(t, "wm-lsp: context canceled\n", said)
}

func TestACommandReturnsItsExitCode(t *testing.T) {
	code, said := runOther(t.Context(), func([]string) int { return 7 })
	assert.Equal(t, 7, code)
	assert.Empty(t, said)
}

func TestNothingIsDoneUnlessAPersonAgrees(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		reply    string
		agrees   bool
	}{
		{true, "y\n", true}, {true, " Yes \n", true}, {true, "n\n", false}, {true, "\n", false}, {true, "", false},
		{true, "yesterday\n", false}, {false, "y\n", false},
	} {
		var asked bytes.Buffer
		p := &program{Options: Options{In: strings.NewReader(c.reply), Err: &asked, Terminal: c.terminal}}
		assert.Equal(t, c.agrees, p.agrees(bufio.NewReader(p.In), "Do it?"), c)
		assert.Equal(t, c.terminal, asked.String() == "Do it? [y/N] ", c)
	}
}

func TestAListedEntrySaysInWordsHowItStands(t *testing.T) {
	for status, words := range map[wire.EntryStatus]string{
		wire.StatusActive: "", wire.StatusOffered: "  offered", wire.StatusSuperseded: "  replaced",
		wire.StatusEvicted: "  moved out of contexts", wire.StatusRemoved: "  forgotten",
	} {
		entry := wire.MemoryEntry{ID: "01A", Detail: "Decision · person", Text: "Round once", Status: status}
		assert.Equal(t, "01A  Decision · person"+words+"\n    Round once\n", (&program{}).entryText(entry), status)
	}
}
