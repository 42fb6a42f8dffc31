// Package history keeps the conversations of sessions as files. Messages are appended. A
// compaction records which messages were removed from the conversation, and their summary.
// A file that is too large is rewritten. Several processes may append to a file at once
// (systems.md A13, C3, C4, D1).
package history

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const (
	// lockTimeout is how long to wait for a lock that another process holds.
	lockTimeout = 5 * time.Second

	// MaxChars is the maximum length of the text of a message in Unicode code points. Of a
	// longer text the head and the tail are kept.
	MaxChars  = 32_000
	tailChars = 8_000

	// DefaultMaxBytes is the maximum size of the file if the options have none.
	DefaultMaxBytes = 4 << 20
	// maxReadBytes is the maximum size of a file that is read.
	maxReadBytes = 1 << 30
)

// The roles of messages. Each message of the user begins a turn.
const (
	User      = "user"
	Assistant = "assistant"
	System    = "system"
	Tool      = "tool"
)

// A Message is a message of the conversation, or the output of a tool.
type Message struct {
	ID   string
	Role string
	Text string // redacted by the caller
	At   time.Time
	// Turn counts from 1. Messages before the first message of the user are in turn 0.
	Turn   int
	Tokens int
	// Tool and Command are the tool and the command line of an output.
	Tool    string
	Command string
}

// A Compaction records messages that were removed from the conversation.
type Compaction struct {
	// Removed are the ids of the messages. They are dropped from old compactions if they take
	// too much space. Count is their number.
	Removed    []string
	Count      int
	Summary    string
	ArchivedTo string // detail/…
	Target     Target
	Strategy   Strategy
	By         By
	At         time.Time
	// TokensBefore and TokensAfter are the numbers of tokens of the conversation.
	TokensBefore int
	TokensAfter  int
}

// A Strategy is what happens to messages that are removed from the conversation.
type Strategy string

const (
	Archive   Strategy = "archive"   // They are written to a note.
	Summarize Strategy = "summarize" // Only their summary is kept.
)

// By is the initiator of a compaction.
type By string

const (
	ByModel  By = "model"
	ByServer By = "server" // see Service.FallbackDue
	ByHost   By = "host"
)

// A Conversation is the content of a file. Its slices are shared and must not be modified.
type Conversation struct {
	Messages    []Message    // that were not removed, in order
	Compactions []Compaction // the newest MaxCompactions, oldest first
	Tokens      int          // of Messages
	Turn        int          // the highest
	Broken      int          // lines that could not be read
}

// Options are the options of a log.
type Options struct {
	// MaxBytes returns the maximum size of the file. nil means DefaultMaxBytes.
	MaxBytes func() int
	// Tokens returns the number of tokens of a string. If nil, messages are not counted.
	Tokens func(text string) int
}

// A Log is the file of the conversation of one session. It is safe for concurrent use, also
// with other logs on the same folder.
type Log struct {
	dir     string
	options Options
	reader  *reader
}

// In returns the log in the folder of a session. The first write creates the file.
func In(sessionDir string, options Options) Log {
	return Log{sessionDir, options, &reader{}}
}

func (l Log) path() string { return filepath.Join(l.dir, store.HistoryName) }

// describe replaces the description of the session with the result of current. The lock of
// the file is held, so that what current reads is not erased before it is written.
func (l Log) describe(current func(Conversation) Meta) error {
	l.reader.Lock()
	defer l.reader.Unlock()
	return l.shared(func() error {
		if err := l.reader.follow(l.path()); err != nil {
			return fmt.Errorf("read the conversation: %w", err)
		}
		return l.SetMeta(current(l.reader.conversation()))
	})
}

func (l Log) maxBytes() int64 {
	if l.options.MaxBytes == nil {
		return DefaultMaxBytes
	}
	return int64(l.options.MaxBytes())
}

// Load returns the current conversation, which is empty if there is no file. Lines that
// cannot be read are counted and skipped.
func (l Log) Load() (Conversation, error) {
	l.reader.Lock()
	defer l.reader.Unlock()
	if err := l.reader.follow(l.path()); err != nil {
		return Conversation{}, fmt.Errorf("read the conversation: %w", err)
	}
	return l.reader.conversation(), nil
}

// Append appends a message and returns it as it is kept: with an id, a turn and a number of
// tokens if they were missing, and without the middle of a long text. A message with a known
// id is not appended again. Append then returns the known message, or the given one if the
// known one was removed from the conversation.
//
// If the message was appended but the file could not be shortened, Append returns the
// message and the error.
func (l Log) Append(m Message) (Message, error) {
	if m.Role == "" {
		return Message{}, errors.New("a message of a conversation needs a role: user, assistant, system or tool")
	}
	l.reader.Lock()
	defer l.reader.Unlock()
	known := false
	err := l.shared(func() error {
		if err := l.reader.follow(l.path()); err != nil {
			return err
		}
		if m.ID != "" && l.reader.knows(m.ID) {
			known = true
			m = l.reader.message(m)
			return nil
		}
		m = l.completed(m)
		return l.write(m.record())
	})
	if err != nil {
		return Message{}, fmt.Errorf("keep a message of the conversation: %w", err)
	}
	if known {
		return m, nil
	}
	return m, l.bound()
}

