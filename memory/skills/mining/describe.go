package mining

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/recall/vectors"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// labels name what commands do.
var labels = once.Value[map[What]string]{Make: func() map[What]string {
	return map[What]string{
		Test: "test", Lint: "lint", Typecheck: "check the types", Build: "build", Format: "format", Install: "install",
		Commit: "commit", Publish: "publish",
	}
}}

// describe returns the title and the purpose of commands that ended well in some episodes. The purpose is empty if the
// title says it.
func (m *miner) describe(keys, lines []string, with []*round, common []string) (title, purpose string) {
	checks, publishes := 0, false
	var names []string
	for _, key := range keys {
		step := m.steps[key]
		if step.isCheck() {
			checks++
		}
		publishes = publishes || step.What == Publish
		name := labelOf(step, key)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	after := 0
	for _, d := range with {
		if len(d.files) > 0 {
			after++
		}
	}
	about := topic(with)
	switch {
	case publishes:
		title = "Publish a change: " + listed(names)
	case len(keys) > 1 && checks == len(keys) && 2*after > len(with):
		title = "Check a change: " + listed(names)
		purpose = "Before a change" + about + " is done."
	case len(keys) == 1 && checks == 1:
		title = singleTitle(m.steps[keys[0]], lines[0])
	case len(keys) == 1 && m.steps[keys[0]].What == Install:
		title = "Install the dependencies"
	case checks == len(keys):
		title = strings.ToUpper(names[0][:1]) + listed(names)[1:]
	default:
		title = "Run " + listed(names)
		if about != "" && 2*after > len(with) {
			purpose = "Before a change" + about + " is done."
		}
	}
	if len(common) > 0 && checks < len(keys) {
		purpose = "Asked for with: " + strings.Join(common, ", ") + "."
	}
	return title, purpose
}

// labelOf names a command by the target, the task or the script that it runs, by what it is for, or by its first words.
func labelOf(step Step, key string) string {
	plain := slices.DeleteFunc(strings.Fields(key), func(w string) bool {
		return strings.HasPrefix(w, "-") || strings.HasPrefix(w, "<") || strings.HasSuffix(w, ":")
	})
	own, at := path.Base(step.Own), slices.Index(plain, step.Own)
	switch script := isScript(step.Own); {
	case step.Own == "" || strings.Contains(step.Own, " "):
	case step.What != Other && !script, step.What == Other && !script && at > 1:
		return own
	case step.What == Other && script && at >= 0 && at+1 < len(plain):
		return own + " " + plain[at+1]
	case step.What == Other && script:
		return own
	}
	if name := labels.Get()[step.What]; name != "" {
		return name
	}
	return strings.Join(plain[:min(2, len(plain))], " ")
}

func singleTitle(step Step, line string) string {
	what := map[What]string{
		Test: "Run the tests", Lint: "Run the linter", Typecheck: "Check the types", Build: "Build",
		Format: "Format the code",
	}[step.What]
	if step.What == Test && strings.Contains(line, "<name>") || strings.Contains(line, "<test>") {
		what = "Run tests by name"
	} else if strings.Contains(line, "<path>") {
		what += " for a path"
	}
	if own := path.Base(step.Own); step.Own != "" && own != labels.Get()[step.What] && !strings.Contains(own, " ") {
		what += ": " + own
	}
	return what
}

// languages are the names of languages by the ends of their files.
var languages = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		".go": "Go", ".py": "Python", ".ts": "TypeScript", ".tsx": "TypeScript", ".js": "JavaScript",
		".jsx": "JavaScript", ".rs": "Rust", ".java": "Java", ".kt": "Kotlin", ".rb": "Ruby", ".php": "PHP",
		".c": "C", ".h": "C", ".cc": "C++", ".cpp": "C++", ".cs": "C#", ".swift": "Swift", ".lua": "Lua",
		".md": "Markdown", ".css": "CSS", ".sql": "SQL",
	}
}}

// maxTopics is how many kinds of files a purpose names. With more, most of the work would be named.
const maxTopics = 3

// topic returns " to Go files below cmd" for the files that most episodes changed, "" if they have nothing in common or
// too much.
func topic(with []*round) string {
	type kind struct{ language, dir string }
	kindOf, dirOf, all := map[kind]int{}, map[kind]int{}, 0
	for _, d := range with {
		if len(d.files) == 0 {
			continue
		}
		all++
		inKind, inDir := map[kind]bool{}, map[kind]bool{}
		for file := range d.files {
			language := languages.Get()[path.Ext(file)]
			for dir := path.Dir(file); ; dir = path.Dir(dir) {
				if inDir[kind{dir: dir}] = true; language != "" {
					inKind[kind{language, dir}] = true
				}
				if dir == "." || dir == "/" {
					break
				}
			}
		}
		for k := range inKind {
			kindOf[k]++
		}
		for k := range inDir {
			dirOf[k]++
		}
	}
	// The deepest folders that most of the episodes have.
	most := func(counts map[kind]int) (often []kind) {
		maps.DeleteFunc(counts, func(_ kind, n int) bool { return 4*n < 3*all })
		for k := range counts {
			isDeepest := true
			for other := range counts {
				below := k.dir == "." && other.dir != "." || strings.HasPrefix(other.dir, k.dir+"/")
				isDeepest = isDeepest && (other.language != k.language || !below)
			}
			if isDeepest {
				often = append(often, k)
			}
		}
		slices.SortFunc(often, func(a, b kind) int {
			return cmp.Or(strings.Compare(a.language, b.language), strings.Compare(a.dir, b.dir))
		})
		return often
	}
	often := most(kindOf)
	if len(often) == 0 {
		often = slices.DeleteFunc(most(dirOf), func(k kind) bool { return k.dir == "." })
	}
	if len(often) == 0 || len(often) > maxTopics {
		return ""
	}
	var names []string
	for _, k := range often {
		name := strings.TrimSpace(k.language + " files")
		if k.dir != "." {
			name += " below " + k.dir
		}
		names = append(names, name)
	}
	return " to " + listed(names)
}

