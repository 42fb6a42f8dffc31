// Package frame reads and writes the frames of LSP, and those of MCP, which are lines. It
// passes only well-formed messages to the JSON-RPC library and answers every other frame with
// an error itself.
package frame

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

// The limits of a frame. LSP does not define any; without them a single header line could
// use all memory.
const (
	// maxHeader is the maximum length of the header block, in bytes.
	maxHeader = 4 << 10
	// maxBody is the maximum length of a message, in bytes.
	maxBody = 16 << 20
	// keptBuffer is the maximum size of a buffer that is reused, in bytes.
	keptBuffer = 1 << 20
	// maxField is the maximum length of a Content-Length field that is found in garbage,
	// in bytes.
	maxField = 64
	// sniffed is the length of the start of a message that is too long, which is searched
	// for the id, in bytes.
	sniffed = 4 << 10
	// sniffPatience is how long to wait for the id of a message that is too long. After that
	// the message is refused without an id.
	sniffPatience = 250 * time.Millisecond
)

const contentLength = "Content-Length"

// messageJSON allows an escaped half of a surrogate pair, which JavaScript clients send when
// an edit splits an emoji. Invalid UTF-8 is refused separately.
var messageJSON = jsontext.AllowInvalidUTF8(true)

// memberJSON allows duplicate members in params. Those of the message itself are checked
// here.
var memberJSON = jsontext.AllowDuplicateNames(true)

// A Stream transfers frames between a client and a connection of package jsonrpc2, which
// ends at the first frame that it cannot classify. The stream therefore passes on only
// well-formed messages. It answers and logs every other frame, and continues with the next
// one. After bytes that are not a frame it continues at the next Content-Length field.
//
// Only one goroutine may read at a time; any may write. The check of a body takes about 1 µs
// for 200 bytes and 40 µs for 20 KB.
type Stream struct {
	log *slog.Logger

	source source
	lines  bool // a frame is a line, without a header
	in     *bufio.Reader
	body   []byte // reused between frames
	tail   []byte // end of a line that is longer than the buffer of in
	lost   bool   // the start of the next header is unknown
	offset int64  // bytes read from in
	reread int64  // offset up to which bytes were read a second time

	text    bytes.Buffer
	decoder jsontext.Decoder

	// Written is called with the context of each message that was written, or that will not
	// be. A response has the context that the handler of its request was given. It is set
	// before the first message and may be nil.
	Written func(ctx context.Context)

	waiting waiting // to be written
	held    waiting // read and not done

	mu     sync.Mutex // guards the fields below
	out    io.Writer
	frame  []byte // reused between frames
	failed error  // of the first write that failed

	writing atomic.Bool // a write is in progress

	ended   chan struct{}
	endOnce sync.Once

	dead      chan struct{}
	closed    chan struct{}
	closeOnce sync.Once
	closers   []io.Closer
}

var _ jsonrpc2.Stream = (*Stream)(nil)

// New returns a stream that reads frames from in and writes frames to out. Closing it closes
// those that implement io.Closer.
func New(in io.Reader, out io.Writer, log *slog.Logger) *Stream {
	s := &Stream{
		log:    log,
		source: source{in: in},
		out:    out,
		dead:   make(chan struct{}),
		ended:  make(chan struct{}),
		closed: make(chan struct{}),
	}
	s.in = bufio.NewReaderSize(&s.source, 4*maxHeader)
	for _, end := range []any{in, out} {
		if c, ok := end.(io.Closer); ok {
			s.closers = append(s.closers, c)
		}
	}
	return s
}

// NewLines returns a stream as New does, whose frames are lines of JSON without a header.
func NewLines(in io.Reader, out io.Writer, log *slog.Logger) *Stream {
	s := New(in, out, log)
	s.lines = true
	return s
}

// Read returns the next well-formed message. Its method and params are valid
// until the next read.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	frame, size, err := s.ReadFrame(ctx)
	if err != nil {
		return nil, 0, err
	}
	message, err := jsonrpc2.DecodeMessage(frame)
	return message, size, err
}

// ReadFrame returns the body of the next frame that is a well-formed message,
// and the size of the frame in bytes. The body is valid until the next read.
// The error is io.EOF at the end of the input, even inside a frame.
func (s *Stream) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if err := s.waitForRoom(ctx); err != nil {
			return nil, 0, err
		}
		if cap(s.body) > keptBuffer {
			s.body = nil
		}
		size, err := s.next()
		if err != nil {
			return nil, 0, err
		}
		if size > 0 && s.admit(s.body) {
			return s.body, size, nil
		}
	}
}

