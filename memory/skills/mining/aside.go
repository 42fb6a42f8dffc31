package mining

import (
	"cmp"
	"slices"
	"strings"
)

// completed returns the command lines of a procedure with those of all that was always run with it, where it was mostly
// run. It returns false if one of these is another one each time. A procedure that only checks depends on nothing else.
func (m *miner) completed(set, lines []string, with []*round) (all []string, complete bool) {
	if len(with) == 0 || !slices.ContainsFunc(set, func(key string) bool {
		step := m.steps[key]
		return !step.isCheck() && step.What != Install
	}) {
		return lines, true
	}
	latest := make([]map[string]int, len(with))
	for i, r := range with {
		latest[i] = r.besides(set)
	}
	type aside struct {
		place, at int
		line      string
	}
	var asides []aside
	for program := range latest[0] {
		places := 0
		var runs []Step
		for i, r := range with {
			if at, ran := latest[i][program]; ran {
				places += r.place(set, at)
				runs = append(runs, r.Steps[at])
			}
		}
		if len(runs) < len(with) {
			continue
		}
		line := m.open(runs, with)
		if line == program+" <arg>" && !strings.Contains(program, " ") {
			return nil, false
		}
		asides = append(asides, aside{(places + len(with)/2) / len(with), latest[0][program], line})
	}
	// The last one first, so that those before it keep their places.
	slices.SortFunc(asides, func(a, b aside) int { return cmp.Or(b.place-a.place, b.at-a.at) })
	all = slices.Clone(lines)
	for _, a := range asides {
		all = slices.Insert(all, a.place, a.line)
	}
	return all, true
}

// besides returns what was run in a round besides some commands, did not fail and is no check: the index of the last
// run by the program with its subcommand.
func (r *round) besides(set []string) map[string]int {
	latest := map[string]int{}
	for _, at := range r.asides {
		latest[programOf(r.Steps[at].Key)] = at
	}
	for key, run := range r.runs {
		step := r.Steps[run.at]
		if !slices.Contains(set, key) && run.outcome != Failed && !step.isCheck() && step.What != Install {
			program := programOf(key)
			latest[program] = max(latest[program], run.at)
		}
	}
	return latest
}

// place returns how many commands of a set were run before a step.
func (r *round) place(set []string, at int) int {
	n := 0
	for _, key := range set {
		if r.runs[key].at < at {
			n++
		}
	}
	return n
}

// programOf returns the program of a command, with its folder and its subcommand.
func programOf(key string) string {
	words := strings.Fields(key)
	n := 1
	if strings.HasSuffix(words[0], ":") && len(words) > 1 {
		n++
	}
	if n < len(words) && subcommand.MatchString(words[n]) {
		n++
	}
	return strings.Join(words[:n], " ")
}

// open returns the line of commands of one program, with placeholders for what differs.
func (m *miner) open(runs []Step, with []*round) string {
	if !slices.ContainsFunc(runs, func(s Step) bool { return s.Key != runs[0].Key }) {
		return m.line(runs[0].Key, with)
	}
	words := strings.Fields(runs[0].Line)
	for _, s := range runs[1:] {
		others := strings.Fields(s.Line)
		if len(others) != len(words) { // only their beginnings can be compared
			n := 0
			for n < min(len(words), len(others)) && words[n] == others[n] {
				n++
			}
			words = append(words[:n:n], "<arg>")
			continue
		}
		for i := range words {
			if words[i] != others[i] {
				words[i] = "<arg>"
			}
		}
	}
	return strings.Join(words, " ")
}
