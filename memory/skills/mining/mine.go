package mining

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"
	"time"
)

// An Episode is what a session did for one prompt, in order.
type Episode struct {
	Session string    `json:"session"`
	Turn    int       `json:"turn"`
	At      time.Time `json:"at"`
	// Purpose is the prompt, or its beginning. It may be empty.
	Purpose string `json:"purpose,omitempty"`
	Steps   []Step `json:"steps,omitempty"`
}

// A Kind is the kind of a skill.
type Kind string

// The kinds.
const (
	Procedure Kind = "procedure" // commands that were run together
	Fix       Kind = "fix"       // what ended a failure
	Together  Kind = "files"     // files that change together
)

// A Found is a procedure that succeeded at least Least times.
type Found struct {
	Kind Kind
	// Key identifies it among those of its kind: what a later run of Mine finds under the same key
	// is the same.
	Key string
	// Title says in a few words what it does, Purpose in a sentence when it is to be used, if the title does not say
	// that.
	Title, Purpose string
	// Commands are the command lines, in order. Placeholders such as <path> stand for what
	// differs. The first command of a Fix is the one that failed.
	Commands []string
	// Error is what the failing command of a Fix reported, if it was the same each time.
	Error string
	// Files are files that change together, or that are changed to end a failure. Triggers are those of the former
	// whose change mostly is one of others, too; they are the first ones.
	Files, Triggers []string
	// Avoid are commands for the same that always failed.
	Avoid []string
	// Words are words that prompts of its episodes have in common and that others do not have, if the
	// commands themselves do not say what they are for.
	Words []string
	// Successes of Attempts ended well.
	Successes, Attempts int
	// Evidence are the episodes in which it succeeded, the latest first, at most maxEvidence.
	Evidence []Evidence
	// Prompts are the words of the prompts of the evidence, the most frequent first, at most maxAsked.
	Prompts []string
}

// Evidence names an episode.
type Evidence struct {
	Session string    `json:"session"`
	Turn    int       `json:"turn"`
	At      time.Time `json:"at"`
}

// Least is how often a procedure has to succeed.
const Least = 3

const (
	maxEvidence = 10
	// maxAsked is how many words of prompts are kept beside a procedure.
	maxAsked = 40
	// maxCommands is the number of different commands from which pairs are made, the most
	// frequent ones.
	maxCommands = 100
	// share is the share of the episodes with one part of a procedure that have the other part.
	share = 0.5
	// maxTogether is the number of files from which an episode says nothing about which change
	// together: a renaming or a new format touches all.
	maxTogether = 12
	// oneWay is the share of the changes of a file with which another one changes at least, and
	// maxFollowing the number of such files.
	oneWay       = 0.75
	maxFollowing = 4
)

// Mine returns the procedures of episodes, in order of their kinds and keys.
func Mine(episodes []Episode) []Found {
	m := miner{}
	for _, e := range generalised(episodes) {
		m.add(&e)
	}
	m.index()
	found := slices.Concat(m.procedures(), m.fixes(), m.together())
	slices.SortFunc(
		found,
		func(a, b Found) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key)) },
	)
	return found
}

// varied is the number of different operands from which a command of an unknown program takes any.
const varied = 4

