package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const (
	// ahead is how far the newest thing in the memory may lie in the future.
	ahead = time.Minute
	// apart is how far the clocks of the machine and of its disk may differ.
	apart = 5 * time.Second
)

// clock looks at the clock of the machine: ages are measured by it.
func clock(_ context.Context, m Machine) (all []Finding) {
	var newest time.Time // of what happened in the memory
	for _, session := range m.Sessions {
		if session.UpdatedAt.After(newest) {
			newest = session.UpdatedAt
		}
	}
	if by := newest.Sub(m.Now); by > ahead {
		all = append(all, warning("memory ahead",
			fmt.Sprintf("The newest thing in the memory is of %s, which is in the future by %s.",
				newest.Local().Format(time.DateTime), by.Round(time.Minute)),
			"Set the clock of this machine. If it is right, it was wrong when that was written: nothing is lost, and "+
				"what is old is kept for longer.").with("seconds", int64(by.Seconds())))
	}
	if dirs := m.own(); len(dirs) > 0 {
		if by, err := diskAhead(dirs[0]); err == nil && by.Abs() > apart {
			all = append(all, warning("disk apart",
				fmt.Sprintf("The clock of the disk of %s is %s from that of this machine.", dirs[0],
					by.Abs().Round(time.Second)),
				"Set both by the same time server.").with("seconds", int64(by.Seconds())))
		}
	}
	return otherwise(all, "it agrees with the memory")
}

// diskAhead returns how much the clock is ahead that sets the times of files in a folder.
func diskAhead(dir string) (time.Duration, error) {
	path := filepath.Join(dir, files.TempName()) // which is deleted later if the process is killed here
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	info, err := file.Stat()
	now := time.Now()
	if err = errors.Join(err, file.Close(), files.RemoveTemp(path)); err != nil {
		return 0, err
	}
	return info.ModTime().Sub(now), nil
}
