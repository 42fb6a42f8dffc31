package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/test/peer"
)

// warmUp is the number of trials of each kind that are not counted.
const warmUp = 3

// A trial runs an operation once and returns how long it took.
type trial func() (time.Duration, error)

// timed returns a trial that measures the whole function.
func timed(do func() error) trial {
	return func() (time.Duration, error) {
		began := time.Now()
		err := do()
		return time.Since(began), err
	}
}

// A sample is the durations of the trials of an operation and its reference.
type sample struct{ ours, floor []time.Duration }

// interleave makes n trials of an operation and its reference in turn, so that the
// noise of the machine affects both.
func interleave(n int, ours, floor trial) (sample, error) {
	var s sample
	for i := range warmUp + n {
		took, err := ours()
		if err != nil {
			return s, err
		}
		floorTook, err := floor()
		if err != nil {
			return s, err
		}
		if i >= warmUp {
			s.add(took, floorTook)
		}
	}
	return s, nil
}

func (s *sample) add(ours, floor time.Duration) {
	s.ours, s.floor = append(s.ours, ours), append(s.floor, floor)
}

// percentile returns the nearest-rank percentile.
func percentile[T cmp.Ordered](percent int, values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)*percent+99)/100-1]
}

const mega = 1 << 20

// memory returns the memory usage of a process in bytes: VmRSS is the current and
// VmHWM the peak resident size. It returns 0 if there is no /proc.
func memory(c *peer.Client, figure string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process().Pid))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(status), figure+":")
	if !found {
		return 0, fmt.Errorf("/proc has no %s", figure)
	}
	kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return kilobytes << 10, err
}
