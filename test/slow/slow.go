// Package slow marks tests that take seconds: those that kill processes at many places, wait for a lock that
// somebody else holds, or measure how the time grows. make test runs them, make check does not.
package slow

import "testing"

// Test ends a test that make check runs.
func Test(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds; make test runs it")
	}
}
