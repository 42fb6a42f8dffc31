package test_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A secret is a string and the part of it that may not reach a disk.
type secret struct{ text, part string }

// secrets are made here, in pieces, so that nobody takes this file for a leak.
func secrets() map[string]secret {
	alike := func(pieces ...string) secret { part := strings.Join(pieces, ""); return secret{part, part} }
	within := func(before, after string, pieces ...string) secret {
		part := strings.Join(pieces, "")
		return secret{before + part + after, part}
	}
	const key = "q8Zt3vLw0sXk2uYf7bNcR5mJ1dHgPa9e"
	return map[string]secret{
		"an AWS key": alike("AKIA", "Q7W3ERTY2JKLZ5XC"),
		"an AWS secret key": within(
			"aws_secret_access_key=",
			"",
			"wJalrXUtnFEMI/K7MDENG",
			"/bPxRfiCYzEQ8KEY31a",
		),
		"a GitHub token":              alike("ghp", "_", key, "Zz19"),
		"a fine-grained GitHub token": alike("github", "_pat_", "11ABCDEFG0", key, "_", key, key[:20]),
		"a GitLab token":              alike("glpat", "-", key[:20]),
		"a Slack token":               alike("xoxb", "-1234567890123-1234567890123-", key[:24]),
		"a Stripe key":                alike("sk", "_live_", key),
		"an Anthropic key":            alike("sk", "-ant-api03-", key, key, key[:20], "-AA"),
		"an OpenAI key":               alike("sk", "-proj-", key, key),
		"a Google key":                alike("AIza", "Sy", key, "B"),
		"an npm token":                alike("npm", "_", key, "Aa1b"),
		"a PyPI token":                alike("pypi", "-AgEIcHlwaS5vcmc", key, key, key),
		"a Hugging Face token":        alike("hf", "_", key, "aB"),
		"a SendGrid key":              alike("SG.", key[:22], ".", key, key[:11]),
		"a Telegram token":            alike("987654321:", "AA", key, "X"),
		"a JWT":                       alike("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.", key),
		"an Azure secret":             within("secret is ", " ok", "abc8Q~", key, "a1"),
		"a Databricks token":          alike("dapi", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
		"a Shopify token":             alike("shpat", "_0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
		"an Adobe secret (gitleaks)":  alike("p8e", "-", key),
		"an Alibaba key (gitleaks)":   alike("LTAI", key[:20]),
		"a Linear key (gitleaks)":     alike("lin", "_api_", key, key[:8]),
		"an Asana secret (gitleaks)":  within("asana_secret = '", "'", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
		"a private key": within(
			"-----BEGIN RSA PRIVATE KEY-----\n",
			"\n-----END RSA PRIVATE KEY-----",
			"MIIEowIBAAKCAQEA",
			key,
			key,
		),
		"a password in a URL":          within("https://deploy:", "@db.example.com/shop", "hunter2", "Correct9"),
		"a password in an environment": within("export DB_PASSWORD=", "", "tr0ub4dor", "And3"),
		"a short password":             within("password: ", "", "swordf1sh", "!"),
		"a connection string": within(
			"postgres://app:",
			"@10.0.0.3:5432/shop?sslmode=disable",
			"s3cr3t",
			"Value7",
		),
		"a bearer token":        within("Authorization: Bearer ", "", key, key),
		"basic auth":            within("Authorization: Basic ", "", "ZGVwbG95Omh1bnRlcjJDb3JyZWN0OQ=="),
		"a flag":                within("mysql --user=app --password=", " shop", "fl4g", "Passw0rd"),
		"a JSON member":         within(`{"client_secret":"`, `"}`, "js0n", key[:18]),
		"an e-mail address":     alike("grace", ".hopper@navy.example.com"),
		"a card":                alike("4539 1488", " 0343 6467"),
		"a card without spaces": alike("45391488", "03436467"),
		"a phone number":        alike("+49 170", " 1234567"),
	}
}

// written are the ways in which a string can stand in a file.
func written(part string) [][]byte {
	quoted, err := json.Marshal(part)
	if err != nil {
		panic(err) // a string always encodes
	}
	var escaped strings.Builder
	for _, r := range part {
		fmt.Fprintf(&escaped, `\u%04x`, r)
	}
	forms := [][]byte{
		[]byte(part), bytes.Trim(quoted, `"`), bytes.Trim([]byte(strconv.Quote(part)), `"`), []byte(escaped.String()),
		[]byte(url.QueryEscape(part)), []byte(url.PathEscape(part)), []byte(html.EscapeString(part)),
		[]byte(hex.EncodeToString([]byte(part))), bytes.ToUpper([]byte(hex.EncodeToString([]byte(part)))),
	}
	for before := range 3 { // the same bytes look different in base64, by where they start
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			whole := encoding.EncodeToString([]byte("..."[:before] + part))
			forms = append(forms, []byte(whole[(before*8+5)/6:len(whole)-2]))
		}
	}
	return forms
}

// fill returns params with a string in every member that takes one.
func fill(params reflect.Type, text string) any {
	switch params.Kind() {
	case reflect.Pointer:
		return fill(params.Elem(), text)
	case reflect.Struct:
		if params == reflect.TypeFor[wire.Position]() {
			return wire.Position{}
		}
		members := map[string]any{}
		for _, field := range reflect.VisibleFields(params) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.Anonymous || name == "" || name == "-" ||
				slices.Contains([]string{"sessionId", "workspace", "at", "paused", "minutes"}, name) {
				continue
			}
			if value := fill(field.Type, text); value != nil {
				members[name] = value
			}
		}
		return members
	case reflect.Slice:
		if params == reflect.TypeFor[json.RawMessage]() {
			return map[string]any{text: text, "nested": map[string]any{"list": []any{text}}}
		}
		return []any{fill(params.Elem(), text)}
	case reflect.Map:
		return map[string]any{"bug": text, "file": text, text: text}
	case reflect.String:
		return text
	case reflect.Bool:
		return true
	}
	return nil
}

// particulars are the members that take no string, or one of a few words.
func particulars(method string, known map[string]any) map[string]any {
	switch method {
	case "wm/session/start", "wm/session/end", "wm/session/continue", "wm/session/delete":
		return map[string]any{"sessionId": "walked"}
	case "wm/tool/executed":
		return map[string]any{"tool": "bash", "outcome": "failure", "exitCode": 1, "cwd": "", "terminal": false}
	case "wm/errors/copy", "wm/errors/command", "wm/errors/dismiss", "wm/errors/restore":
		return map[string]any{"fingerprint": known["error"]}
	case "wm/errors/remember":
		return map[string]any{"fingerprint": known["error"], "type": "project"}
	case "wm/message/received":
		return map[string]any{"role": "user"}
	case "wm/memory/add":
		return map[string]any{"source": "manual", "type": "project", "files": []string{"a.go"}} // a secret is refused
	case "wm/memory/update":
		return map[string]any{
			"id": known["memory"], "type": "project", "status": "active", "beside": []string{}, // a secret is refused
		}
	case "wm/memory/list":
		return map[string]any{"types": []string{"project"}}
	case "wm/memory/explain":
		return map[string]any{"id": known["memory"]}
	case "wm/memory/remove", "wm/memory/restore":
		// An update may have merged the memory.
		return map[string]any{"id": known["other"], "into": "", "erase": false}
	case "wm/core/update":
		return map[string]any{"block": "context", "operation": "replace"}
	case "wm/import":
		return map[string]any{"from": "all", "path": "", "dryRun": false, "undo": false, "dismiss": false}
	case "wm/notes/read", "wm/notes/write":
		return map[string]any{"path": "overview.md", "revision": ""}
	case "wm/notes/archive":
		return map[string]any{"path": "detail/old.md"}
	case "wm/notes/restore":
		return map[string]any{"path": "archive/old.md", "to": "", "revision": ""}
	case "wm/history/compact":
		return map[string]any{"target": "all", "strategy": "archive", "keepRecent": 1, "archiveTo": ""}
	case "wm/state/write":
		return map[string]any{"yaml": ""}
	case "wm/state/event":
		return map[string]any{"type": "bug_found"}
	case "wm/working/add":
		return map[string]any{"slot": "todo"}
	case "wm/working/remove", "wm/working/clear":
		return map[string]any{"slot": "dependency"}
	case "wm/working/restore":
		said := known["text"]
		return map[string]any{
			"items": []any{
				map[string]any{
					"content":     said,
					"slot":        "dependency",
					"source":      said,
					"path":        said,
					"fingerprint": said,
				},
			},
		}
	case "wm/search/tune":
		return map[string]any{"coefficients": map[string]any{
			"similarity": 0.5, "recency": 0.2, "importance": 0.2, "duplication": 0.1, "decay": 0.01,
		}}
	case "wm/search":
		return map[string]any{"since": "2026-01-01T00:00:00.000Z", "until": "2100-01-01T00:00:00.000Z"}
	case "wm/memorize":
		said := known["text"]
		return map[string]any{
			"items": []any{
				map[string]any{
					"text":     said,
					"content":  map[string]any{"said": said},
					"metadata": map[string]any{"said": said},
					"thread":   said,
					"tags":     []any{said},
				},
			},
		}
	case "wm/skills/get", "wm/skills/remove", "wm/skills/restore":
		return map[string]any{"id": known["skill"]}
	case "wm/skills/update":
		return map[string]any{"id": known["skill"], "status": "kept"}
	case "wm/skills/export":
		return map[string]any{"folder": "skills", "consent": true, "ids": []string{}}
	case "wm/usage/reported":
		return map[string]any{"tokensUsed": 900, "tokensMax": 1000}
	case "wm/context":
		text := known["text"]
		return map[string]any{
			"include": []string{"workspace"}, "exclude": []string{}, "tell": "whole", "topK": 3,
			"filters": map[string]any{
				"stores": []any{text}, "types": []any{text}, "tags": []any{text}, "agentId": text, "taskId": text,
				"episodeId": text, "since": "2026-01-01T00:00:00.000Z", "until": "2100-01-01T00:00:00.000Z",
			},
		}
	case "wm/panel":
		return map[string]any{"sections": []string{"memory"}}
	case "wm/panel/resolve":
		return map[string]any{"id": fmt.Sprintf("memory:%v", known["memory"])}
	case "wm/trace":
		return map[string]any{"since": 0}
	case "wm/prune":
		return map[string]any{"mode": "hyper"}
	case "wm/output/read":
		return map[string]any{"ref": known["output"]}
	case "wm/pause":
		return map[string]any{"resume": true}
	}
	return nil
}

// refused are the methods that take no string of ours, and why.
var refused = map[string]string{
	"wm/workspace/purge": "it takes nothing but the key of the workspace, and what is searched would be gone",
}

// A walk tells one server all secrets in all ways.
type walk struct {
	t        *testing.T
	env      *test.Env
	client   *test.Client
	answered map[string]error // by method: nil once it was done
}

// skill returns the id of a skill, which is found in what sessions do for a prompt with a string.
func (w *walk) skill(text string) string {
	for range 3 {
		require.NoError(w.t, w.client.TryCall("wm/message/received",
			map[string]any{"role": "user", "text": "Check the gate that opens with " + text}, nil))
		for _, target := range []string{"lint", "test"} {
			require.NoError(w.t, w.client.TryCall("wm/tool/executed", map[string]any{
				"tool": "bash", "exitCode": 0, "input": map[string]any{"command": "deploy " + text},
			}, nil))
			require.NoError(w.t, w.client.TryCall("wm/tool/executed", map[string]any{
				"tool": "bash", "exitCode": 0, "input": map[string]any{"command": "make " + target},
			}, nil))
		}
	}
	require.NoError(w.t, w.client.TryCall("wm/commit", map[string]any{}, nil))
	var found struct{ Skills []struct{ ID string } }
	require.NoError(w.t, w.client.TryCall("wm/skills", map[string]any{"includeDropped": true}, &found))
	require.NotEmpty(w.t, found.Skills)
	return found.Skills[0].ID
}

// failure returns the fingerprint of an error that a command in a terminal reports beside a string.
func (w *walk) failure(text string) string {
	var ran struct {
		Opened []struct{ Fingerprint string }
	}
	require.NoError(w.t, w.client.TryCall("wm/tool/executed", map[string]any{
		"tool": "terminal", "terminal": true, "exitCode": 1, "input": map[string]any{"command": "go vet ./..."},
		"output": fmt.Sprintf("%s\n./a.go:1:1: undefined: gate%d\n", text, len(text)),
	}, &ran))
	require.NotEmpty(w.t, ran.Opened)
	return ran.Opened[len(ran.Opened)-1].Fingerprint
}

// everyMethod calls each method of the protocol with a string in every member.
func (w *walk) everyMethod(text string) {
	known := map[string]any{"text": text}
	for name, begin := range map[string]string{
		"memory": "The gate of the office opens with ", "other": "Nobody leaves the garden without ",
	} {
		var added struct{ ID string }
		require.NoError(w.t, w.client.TryCall("wm/memory/add", map[string]any{
			"text": begin + text, "type": "reference",
		}, &added))
		known[name] = added.ID
	}
	var pruned struct{ Ref string }
	long := strings.Repeat("a line of the log that is like no other, as the one before\n", 100)
	require.NoError(
		w.t,
		w.client.TryCall("wm/prune", map[string]any{"output": long + text + "\n" + long, "mode": "hyper"}, &pruned),
	)
	known["output"] = pruned.Ref
	for _, path := range []string{"overview.md", "detail/old.md"} {
		require.NoError(
			w.t,
			w.client.TryCall(
				"wm/notes/write",
				map[string]any{"path": path, "content": "# Gates\nThe gate of the yard opens with " + text},
				nil,
			),
		)
	}
	known["error"] = w.failure(text)
	known["skill"] = w.skill(text)
	for _, method := range wire.Methods() {
		params := fill(method.Params, text).(map[string]any)
		maps.Copy(params, particulars(method.Name, known))
		delete(params, "ifRevision") // of nothing that is there
		err := w.client.TryCall(method.Name, params, nil)
		if before, tried := w.answered[method.Name]; !tried || before != nil {
			w.answered[method.Name] = err
		}
		if method.Event {
			w.client.Notify(method.Name, params)
		}
	}
}

// standard are the methods of LSP that the server answers, by their name in
// server/lsp/methods.go, and how a string is told with them.
var standard = map[string]func(w *walk, text string){
	"Initialize":  nil, // told by a server of its own
	"Initialized": nil,
	"Shutdown":    nil,
	"Exit":        nil,
	"SetTrace":    func(w *walk, text string) { w.client.Notify("$/setTrace", map[string]any{"value": text}) },
	"TextDocumentDidOpen": func(w *walk, text string) {
		w.client.Notify(
			"textDocument/didOpen",
			map[string]any{
				"textDocument": map[string]any{
					"uri":        w.env.URI("a.go"),
					"languageId": "go",
					"version":    1,
					"text":       text,
				},
			},
		)
		w.client.Notify(
			"textDocument/didOpen",
			map[string]any{
				"textDocument": map[string]any{"uri": w.file(text), "languageId": text, "version": 1, "text": text},
			},
		)
	},
	"TextDocumentDidChange": func(w *walk, text string) {
		change := []any{map[string]any{"text": text + text}}
		w.client.Notify(
			"textDocument/didChange",
			map[string]any{
				"textDocument":   map[string]any{"uri": w.env.URI("a.go"), "version": 2},
				"contentChanges": change,
			},
		)
		w.client.Notify(
			"textDocument/didChange",
			map[string]any{"textDocument": map[string]any{"uri": w.file(text), "version": 2}, "contentChanges": change},
		)
	},
	"TextDocumentDidSave": func(w *walk, text string) {
		w.client.Notify(
			"textDocument/didSave",
			map[string]any{"textDocument": map[string]any{"uri": w.file(text)}, "text": text},
		)
		w.client.Notify(
			"wm/diagnostics/changed",
			map[string]any{"uri": w.file(text), "diagnostics": []any{map[string]any{
				"range": map[string]any{
					"start": map[string]any{"line": 0, "character": 0},
					"end":   map[string]any{"line": 0, "character": 1},
				}, "severity": 1, "message": "undefined: " + text, "source": text, "code": text,
			}}},
		)
	},
	"TextDocumentDidClose": func(w *walk, text string) {
		w.client.Notify(
			"textDocument/didClose",
			map[string]any{"textDocument": map[string]any{"uri": w.env.URI("a.go")}},
		)
		w.client.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": w.file(text)}})
	},
	"TextDocumentCodeAction": func(w *walk, text string) {
		w.openGate(text)
		var commands []map[string]any // not actions: the client does not say that it knows them
		_ = w.client.TryCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": w.env.URI("gate.go")},
			"range": map[string]any{
				"start": map[string]any{"line": 0, "character": 0},
				"end":   map[string]any{"line": 1, "character": 0},
			},
			"context": map[string]any{
				"diagnostics": []any{map[string]any{"message": text, "source": text, "code": text}},
				"triggerKind": 1,
			},
		}, &commands)
		assert.Len(w.t, commands, 2)
		for _, command := range commands {
			command["arguments"].([]any)[0].(map[string]any)["fix"] = text
			_ = w.client.TryCall("workspace/executeCommand", command, nil)
		}
	},
	"TextDocumentHover": func(w *walk, text string) {
		w.openGate(text)
		for _, name := range []string{w.env.URI("gate.go"), w.file(text)} {
			_ = w.client.TryCall("textDocument/hover", map[string]any{
				"textDocument": map[string]any{"uri": name}, "position": map[string]any{"line": 0, "character": 4},
			}, nil)
		}
	},
	"WorkspaceDidChangeConfiguration": func(w *walk, text string) {
		w.client.Notify(
			"workspace/didChangeConfiguration",
			map[string]any{
				"settings": map[string]any{"wm": map[string]any{text: text, "types": map[string]any{text: text}}},
			},
		)
	},
	"WorkspaceDidChangeWorkspaceFolders": func(w *walk, text string) {
		folder := []any{map[string]any{"uri": w.file(text) + ".d", "name": text}}
		w.client.Notify(
			"workspace/didChangeWorkspaceFolders",
			map[string]any{"event": map[string]any{"added": folder, "removed": []any{}}},
		)
		w.client.Notify(
			"workspace/didChangeWorkspaceFolders",
			map[string]any{"event": map[string]any{"added": []any{}, "removed": folder}},
		)
	},
	"WorkspaceDidRenameFiles": func(w *walk, text string) {
		w.client.Notify(
			"workspace/didRenameFiles",
			map[string]any{
				"files": []any{map[string]any{"oldUri": w.env.URI("a.go"), "newUri": w.file("new " + text)}},
			},
		)
		w.client.Notify(
			"workspace/didRenameFiles",
			map[string]any{"files": []any{map[string]any{"oldUri": w.file(text), "newUri": w.file(text + text)}}},
		)
	},
	"WorkspaceDidDeleteFiles": func(w *walk, text string) {
		w.client.Notify(
			"workspace/didDeleteFiles",
			map[string]any{"files": []any{map[string]any{"uri": w.file(text + text)}}},
		)
	},
	"WorkspaceDidChangeWatchedFiles": func(w *walk, text string) {
		w.client.Notify(
			"workspace/didChangeWatchedFiles",
			map[string]any{"changes": []any{map[string]any{"uri": w.file("new " + text), "type": 3}}},
		)
	},
	"WorkspaceExecuteCommand": func(w *walk, text string) {
		for _, command := range []string{"wm.remember",
			"wm.forget", "wm.search", "wm.clearSlot", "wm.archiveNote", "wm.noSuchCommand " + text} {
			_ = w.client.TryCall(
				"workspace/executeCommand",
				map[string]any{
					"command": command,
					"arguments": []any{
						map[string]any{"text": "The office opens with " + text, "query": text, "id": text},
					},
				},
				nil,
			)
		}
	},
}

