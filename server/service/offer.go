package service

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const (
	// MaxErrorOffers is the maximum number of errors that are offered for one place.
	MaxErrorOffers = 5
	// maxSeverity is the least severe diagnostic that is offered: a warning.
	maxSeverity = 2
	// The maximum length, in characters, of an error in a title and in an entry.
	maxTitleError, maxEntryError = 60, 300
)

// An OfferRequest asks what can be remembered about some lines of an open file.
type OfferRequest struct {
	Path        string // relative to the worktree
	First, Last int    // lines, from 1
	// Diagnostics are those that the client has at the lines.
	Diagnostics []wire.Diagnostic
	// Selection is the selected text.
	Selection string
	// Invoked reports whether a person asked, and not the editor by itself.
	Invoked bool
}

// An Offer is an error or a selection that a person can have remembered.
type Offer struct {
	Title string
	// Text is the text of the entry, without the fix; empty for the selection.
	Text string
	// Selection reports whether the offer is the selection.
	Selection bool
}

// Offers returns the errors at the lines, each once, and the selection if a person asked
// for it. If a person asked and the client sent no diagnostics, the errors are those that
// the client has forwarded. There are no offers while recording is paused.
func (v *View) Offers(r OfferRequest) []Offer {
	if v.Paused() {
		return nil
	}
	found := r.Diagnostics
	if r.Invoked && len(found) == 0 {
		found = v.forwarded(r)
	}
	offers := errorOffers(r.Path, found)
	if r.Invoked && strings.TrimSpace(r.Selection) != "" {
		offers = append(offers, Offer{Title: "Remember the selection", Selection: true})
	}
	return offers
}

// errorOffers returns an offer for each error. If there are several diagnostics, the
// titles contain the errors.
func errorOffers(path string, found []wire.Diagnostic) []Offer {
	var offers []Offer
	offered := map[string]bool{}
	for _, d := range found {
		message := shorten.Line(string(d.Message))
		if d.Severity > maxSeverity || message == "" || offered[message] {
			continue
		}
		offered[message] = true
		title := "Remember this error and its fix"
		if len(found) > 1 {
			title += ": " + shorten.Chars(message, maxTitleError)
		}
		offers = append(offers, Offer{Title: title, Text: errorText(path, message, d)})
		if len(offers) == MaxErrorOffers {
			break
		}
	}
	return offers
}

// forwarded returns the errors that the client has forwarded from other language servers.
// Clients that send each server only its own diagnostics, as Neovim does, send none.
func (v *View) forwarded(r OfferRequest) []wire.Diagnostic {
	session := v.who.Session
	var found []wire.Diagnostic
	for _, e := range v.hot().ErrorsAt(session, v.worktree(), r.Path, r.First, r.Last) {
		if _, ok := e.From(hot.Diagnostic, session); ok {
			found = append(found, wire.Diagnostic{
				Source: e.Tool, Code: wire.Code(e.Code), Message: wire.Message(e.Summary),
			})
		}
	}
	return found
}

// errorText returns the text of the entry for an error, without the fix.
func errorText(path, message string, d wire.Diagnostic) string {
	text := fmt.Sprintf("Error in %s: %s", path, shorten.Chars(message, maxEntryError))
	source := d.Source
	if source == wire.SourceWM {
		source = ""
	}
	if reporter := strings.TrimSpace(shorten.Line(source + " " + string(d.Code))); reporter != "" {
		text += " (" + reporter + ")"
	}
	return text
}
