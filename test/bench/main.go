// Command bench compares wm-lsp with an echo server on the same JSON-RPC library, in
// one run and with the same client, prints a table and writes docs/benchmarks.md.
// Results are ratios to a reference, because absolute times on shared machines are
// noisy. Everything is measured again with 10 and 100 times the entries, sessions,
// files and errors. The extensions are measured in the real editors.
//
// With the argument "editors", "items", "scale", "start", "terminal", "together", "year" or "recall" it measures only
// the editors, the storing of items, searches among up to a million of them, the start, the commands and the live
// panel, the writes of 32 processes, a year of heavy use or what is found, and writes no document. What is found is
// measured on sets in the folder that WM_BENCH_RECALL names.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	_ "modernc.org/sqlite" // the reference for durable writes
)

// scales are the factors of the amounts of data.
var scales = []int{1, 10, 100}

func main() {
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	if dir := os.Getenv(insertEnv); dir != "" {
		if err := insert(dir); err != nil {
			fmt.Fprintln(os.Stderr, "bench: insert:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run makes all measurements, or only those that are named.
func run(only string) error {
	dir, err := os.MkdirTemp("", "wm-lsp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{
		dir: dir, binary: filepath.Join(dir, "wm-lsp"),
		echo: filepath.Join(dir, "echo"), stub: filepath.Join(dir, "stub"),
	}
	if only == "recall" {
		if err := b.recall(); err != nil {
			return err
		}
		fmt.Print(b.report.foundTable())
		return nil
	}
	for out, from := range map[string]string{
		b.binary: "./cmd/wm-lsp", b.echo: "./test/echo", b.stub: "./test/stub",
	} {
		if err := install(from, out); err != nil {
			return err
		}
	}
	switch only {
	case "start":
		return b.onlyStart()
	case "terminal":
		return b.onlyTerminal()
	case "items":
		return b.onlyItems()
	case "year":
		if err := b.year(); err != nil {
			return err
		}
		fmt.Print(yearCurve(b.report.year))
		return nil
	case "scale":
		if err := b.scaled(); err != nil {
			return err
		}
		fmt.Print(b.report.timeTable() + b.report.sizeTable())
		return nil
	case "together":
		if err := b.together(); err != nil {
			return err
		}
		fmt.Print(b.report.timeTable())
		return nil
	case "editors":
		if err := b.inEditors(); err != nil {
			return err
		}
		fmt.Print(b.report.edited.document())
		return nil
	case "":
		return b.all()
	}
	return fmt.Errorf("the argument must be editors, items, scale, start, terminal, together, year or recall, got %q",
		only)
}

// install builds a program and puts it into a file as an installation does. The linker writes through a mapping of
// the file, after which it lies in the page cache in single pages, and a start takes a third longer until it is read
// from the disk again.
func install(program, file string) error {
	build := exec.Command("go", "build", "-tags", "nethttpomithttp2", "-trimpath", "-ldflags", "-s -w", "-o",
		file+".built", program)
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build %s: %w", program, err)
	}
	linked, err := os.ReadFile(file + ".built")
	if err == nil {
		err = os.WriteFile(file, linked, 0o755)
	}
	if err != nil {
		return fmt.Errorf("install %s: %w", program, err)
	}
	return nil
}

// all makes all measurements and writes the document.
func (b *bench) all() error {
	if err := b.inEditors(); err != nil {
		return err
	}
	for _, times := range scales {
		fmt.Fprintf(os.Stderr, "measure at %d ×\n", times)
		if err := b.measure(times); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
	}
	if err := b.together(); err != nil {
		return fmt.Errorf("together: %w", err)
	}
	if err := b.scaled(); err != nil {
		return fmt.Errorf("many items: %w", err)
	}
	if err := b.size(); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "grow")
	if err := b.growth(); err != nil {
		return fmt.Errorf("grow: %w", err)
	}
	if err := b.year(); err != nil {
		return fmt.Errorf("a year: %w", err)
	}
	if err := b.recall(); err != nil {
		return fmt.Errorf("recall: %w", err)
	}
	document := b.report.document()
	fmt.Print(document)
	return os.WriteFile(filepath.Join("docs", "benchmarks.md"), []byte(document), 0o644)
}

// onlyStart measures the start at all scales and prints it.
func (b *bench) onlyStart() error {
	for _, times := range scales {
		s, err := b.prepare(times)
		if err != nil {
			return fmt.Errorf("prepare at %d ×: %w", times, err)
		}
		if err := errors.Join(s.start(), s.hooks()); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
		if err := s.startMCP(); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
	}
	fmt.Print(b.report.timeTable())
	return nil
}

// onlyItems measures the storing of items and prints it.
func (b *bench) onlyItems() error {
	s, err := b.prepare(1)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	if err := errors.Join(s.open(), s.memorizing(), s.close()); err != nil {
		return err
	}
	fmt.Print(b.report.timeTable())
	return nil
}

func (b *bench) inEditors() error {
	fmt.Fprintln(os.Stderr, "measure in the editors")
	if err := b.editors(); err != nil {
		return fmt.Errorf("in the editors: %w", err)
	}
	return nil
}

type bench struct {
	dir, binary, echo, stub string
	report                  report
}

// measure makes all measurements at one scale.
func (b *bench) measure(times int) error {
	s, err := b.prepare(times)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	if err := errors.Join(s.start(), s.hooks(), s.commands()); err != nil {
		return err
	}
	if err := s.startMCP(); err != nil {
		return err
	}
	if err := s.open(); err != nil {
		return err
	}
	steps := []func() error{
		s.context, s.panel, s.typing, s.tool, s.adding, s.fullContext, s.worked, s.largeTool, s.between,
		s.livePanel,
	}
	if times == 1 {
		steps = append(steps, s.largestTool)
	}
	steps = append(steps, s.memorizing) // it makes the log long
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return s.close()
}

func (b *bench) size() error {
	info, err := os.Stat(b.binary)
	if err != nil {
		return err
	}
	b.report.bytes("the program, stripped", 1, info.Size(), 0, 30*mega)
	return nil
}
