// Package found measures how much of what is asked for is found, on sets of documents and
// questions that are not part of this repository: folders in the form of LoCoMo as a retrieval
// task (turns.jsonl, questions.jsonl) and of coding memories (memories.txt, questions.txt).
package found

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Set is documents and questions about them. Each group of documents is searched by itself.
type Set struct {
	Groups []Group
}

// A Group is documents that are searched together.
type Group struct {
	Name      string
	Documents []Document
	Questions []Question
}

// A Document is what can be found.
type Document struct {
	ID, Thread, Speaker, Text string
	At                        time.Time
}

// A Question is answered by documents.
type Question struct {
	ID, Kind, Text string
	Evidence       []string // ids of documents
}

// Figures are averages over questions, in percent.
type Figures struct {
	Questions     int
	R10, R20, MRR float64
}

// Add adds what one question found: the ids in their order.
func (f *Figures) Add(question Question, ids []string) {
	evidence := map[string]bool{}
	for _, id := range question.Evidence {
		evidence[id] = true
	}
	first, ten, twenty := 0, 0, 0
	for i, id := range ids {
		if !evidence[id] {
			continue
		}
		if first == 0 {
			first = i + 1
		}
		if i < 10 {
			ten++
		}
		if i < 20 {
			twenty++
		}
	}
	f.Questions++
	share := 100 / float64(len(evidence))
	f.R10 += float64(ten) * share
	f.R20 += float64(twenty) * share
	if first > 0 {
		f.MRR += 100 / float64(first)
	}
}

// Mean returns the averages of what was added.
func (f Figures) Mean() Figures {
	n := float64(max(f.Questions, 1))
	return Figures{f.Questions, f.R10 / n, f.R20 / n, f.MRR / n}
}

// String returns the averages as a row of a table.
func (f Figures) String() string {
	mean := f.Mean()
	return fmt.Sprintf("%.1f / %.1f / %.1f", mean.R10, mean.R20, mean.MRR)
}

// Conversations reads a folder in the form of LoCoMo: one group per conversation.
func Conversations(dir string) (Set, error) {
	type turn struct {
		ID, Conv, Date, Speaker, Text, Caption string
		Session                                int
	}
	type question struct {
		ID, Conv, Cat, Question string
		Evidence                []string
	}
	var set Set
	at := map[string]int{}
	err := lines(filepath.Join(dir, "turns.jsonl"), func(line []byte) error {
		var t turn
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
		when, err := time.Parse("3:04 pm on 2 January, 2006", t.Date)
		if err != nil {
			return err
		}
		if _, is := at[t.Conv]; !is {
			at[t.Conv] = len(set.Groups)
			set.Groups = append(set.Groups, Group{Name: t.Conv})
		}
		group := &set.Groups[at[t.Conv]]
		group.Documents = append(group.Documents, Document{
			ID: t.ID, Thread: fmt.Sprintf("%s/%d", t.Conv, t.Session), Speaker: t.Speaker,
			Text: strings.TrimSpace(t.Text + " " + t.Caption), At: when,
		})
		return nil
	})
	if err != nil {
		return set, err
	}
	return set, lines(filepath.Join(dir, "questions.jsonl"), func(line []byte) error {
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		i, is := at[q.Conv]
		if !is {
			return fmt.Errorf("question %s is about an unknown conversation", q.ID)
		}
		set.Groups[i].Questions = append(set.Groups[i].Questions,
			Question{ID: q.ID, Kind: q.Cat, Text: q.Question, Evidence: q.Evidence})
		return nil
	})
}

// Memories reads a folder of coding memories: one group of documents without threads.
func Memories(dir string) (Set, error) {
	var group Group
	err := lines(filepath.Join(dir, "memories.txt"), func(line []byte) error {
		id, text, is := strings.Cut(string(line), "|")
		if !is {
			return fmt.Errorf("no | in %q", line)
		}
		group.Documents = append(group.Documents, Document{ID: id, Text: text})
		return nil
	})
	if err != nil {
		return Set{}, err
	}
	err = lines(filepath.Join(dir, "questions.txt"), func(line []byte) error {
		id, text, is := strings.Cut(string(line), "|")
		if !is {
			return fmt.Errorf("no | in %q", line)
		}
		group.Questions = append(group.Questions, Question{ID: id, Kind: id[:1], Text: text, Evidence: []string{id}})
		return nil
	})
	return Set{Groups: []Group{group}}, err
}

// lines calls do with each line of a file that is not empty.
func lines(path string, do func([]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		if err := do(scanner.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return scanner.Err()
}