// openGate opens a file that says a string.
func (w *walk) openGate(text string) {
	w.client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": w.env.URI("gate.go"), "languageId": "go", "version": 1, "text": "The gate opens with " + text + "\n",
	}})
}

// file is the URI of a file whose name holds a string.
func (w *walk) file(text string) string {
	return w.env.URI("notes of " + strings.ReplaceAll(text, "\n", " ") + " .md")
}

// answeredMethods are those in the tables of the server: of LSP, and of the product.
func answeredMethods(t *testing.T) (ofLSP, own []string) {
	t.Helper()
	var source []byte
	for _, table := range []string{"../server/lsp/methods.go", "../server/service/operation.go"} {
		part, err := os.ReadFile(table)
		require.NoError(t, err)
		source = append(source, part...)
	}
	entry := regexp.MustCompile(`(?m)^\s+(?:protocol\.Method(\w+)|"(wm/[\w/]+)"): `)
	for _, m := range entry.FindAllStringSubmatch(string(source), -1) {
		if m[1] != "" {
			ofLSP = append(ofLSP, m[1])
		} else {
			own = append(own, m[2])
		}
	}
	require.Greater(t, len(ofLSP), 10)
	require.Greater(t, len(own), 20)
	return ofLSP, own
}

func TestE17_NoSecretReachesADisk(t *testing.T) {
	slow.Test(t)
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		logFile := filepath.Join(env.Home, "wm.log")
		args := []string{"--log-level", "debug", "--log-file", logFile}
		w := &walk{
			t:   t,
			env: env,
			client: env.Start(
				test.ClientOptions{Args: args, Settings: map[string]any{"history": map[string]any{"keep": true}}},
			),
			answered: map[string]error{},
		}
		all, everything := secrets(), ""
		for _, s := range all {
			everything += s.text + " | "
			w.everyMethod(s.text)
			w.everyEvent(s.text)
			w.everyStandardMethod(s.text)
		}
		w.demandAnswers()
		assert.Greater(t, len(memories(w.client)), 5, "secrets are taken out, what is around them is kept")
		w.editCopy(everything)
		w.client.Shutdown()
		require.Equal(t, 0, w.client.Wait())

		folder := "of " + all["a GitHub token"].text + " and " + all["an e-mail address"].text
		env.Write(filepath.Join(folder, "b.go"), "package b\n")
		second := env.Start(
			test.ClientOptions{
				Args:      args,
				Name:      everything,
				Agent:     everything,
				SessionID: everything,
				Settings:  map[string]any{everything: everything},
				Folders:   []string{folder, "no " + folder},
			},
		)
		second.Call("wm/memory/add", map[string]any{"text": "The client has a long name, and so has its session."}, nil)
		second.Call(
			"wm/tool/executed",
			map[string]any{"tool": "edit", "input": map[string]any{"filePath": "b.go"}},
			nil,
		)
		second.Frame(
			`{"jsonrpc":"2.0","id":"` + url.QueryEscape(
				everything,
			) + `","method":"wm/status","params":"` + url.QueryEscape(
				everything,
			) + `"}`,
		)
		second.Call("wm/status", map[string]any{}, nil)
		second.Shutdown()
		require.Equal(t, 0, second.Wait())

		searched := map[string][]byte{"standard error": []byte(w.client.Stderr() + second.Stderr())}
		require.NoError(t, filepath.WalkDir(env.Home, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			searched[path] = append([]byte(path+"\n"), content...)
			return err
		}))
		require.Contains(t, searched, logFile)
		assert.Greater(t, len(searched), 4)
		for path, content := range searched {
			for kind, s := range all {
				for _, bytesOf := range written(s.part) {
					if at := bytes.Index(content, bytesOf); at >= 0 {
						t.Errorf(
							"%s stands in %s: %q",
							kind,
							path,
							content[max(0, at-120):min(len(content), at+len(bytesOf)+40)],
						)
						break
					}
				}
			}
		}
	})
}

