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

// warmUp is how many trials of each kind are made before any counts.
const warmUp = 3

// A trial does a thing once and tells how long that took.
type trial func() (time.Duration, error)

// timed makes a trial of what is timed as a whole.
func timed(do func() error) trial {
	return func() (time.Duration, error) {
		began := time.Now()
		err := do()
		return time.Since(began), err
	}
}

// A sample is how long the trials of a thing and of its reference took.
type sample struct{ ours, floor []time.Duration }

// interleave makes n trials of a thing and of its reference in turn, so that
// the noise of the machine meets both.
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

// percentile is the nearest-rank percentile.
func percentile[T cmp.Ordered](percent int, values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)*percent+99)/100-1]
}

const mega = 1 << 20

// memory is a figure of the memory of a process in bytes: VmRSS is what it
// holds now, VmHWM the most that it ever held. It is 0 where there is no /proc.
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
		return 0, fmt.Errorf("/proc does not tell %s", figure)
	}
	kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return kilobytes << 10, err
}
