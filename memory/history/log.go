// Package history is the conversation of one session as a file: messages are
// appended, a compaction says which of them left the conversation and what stands
// for them, and the file is written anew when it has grown too large. Several
// processes may append to it at once (systems.md A13, C3, C4, D1).
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
	"github.com/google/renameio/v2/maybe"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

const (
	// lockPatience is how long another process may hold the lock.
	lockPatience = 5 * time.Second
	lockRetry    = 2 * time.Millisecond

	// MaxChars is the length of the text of a message, in Unicode code points; of a
	// longer one the head and the tail are kept.
	MaxChars  = 32_000
	tailChars = 8_000

	// DefaultMaxBytes is the size of the file where the options have none.
	DefaultMaxBytes = 4 << 20
	// maxReadBytes is the size of a file that is no conversation of ours.
	maxReadBytes = 1 << 30
)

// The roles of messages. A turn begins with each message of the user.
const (
	User      = "user"
	Assistant = "assistant"
	System    = "system"
	Tool      = "tool"
)

// A Message is one message of the conversation, or the output of a tool.
type Message struct {
	ID   string
	Role string
	Text string // redacted by the caller
	At   time.Time
	// Turn counts from 1; messages before the first one of the user are in turn 0.
	Turn   int
	Tokens int
	// Tool and Command say what printed the output of a tool.
	Tool    string
	Command string
}

// A Compaction says which messages left the conversation, and what stands for
// them.
type Compaction struct {
	// Removed are the ids of the messages. Those of old compactions are dropped
	// where they take too much room; Count says how many there were.
	Removed    []string
	Count      int
	Summary    string
	ArchivedTo string // detail/…
	Target     Target
	Strategy   Strategy
	By         By
	At         time.Time
	// TokensBefore and TokensAfter are those of the conversation.
	TokensBefore int
	TokensAfter  int
}

// A Strategy says what becomes of messages that leave the conversation.
type Strategy string

const (
	Archive   Strategy = "archive"   // They are written to a note.
	Summarize Strategy = "summarize" // Their summary stands for them.
)

// By says who asked for a compaction.
type By string

const (
	ByModel  By = "model"
	ByServer By = "server" // the fallback of a setting
	ByHost   By = "host"
)

// A Conversation is what a file says. Its slices are shared: they are not to be
// changed.
type Conversation struct {
	Messages    []Message    // that are in the conversation, in order
	Compactions []Compaction // the newest MaxCompactions, oldest first
	Tokens      int          // of the messages
	Turn        int          // the highest
	Broken      int          // lines that could not be read
}

// Options are what a log needs to know from outside.
type Options struct {
	// MaxBytes is the size of the file; nil means DefaultMaxBytes.
	MaxBytes func() int
	// Tokens counts those of a text; nil leaves the counts to whoever appends.
	Tokens func(text string) int
}

// A Log is the conversation of one session. It is safe for concurrent use, also
// by several logs on the same folder.
type Log struct {
	dir     string
	options Options
	reader  *reader
}

// In returns the conversation in the folder of a session. Nothing is made before
// the first write.
func In(sessionDir string, options Options) Log {
	return Log{sessionDir, options, &reader{}}
}

func (l Log) path() string { return filepath.Join(l.dir, store.HistoryName) }

func (l Log) maxBytes() int64 {
	if l.options.MaxBytes == nil {
		return DefaultMaxBytes
	}
	return int64(l.options.MaxBytes())
}

// Load returns the conversation as it is now: empty if there is no file. A line
// that cannot be read is counted and passed over.
func (l Log) Load() (Conversation, error) {
	l.reader.Lock()
	defer l.reader.Unlock()
	if err := l.reader.follow(l.path()); err != nil {
		return Conversation{}, fmt.Errorf("read the conversation: %w", err)
	}
	return l.reader.conversation(), nil
}