// demandAnswers fails for a method of the server that was not told a string.
func (w *walk) demandAnswers() {
	ofLSP, own := answeredMethods(w.t)
	for _, name := range ofLSP {
		assert.Contains(w.t, standard, name, "say in standard how %s is told a text", name)
	}
	for _, name := range own {
		if _, cannot := refused[name]; !cannot {
			assert.Contains(w.t, w.answered, name)
			assert.NoError(w.t, w.answered[name], "say in particulars what %s takes besides texts", name)
		}
	}
}

func (w *walk) everyStandardMethod(text string) {
	for _, name := range slices.Sorted(maps.Keys(standard)) {
		if tell := standard[name]; tell != nil {
			tell(w, text)
		}
	}
	_ = w.client.TryCall("wm/"+text, map[string]any{}, nil)
}

// everyEvent says a string in every way that is understood and kept.
func (w *walk) everyEvent(text string) {
	line := strings.ReplaceAll(text, "\n", `\n`)
	long := strings.Repeat("a line of the log that is like no other, as the one before\n", 40)
	for _, call := range []struct {
		method string
		params map[string]any
	}{
		{"wm/memory/add", map[string]any{"text": "The deployment of the shop " +
			"needs " + text, "rationale": text, "type": "reference", "files": []string{line}}},
		{"wm/message/received", map[string]any{"role": "user", "text": "Remember this: the staging server " +
			"takes " + text}},
		{"wm/message/received", map[string]any{"role": "user", "text": "We decided to " +
			"use " + line + ".\nTODO: rotate " + line}},
		{"wm/message/received", map[string]any{"role": "assistant", "text": "We decided to " +
			"use " + line + " because it works."}},
		{"wm/todos/changed", map[string]any{"todos": []map[string]any{
			{"content": "replace " + text, "status": text, "priority": text},
		}}},
		{"wm/tool/executed", map[string]any{
			"tool": "bash", "input": map[string]any{"command": "deploy " + line}, "exitCode": 1,
			"output": "Error: cannot log in with " + line + "\n", "callId": text,
		}},
		{"wm/tool/executed", map[string]any{"tool": "bash", "input": map[string]any{"command": "go test " +
			"./..."}, "exitCode": 1,
			"output": "--- FAIL: TestLogin (0.00s)\n    a_test.go:3: got " + line + "\nFAIL\n"}},
		{"wm/tool/executed", map[string]any{
			"tool": "bash", "input": map[string]any{"command": "make"}, "exitCode": 0, "prune": true,
			"output": long + text + "\n" + long,
		}},
		{"wm/tool/executed", map[string]any{
			"tool": "edit", "input": map[string]any{"filePath": "notes of " + line + " .md"},
		}},
		{"wm/compaction/finished", map[string]any{"summary": "Done.\n<workspace_memory_candidates>\n- [project] The " +
			"gateway is reached with " + line + "\n</workspace_memory_candidates>"}},
		{"wm/session/start", map[string]any{"sessionId": "of " + text, "title": text, "agent": text}},
		{"wm/message/received", map[string]any{
			"sessionId": "of " + text, "agentId": text, "taskId": text,
			"role": "user", "text": "Remember: the vault opens with " + text,
		}},
		{"wm/session/end", map[string]any{"sessionId": "of " + text}},
		{"wm/context", map[string]any{"sessionId": text, "workspace": w.file(text)}},
	} {
		_ = w.client.TryCall(call.method, call.params, nil) // some are refused, which has to leave no trace either
	}
}

