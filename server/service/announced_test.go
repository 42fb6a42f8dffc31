package service

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// age matches how long ago something was, which changes with the time.
var age = regexp.MustCompile(`just now|[0-9]+ (?:min|h) ago`)

// sections returns what the sections of the panel and of the context say, by id: those of a session, and those of an
// editor, whose panel shows the memory of an agent.
func sections(t *testing.T, f *face, at *View) (ofPanel, ofContext map[string]string) {
	t.Helper()
	ofPanel, ofContext = map[string]string{}, map[string]string{}
	for _, session := range []string{at.who.Session, "editor"} {
		reader := panelReader{workspace: at.Workspace, session: session, own: session, worktree: at.worktree()}
		for _, section := range reader.build(nil).Sections {
			doc, err := wire.Encode(section)
			require.NoError(t, err)
			ofPanel[section.ID] += age.ReplaceAllString(string(doc), "")
		}
		request := assembly.Request{Reader: room.Reader{Session: session, Worktree: at.worktree()}}
		for _, section := range f.service.contexts.Compose(at.Workspace, request).Answer("").Context.Sections {
			ofContext[section.ID] += section.Text
		}
	}
	return ofPanel, ofContext
}

// differing returns the ids of the sections that are not the same.
func differing(before, after map[string]string) (ids []string) {
	for id := range after {
		if before[id] != after[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestARoomAnnouncesEverySectionThatItsChangesAffect(t *testing.T) {
	f := newFace(t)
	f.write("cart.go", "package cart\n")
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	f.service.Settle(t.Context(), at)
	for _, c := range walk(f) {
		params := c.params()
		length, err := at.LogLength(t.Context())
		require.NoError(t, err)
		panelBefore, contextBefore := sections(t, f, at)
		result, err := f.call(c.name, params)
		require.Equal(t, c.check == nil, err != nil, c.name)
		if c.check != nil {
			c.check(t, result) // later calls need what it finds
		}
		at.WritePending(t.Context())
		f.service.Settle(t.Context(), at)
		changes, err := at.Trace(t.Context(), store.Filter{After: length})
		require.NoError(t, err)
		var kinds []change.Kind
		var ofPanel, ofContext []string
		for _, c := range changes {
			noun := at.Nouns()[c.Kind.Noun()]
			kinds = append(kinds, c.Kind)
			ofPanel, ofContext = append(ofPanel, noun.Panel...), append(ofContext, noun.Context...)
		}
		panelAfter, contextAfter := sections(t, f, at)
		assert.Subset(t, ofPanel, differing(panelBefore, panelAfter), "the panel after %s, which wrote %q",
			c.name, kinds)
		assert.Subset(t, ofContext, differing(contextBefore, contextAfter), "the context after %s, which wrote %q",
			c.name, kinds)
	}
}

func TestTheSectionsThatRoomsAnnounceExist(t *testing.T) {
	f := newFace(t)
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	for _, noun := range at.Nouns() {
		assert.Subset(t, panelReader{workspace: at.Workspace}.sectionIDs(), noun.Panel, noun.Name)
		assert.Subset(t, assembly.SectionIDs(at.Workspace), noun.Context, noun.Name)
	}
}
