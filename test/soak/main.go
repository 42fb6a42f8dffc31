//go:build linux

// Command soak runs eight servers on one memory for a while. Each has a client that calls
// every method of the protocol. Servers are killed at random, clients hang up, and the disk
// is full from time to time. A model of the acknowledged writes says what must be there.
//
// The program fails if an acknowledged write is lost, doubled or out of order; if a purged or
// erased text comes back; if the servers do not agree at the end; if a server ends by itself,
// stays when its client is gone, answers with an error that has no reason, does not answer, or
// takes too much memory. It refuses to run if a method of the protocol has no action here.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func main() {
	duration := flag.Duration("for", 10*time.Minute, "how long to run")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the random choices")
	keep := flag.String("keep", "", "copy the data of the servers to this new `folder` at the end")
	inside := flag.Bool("inside", false, "run in this namespace; the program itself sets it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := checkActions(); err != nil {
		fail(err)
	}
	if !*inside {
		code, err := again()
		if err == nil {
			os.Exit(code)
		}
		fmt.Println("soak: nothing can be mounted here, so files are limited in size instead of the disk:", err)
	}
	faults, err := run(ctx, *duration, *seed, *keep, *inside)
	if err != nil {
		fail(err)
	}
	if faults > 0 {
		fail(fmt.Errorf("%d faults with -seed %d; the first of each kind are above", faults, *seed))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "soak:", err)
	os.Exit(1)
}

// again runs this program with its own mounts and returns its exit code. The mounts are gone
// when it ends, however it ends.
func again() (int, error) {
	command := exec.Command("/proc/self/exe", append(os.Args[1:], "-inside")...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		command.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		command.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	err := command.Run()
	if command.ProcessState != nil {
		return command.ProcessState.ExitCode(), nil
	}
	return 0, err
}

// checkActions returns an error unless there is an action for every method.
func checkActions() error {
	var missing []string
	known := map[string]bool{}
	for _, method := range wire.Methods() {
		known[method.Name] = true
		if _, there := actions[method.Name]; !there {
			missing = append(missing, method.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("test/soak/actions.go has no action for %s; add one", strings.Join(missing, ", "))
	}
	for name := range actions {
		if !known[name] {
			return fmt.Errorf("test/soak/actions.go has an action for %s, which is not a method", name)
		}
	}
	return nil
}

// run runs everything and returns the number of faults.
func run(ctx context.Context, duration time.Duration, seed uint64, keep string, mount bool) (int, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("become the parent of orphans: %w", err)
	}
	dir, err := os.MkdirTemp("", "wm-lsp-soak-")
	if err != nil {
		return 0, err
	}
	w, err := newWorld(dir, seed, mount)
	if err != nil {
		return 0, err
	}
	w.copy = keep
	fmt.Printf("soak: %v with %d servers, -seed %d, in %s\n", duration, len(w.slots), seed, dir)
	begun := time.Now()
	err = w.soak(ctx, duration)
	w.print(time.Since(begun))
	w.disk.close()
	if removed := os.RemoveAll(dir); err == nil {
		err = removed
	}
	return w.faults.total(), err
}

// soak runs the servers with disturbances, and then checks without.
func (w *world) soak(ctx context.Context, duration time.Duration) error {
	if err := w.prepare(ctx); err != nil {
		return err
	}
	running, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	w.together(
		func() { w.each(func(s *slot) { s.run(running) }) },
		func() { w.disturb(running) },
		func() { w.fillDisk(running) },
		func() { w.follow(running) },
		func() { w.watch(running) },
		func() { w.remember(running) },
	)
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.conclude(ctx)
}

// disturb ends servers in every way, one after the other.
func (w *world) disturb(ctx context.Context) {
	random := rand.New(rand.NewPCG(w.seed, 1))
	for sleep(ctx, 200*time.Millisecond+time.Duration(random.Int64N(int64(1300*time.Millisecond)))) {
		s := w.slots[random.IntN(len(w.slots))]
		s.disturb(endings[random.IntN(len(endings))])
	}
}

// fillDisk fills the disk every minute, for up to ten seconds.
func (w *world) fillDisk(ctx context.Context) {
	random := rand.New(rand.NewPCG(w.seed, 2))
	for sleep(ctx, time.Duration(15+random.IntN(45))*time.Second) {
		w.full.begin()
		if err := w.disk.fill(w); err != nil {
			w.faults.add("the disk cannot be filled: %v", err)
		}
		sleep(ctx, time.Duration(1+random.IntN(9))*time.Second)
		if err := w.disk.empty(w); err != nil {
			w.faults.add("the disk cannot be emptied: %v", err)
		}
		w.full.end()
	}
}

// follow reads the log as it grows.
func (w *world) follow(ctx context.Context) {
	for sleep(ctx, 300*time.Millisecond) {
		w.slots[rand.IntN(len(w.slots))].readLog()
	}
}

// sleep waits and reports whether the context is not done.
func sleep(ctx context.Context, wait time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(wait):
		return true
	}
}

// print writes the report.
func (w *world) print(took time.Duration) {
	calls, acknowledged := w.counts.sums()
	fmt.Printf("soak: %d calls, %d with a result, in %v\n", calls, acknowledged, took.Round(time.Second))
	fmt.Printf("soak: %d starts of servers; ended by %s\n", w.starts.Load(), w.endings.text())
	fmt.Printf("soak: the disk was full %d times, %d writes were refused for it\n",
		w.full.times(), w.refusals.get("store"))
	fmt.Printf("soak: refused %s\n", w.refusals.text())
	fmt.Printf("soak: a server had at most %d MB and %d open files; the log holds %d changes\n",
		w.maxResident.Load()>>20, w.maxFiles.Load(), w.log.seq())
	for _, method := range wire.Methods() {
		if w.counts.acknowledged(method.Name) == 0 {
			w.faults.add("no call of %s had a result", method.Name)
		}
	}
	w.faults.print()
}

// A tally counts by name.
type tally map[string]int

func (t tally) text() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, t[name]))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// buildServer builds wm-lsp into a folder.
func buildServer(dir string) (string, error) {
	path := filepath.Join(dir, "wm-lsp")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", path, "github.com/wm-lsp/wm-lsp/cmd/wm-lsp")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build wm-lsp: %w\n%s", err, out)
	}
	return path, nil
}
