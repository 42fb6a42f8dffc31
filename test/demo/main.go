// Command demo demonstrates the main use case on this repository: an editor and an
// agent, each with its own wm-lsp, share one memory. Both are scripted. The two
// servers are real processes, the memory is in a temporary folder, and the repository
// is only read. The demo prints the panel of the editor and the context of the agent,
// and fails if they are not as expected.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

const decision = "The log is the authority: every table is folded from it, so that restart, undo and several " +
	"processes need no code of their own"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "\nthe demo failed:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := repository()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "wm-lsp-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	binary := filepath.Join(scratch, "wm-lsp")
	step("Build wm-lsp and start it twice on %s: once for an editor, once for an agent.", root)
	build := exec.Command("go", "build", "-o", binary, "./cmd/wm-lsp")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build wm-lsp: %w", err)
	}
	d := &demo{root: root, binary: binary, data: filepath.Join(scratch, "data")}
	if err := d.work(); err != nil {
		return err
	}
	return d.again()
}

// repository returns the folder of this repository, in which go run was started.
func repository() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the repository; run the demo in it: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

type demo struct {
	root, binary, data string
	editor, agent      *peer.Client
}

func (d *demo) start() (err error) {
	if d.editor, err = peer.Start(d.binary, d.data, d.root, "Editor", "demo-editor"); err != nil {
		return err
	}
	d.agent, err = peer.StartAgent(d.binary, d.data, d.root, "Agent", "demo-agent")
	return err
}

// work runs the editor and the agent, which see each other's work.
func (d *demo) work() error {
	if err := d.start(); err != nil {
		return err
	}
	if err := d.editing(); err != nil {
		return err
	}
	if err := d.agentWorks(); err != nil {
		return err
	}
	step("The editor is notified of a change and paints the panel:")
	text, err := d.panelWith("memory/queue.go", "undefined: queueLenght", "The log is the authority", "TestQueue")
	if err != nil {
		return fmt.Errorf("the panel: %w", err)
	}
	quote(text)

	step("Before its next prompt the agent requests the context:")
	context, err := d.agentSees(peer.Object{},
		func(c wire.ContextResult) bool { return strings.Contains(c.Text, "undefined: queueLenght") })
	if err != nil {
		return err
	}
	quote(context.Text)
	if err := demand(context.Text, "memory/queue.go (edit, 1x) in Editor", "undefined: queueLenght",
		"[decision] The log is the authority", "table tests"); err != nil {
		return fmt.Errorf("the context: %w", err)
	}
	return d.fix(context.Revision)
}

// editing sends what an editor sends when somebody makes a mistake.
func (d *demo) editing() error {
	step("In the editor, somebody opens memory/queue.go and mistypes a name. The language server reports it.")
	const file = "memory/queue.go"
	content, err := os.ReadFile(filepath.Join(d.root, filepath.FromSlash(file)))
	if err != nil {
		return err
	}
	before, after, found := strings.Cut(string(content), "queueLength")
	if !found {
		return fmt.Errorf("%s must contain queueLength", file)
	}
	mistyped, line := before+"queueLenght"+after, strings.Count(before, "\n")
	name := d.uri(file)
	d.editor.Notify("textDocument/didOpen", peer.Object{
		"textDocument": peer.Object{"uri": name, "languageId": "go", "version": 1, "text": string(content)},
	})
	d.editor.Notify("textDocument/didChange", peer.Object{
		"textDocument": peer.Object{"uri": name, "version": 2}, "contentChanges": []peer.Object{{"text": mistyped}},
	})
	at := peer.Object{"line": line, "character": 4}
	var result wire.DiagnosticsChangedResult
	if err := d.editor.Call("wm/diagnostics/changed", peer.Object{"uri": name, "diagnostics": []peer.Object{{
		"range":    peer.Object{"start": at, "end": at},
		"severity": 1,
		"source":   "compiler",
		"message":  "undefined: queueLenght",
	}}}, &result); err != nil {
		return err
	}
	if len(result.Opened) != 1 {
		return fmt.Errorf("the diagnostic must open 1 error, got %d", len(result.Opened))
	}
	return nil
}

