package recall

import (
	"math"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/recall/words"
)

// Additions are what a document gets beside its words.
type additions struct{ said, date, asked, prior float32 }

func (a additions) sum() float32 { return a.said + a.date + a.asked + a.prior }

// added returns what a document gets beside its words. Only turns of a conversation are preferred
// by what kind of turn they are.
func (r *ranking) added(doc Doc, of row, days *dayMemo) (a additions) {
	if !of.isAlone() {
		a = r.flagged[of.flags]
		a.prior += r.Length * r.logs.of(of.length)
		if of.place&opens != 0 {
			a.prior += r.Opens
		}
	}
	if len(r.said) == 1 && r.own[doc-r.base] != 0 {
		a.said = r.Said
	}
	a.date = days.bonus(doc)
	return a
}

// flag sets what turns get by their flags.
func (r *ranking) flag() {
	for i := range r.flagged {
		r.flagged[i] = r.ofFlags(Flags(i))
	}
}

func (r *ranking) ofFlags(flags Flags) (a additions) {
	capitals := float32(flags.Capitals()) / 3
	a.prior = r.Capitals * capitals
	if flags&EndsWithQuestion != 0 {
		a.prior += r.Asks
	}
	if flags&OfSelf != 0 {
		a.prior += r.OfSelf
	}
	if flags&ToOther != 0 {
		a.prior += r.ToOther
	}
	if r.asked.kind&asksWhen != 0 && flags&HasTime != 0 {
		a.asked += r.When
	}
	if r.asked.kind&asksName != 0 {
		a.asked += r.NamesAsked * capitals
	}
	if r.asked.kind&asksNumber != 0 && flags&HasNumber != 0 {
		a.asked += r.Number
	}
	return a
}

// rounding is more than what sums in another order differ by.
const rounding = 1e-4

// mostAdded is as much as any document can get beside its words.
func (r *ranking) mostAdded() float32 {
	most := float32(rounding)
	for _, weight := range [...]float32{
		r.Length * float32(math.Log(1+math.MaxUint16)), r.Capitals, r.Opens, r.OfSelf, r.ToOther, r.Asks,
	} {
		most += max(weight, 0)
	}
	if len(r.said) == 1 {
		most += max(r.Said, 0)
	}
	if len(r.asked.periods) > 0 {
		most += max(r.OnDay, r.SoonAfter, r.InMonth, 0)
	}
	if r.asked.kind&asksWhen != 0 {
		most += max(r.When, 0)
	}
	if r.asked.kind&asksName != 0 {
		most += max(r.NamesAsked, 0)
	}
	if r.asked.kind&asksNumber != 0 {
		most += max(r.Number, 0)
	}
	return most
}

// A dayMemo knows what documents of a day get for the periods of the query. Most documents are
// of the same day as the one before.
type dayMemo struct {
	blocks
	day  uint16
	last float32
}

func (r *ranking) days() dayMemo { return dayMemo{blocks: blocks{ranking: r}} }

func (m *dayMemo) bonus(doc Doc) float32 {
	if len(m.asked.periods) == 0 {
		return 0
	}
	if _, names := slices.BinarySearch(m.named, doc); names {
		return m.OnDay
	}
	day := m.dayOf(doc)
	if day == 0 {
		return 0
	}
	if day != m.day {
		m.day, m.last = day, m.dateBonus(m.asked.periods, int(day))
	}
	return m.last
}

const (
	// monthDays is from how many days on a period is a month: nobody speaks of its days.
	monthDays = 28
	// soonDays is how many days later what happened on a day is still talked of.
	soonDays = 10
)

// dateBonus returns what a document of a day gets for the best of the periods. A period without
// a year is that of the day's year or of the year before.
func (w Weights) dateBonus(periods []words.Period, day int) float32 {
	best := float32(0)
	year := time.Unix(int64(day)*24*60*60, 0).UTC().Year()
	for _, p := range periods {
		for _, y := range []int{year - 1, year} {
			first, last := p.In(y)
			isMonth := last-first+1 >= monthDays
			switch {
			case day >= first && day <= last && isMonth:
				best = max(best, w.InMonth)
			case day >= first && day <= last:
				best = max(best, w.OnDay)
			case day > last && day <= last+soonDays && !isMonth:
				best = max(best, w.SoonAfter)
			}
		}
	}
	return best
}

// logs has the logarithms of 1 + the lengths of most documents.
type logs [256]float32

func newLogs() *logs {
	var found logs
	for i := range found {
		found[i] = float32(math.Log(1 + float64(i)))
	}
	return &found
}

func (l *logs) of(length uint16) float32 {
	if int(length) < len(l) {
		return l[length]
	}
	return float32(math.Log(1 + float64(length)))
}