// generalised returns episodes in which <arg> stands for an operand of an unknown program that often
// is another one. Its first operand is a subcommand, which stays.
func generalised(episodes []Episode) []Episode {
	operands := map[string]map[string]bool{} // by command without it
	each := func(visit func(s *Step, rest, operand string)) {
		for i := range episodes {
			for j := range episodes[i].Steps {
				s := &episodes[i].Steps[j]
				if s.What != Other {
					continue
				}
				words := strings.Fields(s.Key)
				at := 0
				for n, w := range words {
					if strings.HasPrefix(w, "-") || strings.HasPrefix(w, "<") || strings.HasSuffix(w, ":") {
						continue
					}
					if isScript(s.Own) && path.Clean(w) == s.Own {
						at = 0 // what runs it does not matter
					}
					if at++; at == 3 {
						visit(s, strings.Join(slices.Concat(words[:n], []string{"<arg>"}, words[n+1:]), " "), w)
						break
					}
				}
			}
		}
	}
	each(func(_ *Step, rest, operand string) {
		if operands[rest] == nil {
			operands[rest] = map[string]bool{}
		}
		operands[rest][operand] = true
	})
	general := make([]Episode, len(episodes))
	for i, e := range episodes {
		e.Steps = slices.Clone(e.Steps)
		general[i] = e
	}
	episodes = general
	each(func(s *Step, rest, operand string) {
		if len(operands[rest]) < varied {
			return
		}
		line := strings.Fields(s.Line)
		if at := slices.Index(line, operand); at > 0 {
			before := len(placesIn(strings.Join(line[:at], " ")))
			line[at] = "<arg>"
			s.Key, s.Line = rest, strings.Join(line, " ")
			s.Values = slices.Insert(slices.Clone(s.Values), min(before, len(s.Values)), operand)
		}
	})
	return episodes
}

// A round is a part of an episode in which no command was run twice: who runs one again begins
// anew.
type round struct {
	*Episode
	number int              // of the episode
	runs   map[string]*runs // by key
	files  map[string]bool  // that the episode changed
	asides []int            // the indices of those that did not fail
}

// runs are what is known of the run of a command in a round.
type runs struct {
	outcome Outcome
	at      int // the index of the step
}

type miner struct {
	rounds   []round
	episodes []round         // without runs
	steps    map[string]Step // one for each key
	// ended and succeeded are the rounds in which the outcome of a command is known, and in which it
	// succeeded, by its key.
	ended, succeeded map[string]set
	// prompts and everywhere are those of promptsOf, nil until it is called.
	prompts    map[*Episode]prompt
	everywhere map[string]int
}

// A set is a set of rounds, a bit for each.
type set []uint64

func (s set) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// size returns how many rounds are in all of some sets.
func size(sets ...set) int {
	n := 0
	for i := range sets[0] {
		word := sets[0][i]
		for _, s := range sets[1:] {
			word &= s[i]
		}
		n += bits.OnesCount64(word)
	}
	return n
}

// index sets the sets of rounds.
func (m *miner) index() {
	m.ended, m.succeeded = map[string]set{}, map[string]set{}
	words := len(m.rounds)/64 + 1
	for key := range m.steps {
		m.ended[key], m.succeeded[key] = make(set, words), make(set, words)
	}
	for i, r := range m.rounds {
		for key, run := range r.runs {
			if run.outcome != Unknown {
				m.ended[key].add(i)
			}
			if run.outcome == Succeeded {
				m.succeeded[key].add(i)
			}
		}
	}
}

func (m *miner) add(e *Episode) {
	if m.steps == nil {
		m.steps = map[string]Step{}
	}
	files := map[string]bool{}
	now := round{Episode: e, number: len(m.episodes), runs: map[string]*runs{}, files: files}
	last := 0
	end := func(next int) { // what was run aside behind the last command belongs to the next ones
		if len(now.runs) == 0 {
			return
		}
		before := now
		at, _ := slices.BinarySearch(now.asides, next)
		before.asides, now.asides = now.asides[:at:at], now.asides[at:]
		m.rounds, now.runs = append(m.rounds, before), map[string]*runs{}
	}
	for i, s := range e.Steps {
		if s.File != "" {
			files[s.File] = true
			continue
		}
		if s.What == Aside {
			if s.Outcome != Failed {
				now.asides = append(now.asides, i)
			}
			continue
		}
		m.steps[s.Key] = s
		if before := now.runs[s.Key]; before != nil && (before.outcome != Unknown || s.Outcome == Unknown) {
			end(last)
		}
		now.runs[s.Key], last = &runs{s.Outcome, i}, i
	}
	end(len(e.Steps))
	m.episodes = append(m.episodes, round{Episode: e, number: len(m.episodes), files: files})
}

