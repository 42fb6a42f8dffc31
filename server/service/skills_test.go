package service

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// worked tells that a session ran a command that ended with an exit code.
func (f *face) worked(session, command string, code int, output string) {
	f.t.Helper()
	get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
		Params: wire.Params{SessionID: session}, Tool: "bash", Output: output, ExitCode: &code,
		Input: json.RawMessage(`{"command": ` + quoted(command) + `}`),
	})
}

func quoted(text string) string {
	doc, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(doc)
}

// edited tells that a session edited files.
func (f *face) edited(session string, files ...string) {
	f.t.Helper()
	for _, file := range files {
		f.write(file, "package cart\n")
		get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
			Params: wire.Params{SessionID: session}, Tool: "edit",
			Input: json.RawMessage(`{"file_path": ` + quoted(filepath.Join(f.root, file)) + `}`),
		})
	}
}

// said tells that a user said something in a session.
func (f *face) said(session, text string) {
	f.t.Helper()
	get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
		Params: wire.Params{SessionID: session}, Role: "user", Text: text,
	})
}

func (f *face) skills(query string) []wire.Skill {
	f.t.Helper()
	return get[wire.SkillsResult](f, "wm/skills", &wire.SkillsParams{Query: query}).Skills
}

// checked lets a session change a file and check the change, three times.
func (f *face) checked() {
	f.t.Helper()
	for _, session := range []string{"s1", "s2", "s3"} {
		f.said(session, "round the total of the cart half up")
		f.edited(session, "cart.go")
		f.worked(session, "make lint", 0, "")
		f.worked(session, "make test", 0, "ok")
	}
}

func TestE12_WhatSucceededThreeTimesBecomesASkill(t *testing.T) {
	f := newFace(t)
	f.checked()
	assert.Empty(t, f.skills(""), "nobody has looked for skills")
	commit := f.commit()
	require.Len(t, commit.Skills, 1)
	got := f.skills("")
	assert.Equal(t, commit.Skills, got)
	skill := got[0]
	assert.Equal(t, "Check a change: lint and test", skill.Title)
	assert.Equal(t, "Before a change to Go files is done.", skill.Purpose)
	assert.Equal(t, []string{"make lint", "make test"}, skill.Commands)
	assert.Equal(t, wire.SkillOffered, skill.Status)
	assert.Equal(t, "check-a-change-lint-and-test", skill.Name)
	assert.Equal(t, 1, skill.Version)
	assert.Equal(t, [2]int{3, 3}, [2]int{skill.Successes, skill.Attempts})
	assert.Equal(t, 1.0, skill.SuccessRate)
	assert.Equal(t, "semantic", skill.Store)
	assert.Equal(t, "skill", skill.Type)
	require.Len(t, skill.Evidence, 3)
	assert.Equal(t, "s3", skill.Evidence[0].SessionID, "the latest first")
	assert.Equal(t, 1, skill.Evidence[0].Turn)

	assert.Empty(t, f.commit().Skills, "it is known")
}

func TestE12_TwiceIsNotEnough(t *testing.T) {
	f := newFace(t)
	for _, session := range []string{"s1", "s2"} {
		f.said(session, "round the total")
		f.worked(session, "make lint", 0, "")
		f.worked(session, "make test", 0, "ok")
	}
	f.said("s3", "round the total")
	f.worked("s3", "make lint", 1, "cart.go:1: bad")
	f.worked("s3", "make test", 1, "FAIL")
	assert.Empty(t, f.commit().Skills)
}

func TestE12_FurtherEvidenceAndAnotherWayAreANewVersion(t *testing.T) {
	f := newFace(t)
	f.checked()
	id := f.commit().Skills[0].ID
	f.worked("s3", "make lint", 0, "")
	f.worked("s3", "make test", 1, "FAIL")
	assert.Empty(t, f.commit().Skills, "the evidence is not a new version")
	skill := f.skills("")[0]
	assert.Equal(t, [2]int{3, 4}, [2]int{skill.Successes, skill.Attempts})
	assert.Equal(t, 0.75, skill.SuccessRate)
	assert.Equal(t, 1, skill.Version)

	for _, session := range []string{"s4", "s5", "s6"} {
		f.edited(session, "cart.go")
		f.worked(session, "make lint", 0, "")
		f.worked(session, "make test", 0, "ok")
		f.worked(session, "make build", 0, "")
	}
	got := f.commit().Skills
	require.Len(t, got, 1)
	assert.Equal(t, id, got[0].ID)
	assert.Equal(t, 2, got[0].Version)
	assert.Equal(t, []string{"make lint", "make test", "make build"}, got[0].Commands)
}

