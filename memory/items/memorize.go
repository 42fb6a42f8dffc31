package items

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/items/episode"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Limits of a batch and of an item.
const (
	MaxBatch     = 1000
	maxText      = 64 << 10 // bytes, of the text, and of the content with the metadata
	maxTags      = 50
	maxLabel     = 200 // characters of a tag, an id of an agent and such
	maxQuoted    = 40  // bytes of a wrong value in a problem
	maxEmbedding = 4096
	maxTTL       = 100 * 365 * 24 * 3600
)

// Auto is the store of an item that is routed.
const Auto = "auto"

// A Draft is an item as a client gives it. Only the text is required.
type Draft struct {
	Item
	// Importance overrides the estimated one.
	Importance *float64
	// Scores are members of the item that the client gave and that must be numbers from 0 to 1,
	// though nothing else is done with them, by name.
	Scores map[string]float64
	// Sum is the checksum that the client gave, in hex, or "".
	Sum string
}

// An Outcome is what became of a draft.
type Outcome struct {
	ID string
	// Store is where the item is, "" if it was rejected.
	Store string
	// Status is "stored", "updated", "duplicate" or "rejected".
	Status string
	// Reason is "importance" or "novelty" for what was rejected, the rule for what was routed or put away at once.
	Reason string
	// Evicted are the ids of items that had to make room for it.
	Evicted []string
}

// The values of Outcome.Status.
const (
	Stored    = "stored"
	Unchanged = "duplicate"
	Changed   = "updated"
	Refused   = "rejected"
)

// A refusal is the payload of Rejected.
type refusal struct {
	Store      string  `json:"store"`
	Importance float64 `json:"importance"`
	Needed     float64 `json:"needed"`
	Novelty    float64 `json:"novelty"`
	// Like is the id of the most similar item.
	Like string `json:"like,omitempty"`
}

// A Batch is a list of drafts that are ready to be stored: valid, redacted, and scored as far as
// that does not depend on what is stored.
type Batch struct {
	registry *Registry
	limits   settings.Items
	decay    float64 // of recency, per day
	drafts   []prepared
}

type prepared struct {
	Item
	given  bool // the client gave the importance
	ownID  bool // the client gave the id
	store  Store
	why    string
	sketch gating.Sketch
	keys   []key
	sum    [sha256.Size]byte // see Item.Checksum
	clean  []string          // see change.Change.Clean
}

// maxClean is how many strings of a draft are clean at most.
const maxClean = 9

// aheadMost is how far the clock of a client may be ahead. An item of that time is one of now.
const aheadMost = time.Minute

// Prepare checks, redacts and scores drafts. The error is a fault that names the member and the
// index of the first invalid item. The items without a time, session, agent or task get those of
// origin.
func (r *Room) Prepare(
	drafts []Draft, origin Item, registry *Registry, mandates []gating.Mandate,
) (*Batch, error) {
	set := r.env.Settings()
	batch := &Batch{
		registry: registry, limits: set.Items, decay: set.Recall.Decay, drafts: make([]prepared, len(drafts)),
	}
	if err := check(drafts, registry); err != nil {
		return nil, err
	}
	latest := r.env.Now().Add(aheadMost)
	for i, d := range drafts {
		if d.At.After(latest) {
			return nil, fault.Invalid(fmt.Sprintf("items[%d].timestamp", i), "must not be in the future, got %s",
				d.At.UTC().Format(time.RFC3339))
		}
	}
	var known labels
	cores.ForEach(batch.drafts, func(i int, p *prepared) {
		*p = prepare(drafts[i], origin, registry, mandates, &known)
	})
	for i := range batch.drafts { // in their order
		p := &batch.drafts[i]
		p.ID = cmp.Or(p.ID, r.env.NewID())
	}
	return batch, nil
}

