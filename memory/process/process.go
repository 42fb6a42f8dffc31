// Package process tells processes of this machine from each other, and whether one has ended.
package process

import "slices"

// An ID names a process for as long as the machine runs, also if its number is given to another one later. "" names
// none.
type ID string

// shells are programs that run commands for others.
var shells = []string{"sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "zsh"}

func isShell(name string) bool { return slices.Contains(shells, name) }
