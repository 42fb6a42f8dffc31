package test_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wm-lsp/wm-lsp/test"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations of the conversations")

// TestConversation plays testdata/conversation/*.txtar. A case begins with a
// sentence that says what is checked. Its files are:
//
//   - workspace/…: the files of the workspace folder, if there are any.
//   - client: what the client sends, one message a line. After a request the
//     runner waits for its answer, so that the order is certain. A line "nowait: …"
//     is sent without waiting, "raw: …" is sent as it is, with the escapes of a Go
//     string. At the end the client closes the server's input.
//   - server: what the server sends, one message a line, without "jsonrpc", and last
//     "exit: " with the code of the process. The order of members does not
//     matter. The value "…" stands for any value, the member "…" for any others.
//     With -update the messages are written anew; a "…" that still fits stays.
//
// In both, ${workspace} stands for the URI of the workspace folder.
func TestConversation(t *testing.T) {
	cases, err := filepath.Glob("testdata/conversation/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.NotEmpty(
				t,
				bytes.TrimSpace(archive.Comment),
				"a case begins with a sentence that says what is checked",
			)

			script, expected := section(archive, "client"), section(archive, "server")
			require.NotNil(t, script, "a case has a file client")
			if expected == nil {
				archive.Files = append(archive.Files, txtar.File{Name: "server"})
				expected = &archive.Files[len(archive.Files)-1]
			}
			actual := play(t, workspaceOf(archive), lines(script))
			want := lines(expected)
			if *update {
				expected.Data = rewritten(t, want, actual)
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
				return
			}
			compare(t, want, actual)
		})
	}
}

func section(archive *txtar.Archive, name string) *txtar.File {
	for i, file := range archive.Files {
		if file.Name == name {
			return &archive.Files[i]
		}
	}
	return nil
}

func lines(file *txtar.File) []string {
	var all []string
	for line := range strings.Lines(string(file.Data)) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// workspaceOf is the archive of the files of the workspace alone.
func workspaceOf(archive *txtar.Archive) string {
	var workspace txtar.Archive
	for _, file := range archive.Files {
		if name, found := strings.CutPrefix(file.Name, "workspace/"); found {
			workspace.Files = append(workspace.Files, txtar.File{Name: name, Data: file.Data})
		}
	}
	return string(txtar.Format(&workspace))
}

// play sends the script and returns what the server sent, and its exit code.
func play(t *testing.T, files string, script []string) (actual []string) {
	test.Run(t, files, func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{Raw: true})
		root := env.URI("")
		for _, line := range script {
			send(t, client, strings.ReplaceAll(line, "${workspace}", root))
		}
		client.CloseInput()
		code := client.Wait()
		client.AwaitEnd()
		for _, received := range client.Received() {
			if received.Method == "window/logMessage" || received.Method == "$/logTrace" {
				continue // what it says of itself comes when it comes
			}
			actual = append(actual, strings.ReplaceAll(canonical(t, string(received.Raw)), root, "${workspace}"))
		}
		actual = append(actual, fmt.Sprintf("exit: %d", code))
	})
	return actual
}

func send(t *testing.T, client *test.Client, line string) {
	if raw, found := strings.CutPrefix(line, "raw: "); found {
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(raw, `"`, `\"`) + `"`)
		require.NoError(t, err, "the escapes of %s", line)
		client.Raw([]byte(text))
		return
	}
	message, nowait := strings.CutPrefix(line, "nowait: ")
	client.Frame(message)
	var request struct {
		ID     json.RawMessage
		Method string
	}
	require.True(
		t,
		nowait || json.Unmarshal([]byte(message), &request) == nil,
		"%s is not a message; say raw: or nowait:",
		line,
	)
	if nowait || request.ID == nil || request.Method == "" {
		return
	}
	client.Await(func() bool { return len(client.Responses(string(request.ID))) > 0 }, "the answer to %s", message)
}

// canonical is a message with its members in order and without "jsonrpc",
// which has to be right.
func canonical(t *testing.T, message string) string {
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(message), &members))
	require.Equal(t, "2.0", members["jsonrpc"])
	delete(members, "jsonrpc")
	return encode(t, members)
}

func encode(t *testing.T, value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(value))
	return strings.TrimSpace(b.String())
}