// in returns the rounds in which commands ended well, and the number of those in which their
// outcomes are known.
func (m *miner) in(keys ...string) (with []*round, attempts int) {
	ended := make([]set, 0, len(keys))
	for _, key := range keys {
		ended = append(ended, m.ended[key])
	}
	for i := range m.rounds {
		if !slices.ContainsFunc(keys, func(key string) bool { return !m.succeeded[key].has(i) }) {
			with = append(with, &m.rounds[i])
		}
	}
	return with, size(ended...)
}

// times returns in how many rounds commands ended well.
func (m *miner) times(keys ...string) int {
	sets := make([]set, 0, len(keys))
	for _, key := range keys {
		sets = append(sets, m.succeeded[key])
	}
	return size(sets...)
}

// episodesOf returns the episodes of rounds, each once, in their order.
func episodesOf(with []*round) []*Episode {
	var list []*Episode
	for _, r := range with {
		if len(list) == 0 || list[len(list)-1] != r.Episode {
			list = append(list, r.Episode)
		}
	}
	return list
}

// procedures returns commands that ended well together, and single ones that are worth knowing.
func (m *miner) procedures() []Found {
	support := map[string]int{}
	for key := range m.steps {
		if n := m.times(key); n >= Least {
			support[key] = n
		}
	}
	keys := slices.SortedFunc(maps.Keys(support), func(a, b string) int {
		return cmp.Or(support[b]-support[a], strings.Compare(a, b))
	})
	keys = keys[:min(len(keys), maxCommands)]
	var found []Found
	used := map[string]bool{}
	for {
		set := m.bestPair(keys, support, used)
		if set == nil {
			break
		}
		set = m.extended(set, keys, used)
		for _, key := range set {
			used[key] = true
		}
		if f, worth := m.procedure(set); worth {
			found = append(found, f)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(support)) {
		if used[key] {
			continue
		}
		if f, worth := m.single(key); worth {
			found = append(found, f)
		}
	}
	return found
}

// bestPair returns the two unused commands that ended well together most often, nil if no two did
// often enough.
func (m *miner) bestPair(keys []string, support map[string]int, used map[string]bool) []string {
	var best []string
	most := Least - 1
	for i, a := range keys {
		for _, b := range keys[i+1:] {
			if used[a] || used[b] || support[b] <= most {
				continue
			}
			if n := m.times(a, b); n > most && float64(n) >= share*float64(support[a]) {
				best, most = []string{a, b}, n
			}
		}
	}
	return best
}

// extended returns a set of commands with those that mostly ended well with them.
func (m *miner) extended(set, keys []string, used map[string]bool) []string {
	for {
		all := m.times(set...)
		next, most := "", Least-1
		for _, key := range keys {
			if used[key] || slices.Contains(set, key) {
				continue
			}
			if n := m.times(append(slices.Clone(set), key)...); n > most && float64(n) >= share*float64(all) {
				next, most = key, n
			}
		}
		if next == "" {
			return set
		}
		set = append(set, next)
	}
}

// procedure returns what a set of commands is, and whether it is worth knowing.
func (m *miner) procedure(set []string) (Found, bool) {
	with, attempts := m.in(set...)
	place := map[string]float64{} // the mean place in the order
	for _, d := range with {
		order := slices.Clone(set)
		slices.SortFunc(order, func(a, b string) int { return d.runs[a].at - d.runs[b].at })
		for i, key := range order {
			place[key] += float64(i)
		}
	}
	slices.SortFunc(
		set,
		func(a, b string) int { return cmp.Or(cmp.Compare(place[a], place[b]), strings.Compare(a, b)) },
	)
	f := m.found(Procedure, with, attempts)
	f.Words = m.purposeOf(set, with)
	known := false
	for _, key := range set {
		f.Commands = append(f.Commands, m.line(key, with))
		known = known || m.steps[key].What != Other && !strings.HasPrefix(key, "git ")
	}
	f.Key = strings.Join(slices.Sorted(slices.Values(set)), " && ")
	f.Title, f.Purpose = m.describe(set, f.Commands, with, f.Words)
	f.Avoid = m.failing(set, with)
	var complete bool
	f.Commands, complete = m.completed(set, f.Commands, with)
	return f, complete && f.Successes >= Least && (known || len(f.Words) > 0)
}

// purposeOf returns what prompts have in common in which commands ended well, if the commands do not
// say themselves what they are for.
func (m *miner) purposeOf(keys []string, with []*round) []string {
	for _, key := range keys {
		if step := m.steps[key]; !step.isCheck() && step.What != Install && step.What != Commit {
			return m.words(episodesOf(with))
		}
	}
	return nil
}

// single returns what a command is, and whether it is worth knowing: what everybody who knows the
// program knows is not.
func (m *miner) single(key string) (Found, bool) {
	step := m.steps[key]
	with, attempts := m.in(key)
	if len(episodesOf(with)) < 2 {
		return Found{}, false
	}
	f := m.found(Procedure, with, attempts)
	f.Words = m.purposeOf([]string{key}, with)
	f.Key, f.Commands = key, []string{m.line(key, with)}
	f.Title, f.Purpose = m.describe([]string{key}, f.Commands, with, f.Words)
	f.Avoid = m.failing([]string{key}, with)
	var complete bool
	f.Commands, complete = m.completed([]string{key}, f.Commands, with)
	plain := (step.Own == "" || step.What == Install) && len(strings.Fields(key)) < 4 || strings.HasPrefix(key, "git ")
	return f, complete && !plain && step.What != Commit && (step.What != Other || len(f.Words) > 0)
}

// failing returns commands for the same as some others that failed in their episodes, at least twice,
// and never succeeded.
func (m *miner) failing(keys []string, with []*round) []string {
	var lines []string
	for _, other := range slices.Sorted(maps.Keys(m.steps)) {
		same := slices.ContainsFunc(keys, func(key string) bool {
			return key != other && m.steps[key].What == m.steps[other].What && m.steps[key].What != Other
		})
		if !same || m.times(other) > 0 {
			continue
		}
		failures := 0
		for _, e := range episodesOf(with) {
			if slices.ContainsFunc(e.Steps, func(s Step) bool { return s.Key == other && s.Outcome == Failed }) {
				failures++
			}
		}
		if failures >= 2 {
			lines = append(lines, m.steps[other].Line)
		}
	}
	return lines
}

// found returns what a kind has in common.
func (m *miner) found(kind Kind, with []*round, attempts int) Found {
	episodes := episodesOf(with)
	f := Found{Kind: kind, Successes: len(with), Attempts: attempts}
	latest := episodes[max(0, len(episodes)-maxEvidence):]
	for _, e := range slices.Backward(latest) {
		f.Evidence = append(f.Evidence, Evidence{e.Session, e.Turn, e.At})
	}
	f.Prompts = m.asked(latest)
	return f
}

// line returns the command line of a command in the episodes of rounds: the most frequent one, with
// the arguments that were always the same.
func (m *miner) line(key string, with []*round) string {
	counts := map[string]int{}
	runs := func(visit func(s Step)) {
		for _, e := range episodesOf(with) {
			for _, s := range e.Steps {
				if s.Key == key {
					visit(s)
				}
			}
		}
	}
	runs(func(s Step) { counts[s.Line]++ })
	line := slices.MinFunc(slices.Collect(maps.Keys(counts)), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], len(a)-len(b), strings.Compare(a, b))
	})
	// A value is that of the n-th placeholder of its kind, wherever it stands.
	values := map[string][]string{}
	runs(func(s Step) {
		for i, place := range placesIn(s.Line) {
			if i >= len(s.Values) {
				continue
			}
			value := s.Values[i]
			if !slices.ContainsFunc(values[place], func(v string) bool { return folder(v) == folder(value) }) {
				values[place] = append(values[place], value)
			}
		}
	})
	var same []string
	for _, place := range placesIn(line) {
		same = append(same, "")
		if len(values[place]) == 1 {
			same[len(same)-1] = values[place][0]
		}
	}
	return fill(line, same)
}

