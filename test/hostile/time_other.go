//go:build !linux

package hostile

import "time"

func took(read func(string), text string) time.Duration {
	start := time.Now()
	read(text)
	return time.Since(start)
}