// prepare returns a draft without the id that it gets if it has none.
func prepare(d Draft, origin Item, registry *Registry, mandates []gating.Mandate, known *labels) prepared {
	p := prepared{Item: d.Item, given: d.Importance != nil, ownID: d.ID != ""}
	p.ID, p.Session = strings.ToUpper(p.ID), origin.Session
	if p.Thread == "" && (p.Type == "" || p.Type == observation) && (d.Agent != "" || d.Source != "") {
		p.Thread = p.Session // it says whose it is, so it is a turn
	}
	p.Task = cmp.Or(p.Task, origin.Task)
	if p.Source != "user" { // what a user says is not said by the agent that hands it over
		p.Agent = cmp.Or(p.Agent, origin.Agent)
	}
	now := origin.At.UTC().Truncate(time.Millisecond)
	if p.At = p.At.UTC().Truncate(time.Millisecond); p.At.IsZero() || p.At.After(now) {
		p.At = now
	}
	if p.At.Before(now) {
		p.MemorizedAt = now
	}
	p.redact()
	piece := gating.Piece{Type: p.Type, Text: p.Text, Source: p.Source}
	name := p.Store
	if name == "" || name == Auto {
		p.store, p.why = registry.route(piece)
	} else {
		p.store, _ = registry.Store(name)
		p.why = "as asked"
	}
	p.Type = cmp.Or(p.Type, typeIn(p.store.Name))
	p.putInto(p.store)
	if d.Importance != nil {
		p.Importance = *d.Importance
	} else {
		p.Importance = gating.Importance(piece, mandates)
	}
	p.Tokens = tokens.Count(p.Text)
	p.sketch = gating.SketchOf(p.Text)
	p.keys = keysOf(&p.Item, p.sketch)
	p.sum = checksum(p.Text, p.Content)
	p.clean = append(make([]string, 0, maxClean), p.Text, p.At.Format(time.RFC3339Nano)) // see redact
	if !p.MemorizedAt.IsZero() {
		p.clean = append(p.clean, p.MemorizedAt.Format(time.RFC3339Nano))
	}
	for _, label := range [...]string{p.Type, p.Source, p.Retention, p.Agent, p.Task, p.Thread} {
		if label != "" && known.isClean(label) {
			p.clean = append(p.clean, label)
		}
	}
	return p
}

// labels are the labels of the items of a batch that were looked at, and whether they hold no secret. They recur.
type labels struct{ clean sync.Map }

func (l *labels) isClean(label string) bool {
	clean, known := l.clean.Load(label)
	if !known {
		_, found := redact.Text(label)
		clean = found == 0
		l.clean.Store(label, clean)
	}
	return clean.(bool)
}

// typeIn returns the type of an item without one in a store.
func typeIn(store string) string {
	switch store {
	case gating.Working:
		return "thought"
	case gating.Semantic:
		return "fact"
	}
	return observation
}

// asEncoded returns a document as it is in a payload, so that its checksum is that of what is read again.
func asEncoded(doc json.RawMessage) json.RawMessage {
	if len(doc) == 0 {
		return nil
	}
	encoded, err := json.Marshal(doc)
	if err != nil {
		return doc // cannot be: it was checked
	}
	return encoded
}

// observation is the type of an item that is of no other.
const observation = "observation"

// redact takes the secrets out of the text and the data, before anything is computed from them. The
// labels are redacted with the change.
func (p *prepared) redact() {
	p.Text = strings.ToValidUTF8(p.Text, "\uFFFD")
	defer func() { p.Content, p.Metadata = asEncoded(p.Content), asEncoded(p.Metadata) }()
	text, found := redact.Text(p.Text)
	content, inContent := redact.JSON(p.Content)
	metadata, inMetadata := redact.JSON(p.Metadata)
	if found+inContent+inMetadata == 0 {
		return
	}
	p.Text, p.Content, p.Metadata, p.Redaction = text, content, metadata, Partial
	if redact.OnlyMarkers(text) {
		p.Redaction = Full
	}
}

