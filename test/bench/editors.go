package main

import (
	"errors"
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

	// live is the target for painting a change of another process. It seems immediate.
	live = 100 * time.Millisecond

	// changes is the number of measured changes.
	changes = 50

	// step is the interval between the changes of a stream.
	step = 50 * time.Millisecond

	// roomyChars lets a context have all entries, so that the title of their section tells how many there are: it
	// tells the limit that is nearest.
	roomyChars = 100_000
)

// The rows that may miss their target.
const (
	changeInVSCode = "VS Code: change in another process → painted"
	streamInVSCode = "VS Code: change in another process → painted, one every 50ms"
	filterInVSCode = "VS Code: filter with 1,000 hits in 5,000 items, at once → painted"

	filterByKeysInVSCode = "VS Code: the same, a key every 100 to 190ms: last key → painted"
)

// editors measures the real editors.
func (b *bench) editors() error { return b.withAgent((*subject).inEditors) }

// onlyChanges measures only how soon VS Code paints what another process changes.
func (b *bench) onlyChanges() error { return b.withAgent((*subject).onlyChangesInVSCode) }

// withAgent measures editors with a memory of the usual size and a large one, while an agent works in the workspace.
func (b *bench) withAgent(measure func(*subject) error) error {
	versions, err := editorVersions()
	if err != nil {
		return err
	}
	own := &bench{dir: filepath.Join(b.dir, "editors"), binary: b.binary, echo: b.echo, maxChars: roomyChars}
	for _, times := range []int{1, largeTimes} {
		s, err := own.prepare(times)
		if err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
		if err := s.agentWorks(); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
		if err := errors.Join(measure(s), s.server.End()); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
	}
	b.report.edited = &edited{own.report, versions}
	return nil
}

// inEditors measures all editors.
func (s *subject) inEditors() error {
	if err := s.vscode(); err != nil {
		return fmt.Errorf("in VS Code: %w", err)
	}
	if err := s.neovim(); err != nil {
		return fmt.Errorf("in Neovim: %w", err)
	}
	return nil
}

// agentWorks starts an agent in the workspace, and reads from its panel what the editors show.
func (s *subject) agentWorks() (err error) {
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
	shown := map[string][]wire.PanelItem{}
	for _, section := range panel.Sections {
		shown[section.ID] = section.Items
	}
	s.items = count(shown["memory"]) + count(shown["errors"]) + count(shown["files"])
	if want := s.times * (entriesOnce + filesOnce + errorsOnce); s.items < want {
		return fmt.Errorf("the panel has %d items, not %d", s.items, want)
	}
	entries := entriesIn(shown["memory"])
	if len(entries) < entriesOnce*s.times {
		return fmt.Errorf("the panel has %d entries, not %d", len(entries), entriesOnce*s.times)
	}
	s.first, s.shown = strings.TrimPrefix(entries[0].ID, "memory:"), entries[0].Label
	s.last = strings.TrimPrefix(entries[entriesOnce*s.times-1].ID, "memory:")
	return nil
}

func count(items []wire.PanelItem) (n int) {
	for _, item := range items {
		n += 1 + count(item.Children)
	}
	return n
}

// entriesIn returns the items that are entries, without those that say something of all.
func entriesIn(items []wire.PanelItem) (entries []wire.PanelItem) {
	for _, item := range items {
		if item.Kind == "memory" {
			entries = append(entries, item)
		}
	}
	return entries
}

// environ returns the environment of the editors' servers.
func (s *subject) environ() []string {
	return []string{"XDG_DATA_HOME=" + s.data, "XDG_CONFIG_HOME=" + s.data}
}

// A change makes a change and returns the row that will be painted.
type change func() (row string, err error)

// changed returns a trial that measures the time from a change after a pause until it
// is painted.
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

// stream makes changes in short steps and returns how long it took to paint each or a
// later one.
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

// addOrForget forgets the last entry or adds one. All entries and their number are
// then painted again.
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

// correct changes the text of the first entry.
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

// bare changes the first row of the bare extension.
func (s *subject) bare(e *editor) change {
	return func() (row string, err error) {
		s.added++
		row = sentence(s.added)
		return row, e.ask("change", peer.Object{"text": row}, nil)
	}
}

// An addition is the memory usage of an editor without the extension, and the
// additional usage of a bare tree and of the extension, in bytes.
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

VS Code %s in Chromium %s, without a screen, and Neovim %s; an agent in a separate process works in the same folder.
The measurements are made at 1 × and at %d × with %d items; a context may have all entries. *Bare* is an extension,
or in Neovim a buffer, with as many rows of the same length that it receives over a socket: it measures the editor
itself. *JSON* is VS Code's own extension for JSON, which also starts a server; *without* is Neovim without the
plugin. Events that happen once in an extension host are measured in %d idle hosts. %d changes are made one by one:
the agent adds or forgets an entry; and as many in a row: it changes the text of the first entry. A change is painted
when the frame that shows it is complete; the figures include a millisecond or two until that is reported. With fewer
than 100 trials, p99 is the slowest one.

`

// edited is the measurements in the editors, with their versions.
type edited struct {
	report
	versions []any
}

// document returns the section about the editors.
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
			short(percentile(50, one.ours)), short(percentile(99, one.ours)),
			row.reference, short(percentile(50, one.floor)), ratio(one), row.goal,
			row.goal.met(row.at), row.scaled(largeTimes), then)
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

// editorVersions returns the versions of VS Code, Chromium and Neovim.
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
	for _, editor := range []struct{ program, pattern string }{
		{code, `Code (\S+)`}, {"chromium", `Chromium (\S+)`}, {nvim, `NVIM v(\S+)`},
	} {
		out, err := exec.Command(editor.program, "--version").Output()
		if err != nil {
			return nil, fmt.Errorf("%s --version: %w", editor.program, err)
		}
		found := regexp.MustCompile(editor.pattern).FindSubmatch(out)
		if found == nil {
			return nil, fmt.Errorf("%s --version must print a version, got %s", editor.program, out)
		}
		versions = append(versions, string(found[1]))
	}
	return versions, nil
}