// Append appends a message and returns it as it is kept: with an id, a turn and a
// number of tokens where it had none, and the middle of a long text left out. A
// message whose id is known already is not appended again; the one that is there
// is returned, or the given one if that left the conversation.
//
// Where only the bounding of the file failed, the message is returned with the
// error: it is kept.
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

// completed gives a message what it lacks.
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
	m.Text = shorten(m.Text)
	return m
}

// Record appends a compaction: its messages leave the conversation. They stay in
// the file until it is written anew.
func (l Log) Record(c Compaction) error {
	l.reader.Lock()
	defer l.reader.Unlock()
	c.Count = max(c.Count, len(c.Removed))
	c.Summary = shorten(c.Summary)
	err := l.shared(func() error { return l.write(c.record()) })
	if err != nil {
		return fmt.Errorf("keep what was compacted: %w", err)
	}
	return l.bound()
}

// shared runs beside other processes that append, and never beside one that
// writes the file anew.
func (l Log) shared(run func() error) error {
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the session: %w", err)
	}
	lock, err := l.lock()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	if _, err := lock.TryRLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("another process holds the lock of the conversation, %s: try again, or end it: %w", store.HistoryLockName, err)
	}
	defer func() { _ = lock.Close() }()
	return run()
}

func (l Log) lock() (*flock.Flock, error) {
	path := filepath.Join(l.dir, store.HistoryLockName)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is in the way of the lock of the conversation: it is no file; delete it", path)
	}
	return flock.New(path, flock.SetPermissions(0o600)), nil
}

// write appends one line with one call, so that lines of several processes do not
// mix.
func (l Log) write(r record) error {
	line, err := r.line()
	if err != nil {
		return err
	}
	if info, err := os.Lstat(l.path()); err == nil && !info.Mode().IsRegular() {
		return notRegular(l.path())
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

// isCut reports whether the last line of a file has no end, as after a crash.
func isCut(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// Alone runs as the only compaction of the conversation.
func (l Log) Alone(run func() error) error {
	lock := flock.New(filepath.Join(l.dir, store.CompactLockName), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("another process compacts the conversation: %w", err)
	}
	defer func() { _ = lock.Close() }()
	return run()
}

// bound writes the file anew where it is too large.
func (l Log) bound() error {
	maxBytes := l.maxBytes()
	if info, err := os.Stat(l.path()); err != nil || info.Size() <= maxBytes {
		return nil
	}
	lock, err := l.lock()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("another process holds the lock of the conversation, %s, so that it cannot be bounded: %w", store.HistoryLockName, err)
	}
	defer func() { _ = lock.Close() }()
	if err := l.reader.follow(l.path()); err != nil {
		return fmt.Errorf("read the conversation to bound it: %w", err)
	}
	if l.reader.offset <= maxBytes {
		return nil
	}
	content, err := l.reader.bounded(maxBytes)
	if err != nil {
		return fmt.Errorf("bound the conversation: %w", err)
	}
	if err := maybe.WriteFile(l.path(), content, 0o600); err != nil {
		return fmt.Errorf("write the bounded conversation: %w", err)
	}
	return nil
}

// shorten keeps the head and the tail of a text that is too long.
func shorten(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= MaxChars || utf8.RuneCountInString(text) <= MaxChars {
		return text
	}
	runes := []rune(text)
	const room = 100 // for the line that says how much is left out
	head := MaxChars - tailChars - room
	left := len(runes) - head - tailChars
	return fmt.Sprintf("%s\n[… %d characters were left out …]\n%s", string(runes[:head]), left, string(runes[len(runes)-tailChars:]))
}

func notRegular(path string) error {
	return fmt.Errorf("%s is not a regular file of at most %d bytes; move it away", path, maxReadBytes)
}

// open opens the file for reading; the error is fs.ErrNotExist if there is none.
func open(path string) (*os.File, fs.FileInfo, error) {
	if info, err := os.Lstat(path); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() || info.Size() > maxReadBytes {
		return nil, nil, notRegular(path)
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
