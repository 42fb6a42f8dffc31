package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/installed"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

const (
	// largeTimes is the scale at which there are 500 items: 364 entries, 104 files
	// and 39 errors.
	largeTimes = 13

	// live is how soon a change in any process is to be painted, so that it seems to be at once.
	live = 100 * time.Millisecond

	// changes are how many are measured.
	changes = 50

	// step is how long after the one before a change of a stream comes.
	step = 50 * time.Millisecond
)

// The rows that may miss their target.
const (
	changeInVSCode = "VS Code: change in another process → painted"
	streamInVSCode = "VS Code: change in another process → painted, one every 50ms"
)

// editors measures the real editors on a memory of the usual size and on a large one.
func (b *bench) editors() error {
	versions, err := editorVersions()
	if err != nil {
		return err
	}
	own := &bench{dir: filepath.Join(b.dir, "editors"), binary: b.binary, echo: b.echo}
	for _, times := range []int{1, largeTimes} {
		s, err := own.prepare(times)
		if err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
		if err := s.inEditors(); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
	}
	b.report.edited = &edited{own.report, versions}
	return nil
}

// inEditors has an agent work in the workspace while it is looked at.
func (s *subject) inEditors() (err error) {
	if s.server, err = peer.Start(s.binary, s.data, s.folder, "agent", "agent"); err != nil {
		return err
	}
	if err := s.work(s.server); err != nil {
		return err
	}
	var panel wire.Panel
	if err := s.server.Call("wm/panel", nil, &panel); err != nil {
		return err
	}
	for _, section := range panel.Sections[:3] {
		s.items += count(section.Items)
	}
	if want := s.times * (entriesOnce + filesOnce + errorsOnce); s.items < want {
		return fmt.Errorf("the panel has %d items, not %d", s.items, want)
	}
	entries := panel.Sections[0].Items
	s.first, s.shown = strings.TrimPrefix(entries[0].ID, "memory:"), entries[0].Label
	s.last = strings.TrimPrefix(entries[entriesOnce*s.times-1].ID, "memory:")
	if err := s.vscode(); err != nil {
		return fmt.Errorf("in VS Code: %w", err)
	}
	if err := s.neovim(); err != nil {
		return fmt.Errorf("in Neovim: %w", err)
	}
	return s.server.End()
}

func count(items []wire.PanelItem) (n int) {
	for _, item := range items {
		n += 1 + count(item.Children)
	}
	return n
}

// environ is what the servers of the editors are given.
func (s *subject) environ() []string {
	return []string{"XDG_DATA_HOME=" + s.data, "XDG_CONFIG_HOME=" + s.data}
}

// A change has something painted, and tells what.
type change func() (row string, err error)

// changed is a trial of a change that comes when there was none for a while, until
// it is painted.
func changed(e *editor, pause time.Duration, change change) trial {
	return func() (time.Duration, error) {
		time.Sleep(pause)
		e.forget()
		began := time.Now()
		row, err := change()
		if err != nil {
			return 0, err
		}
		at, err := e.await(row)
		return at.Sub(began), err
	}
}

