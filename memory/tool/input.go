package tool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

// input has the known members of the inputs of tools.
type input struct {
	FilePath     string   `json:"filePath"`
	FilePathToo  string   `json:"file_path"`
	Path         string   `json:"path"`
	NotebookPath string   `json:"notebook_path"`
	Paths        []string `json:"paths"`
	PatchText    string   `json:"patchText"`
	Patch        string   `json:"patch"`
	Input        string   `json:"input"`
	Command      any      `json:"command"`
	Cmd          any      `json:"cmd"`
}

// inputOf decodes an input. It decodes each member separately to ignore those of an
// unexpected type.
func inputOf(doc json.RawMessage) input {
	var members map[string]json.RawMessage
	var in input
	if json.Unmarshal(doc, &members) != nil {
		return in
	}
	for name, into := range map[string]any{
		"filePath": &in.FilePath, "file_path": &in.FilePathToo, "path": &in.Path, "notebook_path": &in.NotebookPath,
		"paths": &in.Paths, "patchText": &in.PatchText, "patch": &in.Patch, "input": &in.Input, "command": &in.Command,
		"cmd": &in.Cmd,
	} {
		if value, there := members[name]; there {
			_ = json.Unmarshal(value, into)
		}
	}
	return in
}

// Lines returns the lines that the input of a tool selects from a file, counted from 1, or 0
// for the whole file.
func Lines(toolInput json.RawMessage) (first, last int) {
	var members struct {
		Offset float64   `json:"offset"`
		Limit  float64   `json:"limit"`
		Range  []float64 `json:"view_range"`
	}
	if json.Unmarshal(toolInput, &members) != nil {
		return 0, 0
	}
	if len(members.Range) == 2 {
		return int(members.Range[0]), int(members.Range[1])
	}
	if members.Limit < 1 || members.Limit > 1<<30 || members.Offset > 1<<30 {
		return 0, 0
	}
	first = max(1, int(members.Offset))
	return first, first + int(members.Limit) - 1
}

// Searched returns what the input of a tool for searches looks for, "" if it does not say.
func Searched(toolInput json.RawMessage) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(toolInput, &members) != nil {
		return ""
	}
	for _, name := range []string{"pattern", "query", "regex", "search"} {
		var text string
		if json.Unmarshal(members[name], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// Content returns the text that the input of a tool writes into a file, "" if it has none.
func Content(toolInput json.RawMessage) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(toolInput, &members) != nil {
		return ""
	}
	for _, name := range []string{"content", "file_text", "contents", "text", "new_string", "newString", "new_str"} {
		var content string
		if json.Unmarshal(members[name], &content) == nil && content != "" {
			return content
		}
	}
	return ""
}

// Found returns the files of a worktree that the output of a search names, relative to it.
func Found(output, cwd, worktree string) []string {
	return command.Output{Stdout: output, Cwd: cmp.Or(cwd, worktree), Root: worktree}.Files()
}

// MaxFiles is how many of the files that the input of a tool names are looked at. Far fewer are kept, and each is
// compared with those before it.
const MaxFiles = 1000

// Files returns the paths of the first MaxFiles files in the input of a tool, unchanged.
func Files(toolInput json.RawMessage) []string {
	files := inputOf(toolInput).files()
	return files[:min(len(files), MaxFiles)]
}

// CommandLine returns the command line in the input of a tool, or "".
func CommandLine(toolInput json.RawMessage) string { return inputOf(toolInput).commandLine() }

func (in input) commandLine() string {
	for _, c := range []any{in.Command, in.Cmd} {
		switch c := c.(type) {
		case string:
			if c != "" {
				return c
			}
		case []any:
			return quoted(c)
		}
	}
	return ""
}

// quoted returns the command line of an argument vector.
func quoted(args []any) string {
	words := make([]string, 0, len(args))
	for _, arg := range args {
		word, err := syntax.Quote(fmt.Sprint(arg), syntax.LangBash)
		if err != nil {
			continue // a NUL byte, which no shell or system call accepts
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (in input) files() []string {
	files := slices.DeleteFunc([]string{in.FilePath, in.FilePathToo, in.Path, in.NotebookPath},
		func(s string) bool { return s == "" })
	files = append(files, in.Paths...)
	for _, patch := range []string{in.PatchText, in.Patch, in.Input} {
		files = append(files, patched(patch)...)
	}
	return files
}

// patched returns the files that an apply_patch patch changes.
func patched(patch string) []string {
	var files []string
	for line := range strings.Lines(patch) {
		for _, head := range []string{"*** Update File: ", "*** Add File: "} {
			if file, found := strings.CutPrefix(strings.TrimSpace(line), head); found {
				files = append(files, file)
			}
		}
	}
	return files
}
