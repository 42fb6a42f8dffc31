package lsp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// agents returns the labels of the rows of the sessions, as another reader of the panel sees them.
func (p *peer) agents() []string {
	p.t.Helper()
	var shown wire.PanelResult
	p.call("wm/panel", map[string]any{"sections": []string{"sessions"}}, &shown)
	require.Len(p.t, shown.Sections, 1)
	labels := []string{}
	for _, item := range shown.Sections[0].Items {
		labels = append(labels, item.Label+", "+item.Icon)
	}
	return labels
}

func TestAReloadedWindowIsThereForOthersBeforeItDoesAnything(t *testing.T) {
	reader := startWith(t, map[string]any{"agent": "reader", "attach": true})
	former := startIn(t, nil, reader.root, reader.data, "")
	former.open(former.write("a.go", "package a\n"), "package a\n")
	reader.eventually("the window is there", func() bool { return len(reader.agents()) == 1 })
	former.end()
	reader.eventually("it is closed", func() bool {
		return assert.ObjectsAreEqual([]string{"test, circle-outline"}, reader.agents())
	})
	startIn(t, nil, reader.root, reader.data, "")
	reader.eventually("it is back, and what it was before is not listed", func() bool {
		return assert.ObjectsAreEqual([]string{"test, circle-filled"}, reader.agents())
	})
}

func TestAnEditorThatIsNewToAFolderBeginsWithItsFirstEvent(t *testing.T) {
	reader := startWith(t, map[string]any{"agent": "reader", "attach": true})
	for _, options := range []map[string]any{{}, {"agent": "agent"}} {
		p := startIn(t, nil, reader.root, reader.data, "", options)
		p.call("wm/status", nil, nil)
		p.server.service.Return()
		p.call("wm/status", nil, nil) // it waits for what came before
		assert.Empty(t, reader.agents())
	}
}
