package tui

import "slices"

// A list is rows of which one is selected.
type list struct {
	rows []row
	// cursor is the place of the selected row, top that of the first one on the screen.
	cursor, top int
}

// selected returns the selected row; it is empty if there is none.
func (l *list) selected() row {
	if l.cursor < 0 || l.cursor >= len(l.rows) {
		return row{}
	}
	return l.rows[l.cursor]
}

// replace replaces the rows. The cursor stays on its row, and the row where it is on the screen; if its row
// is gone, the cursor is on the one that took its place.
func (l *list) replace(rows []row) {
	before, key := l.rows, l.selected().key
	l.rows = rows
	if key != "" {
		at := slices.IndexFunc(rows, func(r row) bool { return r.key == key })
		if at < 0 {
			at = heir(before, l.cursor, rows)
		}
		if at >= 0 {
			l.cursor, l.top = at, max(at-(l.cursor-l.top), 0)
		}
	}
	l.cursor = min(max(l.cursor, 0), max(len(rows)-1, 0))
	if l.selected().rest {
		l.move(1)
	}
}

// heir returns the place of the row that takes the place of one that is gone: the next one that is still there, else
// the last one before it; -1 if there is none. Rows above may be gone with it.
func heir(before []row, gone int, now []row) int {
	places := map[string]int{}
	for i, each := range now {
		if !each.rest {
			places[each.key] = i
		}
	}
	for _, each := range before[gone+1:] {
		if at, is := places[each.key]; is {
			return at
		}
	}
	for _, each := range slices.Backward(before[:gone]) {
		if at, is := places[each.key]; is {
			return at
		}
	}
	return -1
}

// move moves the cursor by a number of rows, and on to one with which something can be done.
func (l *list) move(by int) { l.to(l.cursor+by, by) }

// to moves the cursor to a place, or from there in a direction to a row with which something can be done; if
// there is none, it is the nearest one in the other direction. What follows the last such row is shown with it.
func (l *list) to(at, direction int) {
	step := 1
	if direction < 0 {
		step = -1
	}
	at = min(max(at, 0), max(len(l.rows)-1, 0))
	for range 2 {
		for i := at; i >= 0 && i < len(l.rows); i += step {
			if !l.rows[i].rest {
				l.cursor = i
				if !slices.ContainsFunc(l.rows[i+1:], func(r row) bool { return !r.rest }) {
					l.top = i
				}
				return
			}
		}
		step = -step
	}
}

// next moves the cursor to the next row in a direction that fits, and reports whether there is one.
func (l *list) next(direction int, fits func(row) bool) bool {
	for i := l.cursor + direction; i >= 0 && i < len(l.rows); i += direction {
		if fits(l.rows[i]) {
			l.cursor = i
			return true
		}
	}
	return false
}

// scroll moves the rows on a screen of a height by a number of rows. The cursor stays on the screen.
func (l *list) scroll(by, height int) {
	l.top = min(max(l.top+by, 0), max(len(l.rows)-height, 0))
	if l.cursor < l.top {
		l.to(l.top, 1)
	} else if l.cursor >= l.top+height {
		l.to(l.top+height-1, -1)
	}
}

// show makes the cursor visible on a screen of a height. The title above the first items is shown with them.
func (l *list) show(height int) {
	if height <= 0 {
		return
	}
	if l.cursor < l.top {
		l.top = l.cursor
		if l.top == 1 {
			l.top = 0
		}
	}
	l.top = max(l.top, l.cursor-height+1)
	l.top = min(l.top, max(len(l.rows)-height, 0))
}
