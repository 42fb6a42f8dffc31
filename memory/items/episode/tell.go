package episode

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tokens"
)

// lasted returns a duration for people: "40 min", "3 h", "2 days".
func lasted(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return "1 min"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

const (
	// maxLine is the maximum length of the line of an episode, maxAbout of what it is about in it,
	// in characters.
	maxLine  = 240
	maxAbout = 120
	// someFiles is how many files a line names.
	someFiles = 3
)

// Line returns an episode in one line of at most 240 characters: what was asked for, which files
// were changed, and what came of the checks.
func (e Episode) Line() string {
	var did []string
	if files := names(e.Changed, someFiles); files != "" {
		did = append(did, "changed "+files)
	} else if files := names(e.Read, someFiles); files != "" {
		did = append(did, "read "+files)
	}
	for _, run := range e.checks() {
		did = append(did, run.String())
		if len(did) == 3 {
			break
		}
	}
	about := clip(e.About(), maxAbout)
	if len(did) == 0 {
		return cmp.Or(about, clip(e.Said, maxLine))
	}
	done := strings.Join(did, ", ")
	if about == "" {
		return clip(strings.ToUpper(done[:1])+done[1:], maxLine)
	}
	return clip(strings.TrimRight(about, ".:;, ")+" – "+done, maxLine)
}

// LineOf returns the line of an episode. If nobody said what it was about, and no file and no check shows it, that is
// the first of its pieces that tells something.
func (e Episode) LineOf(pieces []Piece) string {
	line := e.Line()
	if line != "" || len(pieces) == 0 {
		return line
	}
	first := pieces[max(0, slices.IndexFunc(pieces, Piece.isTelling))]
	return clip(firstLine(first.Text), maxLine)
}

// About returns what the episode was about in the words of the user: the first request, or, if hardly
// any of the work belongs to that, the one to which most belongs and that says something by itself. It
// is "" if nobody said so.
func (e Episode) About() string {
	if len(e.Asked) == 0 {
		return ""
	}
	const hardly, most = 20, 3 // one in so many items
	total := 0
	for _, request := range e.Asked {
		total += request.Items
	}
	about := e.Asked[0]
	if about.Items*hardly > total {
		return about.Text
	}
	for _, request := range e.Asked[1:] {
		if request.Items*most > total && request.Items > about.Items && !goesOn.MatchString(request.Text) {
			about = request
		}
	}
	return about.Text
}

// checks returns the runs, those first that say most: tests before others, failed ones before others.
func (e Episode) checks() []Run {
	runs := slices.Clone(e.Runs)
	slices.SortStableFunc(runs, func(a, b Run) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()), cmp.Compare(b.Times, a.Times))
	})
	return runs
}

func (r Run) weight() int {
	weight := 0
	if strings.Contains(r.Name, "test") {
		weight += 2
	}
	if r.Failed > 0 {
		weight++
	}
	return weight
}

// String returns what came of a check: "go test failed 2×, then passed".
func (r Run) String() string {
	times := func(n int) string {
		if n == 1 {
			return ""
		}
		return fmt.Sprintf(" %d×", n)
	}
	switch {
	case r.Failed == 0:
		return r.Name + " passed"
	case r.LastFailed && r.Failed == r.Times:
		return r.Name + " failed" + times(r.Failed)
	case r.LastFailed:
		return r.Name + " failed at last"
	}
	return r.Name + " failed" + times(r.Failed) + ", then passed"
}

