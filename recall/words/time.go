package words

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// A Period is a day, a week, a month or a year that a string names.
type Period struct {
	// First and Last are its days since 1970-01-01. They are 0 if the year is not known:
	// then Month says the month, and Day the day in it or 0.
	First, Last int
	Month       time.Month
	Day         int
}

// In returns the period's first and last day in a year, for one whose year is not known, and
// First and Last otherwise.
func (p Period) In(year int) (first, last int) {
	if p.Month == 0 {
		return p.First, p.Last
	}
	return days(year, p.Month, p.Day)
}

// Around returns the first and the last days that the period may be, as seen from a day: those of the last one that has
// begun by then, and of the next one. They are the same if the year is known.
func (p Period) Around(today int) (first, last, nextFirst, nextLast int) {
	year := time.Unix(int64(today)*24*60*60, 0).UTC().Year()
	if first, last = p.In(year); first > today && p.Month != 0 {
		year--
		first, last = p.In(year)
	}
	nextFirst, nextLast = p.In(year + 1)
	return first, last, nextFirst, nextLast
}

// Near returns the first and the last day of the period, of that nearest to a day if the year is not known: a text of
// the day means that one.
func (p Period) Near(day int) (first, last int) {
	first, last, nextFirst, nextLast := p.Around(day)
	if nextFirst-day < day-last {
		return nextFirst, nextLast
	}
	return first, last
}

// days returns the first and the last day of a day, of a month if day is 0, or of a year if month
// is 0, too.
func days(year int, month time.Month, day int) (first, last int) {
	from := time.Date(year, max(month, 1), max(day, 1), 0, 0, 0, 0, time.UTC)
	to := from
	switch {
	case month == 0:
		to = from.AddDate(1, 0, -1)
	case day == 0:
		to = from.AddDate(0, 1, -1)
	}
	return dayOf(from), dayOf(to)
}

func dayOf(t time.Time) int { return int(t.Unix() / (24 * 60 * 60)) }

// A named is what a word says of a time.
type named struct {
	month   time.Month
	weekday time.Weekday
	kind    timeKind
	offset  int // of a relativeDay in days from today; of a unit its length in days
}

type timeKind uint8

const (
	noTime      timeKind = iota
	monthName            // May, Dezember
	shortMonth           // "Sep" is a month only beside a number
	weekdayName          // Tuesday
	relativeDay          // yesterday
	timeUnit             // week
)

// timeWords are the words of times.
var timeWords = once.Value[map[string]named]{Make: func() map[string]named {
	found := map[string]named{}
	for i := time.January; i <= time.December; i++ {
		name := strings.ToLower(i.String())
		found[name[:3]] = named{kind: shortMonth, month: i}
		found[name] = named{kind: monthName, month: i}
	}
	found["sept"] = named{kind: shortMonth, month: time.September}
	for i := time.Sunday; i <= time.Saturday; i++ {
		found[strings.ToLower(i.String())] = named{kind: weekdayName, weekday: i}
	}
	for list := range strings.Lines(namesOfMonths) {
		for i, name := range strings.Fields(list) {
			found[name] = named{kind: monthName, month: time.January + time.Month(i)}
		}
	}
	for list := range strings.Lines(namesOfDays) {
		for i, name := range strings.Fields(list) {
			found[name] = named{kind: weekdayName, weekday: time.Weekday(i)}
		}
	}
	for offset, list := range map[int]string{
		-1: "yesterday gestern hier ayer ieri ontem gisteren igår igar вчера dün eilen tegnap",
		0:  "today tonight heute aujourdhui hoy oggi hoje vandaag idag сегодня bugün tänään",
		1:  "tomorrow morgen demain mañana domani amanhã imorgon завтра yarın huomenna holnap",
	} {
		for word := range strings.FieldsSeq(list) {
			found[word] = named{kind: relativeDay, offset: offset}
		}
	}
	for length, list := range map[int]string{
		1: "day days", 2: "weekend", 7: "week weeks woche semaine semana settimana",
		30: "month months monat mois mes mese mês maand", 365: "year years jahr année año anno ano jaar",
	} {
		for unit := range strings.FieldsSeq(list) {
			found[unit] = named{kind: timeUnit, offset: length}
		}
	}
	return found
}}

// The names of the months from January on and of the days of the week from Sunday on, in further languages.
const (
	namesOfMonths = `januar februar märz april mai juni juli august september oktober november dezember
		janvier février mars avril mai juin juillet août septembre octobre novembre décembre
		enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
		gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
		janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
		januari februari maart april mei juni juli augustus september oktober november december`
	namesOfDays = `sonntag montag dienstag mittwoch donnerstag freitag samstag
		dimanche lundi mardi mercredi jeudi vendredi samedi
		domingo lunes martes miércoles jueves viernes sábado
		domenica lunedì martedì mercoledì giovedì venerdì sabato
		zondag maandag dinsdag woensdag donderdag vrijdag zaterdag`
)