// editCopy writes a string into the readable copy, once as an entry and once as
// what is not a document.
func (w *walk) editCopy(text string) {
	var copies []string
	w.client.Await(func() bool {
		var err error
		copies, err = filepath.Glob(
			filepath.Join(w.env.DataDir(), "wm-lsp", "workspaces", "*", "workspace-memory.json"),
		)
		require.NoError(w.t, err)
		return len(copies) == 1
	}, "the copy is written")
	cleaned := func() bool {
		content, err := os.ReadFile(copies[0])
		return err == nil && len(content) > 0 && !bytes.Contains(content, []byte("written by hand"))
	}
	w.client.Await(cleaned, "the copy is written")
	var doc map[string]any
	content, err := os.ReadFile(copies[0])
	require.NoError(w.t, err)
	require.NoError(w.t, json.Unmarshal(content, &doc))
	doc["entries"].([]any)[0].(map[string]any)["text"] = "A better text: " + text
	doc["written by hand"] = text
	content, err = json.Marshal(doc)
	require.NoError(w.t, err)
	edit := func(content string, taken func() bool) {
		w.client.Await(func() bool {
			if !cleaned() {
				return false
			}
			if taken() {
				return true
			}
			// Again, if the server has just written over it.
			beside := filepath.Join(w.env.Home, "edited")
			require.NoError(w.t, os.WriteFile(beside, []byte(content), 0o600))
			require.NoError(w.t, os.Rename(beside, copies[0]))
			return false
		}, "the edited copy is imported or set aside")
	}
	edit(string(content), func() bool {
		return slices.ContainsFunc(
			memories(w.client),
			func(text string) bool { return strings.HasPrefix(text, "A better text: ") },
		)
	})
	var aside []string
	edit("written by hand, and no JSON: "+text, func() bool {
		aside, err = filepath.Glob(copies[0] + ".corrupt-*")
		return len(aside) > 0
	})
	require.NoError(w.t, err)
	require.Len(w.t, aside, 1)
	kept, err := os.ReadFile(aside[0])
	require.NoError(w.t, err)
	assert.Contains(w.t, string(kept), "written by hand", "only secrets are taken out")
}
