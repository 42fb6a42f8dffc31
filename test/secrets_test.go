package test_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
)

// A secret is a text and the part of it that may not reach a disk.
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
		"an AWS key":                   alike("AKIA", "Q7W3ERTY2JKLZ5XC"),
		"an AWS secret key":            within("aws_secret_access_key=", "", "wJalrXUtnFEMI/K7MDENG", "/bPxRfiCYzEQ8KEY31a"),
		"a GitHub token":               alike("ghp", "_", key, "Zz19"),
		"a fine-grained GitHub token":  alike("github", "_pat_", "11ABCDEFG0", key, "_", key, key[:20]),
		"a GitLab token":               alike("glpat", "-", key[:20]),
		"a Slack token":                alike("xoxb", "-1234567890123-1234567890123-", key[:24]),
		"a Stripe key":                 alike("sk", "_live_", key),
		"an Anthropic key":             alike("sk", "-ant-api03-", key, key, key[:20], "-AA"),
		"an OpenAI key":                alike("sk", "-proj-", key, key),
		"a Google key":                 alike("AIza", "Sy", key, "B"),
		"an npm token":                 alike("npm", "_", key, "Aa1b"),
		"a PyPI token":                 alike("pypi", "-AgEIcHlwaS5vcmc", key, key, key),
		"a Hugging Face token":         alike("hf", "_", key, "aB"),
		"a SendGrid key":               alike("SG.", key[:22], ".", key, key[:11]),
		"a Telegram token":             alike("987654321:", "AA", key, "X"),
		"a JWT":                        alike("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.", key),
		"an Azure secret":              within("secret is ", " ok", "abc8Q~", key, "a1"),
		"a Databricks token":           alike("dapi", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
		"a Shopify token":              alike("shpat", "_0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
		"an Adobe secret (gitleaks)":   alike("p8e", "-", key),
		"an Alibaba key (gitleaks)":    alike("LTAI", key[:20]),
		"a Linear key (gitleaks)":      alike("lin", "_api_", key, key[:8]),
		"an Asana secret (gitleaks)":   within("asana_secret = '", "'", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
		"a private key":                within("-----BEGIN RSA PRIVATE KEY-----\n", "\n-----END RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA", key, key),
		"a password in a URL":          within("https://deploy:", "@db.example.com/shop", "hunter2", "Correct9"),
		"a password in an environment": within("export DB_PASSWORD=", "", "tr0ub4dor", "And3"),
		"a short password":             within("password: ", "", "swordf1sh", "!"),
		"a connection string":          within("postgres://app:", "@10.0.0.3:5432/shop?sslmode=disable", "s3cr3t", "Value7"),
		"a bearer token":               within("Authorization: Bearer ", "", key, key),
		"basic auth":                   within("Authorization: Basic ", "", "ZGVwbG95Omh1bnRlcjJDb3JyZWN0OQ=="),
		"a flag":                       within("mysql --user=app --password=", " shop", "fl4g", "Passw0rd"),
		"a JSON member":                within(`{"client_secret":"`, `"}`, "js0n", key[:18]),
		"an e-mail address":            alike("grace", ".hopper@navy.example.com"),
		"a card":                       alike("4539 1488", " 0343 6467"),
		"a card without spaces":        alike("45391488", "03436467"),
		"a phone number":               alike("+49 170", " 1234567"),
	}
}

// written are the ways in which a text can stand in a file.
func written(part string) [][]byte {
	quoted, err := json.Marshal(part)
	if err != nil {
		panic(err) // a string always encodes
	}
	return [][]byte{
		[]byte(part), bytes.Trim(quoted, `"`), []byte(url.QueryEscape(part)), []byte(url.PathEscape(part)),
		[]byte(base64.StdEncoding.EncodeToString([]byte(part))), []byte(hex.EncodeToString([]byte(part))),
	}
}

// fill returns params with a text in every member that takes one.
func fill(params reflect.Type, text string) any {
	switch params.Kind() {
	case reflect.Pointer:
		return fill(params.Elem(), text)
	case reflect.Struct:
		members := map[string]any{}
		for _, field := range reflect.VisibleFields(params) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.Anonymous || name == "" || name == "-" || slices.Contains([]string{"sessionId", "workspace", "at", "paused", "minutes"}, name) {
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
	case reflect.String:
		return text
	case reflect.Bool:
		return true
	}
	return nil
}

// enumerations are the members that take one of a few words.
var enumerations = map[string]map[string]any{
	"wm/tool/executed":    {"tool": "bash", "outcome": "failure", "exitCode": 1, "cwd": ""},
	"wm/message/received": {"role": "user"},
	"wm/memory/add":       {"source": "manual", "type": "project"},
	"wm/prune":            {"mode": "hyper"},
	"wm/pause":            {"resume": true},
}

func TestE17_NoSecretReachesADisk(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		logFile := filepath.Join(env.Home, "wm.log")
		client := env.Start(test.ClientOptions{Args: []string{"--log-level", "debug", "--log-file", logFile}})
		all := secrets()
		for _, s := range all {
			for _, method := range wire.Methods() {
				params := fill(method.Params, s.text).(map[string]any)
				for name, value := range enumerations[method.Name] {
					params[name] = value
				}
				_ = client.TryCall(method.Name, params, nil) // many are refused, which has to leave no trace either
			}
			tellEverything(env, client, s.text)
		}
		assert.Greater(t, len(memories(client)), 5, "secrets are taken out, what is around them is kept")
		client.Shutdown()
		require.Equal(t, 0, client.Wait())

		searched := map[string][]byte{"standard error": []byte(client.Stderr())}
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
						t.Errorf("%s stands in %s: %q", kind, path, content[max(0, at-120):min(len(content), at+len(bytesOf)+40)])
						break
					}
				}
			}
		}
	})
}

