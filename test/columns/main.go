// Command columns lists the lines of Go files below the given folders that are longer
// than 120 columns, where a tab counts as 4 columns and every other character as one. It
// exits with code 1 if there are any. Generated files are skipped.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns = 120
	tabWidth   = 4
)

func main() {
	long := 0
	for _, folder := range os.Args[1:] {
		n, err := check(folder)
		if err != nil {
			fmt.Fprintln(os.Stderr, "columns:", err)
			os.Exit(2)
		}
		long += n
	}
	if long > 0 {
		os.Exit(1)
	}
}

// check prints the long lines of the Go files below a folder and returns their number.
func check(folder string) (long int, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "node_modules":
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		n, err := checkFile(path)
		long += n
		return err
	})
	return long, err
}

func checkFile(path string) (long int, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return 0, err
	}
	number := 0
	for line := range strings.Lines(string(content)) {
		number++
		if n := columns(strings.TrimRight(line, "\r\n")); n > maxColumns {
			fmt.Printf("%s:%d: line has %d columns, more than %d\n", path, number, n, maxColumns)
			long++
		}
	}
	return long, nil
}

func columns(line string) int {
	n := 0
	for {
		before, after, found := strings.Cut(line, "\t")
		n += utf8.RuneCountInString(before)
		if !found {
			return n
		}
		n += tabWidth - n%tabWidth
		line = after
	}
}
