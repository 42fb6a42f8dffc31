package overview

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// A headingRow gives the headings of a key of the state.
type headingRow struct {
	Key      string // path of a top key or of a member of it
	English  string
	Chinese  string
	Template bool // whether the template has it, so that it is kept when empty
	// Others are other headings that stand for the key, in lower case. Of two sections
	// of one key the first holds it.
	Others []string
}

// headings is the table of systems.md C6, in the order of new sections. Headings are compared
// without case. A key that is not in the table has a heading of level 2 made of its path:
// current_state.x, project.x, or state.x for a top key. A part with characters other than
// letters, digits, "_" and "-" is quoted as in JSON.
var headings = []headingRow{
	{Key: "project.about", English: "Project", Chinese: "项目"},
	{
		Key: "current_state.task", English: "Task", Chinese: "任务", Template: true,
		Others: []string{"current task", "current session", "当前任务", "当前会话"},
	},
	{Key: "current_state.status", English: "Status", Chinese: "状态"},
	{Key: "current_state.next_step", English: "Next step", Chinese: "下一步"},
	{
		Key: "current_state.next_actions", English: "Next actions", Chinese: "下一步行动",
		Others: []string{"next steps"},
	},
	{
		Key: "current_state.decisions", English: "Decisions", Chinese: "决定", Template: true,
		Others: []string{"key decisions", "core design principles", "关键决策", "核心设计原则"},
	},
	{
		Key: "project.known", English: "Known", Chinese: "已知", Template: true,
		Others: []string{"known information", "known info", "project context", "已知信息", "项目上下文"},
	},
	{
		Key: "issues", English: "Open", Chinese: "未决", Template: true,
		Others: []string{"known issues", "open issues", "unresolved", "to resolve", "已知问题", "待解决"},
	},
	{
		Key: "current_state.recent", English: "Recent", Chinese: "最近", Template: true,
		Others: []string{"recent actions", "recent operations", "最近操作"},
	},
	{Key: "meta", English: "Meta", Chinese: "元信息"},
}

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
		func(h headingRow) bool { return h.Key == key && p.part == strings.Contains(h.Key, ".") },
	)
	if i < 0 {
		return len(headings)
	}
	return i
}

func keyText(key string) string {
	if plainKey.MatchString(key) {
		return key
	}
	return string(quoted(nil, key))
}

var (
	plainKey  = once.Compile(`^[\pL\pN_-]+$`)
	pathTitle = once.Compile(`^(state|project|current_state)\.([\pL\pN_-]+|"(?:[^"\\]|\\.)*")$`)
)

// A titled is a row of the table of headings with one of its headings.
type titled struct {
	path
	// balance is 1 for a Chinese heading and -1 for an English one.
	balance int
}

// titles are the headings of the table, in lower case.
var titles = once.Value[map[string]titled]{Make: func() map[string]titled {
	all := map[string]titled{}
	add := func(h headingRow, title string) {
		top, member, part := strings.Cut(h.Key, ".")
		row := titled{path{top, member, part}, -1}
		if hasHan(title) {
			row.balance = 1
		}
		all[strings.ToLower(title)] = row
	}
	for _, h := range headings {
		for _, title := range append([]string{h.English, h.Chinese}, h.Others...) {
			add(h, title)
		}
	}
	return all
}}

// rowOf returns the row of the table for a heading.
func rowOf(title string) (titled, bool) {
	row, known := titles.Get()[strings.ToLower(title)]
	return row, known
}

// pathOf returns the path of the key that a heading stands for.
func pathOf(title string) (path, bool) {
	if row, known := rowOf(title); known {
		return row.path, true
	}
	if !strings.Contains(title, ".") {
		return path{}, false
	}
	parts := pathTitle.FindStringSubmatch(title)
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
		if row, known := rowOf(h.title); known {
			balance += row.balance
		}
	}
	return balance > 0 ||
		balance == 0 && hasHan(d.text)
}

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2e80 && unicode.Is(unicode.Han, r) })
}