// names returns the files that were touched most, by their base names.
func names(files []File, limit int) string {
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b File) int { return cmp.Compare(b.Times, a.Times) })
	var list []string
	for _, file := range sorted[:min(limit, len(sorted))] {
		if name := path.Base(file.Path); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	text := strings.Join(list, ", ")
	if more := len(sorted) - len(list); more > 0 && text != "" {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// A Piece is an item of an episode.
type Piece struct {
	ID, Type, Text string
	Importance     float64
}

// toolResult is the type of an item with the result of a tool.
const toolResult = "tool_result"

// A Resolution is how much of a summary is shown.
type Resolution int

// The resolutions.
const (
	OneLine Resolution = iota
	Paragraph
	Page
)

// At returns a summary at a resolution: the first line, what stands before the first empty line, or
// all. A string that is not such a summary is one line.
func At(summary string, resolution Resolution) string {
	switch resolution {
	case OneLine:
		first, _, _ := strings.Cut(summary, "\n")
		return first
	case Paragraph:
		first, _, _ := strings.Cut(summary, "\n\n")
		return first
	}
	return summary
}

// maxParagraph is the maximum length of the second line of a summary, in characters.
const maxParagraph = 600

// Summary returns a summary of an episode with a line in at most so many tokens, or "" if not even that fits.
// It holds three resolutions of which each contains the shorter ones: the line; with the sentences
// behind it the paragraph; with the lists behind that the page. It consists of what was said and
// what the items say. links are lines about other episodes.
func (e Episode) Summary(line string, pieces []Piece, links []string, most int) string {
	text := line
	left := most - tokens.Count(text)
	if text == "" || left < 0 {
		return ""
	}
	quotes := e.quotes(pieces)
	if second := e.sentences(quotes, left-1); second != "" {
		text += "\n" + second
		left -= tokens.Count(second) + 1
	}
	for _, list := range e.lists(quotes, links) {
		var kept []quote
		cost := tokens.Count(list.title) + 2
		for _, line := range list.lines {
			n := tokens.Count(line.text) + 3
			if cost+n > left || strings.Contains(text, line.text) {
				continue
			}
			kept, cost = append(kept, line), cost+n
		}
		if len(kept) > 0 {
			text += "\n\n" + list.title
			left -= cost
		}
		slices.SortStableFunc(kept, func(a, b quote) int { return cmp.Compare(a.place, b.place) })
		for _, line := range kept {
			text += "\n- " + line.text
		}
	}
	return text
}

// Without returns the episode without the requests, statements and errors that a text has, or that have it.
func (e Episode) Without(text string) Episode {
	flat := func(text string) string { return strings.ToLower(strings.TrimRight(shorten.Line(text), ".!?… ")) }
	text = flat(text)
	says := func(part string) bool {
		part = flat(part)
		return strings.Contains(text, part) || strings.Contains(part, text)
	}
	if says(e.Said) {
		e.Said = ""
	}
	e.Asked = slices.DeleteFunc(slices.Clone(e.Asked), func(r Request) bool { return says(r.Text) })
	e.Decisions = slices.DeleteFunc(slices.Clone(e.Decisions), says)
	e.Runs = slices.Clone(e.Runs)
	for i := range e.Runs {
		if says(e.Runs[i].Error) {
			e.Runs[i].Error = ""
		}
	}
	return e
}

// someQuotes is how many items the second line of a summary quotes at most.
const someQuotes = 2

// sentences returns the second line of a summary: what was said and decided last, or, if nothing was, the most
// important statements among the items.
func (e Episode) sentences(quotes []quote, most int) string {
	var said []string
	add := func(title, text string) {
		text = strings.TrimSpace(text)
		with := append(slices.Clone(said), title+closed(text))
		whole := strings.Join(with, " ")
		if text != "" && utf8.RuneCountInString(whole) <= maxParagraph && tokens.Count(whole) <= most {
			said = with
		}
	}
	add("At the end: ", e.Said)
	for i := len(e.Decisions) - 1; i >= max(0, len(e.Decisions)-2); i-- {
		add("Decided: ", e.Decisions[i])
	}
	if len(e.Decisions) == 0 && e.Said == "" {
		for _, quote := range quotes {
			if quote.isStatement && len(said) < someQuotes {
				add("", quote.text)
			}
		}
	}
	for _, run := range e.checks() {
		if run.LastFailed {
			add("Still failed: ", run.Error)
		}
	}
	if len(e.Asked) > 1 {
		add("Asked last: ", e.Asked[len(e.Asked)-1].Text)
	}
	return strings.Join(said, " ")
}

// closed returns a sentence with a mark at its end.
func closed(text string) string {
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…。！？:\"”)", last) {
		return text
	}
	return text + "."
}

type list struct {
	title string
	lines []quote
}

// A quote is a line of a list. Its place says where it stands in the list.
type quote struct {
	text        string
	place       int
	isStatement bool // and not the result of a tool
}

// inOrder returns strings as lines of a list.
func inOrder(texts []string) []quote {
	lines := make([]quote, len(texts))
	for i, text := range texts {
		lines[i] = quote{text: text, place: i}
	}
	return lines
}

// quotes returns what is quoted of items, the most important first.
func (e Episode) quotes(pieces []Piece) (quotes []quote) {
	telling := slices.DeleteFunc(slices.Clone(pieces), func(p Piece) bool { return !p.isTelling() || e.tells(p) })
	for _, one := range draw(Reservoir(telling, pageQuotes)) {
		text := clip(firstLine(one.Text), maxLine)
		if !slices.ContainsFunc(quotes, func(q quote) bool { return q.text == text }) {
			quotes = append(quotes, quote{text, one.place, one.Type != toolResult})
		}
	}
	return quotes
}

const (
	pageFiles  = 10
	pageQuotes = 8
)

// lists returns what a page has besides the paragraph, the most important first.
func (e Episode) lists(quotes []quote, links []string) []list {
	var runs []string
	for _, run := range e.checks() {
		line := run.String()
		if run.Error != "" {
			line += ": " + run.Error
		}
		runs = append(runs, line)
	}
	var asked []string
	for _, request := range e.Asked {
		asked = append(asked, request.Text)
	}
	return []list{
		{"Asked:", inOrder(asked)}, {"Decided:", inOrder(e.Decisions)}, {"Changed:", inOrder(paths(e.Changed))},
		{"Checks:", inOrder(runs)}, {"Linked:", inOrder(links)}, {"Among what happened:", quotes},
	}
}

// paths returns files in one line: the folder in which all are, and their paths in it, those first
// that were touched most.
func paths(files []File) []string {
	if len(files) == 0 {
		return nil
	}
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b File) int { return cmp.Compare(b.Times, a.Times) })
	sorted = sorted[:min(pageFiles, len(sorted))]
	folder := path.Dir(sorted[0].Path)
	for _, file := range sorted {
		for folder != "." && folder != "/" && !strings.HasPrefix(file.Path, folder+"/") {
			folder = path.Dir(folder)
		}
	}
	list := make([]string, 0, len(sorted))
	for _, file := range sorted {
		list = append(list, strings.TrimPrefix(file.Path, folder+"/"))
	}
	line := strings.Join(list, ", ")
	if folder != "." && folder != "/" {
		line = "in " + folder + ": " + line
	}
	if more := len(files) - len(sorted); more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return []string{line}
}

