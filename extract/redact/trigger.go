package redact

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// A rule finds the secret around a trigger that was found at byte at.
type rule struct {
	// name stands in the marker: lower case letters, digits and hyphens.
	name string
	// trigger is at least two bytes of ASCII in lower case, matched in any case.
	trigger string
	// find returns the bytes [start, end) of the secret. It looks at a bounded
	// stretch around at, or on to where the text ends its kind of run.
	find func(s string, at int) (start, end int, ok bool)
}

// A nameRule is a rule whose trigger stands in the name of a secret.
type nameRule struct {
	trigger string
	// kind is what the values of the name are, where the name itself does not say it.
	kind secrecy
	// find returns the name that holds the trigger s[from:to].
	find func(s string, from, to int, kind secrecy) (n named, ok bool)
}

// A manyRule is a rule whose trigger may stand for several secrets.
type manyRule struct {
	trigger string
	// find appends the secrets.
	find func(s string, at int, found []span) []span
}

// A ruleTable is all our rules with a trigger, and the index of what they and
// the rules of gitleaks are tried at.
type ruleTable struct {
	rules []rule
	names []nameRule
	many  []manyRule
	// cheapFrom and cheapTo bound the rules that look at a few bytes where they find nothing.
	cheapFrom, cheapTo int
	// index numbers our rules first, then names, those with many secrets, and those of gitleaks.
	index *index
	// written has the triggers that JSON writes with escapes, as it does.
	written *index
}

// table returns the one table.
var table = once.Value[*ruleTable]{Make: newTable}

// Prepare builds the tables that the first redaction would otherwise wait for.
func Prepare() { table.Get() }

// newTable builds the table; a further family of rules is one more function here.
func newTable() *ruleTable {
	keys := privateKeyRules()
	t := &ruleTable{cheapFrom: len(keys), cheapTo: len(keys) + len(tokens), rules: slices.Concat(
		keys, tokenRules(), urlRules(), headerRules(), callRules(), optionRules(), cardRules(),
		seedRules(), proseRules(), fileRules(), unlockRules(), combinationRules(), sentRules(),
	), names: slices.Concat(assignmentRules(), accessRules()), many: slices.Concat(hereRules(),
		tableRules(), personalRules(), fileManyRules())}
	marks := make([]mark, 0, len(t.rules)+len(t.names)+len(t.many)+2*len(leakTable))
	for i, r := range t.rules {
		marks = append(marks, mark{r.trigger, i})
	}
	for i, r := range t.names {
		marks = append(marks, mark{r.trigger, len(t.rules) + i})
	}
	for i, r := range t.many {
		marks = append(marks, mark{r.trigger, len(t.rules) + len(t.names) + i})
	}
	for i, l := range leakTable {
		for _, k := range l.keywords {
			marks = append(marks, mark{k, len(t.rules) + len(t.names) + len(t.many) + i})
		}
	}
	t.index = newIndex(marks)
	var written []mark
	for _, m := range marks {
		if escaped := inJSON.Replace(m.trigger); escaped != m.trigger {
			written = append(written, mark{escaped, m.rule})
		}
	}
	t.written = newIndex(written)
	return t
}

// inJSON escapes what JSON demands an escape for, of what stands in triggers.
var inJSON = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\t", `\t`)

// A mark is a trigger and the number of the rule that it belongs to.
type mark struct {
	trigger string
	rule    int
}

// An index finds marks by the first three bytes of their trigger, in any case.
type index struct {
	// starts are the hashes of these, so that most bytes of a string cost one look into what
	// stays in the cache.
	starts [1 << 10]uint64
	// heads has, for the last bits of such a hash, where the keys of its marks start, one behind the other up to those
	// of the next one.
	heads [indexSize + 1]uint16
	keys  []key3
	marks []mark
}

// A key3 is what is compared of a mark before its trigger is looked at: its bytes in lower case for strings in which
// third stands third.
type key3 struct {
	third, fourth, last byte // fourth is 0 if there is none
	length              uint8
	mark                uint16 // the number of the mark
}

const indexSize = 1 << 12

// startHash hashes three bytes, in any case, to 16 bits.
func startHash(a, b, c byte) uint32 {
	return ((uint32(a) | uint32(b)<<8 | uint32(c)<<16) | 0x202020) * 2654435761 >> 16
}

