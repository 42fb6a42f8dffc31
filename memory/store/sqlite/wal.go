package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

const (
	// maxWAL is the size of the write-ahead log, in bytes, at which its content is moved into the
	// database. The next write truncates the file to keptWAL.
	maxWAL = 4 << 20
	// retryWAL is how many bytes the write-ahead log grows before its content is moved again, if that
	// has failed or takes long. It divides maxWAL.
	retryWAL = maxWAL / 8
	// keptWAL is the size of the write-ahead log, in bytes, up to which it stays as it is when the last process
	// closes the database. To read it takes less than a millisecond, to move it into the database four syncs.
	keptWAL = maxWAL / 4
)

// moveWAL moves the write-ahead log into the database, as far as nobody reads what is there.
const moveWAL = "PRAGMA wal_checkpoint(PASSIVE)"

// checkpointIfDue moves a large write-ahead log into the database, which syncs two files. It is
// called after a transaction, with the sizes of the log before and after it, and does not block. The
// last pages are moved with the lock held, because a checkpoint during writes of other processes is
// never complete, and the log would not be reused. If many processes write, one of them does it: the
// one whose transaction made the log larger than maxWAL, or by a further retryWAL.
func (s *Store) checkpointIfDue(before, after int64) {
	if after < maxWAL || after/retryWAL == before/retryWAL || !s.checkpointing.CompareAndSwap(false, true) {
		return
	}
	s.checkpoints.Go(func() {
		defer s.checkpointing.Store(false)
		beside := connect(filepath.Join(s.dir, store.DatabaseName), &s.damage)
		_, err := beside.ExecContext(context.Background(), moveWAL)
		err = errors.Join(err, beside.Close())
		if err == nil {
			err = s.exclusiveNext(patience, nil, func() error {
				if s.db == nil || s.sizeOfWAL() < maxWAL { // another process has done it
					return nil
				}
				_, err := s.db.ExecContext(context.Background(), moveWAL)
				return err
			})
		}
		if err != nil && !errors.Is(err, store.ErrBusy) { // the next transaction tries again
			s.log.Warn("move the write-ahead log into the database", "error", err)
		}
	})
}

// sizeOfWAL returns the size of the write-ahead log in bytes, 0 if there is none.
func (s *Store) sizeOfWAL() int64 {
	info, err := os.Stat(filepath.Join(s.dir, store.DatabaseName+"-wal"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// openWAL opens the write-ahead log of the open databases, in a transaction, which
// holds the file in place.
func (s *Store) openWAL() (*os.File, error) {
	if s.wal == nil {
		wal, err := os.OpenFile(filepath.Join(s.dir, store.DatabaseName+"-wal"), os.O_RDWR, 0)
		if err != nil {
			return nil, fmt.Errorf("open the write-ahead log: %w", err)
		}
		s.wal = wal
	}
	return s.wal, nil
}
