package assembly

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

func TestD6_TheGuideSaysWhatTheModelIsResponsibleFor(t *testing.T) {
	d := newDesk(t)
	texts, _ := d.sections(Request{Guide: true})
	assert.LessOrEqual(t, len([]rune(texts["guide"])), MaxGuideChars)
	for _, said := range []string{
		"workspace_memory", "core_memory", "overview", "working_memory", "session_state", "detail/",
		"20 %", "40 %", "60 %", "at 75 % the server does", "the last 3 to 5 turns, the task, the decisions",
		"/data/s/working-memory/overview.md", "wm/memory/add", "wm/memory/remove", "wm/core/update", "wm/notes/write",
		"wm/history/compact", "archive old discussion to detail/", "keep the decisions and the task",
	} {
		assert.Contains(t, texts["guide"], said)
	}
	d.settings.Compact.Auto = false
	texts, _ = d.sections(Request{Guide: true})
	assert.NotContains(t, texts["guide"], "the server does", "it compacts only if it is set to")
}

func TestTheGuideNamesOnlyWhatTheAgentCanCall(t *testing.T) {
	d := newDesk(t)
	texts, _ := d.sections(Request{Guide: true, Tools: map[string]string{
		"wm/memory/add": "memory_add", "wm/memory/remove": "memory_remove",
	}})
	assert.Contains(t, texts["guide"], "memory_add")
	assert.Contains(t, texts["guide"], "Compact by yourself")
	assert.NotContains(t, texts["guide"], "wm/")
}

func TestTheGuidePromisesACompactionOnlyWhereTheServerCanDoIt(t *testing.T) {
	d := newDesk(t)
	tools := map[string]string{"wm/history/compact": "compact_history"}
	texts, _ := d.sections(Request{Guide: true, Tools: tools})
	assert.Contains(t, texts["guide"], "Compact with compact_history. Always kept")
	assert.NotContains(t, texts["guide"], "the server does", "nobody reports how full the context is")
	tools["wm/usage/reported"] = "report_usage"
	texts, _ = d.sections(Request{Guide: true, Tools: tools})
	assert.Contains(t, texts["guide"], "Compact with compact_history; at 75 % the server does.")
	texts, _ = d.sections(Request{Guide: true, Tools: tools, Hosted: true})
	assert.Contains(t, texts["guide"], "Your host compacts the conversation.")
	for _, not := range []string{"the server does", "compact_history", "75 %", "Always kept"} {
		assert.NotContains(t, texts["guide"], not)
	}
}

func TestTheGuideTellsAnAgentToCreateTheOverviewWhereTheServerDoesNot(t *testing.T) {
	const said = "/data/s/working-memory/overview.md (you create it, and its folder)."
	d := newDesk(t)
	texts, _ := d.sections(Request{Guide: true})
	assert.NotContains(t, texts["guide"], said, "the template is there")
	texts, _ = d.sections(Request{Guide: true, Hosted: true})
	assert.Contains(t, texts["guide"], said)
	d.settings.Notes.Create = false
	texts, _ = d.sections(Request{Guide: true})
	assert.Contains(t, texts["guide"], said)
}

func TestTheGuideHasRoomForAnOrdinaryPath(t *testing.T) {
	d := newDesk(t)
	folder := "/home/somebody/.local/share/wm-lsp/workspaces/" + strings.Repeat("0", 16) +
		"/sessions/" + strings.Repeat("0", 32)
	d.from.notes = notes.New(room.Env{SessionDir: func(string) (string, error) { return folder, nil }})
	for _, hosted := range []bool{false, true} {
		texts, _ := d.sections(Request{Guide: true, Hosted: hosted})
		assert.Contains(t, texts["guide"], folder+"/working-memory/overview.md")
	}
}

func TestAGuideWithALongPathStaysShort(t *testing.T) {
	d := newDesk(t)
	d.from.notes = notes.New(room.Env{SessionDir: func(string) (string, error) {
		return "/" + strings.Repeat("long/", 100), nil
	}})
	texts, _ := d.sections(Request{Guide: true})
	assert.LessOrEqual(t, len([]rune(texts["guide"])), MaxGuideChars)
	assert.Contains(t, texts["guide"], "overview.md")
}

func TestD3_WithoutTheGuideThereIsOneLineThatStaysTheSame(t *testing.T) {
	d := newDesk(t)
	texts, _ := d.sections(Request{})
	assert.NotContains(t, texts["guide"], "\n")
	assert.Less(t, len(texts["guide"]), 100)
	d.fill()
	later, _ := d.sections(Request{})
	assert.Equal(t, texts["guide"], later["guide"])
}
