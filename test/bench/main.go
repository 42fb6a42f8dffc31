// Command bench compares wm-lsp with an echo server on the same JSON-RPC library, in
// one run and with the same client, prints a table and writes docs/benchmarks.md.
// Results are ratios to a reference, because absolute times on shared machines are
// noisy. Everything is measured again with 10 and 100 times the entries, sessions,
// files and errors. The extensions are measured in the real editors.
//
// A part of the measurements that is named as an argument is made alone: server, terminal, together, scale, editors,
// recall, growth, year. Each part is kept when it ends, with the version that it measured, and the document is written
// from all that are kept, so that a run that ends early loses one part. With the argument "start", "items", "filter"
// or "changes" it measures only the start, the storing of items, the filter in VS Code or the painting of changes
// there, keeps nothing and writes no document. Recall is measured on sets in the folder that WM_BENCH_RECALL names.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the reference for durable writes
)

// scales are the factors of the amounts of data.
var scales = []int{1, 10, 100}

func main() {
	if dir := os.Getenv(insertEnv); dir != "" {
		if err := insert(dir); err != nil {
			fmt.Fprintln(os.Stderr, "bench: insert:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run makes the measurements that are named, or all parts.
func run(names []string) error {
	dir, err := os.MkdirTemp("", "wm-lsp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{
		dir: dir, binary: filepath.Join(dir, "wm-lsp"),
		echo: filepath.Join(dir, "echo"), stub: filepath.Join(dir, "stub"),
	}
	for out, from := range map[string]string{
		b.binary: "./cmd/wm-lsp", b.echo: "./test/echo", b.stub: "./test/stub",
	} {
		if err := install(from, out); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		for _, p := range documented() {
			names = append(names, p.name)
		}
	}
	for _, name := range names {
		if err := b.one(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// one makes the measurements that are named, and prints them.
func (b *bench) one(name string) error {
	fmt.Fprintf(os.Stderr, "measure: %s\n", name)
	b.report = report{}
	all := append(documented(), looks()...)
	i := slices.IndexFunc(all, func(p part) bool { return p.name == name })
	if i < 0 {
		var known []string
		for _, p := range all {
			known = append(known, p.name)
		}
		return fmt.Errorf("the argument must be one of %s", strings.Join(known, ", "))
	}
	if err := all[i].measure(b); err != nil {
		return err
	}
	made := b.report.text()
	fmt.Print(document(made))
	if i >= len(documented()) || made == (measured{}) { // there was nothing to measure
		return nil
	}
	return made.keep(name)
}

// install builds a program and copies it into a file, as an installation does. The linker writes through a mapping of
// the file, after which it lies in the page cache in single pages, and a start takes a third longer until it is read
// from the disk again. If it is written at once, it may lie there in huge pages, and each that is touched counts 2 MB
// as resident: 31 instead of 26 MB, which no program has that was unpacked or read from the disk.
func install(program, file string) error {
	build := exec.Command("go", "build", "-tags", "nethttpomithttp2", "-trimpath", "-ldflags", "-s -w", "-o",
		file+".built", program)
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build %s: %w", program, err)
	}
	if err := copyFile(file+".built", file); err != nil {
		return fmt.Errorf("install %s: %w", program, err)
	}
	return nil
}

// copyFile copies a program into a new file.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	copied, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(copied, source)
	return errors.Join(err, copied.Close())
}

// atAllScales measures the server at all scales.
func (b *bench) atAllScales() error {
	for _, times := range scales {
		fmt.Fprintf(os.Stderr, "measure at %d ×\n", times)
		if err := b.measure(times); err != nil {
			return fmt.Errorf("at %d ×: %w", times, err)
		}
	}
	return b.size()
}

// onlyStart measures the start at all scales.
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
	return nil
}

// onlyItems measures the storing of items.
func (b *bench) onlyItems() error {
	s, err := b.prepare(1)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	return errors.Join(s.open(), s.memorizing(), s.close())
}

// onlyFilter measures the filter of the panel in VS Code.
func (b *bench) onlyFilter() error {
	s, err := b.prepare(1)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	return s.filteringInVSCode()
}

type bench struct {
	dir, binary, echo, stub string
	maxChars                int // the most characters of entries in a context, 0 for the default
	report                  report
}

// measure makes all measurements at one scale.
func (b *bench) measure(times int) error {
	s, err := b.prepare(times)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	if err := errors.Join(s.start(), s.hooks()); err != nil {
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
