package words

import (
	"slices"
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
	// Bare is true if it is the name of a month alone, which a person may have, too.
	Bare bool
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
	shortMonth           // "Sep" and "listopada" are months only beside a number
	weekdayName          // Tuesday
	relativeDay          // yesterday
	timeUnit             // week
	countedUnit          // "Tage" is a unit only behind a number
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
	for list := range strings.Lines(formsOfMonths) {
		for i, name := range strings.Fields(list) {
			if _, is := found[name]; !is {
				found[name] = named{kind: shortMonth, month: time.January + time.Month(i)}
			}
		}
	}
	for list := range strings.Lines(namesOfDays) {
		for i, name := range strings.Fields(list) {
			found[name] = named{kind: weekdayName, weekday: time.Weekday(i)}
		}
	}
	for offset, list := range map[int]string{
		-2: `vorgestern avant-hier anteayer antier anteontem eergisteren förrgår toissapäivänä tegnapelőtt alaltăieri
			przedwczoraj předevčírem позавчера`,
		-1: `yesterday gestern hier ayer ieri ontem gisteren igår igar вчера dün eilen tegnap wczoraj včera`,
		0: `today tonight heute aujourdhui hoy oggi hoje vandaag idag сегодня bugün tänään astăzi dziś dzisiaj
			dnes`,
		1: `tomorrow morgen demain mañana domani amanhã imorgon завтра yarın huomenna holnap mâine jutro zítra`,
		2: `übermorgen après-demain dopodomani overmorgen övermorgon ylihuomenna holnapután poimâine pojutrze
			pozítří послезавтра`,
	} {
		for word := range strings.FieldsSeq(list) {
			found[word] = named{kind: relativeDay, offset: offset}
		}
	}
	for kind, units := range map[timeKind]map[int]string{
		timeUnit: {
			1: "day days", 2: "weekend", 7: "week weeks woche semaine semana settimana неделе неделю tygodniu",
			30:  "month months monat mois mes mese mês maand месяце месяц miesiącu",
			365: "year years jahr année año anno ano jaar году год roku",
		},
		countedUnit: { // "tag" and "dag" are words of code, too
			1: "tag tage tagen jour jours día días dia dias giorno giorni dag dagen",
			7: "wochen semaines semanas settimane weken", 30: "monate monaten meses mesi maanden",
			365: "jahre jahren an ans années años anni anos",
		},
	} {
		for length, list := range units {
			for unit := range strings.FieldsSeq(list) {
				found[unit] = named{kind: kind, offset: length}
			}
		}
	}
	return found
}}

// longestTimeWord is the length in bytes of the longest of timeWords, послезавтра.
const longestTimeWord = 22

