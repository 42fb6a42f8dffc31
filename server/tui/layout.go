package tui

// An area is a rectangle of the screen, in cells.
type area struct{ x, y, w, h int }

func (a area) holds(x, y int) bool { return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h }

const (
	// wideFrom is from how many cells on details are beside the list.
	wideFrom = 100
	// leastColumn is the least width of a session beside others.
	leastColumn = 30
	// gap is the width of the line between lists and details.
	gap = 3
	// maxPeek is how many lines show a selected row that is cut, maxAsked how many a question has.
	maxPeek, maxAsked = 4, 8
)

// A layout is the place of everything on the screen: the header, the title of a list that is shown instead of
// the panel, the list or the columns, the details, the question, the last line.
type layout struct {
	list area
	// side is where the details are, beside or below the list; detailed says whether they are shown.
	side     area
	detailed bool
	// title is the line of the title of the list, of the columns if there are several; -1 if there is none.
	title int
	// asked is where the question is.
	asked area
	// first and shown are the first column on the screen and how many there are, at is that of the person.
	first, shown, at int
}

// isWide reports whether details are beside the list.
func (m *model) isWide() bool { return m.width >= wideFrom && (len(m.columns) == 1 || m.over != nil) }

// layout returns where everything is.
func (m *model) layout() layout {
	l := layout{title: -1, at: m.at, shown: 1, first: m.at}
	top, bottom := 1, m.height-1
	if m.height < 4 { // only the list
		top, bottom = 0, m.height
	}
	if m.over != nil || len(m.columns) > 1 {
		l.title = top
		top++
	}
	if m.prompt != nil {
		h := min(m.askedLines(), maxAsked, max(bottom-top-1, 1))
		bottom -= h
		l.asked = area{0, bottom, m.width, h}
	}
	width := m.width
	switch wide := m.isWide(); {
	case m.over != nil && m.over.document:
	case wide && m.details.wide:
		l.detailed = true
		width = m.width * 3 / 5
		l.side = area{width + gap, top, m.width - width - gap, max(bottom-top, 0)}
	case !wide && m.details.narrow && bottom-top >= 4:
		l.detailed = true
		h := (bottom - top) / 2
		bottom -= h
		l.side = area{0, bottom, m.width, h}
	default:
		if h := m.peekLines(width, bottom-top); h > 0 {
			bottom -= h
			l.side = area{0, bottom, m.width, h}
		}
	}
	l.list = area{0, top, width, max(bottom-top, 0)}
	if len(m.columns) > 1 && m.over == nil {
		l.shown = min(max(m.width/leastColumn, 1), len(m.columns))
		l.first = min(max(m.at-l.shown/2, 0), len(m.columns)-l.shown)
	}
	return l
}

// column returns where a column is; it is empty if the column is not on the screen.
func (l layout) column(i int) area {
	if i < l.first || i >= l.first+l.shown {
		return area{}
	}
	i -= l.first
	from, to := l.list.w*i/l.shown, l.list.w*(i+1)/l.shown
	if i < l.shown-1 {
		to -= gap
	}
	return area{from, l.list.y, to - from, l.list.h}
}

// cells returns the width of a column, also of one that is not on the screen.
func (l layout) cells(i int) int {
	if w := l.column(i).w; w > 0 {
		return w
	}
	return l.list.w / l.shown
}