var placeholders = []string{
	"<text>", "<url>", "<name>", "<test>", "<number>", "<version>", "<path>", "<id>", "<arg>",
}

// StandsFor reports whether a word of a command is a placeholder, or ends with one, for arguments such as another word.
func StandsFor(word, other string) bool {
	return slices.ContainsFunc(placeholders, func(p string) bool {
		head, ends := strings.CutSuffix(word, p)
		return ends && strings.HasPrefix(other, head)
	})
}

// folder returns a path without what says that it is a folder.
func folder(path string) string { return strings.TrimSuffix(strings.TrimSuffix(path, "..."), "/") }

// placesIn returns the placeholders of a line, each with its number among those of its kind.
func placesIn(line string) []string {
	var places []string
	counts := map[string]int{}
	for _, part := range parts(line) {
		if slices.Contains(placeholders, part) {
			counts[part]++
			places = append(places, fmt.Sprint(part, counts[part]))
		}
	}
	return places
}

// fill replaces the placeholders of a line by values that are not empty.
func fill(line string, values []string) string {
	var b strings.Builder
	i := 0
	for _, part := range parts(line) {
		if slices.Contains(placeholders, part) {
			if i < len(values) && values[i] != "" && !strings.ContainsAny(values[i], " '\"") {
				part = values[i]
			}
			i++
		}
		b.WriteString(part)
	}
	return b.String()
}