// check returns a fault for the first invalid draft.
func check(drafts []Draft, registry *Registry) error {
	switch {
	case len(drafts) == 0:
		return fault.Invalid("items", "must have at least one item")
	case len(drafts) > MaxBatch:
		return fault.Invalid("items", "must have at most %d items, got %d; send them in several calls", MaxBatch,
			len(drafts))
	}
	ids := map[string]int{}
	for i := range drafts {
		field, reason := drafts[i].wrong(registry)
		if reason != "" {
			return fault.Invalid(fmt.Sprintf("items[%d].%s", i, field), "%s", reason)
		}
		if id := strings.ToUpper(drafts[i].ID); id != "" { // ULIDs have no case
			if first, twice := ids[id]; twice {
				return fault.Invalid(fmt.Sprintf("items[%d].id", i),
					"is the id of items[%d], too; an id is for one item", first)
			}
			ids[id] = i
		}
	}
	return nil
}

// wrong returns the name of an invalid member and what is wrong with it, or "".
func (d *Draft) wrong(registry *Registry) (field, reason string) {
	switch {
	case !strings.ContainsFunc(d.Text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }):
		return "text", "must not be empty"
	case len(d.Text) > maxText:
		return "text", fmt.Sprintf("must be at most %d bytes, got %d; write it into a note and memorize what it says",
			maxText, len(d.Text))
	case len(d.Content)+len(d.Metadata) > maxText:
		return "content", fmt.Sprintf("must be at most %d bytes with the metadata, got %d", maxText,
			len(d.Content)+len(d.Metadata))
	case len(d.Metadata) > 0 && !isObject(d.Metadata):
		return "metadata", "must be an object"
	case len(d.Content) > 0 && !json.Valid(d.Content):
		return "content", "must be JSON"
	case d.ID != "" && !isULID(d.ID):
		return "id", fmt.Sprintf("must be a ULID, 26 characters such as 01JH2Z8N6T3V5W7X9YABCDEFGH, got %q; leave it "+
			"out and the server makes one", shorten.Bytes(d.ID, maxQuoted))
	case d.Importance != nil && !isScore(*d.Importance):
		return "importance", scoreReason(*d.Importance)
	case d.TTL < 0 || d.TTL > maxTTL:
		return "ttl", fmt.Sprintf("must be from 0 to %d seconds, got %d", maxTTL, d.TTL)
	case d.Position < 0:
		return "position", notNegative(d.Position)
	case d.Step < 0:
		return "stepIndex", notNegative(d.Step)
	case d.Chunk != nil && *d.Chunk < 0:
		return "chunkIndex", notNegative(*d.Chunk)
	case len(d.Tags) > maxTags:
		return "tags", fmt.Sprintf("must be at most %d, got %d", maxTags, len(d.Tags))
	case len(d.Terms) > maxLabel:
		return "sparseTerms", fmt.Sprintf("must be at most %d, got %d", maxLabel, len(d.Terms))
	case len(d.Embedding) > maxEmbedding:
		return "embedding", fmt.Sprintf("must have at most %d numbers, got %d", maxEmbedding, len(d.Embedding))
	case d.Source != "" && !slices.Contains(sources, d.Source):
		return "source", fmt.Sprintf("must be one of %s, got %q", strings.Join(sources, ", "),
			shorten.Bytes(d.Source, maxQuoted))
	case !d.From.IsZero() && !d.To.IsZero() && d.To.Before(d.From):
		return "validity", "must not end before it begins"
	case d.Sum != "" && !strings.EqualFold(d.Sum, ChecksumOf(d.Text, d.Content)):
		return "checksum", "is not the SHA-256 of the text: it was changed on the way, or is that of other content"
	}
	if _, there := registry.Store(d.Store); d.Store != "" && d.Store != Auto && !there {
		return "store", fmt.Sprintf("must be %s or one of %s, got %q", Auto, strings.Join(registry.names(), ", "),
			shorten.Bytes(d.Store, maxQuoted))
	}
	if _, there := retentions.Get()[d.Retention]; d.Retention != "" && !there {
		return "retention", fmt.Sprintf("must be one of session, day, week, month, quarter, year, forever, got %q",
			shorten.Bytes(d.Retention, maxQuoted))
	}
	for _, label := range []struct{ field, text string }{
		{"type", d.Type}, {"agentId", d.Agent}, {"taskId", d.Task}, {"episodeId", d.Episode}, {"thread", d.Thread},
		{"parentId", d.Parent}, {"tags", longest(d.Tags)}, {"sparseTerms", longest(d.Terms)},
	} {
		if utf8.RuneCountInString(label.text) > maxLabel {
			return label.field, fmt.Sprintf("must be at most %d characters", maxLabel)
		}
	}
	for _, id := range d.Lineage {
		if !isULID(id) {
			return "lineageIds", fmt.Sprintf("must be ids of items, got %q", shorten.Bytes(id, maxQuoted))
		}
	}
	for _, value := range d.Embedding {
		if math.IsNaN(float64(value)) || math.IsInf(float64(value), 0) {
			return "embedding", fmt.Sprintf("must be finite numbers, got %v", value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Scores)) {
		if !isScore(d.Scores[name]) {
			return name, scoreReason(d.Scores[name])
		}
	}
	return "", ""
}