// agentWorks sends what a host sends about an agent's work.
func (d *demo) agentWorks() error {
	step("The agent reads a file, runs a failing test, is asked to remember a rule, and adds a decision.")
	var ran wire.ToolExecutedResult
	if err := d.agent.Call("wm/tool/executed",
		peer.Object{"tool": "read", "input": peer.Object{"filePath": "memory/workspace.go"}}, &ran); err != nil {
		return err
	}
	if err := d.agent.Call("wm/tool/executed", peer.Object{
		"tool": "bash", "input": peer.Object{"command": "go test ./memory"}, "exitCode": 1,
		"output": "--- FAIL: TestQueueKeepsItsOrder (0.00s)\n    queue_test.go:31: got [2 1], want [1 2]\nFAIL\n" +
			"FAIL\tgithub.com/wm-lsp/wm-lsp/memory\t0.012s\nFAIL\n",
	}, &ran); err != nil {
		return err
	}
	if len(ran.Opened) != 1 {
		return fmt.Errorf("the failing test must open 1 error, got %d", len(ran.Opened))
	}
	var heard wire.MessageReceivedResult
	if err := d.agent.Call("wm/message/received",
		peer.Object{"role": "user", "text": "Remember: always name table tests as sentences"}, &heard); err != nil {
		return err
	}
	if len(heard.Memories) != 1 || heard.Memories[0].Status != wire.ReceiptAdded {
		return fmt.Errorf("the request to remember must add 1 entry, got %+v", heard.Memories)
	}
	d.editor.Forget(wire.NotificationChanged)
	var receipt wire.Receipt
	if err := d.agent.Call("wm/memory/add", peer.Object{"text": decision, "type": "decision"}, &receipt); err != nil {
		return err
	}
	if receipt.Status != wire.ReceiptAdded {
		return fmt.Errorf("the decision was %s: %s", receipt.Status, receipt.Reason)
	}
	return nil
}

// fix fixes both errors and shows the delta of the context.
func (d *demo) fix(since wire.Revision) error {
	step("The name is corrected and the test passes. The agent requests only what changed since:")
	var result wire.DiagnosticsChangedResult
	if err := d.editor.Call("wm/diagnostics/changed",
		peer.Object{"uri": d.uri("memory/queue.go"), "diagnostics": []peer.Object{}}, &result); err != nil {
		return err
	}
	var ran wire.ToolExecutedResult
	if err := d.agent.Call("wm/tool/executed", peer.Object{
		"tool":     "bash",
		"input":    peer.Object{"command": "go test ./memory"},
		"output":   "ok  \tgithub.com/wm-lsp/wm-lsp/memory\t0.010s\n",
		"exitCode": 0,
	}, &ran); err != nil {
		return err
	}
	if len(result.Closed) != 1 || len(ran.Closed) != 1 {
		return fmt.Errorf("the fixes must close 1 error each, got %d and %d", len(result.Closed), len(ran.Closed))
	}
	context, err := d.agentSees(peer.Object{"since": since},
		func(c wire.ContextResult) bool { return c.Delta != nil && len(c.Delta.Removed) == 2 })
	if err != nil {
		return err
	}
	quote(context.Delta.Text)
	return demand(context.Delta.Text, "No longer open: [typecheck] memory/queue.go", "No longer open: [test]")
}

// panelWith paints the panel of the editor until it has the parts: each of the agent's changes
// is notified by itself.
func (d *demo) panelWith(parts ...string) (string, error) {
	for {
		if err := d.editor.Await(wire.NotificationChanged); err != nil {
			return "", err
		}
		var panel wire.PanelResult
		if err := d.editor.Call("wm/panel", nil, &panel); err != nil {
			return "", err
		}
		if text := paint(panel); demand(text, parts...) == nil {
			return text, nil
		}
	}
}

// agentSees requests the context until it has a change of another process, which takes
// some milliseconds.
func (d *demo) agentSees(params peer.Object, enough func(wire.ContextResult) bool) (wire.ContextResult, error) {
	for {
		var context wire.ContextResult
		if err := d.agent.Call("wm/context", params, &context); err != nil || enough(context) {
			return context, err
		}
		if err := d.agent.Await(wire.NotificationChanged); err != nil {
			return context, err
		}
	}
}

// again restarts both servers and checks that the memory is there.
func (d *demo) again() error {
	step("Both servers end. The next day two new ones start, and the memory is there:")
	for _, c := range []*peer.Client{d.editor, d.agent} {
		if err := c.End(); err != nil {
			return err
		}
	}
	if err := d.start(); err != nil {
		return err
	}
	var list wire.MemoryListResult
	if err := d.editor.Call("wm/memory/list", nil, &list); err != nil {
		return err
	}
	var lines []string
	for _, entry := range list.Entries {
		lines = append(lines,
			fmt.Sprintf("%s  (%s)", entry.Text, entry.Detail))
	}
	quote(strings.Join(lines, "\n"))
	if len(list.Entries) != 2 {
		return fmt.Errorf("there must be 2 entries, got %d", len(list.Entries))
	}
	for _, c := range []*peer.Client{d.editor, d.agent} {
		if err := c.End(); err != nil {
			return err
		}
	}
	fmt.Println("\nThe demo is complete. Its files are removed, and the repository is unchanged.")
	return nil
}

func (d *demo) uri(file string) string {
	return string(uri.File(filepath.Join(d.root, filepath.FromSlash(file))))
}

func demand(text string, parts ...string) error {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return fmt.Errorf("%q is missing", part)
		}
	}
	return nil
}
