package cores

// GrowStack gives its goroutine a stack of 64 KB, which the code of SQLite and a search need. It would grow to that by
// doubling while that code runs, and at each time all frames on it are examined and copied: a twentieth of the time
// until the first context, and of a search among few documents.
func GrowStack() { growStack(0) }

//go:noinline
func growStack(i int) byte {
	var frame [48 << 10]byte
	return frame[i]
}