// parts returns the placeholders of a line and what stands between them.
func parts(line string) []string {
	var list []string
	for line != "" {
		at, mark := len(line), ""
		for _, p := range placeholders {
			if found := strings.Index(line, p); found >= 0 && found < at {
				at, mark = found, p
			}
		}
		list = append(list, line[:at])
		if mark != "" {
			list = append(list, mark)
		}
		line = line[at+len(mark):]
	}
	return list
}

// A remedy is what was done between a failure of a command and its next run: another command, or the change of a file
// after an error.
type remedy struct{ failing, command, file, err string }

// A tried is how often a remedy was tried, and in which episodes with success.
type tried struct {
	with     []*round
	attempts int
	errors   map[string]int
}

// fixes returns what ended failures of commands.
func (m *miner) fixes() (found []Found) {
	for of, t := range m.remedies() {
		if len(t.with) < Least || float64(len(t.with)) < share*float64(t.attempts) ||
			of.file != "" && sessionsOf(t.with) < 2 {
			continue
		}
		found = append(found, m.fix(of, t))
	}
	return found
}

// remedies returns all that was tried.
func (m *miner) remedies() map[remedy]*tried {
	all := map[remedy]*tried{}
	for i := range m.episodes {
		d := &m.episodes[i]
		for at, s := range d.Steps {
			if s.Outcome != Failed || s.What == Aside {
				continue
			}
			r, ended, known := remedyOf(d.Steps[at+1:], s)
			if !known {
				continue
			}
			of := remedy{failing: s.Key, command: r.Key, file: r.File}
			if r.File != "" {
				if of.err = signature(s.Error); of.err == "" {
					continue
				}
			}
			t := all[of]
			if t == nil {
				t = &tried{errors: map[string]int{}}
				all[of] = t
			}
			t.attempts++
			if ended {
				t.with = append(t.with, d)
				t.errors[s.Error]++
			}
		}
	}
	return all
}