func TestE12_WhatIsMostlyDoneTogetherIsOfferedOnce(t *testing.T) {
	f := newFace(t)
	for _, session := range []string{"s1", "s2", "s3"} {
		f.worked(session, "make lint", 0, "")
	}
	alone := f.commit().Skills
	require.Len(t, alone, 1)
	assert.Equal(t, []string{"make lint"}, alone[0].Commands)
	for _, session := range []string{"s4", "s5", "s6", "s7"} {
		f.worked(session, "make lint", 0, "")
		f.worked(session, "make test", 0, "ok")
	}
	f.commit()
	got := f.skills("")
	require.Len(t, got, 1)
	assert.Equal(t, []string{"make lint", "make test"}, got[0].Commands)
}

func TestE12_AFixThatWorkedBecomesASkill(t *testing.T) {
	f := newFace(t)
	for _, session := range []string{"s1", "s2", "s3"} {
		f.worked(session, "npm test", 1, "Error: Cannot find module 'left-pad'")
		f.worked(session, "npm install", 0, "added 1 package")
		f.worked(session, "npm test", 0, "Tests: 3 passed")
	}
	var found []wire.Skill
	for _, skill := range f.commit().Skills {
		if skill.Kind == wire.SkillFix {
			found = append(found, skill)
		}
	}
	require.Len(t, found, 1)
	assert.Equal(t, []string{"npm test", "npm install"}, found[0].Commands)
	assert.Contains(t, found[0].Text, "Run `npm install`, then `npm test` again")
}

func TestE12_FilesThatChangeTogetherBecomeASkill(t *testing.T) {
	f := newFace(t)
	for i, session := range []string{"s1", "s2", "s3", "s4", "s5", "s6", "s7"} {
		f.said(session, "add a column to the cart")
		if i < 3 {
			f.edited(session, "schema.sql", "columns.go")
		} else {
			f.edited(session, "other"+session+".go")
		}
	}
	got := f.commit().Skills
	require.Len(t, got, 1)
	assert.Equal(t, wire.SkillFiles, got[0].Kind)
	assert.Equal(t, []string{"columns.go", "schema.sql"}, got[0].Files)
}

func TestE12_APersonKeepsEditsDropsAndRestores(t *testing.T) {
	f := newFace(t)
	f.checked()
	id := f.commit().Skills[0].ID
	change := func(p wire.SkillsUpdateParams) wire.SkillsUpdateResult {
		p.ID = id
		return get[wire.SkillsUpdateResult](f, "wm/skills/update", &p)
	}
	kept := wire.SkillKept
	result := change(wire.SkillsUpdateParams{Status: &kept})
	assert.Equal(t, wire.SkillKept, result.Skill.Status)
	assert.Equal(t, 1, result.Skill.Version)
	require.NotNil(t, result.Undo)
	assert.Nil(t, change(wire.SkillsUpdateParams{Status: &kept}).Undo, "nothing was changed")

	commands, notes := "make lint\nmake test SHORT=1\n", "Ask before running it on Fridays."
	result = change(wire.SkillsUpdateParams{Commands: &commands, Notes: &notes})
	assert.Equal(t, []string{"make lint", "make test SHORT=1"}, result.Skill.Commands)
	assert.Equal(t, 2, result.Skill.Version)
	undo, err := json.Marshal(result.Undo.Params)
	require.NoError(t, err)
	params, _, err := f.known["wm/skills/update"].Decode(undo)
	require.NoError(t, err)
	undone := get[wire.SkillsUpdateResult](f, "wm/skills/update", params).Skill
	assert.Equal(t, []string{"make lint", "make test"}, undone.Commands)
	assert.Empty(t, undone.Notes)
	_, err = f.call("wm/skills/update", params)
	assert.True(t, fault.Has(err, fault.Conflict), "it was changed since")

	change(wire.SkillsUpdateParams{Commands: &commands})
	for _, session := range []string{"s4", "s5", "s6"} {
		f.worked(session, "make lint", 0, "")
		f.worked(session, "make test", 0, "ok")
		f.worked(session, "make build", 0, "")
	}
	assert.Empty(t, f.commit().Skills, "what a person wrote stays")
	skill := f.skills("")[0]
	assert.Equal(t, []string{"make lint", "make test SHORT=1"}, skill.Commands)
	assert.Equal(t, 3, skill.Successes, "of those that were run with make build")

	dropped := get[wire.SkillsRemoveResult](f, "wm/skills/remove", &wire.SkillsRemoveParams{ID: id})
	assert.Equal(t, wire.SkillDropped, dropped.Skill.Status)
	assert.Empty(t, f.skills(""))
	f.worked("s7", "make lint", 0, "")
	f.worked("s7", "make test", 0, "ok")
	assert.Empty(t, f.commit().Skills, "it is not offered again")
	_, err = f.call("wm/skills/update", &wire.SkillsUpdateParams{ID: id, Status: &kept})
	assert.True(t, fault.Has(err, fault.Conflict))
	restored := get[wire.SkillsRestoreResult](f, "wm/skills/restore", &wire.SkillsRestoreParams{ID: id})
	assert.Equal(t, kept, restored.Skill.Status, "as it was")
	assert.Len(t, f.skills(""), 1)

	for _, name := range []string{"wm/skills/get", "wm/skills/remove", "wm/skills/restore", "wm/skills/update"} {
		params, _, err := f.known[name].Decode([]byte(`{"id": "01JH2Z8N6T3V5W7X9YABCDEFGH"}`))
		require.NoError(t, err)
		_, err = f.call(name, params)
		assert.True(t, fault.Has(err, fault.NotFound), name)
	}
}