const (
	// leastTelling is the importance from which the result of a tool tells something about an episode.
	leastTelling = 0.5
	fewWords     = 5
)

// isTelling reports whether the first line of an item tells something about the episode: it is a
// statement, or the result of a tool that is important.
func (p Piece) isTelling() bool {
	line := firstLine(p.Text)
	switch {
	case p.Type == toolResult:
		return p.Importance >= leastTelling
	case p.Type == "user_message" || p.Type == "summary": // Asked has the one, the other is not a piece of it
		return false
	}
	return len(strings.Fields(line)) >= fewWords && !strings.HasPrefix(line, "#") && !strings.HasSuffix(line, ":")
}

// tells reports whether the other lists say what the first line of the result of a tool says: the file that it
// touched, or the check that it was.
func (e Episode) tells(p Piece) bool {
	if p.Type != toolResult {
		return false
	}
	line := firstLine(p.Text)
	isIn := func(f File) bool { return strings.Contains(line, f.Path) }
	return slices.ContainsFunc(e.Changed, isIn) || slices.ContainsFunc(e.Read, isIn) ||
		slices.ContainsFunc(e.Runs, func(r Run) bool { return strings.Contains(line, r.Name) })
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// clip returns the beginning of a string with at most so many characters, up to a word.
func clip(text string, most int) string {
	text = shorten.Line(text)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	short := string([]rune(text)[:most-1])
	if end := strings.LastIndexByte(short, ' '); end > len(short)/2 {
		short = short[:end]
	}
	return strings.TrimRight(short, ",;: ") + "…"
}
