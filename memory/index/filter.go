package index

import (
	"errors"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A filter decides which documents of an index a query may find.
type filter struct {
	index recall.Index
	// columns returns those of a block, or nil if they are not asked for and no document in it ends before a time.
	columns func(block int, asked bool, at uint32) ([]column, error)
	err     error // of the last call of the function that allows returned

	number int // of the block
	block  []column
	known  bool
}

// allows returns the function that says whether a query may find a document.
func (f *filter) allows(query Query) (func(recall.Doc) bool, error) {
	var sets []map[recall.Doc]bool
	for _, one := range []struct {
		kind   string
		values []string
	}{
		{markStore, query.Stores}, {markType, query.Types}, {markTag, query.Tags}, {markSession, single(query.Session)},
		{markAgent, single(query.Agent)}, {markTask, single(query.Task)}, {markEpisode, single(query.Episode)},
	} {
		if len(one.values) == 0 {
			continue
		}
		set, err := f.marked(one.kind, one.values)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	// Those of a session that has ended, read when one is over; whether they are over then is known when they are read.
	own := sync.OnceValue(func() map[recall.Doc]bool {
		if !query.asEnded {
			return nil
		}
		set, err := f.marked(markSession, single(query.Asker))
		f.err = errors.Join(f.err, err)
		return set
	})
	since, until, at := seconds(query.Since), seconds(query.Until), seconds(query.At)
	timed := !query.Since.IsZero() || !query.Until.IsZero() || query.MinImportance > 0
	least := importance(query.MinImportance)
	return func(doc recall.Doc) bool {
		for _, set := range sets {
			if !set[doc] {
				return false
			}
		}
		is := f.column(doc, timed, at)
		switch {
		case is.Until != 0 && is.Until < at && !own()[doc]:
			return false
		case !query.Since.IsZero() && is.At < since, !query.Until.IsZero() && (is.At > until || is.At == 0):
			return false
		}
		return is.Importance >= least
	}, nil
}

func single(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// marked returns the documents with one of some marks.
func (f *filter) marked(kind string, values []string) (map[recall.Doc]bool, error) {
	marks := make([]string, len(values))
	for i, value := range values {
		marks[i] = mark(kind, value)
	}
	lists, err := f.index.Lists(marks)
	if err != nil {
		return nil, err
	}
	set := map[recall.Doc]bool{}
	for _, list := range lists {
		for _, doc := range list.Docs {
			set[doc] = true
		}
	}
	return set, nil
}

// column returns the column of a document, or a zero one if it is not asked for and none ends before a time.
func (f *filter) column(doc recall.Doc, asked bool, at uint32) column {
	number, place := doc.Block()
	if !f.known || number != f.number {
		var err error
		f.block, err = f.columns(number, asked, at)
		f.err = errors.Join(f.err, err)
		f.number, f.known = number, true
	}
	if place >= len(f.block) {
		return column{}
	}
	return f.block[place]
}

// filterOf returns the filter of documents whose places are those in an index.
func filterOf(docs []room.Document, index recall.Index) *filter {
	columns := []column{{}}
	for _, doc := range docs {
		columns = append(columns, columnOf(doc))
	}
	return &filter{index: index, columns: func(number int, _ bool, _ uint32) ([]column, error) {
		return columns[min(number*recall.BlockSize, len(columns)):], nil
	}}
}