// next reads the next frame into s.body and returns its size in bytes. The size is 0 if there
// is nothing to admit.
func (s *Stream) next() (size int64, err error) {
	if s.lines {
		return s.nextLine()
	}
	h, err := s.readHeader()
	if err != nil {
		return 0, err
	}
	if h.length > maxBody {
		s.refuseTooLong(h.length)
		s.lost = true
		return 0, nil
	}
	if err := s.readBody(int(h.length)); err != nil {
		if err == io.EOF && s.unread() {
			return 0, nil // the rest of the body may be complete messages
		}
		return 0, err
	}
	return int64(h.size) + h.length, nil
}

// Write writes a message as one frame.
func (s *Stream) Write(ctx context.Context, message jsonrpc2.Message) (int64, error) {
	return s.write(ctx, func(frame []byte) []byte { return jsonrpc2.AppendMessage(frame, message) })
}

// WriteFrame writes an encoded message as one frame.
func (s *Stream) WriteFrame(ctx context.Context, body []byte) (int64, error) {
	return s.write(ctx, func(frame []byte) []byte { return append(frame, body...) })
}

// Dead returns a channel that is closed at the first write that fails. The client cannot be
// reached then.
func (s *Stream) Dead() <-chan struct{} { return s.dead }

// Ended returns a channel that is closed at the end of the input. It is also closed when a
// write takes long and the client has closed the other end of the input.
func (s *Stream) Ended() <-chan struct{} { return s.ended }

func (s *Stream) end() { s.endOnce.Do(func() { close(s.ended) }) }

// Close ends the stream. It does not wait for a read or a write in progress, which may never
// return while the client keeps its end open.
func (s *Stream) Close() error {
	s.closeOnce.Do(func() {
		close(s.closed)
		for _, c := range s.closers {
			go func() { _ = c.Close() }()
		}
	})
	return nil
}