// sources are the origins that an item can have.
var sources = []string{"user", "tool", "system", "model"}

func isScore(value float64) bool { return value >= 0 && value <= 1 } // not NaN

func scoreReason(value float64) string {
	return fmt.Sprintf("must be a number from 0 to 1, got %v", value)
}

func notNegative(number int) string { return fmt.Sprintf("must be 0 or more, got %d", number) }

func isULID(id string) bool {
	_, err := ulid.ParseStrict(id)
	return err == nil
}

func isObject(doc json.RawMessage) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(doc, &object) == nil && object != nil
}

func longest(texts []string) string {
	most := ""
	for _, text := range texts {
		if len(text) > len(most) {
			most = text
		}
	}
	return most
}

// Decide returns the changes that store a batch and what becomes of each draft, in their order. It
// reads the tables in the transaction in which the changes are written. The error is a fault if a
// draft has the id of another item, or refers to items that do not exist.
func (r *Room) Decide(
	ctx context.Context, tx room.Querier, batch *Batch, now time.Time,
) ([]change.Change, []Outcome, error) {
	n := len(batch.drafts)
	d := &decision{
		ctx: ctx, tx: tx, room: r, batch: batch, now: now, stores: map[countKey]*shelf{}, away: map[*Item]string{},
		stored: make([]storing, 0, n), latest: make(map[key]*candidate, maxKeys*n), former: make(map[string]*Item, n),
		episodes: r.tracker(),
	}
	if err := d.read(); err != nil {
		return nil, nil, err
	}
	d.changes = slices.Grow(d.changes, n)
	outcomes := make([]Outcome, 0, n)
	for i := range batch.drafts {
		outcome, err := d.decide(i)
		if err != nil {
			return nil, nil, err
		}
		outcomes = append(outcomes, outcome)
	}
	for i := range outcomes {
		item, outcome := d.former[outcomes[i].ID], &outcomes[i]
		if why := d.away[item]; why != "" {
			outcome.Store = item.Store
			if outcome.Status == Stored {
				outcome.Reason = why
			}
		}
	}
	cores.ForEach(d.stored, func(_ int, s *storing) {
		d.changes[s.place] = s.change(cmp.Or(d.away[s.item], s.as.why))
	})
	return append(d.changes, d.episodes.changes()...), outcomes, nil
}

// A decision is one call of Decide.
type decision struct {
	ctx     context.Context
	tx      room.Querier
	room    *Room
	batch   *Batch
	now     time.Time
	changes []change.Change
	stored  []storing // what the changes with these places are made of
	stores  map[countKey]*shelf
	// away holds why an item of the batch is put away at once.
	away map[*Item]string
	// latest holds the newest item by key, former the stored items that the drafts name by id.
	latest map[key]*candidate
	former map[string]*Item
	// episodes finds the episodes of what is stored.
	episodes *tracker
}

// A storing is an item that is going to be stored.
type storing struct {
	place int // of its change
	item  *Item
	as    *prepared
}

