package sqlite

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// notifyPeers notifies the other processes of a commit. It writes the position of the newest
// change to the notice file, with the lock held, so that it never decreases. Watching the -wal
// file of the database misses events.
func (s *Store) notifyPeers(newest int64) {
	file, err := s.openNotice()
	if err == nil {
		_, err = file.Write(fmt.Appendf(nil, noticeFormat, newest))
		_ = file.Close()
	}
	if err != nil {
		// The other processes find the commit when they poll.
		s.log.Warn("notify the other processes", "error", err)
	}
}

// openNotice opens the notice file for writing, and creates it if it is missing. It is an error if something else is in
// its place.
func (s *Store) openNotice() (*os.File, error) {
	path := filepath.Join(s.dir, store.NoticeName)
	if err := regular.Alone(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
}

// The notice file has a line with a number of fixed length.
const (
	noticeFormat = "%020d\n"
	noticeDigits = 20
)

// Newest returns the position in the notice file, 0 if it cannot be read.
func (s *Store) Newest() int64 {
	file, err := os.OpenFile(filepath.Join(s.dir, store.NoticeName), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0
	}
	defer file.Close()
	digits := make([]byte, noticeDigits)
	if _, err := io.ReadFull(file, digits); err != nil {
		return 0
	}
	newest, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		return 0
	}
	return newest
}

// Notices returns a channel that receives a value after commits of any process, including this
// one. Several commits may make one notice. The channel is closed when ctx is done, the watch
// fails or the file is removed, so callers must also poll.
func (s *Store) Notices(ctx context.Context) (<-chan struct{}, error) {
	file, err := s.openNotice()
	if err != nil {
		return nil, fmt.Errorf("create the notice file: %w", err)
	}
	_ = file.Close()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch for changes of other processes: %w", err)
	}
	if err := watcher.Add(file.Name()); err != nil {
		_ = watcher.Close()
		return nil, fmt.Errorf("watch for changes of other processes: %w", err)
	}
	notices := make(chan struct{})
	go func() {
		defer close(notices)
		defer func() { _ = watcher.Close() }()
		for {
			select {
			case <-ctx.Done():
				return
			case err, ok := <-watcher.Errors:
				if !ok {
					return
				}
				s.log.Warn("watch for changes of other processes", "error", err)
			case event, ok := <-watcher.Events:
				if !ok || event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
					return // the watch ends with the file
				}
				select { // the kernel merges what happens until somebody receives, and wakes nobody
				case notices <- struct{}{}:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return notices, nil
}
