package memory

import "time"

// repeatAfter is how long an error that comes again and again is not logged.
const repeatAfter = 10 * time.Minute

// logged are the errors that were logged lately, and when.
type logged map[string]time.Time

// isNew reports whether an error was not logged lately, and notes that it is now.
func (l logged) isNew(err error, now time.Time) bool {
	for text, at := range l {
		if age := now.Sub(at); age < 0 || age >= repeatAfter {
			delete(l, text)
		}
	}
	if _, known := l[err.Error()]; known {
		return false
	}
	l[err.Error()] = now
	return true
}