func (s *Stream) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// write writes a frame, with the header right before the body in one buffer. After a failed
// write part of a frame may have been written, so nothing else is written.
func (s *Stream) write(ctx context.Context, appendBody func([]byte) []byte) (int64, error) {
	if s.Written != nil {
		defer s.Written(ctx)
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if s.mu.TryLock() {
		defer s.mu.Unlock()
		frame := framed(s.frame, appendBody)
		s.frame = frame[:0]
		if cap(frame) > keptBuffer {
			s.frame = nil
		}
		return s.writeFrame(frame)
	}
	// Another message is being written. Its writer counts what waits behind it.
	frame := framed(nil, appendBody)
	cost := 2*len(frame) + waitingCost
	s.waiting.add(cost)
	defer s.waiting.add(-cost)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writeFrame(frame)
}

// prefix is the longest header of a frame.
const prefix = len(contentLength+": \r\n\r\n") + 20

// framed returns a buffer with a body behind room for the longest header.
func framed(buffer []byte, appendBody func([]byte) []byte) []byte {
	var room [prefix]byte
	return appendBody(append(buffer[:0], room[:]...))
}

// writeFrame writes a buffer of framed. s.mu is locked.
func (s *Stream) writeFrame(frame []byte) (int64, error) {
	if s.failed != nil {
		return 0, s.failed
	}
	if s.isClosed() {
		return 0, io.ErrClosedPipe
	}
	start := prefix
	if s.lines {
		frame = append(frame, '\n')
	} else {
		var room [prefix]byte
		header := append(room[:0], contentLength+": "...)
		header = strconv.AppendInt(header, int64(len(frame)-prefix), 10)
		header = append(header, "\r\n\r\n"...)
		start -= len(header)
		copy(frame[start:], header)
	}

	s.writing.Store(true)
	watch := time.AfterFunc(slowWrite, s.watch)
	n, err := s.out.Write(frame[start:])
	watch.Stop()
	s.writing.Store(false)
	if err != nil {
		s.failed = fmt.Errorf("write to the client: %w", err)
		close(s.dead)
		return int64(n), s.failed
	}
	return int64(n), nil
}

// A header is the header block that is being read.
type header struct {
	length int64 // declared, in bytes; at most math.MaxInt64
	known  bool  // there was a Content-Length
	size   int   // of the block so far, in bytes
}

// readHeader reads to the end of the next header block. Garbage before it is refused once and
// skipped.
func (s *Stream) readHeader() (header, error) {
	var h header
	for {
		line, whole, err := s.readLine()
		if err != nil {
			return h, s.endOf(err, len(line)+h.size > 0 && !s.lost)
		}
		var done bool
		var complaint string
		if !s.lost {
			done, complaint = h.add(line)
		}
		if s.lost || complaint != "" {
			var found string
			h, s.lost, found = resume(line, whole)
			if complaint = cmp.Or(complaint, found); complaint != "" {
				s.refuse(envelope{}, jsonrpc2.NewError(jsonrpc2.ParseError, complaint))
			}
			continue
		}
		if done {
			return h, nil
		}
	}
}

// add adds a line to the header block. It reports whether the block is complete, or what is
// wrong with it.
func (h *header) add(line []byte) (done bool, complaint string) {
	text := bytes.TrimRight(line, "\r\n")
	if len(text) == 0 && h.size == 0 {
		return false, "" // blank lines between frames are ignored
	}
	h.size += len(line)
	if h.size > maxHeader {
		return false, fmt.Sprintf("The header of a message is longer than %d bytes; "+
			"send Content-Length, a blank line, then the body.", maxHeader)
	}
	if len(text) == 0 {
		if !h.known {
			return false, "The header of a message has no Content-Length; send the length of the body in bytes."
		}
		return true, ""
	}
	name, value, found := bytes.Cut(text, []byte(":"))
	if !found || !isFieldName(name) {
		return false, "A header line does not have the form \"Name: value\"; " +
			"check that each Content-Length is the length of its body in bytes."
	}
	if !bytes.EqualFold(name, []byte(contentLength)) {
		return false, ""
	}
	if h.known {
		return false, "The header of a message has two Content-Length fields; send one."
	}
	length, ok := parseLength(value)
	if !ok {
		return false, notALength
	}
	h.length, h.known = length, true
	return false, ""
}

// resume looks for a Content-Length field at the end of a line of garbage, and reports what is
// wrong with it. There is no line break after a body, so the field of the next frame may follow
// the rest of a body. It cannot be part of a well-formed body, because JSON strings have no
// line breaks.
func resume(line []byte, whole bool) (h header, lost bool, complaint string) {
	if !whole {
		return header{}, true, ""
	}
	text := bytes.TrimRight(line[max(0, len(line)-maxField):], "\r\n")
	colon := bytes.LastIndexByte(text, ':')
	if colon < len(contentLength) || !bytes.EqualFold(text[colon-len(contentLength):colon], []byte(contentLength)) {
		return header{}, true, ""
	}
	length, ok := parseLength(text[colon+1:])
	if !ok {
		return header{}, true, notALength
	}
	return header{length: length, known: true, size: len(text) - colon + len(contentLength)}, false, ""
}

// isFieldName reports whether name is a valid name of a header field. A name that only ends
// in Content-Length is the rest of a body, followed by the next header.
func isFieldName(name []byte) bool {
	for _, c := range name {
		if c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	rest := len(name) - len(contentLength)
	return len(name) > 0 && (rest <= 0 || !bytes.EqualFold(name[rest:], []byte(contentLength)))
}

const notALength = "Content-Length must be a number of bytes in decimal digits."

// parseLength parses decimal digits. A number that overflows int64 is the largest one, which
// is too long as well.
func parseLength(value []byte) (int64, bool) {
	digits := bytes.Trim(value, " \t")
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	if len(digits) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		return math.MaxInt64, true
	}
	return n, true
}

// readLine returns the next line with its line break. A line that does not fit into the
// buffer is returned in parts, all but the last with whole = false. A part begins with the end
// of the previous part.
func (s *Stream) readLine() (line []byte, whole bool, err error) {
	line, err = s.in.ReadSlice('\n')
	s.offset += int64(len(line))
	if len(s.tail) > 0 {
		line = append(s.tail, line...)
		s.tail = line[:0]
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		s.tail = append(s.tail[:0], line[len(line)-maxField:]...)
		return line, false, nil
	}
	return line, true, err
}

// readBody reads the next n bytes into s.body, which grows as bytes arrive, so a header alone
// allocates no memory.
func (s *Stream) readBody(n int) error {
	s.body = s.body[:0]
	for len(s.body) < n {
		have := len(s.body)
		s.body = slices.Grow(s.body, min(n-have, max(have, keptBuffer)))
		part := s.body[have:min(n, cap(s.body))]
		read, err := io.ReadFull(s.in, part)
		s.offset += int64(read)
		s.body = s.body[:have+read]
		if err != nil {
			return s.endOf(err, true)
		}
	}
	return nil
}

// endOf returns the error of the connection for a read error. The end of the input inside a
// frame is io.EOF too.
func (s *Stream) endOf(err error, inside bool) error {
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	s.end()
	if inside {
		s.log.Warn("the client ended its stream inside a message; the message is dropped")
	}
	return io.EOF
}

// unread makes the body be read again, to look for a header in it: if a message was cut off,
// its body contains the next frame. Bytes are read again only once, so the cost of garbage is
// at most twice its length. unread reports whether the body will be read again.
func (s *Stream) unread() bool {
	start := s.offset - int64(len(s.body))
	if start < s.reread {
		return false
	}
	s.reread = s.offset
	s.offset = start
	buffered, _ := s.in.Peek(s.in.Buffered())
	s.source.again = slices.Concat(s.body, buffered, s.source.again)
	s.in.Reset(&s.source)
	s.lost = true
	return true
}

// A source reads the bytes to be read again, then from in.
type source struct {
	again []byte
	in    io.Reader
}

func (s *source) Read(p []byte) (int, error) {
	if len(s.again) == 0 {
		return s.in.Read(p)
	}
	n := copy(p, s.again)
	s.again = s.again[n:]
	if len(s.again) == 0 {
		s.again = nil
	}
	return n, nil
}

// admit reports whether the connection can process the body. If not, it refuses it.
func (s *Stream) admit(body []byte) bool {
	var e envelope
	err := e.scan(s.decode(body))
	switch {
	case err == nil && len(bytes.TrimLeft(body[s.decoder.InputOffset():], " \t\r\n")) > 0:
		err = errors.New("there is more than one value")
	case !utf8.Valid(body):
		err = errors.New("it is not valid UTF-8")
	}
	if err != nil {
		s.refuse(e, jsonrpc2.Errorf(jsonrpc2.ParseError,
			"The message is not valid JSON: %s. %s", strings.TrimPrefix(err.Error(), "jsontext: "), s.expected()))
		if !s.lines {
			s.unread()
		}
		return false
	}
	if complaint := e.complaint(body); complaint != "" {
		s.refuse(e, jsonrpc2.NewError(jsonrpc2.InvalidRequest, complaint))
		return false
	}
	return true
}

// expected describes a valid frame.
func (s *Stream) expected() string {
	if s.lines {
		return "Send one JSON object in UTF-8 on a line."
	}
	return "Send one JSON object in UTF-8, and its length in bytes as Content-Length."
}

func (s *Stream) decode(body []byte) *jsontext.Decoder {
	s.text = *bytes.NewBuffer(body)
	s.decoder.Reset(&s.text, messageJSON, memberJSON)
	return &s.decoder
}

// refuseTooLong refuses a message that is too long, after looking at its first bytes. A client
// that sends no body after the header gets an answer too.
func (s *Stream) refuseTooLong(length int64) {
	var once sync.Once
	refuse := func(e envelope) {
		once.Do(func() {
			s.refuse(e, jsonrpc2.Errorf(jsonrpc2.InvalidRequest,
				"The message is %d bytes long; the limit is %d bytes. Send a shorter one.", length, maxBody))
		})
	}
	timer := time.AfterFunc(sniffPatience, func() { refuse(envelope{}) })
	defer timer.Stop()
	refuse(s.sniff())
}

// sniff returns the members at the start of a message, without consuming them.
func (s *Stream) sniff() envelope {
	for want := 1; ; {
		start, err := s.in.Peek(max(want, min(s.in.Buffered(), sniffed)))
		var e envelope
		broken := e.scan(s.decode(start))
		cut := errors.Is(broken, io.ErrUnexpectedEOF) && len(start) < sniffed
		named := e.method != nil && len(e.id) > 0 && s.decoder.InputOffset() < int64(len(start))
		if named || e.isResponse() || !cut || err != nil {
			return e
		}
		want = len(start) + 1
	}
}

// refuse answers and logs a frame that is not passed to the connection. A response is not
// answered, because it is not a request.
func (s *Stream) refuse(e envelope, fault *jsonrpc2.Error) {
	s.log.Warn("refused a message", "code", int(fault.Code), "reason", fault.Message,
		"id", string(e.answerID()), "response", e.isResponse())
	if e.isResponse() {
		return
	}
	type reply struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   struct {
			Code    jsonrpc2.Code `json:"code"`
			Message string        `json:"message"`
		} `json:"error"`
	}
	r := reply{JSONRPC: "2.0", ID: e.answerID()}
	r.Error.Code, r.Error.Message = fault.Code, fault.Message
	body, err := json.Marshal(r)
	if err != nil {
		s.log.Error("a refusal cannot be encoded", "error", err)
		return
	}
	_, _ = s.WriteFrame(context.Background(), body) // for a failed write see Dead
}

