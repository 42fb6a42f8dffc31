package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestAResultTakesOnlyTheFormThatIsMeant(t *testing.T) {
	for name, test := range map[string]struct {
		result any
		want   string
	}{
		"a context that is the same": {
			wire.ContextResult{Unchanged: true, Revision: "r1"},
			`{"unchanged": true, "revision": "r1"}`,
		},
		"a context that changed a little": {
			wire.ContextResult{
				Delta:    &wire.ContextDelta{Text: "+ a", Added: []string{"a"}, Removed: []string{}},
				Revision: "r2",
			},
			`{"delta": {"text": "+ a", "added": ["a"], "removed": []}, "revision": "r2"}`,
		},
		"a whole context, though nothing is in it": {
			wire.ContextResult{Revision: "r3", Context: &wire.Context{
				Sections: []wire.ContextSection{},
				History:  wire.History{Keep: wire.KeepAll, Reason: "it is short"},
				Pressure: wire.Pressure{
					Level: wire.PressureSafe, Hint: wire.HintNormal, Limit: 180000, Unit: wire.UnitChars,
					History: []wire.PressurePoint{},
				},
			}},
			`{"text": "", "prefix": "", "suffix": "", "chars": 0, "tokens": 0, "sections": [],
			  "history": {"keep": "all", "reason": "it is short"},
			  "pressure": {"level": "safe", "hint": "normal", "percentage": 0, "used": 0, "limit": 180000,
			    "unit": "chars", "interventionsSent": 0, "lastChecked": "", "history": []},
			  "revision": "r3"}`,
		},
		"a panel that is the same": {
			wire.PanelResult{Seq: 7, Unchanged: true},
			`{"seq": 7, "unchanged": true}`,
		},
		"a panel without sections": {
			wire.PanelResult{Seq: 8, Panel: &wire.Panel{Sections: []wire.PanelSection{}}},
			`{"seq": 8, "sections": [], "badge": 0}`,
		},
		"a receipt for what was rejected": {
			wire.Receipt{Status: wire.ReceiptRejected, Text: "ok", Reason: "too_short"},
			`{"status": "rejected", "text": "ok", "reason": "too_short"}`,
		},
		"an undo": {
			wire.Receipt{
				Status: wire.ReceiptAdded, ID: "m1",
				Undo: &wire.Undo{Method: "wm/memory/remove", Params: wire.Object{"id": "m1"}},
			},
			`{"status": "added", "id": "m1", "undo": {"method": "wm/memory/remove", "params": {"id": "m1"}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := json.Marshal(test.result)
			require.NoError(t, err)
			assert.JSONEq(t, test.want, string(data))

			back := reflect.New(reflect.TypeOf(test.result))
			require.NoError(t, json.Unmarshal(data, back.Interface()))
			assert.Equal(t, test.result, back.Elem().Interface())
		})
	}
}

func TestTheCommonMembersStandBesideTheOthers(t *testing.T) {
	var params wire.MemoryAddParams
	require.NoError(
		t,
		json.Unmarshal([]byte(`{"sessionId": "s", "workspace": "file:///w", "agentId": "a", "taskId": "t",
		"at": "2026-03-01T09:30:00Z", "text": "x", "later": 1}`), &params),
	)
	assert.Equal(t, wire.MemoryAddParams{
		Params: wire.Params{
			SessionID: "s", Workspace: "file:///w", AgentID: "a", TaskID: "t", At: "2026-03-01T09:30:00Z",
		},
		Text: "x",
	}, params)

	data, err := json.Marshal(wire.MemoryAddParams{Text: "x"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"text": "x"}`, string(data), "what is absent is not sent")
}

func TestADiagnosticIsReadHoweverTheEditorWritesIt(t *testing.T) {
	for name, test := range map[string]struct {
		json string
		want wire.Diagnostic
	}{
		"a string as code": {`{"code": "E0308", "message": "m"}`, wire.Diagnostic{Code: "E0308", Message: "m"}},
		"a number as code": {`{"code": 2304, "message": "m"}`, wire.Diagnostic{Code: "2304", Message: "m"}},
		"an object as code": {
			`{"code": {"value": "no-var", "target": {}}, "message": "m"}`,
			wire.Diagnostic{Code: "no-var", Message: "m"},
		},
		"no code":                {`{"code": null, "message": "m"}`, wire.Diagnostic{Message: "m"}},
		"a code of another type": {`{"code": [1], "message": "m"}`, wire.Diagnostic{Message: "m"}},
		"markup as message": {
			`{"message": {"kind": "markdown", "value": "*m*"}}`, wire.Diagnostic{Message: "*m*"},
		},
		"all that LSP knows": {
			`{"range": {"start": {"line": 3, "character": 1}, "end": {"line": 3, "character": 9}}, "severity": 1,
			  "code": "x", "codeDescription": {"href": "https://example.org"}, "source": "gopls", "message": "m",
			  "tags": [1], "relatedInformation": [], "data": {"a": 1}}`,
			wire.Diagnostic{
				Range: wire.Range{
					Start: wire.Position{Line: 3, Character: 1}, End: wire.Position{Line: 3, Character: 9},
				},
				Severity: 1, Code: "x", Source: "gopls", Message: "m",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got wire.Diagnostic
			require.NoError(t, json.Unmarshal([]byte(test.json), &got))
			assert.Equal(t, test.want, got)
		})
	}

	var d wire.Diagnostic
	assert.Error(t, json.Unmarshal([]byte(`{"message": 4}`), &d), "a number is not a message")
}

func TestATraceBeginsAfterAChangeOrAfterATime(t *testing.T) {
	for _, test := range []struct {
		json string
		want wire.TraceStart
	}{
		{`{"since": 41}`, wire.TraceStart{Seq: 41}},
		{`{"since": "2026-03-01T09:30:00Z"}`, wire.TraceStart{At: "2026-03-01T09:30:00Z"}},
		{`{}`, wire.TraceStart{}},
	} {
		var params wire.TraceParams
		require.NoError(t, json.Unmarshal([]byte(test.json), &params))
		assert.Equal(t, test.want, params.Since)

		data, err := json.Marshal(params)
		require.NoError(t, err)
		assert.JSONEq(t, test.json, string(data))
	}
	var params wire.TraceParams
	assert.ErrorContains(
		t,
		json.Unmarshal([]byte(`{"since": true}`), &params),
		"since must be a number or a string",
	)
}

func TestTimesAreUTCWithMilliseconds(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 30, 0, 123456789, time.FixedZone("CET", 3600))
	assert.Equal(t, wire.Time("2026-03-01T09:30:00.123Z"), wire.At(at))

	back, err := wire.At(at).Parse()
	require.NoError(t, err)
	assert.Equal(t, at.UTC().Truncate(time.Millisecond), back)

	assert.Empty(t, wire.At(time.Time{}), "the zero time is the empty text")
	zero, err := wire.Time("").Parse()
	require.NoError(t, err)
	assert.True(t, zero.IsZero(), "and the other way round")

	_, err = wire.Time("yesterday").Parse()
	assert.Error(t, err)
}

func TestEveryMethodIsDescribedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range wire.Methods() {
		assert.False(t, seen[m.Name], "%s stands twice", m.Name)
		seen[m.Name] = true
		assert.NotEmpty(t, m.Doc, m.Name)

		common, ok := m.Params.FieldByName("Params")
		assert.True(t, ok && common.Anonymous && common.Type == reflect.TypeFor[wire.Params](),
			"%s does not take the common members", m.Name)

		data, err := json.Marshal(reflect.Zero(m.Params).Interface())
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal([]byte("{}"), reflect.New(m.Params).Interface()))
		assert.Equal(t, byte('{'), data[0], "the params of %s are not an object", m.Name)
	}
}

func FuzzDiagnosticsChanged(f *testing.F) {
	f.Add(`{"uri": "file:///a.go", "version": 1, "diagnostics": [{"code": 1, "message": "m"}]}`)
	f.Add(`{"diagnostics": [{"code": {"value": {"value": 1}}, "message": {"value": null}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var first, second wire.DiagnosticsChangedParams
		if json.Unmarshal([]byte(text), &first) != nil {
			return
		}
		data, err := json.Marshal(first)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &second))
		assert.Equal(t, first, second)
	})
}

func FuzzTraceStart(f *testing.F) {
	f.Add(`12`)
	f.Add(`"2026-03-01T09:30:00Z"`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, text string) {
		var first, second wire.TraceStart
		if json.Unmarshal([]byte(text), &first) != nil {
			return
		}
		data, err := json.Marshal(first)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &second))
		assert.Equal(t, first, second)
	})
}
