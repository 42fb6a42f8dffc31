// Package endpoint asks a server with OpenAI's API for embeddings: vectors of numbers that are near
// each other if strings are near in meaning (systems.md E15). It is the only code that uses the
// network, and only if a person has configured a server.
package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

const (
	// MaxDimensions is how many numbers a vector has at most.
	MaxDimensions = 4096
	// maxNumber is more bytes than a number of a vector takes in an answer.
	maxNumber = 32
	// maxKeyBytes bounds the file of an API key.
	maxKeyBytes = 8 << 10
	// maxPause is the longest time that a server may ask to wait.
	maxPause = 10 * time.Minute
)

// A Fault is why a server gave no vectors. It quotes neither the input nor keys.
type Fault struct {
	// Message is a sentence without its end, such as "the endpoint answers 401 Unauthorized".
	Message string
	// Fix is what a person may do.
	Fix string
	// Refused is true if the server does not take the input; it may take another.
	Refused bool
	// Pause is how long the server asks to wait, 0 if it does not.
	Pause time.Duration
}

func (f *Fault) Error() string { return f.Message }

// A Client asks one server for vectors of one model. It is safe for concurrent use.
type Client struct {
	set  settings.Embeddings
	to   string
	http *http.Client
}

// New returns the client for settings whose URL is not empty. It does not connect. The error is a
// Fault.
func New(set settings.Embeddings) (*Client, error) {
	if set.Model == "" {
		return nil, &Fault{
			Message: "embeddings.url is set, but embeddings.model is not",
			Fix:     "Set embeddings.model to the name of a model of the endpoint, or remove embeddings.url.",
		}
	}
	base, err := url.Parse(set.URL)
	if err != nil {
		return nil, &Fault{Message: "embeddings.url cannot be read", Fix: "Correct embeddings.url."}
	}
	transport := &http.Transport{
		MaxIdleConns: 2, IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
	if base.Scheme == "https" {
		transport.Proxy = http.ProxyFromEnvironment
	} else {
		transport.DialContext = (&net.Dialer{Control: onlyThisMachine}).DialContext
	}
	return &Client{
		set: set, to: base.JoinPath("embeddings").String(),
		http: &http.Client{
			Transport: transport,
			// A redirect could lead the input and the key somewhere else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// onlyThisMachine refuses connections to other machines, whatever a name resolves to.
func onlyThisMachine(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err == nil && net.ParseIP(host).IsLoopback() {
		return nil
	}
	return errors.New("it is not on this machine")
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Identity returns a string that differs if the vectors of the same content do: with the model, for example.
func (c *Client) Identity() string { return Identity(c.set) }

// Identity is that of the client for settings.
func Identity(set settings.Embeddings) string {
	return fmt.Sprintf("%s\x00%d\x00%s", set.Model, set.Dimensions, set.TextPrefix)
}

// Query returns the vector of a query. The error is a Fault, or that of the context.
func (c *Client) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := c.embed(ctx, c.set.QueryPrefix, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// Texts returns the vectors of strings, in their order, all of the same length. The error is a Fault,
// or that of the context.
func (c *Client) Texts(ctx context.Context, texts []string) ([][]float32, error) {
	return c.embed(ctx, c.set.TextPrefix, texts)
}

// request and answer are OpenAI's.
type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

type answer struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

func (c *Client) embed(ctx context.Context, prefix string, texts []string) ([][]float32, error) {
	asked := request{Model: c.set.Model, Dimensions: c.set.Dimensions}
	for _, text := range texts {
		asked.Input = append(asked.Input, prefix+c.sendable(text))
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "wm-lsp")
	key, err := c.key()
	if err != nil {
		return nil, err
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreachable(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, statusFault(response)
	}
	most := int64(len(texts))*MaxDimensions*maxNumber + 1<<20
	read, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, c.unreachable(ctx, err)
	case int64(len(read)) > most:
		return nil, lies(fmt.Sprintf("an answer of more than %d bytes", most))
	}
	var got answer
	if json.Unmarshal(read, &got) != nil {
		return nil, lies("something else than vectors in JSON")
	}
	return c.vectors(got, len(texts))
}

// sendable returns what is sent of a string: without secrets, and at most MaxChars of it. Strings that a
// person asked to keep as they were written, queries, and files that were edited by hand may hold
// some.
func (c *Client) sendable(text string) string {
	text, _ = redact.Text(text)
	chars := 0
	for i := range text {
		if chars == c.set.MaxChars {
			return text[:i]
		}
		chars++
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// key returns the API key, "" if there is none.
func (c *Client) key() (string, error) {
	if c.set.KeyFile == "" {
		return os.Getenv(c.set.KeyVariable), nil
	}
	content, err := regular.Follow(c.set.KeyFile, maxKeyBytes)
	key := strings.TrimSpace(string(content))
	if err != nil || key == "" {
		return "", &Fault{
			Message: "the file of embeddings.keyFile cannot be read or is empty",
			Fix:     "Write the API key into that file, or correct embeddings.keyFile.",
		}
	}
	return key, nil
}

// unreachable returns why there was no answer.
func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if wrong, is := errors.AsType[*url.Error](err); is { // it has the whole URL
		err = wrong.Err
	}
	return &Fault{
		Message: fmt.Sprintf("the endpoint for embeddings cannot be reached: %v", err),
		Fix:     "Start it, or correct or remove embeddings.url.",
	}
}

// statusFault returns the fault of an answer that is not 200. The body is not quoted, because it may
// repeat a string.
func statusFault(response *http.Response) error {
	f := &Fault{
		Message: "the endpoint for embeddings answers " + strconv.Itoa(response.StatusCode) + " " +
			http.StatusText(response.StatusCode),
		Fix: "Look at the log of the endpoint.",
	}
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		f.Fix = "Set embeddings.keyVariable or embeddings.keyFile so that they lead to a valid API key."
	case http.StatusNotFound:
		f.Fix = "Correct embeddings.url and embeddings.model: the URL is the one to which /embeddings is added."
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		f.Refused = true
		f.Fix = "Correct embeddings.model and embeddings.dimensions, or lower embeddings.maxChars."
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		f.Pause = pauseOf(response.Header.Get("Retry-After"))
		f.Fix = "Wait; it is asked again later."
	}
	if response.StatusCode/100 == 3 {
		f.Fix = "Set embeddings.url to the address to which it redirects: redirects are not followed."
	}
	return f
}

// pauseOf returns what a Retry-After in seconds says, 0 for anything else.
func pauseOf(header string) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(header))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, int(maxPause/time.Second))) * time.Second
}

func lies(what string) error {
	return &Fault{
		Message: "the endpoint for embeddings answers " + what,
		Fix: "Check that embeddings.url is an endpoint with OpenAI's API, and embeddings.model a model for " +
			"embeddings.",
	}
}

// WrongLength returns the fault of vectors that are not as long as those of the same model before.
func WrongLength(got, wanted int) error {
	return &Fault{
		Message: fmt.Sprintf("the endpoint for embeddings answers vectors of %d numbers where %d are expected", got,
			wanted),
		Fix: fmt.Sprintf("If there is another model behind the name now, set embeddings.dimensions to %d: then all "+
			"documents are sent again.", got),
	}
}

// Late returns the fault of an endpoint that does not answer in time.
func Late() error {
	return &Fault{
		Message: "the endpoint for embeddings does not answer in time",
		Fix:     "Raise embeddings.timeoutSeconds, or lower embeddings.batch.",
	}
}

// Empty returns the fault of a vector that is zero.
func Empty() error { return lies("a vector that is zero") }

// vectors returns the vectors of an answer, if it is right.
func (c *Client) vectors(got answer, wanted int) ([][]float32, error) {
	if len(got.Data) != wanted {
		return nil, lies(fmt.Sprintf("%d vectors for %d strings", len(got.Data), wanted))
	}
	found := make([][]float32, wanted)
	long := cmp.Or(c.set.Dimensions, len(got.Data[0].Embedding))
	for _, one := range got.Data {
		switch {
		case one.Index < 0 || one.Index >= wanted || found[one.Index] != nil:
			return nil, lies("with wrong numbers of the vectors")
		case len(one.Embedding) != long:
			return nil, lies(fmt.Sprintf("a vector of %d numbers where %d are expected", len(one.Embedding), long))
		case long == 0 || long > MaxDimensions:
			return nil, lies(fmt.Sprintf("vectors of %d numbers; they must have 1 to %d", long, MaxDimensions))
		}
		for _, number := range one.Embedding {
			if math.IsNaN(float64(number)) || math.IsInf(float64(number), 0) {
				return nil, lies("numbers that are not finite")
			}
		}
		found[one.Index] = one.Embedding
	}
	return found, nil
}
