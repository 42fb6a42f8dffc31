// Vectors makes the tables of package recall/vectors: word vectors, trained on the documentation
// in pinned packages, and relations between words. The same packages give the same tables, bit
// for bit.
//
//	go run ./vectors fetch                       brings the packages of sources.tsv into the cache
//	go run ./vectors write ../recall/vectors     makes the tables in the folder
//	go run ./vectors relations ../recall/vectors makes only the relations, for the vectors there
//
// The cache is wm-lsp-test/vectors in the user's folder of caches and takes about 760 MB.
// Writing takes two minutes of a processor.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/recall/vectors/tables"
)

func main() {
	if err := start(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(1)
	}
}

func start(ctx context.Context, arguments []string) error {
	usage := errors.New("usage: vectors fetch | write FOLDER | relations FOLDER")
	caches, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	cache := filepath.Join(caches, "wm-lsp-test", "vectors")
	sources, err := parseSources(sourceList)
	if err != nil {
		return fmt.Errorf("sources.tsv: %w", err)
	}
	switch {
	case len(arguments) == 1 && arguments[0] == "fetch":
		return errors.Join(fetch(ctx, cache, sources), check(cache, sources))
	case len(arguments) == 2 && arguments[0] == "write":
		return write(ctx, cache, arguments[1], sources, standard)
	case len(arguments) == 2 && arguments[0] == "relations":
		list, err := os.ReadFile(filepath.Join(arguments[1], "synonyms.txt"))
		if err != nil {
			return err
		}
		trained, err := os.ReadFile(filepath.Join(arguments[1], "vectors.bin"))
		if err != nil {
			return err
		}
		return writeRelations(ctx, cache, arguments[1], sources, string(list), tables.Vectors(trained))
	default:
		return usage
	}
}
