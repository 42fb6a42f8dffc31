package test_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// The blocks of shell commands in these documents are run in their order, as a person would who has
// an empty home folder and the folder of a project. The pages of agents are followed by test/agents.
func TestTheCommandsOfTheDocumentsDoWhatTheySay(t *testing.T) {
	slow.Test(t)
	for _, c := range []struct {
		page string
		// outputs are texts in what the blocks print, by their order.
		outputs []string
	}{
		{"start.md", []string{"wm-lsp ", "[decision] Amounts are integers, in cents", "claude-code", "memory:"}},
		{"troubleshooting.md", []string{"memory:", "| subject | severity |"}},
		{"privacy.md", []string{"Deleted: "}},
	} {
		t.Run(c.page, func(t *testing.T) {
			page, err := os.ReadFile(filepath.Join("..", "docs", c.page))
			require.NoError(t, err)
			blocks := test.ShellBlocks(string(page))
			require.Len(t, blocks, len(c.outputs))
			run := newShell(t, strings.Contains(string(page), "\nmake install\n"))
			for i, block := range blocks {
				assert.Contains(t, run(block), c.outputs[i], block)
			}
		})
	}
}

// newShell returns a function that runs commands in the folder of a project, with a home folder of
// their own. Those of make run in the repository. The program is on the PATH, unless the commands
// install it.
func newShell(t *testing.T, installs bool) (run func(commands string) string) {
	home, project := t.TempDir(), t.TempDir()
	bin := filepath.Join(home, "go", "bin")
	repository, err := filepath.Abs("..")
	require.NoError(t, err)
	environ := []string{
		"HOME=" + home, "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "GOBIN=" + bin,
		"GOFLAGS=-buildvcs=false",
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY"} {
		value, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		environ = append(environ, name+"="+strings.TrimSpace(string(value)))
	}
	if !installs {
		require.NoError(t, os.MkdirAll(bin, 0o755))
		require.NoError(t, os.Symlink(test.Binary(t, test.Server), filepath.Join(bin, "wm-lsp")))
	}
	return func(commands string) string {
		shell := exec.Command("bash", "-euo", "pipefail", "-c", commands)
		if shell.Dir = project; strings.Contains(commands, "make ") {
			shell.Dir = repository
		}
		shell.Env = environ
		out, err := shell.CombinedOutput()
		require.NoError(t, err, "%s\n%s", commands, out)
		return string(out)
	}
}

// A link in the documents leads to a file that there is, and to a heading that there is.
func TestTheLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	found, anchors := 0, map[string][]string{} // by page
	for _, pattern := range []string{
		"../*.md", "../docs/*.md", "../docs/agents/*.md", "../editors/*.md", "../editors/*/*.md",
	} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			page, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, match := range link.FindAllStringSubmatch(withoutCode(string(page)), -1) {
				target, heading, _ := strings.Cut(match[1], "#")
				if strings.Contains(target, "://") {
					continue
				}
				path := file
				if target != "" {
					path = filepath.Join(filepath.Dir(file), filepath.FromSlash(target))
				}
				info, err := os.Stat(path)
				if !assert.NoError(t, err, "%s: %s", file, match[0]) {
					continue
				}
				found++
				if heading == "" || info.IsDir() {
					continue
				}
				if anchors[path] == nil {
					anchors[path] = headings(t, path)
				}
				assert.Contains(t, anchors[path], heading, "%s: %s", file, match[0])
			}
		}
	}
	assert.NotZero(t, found)
}

// withoutCode returns a page without its blocks of code and its code in lines.
func withoutCode(page string) string {
	page = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(page, "")
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllString(page, "")
}

// headings returns the anchors that GitHub gives to the headings of a page.
func headings(t *testing.T, path string) (anchors []string) {
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	page = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAll(page, nil)
	dropped := regexp.MustCompile(`[^\p{L}\p{N}\s_-]`)
	for _, match := range regexp.MustCompile(`(?m)^#+ +(.*)$`).FindAllStringSubmatch(string(page), -1) {
		anchor := dropped.ReplaceAllString(strings.ToLower(match[1]), "")
		anchors = append(anchors, strings.ReplaceAll(strings.TrimSpace(anchor), " ", "-"))
	}
	return anchors
}
