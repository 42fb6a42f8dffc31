//go:build !linux

package process

// Caller returns the program that runs this process. It is not known on this system.
func Caller() ID { return "" }

// Ended reports whether the process is known to have ended. Nothing is known on this system.
func (ID) Ended() bool { return false }