// change returns the change that stores the item.
func (s *storing) change(why string) change.Change {
	c := change.New(Memorized, s.item.ID, s.item).Because(why)
	c = c.Decoded(&memorized{item: s.item, keys: s.as.keys, sum: s.as.sum})
	c.Clean = append(slices.Clip(s.as.clean), s.item.ID, s.item.Store)
	if isULID(s.item.Episode) {
		c.Clean = append(c.Clean, s.item.Episode)
	}
	return c
}

// A candidate is an item that may be similar to a new one.
type candidate struct {
	id, typ, text  string
	store, episode string
	sketch         gating.Sketch
	version        int
	lineage        []string
	span           span
}

// read reads what the decision needs in few queries, and ends what has expired.
func (d *decision) read() error {
	var ids []string
	var keys []key
	for i := range d.batch.drafts {
		p := &d.batch.drafts[i]
		if p.ownID {
			ids = append(ids, p.ID)
		}
		ids = append(ids, p.Lineage...)
		if p.store.Gated {
			keys = append(keys, p.keys...)
		}
	}
	known, err := d.room.Get(d.ctx, d.tx, ids)
	if err != nil {
		return err
	}
	for _, item := range known {
		d.former[item.ID] = &item
	}
	if err := d.readLatest(keys); err != nil {
		return err
	}
	if d.changes, err = expired(d.ctx, d.tx, d.now); err != nil {
		return err
	}
	return d.makeRoom()
}

// makeRoom puts the tail of the working memory away if there is no room for what is important enough of the batch.
func (d *decision) makeRoom() error {
	var drafts []*prepared
	for i := range d.batch.drafts {
		if p := &d.batch.drafts[i]; p.Store == gating.Working {
			drafts = append(drafts, p)
		}
	}
	if len(drafts) == 0 {
		return nil
	}
	first := drafts[0]
	s, err := d.shelf(first)
	if err != nil || s.store.Max == 0 {
		return err
	}
	needed := gating.Needed(d.batch.limits.MinImportance, s.fill())
	drafts = slices.DeleteFunc(drafts, func(p *prepared) bool { return p.Importance < needed })
	if len(drafts) == 0 || s.items+len(drafts) <= s.store.Max {
		return nil
	}
	tail, err := d.room.putAway(d.ctx, d.tx, first.Session, d.batch.registry, d.now, true)
	if err != nil {
		return err
	}
	d.changes = append(d.changes, tail.changes...)
	for _, id := range tail.Summarized {
		if item := d.former[id]; item != nil {
			item.Store = gating.Episodic
		}
	}
	s.remove(tail.Summarized)
	if tail.Summary != nil {
		s.add(tail.Summary)
	}
	return nil
}

// readLatest reads the newest live items with keys.
func (d *decision) readLatest(keys []key) error {
	if len(keys) == 0 {
		return nil
	}
	at, err := readKeys(d.ctx, d.tx, keys)
	if err != nil || len(at) == 0 {
		return err
	}
	rows, err := d.tx.QueryContext(d.ctx, "SELECT n, doc FROM items_item WHERE deleted = 0 AND "+
		"n IN (SELECT value FROM json_each(?))", room.Values(slices.Sorted(maps.Keys(at))))
	if err != nil {
		return fmt.Errorf("look for similar items: %w", err)
	}
	defer rows.Close()
	type row struct {
		n     int64
		doc   []byte
		found *candidate
	}
	var read []row
	for rows.Next() {
		var one row
		if err := rows.Scan(&one.n, &one.doc); err != nil {
			return fmt.Errorf("look for similar items: %w", err)
		}
		read = append(read, one)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for similar items: %w", err)
	}
	cores.ForEach(read, func(_ int, r *row) {
		var item Item
		if err := (change.Row{Key: "item", Value: r.doc}).Decode(&item); err != nil {
			return // it is damaged, and like nothing
		}
		if !item.IsOver(d.now) {
			r.found = d.candidateOf(&item, gating.SketchOf(item.Text))
		}
	})
	for _, r := range read {
		for _, key := range at[r.n] {
			if r.found != nil {
				d.latest[key] = r.found
			}
		}
	}
	return nil
}

