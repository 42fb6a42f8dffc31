package change

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type value struct {
	Text    string            `json:"text,omitempty"`
	At      time.Time         `json:"at,omitzero"`
	Number  float64           `json:"number"`
	Raw     json.RawMessage   `json:"raw,omitempty"`
	Texts   []string          `json:"texts"`
	Named   map[string]*value `json:"named,omitempty"`
	Pointer *int              `json:"pointer"`
}

func TestAPayloadIsKnownUntilTheChangeIsRedacted(t *testing.T) {
	known := &value{Text: "x"}
	c := New("a.b", "c", known)
	assert.Nil(t, c.Payload())
	c = c.Decoded(known)
	assert.Same(t, known, c.Payload())
	assert.Nil(t, c.Decoded(nil).Payload())
	redacted := c
	redacted.After = json.RawMessage(`{"text":"y"}`)
	assert.Nil(t, redacted.Payload())
	redacted.After = nil
	assert.Nil(t, redacted.Payload())
}

func TestARowIsReadAsEncodingJSONReadsIt(t *testing.T) {
	for name, doc := range map[string]string{
		"escapes for HTML": string(encode(value{Text: "<a> & \u2028"})),
		"no UTF-8": string(encode(value{
			Text: "a\xffb", Named: map[string]*value{"\xff": {Text: "x"}},
		})),
		"bytes that are not UTF-8": "{\"text\":\"a\xffb\"}",
		"half a pair":              `{"text":"a\ud800b"}`,
		"control characters":       string(encode(value{Text: "\x00\x1f\x7f\n"})),
		"a time":                   string(encode(value{At: time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)})),
		"numbers":                  `{"number":1e21,"pointer":-9}`,
		"nothing":                  `{"texts":null,"pointer":null,"text":null}`,
		"an unknown name":          `{"later":[{"a":1}],"text":"x"}`,
		"a name twice":             `{"text":"x","text":"y"}`,
		"another value":            `{"raw": {"b": [1,  2]}, "texts": ["a", ""]}`,
		"a value in a value":       string(encode(value{Named: map[string]*value{"a": {Number: 1.5}, "b": nil}})),
		"spaces around everything": " { \"text\" : \"x\" } \n",
	} {
		for size, doc := range ofBothLengths(doc) {
			t.Run(name+", "+size, func(t *testing.T) {
				var got, want value
				require.NoError(t, json.Unmarshal([]byte(doc), &want))
				row := Row{Key: "k", Value: []byte(doc)}
				require.NoError(t, row.Check())
				require.NoError(t, row.Decode(&got))
				assert.Equal(t, want, got)
			})
		}
	}
}

// ofBothLengths returns a document as it is, and so long that another decoder reads it.
func ofBothLengths(doc string) map[string]string {
	return map[string]string{"short": doc, "long": doc + strings.Repeat(" ", maxQuick)}
}

func TestARowThatCannotBeReadIsNamed(t *testing.T) {
	for _, doc := range []string{
		``, `{`, `{"text":1}`, `{"number":"1"}`, `{"pointer":1.5}`, `{"pointer":99999999999999999999}`,
		`{"at":"yesterday"}`, `{"texts":{}}`, `{"text":"x",}`, `{"text":"\q"}`, `{"later":tru}`, `{"later":[1,}`,
		`{} {}`, `{}x`, `[]`, `"x"`,
	} {
		for size, doc := range ofBothLengths(doc) {
			var v value
			err := Row{Key: "the key", Value: []byte(doc)}.Decode(&v)
			require.ErrorContains(t, err, `"the key"`, "%.40s, %s", doc, size)
		}
	}
}

func TestARowWhoseValueIsNotJSONIsNamed(t *testing.T) {
	for _, doc := range []string{``, `{`, `{"text":"x",}`, `{"text":"\q"}`, `{"later":tru}`, `{} {}`, `{}x`} {
		for size, doc := range ofBothLengths(doc) {
			err := Row{Key: "the key", Value: []byte(doc)}.Check()
			require.ErrorContains(t, err, `"the key"`, "%.40s, %s", doc, size)
		}
	}
}

func TestADamagedRowIsNotFollowedIntoEveryDepth(t *testing.T) {
	const depth = 10_000_000 // in a decoder that calls itself, its stack would end the process
	for name, doc := range map[string]string{
		"an unknown value": `{"later":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`,
		"a known one":      strings.Repeat(`{"named":{"a":`, depth/10) + "{}" + strings.Repeat("}}", depth/10),
	} {
		row := Row{Key: "the key", Value: []byte(doc)}
		require.ErrorContains(t, row.Check(), `"the key"`, name)
		require.ErrorContains(t, row.Decode(new(value)), `"the key"`, name)
	}
}

func TestWhatWasReadDoesNotChangeWithTheMemoryOfTheRow(t *testing.T) {
	for size, doc := range ofBothLengths(`{"text":"kept","raw":{"a":1},"texts":["b"],"named":{"c":{"text":"d"}}}`) {
		row := Row{Key: "k", Value: []byte(doc)}
		var got, want value
		require.NoError(t, row.Decode(&got))
		require.NoError(t, json.Unmarshal([]byte(doc), &want))
		clear(row.Value)
		assert.Equal(t, want, got, size)
	}
}
