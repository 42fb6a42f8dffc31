package recall

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/wm-lsp/wm-lsp/recall/vectors"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// Analysis is the number of the way in which Analyze reads a string. An index of entries that were
// made in another one is made anew.
const Analysis = 3

// A Text is what is to be found, as Analyze reads it.
type Text struct {
	Body    string
	Speaker string    // who said it, e.g. "Ada" or "user"; empty if nobody did
	At      time.Time // when it was written; zero if that is not known
}

// A Term is a word, or a mark, of a document, and how often it has it, at most 255.
type Term struct {
	Text string
	TF   uint8
}

// An Entry is what an index keeps of a string: its terms, each once and in the order in which
// they were found, and of its feature Day, Length and Flags.
type Entry struct {
	Terms   []Term
	Feature Feature
	Sketch  vectors.Sketch // of the meaning; zero if no word has a vector
}

// Analyze returns the entry of a string. Beside words it has marks, which no word is equal to:
// one for each name of the speaker, one for the day, one for each day that it names, and one for a language that is not
// English.
func Analyze(text Text) Entry {
	day := Day(text.At)
	analysis := words.AnalyzeOf(text.Body, int(day))
	feature := Feature{
		Day: day, Length: uint16(min(analysis.Length, math.MaxUint16)),
		Flags: Flags(min(analysis.Capitals, int(CapitalsMask))),
	}
	for _, flag := range [...]struct {
		flag Flags
		is   bool
	}{
		{HasQuestion, analysis.Questions > 0},
		{EndsWithQuestion, analysis.EndsIn == '?' || analysis.EndsIn == '？'},
		{HasTime, analysis.Time},
		{HasNumber, analysis.Number},
		{OfSelf, analysis.Self},
		{ToOther, analysis.Other},
	} {
		if flag.is {
			feature.Flags |= flag.flag
		}
	}
	entry := Entry{Feature: feature, Sketch: vectors.SketchOf(analysis.Terms)}
	const marks = 10 // more than most documents get, here and from the index
	entry.Terms = make([]Term, 0, len(analysis.Terms)+marks)
	for _, term := range analysis.Terms {
		entry.Terms = append(entry.Terms, Term{Text: term.Text, TF: uint8(min(term.Count, math.MaxUint8))})
	}
	for _, name := range words.Words(text.Speaker) {
		if mark := speakerMark(name.Lower); !slices.ContainsFunc(entry.Terms, mark.is) {
			entry.Terms = append(entry.Terms, Term{Text: string(mark), TF: 1})
		}
	}
	if feature.Day != 0 {
		entry.Terms = append(entry.Terms, Term{Text: string(dayMark(feature.Day)), TF: 1})
	}
	if analysis.Language != words.English {
		entry.Terms = append(entry.Terms, Term{Text: string(languageMark(analysis.Language)), TF: 1})
	}
	entry.Terms = appendTimes(entry.Terms, analysis.Times, int(day))
	return entry
}

const (
	// maxTimes is how many of the times that a string names have marks.
	maxTimes = 8
	// weekDays is up to how many days a time has a mark for each of them. A longer one, such as a month, has one mark.
	weekDays = 7
	// longestTime is the longest time that has a mark, in days.
	longestTime = 31
)

// appendTimes appends the marks of the times that a string of a day names, each once.
func appendTimes(terms []Term, times []words.Period, day int) []Term {
	others := len(terms)
	for _, p := range times[:min(len(times), maxTimes)] {
		if p.Bare {
			continue
		}
		for _, mark := range timeMarks(p.Near(day)) {
			if !slices.ContainsFunc(terms[others:], mark.is) {
				terms = append(terms, Term{Text: string(mark), TF: 1})
			}
		}
	}
	return terms
}

// timeMarks returns the marks of a string that names the days from first to last.
func timeMarks(first, last int) (marks []mark) {
	switch length := last - first + 1; {
	case length > longestTime:
	case length > weekDays:
		marks = append(marks, mark("~"+strconv.Itoa(first)+"-"+strconv.Itoa(last)))
	default:
		for day := first; day <= last; day++ {
			marks = append(marks, mark("~"+strconv.Itoa(day)))
		}
	}
	return marks
}

// A mark is a term that no word is equal to.
type mark string

// speakerMark is the mark of a string's speaker, by one word of the name.
func speakerMark(name string) mark { return mark("@" + name) }

// dayMark is the mark of the day on which a string was written.
func dayMark(day uint16) mark { return mark("#" + strconv.Itoa(int(day))) }

func (m mark) is(term Term) bool { return term.Text == string(m) }

// Day returns the day of a time in its own location, in days since 1970-01-01; 0 for the zero
// time and for days that do not fit.
func Day(at time.Time) uint16 {
	if at.IsZero() {
		return 0
	}
	year, month, day := at.Date()
	days := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60)
	if days < 0 || days > math.MaxUint16 {
		return 0
	}
	return uint16(days)
}