func TestE12_WhatAPersonDroppedStaysDropped(t *testing.T) {
	for name, test := range map[string]struct {
		first, then [][]string // commands of episodes
	}{
		"done again": {
			[][]string{{"make lint", "make test"}, {"make lint", "make test"}, {"make lint", "make test"}},
			[][]string{{"make lint", "make test"}, {"make lint", "make test"}, {"make lint", "make test"}},
		},
		"with more commands": {
			[][]string{{"make lint", "make test"}, {"make lint", "make test"}, {"make lint", "make test"}},
			slices.Repeat([][]string{{"make lint", "make test", "make build", "make fmt", "make dist"}}, 9),
		},
		"with other arguments": {
			slices.Repeat([][]string{{"bd search harbor --json"}}, 3),
			[][]string{{"bd search opik --json"}, {"bd search phoenix --json"}, {"bd search studio --json"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			session := 0
			work := func(episodes [][]string) {
				for _, commands := range episodes {
					session++
					id := fmt.Sprint("s", session)
					f.said(id, "search the beads")
					for _, command := range commands {
						f.worked(id, command, 0, "ok")
					}
				}
			}
			work(test.first)
			learned := f.commit().Skills
			require.Len(t, learned, 1)
			kept := wire.SkillKept
			get[wire.SkillsUpdateResult](f, "wm/skills/update",
				&wire.SkillsUpdateParams{ID: learned[0].ID, Status: &kept})
			get[wire.SkillsRemoveResult](f, "wm/skills/remove", &wire.SkillsRemoveParams{ID: learned[0].ID})
			work(test.then)
			assert.Empty(t, f.commit().Skills)
			assert.Empty(t, f.skills(""))
		})
	}
}

func TestE12_AKeptSkillIsExportedAsAFolderThatAgentsRead(t *testing.T) {
	f := newFace(t)
	f.checked()
	skill := f.commit().Skills[0]
	export := func(folder string) wire.SkillsExportResult {
		return get[wire.SkillsExportResult](f, "wm/skills/export",
			&wire.SkillsExportParams{Folder: folder, Consent: true})
	}
	file := filepath.Join(f.root, ".agents", "skills", skill.Name, "SKILL.md")
	_, err := f.call("wm/skills/export", &wire.SkillsExportParams{Folder: ".agents/skills"})
	assert.ErrorContains(t, err, "ask the person")
	assert.Empty(t, export(".agents/skills").Skills, "nobody has kept it")
	assert.NoDirExists(t, filepath.Join(f.root, ".agents"))

	kept := wire.SkillKept
	get[wire.SkillsUpdateResult](f, "wm/skills/update", &wire.SkillsUpdateParams{ID: skill.ID, Status: &kept})
	result := export(".agents/skills")
	require.Len(t, result.Skills, 1)
	assert.Equal(t, wire.SkillExport{ID: skill.ID, Name: skill.Name, Path: file, Status: wire.SkillWritten},
		result.Skills[0])
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, `---
name: check-a-change-lint-and-test
description: "Check a change: lint and test. Use it before a change to Go files is done. Commands: make lint; `+
		`make test."
metadata:
  generator: wm-lsp
  version: "1"
---

# Check a change: lint and test

Before a change to Go files is done.

## Steps

1. Run `+"`make lint`"+`.
2. Run `+"`make test`"+`.

## Evidence

It worked 3 of 3 times in the sessions of this workspace.
`, string(content))
	got := get[wire.SkillsGetResult](f, "wm/skills/get", &wire.SkillsGetParams{ID: skill.Name})
	assert.Equal(t, string(content), got.Document)
	assert.Equal(t, []string{filepath.Join(f.root, ".agents", "skills")}, got.Skill.ExportedTo)
	assert.Equal(t, wire.SkillUnchanged, export(".agents/skills").Skills[0].Status)

	purpose := "Before each commit."
	get[wire.SkillsUpdateResult](f, "wm/skills/update", &wire.SkillsUpdateParams{ID: skill.ID, Purpose: &purpose})
	assert.Equal(t, wire.SkillWritten, export(".agents/skills").Skills[0].Status, "nobody has changed the file")

	own := append(content, "Mine.\n"...)
	require.NoError(t, os.WriteFile(file, own, 0o644))
	left := export(".agents/skills").Skills[0]
	assert.Equal(t, wire.SkillLeft, left.Status)
	assert.NotEmpty(t, left.Reason)
	dropped := get[wire.SkillsRemoveResult](f, "wm/skills/remove", &wire.SkillsRemoveParams{ID: skill.ID})
	assert.Equal(t, []string{file}, dropped.FilesLeft)
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(own), string(now), "a person's file is never written or deleted")
}

