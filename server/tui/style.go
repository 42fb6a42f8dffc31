package tui

import (
	"image/color"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// A role is what a piece of text is, for its colour.
type role int

const (
	roleLabel role = iota
	roleTitle
	roleDetail
	roleDimmed
	roleIcon
	roleError
	roleWarning
	roleInfo
	roleHint
	roleBlue
	roleBar
	roleAdded
	roleChanged
	roleRemoved
	roleRule
)

// severe returns the role of a severity from 1 to 4, or another one for 0.
func severe(severity int, otherwise role) role {
	roles := [...]role{otherwise, roleError, roleWarning, roleInfo, roleHint}
	if severity < 0 || severity >= len(roles) {
		return otherwise
	}
	return roles[severity]
}

// tinted returns the role of a tint, or another one if it has none.
func tinted(tint panel.Tint, otherwise role) role {
	switch tint {
	case panel.TintBlue:
		return roleBlue
	case panel.TintGreen:
		return roleHint
	case panel.TintPurple:
		return roleBar
	case panel.TintYellow:
		return roleWarning
	}
	return otherwise
}

// rgb returns a colour.
func rgb(hex uint32) color.Color {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// A palette is the colours of the roles, as 0xRRGGBB, 0 for that of the terminal, and of the background of
// the selected line, also of 256 colours. Each has a contrast of at least 4.5 to white or to a usual dark
// background.
type palette struct {
	roles     [roleRule + 1]uint32
	selection uint32
	indexed   ansi.IndexedColor
}

var dark = palette{
	roles: [...]uint32{
		roleTitle: 0x7aa2f7, roleDetail: 0x9aa2b5, roleDimmed: 0x868d9c, roleIcon: 0x7dcfff, roleError: 0xf7768e,
		roleWarning: 0xe0af68, roleInfo: 0x7dcfff, roleHint: 0x9ece6a, roleBlue: 0x7aa2f7,
		roleBar: 0xbb9af7, roleAdded: 0x9ece6a, roleChanged: 0xe0af68, roleRemoved: 0xf7768e, roleRule: 0x868d9c,
	},
	selection: 0x2b3245, indexed: 237,
}

var light = palette{
	roles: [...]uint32{
		roleTitle: 0x2450a4, roleDetail: 0x555c69, roleDimmed: 0x6a717c, roleIcon: 0x0b6d85, roleError: 0xb3261e,
		roleWarning: 0x855400, roleInfo: 0x0b6d85, roleHint: 0x35731b, roleBlue: 0x2450a4,
		roleBar: 0x7a3ea1, roleAdded: 0x35731b, roleChanged: 0x855400, roleRemoved: 0xb3261e, roleRule: 0x6a717c,
	},
	selection: 0xdbe4f5, indexed: 254,
}

// sixteen are the colours of the roles on a terminal with 16 colours, whatever its background; -1 is that of
// the terminal, painted faintly.
var sixteen = [...]int{
	roleTitle: 4, roleDetail: -1, roleDimmed: -1, roleIcon: 6, roleError: 1, roleWarning: 3, roleInfo: 6, roleHint: 2,
	roleBlue: 4, roleBar: 5, roleAdded: 2, roleChanged: 3, roleRemoved: 1, roleRule: -1,
}

// A look is how the panel appears on a terminal.
type look struct {
	profile colorprofile.Profile
	light   bool
	// method is how the terminal measures the width of a string.
	method ansi.Method
	// ascii is true if the terminal shows no other characters.
	ascii bool
}

// asciiOnly reports whether the locale names another encoding than UTF-8. Without a locale, terminals of
// today are taken to have UTF-8.
func asciiOnly(env func(string) string) bool {
	if runtime.GOOS == "windows" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(env(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// paint returns a string as a role of a line that is selected or not.
func (l look) paint(as role, text string, selected bool) string {
	if text == "" {
		return ""
	}
	style := ansi.Style{}
	if as == roleTitle {
		style = style.Bold()
	}
	palette := dark
	if l.light {
		palette = light
	}
	switch {
	case l.profile >= colorprofile.ANSI256: // the renderer reduces the colours to those of the terminal
		if hex := palette.roles[as]; hex != 0 {
			style = style.ForegroundColor(rgb(hex))
		}
		if selected && l.profile == colorprofile.ANSI256 {
			style = style.BackgroundColor(palette.indexed)
		} else if selected {
			style = style.BackgroundColor(rgb(palette.selection))
		}
	case l.profile == colorprofile.ANSI:
		switch n := sixteen[as]; {
		case as == roleLabel || selected:
		case n < 0:
			style = style.Faint()
		default:
			style = style.ForegroundColor(ansi.BasicColor(n))
		}
		style = reversed(style, selected)
	default:
		if !selected && (as == roleDetail || as == roleDimmed || as == roleRule) {
			style = style.Faint()
		}
		style = reversed(style, selected)
	}
	return style.Styled(text)
}

func reversed(style ansi.Style, selected bool) ansi.Style {
	if selected {
		return style.Reverse(true)
	}
	return style
}

// width returns the number of cells of a string.
func (l look) width(text string) int {
	for i := range len(text) {
		if text[i] >= 0x7f || text[i] < ' ' {
			return l.method.StringWidth(text)
		}
	}
	return len(text)
}

// fit returns a string that is cut so that it has at most a number of cells.
func (l look) fit(text string, cells int) string {
	if l.width(text) <= cells {
		return text
	}
	return l.method.Truncate(text, max(cells, 0), l.text("…"))
}

// cutByParts returns as much of a string as has at most a number of cells with a sign for the rest: up to a part of
// those that " · " joins, and in the first of these up to a word. It is empty if not even the sign is apart from
// what stands before it.
func (l look) cutByParts(text string, cells int) string {
	cut, first := "", true
	for i := range text {
		rest, isPart := strings.CutPrefix(text[i:], "· ")
		if i == 0 || text[i-1] != ' ' || rest == "" || rest[0] == ' ' {
			continue
		}
		first = first && !isPart
		if seen := l.text(text[:i] + "…"); (first || isPart) && l.width(seen) <= cells {
			cut = seen
		}
	}
	return cut
}

// place returns a place that is cut so that it has at most a number of cells: its folders from the left, and if they
// have no room its file from the right.
func (l look) place(text string, cells int) string {
	over, sign := l.width(text)-cells, l.text("…")
	if over <= 0 {
		return text
	}
	if file := text[strings.LastIndexByte(text, '/')+1:]; l.width(file)+l.width(sign) > cells {
		return l.fit(file, cells)
	}
	return l.method.TruncateLeft(text, over+l.width(sign), sign)
}

// wrapped returns a string in lines of at most a number of cells.
func (l look) wrapped(text string, cells int) []string {
	return strings.Split(l.method.Wrap(text, max(cells, 1), ""), "\n")
}

// text returns a string of which the terminal shows every character. On one that shows only ASCII, others
// become similar ones, or question marks as wide as they are.
func (l look) text(text string) string {
	if !l.ascii {
		return text
	}
	var out strings.Builder
	for _, c := range text {
		switch near := similar(c); {
		case c < utf8.RuneSelf:
			out.WriteRune(c)
		case near != "":
			out.WriteString(near)
		default:
			out.WriteString(strings.Repeat("?", l.method.StringWidth(string(c))))
		}
	}
	return out.String()
}

// similar returns what stands for a character of the panel, or of usual prose, in ASCII; "" for others.
func similar(c rune) string {
	switch c {
	case '…':
		return "..."
	case '·', '–', '—', '─', '▄', '▅':
		return "-"
	case '“', '”':
		return `"`
	case '‘', '’':
		return "'"
	case '×':
		return "x"
	case '→':
		return "->"
	case '│', '┤':
		return "|"
	case '▾':
		return "v"
	case '▸':
		return ">"
	case '▓', '▆':
		return "="
	case '▒', '▞':
		return "+"
	case '▰', '▇', '█':
		return "#"
	case '▱', '▃', '░', '▚':
		return "."
	case '▁', '▂':
		return "_"
	}
	return ""
}
