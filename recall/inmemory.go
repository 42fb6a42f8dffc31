package recall

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/recall/vectors"
)

// An InMemory is an index in memory, for tests and as the reference for others. The zero value
// is empty and ready to use. It may be read by several goroutines, but not while it is changed.
type InMemory struct {
	lists    map[string]*List
	numbers  Threads
	blocks   []*Rows
	features []Feature // by Doc; of a deleted one zero
	sketched [][]vectors.Sketch
	entries  []Entry // by Doc; of a deleted one empty
	threads  map[string]*thread
	stats    Stats

	sorting sync.Mutex
	sorted  []string // all terms; nil if they are not sorted since one was added or deleted
}

// A thread knows its first and its last document.
type thread struct{ first, last Doc }

// Add adds an entry to a thread and returns its number. An empty thread is none.
func (m *InMemory) Add(entry Entry, threadID string) Doc {
	if m.lists == nil {
		m.lists, m.threads, m.entries = map[string]*List{}, map[string]*thread{}, make([]Entry, 1)
		m.features = make([]Feature, 1)
	}
	m.stats.Last++
	m.stats.Documents++
	m.stats.Terms += int64(entry.Feature.Length)
	doc := m.stats.Last
	m.put(doc, entry)
	feature := entry.Feature
	feature.Thread, feature.Prev, feature.Next, feature.Position = doc, 0, 0, 0
	if threadID == "" {
		m.set(doc, feature)
		return doc
	}
	in := m.threads[threadID]
	if in == nil {
		in = &thread{first: doc}
		m.threads[threadID] = in
	}
	feature.Thread, feature.Prev = in.first, in.last
	if in.last != 0 {
		feature.Position = m.Feature(in.last).After()
	}
	m.set(doc, feature)
	m.change(in.last, func(f *Feature) { f.Next = doc })
	in.last = doc
	return doc
}

// put adds the terms and the sketch of a document with the next number.
func (m *InMemory) put(doc Doc, entry Entry) {
	for _, term := range entry.Terms {
		list := m.lists[term.Text]
		if list == nil {
			list, m.sorted = &List{}, nil
			m.lists[term.Text] = list
		}
		list.Docs, list.TF = append(list.Docs, doc), append(list.TF, term.TF)
	}
	m.entries, m.features = append(m.entries, entry), append(m.features, Feature{})
	number, place := doc.Block()
	for len(m.blocks) <= number {
		m.blocks, m.sketched = append(m.blocks, NewRows(&m.numbers, number, 0)), append(m.sketched, nil)
	}
	for len(m.sketched[number]) <= place {
		m.sketched[number] = append(m.sketched[number], vectors.Sketch{})
	}
	m.sketched[number][place] = entry.Sketch
}

// Delete takes a document out. It reports whether it was there.
func (m *InMemory) Delete(doc Doc) bool {
	if doc == 0 || doc > m.stats.Last || m.Feature(doc).Thread == 0 {
		return false
	}
	gone := m.Feature(doc)
	m.link(doc, gone.Prev, gone.Next)
	for next, position := gone.Next, gone.Position; next != 0 && position < Opening; position++ {
		m.change(next, func(f *Feature) { f.Position = position })
		next = m.Feature(next).Next
	}
	m.take(doc)
	m.stats.Documents--
	m.stats.Terms -= int64(gone.Length)
	return true
}

// Replace gives a document another entry and the next number, which it returns. It keeps its place in its thread.
func (m *InMemory) Replace(doc Doc, entry Entry) Doc {
	m.stats.Last++
	number, was, feature := m.stats.Last, m.Feature(doc), entry.Feature
	feature.Thread, feature.Prev, feature.Next, feature.Position = was.Thread, was.Prev, was.Next, was.Position
	m.stats.Terms += int64(feature.Length) - int64(was.Length)
	m.put(number, entry)
	m.set(number, feature)
	m.link(doc, number, number)
	m.take(doc)
	return number
}

// link makes prev what stands before the document after one in its thread, and next what stands after the one before.
func (m *InMemory) link(doc, prev, next Doc) {
	at := m.Feature(doc)
	m.change(at.Prev, func(f *Feature) { f.Next = next })
	m.change(at.Next, func(f *Feature) { f.Prev = prev })
	for _, in := range m.threads {
		if in.last == doc {
			in.last = prev
		}
	}
}

// take takes a number out.
func (m *InMemory) take(doc Doc) {
	for _, term := range m.entries[doc].Terms {
		list := m.lists[term.Text]
		at, _ := slices.BinarySearch(list.Docs, doc)
		list.Docs, list.TF = slices.Delete(list.Docs, at, at+1), slices.Delete(list.TF, at, at+1)
		if len(list.Docs) == 0 {
			delete(m.lists, term.Text)
			m.sorted = nil
		}
	}
	m.set(doc, Feature{})
	number, place := doc.Block()
	m.sketched[number][place] = vectors.Sketch{}
	m.entries[doc] = Entry{}
}

// Feature returns the feature of a document.
func (m *InMemory) Feature(doc Doc) Feature { return m.features[doc] }

func (m *InMemory) set(doc Doc, feature Feature) {
	m.features[doc] = feature
	number, place := doc.Block()
	m.blocks[number].Set(place, feature)
}

// change changes the feature of a document, if it is one.
func (m *InMemory) change(doc Doc, with func(*Feature)) {
	if doc != 0 {
		feature := m.Feature(doc)
		with(&feature)
		m.set(doc, feature)
	}
}

// Stats implements Index.
func (m *InMemory) Stats() (Stats, error) { return m.stats, nil }

// Lists implements Index.
func (m *InMemory) Lists(terms []string) ([]List, error) {
	lists := make([]List, len(terms))
	for i, term := range terms {
		if list := m.lists[term]; list != nil {
			lists[i] = *list
		}
	}
	return lists, nil
}

// Family implements Index.
func (m *InMemory) Family(prefix string, limit int) ([]string, error) {
	m.sorting.Lock()
	defer m.sorting.Unlock()
	if m.sorted == nil {
		m.sorted = slices.Sorted(maps.Keys(m.lists))
	}
	terms := m.sorted
	first := sort.SearchStrings(terms, prefix)
	last := first
	for last < len(terms) && last-first < limit && strings.HasPrefix(terms[last], prefix) {
		last++
	}
	return terms[first:last], nil
}

// Languages implements Index.
func (m *InMemory) Languages() (Written, error) { return WrittenIn(m) }

// Rows implements Index.
func (m *InMemory) Rows(block int) (*Rows, error) {
	if block >= len(m.blocks) {
		return NewRows(&m.numbers, block, 0), nil
	}
	return m.blocks[block], nil
}

// Sketches implements Sketcher.
func (m *InMemory) SketchesOf(docs []Doc) ([]vectors.Sketch, error) {
	found := make([]vectors.Sketch, len(docs))
	for i, doc := range docs {
		number, place := doc.Block()
		sketches, err := m.Sketches(number)
		if err != nil {
			return nil, err
		}
		if place < len(sketches) {
			found[i] = sketches[place]
		}
	}
	return found, nil
}

func (m *InMemory) Sketches(block int) ([]vectors.Sketch, error) {
	if block >= len(m.sketched) {
		return nil, nil
	}
	return m.sketched[block], nil
}
