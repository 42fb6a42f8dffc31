//go:build linux && ondemand

// Package release_test builds a release twice, in two clones, and tries everything that it has.
package release_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/installed"
)

// version is that of the release that is built.
const version = "0.1.0"

// platforms are those of Go.
var platforms = []string{
	"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64",
}

// run runs a program in a folder and returns what it prints.
func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	var out, failed bytes.Buffer
	command := exec.Command(program, args...)
	command.Dir, command.Stdout, command.Stderr = dir, &out, &failed
	require.NoError(t, command.Run(), "%s %v: %s%s", program, args, out.String(), failed.String())
	return out.String()
}

// build builds the release of the newest commit in a clone, and returns its folder dist.
func build(t *testing.T, name string) (dist string) {
	t.Helper()
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	clone := filepath.Join(t.TempDir(), name)
	run(t, repository, "git", "clone", "--quiet", repository, clone)
	run(t, clone, "tools/release/release.sh", version)
	return filepath.Join(clone, "dist")
}

// sums returns the checksums of the files of a release, by their names.
func sums(t *testing.T, dist string) map[string]string {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	require.NoError(t, err)
	all := map[string]string{}
	for line := range strings.Lines(string(doc)) {
		fields := strings.Fields(line)
		require.Len(t, fields, 2)
		all[fields[1]] = fields[0]
	}
	return all
}

func TestARelease(t *testing.T) {
	dist, again := build(t, "first"), build(t, "a folder with another name")
	t.Run("two builds of a commit are identical", func(t *testing.T) {
		assert.Equal(t, sums(t, dist), sums(t, again))
	})
	t.Run("the checksums are those of the files, and none is missing", func(t *testing.T) {
		theChecksumsAreRight(t, dist)
	})
	t.Run("the deb is installed and removed, and the rpm has the same files", func(t *testing.T) {
		thePackagesAreRight(t, dist)
	})
	t.Run("the packages of npm are installed and run", func(t *testing.T) { npmRuns(t, dist) })
	t.Run("the program for Windows runs under wine if wine can run a Go program", func(t *testing.T) {
		windowsRuns(t, dist)
	})
	t.Run("VS Code installs the extension", func(t *testing.T) { codeInstalls(t, dist) })
	t.Run("Neovim starts the server with the file of lspconfig", lspconfigStarts)
	t.Run("the formula of Homebrew names the archives", func(t *testing.T) { homebrewIsRight(t, dist) })
	t.Run("the manifest of Scoop names the archives", func(t *testing.T) { scoopIsRight(t, dist) })
	t.Run("the entry of mason names the archives", func(t *testing.T) { masonIsRight(t, dist) })
}

