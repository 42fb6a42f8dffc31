package skills

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
)

const (
	// leastRate is the success rate that a procedure needs to be offered.
	leastRate = 0.5
	// maxSkills is how many skills are known besides those that were dropped. Above it, the offered ones are forgotten
	// that were not used for the longest time. Kept ones stay.
	maxSkills = 200
	// maxDropped is how many dropped skills are known. They are never offered again, so they are not forgotten before
	// there are so many.
	maxDropped = 1000
)

// Learn returns the changes for what was found: new skills are offered, known ones get their
// evidence, and a new version if what they say changed and no person edited them.
func (r *Room) Learn(found []mining.Found) []change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	now := r.env.Now()
	var changes []change.Change
	names := map[string]bool{}
	for _, s := range r.skills {
		names[s.Name] = true
	}
	known := r.matched(found)
	added := 0
	for i, f := range found {
		if old, there := r.skills[known[i]]; there {
			changes = append(changes, updated(old, f, now)...)
			continue
		}
		if float64(f.Successes) < leastRate*float64(f.Attempts) || r.wasDropped(f) || r.isSaid(f) {
			continue
		}
		s := Skill{
			ID: r.env.NewID(), Kind: f.Kind, Status: Offering, Version: 1, CreatedAt: now, UpdatedAt: now,
			Name: nameOf(f.Title, func(name string) bool { return names[name] }),
		}
		names[s.Name] = true
		s.take(f)
		s.prove(f)
		changes = append(changes, change.New(Learned, s.ID, s).Because(s.Proof()))
		added++
	}
	changes = append(changes, r.merged(found, known)...)
	return append(changes, r.forgotten(added)...)
}

// merged returns the changes that forget offered skills that were not found any more, and are a part
// of what was found: what is mostly done together is offered once.
func (r *Room) merged(found []mining.Found, known []string) []change.Change {
	var changes []change.Change
	for _, id := range slices.Sorted(maps.Keys(r.skills)) {
		s := r.skills[id]
		isPart := func(f mining.Found) bool { return f.Kind == s.Kind && isPartOf(s.Key, f.Key) }
		if s.Status == Offering && !s.Edited && !slices.Contains(known, id) && slices.ContainsFunc(found, isPart) {
			changes = append(changes, change.New(Forgot, id, nil).WithBefore(s).Because("it is a part of another one"))
		}
	}
	return changes
}

// leastAlike is how alike a skill and what was found have to be, to be the same in another way.
const leastAlike = 0.5

// matched returns the id of the known skill for each of what was found, "" if there is none: that
// with the same key, or the most similar one that has all of its parts or of which it has all. What a person has
// decided about comes before what is only offered.
func (r *Room) matched(found []mining.Found) []string {
	type pair struct {
		found   int
		id      string
		alike   float64
		decided int
	}
	var pairs []pair
	for i, f := range found {
		for id, s := range r.skills {
			if s.Kind != f.Kind {
				continue
			}
			if alike := alike(s.Key, f.Key); alike >= leastAlike {
				pairs = append(pairs, pair{i, id, alike, slices.Index([]Status{Offering, Gone, Active}, s.Status)})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(b.decided, a.decided), cmp.Compare(a.found, b.found),
			strings.Compare(a.id, b.id))
	})
	known, taken := make([]string, len(found)), map[string]bool{}
	for _, p := range pairs {
		if known[p.found] == "" && !taken[p.id] {
			known[p.found], taken[p.id] = p.id, true
		}
	}
	return known
}

// alike returns how alike two keys are: 1 if they are the same, the share of the common parts if one
// has all parts of the other, otherwise 0.
func alike(a, b string) float64 {
	if a == b {
		return 1
	}
	all, parts := separated(a), separated(b)
	if len(all) < len(parts) {
		all, parts = parts, all
	}
	if !haveAll(all, parts) {
		return 0
	}
	return float64(len(parts)) / float64(len(all)+1) // not quite the same
}

