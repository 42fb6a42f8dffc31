package main

import (
	_ "embed"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

//go:embed sources.tsv
var sourceList string

// A source is a pinned package whose documentation the vectors are trained on.
type source struct {
	registry string // npm, go or debian
	name     string
	version  string
	licence  string // SPDX
	sum      string // SHA-256 of the archive, in hex
	format   string // see readers
	share    uint64 // percent of its paragraphs that are read
	files    string // a pattern of paths within the archive
}

// parseSources reads a list: one source per line, its fields separated by tabs in the order
// of the type. Empty lines and those that begin with # say nothing.
func parseSources(list string) ([]source, error) {
	var sources []source
	for number, line := range strings.Split(list, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 8 {
			return nil, fmt.Errorf("line %d has %d fields, not 8", number+1, len(fields))
		}
		share, err := strconv.ParseUint(fields[6], 10, 64)
		if err != nil || share < 1 || share > 100 {
			return nil, fmt.Errorf("line %d: the share %q is not 1 to 100", number+1, fields[6])
		}
		s := source{
			registry: fields[0], name: fields[1], version: fields[2], licence: fields[3],
			sum: fields[4], format: fields[5], share: share, files: fields[7],
		}
		if readers[s.format] == nil {
			return nil, fmt.Errorf("line %d: unknown format %q", number+1, s.format)
		}
		if !permissive(s.licence) {
			return nil, fmt.Errorf("line %d: the licence %q is not in the list of permissive ones", number+1, s.licence)
		}
		if !doublestar.ValidatePattern(s.files) {
			return nil, fmt.Errorf("line %d: bad pattern %q", number+1, s.files)
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// permissive reports whether every licence of an expression asks for no more than a notice.
func permissive(expression string) bool {
	for _, licence := range strings.Split(expression, " AND ") {
		switch licence {
		case "MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Apache-2.0 WITH LLVM-exception",
			"ISC", "PSF-2.0", "PostgreSQL", "BSL-1.0", "blessing", "curl", "WordNet-3.0", "BSD-4-Clause":
		default:
			return false
		}
	}
	return true
}

// file names the archive of the source in the cache.
func (s source) file() string {
	name := strings.TrimPrefix(strings.ReplaceAll(s.name, "/", "-"), "@")
	extension := map[string]string{"npm": ".tgz", "go": ".zip", "debian": ".deb"}[s.registry]
	return path.Join(s.registry, name+"_"+strings.ReplaceAll(s.version, ":", "%")+extension)
}
