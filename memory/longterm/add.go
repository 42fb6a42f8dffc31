package longterm

import (
	"cmp"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

const (
	// maxTextChars is the maximum length of the text of an entry, in characters.
	maxTextChars = 16_000
	// maxFiles is the maximum number of files with which an entry is added.
	maxFiles = 1000
	// maxFileBytes is the maximum length of the path of a file, in bytes, as systems have it.
	maxFileBytes = 4096
	// rejectedChars is the maximum length of the text of a rejection, in characters.
	rejectedChars = 240
)

// Addition is an entry to add.
type Addition struct {
	Type      string // empty: project
	Text      string
	Rationale string
	Source    Source   // empty: manual
	Author    Author   // empty: not known
	Files     []string // relative to the workspace, with /
	Pinned    bool
	Session   string
	Agent     string
	Imported  *Imported
}

// Add decides about one addition. The changes are one memory.rejected, or one memory.merged
// or memory.added, with a memory.evicted for each entry that is over the limit then, which
// may be the new one (systems.md B1, B4, B5). The faults are those of an invalid type, source
// or text, and Limit if the entry is to be pinned and no more entries may be pinned.
func (r *Room) Add(in Addition) ([]change.Change, error) {
	return r.decide(func(d *draft) error {
		d.session, d.agent = in.Session, in.Agent
		return d.add(in)
	})
}

func (d *draft) add(in Addition) error {
	entry, err := d.newEntry(in)
	if err != nil {
		return err
	}
	if code := judge(entry, entry.Source.deliberate()); code != "" {
		d.reject(in, string(code))
		return nil
	}
	if twin := d.twin(entry.Text, ""); twin != nil {
		if strings.TrimSpace(in.Type) == "" {
			entry.Type = twin.Type
		}
		return d.merge(twin, entry)
	}
	if entry.Pinned && d.pinned() >= d.maxPinned() {
		return tooManyPinned(d.maxPinned())
	}
	d.insert(entry)
	d.evict("")
	return nil
}

// insert writes a new entry, which is in force then. If it was offered, it is that entry.
func (d *draft) insert(entry Entry) {
	if offer := d.offered(entry.Text); offer != nil {
		entry.ID, entry.CreatedAt, entry.Origin = offer.ID, offer.CreatedAt, offer.Origin
		d.write(Kept, offer, entry, "asked for after it was offered")
		return
	}
	entry.ID = d.newID()
	d.write(Added, nil, entry, "")
}

// judge returns the reason to reject an entry, "" if there is none (systems.md B4). Models
// read the rationale too.
func judge(entry Entry, explicit bool) quality.Reason {
	if code := quality.Judge(entry.Text, entry.Type, explicit); code != "" {
		return code
	}
	if quality.Judge(entry.Rationale, entry.Type, true) == quality.PromptInjection {
		return quality.PromptInjection
	}
	return ""
}

// admit is add for an addition without a caller to return an error to. It records an error as
// a rejection.
func (d *draft) admit(in Addition) {
	if err := d.add(in); err != nil {
		d.reject(in, err.Error())
	}
}

func (d *draft) newEntry(in Addition) (Entry, error) {
	kind, err := d.typeOf(in.Type)
	if err != nil {
		return Entry{}, err
	}
	source := in.Source
	if source == "" {
		source = Manual
	}
	if source.rank() == 0 {
		return Entry{}, fault.Invalid("source", "must be explicit, manual, compaction or said, got %q", source)
	}
	text, err := cleanText("text", in.Text)
	if err != nil {
		return Entry{}, err
	}
	rationale, err := cleanText("rationale", in.Rationale)
	if err != nil {
		return Entry{}, err
	}
	if n := len(in.Files); n > maxFiles {
		return Entry{}, fault.Invalid("files", "must have at most %d elements, got %d", maxFiles, n)
	}
	for _, file := range in.Files {
		if n := len(file); n > maxFileBytes {
			return Entry{}, fault.Invalid("files", "must be paths of at most %d bytes, got one of %d", maxFileBytes, n)
		}
	}
	entry := Entry{
		Type: kind, Text: text, Rationale: rationale, Files: cleanFiles(in.Files), Pinned: in.Pinned,
		Source: source, Author: in.Author, Confidence: confidences[source], Status: StatusActive,
		Reviewed: source.deliberate(), CreatedAt: d.at, UpdatedAt: d.at, ReinforcedAt: d.at, Imported: in.Imported,
	}
	if d.session != "" {
		entry.Origin = &Origin{SessionID: d.session, Agent: d.agent}
	}
	return entry, nil
}

// reject records an addition that was not kept.
func (d *draft) reject(in Addition, reason string) {
	whole, _ := redact.Text(in.Text) // before it is cut
	text := shorten.Chars(strings.TrimSpace(strings.ToValidUTF8(whole, "�")), rejectedChars)
	rejection := Rejection{Type: cmp.Or(in.Type, usualType), Text: text, Source: in.Source}
	d.record(change.New(Rejected, "", rejection).Because(reason))
}

// merge merges an incoming entry with the same canonical text into an entry.
func (d *draft) merge(entry *Entry, incoming Entry) error {
	merged := merge(*entry, incoming)
	if merged.Pinned && !entry.Pinned && d.pinned() >= d.maxPinned() {
		return tooManyPinned(d.maxPinned())
	}
	merged.reinforce(d.at)
	reason := "says the same"
	if merged.Type != entry.Type {
		reason += "; its type was " + entry.Type
	}
	d.write(Merged, entry, merged, reason)
	d.evict("")
	return nil
}

// merge returns an entry merged with an incoming one. The text, type, source and confidence
// are those of the entry with the higher source, then with the higher confidence, then of the
// newer one (systems.md B5).
func merge(entry, incoming Entry) Entry {
	merged := entry.clone()
	if prevails(incoming, entry) {
		merged.Type, merged.Text = incoming.Type, incoming.Text
		merged.Source, merged.Author, merged.Confidence = incoming.Source, incoming.Writer(), incoming.Confidence
		if incoming.Rationale != "" {
			merged.Rationale = incoming.Rationale
		}
	}
	if merged.Rationale == "" {
		merged.Rationale = incoming.Rationale
	}
	merged.Pinned = entry.Pinned || incoming.Pinned
	merged.Reviewed = entry.Reviewed || incoming.Reviewed
	merged.Files = cleanFiles(append(merged.Files, incoming.Files...))
	return merged
}

func prevails(incoming, entry Entry) bool {
	if a, b := incoming.Source.rank(), entry.Source.rank(); a != b {
		return a > b
	}
	if incoming.Confidence != entry.Confidence {
		return incoming.Confidence > entry.Confidence
	}
	return !incoming.UpdatedAt.Before(entry.UpdatedAt)
}

// usualType is the type of an entry for which none is named.
const usualType = "project"

// typeOf returns the type with a name, as it is spelled in the settings. A built-in one is also known by the name that
// people and agents are shown, such as "Fact".
func (d *draft) typeOf(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return usualType, nil
	}
	known := d.limits.AllTypes()
	for _, wanted := range []string{name, panel.TypeNamed(name)} {
		for _, kind := range known {
			if strings.EqualFold(kind, wanted) {
				return kind, nil
			}
		}
	}
	return "", fault.Invalid("type", "must be one of %s, got %q", strings.Join(known, ", "), shorten.Chars(name, 40))
}

// cleanText returns the text of a field as it is stored. It returns a fault if the text is too
// long.
func cleanText(field, text string) (string, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "�"))
	if n := utf8.RuneCountInString(text); n > maxTextChars {
		return "", fault.Invalid(field, "must have at most %d characters, got %d", maxTextChars, n)
	}
	return text, nil
}

// cleanFiles returns clean paths without duplicates, or nil if there are none.
func cleanFiles(files []string) []string {
	var clean []string
	seen := make(map[string]bool, len(files))
	for _, file := range files {
		if strings.TrimSpace(file) == "" {
			continue
		}
		if file = path.Clean(file); !seen[file] {
			seen[file] = true
			clean = append(clean, file)
		}
	}
	return clean
}
