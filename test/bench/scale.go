package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/found"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

// A scale is a number of items with what is to be reached with them.
type scale struct {
	items int
	p50   time.Duration // of a search
	first time.Duration // of the first search of a new process, 0 if there is no target
	bytes int64         // of resident memory, 0 if there is no target
}

var itemScales = []scale{
	{items: 1_000, p50: time.Millisecond},
	{items: 10_000, p50: 1500 * time.Microsecond},
	{items: 100_000, p50: 4 * time.Millisecond, first: 30 * time.Millisecond, bytes: 45 * mega},
	{items: 1_000_000, p50: 30 * time.Millisecond, bytes: 60 * mega},
}

const (
	// searches and firsts are how many searches are measured, in one process and as its first.
	searches, firsts = 300, 10
	// spread is how many times as long as half of the searches the slowest may take.
	spread = 4
	// perThread is the number of items of a thread.
	perThread = 50
)

// corpus makes items from comments of Go's own sources. Two lines make an item, so that there are more different
// items than lines.
type corpus struct{ lines []found.Document }

func newCorpus() (*corpus, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("ask for the folder of Go: %w", err)
	}
	lines, err := found.Others(filepath.Join(strings.TrimSpace(string(goroot)), "src"), 100_000)
	if err == nil && len(lines) < batchItems {
		err = fmt.Errorf("%d comments in the sources of Go are too few", len(lines))
	}
	return &corpus{lines}, err
}

// text returns the text of the i-th item.
func (c *corpus) text(i int) string {
	n := len(c.lines)
	return c.lines[i%n].Text + " " + c.lines[(i*7919+i/n)%n].Text
}

// batch returns the items from the i-th on.
func (c *corpus) batch(i, n int) peer.Object {
	items := make([]peer.Object, n)
	for k := range items {
		items[k] = peer.Object{
			"text": c.text(i + k), "type": "observation", "store": "episodic", "importance": 0.5,
			"thread": fmt.Sprintf("thread %d", (i+k)/perThread),
		}
	}
	return peer.Object{"items": items}
}

// query returns the i-th query: up to four long words of an item.
func (c *corpus) query(i, items int) string {
	const long, most = 6, 4
	noLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	for item := i * 7907 % items; ; item = (item + 1) % items {
		var words []string
		for _, word := range strings.Fields(c.text(item)) {
			if len(word) >= long && len(words) < most && !strings.ContainsFunc(word, noLetter) {
				words = append(words, word)
			}
		}
		if len(words) > 1 {
			return strings.Join(words, " ")
		}
	}
}

// scaled measures searches and the resident memory with more and more items.
func (b *bench) scaled() error {
	texts, err := newCorpus()
	if err != nil {
		return err
	}
	s, err := b.prepare(1)
	if err != nil {
		return err
	}
	stored := 0
	for _, scale := range itemScales {
		fmt.Fprintf(os.Stderr, "%d items\n", scale.items)
		if s.server, err = peer.Start(s.binary, s.data, s.folder, "bench", "bench"); err != nil {
			return err
		}
		if err := s.store(texts, stored, scale.items); err != nil {
			return err
		}
		stored = scale.items
		if err := errors.Join(s.server.End(), s.search(texts, scale)); err != nil {
			return fmt.Errorf("with %d items: %w", scale.items, err)
		}
	}
	return nil
}

// store memorizes items until there are as many as are wanted.
func (s *subject) store(texts *corpus, from, to int) error {
	for ; from < to; from += batchItems {
		var result wire.MemorizeResult
		if err := s.server.Call("wm/memorize", texts.batch(from, batchItems), &result); err != nil {
			return err
		}
		for i, r := range result.Results {
			if r.Status != wire.MemorizeStored && r.Status != wire.MemorizeDuplicate && r.Reason != "novelty" {
				return fmt.Errorf("the item %d is %s (%s)", from+i, r.Status, r.Reason)
			}
		}
	}
	return nil
}

// search measures searches among items.
func (s *subject) search(texts *corpus, scale scale) error {
	n := 0
	ask := func(c *peer.Client) error {
		n++
		var result wire.SearchResult
		err := c.Call("wm/search", peer.Object{"query": texts.query(n, scale.items)}, &result)
		if err == nil && (len(result.Hits) == 0 || result.Mode != "lexical") {
			err = fmt.Errorf("%q has %d hits (%s)", texts.query(n, scale.items), len(result.Hits), result.Mode)
		}
		return err
	}
	began := func(server, method string, params func() peer.Object) trial {
		return func() (time.Duration, error) {
			began := time.Now()
			c, err := peer.Start(server, s.data, s.folder, "bench", "bench")
			if err != nil {
				return 0, err
			}
			if err := c.Call(method, params(), nil); err != nil {
				return 0, err
			}
			took := time.Since(began)
			return took, c.End()
		}
	}
	first, err := interleave(firsts, began(s.binary, "wm/search", func() peer.Object {
		n++
		return peer.Object{"query": texts.query(n, scale.items)}
	}), began(s.bench.echo, "give", func() peer.Object { return nil }))
	if err != nil {
		return err
	}
	label := fmt.Sprintf("among %s items", thousands(scale.items))
	s.report.times("start → first `wm/search` answered, "+label, "echo", 1, first, goal{p50: scale.first})
	if s.server, err = peer.Start(s.binary, s.data, s.folder, "bench", "bench"); err != nil {
		return err
	}
	if s.echo, err = peer.Start(s.bench.echo, s.data, s.folder, "bench", "bench"); err != nil {
		return err
	}
	taken, err := interleave(searches, timed(func() error { return ask(s.server) }),
		timed(func() error { return s.echo.Call("give", nil, nil) }))
	if err != nil {
		return err
	}
	s.report.times("`wm/search` "+label, "echo", 1, taken, goal{p50: scale.p50, spread: spread})
	resident, err := memory(s.server, "VmRSS")
	if err != nil {
		return err
	}
	s.report.bytes(fmt.Sprintf("resident memory after %d searches %s", searches, label), 1, resident, 0, scale.bytes)
	return errors.Join(s.server.End(), s.echo.End())
}

// thousands returns a number with a comma between thousands.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