// A direction says which unit or day of the week is meant: the one before today's, or the next one.
type direction struct {
	back    int  // 1 for the one before, 0 for today's own, -1 for the next one
	follows bool // the word may stand behind the unit, too
}

var directions = once.Value[map[string]direction]{Make: func() map[string]direction {
	found := map[string]direction{}
	for is, list := range map[direction]string{
		{back: 1}: `last past previous letzten letzte letzter letztes vorigen vorige voriges vergangenen vergangene
			afgelopen`,
		{back: 1, follows: true}:  "dernier dernière pasado pasada scorso scorsa passado passada",
		{}:                        "this",
		{back: -1}:                "next nächsten nächste nächster nächstes kommenden volgende komende",
		{back: -1, follows: true}: "prochain prochaine próximo próxima prossimo prossima",
	} {
		for word := range strings.FieldsSeq(list) {
			found[word] = is
		}
	}
	return found
}}

// unspacedDays are words for yesterday, today and tomorrow in scripts without spaces.
var unspacedDays = []struct {
	word   string
	offset int
}{
	{"昨天", -1}, {"昨日", -1}, {"어제", -1}, {"今天", 0}, {"今日", 0}, {"오늘", 0}, {"明天", 1}, {"明日", 1}, {"내일", 1},
}

// numbers are the words for small numbers.
var numbers = once.Value[map[string]int]{Make: func() map[string]int {
	found := map[string]int{"couple": 2, "few": 3, "several": 3, "dozen": 12}
	for i, word := range strings.Fields("two three four five six seven eight nine ten eleven twelve") {
		found[word] = i + 2
	}
	return found
}}

// isNumber reports whether the word is a number, or a word for one.
func (w *Word) isNumber() bool {
	if w.known != nil {
		return w.known.number
	}
	_, named := numbers.Get()[w.Lower]
	return named || w.hasDigit()
}

// number returns the number that a word is, 1 for "a", and whether it is one below 1,000.
func (w *Word) number() (int, bool) {
	if w.Lower == "a" || w.Lower == "an" || w.Lower == "one" {
		return 1, true
	}
	if number, is := numbers.Get()[w.Lower]; is {
		return number, true
	}
	if !w.hasDigit() {
		return 0, false
	}
	digits := strings.TrimRight(w.Lower, "stndrh") // 1st, 2nd, 3rd, 4th
	number, err := strconv.Atoi(digits)
	return number, err == nil && number >= 0 && number < 1000
}

// year returns the year that a word is, from 1970 to 2099.
func (w *Word) year() (int, bool) {
	if len(w.Lower) != 4 || !w.hasDigit() {
		return 0, false
	}
	year, err := strconv.Atoi(w.Lower)
	return year, err == nil && year >= 1970 && year < 2100
}

// hasDigit reports whether the word begins with a digit.
func (w *Word) hasDigit() bool { return w.Lower != "" && w.Lower[0] >= '0' && w.Lower[0] <= '9' }

// date returns the day that a word is by itself: 2026-11-03 or 3.11.2026.
func (w *Word) date() (day int, is bool) {
	const germanDate = "2.1.2006"
	layout := germanDate
	switch n := len(w.Lower); {
	case !w.hasDigit(), n < len(germanDate), n > len(time.DateOnly):
		return 0, false
	case w.Lower[n-3] == '-':
		layout = time.DateOnly
	case w.Lower[n-5] != '.':
		return 0, false
	}
	date, err := time.Parse(layout, w.Lower)
	return dayOf(date), err == nil
}

// isDate reports whether a word is a year or a date by itself. Other numbers need a word of a time.
func (w *Word) isDate() bool {
	if _, is := w.date(); is {
		return true
	}
	return w.hasDigit() && len(w.Lower) == len("2006")
}

// timeName returns what a word says of a time.
func (w *Word) timeName() named {
	if w.Stop && w.Lower != "may" || len(w.Lower) > longestStopWord || w.hasDigit() {
		return named{}
	}
	if w.known != nil {
		return w.known.time
	}
	return timeWords.Get()[w.Lower]
}

// A timeReader reads times from words.
type timeReader struct {
	words []Word
	today int
	found []Period
	used  []Use // nil if it is not asked for
}

// A Use is what a word does in naming a time.
type Use uint8

const (
	NoTime  Use = iota
	InTime      // it is one of the words that name a time
	ByName      // it is the name of a day of the week or of a month, alone: what comes back is named so, too
	FromNow     // and they name it by how long ago it was: whoever says the same on another day means another time
)

