package found

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A Row is what was found of one kind of questions.
type Row struct {
	What string
	Figures
	// Least are the figures to reach.
	Least Figures
}

// Met reports whether the figures reach what they should.
func (r Row) Met() bool {
	mean := r.Mean()
	return mean.R10 >= r.Least.R10 && mean.R20 >= r.Least.R20 && mean.MRR >= r.Least.MRR
}

// deep is how many documents are asked for: a hit behind them does not count for the MRR.
const deep = 100

// others is how many lines of other text are in the store of all conversations.
const others = 100_000

// Measure searches the sets in a folder: those with turns.jsonl and those with memories.txt, in
// folders below it. Go's own sources are the other text.
func Measure(dir, goroot string) ([]Row, error) {
	var rows []Row
	conversations, err := filepath.Glob(filepath.Join(dir, "*", "turns.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, file := range conversations {
		set, err := Conversations(filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		more, err := measureConversations(set, goroot)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	memories, err := filepath.Glob(filepath.Join(dir, "*", "memories.txt"))
	if err != nil {
		return nil, err
	}
	for _, file := range memories {
		set, err := Memories(filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		group := set.Groups[0]
		store := newStore(group.Documents)
		for _, step := range steps() {
			row := Row{What: "coding memories asked in other words: " + step.what}
			if step.weights == defaults() {
				row.Least = Figures{R10: 75, R20: 84, MRR: 46}
			}
			if step.weights.Family == 0 {
				continue // memories are not turns
			}
			if err := row.search(store, group.Questions, step.weights); err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no turns.jsonl and no memories.txt in the folders of %s: %w", dir, os.ErrNotExist)
	}
	return rows, nil
}

// measureConversations searches each conversation by itself, with all steps of the ranking and
// with one after the other, and all of them in one store among other text.
func measureConversations(set Set, goroot string) ([]Row, error) {
	var rows []Row
	stores := make([]store, len(set.Groups))
	for i, group := range set.Groups {
		stores[i] = newStore(group.Documents)
	}
	for _, step := range steps() {
		row := Row{What: "conversations: " + step.what, Least: step.least}
		for i, group := range set.Groups {
			if err := row.search(stores[i], group.Questions, step.weights); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row)
	}
	other, err := Others(filepath.Join(goroot, "src"), others)
	if err != nil {
		return nil, err
	}
	var all []Document
	for i, group := range set.Groups {
		all = append(all, group.Documents...)
		all = append(all, other[i*len(other)/len(set.Groups):(i+1)*len(other)/len(set.Groups)]...)
	}
	together := newStore(all)
	row := Row{
		What:  fmt.Sprintf("all conversations in one store, among %d lines of other text", len(other)),
		Least: Figures{R10: 75},
	}
	for _, group := range set.Groups {
		if err := row.search(together, group.Questions, defaults()); err != nil {
			return nil, err
		}
	}
	return append(rows, row), nil
}

// defaults are the weights that the settings have when nobody changed them.
func defaults() recall.Weights { return index.WeightsOf(settings.Default().Recall.Weights) }

// A step is one of the ideas of the ranking, with those before it.
type step struct {
	what    string
	weights recall.Weights
	least   Figures
}

// steps returns the steps of the ranking, the last of which is all of it.
func steps() []step {
	all := defaults()
	w := recall.Weights{K1: all.K1, B: all.B, Generic: all.Generic, Capital: all.Capital, Speaker: all.Speaker}
	found := []step{{what: "words", weights: w}}
	add := func(what string, change func()) {
		change()
		found = append(found, step{what: "+ " + what, weights: w})
	}
	add("neighbours", func() { w.Before, w.After, w.Question = all.Before, all.After, all.Question })
	add("the thread", func() { w.Thread = all.Thread })
	add("speaker", func() { w.Said = all.Said })
	add("dates", func() {
		w.OnDay, w.SoonAfter, w.InMonth = all.OnDay, all.SoonAfter, all.InMonth
	})
	add("priors of turns", func() {
		w.Length, w.Asks, w.Capitals, w.Opens = all.Length, all.Asks, all.Capitals, all.Opens
		w.OfSelf, w.ToOther = all.OfSelf, all.ToOther
	})
	add("kind of question", func() {
		w.When, w.NamesAsked, w.Number = all.When, all.NamesAsked, all.Number
	})
	add("prefix families", func() { w.Family = all.Family })
	add("related words", func() { w.Related, w.RelatedInThread = all.Related, all.RelatedInThread })
	add("meaning", func() { w.Meaning, w.Sure = all.Meaning, all.Sure })
	add("other hits of the thread", func() { w = all })
	found[len(found)-1].least = Figures{R10: 83, R20: 88, MRR: 66}
	return found
}

// A store is an index with the ids of its documents, by number.
type store struct {
	index *recall.InMemory
	ids   []string
}

func newStore(documents []Document) store {
	s := store{index: &recall.InMemory{}, ids: []string{""}}
	for _, d := range documents {
		s.index.Add(recall.Analyze(recall.Text{Body: d.Text, Speaker: d.Speaker, At: d.At}), d.Thread)
		s.ids = append(s.ids, d.ID)
	}
	return s
}

// search adds what is found for the questions.
func (r *Row) search(s store, questions []Question, weights recall.Weights) error {
	for _, question := range questions {
		hits, err := weights.Search(s.index, recall.Query{Text: question.Text, TopK: deep})
		if err != nil {
			return fmt.Errorf("search for question %s: %w", question.ID, err)
		}
		ids := make([]string, len(hits))
		for i, hit := range hits {
			ids[i] = s.ids[hit.Doc]
		}
		r.Add(question, ids)
	}
	return nil
}