// tellEverything says a text in every way that is understood and kept.
func tellEverything(env *test.Env, client *test.Client, text string) {
	line := strings.ReplaceAll(text, "\n", `\n`)
	long := strings.Repeat("a line of the log that is like no other, as the one before\n", 40)
	for _, call := range []struct {
		method string
		params map[string]any
	}{
		{"wm/memory/add", map[string]any{"text": "The deployment of the shop needs " + text, "rationale": text, "type": "reference", "files": []string{line}}},
		{"wm/message/received", map[string]any{"role": "user", "text": "Remember this: the staging server takes " + text}},
		{"wm/message/received", map[string]any{"role": "user", "text": "We decided to use " + line + ".\nTODO: rotate " + line}},
		{"wm/message/received", map[string]any{"role": "assistant", "text": "We decided to use " + line + " because it works."}},
		{"wm/todos/changed", map[string]any{"todos": []map[string]any{{"content": "replace " + text, "status": text, "priority": text}}}},
		{"wm/tool/executed", map[string]any{"tool": "bash", "input": map[string]any{"command": "deploy " + line}, "exitCode": 1, "output": "Error: cannot log in with " + line + "\n", "callId": text}},
		{"wm/tool/executed", map[string]any{"tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 1,
			"output": "--- FAIL: TestLogin (0.00s)\n    a_test.go:3: got " + line + "\nFAIL\n"}},
		{"wm/tool/executed", map[string]any{"tool": "bash", "input": map[string]any{"command": "make"}, "exitCode": 0, "prune": true, "output": long + text + "\n" + long}},
		{"wm/tool/executed", map[string]any{"tool": "edit", "input": map[string]any{"filePath": "notes of " + line + " .md"}}},
		{"wm/prune", map[string]any{"output": long + text + "\n" + long, "mode": "hyper"}},
		{"wm/compaction/finished", map[string]any{"summary": "Done.\n<workspace_memory_candidates>\n- [project] The gateway is reached with " + line + "\n</workspace_memory_candidates>"}},
		{"wm/session/start", map[string]any{"sessionId": "of " + text, "title": text, "agent": text}},
		{"wm/session/end", map[string]any{"sessionId": "of " + text}},
	} {
		_ = client.TryCall(call.method, call.params, nil)
	}
	uri := env.URI("a.go")
	client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "go", "version": 1, "text": text}})
	client.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": text + text}}})
	client.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uri}, "text": text})
	client.Notify("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{map[string]any{
		"range": map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 0, "character": 1}}, "severity": 1, "message": "undefined: " + text, "source": line, "code": line,
	}}})
	client.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
	for _, command := range []string{"wm.remember", "wm.forget", "wm.search", "wm.noSuchCommand " + text} {
		_ = client.TryCall("workspace/executeCommand", map[string]any{"command": command, "arguments": []any{map[string]any{"text": "The office opens with " + text, "query": text, "id": text}}}, nil)
	}
	_ = client.TryCall("wm/"+line, map[string]any{}, nil)
}
