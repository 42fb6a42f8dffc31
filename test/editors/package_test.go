package editors_test

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// The package of each platform that VS Code knows holds the program that runs there.
func TestEveryPlatformHasAPackageWithItsProgram(t *testing.T) {
	dir := t.TempDir()
	quick := []string{"WM_VSIX_DIR=" + dir, "WM_VSIX_QUALITY=1"} // their size is another test's
	out, err := test.ExtensionScript(t, quick, "scripts/package.mjs", "all")
	require.NoError(t, err, out)
	for platform, machine := range map[string]any{
		"linux-x64": elf.EM_X86_64, "linux-arm64": elf.EM_AARCH64,
		"darwin-x64": macho.CpuAmd64, "darwin-arm64": macho.CpuArm64,
		"win32-x64": uint16(pe.IMAGE_FILE_MACHINE_AMD64), "win32-arm64": uint16(pe.IMAGE_FILE_MACHINE_ARM64),
	} {
		t.Run(platform, func(t *testing.T) {
			found, err := filepath.Glob(filepath.Join(dir, "wm-lsp-*-"+platform+".vsix"))
			require.NoError(t, err)
			require.Len(t, found, 1)
			vsix, err := zip.OpenReader(found[0])
			require.NoError(t, err)
			defer func() { _ = vsix.Close() }()
			assert.Equal(t, machine, machineOf(t, decompressed(t, unpacked(t, vsix, "extension/bin/wm-lsp.br"))))
			assert.Contains(t, string(unpacked(t, vsix, "extension.vsixmanifest")), `TargetPlatform="`+platform+`"`)
			for _, name := range []string{
				"extension/dist/extension.js",
				"extension/dist/view.js", "extension/readme.md", "extension/LICENSE.txt"} {
				assert.NotEmpty(t, unpacked(t, vsix, name))
			}
			for _, file := range vsix.File {
				assert.NotRegexp(t, `^extension/(src|tests|node_modules|out)/`, file.Name)
			}
		})
	}
}

// unpacked is what a file of an archive holds.
func unpacked(t *testing.T, from *zip.ReadCloser, name string) []byte {
	t.Helper()
	file, err := from.Open(name)
	require.NoError(t, err)
	content, err := io.ReadAll(file)
	require.NoError(t, err)
	return content
}

// decompressed is what was compressed by Brotli.
func decompressed(t *testing.T, content []byte) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(file, content, 0o600))
	out, err := test.ExtensionScript(t, nil, "-e", `const fs = require("node:fs");
		const file = process.argv[1];
		fs.writeFileSync(file, require("node:zlib").brotliDecompressSync(fs.readFileSync(file)));`, file)
	require.NoError(t, err, out)
	program, err := os.ReadFile(file)
	require.NoError(t, err)
	return program
}

// machineOf is the kind of machine that a program is for, as its format names it.
func machineOf(t *testing.T, program []byte) any {
	t.Helper()
	from := bytes.NewReader(program)
	if linux, err := elf.NewFile(from); err == nil {
		return linux.Machine
	}
	if darwin, err := macho.NewFile(from); err == nil {
		return darwin.Cpu
	}
	windows, err := pe.NewFile(from)
	require.NoError(t, err)
	return windows.Machine
}