func (d *decision) candidateOf(item *Item, sketch gating.Sketch) *candidate {
	return &candidate{
		item.ID, item.Type, item.Text, item.Store, item.Episode, sketch, item.Version, item.Lineage, item.spanAt(d.now),
	}
}

// decide decides about one draft.
func (d *decision) decide(i int) (Outcome, error) {
	p := &d.batch.drafts[i]
	if item, there := d.former[p.ID]; there && p.ownID {
		return d.again(i, p, *item)
	}
	for _, id := range p.Lineage {
		if _, there := d.former[id]; !there {
			return Outcome{}, fault.Invalid(fmt.Sprintf("items[%d].lineageIds", i), "there is no item %s", id)
		}
	}
	item := p.Item
	like, similarity := &noCandidate, 0.0
	if p.store.Gated {
		like, similarity = d.nearest(p)
	}
	item.Novelty = noveltyOf(similarity)
	shelf, err := d.shelf(p)
	if err != nil {
		return Outcome{}, err
	}
	if p.store.Gated {
		// Nothing is lost without an item that a similar one outlives.
		isSpare := len(p.Lineage) == 0 && like.span.covers(item.spanAt(d.now))
		if similarity == 1 && like.sketch.Same(p.sketch) && isSpare {
			return Outcome{ID: like.id, Store: like.store, Status: Unchanged, Reason: "the same text"}, nil
		}
		needed := gating.Needed(d.batch.limits.MinImportance, shelf.fill())
		refused := refusal{p.Store, p.Importance, needed, item.Novelty, like.id}
		switch {
		case p.Importance < needed:
			return d.refuse(p, "importance", refused), nil
		case item.Novelty < d.batch.limits.MinNovelty && isSpare:
			return d.refuse(p, "novelty", refused), nil
		}
	}
	if p.store.Versioned {
		d.version(&item, like, similarity)
	}
	item.Episode = d.place(&item)
	d.stored = append(d.stored, storing{place: len(d.changes), item: &item, as: p})
	d.changes = append(d.changes, change.Change{}) // to be encoded beside others
	known := d.candidateOf(&item, p.sketch)
	for _, key := range p.keys {
		d.latest[key] = known
	}
	d.former[item.ID] = &item
	outcome := Outcome{ID: item.ID, Store: p.Store, Status: Stored, Reason: p.why}
	shelf.add(&item)
	for shelf.over() {
		victim, why := shelf.evict()
		if err := d.takeOut(shelf.store, victim, why, &outcome); err != nil {
			return Outcome{}, err
		}
	}
	return outcome, nil
}

// takeOut takes an item out of a store that is over its limit, for one that may be the same.
func (d *decision) takeOut(from Store, victim held, why string, outcome *Outcome) error {
	if item := victim.added; item != nil && d.batch.registry.putsAway(from, item) {
		d.away[item] = why // it is stored there at once
		return nil
	}
	out, away, err := d.room.takeOut(d.ctx, d.tx, d.batch.registry, from, victim.id, why)
	if err != nil {
		return err
	}
	d.changes = append(d.changes, out)
	switch {
	case away != nil:
		d.former[victim.id] = away
	case victim.id == outcome.ID:
		outcome.Store, outcome.Status, outcome.Reason = "", Refused, "importance"
	default:
		outcome.Evicted = append(outcome.Evicted, victim.id)
	}
	return nil
}

// maxHeard is the number of items of a batch up to which messages of the user are read, which takes
// longer than all else. In a longer batch only time and tasks show where episodes end.
const maxHeard = 20

// place returns the episode of an item.
func (d *decision) place(item *Item) string {
	thread := cmp.Or(item.Thread, item.Session)
	if thread == "" {
		return item.Episode
	}
	step := episode.Step{
		At: item.At, Thread: thread, Session: item.Session, Agent: item.Agent, Task: item.Task,
		Items: 1, Size: item.Tokens,
	}
	var prompt *episode.Prompt
	if item.Type == "user_message" && len(d.batch.drafts) <= maxHeard {
		open, _ := d.episodes.open(thread)
		prompt = d.episodes.heard(&step, history.User, item.Text, summary.Task(item.Text, open.About()))
	}
	if item.Episode == "" {
		d.episodes.leaveNamed(thread)
	}
	return d.episodes.place(item.Episode, step, prompt)
}

