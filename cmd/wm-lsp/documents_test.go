package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/cli"
)

var update = flag.Bool("update", false, "write docs/cli.md and docs/man")

// tree returns all commands as documents show them.
func tree() *cobra.Command {
	root := cli.Commands(cli.Options{Others: program{}.others()})
	var plain func(*cobra.Command)
	plain = func(command *cobra.Command) {
		command.DisableAutoGenTag = true
		command.InitDefaultHelpFlag()
		if file := command.Flags().Lookup("log-file"); file != nil {
			file.DefValue = "" // it depends on the machine
		}
		for _, below := range command.Commands() {
			plain(below)
		}
	}
	plain(root)
	return root
}

// manual returns the pages for man, by their names.
func manual(t *testing.T) map[string]string {
	dir := t.TempDir()
	header := &doc.GenManHeader{Section: "1", Source: "wm-lsp", Manual: "Working memory", Date: &time.Time{}}
	require.NoError(t, doc.GenManTree(tree(), header, dir))
	pages := map[string]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for _, file := range files {
		page, err := os.ReadFile(file)
		require.NoError(t, err)
		pages[filepath.Base(file)] = strings.Replace(string(page), `"Jan 0001"`, `""`, 1) // they have no date
	}
	return pages
}

// commandsDocument returns docs/cli.md, which begins with testdata/cli.md.
func commandsDocument(t *testing.T) string {
	introduction, err := os.ReadFile(filepath.Join("testdata", "cli.md"))
	require.NoError(t, err)
	out := bytes.NewBuffer(introduction)
	for _, group := range tree().Groups() {
		out.WriteString("\n## " + strings.TrimSuffix(group.Title, ":") + "\n")
		for _, command := range tree().Commands() {
			if command.GroupID != group.ID || command.Name() == "help" || command.Name() == "completion" {
				continue
			}
			out.WriteString("\n### wm-lsp " + command.Name() + "\n\n" + strings.TrimSpace(command.Long) + "\n\n")
			out.WriteString("```\n" + command.UseLine() + "\n```\n")
			if flags := command.NonInheritedFlags().FlagUsages(); flags != "" {
				out.WriteString("\n```\n" + flags + "```\n")
			}
			if command.Example != "" {
				examples := strings.ReplaceAll(strings.TrimPrefix(command.Example, "  "), "\n  ", "\n")
				out.WriteString("\n```\n" + examples + "\n```\n")
			}
		}
	}
	return out.String()
}

func TestTheDocumentsOfTheCommandsAreCurrent(t *testing.T) {
	documents := map[string]string{filepath.Join("..", "..", "docs", "cli.md"): commandsDocument(t)}
	dir := filepath.Join("..", "..", "docs", "man")
	for name, page := range manual(t) {
		documents[filepath.Join(dir, name)] = page
	}
	if *update {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	for path, want := range documents {
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		}
		written, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, string(written), "%s: run go test ./cmd/wm-lsp -run Current -update", path)
	}
	there, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	assert.Len(t, there, len(documents)-1, "a page of a command that is gone")
}

// A command that the README or another document names has to exist.
func TestTheCommandsThatDocumentsNameExist(t *testing.T) {
	var known []string
	for _, command := range tree().Commands() {
		known = append(known, command.Name())
	}
	named := regexp.MustCompile("`wm-lsp ([a-z]+)")
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	found := 0
	for _, file := range append(files, "../../README.md") {
		document, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range named.FindAllSubmatch(document, -1) {
			assert.Contains(t, known, string(match[1]), file)
			found++
		}
	}
	assert.NotZero(t, found)
}
