package service

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestAPersonIsToldTheEndOfAPauseInLocalTime(t *testing.T) {
	until := time.Now().Add(time.Hour)
	year := until.AddDate(0, 11, 0)
	for _, c := range []struct {
		name string
		at   wire.Time
		want string
	}{
		{"a pause", wire.At(until), "Recording is paused until " + until.Local().Format("15:04") + "."},
		{"a long one", wire.At(year), "Recording is paused until " + year.Local().Format("2 Jan 15:04") + "."},
		{"no pause", "", "Recording is on."},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, PauseMessage(wire.PauseResult{PausedUntil: c.at}))
		})
	}
}

func TestWhoIsRefusedForAPauseIsToldHowToResume(t *testing.T) {
	named := `{"sessionId": "s", "agent": "coder"`
	for name, c := range map[string]struct{ settings, want string }{
		"a person, whom the editor offers it": {`{"sessionId": "s"}`, ""},
		"a hook or a command":                 {`{"attach": true}`, ""},
		"an agent, by its method":             {named + `}`, "; resume it with wm/pause"},
		"an agent, by the name of its tool": {
			named + `, "toolNames": {"wm/pause": "memory_pause"}}`, "; resume it with memory_pause",
		},
		"an agent without the tool, whose user does it": {
			named + `, "toolNames": {"wm/context": "memory_context"}}`,
			"; the user resumes it in the editor, or with wm-lsp pause --resume",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFaceOf(t, c.settings)
			get[wire.PauseResult](f, "wm/pause", &wire.PauseParams{})
			said := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Prices are cents"}).Message
			assert.Regexp(t, `^recording is paused until [0-9]{2}:[0-9]{2}`+regexp.QuoteMeta(c.want)+`$`, said)
		})
	}
}

func TestThePanelSaysOnceUntilWhenRecordingIsPaused(t *testing.T) {
	f := newFace(t)
	shown := func() wire.PanelResult { return get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{}) }
	assert.Empty(t, shown().PausedUntil)
	until := get[wire.PauseResult](f, "wm/pause", &wire.PauseParams{}).PausedUntil
	require.NotEmpty(t, until)
	built := shown()
	assert.Equal(t, until, built.PausedUntil)
	for _, section := range built.Sections {
		assert.NotContains(t, section.Summary, "paused", section.ID)
	}
}
