package longterm

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

func (f *fixture) document() Document {
	f.Helper()
	written, err := f.room.Document(DocumentWorkspace{Root: "/home/u/" +
		"project", Key: "0123456789abcdef"}, int64(len(f.log)), f.now).
		Encode()
	require.NoError(f, err)
	doc, err := ParseDocument(written)
	require.NoError(f, err)
	return doc
}

func TestDocument_IsReadAsItWasWritten(t *testing.T) {
	f := newFixture(t)
	f.add(Addition{Text: "a < b & c", Files: []string{"a.go"}, Session: "s1", Pinned: true})
	f.add(Addition{Text: fact(2), Rationale: "why"})
	doc := f.document()
	assert.Equal(t, f.room.List(nil, false), doc.Entries)
	assert.Equal(t, DocumentWorkspace{Root: "/home/u/project", Key: "0123456789abcdef"}, doc.Workspace)
	assert.Equal(t, DocumentLimits{MaxEntries: 28, MaxChars: 5200}, doc.Limits)
	assert.Equal(t, int64(2), doc.Seq)
	written, err := doc.Encode()
	require.NoError(t, err)
	assert.Contains(t, string(written), "a < b & c")
	assert.True(t, strings.HasSuffix(string(written), "}\n"))
}

func TestDocument_WithoutEntriesHasAList(t *testing.T) {
	f := newFixture(t)
	written, err := f.room.Document(DocumentWorkspace{}, 0, f.now).Encode()
	require.NoError(t, err)
	assert.Contains(t, string(written), `"entries": []`)
}

func TestParseDocument_SaysWhatIsWrong(t *testing.T) {
	corrupt, newer := new(CorruptError), new(NewerError)
	cases := []struct {
		name, text string
		want       any
	}{
		{"nothing", "", &corrupt},
		{"not JSON", "{", &corrupt},
		{"not an object", "[]", &corrupt},
		{"no version", `{"entries": []}`, &corrupt},
		{"entries that are not a list", `{"version": 1, "entries": {}}`, &corrupt},
		{"no entries", `{"version": 1}`, &corrupt},
		{"entries under another name", `{"version": 1, "entrys": [{"id": "01A", "text": "t"}]}`, &corrupt},
		{"entries that are null", `{"version": 1, "entries": null}`, &corrupt},
		{"half a document", `{"version": 1, "entries": [{"id": "01A"`, &corrupt},
		{"a later version", `{"version": 2, "entries": {"another": "shape"}}`, &newer},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseDocument([]byte(c.text))
			require.ErrorAs(t, err, c.want)
			assert.NotEmpty(t, err.Error())
		})
	}
}

func TestParseDocument_OneBrokenEntryLosesNoOther(t *testing.T) {
	doc, err := ParseDocument(
		[]byte(
			"\xef\xbb\xbf" + `{"version": 1, "entries": [{"id": "01A", "text": "fine"}, {"id": "01B", "text": 5}, ` +
				`null, "text", {"id": 7}]}`,
		),
	)
	require.NoError(t, err)
	assert.Equal(t, []string{"01A"}, ids(doc.Entries))
	require.Len(t, doc.Broken, 4)
	assert.Equal(t, "01B", doc.Broken[0].ID)
	assert.Equal(t, 1, doc.Broken[0].Index)
	assert.Empty(t, doc.Broken[1].ID)
}

