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

// table returns the table; a further family of rules is one more function here.
var table = sync.OnceValue(func() *ruleTable {
	t := &ruleTable{rules: slices.Concat(privateKeyRules(), tokenRules(), urlRules(), headerRules(), optionRules(), assignmentRules())}
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
})

// A mark is a trigger and the number of the rule that it belongs to.
type mark struct {
	trigger string
	rule    int
}

// An index finds marks by the first two bytes of their trigger.
type index struct {
	// slots maps a pair of bytes to a bucket, 0 if no trigger starts so.
	slots   [1 << 16]uint8
	buckets [][]mark
}

// newIndex builds the index in few allocations, because the first redaction waits
// for it.
func newIndex(marks []mark) *index {
	x := &index{buckets: make([][]mark, 1, 256)}
	var sizes [256]int
	for _, m := range marks {
		slot := &x.slots[pair(m.trigger[0], m.trigger[1])]
		if *slot == 0 {
			*slot = uint8(len(x.buckets))
			x.buckets = append(x.buckets, nil)
		}
		sizes[*slot]++
	}
	room := make([]mark, len(marks))
	for i := range x.buckets {
		x.buckets[i], room = room[:0:sizes[i]], room[sizes[i]:]
	}
	for _, m := range marks {
		slot := x.slots[pair(m.trigger[0], m.trigger[1])]
		x.buckets[slot] = append(x.buckets[slot], m)
	}
	return x
}

func pair(a, b byte) uint16 { return uint16(lower(a))<<8 | uint16(lower(b)) }

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
		if slot == 0 {
			continue
		}
		for _, m := range x.buckets[slot] {
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
	t.index.each(s, func(n, at int) {
		if n >= len(t.rules) {
			keywords = append(keywords, keyword{n - len(t.rules), at})
		} else if start, end, ok := t.rules[n].find(s, at); ok && start < end {
			found = append(found, span{start: start, end: end, rule: t.rules[n].name})
		}
	})
	return found, keywords
}

// standsIn says whether any trigger stands in a document.
func (x *index) standsIn(doc []byte) bool {
	for i := 0; i+1 < len(doc); i++ {
		slot := x.slots[pair(doc[i], doc[i+1])]
		if slot == 0 {
			continue
		}
		for _, m := range x.buckets[slot] {
			if len(doc)-i >= len(m.trigger) && hasPrefixFold(string(doc[i:i+len(m.trigger)]), m.trigger) {
				return true
			}
		}
	}
	return false
}