// An envelope has the members of a message as in the body; nil if absent.
type envelope struct {
	kind                                       jsontext.Kind // of the body
	jsonrpc, id, method, params, result, fault []byte
	twice                                      string // a duplicate member
	whole                                      bool   // the body is an object and was read to its end
}

// scan reads the body and its members in one pass. After an error the members before it are
// set.
func (e *envelope) scan(d *jsontext.Decoder) error {
	e.kind = d.PeekKind()
	if e.kind != '{' {
		_, err := d.ReadValue()
		return err
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		value, err := d.ReadValue()
		if err != nil {
			value = name[:0] // the member exists, even if its value is cut off
		}
		if member := e.member(name); member != nil {
			if *member != nil {
				e.twice = string(name)
			}
			*member = value
		}
		if err != nil {
			return err
		}
	}
	_, err := d.ReadToken() // the closing brace, or an error
	e.whole = err == nil
	return err
}

// member returns a pointer to the value of a member, or nil. The name is compared in its
// encoded form, as the connection does.
func (e *envelope) member(name []byte) *[]byte {
	switch string(name) {
	case `"jsonrpc"`:
		return &e.jsonrpc
	case `"id"`:
		return &e.id
	case `"method"`:
		return &e.method
	case `"params"`:
		return &e.params
	case `"result"`:
		return &e.result
	case `"error"`:
		return &e.fault
	}
	return nil
}

