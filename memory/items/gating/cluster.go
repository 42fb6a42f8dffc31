package gating

import "slices"

// maxShared is the number of groups from which a feature that they share says nothing.
const maxShared = 50

// Clusters divides strings into groups and returns those of several strings, as places in the list. The first of a
// group stands for it: every other one is at least so similar to it, and the same. Each string joins the first such
// group.
func Clusters(texts []Sketch, least float64, same func(first, other int) bool) [][]int {
	var groups [][]int
	with := map[uint64][]int{} // the groups by the features of their first
	// groupOf returns the first group that a string joins, -1 if there is none.
	groupOf := func(i int) int {
		joined := -1
		seen := map[int]bool{}
		for _, feature := range texts[i].features {
			if len(with[feature]) > maxShared {
				continue
			}
			for _, g := range with[feature] {
				if seen[g] || joined >= 0 && g >= joined {
					continue
				}
				seen[g] = true
				if first := groups[g][0]; texts[first].Similarity(texts[i]) >= least && same(first, i) {
					joined = g
				}
			}
		}
		return joined
	}
	for i, text := range texts {
		if g := groupOf(i); g >= 0 {
			groups[g] = append(groups[g], i)
			continue
		}
		for _, feature := range text.features {
			with[feature] = append(with[feature], len(groups))
		}
		groups = append(groups, []int{i})
	}
	return slices.DeleteFunc(groups, func(group []int) bool { return len(group) == 1 })
}
