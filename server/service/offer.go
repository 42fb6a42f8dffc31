package service

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const (
	// MaxOffers is how many errors of one place are offered to be remembered.
	MaxOffers = 5
	// maxSeverity is the least severe diagnostic that is offered: a warning.
	maxSeverity = 2
)

// A Place is some lines of a file that is open in an editor.
type Place struct {
	Path        string // relative to the worktree
	First, Last int    // lines, from 1
}

// An Offer is an error that a person may have remembered, with its fix.
type Offer struct {
	Title string
	// Text is that of the memory, without the fix.
	Text string
}

// OfferSelection is the title under which a selected text is offered.
const OfferSelection = "Remember the selection"

// Offering reports whether anything is offered now: not while recording is paused.
func (v *View) Offering() bool { return !v.Paused() }

// OfferErrors returns the errors at a place that may be remembered. They are those
// which the client found there, or, if a person asked and the client named none,
// those which it has forwarded. Each is offered once; where there are several,
// the title says which one it is about.
func (v *View) OfferErrors(place Place, found []wire.Diagnostic, asked bool) []Offer {
	if asked && len(found) == 0 {
		found = v.forwarded(place)
	}
	var offers []Offer
	told := map[string]bool{}
	for _, d := range found {
		message := oneLine(string(d.Message))
		if d.Severity > maxSeverity || message == "" || told[message] {
			continue
		}
		told[message] = true
		title := "Remember this error and its fix"
		if len(found) > 1 {
			title += ": " + clipped(message, 60)
		}
		offers = append(offers, Offer{Title: title, Text: errorText(place.Path, message, d)})
		if len(offers) == MaxOffers {
			break
		}
	}
	return offers
}

// forwarded returns the errors of other language servers that the client has
// forwarded for a place. Clients that name to each server only its own
// diagnostics, as Neovim does, ask without them.
func (v *View) forwarded(place Place) []wire.Diagnostic {
	session := v.who.Session
	var found []wire.Diagnostic
	room := memory.RoomOf[*hot.Room](v.Workspace)
	for _, e := range room.ErrorsAt(session, v.worktree(), place.Path, place.First, place.Last) {
		if _, mine := e.From(hot.Diagnostic, session); mine {
			found = append(found, wire.Diagnostic{
				Source: e.Tool, Code: wire.Code(e.Code), Message: wire.Message(e.Summary),
			})
		}
	}
	return found
}

// errorText is the memory of an error, without its fix.
func errorText(path, message string, d wire.Diagnostic) string {
	text := fmt.Sprintf("Error in %s: %s", path, clipped(message, 300))
	if reporter := strings.TrimSpace(oneLine(d.Source + " " + string(d.Code))); reporter != "" {
		text += " (" + reporter + ")"
	}
	return text
}

func clipped(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
