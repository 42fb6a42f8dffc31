package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/doctor"
	"github.com/wm-lsp/wm-lsp/install"
	"github.com/wm-lsp/wm-lsp/memory/endpoint"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (p *program) doctorCommand() *cobra.Command {
	var fix, yes, rebuild, report bool
	command := &cobra.Command{
		Use: "doctor", Short: "Find problems on this machine, and fix them",
		Long: `Look at the program and its processes, the folders, the disk, the clock, the memory of the
workspace, its locks and sessions, and the settings of agents and editors, and say what is wrong and
what to do. Nothing is changed without --fix, which fixes what it can: it shows each fix and asks,
or does all of them with --yes. The exit code is 1 if a problem is left.

With --report, print what a bug report needs. It has versions, kinds of problems, numbers, and the
functions in which the program panicked, and neither paths nor anything that was remembered.`,
		Example: `  wm-lsp doctor
  wm-lsp doctor --fix --yes
  wm-lsp doctor --rebuild
  wm-lsp doctor --report
  wm-lsp doctor --json`,
		Args: takes(0, 0, ""),
	}
	command.Flags().BoolVar(&fix, "fix", false, "fix what can be fixed")
	command.Flags().BoolVarP(&yes, "yes", "y", false, "fix without asking")
	command.Flags().BoolVar(&rebuild, "rebuild", false, "first make anew what is kept only to find things fast")
	command.Flags().BoolVar(&report, "report", false, "print what a bug report needs")
	return p.run(command, looks, func(ctx context.Context, d *desk, _ []string) (said answer, err error) {
		if fix && report {
			return said, usage("--fix and --report exclude each other")
		}
		m, err := d.machine(ctx, rebuild)
		if err != nil {
			return said, err
		}
		found := doctor.Examine(ctx, m)
		if report {
			text := doctor.Report(m, found)
			return answer{result: reportResult{text}, text: text}, nil
		}
		if fix {
			found = d.fix(ctx, found, yes)
		}
		said = answer{result: doctorResult{found}, text: p.findingsText(found)}
		if slices.ContainsFunc(found, doctor.Finding.Problem) {
			said.err = errProblems
		}
		return said, nil
	})
}

// errProblems means that the doctor has found problems that are not fixed.
var errProblems = errors.New("there are problems, which are marked as warning or error")

// doctorResult and reportResult are what the command writes as JSON.
type (
	doctorResult struct {
		Findings []doctor.Finding `json:"findings"`
	}
	reportResult struct {
		Report string `json:"report"`
	}
)

// machine returns what the doctor looks at.
func (d *desk) machine(ctx context.Context, rebuild bool) (m doctor.Machine, err error) {
	m = doctor.Machine{Version: d.Version, Now: time.Now()}
	if m.Options, err = d.installOptions(io.Discard); err != nil {
		return m, err
	}
	unready := d.ready(ctx) // why is in the status
	at, err := d.view()
	if err != nil {
		return m, err
	}
	if rebuild {
		if err = unready; err == nil {
			err = at.Rebuild(ctx)
		}
		if err != nil {
			return m, fmt.Errorf("the index was not made anew: %w", err)
		}
	}
	if m.Status, err = call[wire.StatusResult](ctx, d, "wm/status", &wire.StatusParams{}); err != nil {
		return m, err
	}
	m.Sessions, m.Unread = install.Sessions(ctx, m.Status.Store.Path)
	if errors.Is(m.Unread, fs.ErrNotExist) { // nothing was kept yet
		m.Unread = nil
	}
	m.Memories, m.Unlisted = d.service.Memories()
	if at.NoWorkspace() == nil {
		m.Endpoint = ask(at.Settings().Embeddings)
	}
	return m, nil
}

// ask returns a function that asks an endpoint for embeddings, nil if the settings name none.
func ask(set settings.Embeddings) func(ctx context.Context) error {
	if set.URL == "" {
		return nil
	}
	return func(ctx context.Context) error {
		client, err := endpoint.New(set)
		if err != nil {
			return err
		}
		defer client.Close()
		ctx, cancel := context.WithTimeout(ctx, set.Timeout())
		defer cancel()
		_, err = client.Query(ctx, "wm-lsp doctor")
		return err
	}
}

// fix applies the fixes to which the person agrees, and returns what is left to say.
func (d *desk) fix(ctx context.Context, found []doctor.Finding, yes bool) []doctor.Finding {
	replies := bufio.NewReader(d.In)
	for i, f := range found {
		if !f.Fixable {
			continue
		}
		fmt.Fprintf(d.Err, "%s: %s\nFix: %s\n", f.Subject, line(f.Message), line(f.Fix))
		if !yes && !d.agrees(replies, "Do it?") {
			found[i].Message += " It was not fixed, because nobody agreed; --yes fixes it."
			continue
		}
		if err := f.Apply(ctx); err != nil {
			found[i].Message += " It was not fixed: " + err.Error() + "."
			continue
		}
		found[i] = doctor.Finding{Subject: f.Subject, Severity: doctor.OK, Message: "fixed: " + f.Message}
	}
	return found
}

// agrees asks a person at a terminal. Without one nobody agrees.
func (p *program) agrees(replies *bufio.Reader, question string) bool {
	if !p.Terminal {
		return false
	}
	fmt.Fprint(p.Err, question+" [y/N] ")
	reply, _ := replies.ReadString('\n')
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(reply)))
}

// mark returns the word before a finding.
func (p *program) mark(s doctor.Severity) string {
	word := padded(string(s), 8)
	switch s {
	case doctor.Error:
		return p.terminal.paint(red, word)
	case doctor.Warning:
		return p.terminal.paint(yellow, word)
	case doctor.Note:
		return p.terminal.paint(blue, word)
	}
	return p.terminal.paint(dim, word)
}

func (p *program) findingsText(found []doctor.Finding) string {
	var text strings.Builder
	for _, f := range found {
		text.WriteString(p.mark(f.Severity) + padded(f.Subject+":", 16) + line(f.Message) + "\n")
		if f.Fix != "" {
			text.WriteString(p.terminal.indented(24, line(f.Fix)))
		}
	}
	return text.String()
}