func theChecksumsAreRight(t *testing.T, dist string) {
	all := sums(t, dist)
	for name, want := range all {
		content, err := os.ReadFile(filepath.Join(dist, name))
		require.NoError(t, err)
		sum := sha256.Sum256(content)
		assert.Equal(t, want, hex.EncodeToString(sum[:]), name)
	}
	for _, p := range platforms {
		assert.Contains(t, all, archive(p))
		assert.Contains(t, all, "wm-lsp_"+version+"_"+p+".cdx.json")
		var components struct {
			Components []struct {
				Name string `json:"name"`
			} `json:"components"`
		}
		sbom, err := os.ReadFile(filepath.Join(dist, "wm-lsp_"+version+"_"+p+".cdx.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(sbom, &components))
		assert.NotEmpty(t, components.Components)
	}
	for _, platform := range []string{
		"linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64",
	} {
		assert.Contains(t, all, "wm-lsp-"+platform+"-"+version+".tgz")
		vsix := "wm-lsp-" + version + "-" + platform + ".vsix"
		assert.Contains(t, all, vsix)
		info, err := os.Stat(filepath.Join(dist, vsix))
		require.NoError(t, err)
		assert.Less(t, info.Size(), int64(test.MaxExtension), vsix)
	}
}

// archive is the name of the archive for a platform.
func archive(platform string) string {
	suffix := ".tar.gz"
	if strings.HasPrefix(platform, "windows") {
		suffix = ".zip"
	}
	return "wm-lsp_" + version + "_" + platform + suffix
}

func thePackagesAreRight(t *testing.T, dist string) {
	root := t.TempDir()
	for _, dir := range []string{"info", "updates"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644))
	name := filepath.Join(dist, "wm-lsp_"+version+"_"+runtime.GOOS+"_"+runtime.GOARCH)
	run(t, root, "dpkg", "--root="+root, "--force-script-chrootless", "--install", name+".deb")
	program := filepath.Join(root, "usr/bin/wm-lsp")
	assert.Equal(t, "wm-lsp "+version+"\n", run(t, root, program, "version"))
	listed := filesOf(t, run(t, root, "dpkg-deb", "--contents", name+".deb"))
	assert.Contains(t, listed, "/usr/share/man/man1/wm-lsp.1")
	assert.Contains(t, listed, "/usr/share/bash-completion/completions/wm-lsp")
	run(t, root, "dpkg", "--root="+root, "--force-script-chrootless", "--remove", "wm-lsp")
	assert.NoFileExists(t, program)

	var inRPM []string
	for file := range strings.Lines(run(t, root, "rpm", "--query", "--package", "--list", name+".rpm")) {
		inRPM = append(inRPM, strings.TrimSpace(file))
	}
	slices.Sort(inRPM)
	assert.Equal(t, listed, inRPM)
	assert.Contains(t, run(t, root, "rpm", "--query", "--package", "--info", name+".rpm"), "License     : MIT")
}

// filesOf returns the files, and not the folders, in a listing of dpkg-deb.
func filesOf(t *testing.T, listing string) (files []string) {
	t.Helper()
	for line := range strings.Lines(listing) {
		fields := strings.Fields(line)
		require.GreaterOrEqual(t, len(fields), 6)
		if path := strings.TrimPrefix(fields[5], "."); !strings.HasSuffix(path, "/") {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return files
}

func npmRuns(t *testing.T, dist string) {
	project := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(project, "package.json"), []byte(`{"private": true}`), 0o644))
	run(t, project, "npm", "install", "--offline", "--omit=optional", "--no-audit", "--no-fund", "--silent",
		filepath.Join(dist, "wm-lsp-"+version+".tgz"), filepath.Join(dist, "wm-lsp-linux-"+npmCPU()+"-"+version+".tgz"))
	assert.Equal(t, "wm-lsp "+version+"\n", run(t, project, "npx", "--offline", "wm-lsp", "version"))

	server := exec.Command("npx", "--offline", "wm-lsp", "mcp")
	server.Dir = project
	server.Env = append(os.Environ(), "HOME="+t.TempDir())
	server.Stdin = strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": ` +
		`{"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}` + "\n")
	answer, err := server.Output()
	require.NoError(t, err)
	assert.Contains(t, string(answer), `"serverInfo"`)

	failing := exec.Command("npx", "--offline", "wm-lsp", "no-such-command")
	failing.Dir = project
	var exit *exec.ExitError
	require.ErrorAs(t, failing.Run(), &exit)
	assert.Equal(t, 2, exit.ExitCode(), "the exit code is that of the program")
}

func npmCPU() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}

func codeInstalls(t *testing.T, dist string) {
	code, err := installed.Path("vscode/bin/code-server")
	require.NoError(t, err)
	home := t.TempDir()
	flags := []string{
		"--user-data-dir", filepath.Join(home, "data"), "--extensions-dir", filepath.Join(home, "extensions"),
	}
	vsix := filepath.Join(dist, "wm-lsp-"+version+"-linux-"+npmCPU()+".vsix")
	run(t, home, code, append(flags, "--install-extension", vsix)...)
	listed := run(t, home, code, append(flags, "--list-extensions", "--show-versions")...)
	assert.Contains(t, listed, "wm-lsp.wm-lsp@"+version)
	packed, err := filepath.Glob(filepath.Join(home, "extensions", "wm-lsp.wm-lsp-*", "bin", "wm-lsp.br"))
	require.NoError(t, err)
	require.Len(t, packed, 1)
	program := filepath.Join(home, "wm-lsp")
	run(t, home, filepath.Join(filepath.Dir(code), "node"), "-e", `const [, packed, program] = process.argv;
		const content = require("zlib").brotliDecompressSync(require("fs").readFileSync(packed));
		require("fs").writeFileSync(program, content, { mode: 0o755 });`, packed[0], program)
	assert.Equal(t, "wm-lsp "+version+"\n", run(t, home, program, "version"))
}