// fix returns a remedy as a procedure.
func (m *miner) fix(of remedy, t *tried) Found {
	f := m.found(Fix, t.with, t.attempts)
	f.Successes = len(t.with)
	f.Key = of.failing + " => " + of.command + of.file + of.err
	f.Commands = []string{m.line(of.failing, t.with)}
	if f.Error = of.err; len(t.errors) == 1 {
		f.Error = slices.Collect(maps.Keys(t.errors))[0]
	}
	if of.command != "" {
		f.Commands = append(f.Commands, m.line(of.command, t.with))
	} else {
		f.Files = []string{of.file}
	}
	f.Title = "Fix a failing " + f.Commands[0]
	if f.Error != "" {
		f.Purpose = "When it fails with “" + f.Error + "”."
	}
	return f
}

// sessionsOf returns in how many sessions episodes were.
func sessionsOf(episodes []*round) int {
	sessions := map[string]bool{}
	for _, d := range episodes {
		sessions[d.Session] = true
	}
	return len(sessions)
}

// remedyOf returns the only thing that was done between a failure of a command and its next run, and
// whether that succeeded. known is false if there is no such run, or if nothing or more was done.
func remedyOf(steps []Step, failing Step) (only Step, ended, known bool) {
	for _, s := range steps {
		if s.Key == failing.Key || s.What == failing.What && (s.What == Lint || s.What == Typecheck) {
			if s.Outcome == Unknown {
				return only, false, false
			}
			return only, s.Outcome == Succeeded, known
		}
		switch s.What {
		case Test, Lint, Typecheck, Build, Aside:
			continue // it only looks, or is no remedy
		}
		if known && (s.Key != only.Key || s.File != only.File) {
			return only, false, false
		}
		only, known = s, true
	}
	return only, false, false
}