// wasDropped reports whether somebody dropped a skill with all parts of what was found, or one of several parts that
// are all in it.
func (r *Room) wasDropped(f mining.Found) bool {
	for _, s := range r.skills {
		if s.Status == Gone && s.Kind == f.Kind &&
			(isPartOf(f.Key, s.Key) || len(separated(s.Key)) > 1 && isPartOf(s.Key, f.Key)) {
			return true
		}
	}
	return false
}

// isSaid reports whether a skill has the commands of what was found, under another key: a person wrote them, or it
// leaves an argument open.
func (r *Room) isSaid(f mining.Found) bool {
	for _, s := range r.skills {
		if s.Kind == f.Kind && len(f.Commands) > 0 && slices.EqualFunc(s.Commands, f.Commands, isSame) {
			return true
		}
	}
	return false
}

// isPartOf reports whether a key has only parts of another one.
func isPartOf(key, other string) bool { return haveAll(separated(other), separated(key)) }

// haveAll reports whether all of some parts of a key are among others.
func haveAll(all, parts []string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool {
		return !slices.ContainsFunc(all, func(other string) bool { return isSame(part, other) })
	})
}

// isSame reports whether two commands are the same but for arguments that one of them leaves open. What is open
// depends on which arguments were used, so it changes from time to time.
func isSame(a, b string) bool {
	if a == b {
		return true
	}
	return slices.EqualFunc(strings.Fields(a), strings.Fields(b), func(a, b string) bool {
		return a == b || mining.StandsFor(a, b) || mining.StandsFor(b, a)
	})
}

func separated(key string) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(key, " && ", "\x00"), " + ", "\x00"), "\x00")
}

// updated returns the change of a known skill, if there is any.
func updated(old Skill, f mining.Found, now time.Time) []change.Change {
	s := old.clone()
	kind, reason := Proven, "there is more evidence"
	if !s.Edited && s.Status != Gone {
		s.take(f)
		if !s.isLike(&old) {
			kind, reason = Revised, "it is done in another way now"
			s.Version++
		}
	}
	if s.Status != Gone || isPartOf(old.Key, f.Key) { // what was dropped does not become less
		s.Key = f.Key
	}
	s.prove(f)
	if kind == Proven && s.Key == old.Key && s.Successes == old.Successes && s.Attempts == old.Attempts {
		return nil
	}
	s.UpdatedAt = now
	return []change.Change{change.New(kind, s.ID, s).WithBefore(old).Because(reason)}
}

// take sets what the skill says.
func (s *Skill) take(f mining.Found) {
	s.Key, s.Title, s.Purpose, s.Error = f.Key, f.Title, f.Purpose, f.Error
	s.Commands, s.Avoid, s.Files, s.Triggers, s.Words = f.Commands, f.Avoid, f.Files, f.Triggers, f.Words
}

// prove sets the evidence.
func (s *Skill) prove(f mining.Found) {
	s.Successes, s.Attempts, s.Evidence, s.Prompts = f.Successes, f.Attempts, f.Evidence, f.Prompts
}

// forgotten returns the changes that forget skills over the limits when some are added.
func (r *Room) forgotten(added int) []change.Change {
	var offered, dropped []Skill
	for _, s := range r.skills {
		switch s.Status {
		case Offering:
			offered = append(offered, s)
		case Gone:
			dropped = append(dropped, s)
		}
	}
	var changes []change.Change
	forget := func(list []Skill, over int) {
		slices.SortFunc(list, func(a, b Skill) int {
			return cmp.Or(a.UpdatedAt.Compare(b.UpdatedAt), strings.Compare(a.ID, b.ID))
		})
		for _, s := range list[:max(0, min(over, len(list)))] {
			changes = append(changes, change.New(Forgot, s.ID, nil).WithBefore(s).Because("there are too many"))
		}
	}
	forget(offered, len(r.skills)-len(dropped)+added-maxSkills)
	forget(dropped, len(dropped)-maxDropped)
	return changes
}
