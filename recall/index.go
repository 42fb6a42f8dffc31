// Package recall finds what is remembered without a model: it turns documents into entries of an
// index and ranks the documents of an index for a query. It reads the index through an
// interface and keeps nothing itself; the same index and query give the same answer.
package recall

import "github.com/wm-lsp/wm-lsp/recall/vectors"

// A Doc is the number of a document in an index. Numbers rise from 1 with insertion and are
// never used again; an index may give a document another one, as if it were inserted now. 0 is none.
type Doc uint32

// BlockSize is how many documents a block of features holds.
const BlockSize = 8192

// Block returns the number of the block that holds the document's feature, from 0, and its
// place there.
func (d Doc) Block() (number, place int) { return int(d / BlockSize), int(d % BlockSize) }

// An Index is what Search reads. It shows one state from the first call to the last.
type Index interface {
	// Stats returns what the ranking needs to know of the whole index.
	Stats() (Stats, error)
	// Lists returns one list per term, in their order; the list of an unknown term is empty.
	// Deleted documents are left out. Lists are read only, and valid until the query ends.
	Lists(terms []string) ([]List, error)
	// Family returns indexed terms that begin with the prefix, in the order of their bytes.
	// There are at most limit.
	Family(prefix string, limit int) ([]string, error)
	// Languages returns the languages of the documents, as WrittenIn does.
	Languages() (Written, error)
	// Rows returns the features of a block: that of document d at the place that Block
	// names. There may be fewer than BlockSize in the last one, and none in a block that has
	// no documents. Those of deleted documents, and of none, are zero. Read only.
	Rows(block int) (*Rows, error)
}

// A Sketcher is an Index that also has the sketches of the documents' meanings, by which Search
// finds what shares no word with the query.
type Sketcher interface {
	Index
	// Sketches returns the sketches of a block, as Rows returns its features. Those of
	// deleted documents are zero. Read only.
	Sketches(block int) ([]vectors.Sketch, error)
	// SketchesOf returns the sketches of some documents, in their order.
	SketchesOf(docs []Doc) ([]vectors.Sketch, error)
}

// A Keeper is an Index that keeps the memory of a search for the next one. Its searches follow each other.
type Keeper interface {
	Index
	Sums() *Sums
}

// Sums have the memory of what a search adds up, 9 bytes for each number from First to Last. The zero value is ready to
// use.
type Sums struct{ scratch *scratch }

// Stats are figures of a whole index.
type Stats struct {
	Documents int   // that are not deleted
	First     Doc   // no document has a lower number; 0 if that is not known
	Last      Doc   // the highest number that was given, also of a deleted document
	Terms     int64 // sum of the lengths of the documents that are not deleted
}

// average returns the mean length of a document.
func (s Stats) average() float32 { return float32(max(s.Terms, 1)) / float32(s.Documents) }

// A List says which documents have a term, and how often: TF[i] times in Docs[i]. Documents
// ascend. A frequency over 255 is 255.
type List struct {
	Docs []Doc
	TF   []uint8
}

// A Feature is what the ranking knows of a document beside its terms. An index stores it in
// FeatureSize bytes. Analyze sets Day, Length and Flags, the index sets the others.
type Feature struct {
	// Thread is the number that the first document of the same thread was added with, which
	// may have been deleted since: a thread is a session or a channel of messages. A document
	// that belongs to no thread has the number that it was added with, and no neighbours.
	Thread Doc
	// Prev and Next are the documents before and after this one in its thread, by the order
	// of insertion; 0 is none. They are never deleted ones: the neighbours of a deleted
	// document become neighbours.
	Prev, Next Doc
	// Day is the day on which the text was written, in days since 1970-01-01; 0 is unknown.
	Day uint16
	// Length is the number of words that are indexed, at most 65,535.
	Length uint16
	// Position is how many documents stand before this one in its thread, at most Opening.
	Position uint16
	Flags    Flags
}

// Opening is how many documents open a thread.
const Opening = 2

// After returns the position of the document that stands after this one in its thread.
func (f Feature) After() uint16 { return min(f.Position+1, Opening) }

// FeatureSize is how many bytes a feature takes in AppendFeature. The last one is not used: an index may keep
// something else in it.
const FeatureSize = 20

// Flags say what kind of text a document is.
type Flags uint8

const (
	// CapitalsMask are the bits that count capitalised words within sentences, 0 to 3.
	CapitalsMask Flags = 3
	// HasQuestion is set if there is a question mark in the text.
	HasQuestion Flags = 1 << 2
	// EndsWithQuestion is set if the text ends in a question mark.
	EndsWithQuestion Flags = 1 << 3
	// HasTime is set if the text names a time: a date, "yesterday", "two weeks ago".
	HasTime Flags = 1 << 4
	// HasNumber is set if the text has a number or a word for one.
	HasNumber Flags = 1 << 5
	// OfSelf and ToOther are set if the text has a pronoun of the first or the second person.
	OfSelf  Flags = 1 << 6
	ToOther Flags = 1 << 7
)

// Capitals returns how many capitalised words within sentences there are, at most 3.
func (f Flags) Capitals() int { return int(f & CapitalsMask) }