// completed returns a message with all fields set.
func (l Log) completed(m Message) Message {
	for _, text := range []*string{&m.ID, &m.Role, &m.Tool, &m.Command} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
	if m.ID == "" {
		m.ID = "m" + strings.ToLower(rand.Text())
	}
	if m.Tokens == 0 && l.options.Tokens != nil {
		m.Tokens = l.options.Tokens(m.Text)
	}
	if m.Turn == 0 {
		m.Turn = l.reader.turn
		if m.Role == User {
			m.Turn++
		}
	}
	m.Text = Shortened(m.Text)
	return m
}

// Record appends a compaction, which removes its messages from the conversation. They stay
// in the file until a message is appended to a file that is too large. The compaction is on the
// disk when Sync returns.
func (l Log) Record(c Compaction) error {
	l.reader.Lock()
	defer l.reader.Unlock()
	c.Count = max(c.Count, len(c.Removed))
	c.Summary = Shortened(c.Summary)
	if err := l.shared(func() error { return l.write(c.record()) }); err != nil {
		return fmt.Errorf("keep what was compacted: %w", err)
	}
	return nil
}

// shared calls run with the lock of the file held shared, so that several processes can
// append, but none can rewrite the file.
func (l Log) shared(run func() error) error {
	return l.locked(files.RLock, store.HistoryLockName, run)
}

// locked calls run with a lock held. It creates the folder of the session.
func (l Log) locked(
	take func(ctx context.Context, path string) (*flock.Flock, error), name string, run func() error,
) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	lock, err := take(ctx, filepath.Join(l.dir, name))
	if err != nil {
		return fmt.Errorf("lock the conversation: %w", err)
	}
	defer func() { _ = lock.Close() }()
	return run()
}

// write appends a line with one call, so that lines of several processes are not mixed.
func (l Log) write(r record) error {
	line, err := r.line()
	if err != nil {
		return err
	}
	if err := regular.Alone(l.path()); err != nil {
		return err
	}
	file, err := os.OpenFile(l.path(), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if isCut(file) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

// Sync waits until what was appended is on the disk. What was shortened or erased meanwhile was
// synced.
func (l Log) Sync() error {
	file, err := os.OpenFile(l.path(), os.O_WRONLY, 0) // Windows syncs only what can be written
	if err != nil {
		return fmt.Errorf("wait until the conversation is on the disk: %w", err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("wait until the conversation is on the disk: %w", err)
	}
	return nil
}

// isCut reports whether the last line of a file has no newline, as after a crash.
func isCut(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// Exclusive calls run with the lock for compactions held.
func (l Log) Exclusive(run func() error) error {
	return l.locked(files.Lock, store.CompactLockName, run)
}

// bound rewrites the file if it is too large.
func (l Log) bound() error {
	if info, err := os.Stat(l.path()); err != nil || info.Size() <= l.maxBytes() {
		return nil
	}
	return l.locked(files.Lock, store.HistoryLockName, l.rewrite)
}

// rewrite rewrites the file if it is too large. It is called with its lock held.
func (l Log) rewrite() error {
	maxBytes := l.maxBytes()
	if err := l.reader.follow(l.path()); err != nil {
		return fmt.Errorf("read the conversation to shorten it: %w", err)
	}
	if l.reader.offset <= maxBytes {
		return nil
	}
	content, err := l.reader.bounded(maxBytes)
	if err != nil {
		return fmt.Errorf("shorten the conversation: %w", err)
	}
	if err := files.Write(l.path(), content); err != nil {
		return fmt.Errorf("write the shortened conversation: %w", err)
	}
	return nil
}

// Shortened returns a string with at most MaxChars characters: its head and its tail.
func Shortened(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= MaxChars || utf8.RuneCountInString(text) <= MaxChars {
		return text
	}
	runes := []rune(text)
	const markChars = 100 // for the line that says how much is left out
	head := MaxChars - tailChars - markChars
	left := len(runes) - head - tailChars
	tail := string(runes[len(runes)-tailChars:])
	return fmt.Sprintf("%s\n[… %d characters were left out …]\n%s", string(runes[:head]), left, tail)
}

// open opens a file for reading. The error is fs.ErrNotExist if there is none.
func open(path string) (*os.File, fs.FileInfo, error) {
	if info, err := os.Lstat(path); err != nil {
		return nil, nil, err
	} else if err := regular.Alone(path); err != nil {
		return nil, nil, err
	} else if info.Size() > maxReadBytes {
		return nil, nil, fmt.Errorf("%s has more than %d bytes; move it away", path, maxReadBytes)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

func readFrom(file *os.File, offset int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(file, offset, maxReadBytes))
}
