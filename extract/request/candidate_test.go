package request_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/request"
)

func TestCandidates(t *testing.T) {
	const block = "<workspace_memory_candidates>\n- [feedback] Use tabs\n- [Decision] SQLite over bbolt\n" +
		"</workspace_memory_candidates>"
	real := []request.Candidate{{Type: "feedback", Text: "Use tabs"}, {Type: "decision", Text: "SQLite over bbolt"}}
	for name, c := range map[string]struct {
		summary string
		want    []request.Candidate
	}{
		"a block on its own is read": {block, real},
		"text around the block does not matter": {
			"## Summary\nWe did things.\n\n" + block + "\n\nBye.",
			real,
		},
		"carriage returns do not matter": {
			"<workspace_memory_candidates>\r\n- [feedback] Use tabs\r\n</workspace_memory_candidates>\r\n",
			real[:1],
		},
		"the last block counts": {
			"<workspace_memory_candidates>\n- [project] old\n</workspace_memory_candidates>\n" + block,
			real,
		},
		"an empty last block means none": {
			block + "\n<workspace_memory_candidates>\n</workspace_memory_candidates>",
			nil,
		},
		"a block in fenced code is not a block": {"```\n" + block + "\n```", nil},
		"a block in fenced code does not hide a real one": {
			block + "\n\n```xml\n<workspace_memory_candidates>\n- [project] fake\n</workspace_memory_candidates>\n```",
			real,
		},
		"a quoted block is not a block": {
			"> <workspace_memory_candidates>\n> - [project] quoted\n> </workspace_memory_candidates>",
			nil,
		},
		"a block that is called an example is none": {
			block + "\n\nFor example:\n<workspace_memory_candidates>\n- [project] fake\n</workspace_memory_candidates>",
			real,
		},
		"a block that is not closed reaches to the end": {
			"<workspace_memory_candidates>\n- [feedback] Use tabs\n- [decision] SQLite over bbolt",
			real,
		},
		"a block that is not closed is the last one": {
			block + "\n<workspace_memory_candidates>\n- [project] the newest one",
			[]request.Candidate{{Type: "project", Text: "the newest one"}},
		},
		"bold type does not matter": {
			"<workspace_memory_candidates>\n- **[feedback]** Use tabs\n- **[decision] SQLite over bbolt**\n" +
				"- [project]: **all of it is bold**\n- [project] **a part** is bold\n" +
				"</workspace_memory_candidates>",
			append(real[:2:2], request.Candidate{Type: "project", Text: "all of it is bold"},
				request.Candidate{Type: "project", Text: "**a part** is bold"}),
		},
		"the marker of a list is not needed": {
			"<workspace_memory_candidates>\n[feedback] Use tabs\n[decision] SQLite over bbolt\n" +
				"</workspace_memory_candidates>",
			real,
		},
		"tags within a sentence are not a block": {
			"Use <workspace_memory_candidates> and </workspace_memory_candidates>.",
			nil,
		},
		"code inside a block is not a candidate": {"<workspace_memory_candidates>\n```\n- [project] code\n```\n" +
			"- [project] real\n</workspace_memory_candidates>", []request.Candidate{{Type: "project", Text: "real"}}},
		"quotes inside a block are not candidates": {
			"<workspace_memory_candidates>\n> - [project] quoted\n- [project] real\n</workspace_memory_candidates>",
			[]request.Candidate{{Type: "project", Text: "real"}},
		},
		"placeholders are not candidates": {"<workspace_memory_candidates>\n- [type] text\n" +
			"- [feedback] ...\n- [decision] <what was chosen>\n- none\n</workspace_memory_candidates>", nil},
		"a line that goes on belongs to its candidate": {
			"<workspace_memory_candidates>\n- [project] starts here\n  and goes on\n</workspace_memory_candidates>",
			[]request.Candidate{{Type: "project", Text: "starts here and goes on"}},
		},
		"any type may stand in brackets": {
			"<workspace_memory_candidates>\n* [api-contract] ids are ULIDs\n</workspace_memory_candidates>",
			[]request.Candidate{{Type: "api-contract", Text: "ids are ULIDs"}},
		},
		"a line without a type is not a candidate": {
			"<workspace_memory_candidates>\n- just text\n</workspace_memory_candidates>",
			nil,
		},
		"a string without a block has no candidates": {"nothing here", nil},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, request.Candidates(c.summary)) })
	}
}

func TestASummaryIsShownWithoutItsCandidates(t *testing.T) {
	const block = "<workspace_memory_candidates>\n- [feedback] Use tabs\n</workspace_memory_candidates>\n"
	for summary, want := range map[string]string{
		"Task: parse\n\n" + block + "\nBye.": "Task: parse\n\n\nBye.",
		block:                                "",
		"Done.\n<workspace_memory_candidates>\n- [project] not closed": "Done.",
		"Nothing to keep.": "Nothing to keep.",
	} {
		assert.Equal(t, want, request.WithoutCandidates(summary))
	}
}

func FuzzCandidates(f *testing.F) {
	f.Add("<workspace_memory_candidates>\n- [feedback] Use tabs\n</workspace_memory_candidates>")
	f.Add("```\n<workspace_memory_candidates>\n")
	f.Fuzz(func(t *testing.T, summary string) {
		for _, c := range request.Candidates(summary) {
			assert.NotEmpty(t, c.Type)
			assert.NotEmpty(t, c.Text)
			assert.NotContains(t, c.Text, "\n")
		}
	})
}
