// Package process names processes of this machine, so that another process can tell later whether one has ended.
package process

import "slices"

// An ID names a process for as long as the machine runs, also if its number is given to another one later. "" names
// none.
type ID string

// shells are programs that run commands for others.
var shells = []string{"sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "zsh"}

func isShell(name string) bool { return slices.Contains(shells, name) }
