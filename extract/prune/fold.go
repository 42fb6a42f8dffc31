package prune

import "fmt"

// maxBlock is the length of the longest block of lines that is folded.
const maxBlock = 12

// fold replaces consecutive repetitions of a line or block by the first one and a
// count. It also keeps the last of near-identical lines, which shows where they
// ended.
func (p *page) fold() {
	p.entries = make([]entry, 0, len(p.lines))
	for i := 0; i < len(p.lines); {
		size, times := p.repeated(i)
		if times < 2 {
			p.add(i)
			i++
			continue
		}
		end := i + size*times
		for j := i; j < i+size; j++ {
			p.add(j)
		}
		away := size * (times - 1)
		switch {
		case size > 1:
			p.note(fmt.Sprintf("[… these %d lines %d times more]", size, times-1))
		case p.lines[i].text == p.lines[end-1].text:
			p.note(fmt.Sprintf("[… %d times more]", away))
		default:
			p.note(fmt.Sprintf("[… %d more like it]", away-1))
			p.add(end - 1)
		}
		i = end
	}
	if p.options.Mode != Normal {
		p.filterRepeats()
	}
}

func (p *page) add(i int)        { p.entries = append(p.entries, entry{line: i}) }
func (p *page) note(more string) { p.entries[len(p.entries)-1].more = more }

// repeated returns the size and the number of consecutive repetitions of the block
// at a line whose folding saves the most lines. It returns 0 if folding would save
// less than the count takes.
func (p *page) repeated(at int) (size, times int) {
	const fewest = 4 // lines to save by folding
	away := fewest - 1
	for n := 1; n <= maxBlock && at+2*n <= len(p.lines); n++ {
		if p.lines[at].shape != p.lines[at+n].shape {
			continue
		}
		t := 1
		for end := at + n*(t+1); end <= len(p.lines) && p.same(at, end-n, n); end += n {
			t++
		}
		if n*(t-1) > away {
			size, times, away = n, t, n*(t-1)
		}
	}
	return size, times
}

func (p *page) same(a, b, n int) bool {
	for i := range n {
		if p.lines[a+i].shape != p.lines[b+i].shape {
			return false
		}
	}
	return true
}

// filterRepeats marks lines that occurred anywhere before. They are left out and counted
// like all others.
func (p *page) filterRepeats() {
	seen := make(map[uint64]bool, len(p.entries))
	for i, e := range p.entries {
		l := p.lines[e.line]
		p.entries[i].again = l.text != "" && seen[l.shape] && e.more == "" && l.fault <= places
		seen[l.shape] = true
	}
}
