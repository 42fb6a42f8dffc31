package service

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestAPersonIsToldTheEndOfAPauseInLocalTime(t *testing.T) {
	until := time.Date(2026, 3, 1, 22, 39, 27, 0, time.UTC)
	for _, c := range []struct {
		name string
		at   wire.Time
		want string
	}{
		{"a pause", wire.At(until), "Recording is paused until " + until.Local().Format(time.DateTime) + "."},
		{"no pause", "", "Recording is on."},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, PauseMessage(wire.PauseResult{PausedUntil: c.at}))
		})
	}
}
