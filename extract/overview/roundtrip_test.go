package overview_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/overview"
)

var texts = []string{
	"", "\ufeff", "# Notes", "no heading at all\n", overview.Template("en"), overview.Template("zh"),
	strings.ReplaceAll(overview.Template("en"), "\n", "\r\n"),
	"\ufeff" + overview.Template("zh") + "\n" + "<!-- wm:index -->\n## Detail\n- detail/a.md\n<!-- /wm:index -->\n",
	"# T\n\n## Task\nFix it\n\n## Notes of mine\nkeep\n\n## Decisions\n- a\n- b",
	"Task\n---\nFix\n\nOther\n---\ntext\n## Recent\n```sh\n## no heading\n```\n",
	"## Task\n<!-- a\n\nb -->\n\n<!-- c -->\nvalue\n",
}

const state = `meta:
  version: 3
  ratio: 1.0
project:
  about: A cart
  known: [Port 8080, "- odd", "  spaced  "]
  "a.b": {x: null, y: [1, -2, 0x1F, 1e300, 18446744073709551615]}
current_state:
  task: |
    two

    lines
  decisions: [one]
  next_step: "true"
  empty: ""
  recent: []
issues:
  - id: 1
    text: "a \"quote\" ` + "```" + ` and more"
custom: {"": deep, "na me": "x\ty\u0000\r\n"}
`

func TestC6_AStateIsReadFromTheSectionsItWasWrittenTo(t *testing.T) {
	s, err := overview.ParseYAML([]byte(state))
	require.NoError(t, err)
	for _, text := range texts {
		out, err := overview.Write(text, s)
		require.NoError(t, err, text)
		assert.True(t, overview.Read(out).Equal(s), "%q", out)
		again, err := overview.Write(out, overview.Read(out))
		require.NoError(t, err)
		assert.Equal(t, out, again)
	}
}

func FuzzStateRoundTrip(f *testing.F) {
	for _, text := range texts {
		f.Add(state, text)
	}
	for _, doc := range []string{
		"", "a: &x [*x]", "issues: []", "current_state: {}", "project: x\n", "issues: |\n  - a\n  - b\n",
		"meta: 'a\n\n  b'", "a:\n  - - - x", "? a\n: b", "1: 2\ntrue: x\n",
	} {
		f.Add(doc, "")
	}
	f.Fuzz(func(t *testing.T, doc, text string) {
		s, err := overview.ParseYAML([]byte(doc))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		for _, into := range []string{
			"",
			overview.Template("en"),
			strings.ReplaceAll(overview.Template("zh"), "\n", "\r\n"),
		} {
			out, err := overview.Write(into, s)
			require.NoError(t, err)
			require.True(t, overview.Read(out).Equal(s), "%q", out)
		}
		if out, err := overview.Write(text, s); err == nil {
			require.True(t, overview.Read(out).Equal(s), "%q", out)
		}
		written, err := s.YAML()
		require.NoError(t, err)
		if len(written) <= overview.MaxBytes {
			again, err := overview.ParseYAML(written)
			require.NoError(t, err, "%q", written)
			require.True(t, again.Equal(s), "%q", written)
		}
		data, err := s.MarshalJSON()
		require.NoError(t, err)
		var read overview.State
		if len(data) <= overview.MaxBytes {
			require.NoError(t, read.UnmarshalJSON(data), "%s", data)
			require.True(t, read.Equal(s), "%s", data)
		}
	})
}

func FuzzWriteReadIsIdentity(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Add("## Task\n```yaml\n[1, 2]\n```\n## current_state.\"a b\"\nx\n## state.project\n1\n")
	f.Add("<!-- open\n## Task\nx")
	f.Fuzz(func(t *testing.T, text string) {
		s := overview.Read(text)
		out, err := overview.Write(text, s)
		require.NoError(t, err)
		require.Equal(t, text, out)
		fresh, err := overview.Write("", s)
		require.NoError(t, err)
		require.True(t, overview.Read(fresh).Equal(s), "%q", fresh)
	})
}

func FuzzSetBlock(f *testing.F) {
	for _, text := range texts {
		f.Add(text, "- detail/a.md")
	}
	f.Add("```\nopen", "x")
	f.Add("\r", "x")
	f.Add("<!-- wm:index -->\nmine", "```")
	f.Add("<!-- /wm:index -->\n<!-- wm:index -->", "<!-- wm:history -->")
	f.Fuzz(func(t *testing.T, text, body string) {
		once := overview.SetBlock(text, overview.Index, body)
		require.Equal(t, once, overview.SetBlock(once, overview.Index, body))
		if strings.TrimSpace(body) != "" {
			require.NotEmpty(t, overview.Block(once, overview.Index))
		}
		if overview.Block(text, overview.Index) == "" {
			old := strings.Trim(strings.TrimPrefix(text, "\ufeff"), "\r\n")
			if !strings.Contains(text, "wm:") {
				require.Contains(t, once, old)
			}
		}
		both := overview.SetBlock(once, overview.History, "h")
		require.Equal(t, "h", overview.Block(both, overview.History))
		require.Equal(t, overview.Block(once, overview.Index), overview.Block(both, overview.Index))
	})
}
