package recall

// Threads gives the threads of an index that have several documents numbers from 1, in which their sums lie close
// together. The zero value is empty and ready to use. An index has one for all of its rows.
type Threads struct {
	numbers map[Doc]uint32 // by the first document
	last    Doc            // that was numbered, 0 if none was
	number  uint32         // of last
}

// numberOf returns the number of the thread that begins with a document. Documents in turn are mostly of one thread.
func (t *Threads) numberOf(first Doc) uint32 {
	if first == t.last {
		return t.number
	}
	if t.numbers == nil {
		t.numbers = map[Doc]uint32{}
	}
	number, known := t.numbers[first]
	if !known {
		number = uint32(len(t.numbers) + 1)
		t.numbers[first] = number
	}
	t.last, t.number = first, number
	return number
}

// Rows are the features of the documents of a block as a search reads them. Neighbours mostly stand beside a document,
// so a row takes 10 bytes, 8 of which are read for each posting; a block in which some neighbours stand elsewhere has
// 8 more for each of its documents.
type Rows struct {
	threads *Threads
	first   Doc // of the block
	rows    []row
	days    []uint16
	links   []neighbours // nil as long as all neighbours stand beside each other
}

// A row is what most searches need of a feature.
type row struct {
	thread uint32 // 0 if the document has no neighbours
	length uint16
	flags  Flags
	place  placeBits
}

type neighbours struct{ prev, next Doc }

// PlaceBits say where a document stands in its thread. They are 0 if there is no document.
type placeBits uint8

const (
	prevBeside placeBits = 1 << iota // Prev is the document before
	nextBeside                       // Next is the one after
	prevFar                          // Prev is another one
	nextFar                          // Next is another one
	opens                            // it is one of the first Opening of its thread
	there                            // it was not deleted
)

// isAlone reports whether the document has no neighbours.
func (r row) isAlone() bool { return r.place&(prevBeside|nextBeside|prevFar|nextFar) == 0 }

// NewRows returns no rows of a block, with room for some.
func NewRows(threads *Threads, block, room int) *Rows {
	return &Rows{
		threads: threads, first: Doc(block * BlockSize), rows: make([]row, 0, room), days: make([]uint16, 0, room),
	}
}

// Has reports whether there is a document at a place of the block.
func (r *Rows) Has(place int) bool { return place < len(r.rows) && r.rows[place].place&there != 0 }

// Set sets the feature of the document at a place of the block, a zero one if there is none any more. Places before it
// that were never set have no document.
func (r *Rows) Set(place int, f Feature) {
	if missing := place + 1 - len(r.rows); missing > 0 {
		r.rows, r.days = append(r.rows, make([]row, missing)...), append(r.days, make([]uint16, missing)...)
		if r.links != nil {
			r.links = append(r.links, make([]neighbours, missing)...)
		}
	}
	r.set(place, f)
	if r.rows[place].place&(prevFar|nextFar) != 0 && r.links == nil {
		r.links = make([]neighbours, len(r.rows), cap(r.rows))
		for i, of := range r.rows {
			if of.place&prevBeside != 0 {
				r.links[i].prev = r.first + Doc(i) - 1
			}
			if of.place&nextBeside != 0 {
				r.links[i].next = r.first + Doc(i) + 1
			}
		}
	}
	if r.links != nil {
		r.links[place] = neighbours{f.Prev, f.Next}
	}
}

// set sets the row of a document.
func (r *Rows) set(place int, f Feature) {
	if f.Thread == 0 {
		r.rows[place], r.days[place] = row{}, 0
		return
	}
	doc := r.first + Doc(place)
	is := row{length: f.Length, flags: f.Flags, place: there}
	switch f.Prev {
	case 0:
	case doc - 1:
		is.place |= prevBeside
	default:
		is.place |= prevFar
	}
	switch f.Next {
	case 0:
	case doc + 1:
		is.place |= nextBeside
	default:
		is.place |= nextFar
	}
	if f.Position < Opening {
		is.place |= opens
	}
	if !is.isAlone() {
		is.thread = r.threads.numberOf(f.Thread)
	}
	r.rows[place], r.days[place] = is, f.Day
}

// prev returns the neighbour before the document at a place, 0 if there is none.
func (r *Rows) prev(place int) Doc {
	switch {
	case r.links != nil:
		return r.links[place].prev
	case r.rows[place].place&prevBeside != 0:
		return r.first + Doc(place) - 1
	}
	return 0
}

// next returns the neighbour after the document at a place, 0 if there is none.
func (r *Rows) next(place int) Doc {
	switch {
	case r.links != nil:
		return r.links[place].next
	case r.rows[place].place&nextBeside != 0:
		return r.first + Doc(place) + 1
	}
	return 0
}