// signature returns an error without its numbers and names.
func signature(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r >= '0' && r <= '9' {
			r = '#'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// together returns files that change together.
func (m *miner) together() (found []Found) {
	changed, all := m.changed()
	files := slices.Sorted(maps.Keys(changed))
	files = slices.DeleteFunc(files, func(f string) bool { return len(changed[f]) < Least })
	// Of two files that change together, the rule is about the one that changes less.
	slices.SortStableFunc(files, func(a, b string) int { return len(changed[a]) - len(changed[b]) })
	// follows reports whether a change of a file is mostly one of another file, too, and that is not by chance.
	follows := func(file, other string) bool {
		with := withFile(changed[file], other)
		rate := float64(len(with)) / float64(len(changed[file]))
		return len(with) >= Least && rate >= oneWay && rate >= lift*float64(len(changed[other]))/float64(all)
	}
	var habits []habit
	for _, file := range files {
		with, group := changed[file], []string{}
		for _, other := range files {
			if other == file || sameStem(file, other) || len(group) == maxFollowing || !follows(file, other) {
				continue
			}
			both := withFile(with, other)
			if len(both) >= Least && float64(len(both)) >= oneWay*float64(len(changed[file])) {
				with, group = both, append(group, other)
			}
		}
		if len(group) > 0 && sessionsOf(with) > 1 {
			habits = append(habits, habit{[]string{file}, group, with, changed[file]})
		}
	}
	for _, h := range merged(habits) {
		found = append(found, m.filesOf(h))
	}
	return found
}

// A habit is a set of files that change together.
type habit struct {
	triggers, others []string // files whose change asks for all, and the rest
	with, attempts   []*round // in which files changed together, and in which a trigger was changed
}

// files returns all files, the triggers first.
func (h *habit) files() []string { return slices.Concat(h.triggers, h.others) }

// merged returns habits in which those are one that have files in common and mostly the same changes.
func merged(habits []habit) []habit {
	for i := 0; i < len(habits); i++ {
		for j := i + 1; j < len(habits); j++ {
			both, one := habits[i].and(&habits[j])
			if one {
				habits[i], habits = both, slices.Delete(habits, j, j+1)
				j = i // it may have more in common with others now
			}
		}
	}
	return habits
}

// and returns two habits as one, and whether they are one.
func (h *habit) and(other *habit) (both habit, one bool) {
	theirs := other.files()
	if !slices.ContainsFunc(h.files(), func(file string) bool { return slices.Contains(theirs, file) }) {
		return both, false
	}
	in := func(list []*round) func(*round) bool {
		return func(d *round) bool { return slices.Contains(list, d) }
	}
	common := len(h.with) - len(slices.DeleteFunc(slices.Clone(h.with), in(other.with)))
	if common < Least || float64(common) < share*float64(max(len(h.with), len(other.with))) {
		return both, false
	}
	united := func(a, b []*round) []*round {
		all := slices.Concat(a, slices.DeleteFunc(slices.Clone(b), in(a)))
		slices.SortFunc(all, func(a, b *round) int { return a.number - b.number })
		return all
	}
	both.triggers = slices.Concat(h.triggers, other.triggers)
	for _, file := range slices.Concat(h.others, other.others) {
		if !slices.Contains(both.triggers, file) && !slices.Contains(both.others, file) {
			both.others = append(both.others, file)
		}
	}
	both.with, both.attempts = united(h.with, other.with), united(h.attempts, other.attempts)
	rate := float64(len(both.with)) / float64(len(both.attempts))
	if len(both.files()) == len(h.files()) && rate < oneWay { // of the same files, the rule that holds more often
		return *h, true
	}
	return both, rate >= share && len(both.files()) <= maxTogether
}

// filesOf returns a habit as a skill.
func (m *miner) filesOf(h habit) Found {
	f := m.found(Together, h.with, len(h.attempts))
	f.Files, f.Triggers = h.files(), h.triggers
	f.Key = strings.Join(slices.Sorted(slices.Values(f.Files)), " + ")
	if len(h.triggers) > 1 {
		f.Title = "Change " + some(baseNames(f.Files)) + " together"
	} else {
		f.Title = "Change " + some(baseNames(h.others)) + " with " + path.Base(h.triggers[0])
	}
	f.Purpose = "When " + joined(h.triggers, "or") + " is changed."
	return f
}

// changed returns the episodes in which files were changed, by file, and how many there are.
func (m *miner) changed() (changed map[string][]*round, all int) {
	changed = map[string][]*round{}
	for i := range m.episodes {
		d := &m.episodes[i]
		if len(d.files) == 0 || len(d.files) > maxTogether {
			continue
		}
		all++
		for file := range d.files {
			changed[file] = append(changed[file], d)
		}
	}
	return changed, all
}

// withFile returns those of some episodes in which a file was changed.
func withFile(episodes []*round, file string) []*round {
	return slices.DeleteFunc(slices.Clone(episodes), func(d *round) bool { return !d.files[file] })
}

// sameStem reports whether everybody knows that two files belong together, such as a file and its
// test.
func sameStem(a, b string) bool {
	stem := func(file string) string {
		name := strings.ToLower(path.Base(file))
		name, _, _ = strings.Cut(strings.TrimPrefix(name, "test_"), ".")
		for _, end := range []string{"_test", "_spec", "-test"} {
			name = strings.TrimSuffix(name, end)
		}
		return name
	}
	return stem(a) == stem(b)
}

func baseNames(files []string) []string {
	names := make([]string, 0, len(files))
	for _, file := range files {
		names = append(names, path.Base(file))
	}
	return names
}

// listed returns a list in words.
func listed(list []string) string { return joined(list, "and") }

// joined returns a list in words, the last one behind a conjunction.
func joined(list []string, conjunction string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " " + conjunction + " " + list[len(list)-1]
}

// maxNamed is how many files a title names.
const maxNamed = 4

// some returns a list in words. Of a long one it names the first.
func some(list []string) string {
	if len(list) > maxNamed {
		list = append(slices.Clone(list[:maxNamed-1]), fmt.Sprintf("%d others", len(list)-maxNamed+1))
	}
	return listed(list)
}
