package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A RememberRequest is the request of a person to remember something in an editor.
type RememberRequest struct {
	// Text is what to remember. If it is empty, Selection is remembered.
	Text, Selection string
	// Type is the type of the entry; empty is the default.
	Type string
	// Path is the file that the entry is about, relative to the worktree, or empty.
	Path string
	// Fix describes how to fix the error in Text. It may be empty.
	Fix string
}

// Remember adds an entry to the workspace memory. It must be called on the queue.
func (s *Service) Remember(ctx context.Context, at *View, r RememberRequest) (wire.Receipt, error) {
	add := wire.MemoryAddParams{Text: cmp.Or(r.Text, r.Selection), Type: r.Type}
	if r.Path != "" {
		add.Files = []string{r.Path}
	}
	if strings.TrimSpace(add.Text) == "" {
		return wire.Receipt{}, fault.Invalid("text", "is missing; send text, or uri and range")
	}
	if fix := strings.TrimSpace(r.Fix); fix != "" {
		add.Text = strings.TrimSpace(add.Text) + ". Fix: " + fix
	}
	return s.MemoryAdd(ctx, at, &add)
}

// RememberMessage returns the message for the receipt of Remember. more are further sentences about the entry, each
// after a space; ids is that of Related.
func RememberMessage(receipt wire.Receipt, more string, ids bool) string {
	said := "Remembered."
	switch receipt.Status {
	case wire.ReceiptRejected:
		said = fmt.Sprintf("Not remembered: %s.", cmp.Or(receipt.Message, receipt.Reason))
	case wire.ReceiptMerged:
		said = "Already remembered; merged with the existing entry."
	}
	said += more
	for _, sentence := range []string{Related(receipt, ids), MovedOut(receipt)} {
		if sentence != "" {
			said += " " + sentence
		}
	}
	return said
}

// maxQuoted is how much of a related entry, and of a string that was not kept, is quoted, in characters.
const maxQuoted = 60

// Related returns the sentences that tell of the entries that contradict a new one or say nearly the same, "" if there
// are none. If ids is true, they are named by their ids, too, with which a command or an agent can forget them. In an
// editor the panel asks.
func Related(receipt wire.Receipt, ids bool) string {
	var said []string
	for _, relation := range []wire.EntryRelation{wire.RelationContrary, wire.RelationAlike} {
		var names []string
		for _, other := range receipt.Related {
			if other.Relation != relation {
				continue
			}
			name := strconv.Quote(shorten.Chars(shorten.Line(other.Text), maxQuoted))
			if ids {
				name += " (" + other.ID + ")"
			}
			names = append(names, name)
		}
		if len(names) == 0 {
			continue
		}
		does, decide := "It contradicts ", "forget what does not hold."
		if relation == wire.RelationAlike {
			does, decide = "It says nearly the same as ", "one of them is enough."
		}
		if !ids {
			decide = "the panel asks what is to be kept."
		}
		said = append(said, does+strings.Join(names, " and ")+": "+decide)
	}
	return strings.Join(said, " ")
}

// MovedOut returns the sentence that tells a person which entries had to make room, "" if none had.
func MovedOut(receipt wire.Receipt) string {
	const full = "The memory is full: "
	switch n := len(receipt.Evicted); {
	case n == 0:
		return ""
	case slices.Contains(receipt.Evicted, receipt.ID):
		return full + "this is in no context; search finds it."
	case n == 1:
		return full + "another entry was moved out of every context; search still finds it."
	default:
		return fmt.Sprintf(full+"%d other entries were moved out of every context; search still finds them.", n)
	}
}
