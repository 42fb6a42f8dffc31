package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A publishedDiagnostic has what a person sees of a diagnostic.
type publishedDiagnostic struct {
	Range    wire.Range
	Severity int
	Source   string
	Code     string
	Message  string
}

// marksOf returns the diagnostics of a file as "line:from-to severity source code: message".
func (p *peer) marksOf(uri string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	marks := []string{}
	for _, d := range p.marked[uri] {
		marks = append(marks, fmt.Sprintf("%d:%d-%d %d %s %s: %s", d.Range.Start.Line, d.Range.Start.Character,
			d.Range.End.Character, d.Severity, d.Source, d.Code, d.Message))
	}
	return marks
}

// shows waits until the diagnostics of a file are those that the server published.
func (p *peer) shows(uri string, want ...string) {
	p.t.Helper()
	last := []string{}
	defer func() {
		if p.t.Failed() {
			p.t.Log("shown last:", last)
		}
	}()
	p.eventually(fmt.Sprintf("%s of %s", want, uri), func() bool {
		last = p.marksOf(uri)
		return fmt.Sprint(last) == fmt.Sprint(want)
	})
}

// runs tells the server of a command of an agent.
func (p *peer) runs(session, command, output string, code int) (result wire.ToolExecutedResult) {
	p.t.Helper()
	p.call("wm/tool/executed", map[string]any{
		"sessionId": session, "tool": "bash", "input": map[string]any{"command": command}, "output": output,
		"exitCode": code,
	}, &result)
	return result
}

const (
	failedTest = "--- FAIL: TestTotal (0.00s)\n    cart_test.go:3: got 3, want 4\nFAIL\n"
	failedMark = "2:1-10 1 wm test: TestTotal: got 3, want 4\ngo test ./..."
)

func TestAnErrorOfACommandIsADiagnosticAtItsPlace(t *testing.T) {
	p := start(t, nil)
	cart := p.write("cart_test.go", "package cart\n\n\ttotal(😀)  \n")
	opened := p.runs("agent", "go test ./...", failedTest, 1).Opened
	require.Len(t, opened, 1)
	p.shows(cart, failedMark)

	p.runs("agent", "go test ./...", "ok  \texample.org/cart\t0.1s\n", 0)
	p.shows(cart)
	p.runs("agent", "go test ./...", failedTest, 1)
	p.shows(cart, failedMark)
	p.call("wm/errors/dismiss", map[string]any{"fingerprint": opened[0].Fingerprint}, nil)
	p.shows(cart)
	p.call("wm/errors/restore", map[string]any{"fingerprint": opened[0].Fingerprint}, nil)
	p.shows(cart, failedMark)

	p.configure("", map[string]any{"errors": map[string]any{"publish": false}})
	p.shows(cart)
	p.configure("", map[string]any{})
	p.shows(cart, failedMark)

	p.open(cart, "package cart // of the shop\n")
	p.change(cart, "package cart\n")
	p.save(cart)
	p.eventually("it not checked since the edit", func() bool {
		marks := p.marksOf(cart)
		const head = "1:0-0 2 wm test: TestTotal: got 3, want 4 (not checked since "
		return len(marks) == 1 && strings.HasPrefix(marks[0], head)
	})
}

func TestADiagnosticOfTheServerIsNoneOfALanguageServer(t *testing.T) {
	p := start(t, nil)
	cart := p.write("cart_test.go", "package cart\n\n\ttotal()\n")
	p.runs("agent", "go test ./...", failedTest, 1)
	p.shows(cart, "2:1-8 1 wm test: TestTotal: got 3, want 4\ngo test ./...")
	var result wire.DiagnosticsChangedResult
	own := diagnostic(2, "TestTotal: got 3, want 4")
	own["source"] = "wm"
	p.call("wm/diagnostics/changed",
		map[string]any{"uri": cart, "diagnostics": []any{own, diagnostic(0, "unused import")}}, &result)
	require.Len(t, result.Opened, 1)
	assert.Equal(t, "unused import", result.Opened[0].Summary)
	require.Len(t, p.errors(), 2)
	p.runs("agent", "go test ./...", "ok  \texample.org/cart\t0.1s\n", 0)
	p.shows(cart)
	assert.Len(t, p.errors(), 1, "what the editor sent back holds nothing open")

	p.runs("agent", "go build ./...", "# example.org/cart\n./cart_test.go:1:2: undefined: cart\n", 1)
	p.runs("agent", "go vet ./...", "./cart_test.go:3:2: undefined: total\n", 1)
	p.shows(cart, "2:1-8 1 wm lint: undefined: total\ngo vet ./...")
}