// Periods returns the times that a string names, and what each of its words does in that. The day is
// the one on which it was written, in days since 1970-01-01; without it, 0, relative times are left
// out.
func Periods(words []Word, today int) (found []Period, used []Use) {
	r := timeReader{words: words, today: today, used: make([]Use, len(words))}
	for i := 0; i < len(words); {
		i += max(r.read(i), 1)
	}
	return r.found, r.used
}

// add keeps a period that n words from the i-th on name, and returns n.
func (r *timeReader) add(p Period, i, n int) int {
	r.use(InTime, i, n)
	if p != (Period{}) {
		r.found = append(r.found, p)
	}
	return n
}

// use keeps what n words from the i-th on do, and returns n.
func (r *timeReader) use(as Use, i, n int) int {
	if r.used == nil {
		return n
	}
	for at := i; at < i+n; at++ {
		r.used[at] = as
	}
	return n
}

// fromNow keeps that the time that n words from the i-th on name depends on today, and returns n.
func (r *timeReader) fromNow(i, n int) int {
	if r.today == 0 {
		return n
	}
	return r.use(FromNow, i, n)
}

// at returns the i-th word, or none.
func (r *timeReader) at(i int) *Word {
	if i < 0 || i >= len(r.words) {
		return &Word{}
	}
	return &r.words[i]
}

// read reads a time that begins with the i-th word and returns how many words it has, or 0.
func (r *timeReader) read(i int) int {
	word := &r.words[i]
	if day, is := word.date(); is {
		return r.add(Period{First: day, Last: day}, i, 1)
	}
	if isBeyondASCII(word.Text) {
		for _, day := range unspacedDays {
			if strings.Contains(word.Text, day.word) {
				n := r.relative(day.offset, day.offset, i, 1)
				if word.Text != day.word {
					r.use(NoTime, i, n) // it says more
				}
				return n
			}
		}
	}
	name := word.timeName()
	switch name.kind {
	case monthName, shortMonth:
		return r.month(name, i)
	case weekdayName:
		if n := r.directed(i); n > 0 {
			return n
		}
		if before := r.at(i - 1).Lower; before == "each" || before == "every" {
			return 0
		}
		return r.use(ByName, i, r.weekday(name, i, false))
	case relativeDay:
		return r.fromNow(i, r.relative(name.offset, name.offset, i, 1))
	}
	if year, is := word.year(); is {
		first, last := days(year, 0, 0)
		return r.add(Period{First: first, Last: last}, i, 1)
	}
	if n := r.dayThenMonth(i); n > 0 {
		return n
	}
	if n := r.ago(i); n > 0 {
		return n
	}
	return r.directed(i)
}

// relative keeps the days from and to, as distances from today.
func (r *timeReader) relative(from, to, i, n int) int {
	if r.today == 0 {
		return r.add(Period{}, i, n)
	}
	return r.add(Period{First: r.today + from, Last: r.today + to}, i, n)
}

// month reads "May 2023", "May 7, 2023" and "May". "may", "march" and short names are months
// beside a number or behind a preposition.
func (r *timeReader) month(name named, i int) int {
	n, day := 1, 0
	if number, is := r.at(i + n).number(); is && r.at(i+n).isNumber() && number >= 1 && number <= 31 {
		day, n = number, n+1
	}
	year, hasYear := r.at(i + n).year()
	if !hasYear && r.at(i+n).Lower == "of" {
		if year, hasYear = r.at(i + n + 1).year(); hasYear {
			n++
		}
	}
	if hasYear {
		first, last := days(year, name.month, day)
		return r.add(Period{First: first, Last: last}, i, n+1)
	}
	ambiguous := name.kind == shortMonth || name.month == time.March || name.month == time.May
	if ambiguous && day == 0 && !(r.words[i].Capital && r.beforeMonth(i-1)) {
		return 0
	}
	r.add(Period{Month: name.month, Day: day}, i, n)
	if day == 0 {
		r.use(ByName, i, n)
	}
	return n
}

// beforeMonth reports whether the i-th word can stand before a month.
func (r *timeReader) beforeMonth(i int) bool {
	switch r.at(i).Lower {
	case "in", "of", "since", "until", "by", "last", "this", "during", "before", "after", "early", "late", "mid":
		return true
	}
	return false
}

