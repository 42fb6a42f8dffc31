package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/lsp"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

const rebuildUsage = "wm-lsp rebuild makes anew what is kept of the memory of the workspace in this folder only to\n" +
	"find things fast, such as the index of search. Nothing that was remembered changes, and searches\n" +
	"answer as before. Editors and agents may use the memory meanwhile.\n\n"

// runRebuild runs the command rebuild.
func runRebuild(args []string, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("wm-lsp rebuild", flag.ContinueOnError)
	flags.SetOutput(errOut)
	flags.Usage = func() {
		fmt.Fprint(errOut, rebuildUsage)
		flags.PrintDefaults()
	}
	folder := rebuildFlags(flags)
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return lsp.ExitOK
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("it takes no arguments, got %q", flags.Arg(0))
		fmt.Fprintf(errOut, "wm-lsp rebuild: %v; see wm-lsp rebuild --help\n", err)
	}
	if err != nil {
		return exitUsage
	}
	ctx, end := context.WithCancelCause(context.Background())
	go listen(end)
	log := slog.New(slog.NewTextHandler(gate.Writer(errOut), &slog.HandlerOptions{Level: slog.LevelError}))
	began := time.Now()
	if err := rebuild(ctx, *folder, log, errOut); err != nil {
		fmt.Fprintf(errOut, "wm-lsp rebuild: %v\n", err)
		return exitFailed
	}
	fmt.Fprintf(out, "The index was made anew in %v.\n", time.Since(began).Round(time.Millisecond))
	return lsp.ExitOK
}

// rebuildFlags adds the flags of the command rebuild.
func rebuildFlags(flags *flag.FlagSet) (folder *string) {
	return flags.String("C", ".", "the `folder` of the workspace")
}

func rebuild(ctx context.Context, folder string, log *slog.Logger, errOut io.Writer) (err error) {
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	m, err := memoryOf(folder)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(m.Dir, store.DatabaseName)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no memory of %s; name the folder of a workspace with -C", folder)
	}
	return withMemory(folder, log, errOut, func(at *service.View) error { return at.Rebuild(ctx) })
}

// withMemory calls do with the open memory of a folder, and then writes its problems.
func withMemory(folder string, log *slog.Logger, errOut io.Writer, do func(at *service.View) error) error {
	s := service.New(service.Options{Log: log, Outbox: service.Silent{}, Version: version, Brief: true})
	defer func() {
		late, done := context.WithTimeout(context.Background(), closing)
		defer done()
		s.Close(late)
	}()
	settings, err := json.Marshal(wire.InitializationOptions{Attach: true})
	if err != nil {
		return err
	}
	s.Begin(service.Client{Name: "wm-lsp", Folders: []string{string(uri.File(folder))}, Settings: settings})
	at, err := s.View(&wire.StatusParams{})
	if err == nil {
		err = at.NoWorkspace()
	}
	if err != nil {
		return err
	}
	err = do(at)
	for _, problem := range at.Problems() {
		fmt.Fprintf(errOut, "wm-lsp: %s %s\n", problem.Message, problem.Fix)
	}
	return err
}

// mended calls do. If that meets damage of the memory of a folder, it is repaired, and do is called again.
func mended(folder string, errOut io.Writer, do func() error) error {
	err := do()
	if !errors.Is(err, store.ErrCorrupt) {
		return err
	}
	damage := err
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	err = withMemory(folder, slog.New(slog.DiscardHandler), errOut, func(at *service.View) error {
		repaired := make(chan struct{})
		if at.Do(func() { defer close(repaired); at.Mend(context.Background(), damage) }) {
			<-repaired
		}
		return nil
	})
	if err != nil {
		return errors.Join(damage, err)
	}
	return do()
}

// closing is how long the last writes may take.
const closing = 5 * time.Second
