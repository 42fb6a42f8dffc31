package service

import (
	"database/sql"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/reads"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// traced returns the events of kinds.
func (f *face) traced(params wire.TraceParams) []wire.TraceEvent {
	f.t.Helper()
	return get[wire.TraceResult](f, "wm/trace", &params).Events
}

func TestE13_ReadsAreInTheTraceByTheirIDs(t *testing.T) {
	f := newFace(t)
	added := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "The staging server listens on 8080"})
	first := get[wire.ContextResult](f, "wm/context", &wire.ContextParams{})
	get[wire.ContextResult](f, "wm/context", &wire.ContextParams{})
	get[wire.ContextResult](f, "wm/context", &wire.ContextParams{Preview: true})
	get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "which port is for staging"})

	events := f.traced(wire.TraceParams{Kinds: []string{"context", "search.ran"}})
	require.Len(t, events, 3, "a preview is not a read")
	var given reads.Context
	require.NoError(t, json.Unmarshal(events[0].After, &given))
	assert.Equal(t, string(first.Revision), given.Revision)
	assert.False(t, given.Same)
	assert.Contains(t, string(events[0].After), added.ID)
	require.NoError(t, json.Unmarshal(events[1].After, &given))
	assert.True(t, given.Same, "what was given before is not listed again")
	var search reads.Search
	require.NoError(t, json.Unmarshal(events[2].After, &search))
	assert.Equal(t, "lexical", search.Mode)
	assert.Equal(t, 1, search.Shown)
	require.Len(t, search.Candidates, 1)
	assert.Equal(t, "memory:"+added.ID, search.Candidates[0].ID)
	assert.InDelta(t, 1, search.Candidates[0].Similarity, 1e-6)
	for _, event := range events {
		assert.Equal(t, "s", event.SessionID)
		assert.NotEmpty(t, event.Subject)
		assert.NotContains(t, string(event.After), "staging", "no texts")
	}

	all := f.traced(wire.TraceParams{})
	assert.Equal(t, "memory.added", all[0].Kind[:12])
	assert.Equal(t, "search.ran", all[len(all)-1].Kind)
	assert.Len(t, f.traced(wire.TraceParams{Limit: 2}), 2)
	assert.Empty(t, f.traced(wire.TraceParams{Kinds: []string{"searched"}}))
	of := f.traced(wire.TraceParams{ID: "memory:" + added.ID})
	assert.Equal(t, "search.ran", of[len(of)-1].Kind, "by what it found")

	before, err := f.call("wm/status", &wire.StatusParams{})
	require.NoError(t, err)
	changes := before.(wire.StatusResult).Sizes.Changes
	for range 5 {
		get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "staging"})
	}
	f.traced(wire.TraceParams{})
	assert.Equal(t, changes, get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).Sizes.Changes,
		"reads do not count as changes")
}

func TestAPayloadThatIsNoJSONIsAStringInTheTrace(t *testing.T) {
	f := newFace(t)
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "The staging server listens on 8080"})
	dir := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).Store.Path
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.DatabaseName)+"?_pragma=busy_timeout(10000)")
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE log SET after = '{' || x'ff' WHERE kind = 'memory.added'")
	require.NoError(t, errors.Join(err, db.Close()))

	events := f.traced(wire.TraceParams{Kinds: []string{"memory.added"}})
	require.Len(t, events, 1)
	assert.JSONEq(t, `"{\ufffd"`, string(events[0].After))
}

func TestE13_ReadsHaveARetentionOfTheirOwn(t *testing.T) {
	f := newFace(t)
	f.configure(`{"log": {"maxReads": 3}}`)
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "The staging server listens on 8080"})
	for range 10 {
		get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "staging"})
	}
	assert.Len(t, f.traced(wire.TraceParams{Kinds: []string{"search"}}), 3)
	assert.Len(t, f.traced(wire.TraceParams{Kinds: []string{"memory"}}), 1)
}

func TestE13_WhatIsDeletedLeavesTheTraceOfReads(t *testing.T) {
	s := wire.Params{SessionID: "s"}
	for name, remove := range map[string]func(f *face){
		"session": func(f *face) {
			get[wire.SessionDeleteResult](f, "wm/session/delete", &wire.SessionDeleteParams{Params: s})
		},
		"everything": func(f *face) {
			key := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).Workspace.Key
			get[wire.WorkspacePurgeResult](f, "wm/workspace/purge", &wire.WorkspacePurgeParams{Confirm: key})
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFace(t)
			get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: s})
			get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "The staging server listens on 8080"})
			get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "staging"})
			assert.Len(t, f.traced(wire.TraceParams{Kinds: []string{"search"}}), 1)
			remove(f)
			for _, event := range f.traced(wire.TraceParams{Params: wire.Params{SessionID: "other"}}) {
				assert.False(t, strings.HasPrefix(event.Kind, "search"), event.Kind)
			}
		})
	}
}

func TestE13_WhilePausedNoReadIsRecorded(t *testing.T) {
	f := newFace(t)
	get[wire.PauseResult](f, "wm/pause", &wire.PauseParams{})
	get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "staging"})
	assert.Empty(t, f.traced(wire.TraceParams{Kinds: []string{"search"}}))
}