// The names of the months from January on and of the days of the week from Sunday on, in further languages, and what
// the months are called in others beside the number of a day.
const (
	namesOfMonths = `januar februar märz april mai juni juli august september oktober november dezember
		janvier février mars avril mai juin juillet août septembre octobre novembre décembre
		enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
		gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
		janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
		januari februari maart april mei juni juli augustus september oktober november december`
	formsOfMonths = `januari februari mars april maj juni juli augusti september oktober november december
		januar februar marts april maj juni juli august september oktober november december
		ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
		ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
		styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
		stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
		ledna února března dubna května června července srpna září října listopadu prosince
		январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
		января февраля марта апреля мая июня июля августа сентября октября ноября декабря`
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
			afgelopen прошлой прошлую прошлом zeszłym ubiegłym`,
		{back: 1, follows: true}: "dernier dernière pasado pasada scorso scorsa passado passada",
		{}:                       "this diese diesen dieses cette ce esta este questa questo deze dit этой этом tym",
		{back: -1}: `next nächsten nächste nächster nächstes kommenden volgende komende следующей следующем
			przyszłym`,
		{back: -1, follows: true}: "prochain prochaine próximo próxima prossimo prossima",
	} {
		for word := range strings.FieldsSeq(list) {
			found[word] = is
		}
	}
	return found
}}

// farther are the phrases for a day farther away than that of their last word.
var farther = [][]string{
	{"day", "before", "yesterday"}, {"day", "after", "tomorrow"}, {"avant", "hier"}, {"après", "demain"},
	{"antes", "de", "ayer"}, {"pasado", "mañana"}, {"altro", "ieri"}, {"dopo", "domani"},
	{"antes", "de", "ontem"}, {"depois", "de", "amanhã"},
}

// An unspacedTime is a word for a time in a script without spaces. Its unit is 0 if it only begins like one.
type unspacedTime struct {
	word string
	unit int // in days
	back int // how many units before today's
}

// unspacedTimes are those words by the lowest byte of their first character, the longest first: a map takes longer to
// look into for each character of a text.
var unspacedTimes = once.Value[[][]unspacedTime]{Make: func() [][]unspacedTime {
	found := make([][]unspacedTime, 256)
	for unit, lists := range map[int]map[int]string{
		0: {0: "上周期 本周期 下周期 그제야 그제서야"},
		1: {
			3: "大前天", 2: "前天 一昨日 おととい 그저께 그제", 1: "昨天 昨日 昨晚 昨夜 어제", 0: "今天 今日 今晚 오늘", -1: "明天 明日 내일",
			-2: "后天 後天 明後日 あさって 모레",
		},
		7: {
			1: "上周 上週 上星期 上个星期 上個星期 先週 지난주", 0: "本周 本週 这周 這週 今週 이번주",
			-1: "下周 下週 下星期 来週 다음주",
		},
		30:  {1: "上个月 上個月 上月 先月 지난달", 0: "本月 这个月 這個月 今月 이번달", -1: "下个月 下個月 下月 来月 다음달"},
		365: {1: "去年 昨年 작년", 0: "今年 올해", -1: "明年 来年 내년"},
	} {
		for back, list := range lists {
			for word := range strings.FieldsSeq(list) {
				first, _ := utf8.DecodeRuneInString(word)
				found[byte(first)] = append(found[byte(first)], unspacedTime{word, unit, back})
			}
		}
	}
	for _, times := range found {
		slices.SortFunc(times, func(a, b unspacedTime) int { return len(b.word) - len(a.word) })
	}
	return found
}}

// counts are the words for the numbers from one to twelve before a unit, in other languages than English.
var counts = once.Value[map[string]int]{Make: func() map[string]int {
	found := map[string]int{"einem": 1, "einer": 1, "une": 1, "una": 1, "uma": 1, "duas": 2}
	for list := range strings.Lines(`ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
		un deux trois quatre cinq six sept huit neuf dix onze douze
		un dos tres cuatro cinco seis siete ocho nueve diez once doce
		un due tre quattro cinque sei sette otto nove dieci undici dodici
		um dois três quatro cinco seis sete oito nove dez onze doze
		een twee drie vier vijf zes zeven acht negen tien elf twaalf`) {
		for i, word := range strings.Fields(list) {
			found[word] = i + 1
		}
	}
	return found
}}

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
	digits := strings.TrimRight(w.Lower, "stndrhe") // 1st, 2nd, 3rd, 4th, 1er, 2e
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
func (w *Word) hasDigit() bool { return w.Lower != "" && isDigit(w.Lower[0]) }

// date returns the day or the month that a word is by itself: 2026-11-03, with or without a time behind a T,
// 3.11.2026, or 2026-11.
func (w *Word) date() (p Period, is bool) {
	const germanDate, month = "2.1.2006", "2006-01"
	text, layout := w.Lower, germanDate
	if len(text) < len(month) || !w.hasDigit() {
		return p, false
	}
	if n := len(time.DateOnly); len(text) > n+1 && text[n] == 't' && isDigit(text[n+1]) {
		text = text[:n]
	}
	switch n := len(text); {
	case n > len(time.DateOnly):
		return p, false
	case n == len(month) && text[4] == '-' && (text[:2] == "19" || text[:2] == "20"):
		layout = month
	case n < len(germanDate):
		return p, false
	case text[n-3] == '-':
		layout = time.DateOnly
	case text[n-5] != '.':
		return p, false
	}
	date, err := time.Parse(layout, text)
	if err != nil {
		return p, false
	}
	if layout == month {
		p.First, p.Last = days(date.Year(), date.Month(), 0)
	} else {
		p.First, p.Last = dayOf(date), dayOf(date)
	}
	return p, true
}

// dayAndMonth returns the day of a year that a word before a full stop may be: "3.11.".
func (w *Word) dayAndMonth() (p Period, is bool) {
	if w.after != '.' || len(w.Lower) > len("31.12") {
		return p, false
	}
	first, second, _ := strings.Cut(w.Lower, ".")
	day, err := strconv.Atoi(first)
	month, errOfMonth := strconv.Atoi(second)
	if err != nil || errOfMonth != nil || !isDay(day) || !isMonth(month) {
		return p, false
	}
	return Period{Month: time.Month(month), Day: day}, true
}

func isDay(number int) bool { return number >= 1 && number <= 31 }

// isDayOf reports whether a month has a day in some year.
func isDayOf(number int, month time.Month) bool {
	const leapYear = 2024
	return isDay(number) && time.Date(leapYear, month, number, 0, 0, 0, 0, time.UTC).Month() == month
}

func isMonth(number int) bool { return number >= 1 && number <= 12 }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isDate reports whether a word is a year or a date by itself. Other numbers need a word of a time.
func (w *Word) isDate() bool {
	if !w.hasDigit() {
		return false
	}
	if len(w.Lower) == len("2006") {
		return true
	}
	_, is := w.date()
	if !is {
		_, is = w.dayAndMonth()
	}
	return is
}

// timeName returns what a word says of a time.
func (w *Word) timeName() named {
	if w.Stop && w.Lower != "may" || len(w.Lower) > longestTimeWord || w.hasDigit() {
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

// fromNow keeps that the time that n words from the i-th on name depends on today, and returns n. What is to come was
// not written then, so the words may be meant: "next day delivery".
func (r *timeReader) fromNow(i, n int) int {
	switch {
	case r.today == 0 || len(r.found) == 0:
		return n
	case r.found[len(r.found)-1].First > r.today:
		return r.use(ByName, i, n)
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
	if word.hasDigit() {
		return r.digits(i)
	}
	if isBeyondASCII(word.Text) {
		if n := r.unspaced(i); n > 0 {
			return n
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
		return r.day(name.offset, i)
	}
	if n := r.dayThenMonth(i); n > 0 {
		return n
	}
	if n := r.ago(i); n > 0 {
		return n
	}
	return r.directed(i)
}

// digits reads a time that begins with the i-th word, which begins with a digit.
func (r *timeReader) digits(i int) int {
	word := &r.words[i]
	if p, is := word.date(); is {
		return r.add(p, i, 1)
	}
	if n := r.slashed(i); n > 0 {
		return n
	}
	if n := r.dotted(i); n > 0 {
		return n
	}
	if n := r.unspacedDate(i); n > 0 {
		return n
	}
	if year, is := word.year(); is {
		return r.add(periodOf(year, 0, 0), i, 1)
	}
	if n := r.dayThenMonth(i); n > 0 {
		return n
	}
	return r.ago(i)
}

// periodOf returns the period of a day, of a month if day is 0, or of a year if month is 0, too.
func periodOf(year int, month time.Month, day int) (p Period) {
	p.First, p.Last = days(year, month, day)
	return p
}

// slashed reads "2026/11/16", and "11/16/2026" and "16/11/2026" if one of the two cannot be the month. With more
// slashes it is a path.
func (r *timeReader) slashed(i int) int {
	a, b, c := r.at(i), r.at(i+1), r.at(i+2)
	if a.after != '/' || b.after != '/' || a.before == '/' || c.after == '/' {
		return 0
	}
	year, yearFirst := a.year()
	day, month := 0, 0
	if yearFirst {
		month, _ = b.number()
		day, _ = c.number()
	} else {
		year, _ = c.year()
		month, _ = a.number()
		if day, _ = b.number(); month > 12 {
			day, month = month, day
		} else if day <= 12 && day != month {
			return 0
		}
	}
	if year == 0 || !isMonth(month) || !isDay(day) {
		return 0
	}
	return r.add(periodOf(year, time.Month(month), day), i, 3)
}

// dotted reads "16.11." behind a day of the week or a word that stands before days. Elsewhere it is a version.
func (r *timeReader) dotted(i int) int {
	p, is := r.words[i].dayAndMonth()
	if !is {
		return 0
	}
	switch before := r.at(i - 1); before.Lower {
	case "am", "vom", "zum", "bis", "den", "dem", "on":
	case "":
		if len(r.words) > 1 {
			return 0
		}
	default:
		if before.timeName().kind != weekdayName {
			return 0
		}
	}
	return r.add(p, i, 1)
}

// unspacedDate reads "2026年11月16日", "11월 16일" and "2026年".
func (r *timeReader) unspacedDate(i int) int {
	if !isBeyondASCII(r.at(i + 1).Text) {
		return 0
	}
	var parts [3]int // year, month, day
	n := 0
	for k, units := range [...]string{"年년", "月월", "日号號일"} {
		number, is := r.at(i + n).number()
		switch k {
		case 0:
			number, is = r.at(i + n).year()
		case 1:
			is = is && isMonth(number)
		case 2:
			is = is && isDay(number)
		}
		behind := r.at(i + n + 1).Text
		unit, size := utf8.DecodeRuneInString(behind)
		if is = is && strings.ContainsRune(units, unit); !is && k > 0 {
			break
		}
		if !is {
			continue // a year may be missing
		}
		parts[k], n = number, n+2
		if len(behind) > size {
			break
		}
	}
	if n == 0 {
		return 0
	}
	p := Period{Month: time.Month(parts[1]), Day: parts[2]}
	if parts[0] > 0 {
		p = periodOf(parts[0], p.Month, p.Day)
	}
	r.add(p, i, n)
	if _, size := utf8.DecodeRuneInString(r.at(i + n - 1).Text); len(r.at(i+n-1).Text) > size {
		r.use(NoTime, i+n-1, 1) // it says more
	}
	return n
}

// unspaced reads a time in the i-th word, of a script without spaces.
func (r *timeReader) unspaced(i int) int {
	text := r.words[i].Text
	if first, _ := utf8.DecodeRuneInString(text); !unspaced(first) {
		return 0
	}
	all := unspacedTimes.Get()
	for at, c := range text {
		words := all[byte(c)]
		k := slices.IndexFunc(words, func(t unspacedTime) bool { return strings.HasPrefix(text[at:], t.word) })
		if k < 0 || words[k].unit == 0 {
			continue
		}
		t := words[k]
		r.fromNow(i, r.unit(t.back, t.unit, i, 1))
		if text != t.word {
			r.use(NoTime, i, 1) // it says more
		}
		return 1
	}
	return 0
}

// day keeps the day that the i-th word names by its distance from today, or one beyond it that a phrase names.
func (r *timeReader) day(offset, i int) int {
	from := i
	for _, phrase := range farther {
		first := i + 1 - len(phrase)
		if first >= 0 && slices.EqualFunc(r.words[first:i+1], phrase, Word.isWord) {
			offset, from = 2*offset, first // it is 1 or -1
			break
		}
	}
	n := i + 1 - from
	r.fromNow(from, r.relative(offset, offset, from, n))
	return 1
}

func (w Word) isWord(lower string) bool { return w.Lower == lower }

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
	if number, is := r.at(i + n).number(); is && r.at(i+n).isNumber() && isDayOf(number, name.month) {
		day, n = number, n+1
	}
	if year, behind := r.yearAt(i + n); behind > 0 {
		return r.add(periodOf(year, name.month, day), i, n+behind)
	}
	ambiguous := name.kind == shortMonth || name.month == time.March || name.month == time.May
	if ambiguous && day == 0 && !(r.words[i].Capital && r.beforeMonth(i-1)) {
		return 0
	}
	r.add(Period{Month: name.month, Day: day, Bare: day == 0 && !r.beforeMonth(i-1)}, i, n)
	if day == 0 {
		r.use(ByName, i, n)
	}
	return n
}

// yearAt returns the year from the i-th word on, "2026" or "of 2026", and how many words it has, or 0.
func (r *timeReader) yearAt(i int) (year, n int) {
	if r.isOf(i) {
		n++
	}
	year, is := r.at(i + n).year()
	if !is {
		return 0, 0
	}
	return year, n + 1
}

// isOf reports whether the i-th word may stand between a day and its month, or a month and its year.
func (r *timeReader) isOf(i int) bool {
	switch r.at(i).Lower {
	case "of", "de", "del":
		return true
	}
	return false
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
	n := 1
	if r.isOf(i + n) {
		n++
	}
	name := r.at(i + n).timeName()
	if !is || name.kind != monthName && name.kind != shortMonth || !isDayOf(day, name.month) {
		return 0
	}
	n++
	if year, behind := r.yearAt(i + n); behind > 0 {
		return r.add(periodOf(year, name.month, day), i, n+behind)
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

// ago reads "two weeks ago", "vor zwei Wochen" and "il y a deux semaines". What is counted in weeks is not meant to the
// day.
func (r *timeReader) ago(i int) int {
	end := i + 1
	if r.at(end).Lower == "of" { // a couple of
		end++
	}
	unit := r.at(end).timeName()
	if unit.kind != timeUnit && unit.kind != countedUnit {
		return 0
	}
	end++
	from := i
	switch r.at(end).Lower {
	case "ago", "fa", "atrás", "geleden":
		end++
	default:
		switch r.at(i - 1).Lower {
		case "vor", "hace", "há", "faz":
			from--
		case "a":
			from -= 2
			if r.at(from).Lower != "y" {
				return 0
			}
		default:
			return 0
		}
	}
	number, is := r.words[i].number() // takes longer than what comes before
	if !is {
		if number, is = counts.Get()[r.words[i].Lower]; !is {
			return 0
		}
	}
	middle, slack := number*unit.offset, unit.offset/2
	r.fromNow(from, r.relative(-middle-slack, -middle+slack, from, end-from))
	return end - i
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
		return r.fromNow(i, r.unit(is.back, name.offset, i, 2))
	}
	r.weekday(name, i, is.back < 0)
	return r.fromNow(i, r.use(InTime, i, 2))
}

// isCalendar reports whether there is one before and a next one of what a word names.
func (n named) isCalendar() bool { return n.kind == timeUnit || n.kind == weekdayName }

// unit keeps the calendar's week, month or year that holds today, or the one before it, by its length in days. N words
// from the i-th on name it.
func (r *timeReader) unit(back, length, i, n int) int {
	if r.today == 0 {
		return r.add(Period{}, i, n)
	}
	today := time.Unix(int64(r.today)*24*60*60, 0).UTC()
	monday := r.today - (int(today.Weekday())+6)%7
	var p Period
	switch length {
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
	return r.add(p, i, n)
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