// again decides about a draft with the id of a stored item: a repetition with the same text changes
// nothing, or sets its importance and tags.
func (d *decision) again(i int, p *prepared, item Item) (Outcome, error) {
	if item.Text != p.Text {
		return Outcome{}, fault.Invalid(fmt.Sprintf("items[%d].id", i),
			"is the id of an item with other content; leave the id out, or name it in lineageIds to replace it")
	}
	outcome := Outcome{ID: item.ID, Store: item.Store, Status: Unchanged, Reason: "the same id and text"}
	before := item
	if p.given {
		item.Importance = p.Importance
	}
	if len(p.Tags) > 0 {
		item.Tags = p.Tags
	}
	if item.Importance == before.Importance && slices.Equal(item.Tags, before.Tags) || !item.DeletedAt.IsZero() {
		return outcome, nil
	}
	item.ModifiedAt = d.now
	d.former[item.ID] = &item
	d.changes = append(d.changes, change.New(Updated, item.ID, item).WithBefore(before).Because("as asked"))
	outcome.Status = Changed
	return outcome, nil
}

// noveltyOf returns how new a string is that is so similar to another one, in thousandths.
func noveltyOf(similarity float64) float64 { return math.Round((1-similarity)*1000) / 1000 }

// noCandidate stands for an item that does not exist.
var noCandidate candidate

// nearest returns the most similar known item of the same store and its similarity.
func (d *decision) nearest(p *prepared) (like *candidate, similarity float64) {
	like = &noCandidate
	for _, key := range p.keys {
		if other, there := d.latest[key]; there && other != like {
			if s := other.sketch.Similarity(p.sketch); s > similarity {
				like, similarity = other, s
			}
		}
	}
	return like, similarity
}

func (d *decision) refuse(p *prepared, reason string, payload refusal) Outcome {
	d.changes = append(d.changes, change.New(Rejected, p.ID, payload).Because(reason))
	return Outcome{ID: p.ID, Status: Refused, Reason: reason}
}

// reworded is the similarity from which a string that differs only in plain words is another wording
// of the same.
const reworded = 0.5

// version makes an item the new version of those in its lineage, or of one that says the same in
// other words and is not recalled for longer. They are no longer recalled, but for those of stores that only
// grow: what happened stays, also if something was learned from it.
func (d *decision) version(item *Item, like *candidate, similarity float64) {
	item.Version = 1
	former := slices.Clone(item.Lineage)
	if len(former) == 0 && similarity >= reworded && like.typ == item.Type &&
		item.spanAt(d.now).covers(like.span) && gating.Rewords(like.text, item.Text) {
		former = append(former, like.id)
		item.Version, item.Lineage = max(like.version, 1)+1, append(slices.Clone(like.lineage), like.id)
	}
	for _, id := range former {
		version := 0
		if replaced := d.former[id]; replaced != nil {
			version = replaced.Version
			if store, _ := d.batch.registry.Store(replaced.Store); store.AppendOnly {
				continue
			}
		}
		item.Version = max(item.Version, version+1)
		d.changes = append(d.changes,
			change.New(Superseded, id, struct{}{}).Because("there is a newer version: "+item.ID))
	}
}

// shelf returns the shelf of a draft.
func (d *decision) shelf(p *prepared) (*shelf, error) {
	key := countKey{store: p.Store}
	if p.store.PerSession {
		key.session = p.Session
	}
	if known, there := d.stores[key]; there {
		return known, nil
	}
	use := usefulness{d.now, d.batch.decay}
	s, err := readShelf(d.ctx, d.tx, p.store, key.session, len(d.batch.drafts), use)
	d.stores[key] = s
	return s, err
}