func TestImport_HandEditsBecomeChanges(t *testing.T) {
	edited := fact(50)
	cases := []struct {
		name  string
		edit  func(*Document)
		kinds []change.Kind
	}{
		{"nothing edited", func(*Document) {}, nil},
		{"another text", func(d *Document) { d.Entries[0].Text = edited }, []change.Kind{Updated}},
		{"another type", func(d *Document) { d.Entries[0].Type = "decision" }, []change.Kind{Updated}},
		{"another rationale", func(d *Document) { d.Entries[0].Rationale = "because" }, []change.Kind{Updated}},
		{"pinned", func(d *Document) { d.Entries[0].Pinned = true }, []change.Kind{Updated}},
		{"a line taken out", func(d *Document) { d.Entries = d.Entries[1:] }, []change.Kind{Removed}},
		{
			"a line written",
			func(d *Document) { d.Entries = append(d.Entries, Entry{Text: edited}) },
			[]change.Kind{Added},
		},
		{
			"a line with an id of its own",
			func(d *Document) { d.Entries = append(d.Entries, Entry{ID: "mine", Text: edited}) },
			[]change.Kind{Added},
		},
		{
			"two lines without an id",
			func(d *Document) { d.Entries = append(d.Entries, Entry{Text: edited}, Entry{Text: fact(51)}) },
			[]change.Kind{Added, Added},
		},
		{"an unknown type", func(d *Document) { d.Entries[0].Type = "poem" }, []change.Kind{Rejected}},
		{"an emptied text", func(d *Document) { d.Entries[0].Text = "" }, []change.Kind{Rejected}},
		{"an id twice", func(d *Document) { d.Entries = append(d.Entries, d.Entries[0]) }, []change.Kind{Rejected}},
		{
			"a text that another has",
			func(d *Document) { d.Entries[0].Text = d.Entries[1].Text },
			[]change.Kind{Superseded, Merged},
		},
		{"a broken entry is not a missing one", func(d *Document) {
			d.Broken = []BrokenEntry{{Index: 0, ID: d.Entries[0].ID, Err: assert.AnError}}
			d.Entries = d.Entries[1:]
		}, []change.Kind{Rejected}},
		{"as little as one that lost its id", func(d *Document) {
			d.Broken = []BrokenEntry{{Index: 0, Err: assert.AnError}}
			d.Entries = d.Entries[2:]
		}, []change.Kind{Rejected}},
		{"a source cannot be edited", func(d *Document) { d.Entries[0].Source = Explicit }, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			for i := range 3 {
				f.add(Addition{Text: fact(i), Source: Compaction})
			}
			doc, base := f.document(), f.room.List(nil, false)
			later := f.add(Addition{Text: fact(9)})
			c.edit(&doc)
			changes, err := f.room.Import(doc, base)
			require.NoError(t, err)
			assert.Equal(t, c.kinds, append([]change.Kind(nil), kinds(changes)...))
			f.apply(changes, nil)
			assert.Equal(t, StatusActive, f.get(later.ID).Status, "what came after the document is untouched")
		})
	}
}

func TestImport_AnEditThatTakesAwayMoreThanHalfIsNone(t *testing.T) {
	cases := []struct {
		name      string
		has, left int
		refused   bool
	}{
		{"all of many", 10, 0, true},
		{"one more than half", 10, 4, true},
		{"half", 10, 5, false},
		{"the only one", 1, 0, true},
		{"one of two", 2, 1, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			for i := range c.has {
				f.add(Addition{Text: fact(i)})
			}
			doc, base := f.document(), f.room.List(nil, false)
			doc.Entries = append(doc.Entries[:c.left:c.left], Entry{Text: fact(50)})
			changes, err := f.room.Import(doc, base)
			var loss *LossError
			require.Equal(t, c.refused, errors.As(err, &loss), "%v", err)
			if c.refused {
				assert.Equal(t, LossError{Lost: c.has - c.left, Of: c.has}, *loss)
				assert.Empty(t, changes)
			}
		})
	}
}

func TestImport_WhatLeftByItselfIsNotLost(t *testing.T) {
	f := newFixture(t)
	for i := range 4 {
		f.add(Addition{Text: fact(i)})
	}
	doc, base := f.document(), f.room.List(nil, false)
	for _, entry := range base[:3] {
		f.apply(f.room.Remove(entry.ID))
	}
	doc.Entries = doc.Entries[3:]
	changes, err := f.room.Import(doc, base)
	require.NoError(t, err)
	assert.Empty(t, changes)
}

func TestImport_NewLinesHaveSourceManualAndAnIDOfTheRoom(t *testing.T) {
	f := newFixture(t)
	doc := f.document()
	doc.Entries = append(
		doc.Entries,
		Entry{ID: "mine", Type: "decision", Text: fact(1), Source: Explicit, Confidence: 7},
	)
	receipts, _ := f.apply(f.room.Import(doc, nil))
	entry := receipts[0].Entry
	assert.NotEqual(t, "mine", entry.ID)
	assert.Equal(t, Manual, entry.Source)
	assert.Equal(t, 0.9, entry.Confidence)
	assert.Equal(t, "decision", entry.Type)
}

func TestImport_WhatLeftInTheMeantimeIsReportedAndStaysAway(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(1)}).ID
	doc, base := f.document(), f.room.List(nil, false)
	f.apply(f.room.Remove(id))
	doc.Entries[0].Text = fact(2)
	receipts, _ := f.apply(f.room.Import(doc, base))
	require.Len(t, receipts, 1)
	assert.Equal(t, ReceiptRejected, receipts[0].Status)
	assert.Contains(t, receipts[0].Reason, "restore it first")

	doc.Entries = nil
	receipts, _ = f.apply(f.room.Import(doc, base))
	assert.Empty(t, receipts, "it is gone already")
}

