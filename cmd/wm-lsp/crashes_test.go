package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/doctor"
)

// crashIn names the file to which a process of the tests writes how it ended.
const crashIn = "WM_TEST_CRASH_IN"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashIn); path != "" {
		if err := crashesTo(path); err != nil {
			panic(err)
		}
		go func() { panic("a goroutine panics") }()
		select {}
	}
	os.Exit(m.Run())
}

func TestAPanicIsInTheLogAndInTheFileOfCrashesWithItsStack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "crashes.log")
	var log, crashes bytes.Buffer
	both := crashing{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&crashes, nil)}
	logger := slog.New(both).With("session", "1")
	logger.Info("usual")
	assert.Empty(t, crashes.String())
	logger.WithGroup("more").Error("an operation panicked", "panic", "no", stackName, string(debug.Stack()))
	assert.Contains(t, log.String(), "TestAPanicIsInTheLog")
	var c doctor.Crash
	require.NoError(t, json.Unmarshal(crashes.Bytes(), &c))
	assert.Equal(t, "no", c.Panic)
	assert.Contains(t, c.Stack, "TestAPanicIsInTheLog")
	assert.False(t, c.Time.IsZero())

	this, err := os.Executable()
	require.NoError(t, err)
	process := exec.Command(this)
	process.Env = append(os.Environ(), crashIn+"="+path)
	assert.Error(t, process.Run(), "it panics")
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(written), "panic: a goroutine panics")
	assert.Contains(t, string(written), "TestMain.func1")
}
