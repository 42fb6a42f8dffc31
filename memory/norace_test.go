//go:build !race

package memory_test

const raced = false
