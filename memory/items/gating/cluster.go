package gating

// maxShared is the number of groups from which a feature that they share says nothing.
const maxShared = 50

// Clusters divides strings into groups and returns those of several strings, as places in the list. The first of a
// group stands for it: every other one is at least so similar to it, and the same. Each string joins the first such
// group.
func Clusters(texts []Sketch, least float64, same func(first, other int) bool) [][]int {
	var groups [][]int
	with := map[uint64][]int{} // the groups by the features of their first
	for i, text := range texts {
		joined := -1
		seen := map[int]bool{}
		for _, feature := range text.features {
			if len(with[feature]) > maxShared {
				continue
			}
			for _, g := range with[feature] {
				first := groups[g][0]
				if seen[g] || joined >= 0 && g >= joined {
					continue
				}
				seen[g] = true
				if texts[first].Similarity(text) >= least && same(first, i) {
					joined = g
				}
			}
		}
		if joined >= 0 {
			groups[joined] = append(groups[joined], i)
			continue
		}
		for _, feature := range text.features {
			with[feature] = append(with[feature], len(groups))
		}
		groups = append(groups, []int{i})
	}
	var several [][]int
	for _, group := range groups {
		if len(group) > 1 {
			several = append(several, group)
		}
	}
	return several
}
