package hook

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A recorded event is a line of testdata/events.jsonl.
type recorded struct {
	Says  string
	Env   map[string]string
	Name  string
	Stdin json.RawMessage
	Want  struct {
		Host   string
		Kind   Kind
		Source string
		Text   string
		Tool   string
		Output string
		Exit   *int
		Failed bool
		Todos  *wire.TodosChangedParams
	}
}

func (r recorded) env(name string) string { return r.Env[name] }

func recordedEvents(t testing.TB) []recorded { return lined[recorded](t, "events.jsonl") }

// lined decodes the lines of a file in testdata.
func lined[T any](t testing.TB, name string) (list []T) {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	lines := bufio.NewScanner(bytes.NewReader(doc))
	lines.Buffer(nil, len(doc)+1)
	for lines.Scan() {
		var one T
		require.NoError(t, json.Unmarshal(lines.Bytes(), &one))
		list = append(list, one)
	}
	require.NotEmpty(t, list)
	return list
}

func TestWhatEventsOfAgentsSay(t *testing.T) {
	for _, one := range recordedEvents(t) {
		t.Run(one.Says, func(t *testing.T) {
			e, err := Parse(one.Stdin, one.Name, one.env)
			require.NoError(t, err)
			assert.Equal(t, one.Want.Host, e.Host)
			require.Equal(t, one.Want.Kind, e.Kind)
			if e.Kind == Nothing {
				return
			}
			assert.NotEmpty(t, e.Session)
			assert.Equal(t, "/scratch/ws", e.Cwd)
			assert.Equal(t, one.Want.Source, e.Source)
			assert.Equal(t, one.Want.Text, e.Text)
			assert.Equal(t, one.Want.Tool, e.Tool)
			assert.Equal(t, one.Want.Output, e.Output)
			assert.Equal(t, one.Want.Exit, e.Exit)
			assert.Equal(t, one.Want.Failed, e.Failed)
			todos, says := e.todos()
			assert.Equal(t, one.Want.Todos != nil, says)
			if says {
				assert.Equal(t, one.Want.Todos, todos)
			}
		})
	}
}

func TestThePatchOfCodexIsNoCommandLine(t *testing.T) {
	for _, one := range recordedEvents(t) {
		if one.Want.Tool == "apply_patch" {
			e, err := Parse(one.Stdin, "", one.env)
			require.NoError(t, err)
			assert.JSONEq(t, `{"patch": "*** Begin Patch\n*** Add File: note.txt\n+one\n*** End Patch\n"}`,
				string(e.Input))
			return
		}
	}
	t.Fatal("no patch was recorded")
}

// The same event arrives in both forms of Copilot CLI if both configurations have hooks.
func TestAnEventInBothFormsOfCopilotHasOneID(t *testing.T) {
	own := `{"sessionId":"s","timestamp":1795358148752,"cwd":"/w","toolName":"bash",` +
		`"toolArgs":{"command":"ls"},"toolResult":{"resultType":"success","textResultForLlm":"a"}}`
	claude := `{"hook_event_name":"PostToolUse","session_id":"s","timestamp":"2026-11-22T14:35:48.752Z","cwd":"/w",` +
		`"tool_name":"Bash","tool_input":{"command":"ls"},` +
		`"tool_result":{"result_type":"success","text_result_for_llm":"a"}}`
	ids := map[string]bool{}
	for _, doc := range []string{own, claude} {
		e, err := Parse([]byte(doc), "", func(string) string { return "" })
		require.NoError(t, err)
		require.NotEmpty(t, e.ID)
		ids[e.ID] = true
	}
	assert.Len(t, ids, 1)
}

func TestEventsThatDifferHaveDifferentIDs(t *testing.T) {
	ids := map[string]string{}
	for _, one := range recordedEvents(t) {
		e, err := Parse(one.Stdin, one.Name, one.env)
		require.NoError(t, err)
		if e.ID == "" || e.Host != "claude-code" || e.Kind != Tool && e.Kind != Prompt && e.Kind != Stop {
			continue
		}
		about := e.Session + string(e.Kind) + e.Tool + string(e.Input)
		if other, there := ids[e.ID]; there {
			assert.Equal(t, other, about)
		}
		ids[e.ID] = about
	}
	assert.Len(t, ids, 5)
}

func TestTheNameOfAnEventMayComeFromTheConfiguration(t *testing.T) {
	doc := `{"sessionId":"s","timestamp":1,"cwd":"/w","reason":"x","prompt":"y"}`
	for name, want := range map[string]Kind{
		"": Prompt, "sessionEnd": SessionEnd, "userPromptSubmitted": Prompt, "notification": Nothing,
	} {
		e, err := Parse([]byte(doc), name, func(string) string { return "" })
		require.NoError(t, err)
		assert.Equal(t, want, e.Kind, name)
	}
}

func TestTheExitCodeOfCodexIsInTheFileOfItsSession(t *testing.T) {
	file := filepath.Join("testdata", "rollout-session.jsonl")
	three, four, zero := 3, 4, 0
	for call, want := range map[string]*int{
		"call_0": &zero, "call_1": &three, "call_2": &four, "call_3": nil, "call_9": nil, "": nil,
	} {
		assert.Equal(t, want, exitInRollout(file, call), call)
	}
	assert.Nil(t, exitInRollout(filepath.Join("testdata", "README.md"), "call_1"), "another file is not read")
	assert.Nil(t, exitInRollout(filepath.Join("testdata", "rollout-none.jsonl"), "call_1"))
}

func TestWhatIsNoEventIsRefused(t *testing.T) {
	for name, doc := range map[string]string{
		"nothing":              "",
		"text":                 "hello",
		"a truncated event":    `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"remem`,
		"an array":             `[1]`,
		"an unknown host":      `{"event":"x","id":7}`,
		"members of types":     `{"hook_event_name":7,"session_id":["s"]}`,
		"an event with no id":  `{"hook_event_name":"UserPromptSubmit","model":"m","permission_mode":"x","prompt":"x"}`,
		"a form of the future": `{"version":9,"events":[{"hook_event_name":"UserPromptSubmit"}]}`,
	} {
		_, err := Parse([]byte(doc), "", func(string) string { return "" })
		assert.Error(t, err, name)
	}
}

func TestAnUnknownEventOfAKnownHostSaysNothing(t *testing.T) {
	e, err := Parse([]byte(`{"hook_event_name":"WorktreeCreated","session_id":"s","cwd":"/w"}`), "",
		func(string) string { return "" })
	require.NoError(t, err)
	assert.Equal(t, Nothing, e.Kind)
}

func FuzzParse(f *testing.F) {
	for _, one := range recordedEvents(f) {
		f.Add(string(one.Stdin), one.Name, "")
	}
	f.Add(`{"hook_event_name":"PostToolUse","session_id":"s","timestamp":9e99}`, "x", "1")
	f.Fuzz(func(t *testing.T, doc, name, env string) {
		e, err := Parse([]byte(doc), name, func(string) string { return env })
		if err != nil {
			return
		}
		require.NotEmpty(t, e.Host)
		if e.Kind != Nothing {
			require.NotEmpty(t, e.Session)
		}
		for _, answer := range []Answer{
			{Context: doc, Message: name}, {Instructions: doc}, {Message: strings.Repeat(doc+"\n", 3)},
		} {
			encoded := answer.encode(e)
			if answer.Instructions == "" && len(encoded) > 0 {
				require.True(t, json.Valid(encoded), "%q", encoded)
			}
		}
	})
}