func TestE12_AnExportLeavesWhatIsInItsPlace(t *testing.T) {
	kept := wire.SkillKept
	for name, prepare := range map[string]func(t *testing.T, root, folder string){
		"a skill of a person": func(t *testing.T, _, folder string) {
			require.NoError(t, os.MkdirAll(folder, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(folder, "SKILL.md"), []byte("Mine.\n"), 0o644))
		},
		"other files": func(t *testing.T, _, folder string) {
			require.NoError(t, os.MkdirAll(folder, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(folder, "notes.md"), []byte("Mine.\n"), 0o644))
		},
		"a file": func(t *testing.T, _, folder string) {
			require.NoError(t, os.MkdirAll(filepath.Dir(folder), 0o755))
			require.NoError(t, os.WriteFile(folder, []byte("Mine.\n"), 0o644))
		},
		"a link to a folder elsewhere": func(t *testing.T, _, folder string) {
			require.NoError(t, os.MkdirAll(filepath.Dir(folder), 0o755))
			require.NoError(t, os.Symlink(t.TempDir(), folder))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			f.checked()
			skill := f.commit().Skills[0]
			get[wire.SkillsUpdateResult](f, "wm/skills/update", &wire.SkillsUpdateParams{ID: skill.ID, Status: &kept})
			folder := filepath.Join(f.root, "skills", skill.Name)
			prepare(t, f.root, folder)
			before := listing(t, filepath.Join(f.root, "skills"))
			result := get[wire.SkillsExportResult](f, "wm/skills/export",
				&wire.SkillsExportParams{Folder: "skills", Consent: true})
			require.Len(t, result.Skills, 1)
			assert.Equal(t, wire.SkillLeft, result.Skills[0].Status)
			assert.Contains(t, result.Message, result.Skills[0].Reason)
			assert.Equal(t, before, listing(t, filepath.Join(f.root, "skills")))
		})
	}

	t.Run("a link out of the workspace", func(t *testing.T) {
		f := newFace(t)
		f.checked()
		skill := f.commit().Skills[0]
		get[wire.SkillsUpdateResult](f, "wm/skills/update", &wire.SkillsUpdateParams{ID: skill.ID, Status: &kept})
		elsewhere := t.TempDir()
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(f.root, "skills")))
		_, err := f.call("wm/skills/export", &wire.SkillsExportParams{Folder: "skills", Consent: true})
		assert.Error(t, err)
		assert.Empty(t, listing(t, elsewhere))
	})
}

