package redact

import "sync"

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

// rules is the table of all our rules with a trigger; a further family of them is
// one more function here.
var rules = sync.OnceValue(func() *index {
	var all []rule
	all = append(all, privateKeyRules()...)
	all = append(all, tokenRules()...)
	all = append(all, urlRules()...)
	all = append(all, headerRules()...)
	all = append(all, assignmentRules()...)
	return newIndex(all)
})

// An index finds triggers by their first two bytes.
type index struct {
	// slots maps a pair of bytes to a bucket, 0 if no trigger starts so.
	slots   [1 << 16]uint8
	buckets [][]rule
}

func newIndex(all []rule) *index {
	x := &index{buckets: make([][]rule, 1)}
	for _, r := range all {
		slot := &x.slots[pair(r.trigger[0], r.trigger[1])]
		if *slot == 0 {
			x.buckets = append(x.buckets, nil)
			*slot = uint8(len(x.buckets) - 1)
		}
		x.buckets[*slot] = append(x.buckets[*slot], r)
	}
	return x
}

func pair(a, b byte) uint16 { return uint16(lower(a))<<8 | uint16(lower(b)) }

// triggered appends what the rules of the table find.
func triggered(s string, found []span) []span {
	x := rules()
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
		for _, r := range x.buckets[slot] {
			if !hasPrefixFold(s[i:], r.trigger) {
				continue
			}
			if start, end, ok := r.find(s, i); ok && start < end {
				found = append(found, span{start: start, end: end, rule: r.name})
			}
		}
	}
	return found
}

// hasTrigger says whether any trigger stands in a document.
func hasTrigger(doc []byte) bool { return rules().standsIn(doc) || leaks().index.standsIn(doc) }

func (x *index) standsIn(doc []byte) bool {
	for i := 0; i+1 < len(doc); i++ {
		slot := x.slots[pair(doc[i], doc[i+1])]
		if slot == 0 {
			continue
		}
		for _, r := range x.buckets[slot] {
			if len(doc)-i >= len(r.trigger) && hasPrefixFold(string(doc[i:i+len(r.trigger)]), r.trigger) {
				return true
			}
		}
	}
	return false
}