func TestAnErrorIsRememberedFromItsDiagnostic(t *testing.T) {
	p := start(t, nil)
	cart := p.write("cart_test.go", "package cart\n\n\ttotal()\n")
	p.open(cart, "package cart\n\n\ttotal()\n")
	p.runs("agent", "go test ./...", failedTest, 1)
	p.shows(cart, "2:1-8 1 wm test: TestTotal: got 3, want 4\ngo test ./...")
	shown := diagnostic(2, "TestTotal: got 3, want 4")
	shown["source"], shown["code"] = "wm", "test"
	actions := p.actions(cart, span(2, 1, 2, 8), asked(automatic, shown))
	require.Len(t, actions, 1)
	assert.Equal(t, "Error in cart_test.go: TestTotal: got 3, want 4 (test)", actions[0].Command.Arguments[0].Text)
}

func TestWhatStandsOpenIsPublishedToANewEditor(t *testing.T) {
	p := start(t, nil)
	cart := p.write("cart_test.go", "package cart\n\n\ttotal()\n")
	p.runs("agent", "go test ./...", failedTest, 1)
	again := p.restarted()
	again.shows(cart, "2:1-8 1 wm test: TestTotal: got 3, want 4\ngo test ./...")
	require.NoError(t, os.Remove(filepath.Join(p.root, "cart_test.go")))
	again.call("wm/pause", map[string]any{}, nil) // a change of something else
	again.shows(cart)
}

func TestAnAgentGetsNoDiagnostics(t *testing.T) {
	p := startWith(t, map[string]any{"agent": "coder"})
	cart := p.write("cart_test.go", "package cart\n\n\ttotal()\n")
	p.runs("", "go test ./...", failedTest, 1)
	p.eventually("the panel told", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.changed) > 0
	})
	assert.Empty(t, p.marksOf(cart))
}

func TestARunInATerminalClosesWhatAnAgentReported(t *testing.T) {
	p := start(t, nil)
	p.runs("agent", "go test ./...", failedTest, 1)
	require.Len(t, p.errors(), 1)
	var result wire.ToolExecutedResult
	p.call("wm/tool/executed", map[string]any{
		"tool": "terminal", "terminal": true, "input": map[string]any{"command": "go test ./..."},
		"output": "ok  \texample.org/cart\t0.1s\n", "exitCode": 0, "cwd": p.root,
	}, &result)
	assert.Len(t, result.Closed, 1)
	assert.Empty(t, result.ItemID, "it is not an item of the editor's memory")
	assert.Empty(t, p.errors())
}

func TestASettingThatIsIgnoredIsADiagnosticWhereItIsSet(t *testing.T) {
	p := start(t, nil)
	file := p.write("wm-lsp.toml", "[session]\n  max_decisions = 51 # 😀\nmaxFiles = 3\n")
	p.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"wm": map[string]any{}}})
	p.shows(file, "1:2-25 2 wm settings: session.maxDecisions must be at most 50, got 51; used instead: 5")

	broken := "\n\n[session]\nmaxDecisions = \n"
	p.write("wm-lsp.toml", broken)
	p.open(file, broken)
	p.save(file)
	p.eventually("the file that is not TOML", func() bool {
		marks := p.marksOf(file)
		return len(marks) == 1 && strings.HasPrefix(marks[0], "3:0-14 1 wm settings: ") &&
			strings.Contains(marks[0], "the file is ignored until it is valid TOML")
	})

	p.write("wm-lsp.toml", "[session]\nmaxDecisions = 3\n")
	p.save(file)
	p.shows(file)
}

func TestTheUsersOwnFileIsReadAgainWhenItIsSaved(t *testing.T) {
	p := start(t, nil)
	file := fileURI(p.server.options.UserFile)
	require.NoError(t, os.WriteFile(p.server.options.UserFile, []byte("\nmemory.maxEntries = 900\n"), 0o600))
	p.save(file)
	p.shows(file, "1:0-23 2 wm settings: memory.maxEntries must be at most 500, got 900; used instead: 28")
	require.NoError(t, os.WriteFile(p.server.options.UserFile, []byte("memory.maxEntries = 100\n"), 0o600))
	p.save(file)
	p.shows(file)
	assert.Empty(t, p.told())
}
