package service

import (
	"context"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// maxPauseMinutes is the longest pause, a year, as for the setting recording.pauseMinutes.
const maxPauseMinutes = 525600

// Pause implements wm/pause.
func (s *Service) Pause(ctx context.Context, at *View, params *wire.PauseParams) (wire.PauseResult, error) {
	if params.Minutes < 0 || params.Minutes > maxPauseMinutes {
		return wire.PauseResult{}, fault.Invalid(
			"minutes", "must be 0 to %d, which is a year, got %d", maxPauseMinutes, params.Minutes)
	}
	until := time.Time{}
	if !params.Resume {
		minutes := params.Minutes
		if minutes == 0 {
			minutes = at.Settings().Recording.PauseMinutes
		}
		until = time.Now().Add(time.Duration(minutes) * time.Minute)
	}
	_, err := at.Apply(ctx, at.Actor(), func() ([]change.Change, error) { return at.Sessions().Pause(until), nil })
	return wire.PauseResult{PausedUntil: at.pausedUntil()}, err
}

// PauseOrResume implements the command wm.pause. Without parameters it resumes recording if it
// is paused, so that one key does both.
func (s *Service) PauseOrResume(
	ctx context.Context, at *View, params *wire.PauseParams,
) (wire.PauseResult, error) {
	both := *params
	both.Resume = both.Resume || both.Minutes == 0 && at.Paused()
	return s.Pause(ctx, at, &both)
}

// pausedUntil returns when recording resumes, or the empty time if it is not paused.
func (v *View) pausedUntil() wire.Time {
	if !v.Paused() {
		return ""
	}
	return wire.At(v.Sessions().PausedUntil())
}

// pausedReceipts returns a receipt for everything that an event asks to remember while recording
// is paused.
func (v *View) pausedReceipts(ev event.Event) []wire.Receipt {
	var events gate.Events
	result := []wire.Receipt{}
	for _, asked := range v.longterm().Asked(events.Redact(ev).Body) {
		result = append(result, v.pausedReceipt(asked.Text))
	}
	return result
}

// pausedReceipt returns the receipt for a request to remember a string while recording is paused.
func (v *View) pausedReceipt(text string) wire.Receipt {
	return wire.Receipt{
		Status: wire.ReceiptRejected, Reason: "paused", Text: gate.Text(text), Message: v.whilePaused(),
		PausedUntil: v.pausedUntil(),
	}
}

// whilePaused returns until when nothing is kept, and to an agent how that ends. Editors and the command line
// offer a person to resume recording.
func (v *View) whilePaused() string {
	said := "recording is paused until " + panel.Time(v.Now(), v.Sessions().PausedUntil())
	tool, offered := v.tools[pauseMethod]
	switch {
	case v.person || v.attach:
		return said
	case v.tools == nil:
		return said + "; resume it with " + pauseMethod
	case offered:
		return said + "; resume it with " + tool
	}
	return said + "; the user resumes it in the editor, or with wm-lsp pause --resume"
}

const pauseMethod = "wm/pause"

// recording returns an error while recording is paused.
func (v *View) recording() error {
	if !v.Paused() {
		return nil
	}
	return fault.Refuse(fault.Paused, fault.Data{}, "nothing was written: %s", v.whilePaused())
}

// PauseMessage returns the message to a person for the result of Pause.
func PauseMessage(result wire.PauseResult) string {
	if result.PausedUntil == "" {
		return "Recording is on."
	}
	return fmt.Sprintf("Recording is paused until %s.", result.PausedUntil.Beside(time.Now()))
}
