// Package slow marks tests that take seconds: those that kill processes at many places, wait for a lock that
// somebody else holds, or measure how the time grows. make test runs them, make check does not. Of what tests do many
// times with other values, make check does a part.
package slow

import "testing"

// Test ends a test that make check runs.
func Test(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds; make test runs it")
	}
}

// Rounds returns how many of n rounds a test with random or many values runs: all, and a tenth in make check.
func Rounds(n int) int {
	if testing.Short() {
		return (n + 9) / 10
	}
	return n
}