func TestImport_ALinePutBackIsRestored(t *testing.T) {
	f := newFixture(t)
	id := f.add(Addition{Text: fact(1)}).ID
	line := f.document().Entries[0]
	f.apply(f.room.Remove(id))
	doc, base := f.document(), f.room.List(nil, false)
	doc.Entries = append(doc.Entries, line)
	f.apply(f.room.Import(doc, base))
	assert.Equal(t, StatusActive, f.get(id).Status)
}

func TestImport_AnEditMakesRoomForItself(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxEntries, f.settings.Memory.MaxPinned = 3, 1
	first := f.add(Addition{Text: fact(1)}).ID
	f.add(Addition{Text: fact(2)})
	f.add(Addition{Text: fact(3), Pinned: true})
	doc, base := f.document(), f.room.List(nil, false)
	doc.Entries = []Entry{doc.Entries[0], doc.Entries[2], {Text: fact(4)}}
	doc.Entries[0].Pinned, doc.Entries[1].Pinned = true, false
	changes, err := f.room.Import(doc, base)
	assert.Equal(t, []change.Kind{Removed, Updated, Updated, Added}, kinds(changes))
	f.apply(changes, err)
	assert.True(t, f.get(first).Pinned)
}

func TestRebuild_BringsBackWhatTheCopyHolds(t *testing.T) {
	f := newFixture(t)
	f.add(Addition{Text: fact(1), Source: Explicit, Pinned: true, Session: "s1", Files: []string{"a.go"}})
	f.add(Addition{Text: fact(2), Source: Compaction})
	f.add(Addition{Text: fact(2)})
	doc := f.document()

	lost := newFixture(t)
	lost.ids = 100
	lost.now = f.now.Add(time.Hour)
	lost.apply(lost.room.Rebuild(doc))
	rebuilt := lost.room.List(nil, false)
	require.Len(t, rebuilt, 2)
	for i := range rebuilt {
		rebuilt[i].UpdatedAt = doc.Entries[i].UpdatedAt
	}
	assert.Equal(t, doc.Entries, rebuilt)

	again, err := lost.room.Rebuild(doc)
	require.NoError(t, err)
	assert.Empty(t, again)
}

func TestRebuild_ACopyEditedByHandIsHeldToTheRules(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxEntries = 3
	var text strings.Builder
	text.WriteString(
		`{"version": 1, "entries": [{"text": 1}, {"id": "01A", "type": "poem", "text": "of a type"}, {"id": "01B", ` +
			`"text": ""}`,
	)
	for _, entry := range []Entry{
		{ID: "01C", Text: fact(1)}, {ID: "01C", Text: fact(2)},
		{Text: fact(1) + "."}, {Text: fact(3)}, {Text: fact(4)},
	} {
		data, err := json.Marshal(entry)
		require.NoError(t, err)
		text.WriteString("," + string(data))
	}
	doc, err := ParseDocument([]byte(text.String() + "]}"))
	require.NoError(t, err)
	changes, err := f.room.Rebuild(doc)
	assert.Equal(
		t,
		[]change.Kind{Rejected, Rejected, Rejected, Added, Added, Merged, Added, Added, Evicted},
		kinds(changes),
	)
	f.apply(changes, err)
	assert.Len(t, f.room.List(nil, false), 3)
}

func FuzzParseDocument(f *testing.F) {
	f.Add(
		[]byte(
			`{"version":1,"workspace":{"root":"/r","key":"k"},"limits":{"maxEntries":28,"maxChars":5200},"seq":4,` +
				`"entries":[{"id":"01A","text":"t","createdAt":"2026-01-01T00:00:00Z"}]}`,
		),
	)
	f.Add([]byte(`{"version":1,"entries":[{"id":"01A","pinned":"yes"},null,7,{"id":{}}]}`))
	f.Add([]byte("\xef\xbb\xbf{\"version\":99}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := ParseDocument(data)
		if err != nil {
			return
		}
		for name, decide := range map[string]func(*Room) ([]change.Change, error){
			"import":  func(r *Room) ([]change.Change, error) { return r.Import(doc, nil) },
			"rebuild": func(r *Room) ([]change.Change, error) { return r.Rebuild(doc) },
		} {
			fx := newFixture(t)
			changes, err := decide(fx.room)
			require.NoError(t, err, name)
			fx.apply(changes, nil)
			entries, chars := fx.room.Used()
			assert.LessOrEqual(t, entries, 28, name)
			assert.LessOrEqual(t, chars, 5200, name)
			_, err = fx.room.Document(DocumentWorkspace{}, 0, fx.now).Encode()
			require.NoError(t, err, name)
		}
	})
}