func (e *envelope) isResponse() bool {
	return e.method == nil && (e.result != nil || e.fault != nil)
}

// complaint returns why the connection cannot process the message, or "".
func (e *envelope) complaint(body []byte) string {
	switch {
	case e.kind == '[':
		return "Batches are not supported; send each message on its own."
	case e.kind != '{':
		return "A message must be a JSON object; send {\"jsonrpc\": \"2.0\", \"method\": …}."
	case e.twice != "":
		return "The message has two members " + e.twice + "; send one."
	case string(e.jsonrpc) != `"2.0"`:
		return "The member \"jsonrpc\" of the message must be \"2.0\"."
	case e.isResponse():
		if _, err := jsonrpc2.ScanMessageView(body); err != nil {
			return "The response has no valid result or error."
		}
		return ""
	case e.method == nil:
		return "The message has no \"method\", \"result\" or \"error\"; a request needs a method."
	case e.result != nil || e.fault != nil:
		return "The message has a \"method\" and a \"result\" or \"error\"; it must be a request or a response."
	case e.method[0] != '"':
		return "The member \"method\" must be a string."
	case e.id != nil && !isID(e.id):
		return "The member \"id\" of a request must be an integer or a string; leave it out for a notification."
	case e.params != nil && e.params[0] != '{' && e.params[0] != '[' && e.params[0] != 'n':
		return "The member \"params\" must be an object or an array; leave it out if there are none."
	}
	return ""
}

// answerID returns the id of the answer. It is null if the message has no valid id, or may
// be a response.
func (e *envelope) answerID() json.RawMessage {
	request := e.method != nil || e.whole && !e.isResponse()
	if !request || !isID(e.id) || e.twice == `"id"` {
		return json.RawMessage("null")
	}
	return e.id
}

// isID reports whether id is valid: a string, or an integer of 64 bits.
func isID(id []byte) bool {
	if len(id) == 0 {
		return false
	}
	if id[0] == '"' {
		return true
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil
}
