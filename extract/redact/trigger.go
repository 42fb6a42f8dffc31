package redact

import (
	"slices"
	"sync"
)

// A rule says where a secret stands around a trigger that was found at byte at.
type rule struct {
	// name stands in the marker: lower case letters, digits and hyphens.
	name string
	// trigger is at least two bytes of ASCII in lower case, matched in any case.
	trigger string
	// find returns the bytes [start, end) of the secret. It looks at a bounded
	// stretch around at, or on to where the text ends its kind of run.
	find func(s string, at int) (start, end int, ok bool)
}

// A ruleTable is all our rules with a trigger, and the index of what they and
// the rules of gitleaks are tried at.
type ruleTable struct {
	rules []rule
	// index numbers our rules first, then those of gitleaks.
	index *index
}

// table returns the one table.
var table = sync.OnceValue(newTable)

// Prepare builds the tables that the first redaction would otherwise wait for.
func Prepare() { table() }

// newTable builds the table; a further family of rules is one more function here.
func newTable() *ruleTable {
	t := &ruleTable{rules: slices.Concat(
		privateKeyRules(), tokenRules(), urlRules(), headerRules(), optionRules(), assignmentRules(),
	)}
	marks := make([]mark, 0, len(t.rules)+2*len(leakTable))
	for i, r := range t.rules {
		marks = append(marks, mark{r.trigger, i})
	}
	for i, l := range leakTable {
		for _, k := range l.keywords {
			marks = append(marks, mark{k, len(t.rules) + i})
		}
	}
	t.index = newIndex(marks)
	return t
}

// A mark is a trigger and the number of the rule that it belongs to.
type mark struct {
	trigger string
	rule    int
}

// An index finds marks by the first two bytes of their trigger.
type index struct {
	// slots maps a pair of bytes, in any case, to a bucket, 0 if no trigger starts so.
	slots   [1 << 16]uint8
	buckets []bucket
}

// A bucket is the marks whose triggers start with the same two bytes.
type bucket struct {
	marks []mark
	// thirds says which bytes come third in one of the triggers.
	thirds [256]bool
}

// newIndex builds the index in few allocations, because the first redaction waits
// for it.
func newIndex(marks []mark) *index {
	x := &index{buckets: make([]bucket, 1, 256)} // no more fit the slots
	var sizes [256]int
	for _, m := range marks {
		sizes[x.slotOf(m.trigger)]++
	}
	room := make([]mark, len(marks))
	for i := range x.buckets {
		x.buckets[i].marks, room = room[:0:sizes[i]], room[sizes[i]:]
	}
	for _, m := range marks {
		x.buckets[x.slotOf(m.trigger)].add(m)
	}
	return x
}

// slotOf returns the bucket of a trigger, a new one if there is none.
func (x *index) slotOf(trigger string) uint8 {
	if slot := x.slots[pair(trigger[0], trigger[1])]; slot > 0 {
		return slot
	}
	slot := uint8(len(x.buckets))
	x.buckets = append(x.buckets, bucket{})
	for _, first := range cases(trigger[0]) {
		for _, second := range cases(trigger[1]) {
			x.slots[pair(first, second)] = slot
		}
	}
	return slot
}

func (b *bucket) add(m mark) {
	b.marks = append(b.marks, m)
	if len(m.trigger) > 2 {
		for _, third := range cases(m.trigger[2]) {
			b.thirds[third] = true
		}
		return
	}
	for third := range b.thirds {
		b.thirds[third] = true
	}
}

// cases are a byte in lower case and in upper case.
func cases(c byte) [2]byte {
	if isLower(c) {
		return [2]byte{c, c - 'a' + 'A'}
	}
	return [2]byte{c, c}
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// each calls see for every trigger that stands in a text, outside markers.
func (x *index) each(s string, see func(rule, at int)) {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '[' {
			if end := markerEnd(s, i); end > 0 {
				i = end - 1
				continue
			}
		}
		slot := x.slots[pair(s[i], s[i+1])]
		if slot == 0 || i+2 < len(s) && !x.buckets[slot].thirds[s[i+2]] {
			continue
		}
		for _, m := range x.buckets[slot].marks {
			if hasPrefixFold(s[i:], m.trigger) {
				see(m.rule, i)
			}
		}
	}
}

// triggered appends what the rules of the table find, and returns where the
// keywords of gitleaks stand.
func triggered(s string, found []span) ([]span, []keyword) {
	t := table()
	var keywords []keyword
	var last span
	t.index.each(s, func(n, at int) {
		if n >= len(t.rules) {
			keywords = append(keywords, keyword{n - len(t.rules), at})
			return
		}
		r := t.rules[n]
		if at < last.end && at >= last.start && (r.name == last.rule || r.name == assigned) {
			return // goes with that
		}
		if start, end, ok := r.find(s, at); ok && start < end {
			last = span{start: start, end: end, rule: r.name}
			found = append(found, last)
		}
	})
	return found, keywords
}

// standsIn reports whether any trigger stands in a document.
func (x *index) standsIn(doc []byte) bool {
	for i := 0; i+1 < len(doc); i++ {
		slot := x.slots[pair(doc[i], doc[i+1])]
		if slot == 0 || i+2 < len(doc) && !x.buckets[slot].thirds[doc[i+2]] {
			continue
		}
		for _, m := range x.buckets[slot].marks {
			if len(doc)-i >= len(m.trigger) && hasPrefixFold(string(doc[i:i+len(m.trigger)]), m.trigger) {
				return true
			}
		}
	}
	return false
}
