//go:build race

package test

const race = true