// dayThenMonth reads "7 May 2023", "7th of May" and "the 7th of May, 2023".
func (r *timeReader) dayThenMonth(i int) int {
	if !r.words[i].isNumber() {
		return 0
	}
	day, is := r.words[i].number()
	if !is || day < 1 || day > 31 {
		return 0
	}
	n := 1
	if r.at(i+n).Lower == "of" {
		n++
	}
	name := r.at(i + n).timeName()
	if name.kind != monthName && name.kind != shortMonth {
		return 0
	}
	n++
	if year, is := r.at(i + n).year(); is {
		first, last := days(year, name.month, day)
		return r.add(Period{First: first, Last: last}, i, n+1)
	}
	return r.add(Period{Month: name.month, Day: day}, i, n)
}

// weekday reads the i-th word, "Tuesday": the last one before today, or the next one.
func (r *timeReader) weekday(name named, i int, next bool) int {
	weekday := (int(time.Thursday) + r.today) % 7 // 1970-01-01 was a Thursday
	back := (weekday - int(name.weekday) + 7) % 7
	switch {
	case next:
		back -= 7
	case back == 0:
		back = 7
	}
	return r.relative(-back, -back, i, 1)
}

// ago reads "two weeks ago". What is counted in weeks is not meant to the day.
func (r *timeReader) ago(i int) int {
	n := 1
	if r.at(i+n).Lower == "of" { // a couple of
		n++
	}
	unit := r.at(i + n).timeName()
	if unit.kind != timeUnit || r.at(i+n+1).Lower != "ago" {
		return 0
	}
	number, is := r.words[i].number() // takes longer than what comes before
	if !is {
		return 0
	}
	middle, slack := number*unit.offset, unit.offset/2
	return r.fromNow(i, r.relative(-middle-slack, -middle+slack, i, n+2))
}

// directed reads "last week", "this month", "next Tuesday" and "semaine dernière".
func (r *timeReader) directed(i int) int {
	name, at, follows := r.at(i+1).timeName(), i, false
	if !name.isCalendar() {
		if name, at, follows = r.words[i].timeName(), i+1, true; !name.isCalendar() {
			return 0
		}
	}
	is, known := directions.Get()[r.at(at).Lower]
	if !known || follows && !is.follows {
		return 0
	}
	if name.kind == timeUnit {
		return r.fromNow(i, r.unit(is.back, name, i))
	}
	r.weekday(name, i, is.back < 0)
	return r.fromNow(i, r.use(InTime, i, 2))
}

// isCalendar reports whether there is one before and a next one of what a word names.
func (n named) isCalendar() bool { return n.kind == timeUnit || n.kind == weekdayName }

// unit keeps the calendar's week, month or year that holds today, or the one before it.
func (r *timeReader) unit(back int, name named, i int) int {
	if r.today == 0 {
		return r.add(Period{}, i, 2)
	}
	today := time.Unix(int64(r.today)*24*60*60, 0).UTC()
	monday := r.today - (int(today.Weekday())+6)%7
	var p Period
	switch name.offset {
	case 365:
		p.First, p.Last = days(today.Year()-back, 0, 0)
	case 30:
		p.First, p.Last = days(today.Year(), today.Month()-time.Month(back), 0)
	case 7:
		p.First, p.Last = monday-7*back, monday-7*back+6
	case 2:
		p.First, p.Last = monday-7*back+5, monday-7*back+6
	default:
		p.First, p.Last = r.today-back, r.today-back
	}
	return r.add(p, i, 2)
}

// beforeTime is how many words before the first one that says something of a time may belong to it.
const beforeTime = 2

// timesIn reports whether a string names a time, and returns those that it names if it is of a day that is known.
func timesIn(words []Word, today int) (found []Period, names bool) {
	first, last := -1, 0
	for i := range words {
		word := &words[i]
		name := word.timeName()
		if name.kind != noTime || word.isDate() || isBeyondASCII(word.Text) {
			if last = i; first < 0 {
				first = i
			}
		}
		switch name.kind {
		case weekdayName, relativeDay:
			names = true
		case timeUnit:
			before, after := "", ""
			if i > 0 {
				before = words[i-1].Lower
			}
			if i+1 < len(words) {
				after = words[i+1].Lower
			}
			switch {
			case after == "ago", before == "last", before == "next", before == "this", before == "past":
				names = true
			}
		}
		names = names || strings.HasPrefix(word.Text, "昨")
		if names && today == 0 {
			return nil, true
		}
	}
	if first < 0 { // every period has such a word
		return nil, false
	}
	r := timeReader{words: words, today: today}
	for i := max(first-beforeTime, 0); i <= last && (today != 0 || len(r.found) == 0); {
		i += max(r.read(i), 1)
	}
	names = names || len(r.found) > 0
	if today == 0 {
		return nil, names
	}
	return r.found, names
}

// isBeyondASCII reports whether a word begins with a character beyond ASCII.
func isBeyondASCII(word string) bool { return word != "" && word[0] >= utf8.RuneSelf }