// stream makes changes in short steps, and tells how long each was not seen: not
// it, nor one that came later.
func stream(e *editor, change change) ([]time.Duration, error) {
	var rows []string
	var began []time.Time
	tick := time.NewTicker(step)
	defer tick.Stop()
	for range changes {
		<-tick.C
		began = append(began, time.Now())
		row, err := change()
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	at, err := e.awaitEach(rows)
	if err != nil {
		return nil, err
	}
	took := make([]time.Duration, len(at))
	for i := range at {
		took[i] = at[i].Sub(began[i])
	}
	return took, nil
}

// addOrForget has the agent forget the last entry, or add one. All the entries
// are painted anew then, and how many there are.
func (s *subject) addOrForget() (row string, err error) {
	all := entriesOnce * s.times
	if s.last == "" {
		s.last, err = s.addOne(s.server)
		return fmt.Sprintf("%d of %d entries", all, all), err
	}
	err = s.server.Call("wm/memory/remove", peer.Object{"id": s.last}, nil)
	s.last = ""
	return fmt.Sprintf("%d of %d entries", all-1, all), err
}

// correct has the agent give the first entry another text.
func (s *subject) correct() (row string, err error) {
	s.added++
	s.shown = sentence(s.added)
	var receipt wire.Receipt
	if err := s.server.Call("wm/memory/update", peer.Object{"id": s.first, "text": s.shown}, &receipt); err != nil {
		return "", err
	}
	if receipt.Status != wire.ReceiptUpdated {
		return "", fmt.Errorf("%q was %s: %s", s.shown, receipt.Status, receipt.Reason)
	}
	return s.shown, nil
}

// bare changes the first row of what the extensions are compared with.
func (s *subject) bare(e *editor) change {
	return func() (row string, err error) {
		s.added++
		row = sentence(s.added)
		return row, e.ask("change", peer.Object{"text": row}, nil)
	}
}

// An addition is what an editor uses without the extension, and how much a bare
// tree and the extension add to it, in bytes.
type addition struct{ without, bare, ours []int64 }

func (a *addition) add(without, bare, ours int64) {
	a.without, a.bare, a.ours = append(a.without, without), append(a.bare, bare), append(a.ours, ours)
}

type addedRow struct {
	what string
	at   map[int]addition // by scale
}

func (r *report) adds(what string, scale int, a addition) {
	i := slices.IndexFunc(r.added, func(row *addedRow) bool { return row.what == what })
	if i < 0 {
		i = len(r.added)
		r.added = append(r.added, &addedRow{what, map[int]addition{}})
	}
	r.added[i].at[scale] = a
}

const editorsIntroduction = `
## In the editors

VS Code %s in Chromium %s, without a screen, and Neovim %s; an agent in a process of its own works in the same folder. There is what there is at
1 ×, and once more %d times as much, %d items. *Bare* is an extension, or in Neovim a buffer, that has as many rows of the same length and nothing
else, and is told over a socket what to show: what the editor itself takes. *JSON* is VS Code's own extension for JSON, which starts a server, too;
*without* is Neovim without the plugin. What happens once in an extension host is measured in %d of them, when they are at rest. %d changes are made one
by one: the agent adds an entry or forgets one; and as many in a row: it gives the first entry another text. What changed is painted when the frame
that shows it is done; the figures hold a millisecond or two until that is told. p99 is the slowest trial where there are not 100.

`

// edited is what was measured in the editors, and in which.
type edited struct {
	report
	versions []any
}

// document is the section about the editors.
func (r *edited) document() string {
	if r == nil {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, editorsIntroduction,
		append(r.versions, largeTimes, largeTimes*(entriesOnce+filesOnce+errorsOnce), hosts, changes)...)
	out.WriteString("| what | p50 | p99 | reference, p50 | ratio | target | met | p50 with 500 items | reference " +
		"then |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, row := range r.timed {
		one := row.at[1]
		then := "–"
		if large, there := row.at[largeTimes]; there {
			then = short(percentile(50, large.floor))
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s %s | %.1f | %s | %s | %s | %s |\n", row.what,
			short(percentile(50,
				one.ours)), short(percentile(99, one.ours)), row.reference, short(percentile(50, one.floor)),
			ratio(one), row.goal, row.goal.met(one), row.scaled(largeTimes), then)
	}
	out.WriteString(
		"\n| what | without | a bare tree adds | the extension adds | with 500 items |\n|---|---|---|---|---|\n")
	for _, row := range r.added {
		one, large := row.at[1], row.at[largeTimes]
		bare := percentile(50, one.bare)
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", row.what, megabytes(percentile(50, one.without), true),
			megabytes(bare, bare != 0), megabytes(percentile(50, one.ours), true),
			megabytes(percentile(50, large.ours), true))
	}
	return out.String()
}

// editorVersions are those of VS Code, Chromium and Neovim.
func editorVersions() ([]any, error) {
	code, err := installed.Path("vscode/bin/code-server")
	if err != nil {
		return nil, err
	}
	nvim, err := installed.Path("nvim-0.12/bin/nvim")
	if err != nil {
		return nil, err
	}
	var versions []any
	for _, said := range [][2]string{{code, `Code (\S+)`}, {"chromium", `Chromium (\S+)`}, {nvim, `NVIM v(\S+)`}} {
		out, err := exec.Command(said[0], "--version").Output()
		if err != nil {
			return nil, fmt.Errorf("%s --version: %w", said[0], err)
		}
		found := regexp.MustCompile(said[1]).FindSubmatch(out)
		if found == nil {
			return nil, fmt.Errorf("%s does not tell its version: %s", said[0], out)
		}
		versions = append(versions, string(found[1]))
	}
	return versions, nil
}
