package index

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// orLiteral returns a result, or what literal finds if it is empty.
func (r *Room) orLiteral(ctx context.Context, query Query, result Result) (Result, error) {
	if len(result.Hits) > 0 || query.Prompt || query.reading.IsFromNow(recall.Day(query.At)) {
		return result, nil
	}
	found, err := r.literal(ctx, query)
	if err != nil || len(found.Hits) == 0 {
		return result, err
	}
	found.Fallback = result.Fallback
	return found, nil
}

// literal returns the documents that have, for each word of a query, a word that begins with it: also those
// that say nothing alone, such as "once". It reads the documents, for a query that finds nothing in the index.
// A query of several words that all say nothing, such as "the of", finds nothing; a single one may become another word.
func (r *Room) literal(ctx context.Context, query Query) (Result, error) {
	asked := wordsIn(query.Text)
	if len(asked) == 0 || len(asked) > 1 && query.reading.Telling() == 0 {
		return Result{}, nil
	}
	docs, err := r.all(ctx, query)
	if err != nil {
		return Result{}, err
	}
	docs = slices.DeleteFunc(docs, func(doc room.Document) bool { return !begins(wordsIn(bodyOf(doc)), asked) })
	var marks recall.InMemory
	for _, doc := range docs {
		marks.Add(recall.Entry{Terms: appendMarks(nil, doc)}, "")
	}
	filter := filterOf(docs, &marks)
	allowed, err := filter.allows(query)
	if err != nil {
		return Result{}, err
	}
	var reasons []recall.Part
	if query.Explain {
		for _, word := range asked {
			reasons = append(reasons, recall.Part{Reason: recall.InText, Word: word, Score: 1 / float32(len(asked))})
		}
	}
	var ranked found
	for i, doc := range docs {
		if place := recall.Doc(i + 1); allowed(place) {
			hit := recall.Hit{Doc: place, Score: 1, Parts: reasons}
			ranked.hits, ranked.ids = append(ranked.hits, hit), append(ranked.ids, doc.ID)
		}
	}
	pools := r.pools(query)
	return r.rate(query, ranked, pools.newest(pools.take(ranked.ids, docs)), Scan), filter.err
}

// wordsIn returns the words of a document in lower case.
func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func sameWords(a, b string) bool { return slices.Equal(wordsIn(a), wordsIn(b)) }

// begins reports whether one of some words begins with each that is asked for.
func begins(words, asked []string) bool {
	for _, beginning := range asked {
		has := func(word string) bool { return strings.HasPrefix(word, beginning) }
		if !slices.ContainsFunc(words, has) {
			return false
		}
	}
	return true
}