// listing returns the files below a folder with their contents.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, _ := os.ReadFile(path) // a link to a folder has none
		found[path] = string(content)
		return nil
	}))
	return found
}

func TestE12_ADroppedSkillTakesItsFileWithIt(t *testing.T) {
	f := newFace(t)
	f.checked()
	skill := f.commit().Skills[0]
	kept, folder := wire.SkillKept, filepath.Join(t.TempDir(), "skills")
	get[wire.SkillsUpdateResult](f, "wm/skills/update", &wire.SkillsUpdateParams{ID: skill.ID, Status: &kept})
	get[wire.SkillsExportResult](f, "wm/skills/export", &wire.SkillsExportParams{Folder: folder, Consent: true})
	assert.FileExists(t, filepath.Join(folder, skill.Name, "SKILL.md"))
	dropped := get[wire.SkillsRemoveResult](f, "wm/skills/remove", &wire.SkillsRemoveParams{ID: skill.ID})
	assert.Empty(t, dropped.FilesLeft)
	assert.NoDirExists(t, filepath.Join(folder, skill.Name))
}

func TestE12_ASkillIsFoundBySearch(t *testing.T) {
	f := newFace(t)
	f.checked()
	skill := f.commit().Skills[0]
	asking := func(query string) []wire.SearchHit {
		return get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: query, Types: []string{"skill"}}).Hits
	}
	search := func() []wire.SearchHit { return asking("lint a change") }
	assert.Len(t, asking("round the total"), 1, "the prompts for which it was done said so")
	hits := search()
	require.Len(t, hits, 1)
	assert.Equal(t, skill.ID, hits[0].Item.ID)
	assert.Equal(t, "semantic", hits[0].Store)
	assert.Contains(t, hits[0].Item.Text, "make lint")
	get[wire.SkillsRemoveResult](f, "wm/skills/remove", &wire.SkillsRemoveParams{ID: skill.ID})
	assert.Empty(t, search())
}

func TestE12_ASkillIsRecalledForAPromptThatWantsItDone(t *testing.T) {
	f := newFace(t)
	f.checked()
	require.Len(t, f.commit().Skills, 1)
	for prompt, want := range map[string]int{
		"please check the change to the Go files: lint and test":             1,
		"do we have a test that checks a change to the Go files?":            0,
		"why does the check of a change to Go files need lint before tests?": 0,
	} {
		lines, _ := f.recalls(wire.ContextParams{Params: wire.Params{SessionID: "s4"}, Query: prompt})
		assert.Len(t, lines, want, prompt)
		hits := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: prompt}).Hits
		require.NotEmpty(t, hits)
		assert.Equal(t, "skill", hits[0].Item.Type, "a search finds it for either")
	}
}

func TestE3_AKeptSkillIsRecalledForWhatItIsRoutedFor(t *testing.T) {
	f := newFace(t)
	for session, version := range map[string]string{"s1": "1.2.0", "s2": "1.3.0", "s3": "1.4.0"} {
		f.said(session, "cut a release "+version)
		f.worked(session, "npm test", 0, "ok")
		f.worked(session, "npm version "+version, 0, "ok")
		f.worked(session, "npm publish", 0, "ok")
	}
	skill := f.commit().Skills
	require.Len(t, skill, 1)
	recalled := func(prompt string, filters *wire.RecallFilters) []string {
		lines, _ := f.recalls(wire.ContextParams{
			Params: wire.Params{SessionID: "s4"}, Query: prompt, Filters: filters,
		})
		return lines
	}
	assert.Empty(t, recalled("ship it", nil), "nobody has kept it yet")
	active := wire.SkillStatus("kept")
	get[wire.SkillsUpdateResult](f, "wm/skills/update", &wire.SkillsUpdateParams{ID: skill[0].ID, Status: &active})
	day := time.Now().UTC().Format(time.DateOnly)
	want := []string{"- [skill " + day + "] Publish a change: test and publish. Asked for with: cut, release. " +
		"Run `npm test`. Run `npm version ‹version›`. Run `npm publish`."}
	for name, test := range map[string]struct {
		prompt  string
		filters *wire.RecallFilters
		want    []string
	}{
		"its purpose":             {"make a release", nil, want},
		"another word for it":     {"ship it", nil, want},
		"a request for one step":  {"test my change", nil, nil},
		"a negated request":       {"do not release", nil, nil},
		"a filter that admits it": {"make a release", &wire.RecallFilters{Types: []string{"skill"}}, want},
		"of another type":         {"make a release", &wire.RecallFilters{Types: []string{"fact"}}, nil},
		"of another store":        {"make a release", &wire.RecallFilters{Stores: []string{"episodic"}}, nil},
		"more important ones":     {"make a release", &wire.RecallFilters{MinImportance: new(0.9)}, nil},
		"of the past":             {"make a release", &wire.RecallFilters{Until: "2020-01-01T00:00:00Z"}, nil},
		"of another agent":        {"make a release", &wire.RecallFilters{AgentID: "other"}, nil},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, recalled(test.prompt, test.filters)) })
	}
}