const (
	// maxWords is how many words the prompts of a procedure may have in common.
	maxWords = 4
	// lift is how much more frequent such a word is than in other prompts.
	lift = 2.0
	// assumed is how many other prompts are assumed besides those that are known, and frequent how much more often
	// they have a word than 30 words of documentation.
	assumed, frequent = 3.0, 10.0
	// maxPrompt is how much of a prompt is looked at, in bytes: the rest is mostly quoted.
	maxPrompt = 400
)

// routine are words that say nothing about what is to be done.
const routine = `
run runs running do does doing done execute start make use please again now here there this that it its
i we you me my your our how can could should would will what which command show want need try let look at
the a an of for to in on with by so just all still did new after before file files when if have has get
see output result results code project put bring give today thanks
`

var routines = pattern.SetOf(routine)

// IsRoutine reports whether a word in lower case says nothing about what is to be done.
func IsRoutine(word string) bool { return routines.Has(word) }

// A prompt is what a prompt says: its terms, each as it is written there.
type prompt map[string]string

// promptsOf returns the prompts of episodes, and in how many of them each term is.
func (m *miner) promptsOf() (all map[*Episode]prompt, everywhere map[string]int) {
	if m.prompts != nil {
		return m.prompts, m.everywhere
	}
	m.prompts, m.everywhere = map[*Episode]prompt{}, map[string]int{}
	for i := range m.episodes {
		e := m.episodes[i].Episode
		if e.Purpose == "" {
			continue
		}
		p := prompt{}
		for _, w := range words.Words(e.Purpose[:min(len(e.Purpose), maxPrompt)]) {
			says := !w.Stop && !IsRoutine(w.Lower) && w.Plain && len(w.Lower) >= 3
			if says && len(w.Terms) > 0 && p[w.Terms[0]] == "" {
				p[w.Terms[0]] = w.Lower
			}
		}
		for term := range p {
			m.everywhere[term]++
		}
		m.prompts[e] = p
	}
	return m.prompts, m.everywhere
}

// asked returns the words of the prompts of some episodes, those of most prompts first.
func (m *miner) asked(of []*Episode) []string {
	prompts, _ := m.promptsOf()
	count, forms := map[string]int{}, map[string]string{}
	for _, e := range of {
		for term, form := range prompts[e] {
			count[term]++
			forms[term] = max(forms[term], form)
		}
	}
	terms := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	var words []string
	for _, term := range terms[:min(len(terms), maxAsked)] {
		words = append(words, forms[term])
	}
	return words
}

// words returns words that most prompts of some episodes have and that other prompts do not have. If most prompts are
// those of the episodes, the others are too few to tell, so some are assumed that any developer may have written.
func (m *miner) words(with []*Episode) []string {
	if len(with) < Least {
		return nil
	}
	prompts, everywhere := m.promptsOf()
	others := float64(len(prompts))
	for _, e := range with {
		if _, there := prompts[e]; there {
			others--
		}
	}
	inside, forms := map[string]int{}, map[string]map[string]int{}
	for _, e := range with {
		for term, form := range prompts[e] {
			inside[term]++
			if forms[term] == nil {
				forms[term] = map[string]int{}
			}
			forms[term][form]++
		}
	}
	var terms []string
	for term, n := range inside {
		rate := float64(n) / float64(len(with))
		if n < Least || rate < share {
			continue
		}
		usual := float64(everywhere[term]) / float64(len(prompts))
		if 2*others < float64(len(prompts)) {
			assumedOnes := assumed * min(1, frequent*math.Exp(-vectors.Information(term)))
			usual = (float64(everywhere[term]-n) + assumedOnes) / (others + assumed)
		}
		if rate >= lift*usual {
			terms = append(terms, term)
		}
	}
	slices.SortFunc(terms, func(a, b string) int { return cmp.Or(inside[b]-inside[a], strings.Compare(a, b)) })
	var common []string
	for _, term := range terms[:min(len(terms), maxWords)] {
		common = append(common, slices.MaxFunc(slices.Sorted(maps.Keys(forms[term])), func(a, b string) int {
			return forms[term][a] - forms[term][b]
		}))
	}
	return common
}
