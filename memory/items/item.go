// Package items is the room of the items of the orchestrated memory (systems.md E1): observations,
// facts, thoughts, messages. They are rows of tables in the database. They are not held in memory
// and are not in the snapshot.
package items

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/memory/change"
)

// Noun is the noun of the changes of this room.
const Noun = "item"

// The kinds of changes. The subject is the id of the item.
const (
	// Memorized means that an item was stored, Updated that data besides its text was set, such as its
	// store. The payload is the Item.
	Memorized change.Kind = "item.memorized"
	Updated   change.Kind = "item.updated"
	// Rejected means that an item was not stored. The payload is a refusal, without the text.
	Rejected change.Kind = "item.rejected"
	// Evicted means that an item had to make room for others, Expired that its time is over,
	// Superseded that there is a newer version, and Removed that somebody removed it. The item is no
	// longer recalled. Restored means that one that was removed is recalled again. Its payload is the Item.
	Evicted    change.Kind = "item.evicted"
	Expired    change.Kind = "item.expired"
	Superseded change.Kind = "item.superseded"
	Removed    change.Kind = "item.removed"
	Restored   change.Kind = "item.restored"
)

// A Redaction is how much of an item was redacted.
type Redaction string

// The redactions.
const (
	None    Redaction = "none"
	Partial Redaction = "partial"
	Full    Redaction = "full" // nothing of the text is left
)

// An Item is what is stored of an item. Empty members are unknown.
type Item struct {
	ID    string `json:"id"`
	Store string `json:"store"`
	Type  string `json:"type"`
	Text  string `json:"text"`
	// Content is structured content beside the text, Metadata an object of the client.
	Content  json.RawMessage `json:"content,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Tokens   int             `json:"size"` // not "tokens", which redaction takes for a name of secrets
	// At is when it happened, MemorizedAt when it was memorized if that was later.
	At          time.Time `json:"at"`
	MemorizedAt time.Time `json:"memorizedAt,omitzero"`
	ModifiedAt  time.Time `json:"modifiedAt,omitzero"`
	Session     string    `json:"session,omitempty"`
	// Own is true if the item belongs to its session alone, and goes with it.
	Own     bool   `json:"own,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Task    string `json:"task,omitempty"`
	Episode string `json:"episode,omitempty"`
	// Thread is a channel of the client; without one the session is the thread.
	Thread string `json:"thread,omitempty"`
	// Hidden is true if the store is not searchable.
	Hidden     bool      `json:"hidden,omitempty"`
	Importance float64   `json:"importance"`
	Novelty    float64   `json:"novelty"`
	Source     string    `json:"source,omitempty"`
	Tags       []string  `json:"tags,omitempty"`
	Retention  string    `json:"retention,omitempty"`
	TTL        int64     `json:"ttl,omitempty"` // seconds
	Embedding  []float32 `json:"embedding,omitempty"`
	Terms      []string  `json:"terms,omitempty"`
	Redaction  Redaction `json:"redaction,omitempty"` // empty is None
	Position   int       `json:"position,omitempty"`
	Step       int       `json:"step,omitempty"`
	Parent     string    `json:"parent,omitempty"`
	Chunk      *int      `json:"chunk,omitempty"`
	Version    int       `json:"version,omitempty"`
	Lineage    []string  `json:"lineage,omitempty"`
	// From and To are when the item is valid.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`

	// The others are columns of the table.

	// AccessedAt is when the item was last recalled, DeletedAt when it was evicted, expired or
	// superseded, which Ended says.
	AccessedAt time.Time `json:"-"`
	DeletedAt  time.Time `json:"-"`
	Ended      string    `json:"-"`
	// Checksum is the SHA-256 of the text, a zero byte and the content, in hex.
	Checksum string `json:"-"`
}

// putInto sets the store of an item and what follows from it.
func (i *Item) putInto(store Store) {
	i.Store, i.Hidden, i.Retention = store.Name, !store.Searchable, cmp.Or(i.Retention, store.Retention)
	i.Own = store.PerSession || i.Retention == asItsSession
}

// checksum returns the SHA-256 of the text and the content.
func checksum(text string, content json.RawMessage) [sha256.Size]byte {
	if len(content) == 0 {
		return sha256.Sum256([]byte(text))
	}
	h := sha256.New()
	h.Write([]byte(text))
	h.Write([]byte{0})
	h.Write(content)
	return [sha256.Size]byte(h.Sum(nil))
}

// ChecksumOf returns the checksum of an item with this text and content, see Item.Checksum.
func ChecksumOf(text string, content json.RawMessage) string {
	sum := checksum(text, content)
	return hex.EncodeToString(sum[:])
}

// Until returns the time after which an item is no longer recalled, or zero if it always is: the
// earliest of the ends of its retention, which begins when it was memorized, of its time to live, which begins
// when it happened, and of its validity.
func (i *Item) Until() time.Time {
	until := i.To
	earliest := func(end time.Time) {
		if until.IsZero() || end.Before(until) {
			until = end
		}
	}
	if kept := retentions.Get()[i.Retention]; kept > 0 {
		from := i.At
		if !i.MemorizedAt.IsZero() {
			from = i.MemorizedAt
		}
		earliest(from.Add(kept))
	}
	if i.TTL > 0 {
		earliest(i.At.Add(time.Duration(i.TTL) * time.Second))
	}
	return until
}

// IsOver reports whether an item may no longer be recalled at a time.
func (i *Item) IsOver(now time.Time) bool {
	until := i.Until()
	return !until.IsZero() && !now.Before(until)
}

// A span is when an item is recalled.
type span struct {
	from, until time.Time // the zero time is always
	// policy is the retention if nothing else limits the span, else "". Such a span is the same for what is memorized
	// again.
	policy string
}

// spanAt returns when an item is recalled from a time on.
func (i *Item) spanAt(now time.Time) span {
	s := span{until: i.Until()}
	if i.From.After(now) {
		s.from = i.From
	}
	if i.TTL == 0 && i.To.IsZero() {
		s.policy = i.Retention
	}
	return s
}

// covers reports whether an item with one span is recalled whenever one with the other is.
func (s span) covers(other span) bool {
	begins := s.from.IsZero() || !other.from.IsZero() && !s.from.After(other.from)
	ends := s.until.IsZero() || !other.until.IsZero() && !s.until.Before(other.until) ||
		s.policy != "" && s.policy == other.policy
	return begins && ends
}

// asItsSession is the retention of an item that is kept as long as its session.
const asItsSession = "session"

// retentions are the policies of retention: how long an item is kept. 0 is for ever, or, for
// asItsSession, as long as its session.
var retentions = once.Value[map[string]time.Duration]{Make: func() map[string]time.Duration {
	return map[string]time.Duration{
		"forever": 0, asItsSession: 0, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "month": 30 * 24 * time.Hour,
		"quarter": 91 * 24 * time.Hour, "year": 365 * 24 * time.Hour,
	}
}}