// newIndex builds the index in few allocations, because the first redaction waits
// for it.
func newIndex(marks []mark) *index {
	x := &index{marks: marks}
	x.start(startHash(markerOpen[0], markerOpen[1], markerOpen[2]))
	var counts [indexSize]uint16
	entries := 0
	eachThird(marks, func(_ int, _ byte, hash uint32) {
		x.start(hash)
		counts[hash%indexSize]++
		entries++
	})
	for i, n := range counts {
		x.heads[i+1] = x.heads[i] + n
	}
	x.keys = make([]key3, entries)
	next := x.heads
	eachThird(marks, func(n int, third byte, hash uint32) {
		trigger := marks[n].trigger
		k := key3{third: third, last: trigger[len(trigger)-1], length: uint8(len(trigger)), mark: uint16(n)}
		if len(trigger) > 3 {
			k.fourth = trigger[3]
		}
		x.keys[next[hash%indexSize]] = k
		next[hash%indexSize]++
	})
	return x
}

// eachThird calls see for each mark, with its number, the third byte of the strings that it is for, of which those with
// triggers of two bytes have many, and the hash of their first three bytes.
func eachThird(marks []mark, see func(n int, third byte, hash uint32)) {
	for n, m := range marks {
		if len(m.trigger) > 2 {
			see(n, m.trigger[2], startHash(m.trigger[0], m.trigger[1], m.trigger[2]))
			continue
		}
		for third := range 256 {
			if !isUpper(byte(third)) {
				see(n, byte(third), startHash(m.trigger[0], m.trigger[1], byte(third)))
			}
		}
	}
}

func (x *index) start(hash uint32) { x.starts[hash>>6] |= 1 << (hash & 63) }

// each calls see for every trigger that stands in a string, outside markers, until that returns false, and skip for
// every marker. Behind a trigger of two bytes another one has to follow.
func (x *index) each(s string, skip func(), see func(rule, at int) bool) {
	for i := 0; i+2 < len(s); i++ {
		hash := startHash(s[i], s[i+1], s[i+2])
		if x.starts[hash>>6]&(1<<(hash&63)) == 0 {
			continue
		}
		if s[i] == '[' {
			if end := markerEnd(s, i); end > 0 {
				skip()
				i = end - 1
				continue
			}
		}
		if !look(x, s, i, hash, see) {
			return
		}
	}
}

// look calls see for the triggers that stand at at, where three bytes have a hash, until that returns false, which is
// then its result.
func look[T string | []byte](x *index, s T, at int, hash uint32, see func(rule, at int) bool) bool {
	third, fourth := lower(s[at+2]), byte(0)
	if at+3 < len(s) {
		fourth = lower(s[at+3])
	}
	slot := hash % indexSize
	for _, k := range x.keys[x.heads[slot]:x.heads[slot+1]] {
		if k.third != third || k.fourth != fourth && k.fourth != 0 {
			continue
		}
		last := at + int(k.length) - 1
		if last >= len(s) || lower(s[last]) != k.last {
			continue
		}
		if m := &x.marks[k.mark]; hasPrefixFold(s[at:], m.trigger) && !see(m.rule, at) {
			return false
		}
	}
	return true
}

// triggered appends what the rules of the table find, and returns where the
// keywords of gitleaks stand.
func triggered(s string, e *effort, found []span) ([]span, []keyword) {
	t := table.Get()
	var keywords []keyword
	var last span
	e.startText()
	t.index.each(s, e.marker, func(n, at int) bool {
		cheap := n >= t.cheapFrom && n < t.cheapTo
		inLast := at < last.end && at >= last.start
		var r rule
		if n < len(t.rules) {
			r = t.rules[n]
			inLast = inLast && (r.name == last.rule || r.name == assigned)
		}
		n -= len(t.rules) + len(t.names) + len(t.many)
		if n < 0 && inLast {
			return true // goes with that
		}
		if !cheap && !e.try(at) {
			found = append(found, restFrom(s, at))
			return false
		}
		if n >= 0 {
			keywords = append(keywords, keyword{n, at})
			return true
		}
		if r.find != nil {
			if start, end, ok := r.find(s, at); ok && start < end {
				last = span{start: start, end: end, rule: r.name}
				found = append(found, last)
			}
			return true
		}
		before := len(found)
		if n += len(t.many); n >= 0 {
			found = t.many[n].find(s, at, found)
		} else {
			r := &t.names[n+len(t.names)]
			if name, ok := r.find(s, at, at+len(r.trigger), r.kind); ok && e.tryName(name) {
				if name.script != identifier {
					e.tried += wordPlaces - 1
				}
				found = assignments(s, name, e, found)
			}
		}
		if len(found) > before {
			last = found[len(found)-1]
		}
		return true
	})
	return found, keywords
}

// standsIn reports whether any trigger stands in a document.
func (x *index) standsIn(doc []byte) bool {
	found := false
	for i := 0; i+2 < len(doc) && !found; i++ {
		hash := startHash(doc[i], doc[i+1], doc[i+2])
		if x.starts[hash>>6]&(1<<(hash&63)) != 0 {
			look(x, doc, i, hash, func(int, int) bool { found = true; return false })
		}
	}
	return found
}
