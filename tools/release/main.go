// Release makes what is published besides the archives and packages of goreleaser, from the programs
// that it built: the packages of npm and the entry of the registry of mason.nvim.
//
// usage: go run ./release DIST, in tools
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: release DIST")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A platform has its names in Go, npm and mason.nvim.
type platform struct{ goos, goarch, npmOS, npmCPU, mason string }

var platforms = []platform{
	{"linux", "amd64", "linux", "x64", "linux_x64"},
	{"linux", "arm64", "linux", "arm64", "linux_arm64"},
	{"darwin", "amd64", "darwin", "x64", "darwin_x64"},
	{"darwin", "arm64", "darwin", "arm64", "darwin_arm64"},
	{"windows", "amd64", "win32", "x64", "win_x64"},
	{"windows", "arm64", "win32", "arm64", "win_arm64"},
}

// program is the name of the program on the platform.
func (p platform) program() string {
	if p.goos == "windows" {
		return "wm-lsp.exe"
	}
	return "wm-lsp"
}

// npmName is the name of the package with the program.
func (p platform) npmName() string { return "wm-lsp-" + p.npmOS + "-" + p.npmCPU }

// An artifact is what goreleaser lists in artifacts.json.
type artifact struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Goos   string `json:"goos"`
	Goarch string `json:"goarch"`
	Type   string `json:"type"`
}

// A release is what goreleaser built.
type release struct {
	dist, version string
	artifacts     []artifact
}

// of returns the artifact of a type for a platform.
func (r release) of(kind string, p platform) (artifact, error) {
	at := slices.IndexFunc(r.artifacts, func(a artifact) bool {
		return a.Type == kind && a.Goos == p.goos && a.Goarch == p.goarch
	})
	if at < 0 {
		return artifact{}, fmt.Errorf("goreleaser built no %s for %s/%s", kind, p.goos, p.goarch)
	}
	return r.artifacts[at], nil
}

func write(dist string) error {
	var meta struct {
		Version string `json:"version"`
	}
	r := release{dist: dist}
	if err := errors.Join(
		read(filepath.Join(dist, "metadata.json"), &meta), read(filepath.Join(dist, "artifacts.json"), &r.artifacts),
	); err != nil {
		return err
	}
	r.version = meta.Version
	return errors.Join(r.npm(), r.mason())
}

func read(path string, into any) error {
	doc, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(doc, into)
	}
	if err != nil {
		return fmt.Errorf("read what goreleaser built: %w", err)
	}
	return nil
}

// manifest is package.json.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Homepage             string            `json:"homepage"`
	Repository           string            `json:"repository"`
	Type                 string            `json:"type,omitzero"`
	Bin                  map[string]string `json:"bin,omitzero"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitzero"`
	OS                   []string          `json:"os,omitzero"`
	CPU                  []string          `json:"cpu,omitzero"`
	Engines              map[string]string `json:"engines,omitzero"`
}

func (r release) manifest(name, description string) manifest {
	return manifest{
		Name: name, Version: r.version, Description: description, License: "MIT",
		Homepage: "https://github.com/wm-lsp/wm-lsp", Repository: "github:wm-lsp/wm-lsp",
	}
}

const description = "The working memory of a workspace, served over LSP"

// npm writes a package for each platform with its program, and the package wm-lsp, which depends on
// them and starts the right one.
func (r release) npm() error {
	start, err := os.ReadFile(filepath.Join("release", "npm", "wm-lsp.mjs"))
	if err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		return err
	}
	main := r.manifest("wm-lsp", description)
	main.Type, main.Bin = "module", map[string]string{"wm-lsp": "wm-lsp.mjs"}
	main.Engines = map[string]string{"node": ">=18"}
	main.OptionalDependencies = map[string]string{}
	for _, p := range platforms {
		built, err := r.of("Binary", p)
		if err != nil {
			return err
		}
		program, err := os.ReadFile(filepath.Join("..", built.Path))
		if err != nil {
			return err
		}
		of := r.manifest(p.npmName(), fmt.Sprintf("wm-lsp for %s on %s", p.npmOS, p.npmCPU))
		of.OS, of.CPU = []string{p.npmOS}, []string{p.npmCPU}
		if err := r.npmPackage(of, file{p.program(), program, 0o755}); err != nil {
			return err
		}
		main.OptionalDependencies[p.npmName()] = r.version
	}
	return r.npmPackage(main, file{"wm-lsp.mjs", start, 0o755}, file{"README.md", readme, 0o644})
}

// A file is a file of a package.
type file struct {
	name    string
	content []byte
	mode    os.FileMode
}

// npmPackage writes the folder of a package.
func (r release) npmPackage(m manifest, files ...file) error {
	license, err := os.ReadFile(filepath.Join("..", "LICENSE"))
	if err != nil {
		return err
	}
	var doc bytes.Buffer
	encoder := json.NewEncoder(&doc)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(m); err != nil {
		return err
	}
	dir := filepath.Join(r.dist, "npm", m.Name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range append(files, file{"package.json", doc.Bytes(), 0o644}, file{"LICENSE", license, 0o644}) {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.content, f.mode); err != nil {
			return err
		}
	}
	return nil
}

// mason writes the entry for the registry of mason.nvim.
func (r release) mason() error {
	var out strings.Builder
	fmt.Fprintf(&out, `---
name: wm-lsp
description: %s
homepage: https://github.com/wm-lsp/wm-lsp
licenses:
  - MIT
languages: []
categories:
  - LSP

source:
  id: pkg:github/wm-lsp/wm-lsp@v%s
  asset:
`, description, r.version)
	for _, p := range platforms {
		archive, err := r.of("Archive", p)
		if err != nil {
			return err
		}
		name := strings.Replace(archive.Name, "_"+r.version+"_", `_{{ version | strip_prefix "v" }}_`, 1)
		fmt.Fprintf(&out, "    - target: %s\n      file: %s\n      bin: %s\n", p.mason, name, p.program())
	}
	out.WriteString("\nbin:\n  wm-lsp: \"{{source.asset.bin}}\"\n\nneovim:\n  lspconfig: wm_lsp\n")
	dir := filepath.Join(r.dist, "mason", "packages", "wm-lsp")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "package.yaml"), []byte(out.String()), 0o644)
}