func compare(t *testing.T, want, actual []string) {
	for i := range max(len(want), len(actual)) {
		switch {
		case i >= len(want):
			assert.Fail(t, "the server sent more than expected", actual[i])
		case i >= len(actual):
			assert.Fail(t, "the server did not send", want[i])
		case !matches(decode(want[i]), decode(actual[i])):
			assert.Fail(t, fmt.Sprintf("message %d differs", i+1), "expected: %s\nactual:   %s", want[i], actual[i])
		}
	}
}

// decode is the JSON of a line, or the line itself.
func decode(line string) any {
	var value any
	if json.Unmarshal([]byte(line), &value) != nil {
		return line
	}
	return value
}

// anything stands in an expectation for any value, or for any other members.
const anything = "…"

// matches reports whether an expectation fits a value.
func matches(want, value any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := value.(map[string]any)
		if !ok {
			return false
		}
		_, open := want[anything]
		for name := range object {
			if _, known := want[name]; !known && !open {
				return false
			}
		}
		for name, expectation := range want {
			if member, there := object[name]; name != anything && !(there && matches(expectation, member)) {
				return false
			}
		}
		return true
	case []any:
		array, ok := value.([]any)
		if !ok || len(array) != len(want) {
			return false
		}
		for i := range want {
			if !matches(want[i], array[i]) {
				return false
			}
		}
		return true
	}
	return want == anything || want == value
}

// rewritten is the new expectation: what the server sent, with the "…" of the
// old expectation where they still fit.
func rewritten(t *testing.T, want, actual []string) []byte {
	var b bytes.Buffer
	for i, line := range actual {
		if value := decode(line); i < len(want) {
			if object, ok := value.(map[string]any); ok {
				line = encode(t, elided(decode(want[i]), object))
			}
		}
		fmt.Fprintln(&b, line)
	}
	return b.Bytes()
}

// elided is the value with each "…" of the expectation in its place.
func elided(want, value any) any {
	switch want := want.(type) {
	case string:
		if want == anything {
			return anything
		}
	case map[string]any:
		object, ok := value.(map[string]any)
		if !ok {
			return value
		}
		merged := map[string]any{}
		_, open := want[anything]
		for name, member := range object {
			expectation, known := want[name]
			switch {
			case known:
				merged[name] = elided(expectation, member)
			case !open:
				merged[name] = member
			}
		}
		if open {
			merged[anything] = anything
		}
		return merged
	case []any:
		array, ok := value.([]any)
		if !ok || len(array) != len(want) {
			return value
		}
		merged := make([]any, len(array))
		for i := range array {
			merged[i] = elided(want[i], array[i])
		}
		return merged
	}
	return value
}

func TestExpectationsFitOrDoNot(t *testing.T) {
	for _, c := range []struct {
		name, want, value string
		fits              bool
	}{
		{"equal", `{"a":[1,"x",null]}`, `{"a":[1,"x",null]}`, true},
		{"another order of members", `{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{"another value", `{"a":1}`, `{"a":2}`, false},
		{"a member more", `{"a":1}`, `{"a":1,"b":2}`, false},
		{"a member less", `{"a":1,"b":2}`, `{"a":1}`, false},
		{"any value", `{"a":"…"}`, `{"a":{"b":1}}`, true},
		{"any value has to be there", `{"a":"…"}`, `{}`, false},
		{"other members", `{"a":1,"…":"…"}`, `{"a":1,"b":2}`, true},
		{"other members, and one is wrong", `{"a":1,"…":"…"}`, `{"a":2,"b":2}`, false},
		{"null is not absent", `{"a":null}`, `{}`, false},
		{"array in another order", `[1,2]`, `[2,1]`, false},
		{"array that is longer", `[1]`, `[1,2]`, false},
		{"object for an array", `{"a":1}`, `[1]`, false},
		{"exit code", `exit: 0`, `exit: 1`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.fits, matches(decode(c.want), decode(c.value)))
		})
	}
}

func TestUpdatedExpectationsKeepWhatTheyLeaveOpen(t *testing.T) {
	want := []string{`{"id":1,"result":{"at":"…","n":1,"list":[{"x":"…"}]}}`, `{"method":"m","…":"…"}`, `exit: 1`}
	actual := []string{
		`{"id":1,"result":{"at":"today","n":2,"list":[{"x":5}]}}`,
		`{"method":"n","params":{}}`,
		`exit: 0`,
	}
	updated := rewritten(t, want, actual)
	assert.Equal(t, `{"id":1,"result":{"at":"…","list":[{"x":"…"}],"n":2}}
{"method":"n","…":"…"}
exit: 0
`, string(updated))
	compare(t, strings.Split(strings.TrimSpace(string(updated)), "\n"), actual)
}