func lspconfigStarts(t *testing.T) {
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	project := t.TempDir()
	run(t, project, "git", "init", "--quiet")
	require.NoError(t, os.WriteFile(filepath.Join(project, "a.txt"), []byte("a\n"), 0o644))
	bin := filepath.Dir(test.Binary(t, test.Server))
	editor := exec.Command(test.NeovimPath(t, "0.12"), "--headless", "--clean",
		"--cmd", "set rtp^="+filepath.Join(repository, "tools/release/lspconfig"),
		"--cmd", "lua vim.lsp.enable('wm_lsp')", "a.txt",
		"-c", `lua print(vim.wait(30000, function() local c = vim.lsp.get_clients({ name = "wm_lsp", bufnr = 0 })[1] `+
			`return c and c.initialized end, 50))`, "-c", "qa!")
	editor.Dir = project
	editor.Env = append(os.Environ(), "HOME="+t.TempDir(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := editor.CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "true", "the server is attached to the file")
}

// urls are an address of an archive and its checksum in a formula.
var urls = regexp.MustCompile(`url "([^"]+)"\s+sha256 "([0-9a-f]{64})"`)

// windowsRuns runs the program for Windows, and then the unit tests that need no editor, under wine.
func windowsRuns(t *testing.T, dist string) {
	wine, err := exec.LookPath("wine")
	if err != nil {
		t.Log("wine is not on this machine: the programs for Windows were only compiled")
		return
	}
	dir := t.TempDir()
	zipped, err := zip.OpenReader(filepath.Join(dist, archive("windows_amd64")))
	require.NoError(t, err)
	defer zipped.Close()
	require.NoError(t, os.CopyFS(dir, zipped))
	t.Setenv("WINEPREFIX", filepath.Join(dir, "prefix"))
	t.Setenv("WINEDEBUG", "-all")
	out, err := exec.Command(wine, filepath.Join(dir, "wm-lsp.exe"), "version").CombinedOutput()
	if err != nil && bytes.Contains(out, []byte("bcryptprimitives.dll")) {
		t.Log("wine lacks bcryptprimitives.dll, which Go programs load: the programs for Windows were only compiled")
		return
	}
	require.NoError(t, err, string(out))
	assert.Equal(t, "wm-lsp "+version, strings.TrimSpace(string(out)))
	t.Setenv("GOOS", "windows")
	t.Setenv("GOARCH", "amd64")
	run(t, filepath.Join("..", ".."), "go", "test", "-short", "-exec", wine, "./extract/...", "./memory/...")
}

func homebrewIsRight(t *testing.T, dist string) {
	formula, err := os.ReadFile(filepath.Join(dist, "homebrew", "wm-lsp.rb"))
	require.NoError(t, err)
	all, found := sums(t, dist), map[string]bool{}
	for _, match := range urls.FindAllStringSubmatch(string(formula), -1) {
		name := filepath.Base(match[1])
		assert.Equal(t, all[name], match[2], name)
		found[name] = true
	}
	for _, p := range platforms[:4] {
		assert.True(t, found[archive(p)], p)
	}
	t.Log("Homebrew is not on this machine: the formula was read and not installed")
}

func scoopIsRight(t *testing.T, dist string) {
	doc, err := os.ReadFile(filepath.Join(dist, "scoop", "wm-lsp.json"))
	require.NoError(t, err)
	var manifest struct {
		Version      string
		Architecture map[string]struct {
			URL, Hash string
			Bin       []string
		}
	}
	require.NoError(t, json.Unmarshal(doc, &manifest))
	assert.Equal(t, version, manifest.Version)
	require.Len(t, manifest.Architecture, 2)
	all := sums(t, dist)
	for name, of := range map[string]string{"64bit": "windows_amd64", "arm64": "windows_arm64"} {
		assert.Equal(t, archive(of), filepath.Base(manifest.Architecture[name].URL))
		assert.Equal(t, all[archive(of)], manifest.Architecture[name].Hash)
		assert.Equal(t, []string{"wm-lsp.exe"}, manifest.Architecture[name].Bin)
	}
	t.Log("Scoop is not on this machine: the manifest was read and not installed")
}

func masonIsRight(t *testing.T, dist string) {
	doc, err := os.ReadFile(filepath.Join(dist, "mason", "packages", "wm-lsp", "package.yaml"))
	require.NoError(t, err)
	var entry struct {
		Name   string
		Source struct {
			ID    string `yaml:"id"`
			Asset []struct{ Target, File, Bin string }
		}
		Neovim struct{ LSPConfig string }
	}
	require.NoError(t, yaml.Unmarshal(doc, &entry))
	assert.Equal(t, "pkg:github/wm-lsp/wm-lsp@v"+version, entry.Source.ID)
	assert.Equal(t, "wm_lsp", entry.Neovim.LSPConfig)
	all := sums(t, dist)
	require.Len(t, entry.Source.Asset, len(platforms))
	for _, asset := range entry.Source.Asset {
		name := strings.ReplaceAll(asset.File, `{{ version | strip_prefix "v" }}`, version)
		assert.Contains(t, all, name, asset.Target)
		listing := run(t, dist, "bsdtar", "--list", "--file", filepath.Join(dist, name))
		assert.Contains(t, strings.Split(listing, "\n"), asset.Bin, fmt.Sprint(asset.Target))
	}
	t.Log("mason.nvim is not on this machine: the entry was read and not installed")
}
