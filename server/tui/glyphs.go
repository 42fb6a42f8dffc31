package tui

import (
	"math"
	"strings"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// glyph returns a character for a codicon that the server names, one cell wide in common fonts.
func (l look) glyph(icon string) string {
	if l.ascii {
		return asciiGlyph(icon)
	}
	switch icon {
	case "archive", "book", "note":
		return "▤"
	case "check", "pass-filled":
		return "✓"
	case "checklist", "symbol-string":
		return "≡"
	case "circle-filled":
		return "●"
	case "circle-large-outline", "circle-outline":
		return "○"
	case "circle-slash":
		return "⊘"
	case "dashboard":
		return "◔"
	case "desktop-download":
		return "↓"
	case "edit":
		return "✎"
	case "ellipsis":
		return "…"
	case "error":
		return "✗"
	case "eye":
		return "◉"
	case "feedback":
		return "❝"
	case "bookmark":
		return "◆"
	case "file":
		return "▫"
	case "flame":
		return "▲"
	case "fold":
		return "Σ"
	case "git-compare":
		return "≠"
	case "git-merge":
		return "≈"
	case "history":
		return "↺"
	case "hubot":
		return "⚙"
	case "inbox":
		return "▽"
	case "info":
		return "i"
	case "law":
		return "§"
	case "lightbulb":
		return "✦"
	case "link":
		return "↗"
	case "person":
		return "@"
	case "pinned":
		return "⊤"
	case "play-circle":
		return "▹"
	case "project":
		return "▣"
	case "question":
		return "?"
	case "symbol-field", "symbol-misc":
		return "◇"
	case "symbol-ruler":
		return "▭"
	case "target":
		return "◎"
	case "terminal":
		return "$"
	case "tools":
		return "*"
	case "trash":
		return "⌫"
	case "warning":
		return "!"
	}
	return "•"
}

// asciiGlyph returns a character of ASCII for a codicon.
func asciiGlyph(icon string) string {
	switch icon {
	case "circle-filled", "tools":
		return "*"
	case "circle-large-outline", "circle-outline":
		return "o"
	case "check", "pass-filled":
		return "+"
	case "error":
		return "x"
	case "pinned":
		return "^"
	case "desktop-download":
		return "v"
	case "edit":
		return "~"
	case "fold":
		return "="
	case "git-compare", "warning":
		return "!"
	case "hubot":
		return "&"
	case "person":
		return "@"
	case "play-circle":
		return ">"
	case "question":
		return "?"
	case "terminal":
		return "$"
	}
	return "-"
}

const (
	eighths  = " ▁▂▃▄▅▆▇█"
	barCells = 8
)

// eighth returns the character that fills n eighths of a cell.
func eighth(n int) rune { return []rune(eighths)[min(max(n, 0), 8)] }

// bar returns a bar that shows which share of its room is used.
func bar(used, most int) string {
	full := 0
	if used > 0 && most > 0 {
		full = max(1, int(math.Round(min(float64(used)/float64(most), 1)*barCells)))
	}
	return strings.Repeat("▰", full) + strings.Repeat("▱", barCells-full)
}

// latest returns the last points of a history in percent, from 0 to 100.
func latest(history []wire.PressurePoint, most int) (percent []float64) {
	for _, point := range history[max(0, len(history)-most):] {
		percent = append(percent, min(max(point.Percentage, 0), 100))
	}
	return percent
}

// sparkline returns how full a context was, in one line of at most a number of cells; "" if that is not
// known for two times.
func sparkline(history []wire.PressurePoint, cells int) string {
	points := latest(history, cells)
	if len(points) < 2 {
		return ""
	}
	var line strings.Builder
	for _, percent := range points {
		line.WriteRune(eighth(max(1, int(math.Round(percent/100*8)))))
	}
	return line.String()
}

// scaleCells is the width of the scale of a curve.
const scaleCells = 7

// curve returns how full a context was, as lines of at most a number of cells with a scale.
func curve(history []wire.PressurePoint, cells int) (lines []string) {
	scale := []string{"100 % ┤", "      ┤", "      ┤", "      ┤", "  0 % ┤"}
	points := latest(history, max(cells-scaleCells, 1))
	if len(points) < 2 {
		return nil
	}
	for i, label := range scale {
		line := label
		for _, percent := range points {
			filled := int(math.Round(percent / 100 * float64(len(scale)*8)))
			line += string(eighth(filled - (len(scale)-1-i)*8))
		}
		lines = append(lines, line)
	}
	return lines
}
