package redact_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/redact"
)

func readLines(t testing.TB, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", "‸", "")

// A seed is a string with secrets, and what is to be left of it.
type seed struct {
	text, want string
	secrets    []string
}

func readSeeds(t testing.TB) []seed {
	t.Helper()
	var seeds []seed
	for _, line := range readLines(t, "testdata/secrets.txt") {
		rule, marked, ok := strings.Cut(line, "\t")
		require.True(t, ok, line)
		marked = unescape.Replace(marked)
		s := seed{text: strings.NewReplacer("«", "", "»", "").Replace(marked)}
		for rest := marked; ; {
			before, after, found := strings.Cut(rest, "«")
			s.want += before
			if !found {
				break
			}
			secret, after, closed := strings.Cut(after, "»")
			require.True(t, closed, line)
			s.secrets = append(s.secrets, secret)
			s.want += "[redacted:" + rule + "]"
			rest = after
		}
		seeds = append(seeds, s)
	}
	return seeds
}

func TestEverySeededSecretIsRedactedAndNothingElse(t *testing.T) {
	for _, s := range readSeeds(t) {
		got, n := redact.Text(s.text)
		assert.Equal(t, s.want, got)
		assert.Equal(t, len(s.secrets), n, s.text)
		again, more := redact.Text(got)
		assert.Equal(t, got, again, "redacting twice changes nothing more")
		assert.Zero(t, more)
	}
}

func TestNoSeededSecretIsLeftWhereverItStands(t *testing.T) {
	for _, s := range readSeeds(t) {
		for name, around := range map[string]string{
			"in a line of a log": "2026-01-02 12:00:00 INFO app: %\n",
			"in parentheses":     "(see: %)\n",
			"in a diff":          "@@ -1,2 +1,2 @@\n+ %\n- old",
			"after CJK text":     "请看：% 。",
			"in quotes":          "he wrote \"%\" to us",
		} {
			got, _ := redact.Text(strings.Replace(around, "%", s.text, 1))
			for _, secret := range s.secrets {
				assert.NotContains(t, got, secret, name)
			}
		}
	}
}

func TestCleanTextStaysWhole(t *testing.T) {
	for _, text := range readLines(t, "testdata/clean.txt") {
		text = strings.ReplaceAll(text, `\n`, "\n")
		got, n := redact.Text(text)
		assert.Equal(t, text, got)
		assert.Zero(t, n)
	}
}

func TestJSONRedactsEveryString(t *testing.T) {
	for _, s := range readSeeds(t) {
		doc, err := json.Marshal(map[string]any{"text": s.text, s.text: []string{"clean", s.text}, "count": 3})
		require.NoError(t, err)
		got, n := redact.JSON(doc)
		require.True(t, json.Valid(got), string(got))
		assert.Equal(t, 3*len(s.secrets), n, s.text)
		var decoded map[string]any
		require.NoError(t, json.Unmarshal(got, &decoded))
		assert.Equal(t, map[string]any{"text": s.want, s.want: []any{"clean", s.want}, "count": 3.0}, decoded)
	}
}

func TestJSONReturnsACleanDocumentAsItIs(t *testing.T) {
	for _, doc := range []string{`{}`, `[]`, `"text"`,
		`{"a":"b","n":1.5e3,"list":[true,null]}`, `{"tokens":"the token budget"}`} {
		in := []byte(doc)
		out, n := redact.JSON(in)
		assert.Zero(t, n)
		assert.Same(t, &in[0], &out[0])
	}
	out, n := redact.JSON(nil)
	assert.Zero(t, n)
	assert.Nil(t, out)
}

func TestJSONKnowsSecretsByTheirMember(t *testing.T) {
	got, n := redact.JSON(
		[]byte(`{"user":"ann","password":"swordfish","api_key" : "9f8e7d6c5b4a3210ff","token":"string"}`),
	)
	assert.Equal(
		t,
		`{"user":"ann","password":"[redacted:secret]","api_key" : "[redacted:secret]","token":"string"}`,
		string(got),
	)
	assert.Equal(t, 2, n)
}

func TestJSONKnowsNumbersListsAndPairs(t *testing.T) {
	for doc, want := range map[string]string{
		`{"number":4242424242424242,"n":1700000000000000}`: `{"number":"[redacted:card]","n":` +
			`1700000000000000}`,
		`{"list":[4242424242424242,4242424242424243]}`: `{"list":["[redacted:card]",` +
			`4242424242424243]}`,
		`{"password":12345678,"port":12345678,"max_tokens":12345678}`: `{"password":"[redacted:secret]",` +
			`"port":12345678,"max_tokens":12345678}`,
		`{"phone":4915123456789,"id":4915123456789}`: `{"phone":"[redacted:phone]","id":` +
			`4915123456789}`,
		`{"passwords":["alpha1","gamma2"]}`: `{"passwords":["[redacted:secret]",` +
			`"[redacted:secret]"]}`,
		`{"password":{"value":"hunter2","since":"2026"}}`: `{"password":{"value":"[redacted:` +
			`secret]","since":"2026"}}`,
		`[{"name":"DB_PASSWORD","value":"swordfish"},{"value":"swordfish"}]`: `[{"name":"DB_PASSWORD","value":` +
			`"[redacted:secret]"},{"value":"swordfish"}]`,
		`{"args":["--verbose","--password","hunter22","-o","out"]}`: `{"args":["--verbose","--password",` +
			`"[redacted:secret]","-o","out"]}`,
		`{"rate":4.242424242424242e15,"x":-4242424242424242,"a":0.4242424242}`: `{"rate":4.242424242424242e15,"x":` +
			`-4242424242424242,"a":0.4242424242}`,
		`{"password.txt":"swordfish","types":["password","secret","token"]}`: `{"password.txt":"swordfish","types":` +
			`["password","secret","token"]}`,
	} {
		got, _ := redact.JSON([]byte(doc))
		assert.Equal(t, want, string(got))
		again, n := redact.JSON(got)
		assert.Equal(t, want, string(again))
		assert.Zero(t, n)
	}
}

func TestAnIDThatEndsLikeTheNameOfASecretIsNoName(t *testing.T) {
	for _, ending := range []string{"PSK", "PWD", "PW", "PSK9", "PASS", "TAN", "KEY"} {
		id := "01M86TJZDJCWNER0DZDPDYMT9X"[:26-len(ending)] + ending
		for _, text := range []string{
			`{"lineage":["ID","01M86TJZDJCWNER0DZDPZJDYYD"]}`,
			`{"ID":"01M86TJZDJCWNER0DZDPZJDYYD"}`,
			`{"ID":{"value":"01M86TJZDJCWNER0DZDPZJDYYD"}}`,
			`{"key":"ID","value":"01M86TJZDJCWNER0DZDPZJDYYD"}`,
			`{"text":"ID: 01M86TJZDJCWNER0DZDPZJDYYD"}`,
			`{"text":"ID 01M86TJZDJCWNER0DZDPZJDYYD"}`,
		} {
			doc := strings.ReplaceAll(text, "ID", id)
			got, n := redact.JSON([]byte(doc))
			assert.Equal(t, doc, string(got))
			assert.Zero(t, n)
		}
	}
	for _, doc := range []string{
		`{"psk":"01M86TJZDJCWNER0DZDPZJDYYD"}`,
		`{"01M86TJZDJCWNER0DZDPDYM_PWD":"01M86TJZDJCWNER0DZDPZJDYYD"}`,
		`{"text":"TOKEN=01M86TJZDJCWNER0DZDPZJDYYD"}`,
	} {
		got, n := redact.JSON([]byte(doc))
		assert.Equal(t, 1, n, doc)
		assert.NotContains(t, string(got), "01M86TJZDJCWNER0DZDPZJDYYD")
	}
}

func TestADocumentOfSparedTextsIsLeftAsItIs(t *testing.T) {
	spared := func(text string) bool { return text == "password: dragonfly" || text == "hunter2 & co" }
	for _, doc := range []string{
		`{"agent":"password: dragonfly"}`,
		`{"password":"password: dragonfly","pins":["hunter2 & co"],"more":{}}`,
		`{"password":"hunter2 \u0026 co"}`,
		`{"agent":"password: dragonfly","password":123,"pin":-4567.5,"own":true,"token":null,"key":0.123456789}`,
		"", "{}", `"`, `{"`, `{"a":"`, `{"a":"\`,
	} {
		got, n := redact.JSONExcept([]byte(doc), spared)
		assert.Equal(t, doc, string(got))
		assert.Zero(t, n, doc)
	}
	for _, doc := range []string{
		`{"agent":"password: dragonfly","note":"password: hunter2"}`,
		`{"agent":"password: dragonfly","password":45678912}`,
		`{"agent":"password: dragonfly","own":false,"password":45678912,"size":12}`,
		`{"agent":"password: dragonfly","size":12 "password":"hunter2"}`,
		`{"agent":"password: dragonfly","size":true password: hunter2}`,
		`{"password: hunter2":"password: dragonfly"}`,
		`password: hunter2`,
		`{"agent":"password: dragonfly"} password: hunter2`,
	} {
		got, n := redact.JSONExcept([]byte(doc), spared)
		assert.NotZero(t, n, doc)
		assert.NotContains(t, string(got), "hunter2")
		assert.NotContains(t, string(got), "45678912")
	}
}

func TestJSONFindsWhatEscapesHide(t *testing.T) {
	got, n := redact.JSON([]byte(`{"a":"ann\u0040acme.test","b":"https:\/\/bob:s3cr3t@x.test"}`))
	assert.Equal(t, `{"a":"[redacted:email]","b":"https://bob:[redacted:url-password]@x.test"}`, string(got))
	assert.Equal(t, 2, n)
}

func TestWhatIsNotJSONIsRedactedAsText(t *testing.T) {
	got, n := redact.JSON([]byte(`{"a": ann@acme.test`))
	assert.Equal(t, `{"a": [redacted:email]`, string(got))
	assert.Equal(t, 1, n)
}

func TestBadInputIsNoTrouble(t *testing.T) {
	for _, text := range []string{"", "\x00\xff\xfe",
		"-----BEGIN ", "://", "@", "password=", strings.Repeat("a", 1<<20) + "@b.test", "eyJ"} {
		assert.NotPanics(t, func() { redact.Text(text) })
	}
}

func fuzzSeeds(f *testing.F) []string {
	texts := readLines(f, "testdata/kept.txt")
	for _, s := range readSeeds(f) {
		texts = append(texts, s.text)
	}
	for _, line := range readLines(f, "testdata/taken.txt") {
		texts = append(texts, strings.NewReplacer("«", "", "»", "").Replace(unescape.Replace(line)))
	}
	return texts
}

func FuzzText(f *testing.F) {
	for _, text := range fuzzSeeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, n := redact.Text(text)
		twice, more := redact.Text(once)
		assert.Equal(t, once, twice)
		assert.Zero(t, more)
		assert.Equal(t, n == 0, once == text)
		if utf8.ValidString(text) {
			assert.True(t, utf8.ValidString(once), "%q became %q", text, once)
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, text := range fuzzSeeds(f) {
		doc, err := json.Marshal(map[string]any{"text": text, "list": []any{text, 4242424242424242}})
		require.NoError(f, err)
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, n := redact.JSON(doc)
		if json.Valid(doc) {
			require.True(t, json.Valid(got), "%q became %q", doc, got)
		}
		again, more := redact.JSON(got)
		assert.Equal(t, string(got), string(again))
		assert.Zero(t, more)
		assert.Equal(t, n == 0, string(got) == string(doc))
	})
}

// cleanDocument is about 1 KB, as a change of the log is.
func cleanDocument(b *testing.B) []byte {
	doc, err := json.Marshal(map[string]any{
		"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "type": "project", "at": "2026-11-21T01:26:08Z",
		"text": strings.Repeat("The tokenizer reads a line at a time and keeps the position of each word. ", 12),
	})
	require.NoError(b, err)
	return doc
}

func BenchmarkJSONClean(b *testing.B) {
	doc := cleanDocument(b)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		redact.JSON(doc)
	}
}

// A change of the log as a failed command makes it, with escapes, paths and words
// that start names of secrets.
func BenchmarkJSONOfAnError(b *testing.B) {
	doc, err := json.Marshal(map[string]any{
		"fingerprint": "0f1e2d3c4b5a", "category": "test", "tool": "pytest", "command": "pytest tests/test_token.py " +
			"-k \"expired or revoked\"",
		"summary": "tests/test_token.py::test_expired_token_is_refused - AssertionError: assert token.is_valid() is " +
			"False", "path": "tests/test_token.py", "line": 48,
		"output": strings.Repeat(
			"E       assert <Token kind=\"access\" secret=None> == token_of(session)\n\ttests/test_token.py:48: in "+
				"test_expired_token\n",
			6,
		),
	})
	require.NoError(b, err)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		redact.JSON(doc)
	}
}

// 4 KB of what a test runner prints.
func BenchmarkTextOfAnOutput(b *testing.B) {
	benchmarkText(
		b,
		strings.Repeat("PASS src/components/cart/CartSummary.test.tsx (5.123 s)\n  renders the total of 3 items\n  "+
			"shows an error when loading failed\n  at Object.<anonymous> "+
			"(src/components/cart/CartSummary.tsx:120:15)\n", 22)[:4096],
	)
}

func benchmarkText(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.Text(text)
	}
}

func BenchmarkTextOfALog(b *testing.B) {
	benchmarkText(
		b,
		strings.Repeat(
			"2026-01-02 12:00:00.123 INFO worker 4711: processed item 01ARZ3NDEKTSV4RRFFQ69G5FAV in 12.5 ms "+
				"(src/a.go:10)\n",
			1<<13,
		),
	)
}

func BenchmarkTextOfManySecrets(b *testing.B) {
	benchmarkText(b, strings.Repeat("user ann@acme.test DB_PASSWORD=hunter2secret +49 151 23456789\n", 1<<12))
}

func BenchmarkTextThatTeases(b *testing.B) {
	benchmarkText(
		b,
		strings.Repeat("-----BEGIN PRIVATE KEY----- eyJ.eyJ. password= token: http://a:b :AA 4111 ", 1<<12),
	)
}

func BenchmarkTextOfOneLongLine(b *testing.B) { benchmarkText(b, strings.Repeat("a1-", 1<<20)) }

func TestANumberBehindACardDoesNotHideIt(t *testing.T) {
	card := "4539 1488 " + "0343 6467"
	for text, want := range map[string]string{
		card + " (" + card + ")": "[redacted:card] ([redacted:card])",
		card + " " + card:        "[redacted:card] [redacted:card]",
		card + " (2027)":         "[redacted:card] (2027)",
		card + " 1234 5678":      card + " 1234 5678", // a table of numbers
	} {
		redacted, _ := redact.Text(text)
		assert.Equal(t, want, redacted, text)
	}
}
