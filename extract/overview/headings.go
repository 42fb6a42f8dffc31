package overview

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Heading gives the headings of a key of the state.
type Heading struct {
	Key      string // path of a top key or of a member of it
	English  string
	Chinese  string
	Template bool // whether the template has it, so that it is kept when empty
}

// headings is the table of systems.md C6, in the order of new sections.
var headings = []Heading{
	{"project.about", "Project", "项目", false},
	{"current_state.task", "Task", "任务", true},
	{"current_state.next_step", "Next step", "下一步", false},
	{"current_state.decisions", "Decisions", "决定", true},
	{"project.known", "Known", "已知", true},
	{"issues", "Open", "未决", true},
	{"current_state.recent", "Recent", "最近", true},
	{"meta", "Meta", "元信息", false},
}

// Headings returns the table of headings and keys, in the order of new sections.
// Headings are compared without case. A key that is not in the table has a heading
// of level 2 made of its path: current_state.x, project.x, or state.x for a top key.
// A part with characters other than letters, digits, "_" and "-" is quoted as in
// JSON.
func Headings() []Heading { return slices.Clone(headings) }

var topKeys = []string{"meta", "project", "current_state", "issues"}

// parted are the top keys whose members have sections of their own.
var parted = []string{"project", "current_state"}

// wholeKey begins the heading of a top key that has one section.
const wholeKey = "state"

// A path is a top key or, if part is set, a member of it. The key of a member may
// be empty; its heading then has "" in quotes.
type path struct {
	top, member string
	part        bool
}

func (p path) String() string {
	if p.part {
		return keyText(p.top) + "." + keyText(p.member)
	}
	return wholeKey + "." + keyText(p.top)
}

// row returns the row of the path in the table, or len(headings) if it has none.
func (p path) row() int {
	key := p.top
	if p.part {
		key += "." + p.member
	}
	i := slices.IndexFunc(
		headings,
		func(h Heading) bool { return h.Key == key && p.part == strings.Contains(h.Key, ".") },
	)
	if i < 0 {
		return len(headings)
	}
	return i
}

func keyText(key string) string {
	if plainKey().MatchString(key) {
		return key
	}
	return string(quoted(nil, key))
}

var (
	plainKey  = pattern.Lazy(`^[\pL\pN_-]+$`)
	pathTitle = pattern.Lazy(`^(state|project|current_state)\.([\pL\pN_-]+|"(?:[^"\\]|\\.)*")$`)
)

// pathOf returns the path of the key that a heading stands for.
func pathOf(title string) (path, bool) {
	for _, h := range headings {
		if strings.EqualFold(title, h.English) || title == h.Chinese {
			top, member, part := strings.Cut(h.Key, ".")
			return path{top, member, part}, true
		}
	}
	parts := pathTitle().FindStringSubmatch(title)
	if parts == nil {
		return path{}, false
	}
	key := parts[2]
	if strings.HasPrefix(key, `"`) && json.Unmarshal([]byte(parts[2]), &key) != nil {
		return path{}, false
	}
	if parts[1] == wholeKey {
		return path{top: key}, true
	}
	return path{parts[1], key, true}, true
}

// isChinese reports whether new headings should be Chinese, like most of the known
// headings in the document or, if they are balanced, like its text.
func (d *document) isChinese() bool {
	balance := 0
	for _, h := range d.headings {
		for _, row := range headings {
			switch {
			case h.title == row.Chinese:
				balance++
			case strings.EqualFold(h.title, row.English):
				balance--
			}
		}
	}
	return balance > 0 ||
		balance == 0 && strings.ContainsFunc(d.text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
