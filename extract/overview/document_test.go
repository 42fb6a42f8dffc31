package overview_test

import (
	"bytes"
	"flag"
	"os"
	"testing"
	"text/template"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/overview"
)

var update = flag.Bool("update", false, "rewrite docs/notes.md")

func TestNotesDocumentIsCurrent(t *testing.T) {
	const path = "../../docs/notes.md"
	source, err := os.ReadFile("notes.md.tmpl")
	require.NoError(t, err)
	var text bytes.Buffer
	document := template.Must(template.New("notes.md.tmpl").Delims("<<", ">>").Parse(string(source)))
	require.NoError(t, document.Execute(&text,
		map[string]any{"Headings": overview.Headings, "Events": overview.Events}))
	if *update {
		require.NoError(t, os.WriteFile(path, text.Bytes(), 0o644))
	}
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	if !bytes.Equal(written, text.Bytes()) {
		t.Fatal("docs/notes.md needs updating: run go test ./extract/overview -run Current -update")
	}
}
