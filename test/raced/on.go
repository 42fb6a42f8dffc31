//go:build race

// Package raced tells tests whether the race detector is on. It makes code five to ten times
// as slow and the start of a process too, so with it tests have fewer rounds of one kind.
// test/modules.sh runs those of the slowest again without it.
package raced

// On reports whether the race detector is on.
const On = true
