package test_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A database that is out of reach is not a failure of make lint; a vulnerability is one. The
// program prints the date of its database only if it has reached it.
func TestVulnerabilitiesFailOnlyWhereTheDatabaseIsReached(t *testing.T) {
	slow.Test(t)
	if runtime.GOOS != "linux" {
		return // make lint installs its tools only there
	}
	for name, c := range map[string]struct {
		version, scan string // what the program does for -version, and otherwise
		exitCode      int
		says          string
	}{
		"nothing is found":             {`echo "DB updated: 2026-03-01"`, "exit 0", 0, ""},
		"a vulnerability is found":     {`echo "DB updated: 2026-03-01"`, "echo GO-2026-1; exit 3", 3, "GO-2026-1"},
		"the scan fails":               {`echo "DB updated: 2026-03-01"`, "exit 1", 1, ""},
		"the database is out of reach": {"echo DB: https://vuln.go.dev", "exit 1", 0, "were not looked for"},
		"the network does not answer":  {"exec sleep 600", "exit 1", 0, "were not looked for"},
	} {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "govulncheck")
			script := "#!/bin/sh\nif [ \"$1\" = -version ]; then " + c.version + "; else " + c.scan + "; fi\n"
			require.NoError(t, os.WriteFile(program, []byte(script), 0o700))
			command := exec.Command("./vulnerabilities.sh", program, "1")
			output, _ := command.CombinedOutput() // the exit code says the same as the error
			assert.Equal(t, c.exitCode, command.ProcessState.ExitCode(), "%s", output)
			assert.Contains(t, string(output), c.says)
		})
	}
}