func TestE12_TheOnlyWorkOfAWorkspaceIsRoutedByItsPurpose(t *testing.T) {
	f := newFace(t)
	for session, prompt := range map[string]string{
		"s1": "deploy the api to staging", "s2": "staging needs the fix, deploy it", "s3": "please deploy to staging",
	} {
		f.said(session, prompt)
		f.worked(session, "npm run build", 0, "ok")
		f.worked(session, "./scripts/deploy.sh staging", 0, "ok")
	}
	skill := f.commit().Skills
	require.Len(t, skill, 1)
	assert.Equal(t, "Asked for with: deploy, staging.", skill[0].Purpose)
	for query, want := range map[string]int{
		"deploy the branch to staging": 1, "why is staging slow?": 0, "cancel the deploy": 0, "rename the branch": 0,
	} {
		assert.Len(t, f.skills(query), want, query)
	}
}

func TestE12_ASkillIsRecalledAsAWhole(t *testing.T) {
	f := newFace(t)
	for _, session := range []string{"s1", "s2", "s3"} {
		f.said(session, "round the total of the cart half up")
		f.worked(session, "npm run test:integration", 0, "ok")
	}
	require.Len(t, f.commit().Skills, 1)
	day := time.Now().UTC().Format(time.DateOnly)
	lines, _ := f.recalls(wire.ContextParams{
		Params: wire.Params{SessionID: "s4"}, Query: "run the integration tests please",
	})
	assert.Equal(t, []string{
		"- [skill " + day + "] Run the tests: test:integration. Run `npm run test:integration`.",
	}, lines)
}

func TestE12_WhatAPersonWroteIsNotOfferedInOtherWords(t *testing.T) {
	f := newFace(t)
	f.checked()
	commands, none := "make verify\n", ""
	skill := get[wire.SkillsUpdateResult](f, "wm/skills/update", &wire.SkillsUpdateParams{
		ID: f.commit().Skills[0].ID, Commands: &commands, Purpose: &none,
	}).Skill
	assert.Equal(t, "Check a change: lint and test\nRun `make verify`", skill.Text, "the title may say it all")
	for _, session := range []string{"s4", "s5", "s6"} {
		f.edited(session, "cart.go")
		f.worked(session, "make verify", 0, "")
	}
	assert.Empty(t, f.commit().Skills)
	assert.Len(t, f.skills(""), 1)
}

func TestE16_SkillExtractionCanBeSwitchedOff(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"enableSkillExtraction": false}}`)
	f.checked()
	assert.Empty(t, f.commit().Skills)
	f.configure(`{"items": {"enableSkillExtraction": true}}`)
	assert.Empty(t, f.commit().Skills, "nothing was recorded")
}

func TestE12_TheEndOfASessionLooksForSkills(t *testing.T) {
	slow.Test(t)
	f := newFace(t)
	f.checked()
	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: wire.Params{SessionID: "s3"}})
	require.Eventually(t, func() bool { return len(f.skills("")) == 1 }, Patience, time.Millisecond*20)
}

func TestE12_ADeletedSessionIsNoEvidenceAnyMore(t *testing.T) {
	f := newFace(t)
	f.checked()
	get[wire.SessionDeleteResult](
		f,
		"wm/session/delete",
		&wire.SessionDeleteParams{Params: wire.Params{SessionID: "s2"}},
	)
	assert.Empty(t, f.commit().Skills)
}
