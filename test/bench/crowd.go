package main

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/sourcegraph/conc/pool"

	"github.com/wm-lsp/wm-lsp/test/peer"
)

const (
	// crowd is the number of processes that write at the same time.
	crowd = 32
	// crowdWrites is how often each of them writes.
	crowdWrites = 20
	// insertEnv makes this program one of the reference's processes. Its value is a folder.
	insertEnv = "WM_BENCH_INSERT"
)

// together measures additions by 32 processes that share a memory. In the reference as many
// processes insert one row into SQLite with synchronous=FULL, under one lock.
func (b *bench) together() error {
	folder, data := filepath.Join(b.dir, "crowd"), filepath.Join(b.dir, "crowd-data")
	for _, dir := range []string{folder, data} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	var s sample
	var err error
	if s.floor, err = b.insertTogether(); err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	if s.ours, err = b.addTogether(data, folder); err != nil {
		return err
	}
	b.report.times(fmt.Sprintf("`wm/memory/add` by %d processes at once", crowd), "commit", 1, s,
		goal{ratio: 1.5, ratio99: 2})
	return nil
}

func (b *bench) addTogether(data, folder string) ([]time.Duration, error) {
	var servers [crowd]*peer.Client
	starting := pool.New().WithErrors().WithMaxGoroutines(4)
	for i := range servers {
		starting.Go(func() (err error) {
			servers[i], err = peer.Start(b.binary, data, folder, "bench", fmt.Sprint("session ", i))
			if err == nil {
				err = servers[i].Call("wm/memory/add", peer.Object{"type": "project", "text": sentence(i)}, nil)
			}
			return err
		})
	}
	if err := starting.Wait(); err != nil {
		return nil, err
	}
	took, err := atOnce(func(i, n int) error {
		text := sentence(crowd + i*crowdWrites + n)
		return servers[i].Call("wm/memory/add", peer.Object{"type": "project", "text": text}, nil)
	})
	for _, server := range servers {
		if endErr := server.End(); err == nil {
			err = endErr
		}
	}
	return took, err
}

// atOnce has all processes of a crowd write at once, each one after its own former write,
// and returns how long each write took. write is given the process and the number of the
// write.
func atOnce(write func(i, n int) error) ([]time.Duration, error) {
	var mu sync.Mutex
	var took []time.Duration
	writing := pool.New().WithErrors()
	for i := range crowd {
		writing.Go(func() error {
			for n := range crowdWrites {
				began := time.Now()
				if err := write(i, n); err != nil {
					return err
				}
				mu.Lock()
				took = append(took, time.Since(began))
				mu.Unlock()
			}
			return nil
		})
	}
	err := writing.Wait()
	return took, err
}

// insertTogether starts the processes of the reference and has them insert at once.
func (b *bench) insertTogether() ([]time.Duration, error) {
	dir := filepath.Join(b.dir, "inserts")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var in [crowd]io.WriteCloser
	var out [crowd]*bufio.Reader
	var processes [crowd]*exec.Cmd
	for i := range crowd {
		process := exec.Command(program)
		process.Env, process.Stderr = append(os.Environ(), insertEnv+"="+dir), os.Stderr
		if in[i], err = process.StdinPipe(); err != nil {
			return nil, err
		}
		pipe, err := process.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := process.Start(); err != nil {
			return nil, err
		}
		processes[i], out[i] = process, bufio.NewReader(pipe)
	}
	insert := func(i, _ int) error {
		if _, err := io.WriteString(in[i], "\n"); err != nil {
			return err
		}
		_, err := out[i].ReadString('\n')
		return err
	}
	for i := range crowd { // until all are ready
		if err := insert(i, 0); err != nil {
			return nil, err
		}
	}
	took, err := atOnce(insert)
	for i, process := range processes {
		if endErr := errors.Join(in[i].Close(), process.Wait()); err == nil {
			err = endErr
		}
	}
	return took, err
}

// insert is a process of the reference: it inserts a row for each line of its input and
// answers with a line.
func insert(dir string) error {
	dsn := "file:" + filepath.ToSlash(filepath.Join(dir, "reference.db")) +
		"?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)"
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	lock := flock.New(filepath.Join(dir, "lock"))
	if err := lock.Lock(); err != nil {
		return err
	}
	if _, err := db.Exec("CREATE TABLE IF NOT EXISTS log(seq INTEGER PRIMARY KEY, after TEXT)"); err != nil {
		return err
	}
	row, err := db.Prepare("INSERT INTO log(after) VALUES(?)")
	if err != nil {
		return err
	}
	defer row.Close()
	if err := lock.Unlock(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if err := lock.Lock(); err != nil {
			return err
		}
		_, err := row.Exec(sentence(0))
		if err := errors.Join(err, lock.Unlock()); err != nil {
			return err
		}
		fmt.Println()
	}
	return nil
}
