//go:build race

package memory_test

// raced says that the race detector is on. It makes a process start ten times as slowly, so
// tests that start and kill many processes have fewer rounds with it. test/modules.sh runs
// all rounds without it.
const raced = true
