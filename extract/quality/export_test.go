package quality

import "slices"

// Reasons returns all reasons, in the order in which they are checked.
func Reasons() []Reason {
	reasons := []Reason{Empty, PromptInjection}
	for _, t := range tastes {
		if !slices.Contains(reasons, t.reason) {
			reasons = append(reasons, t.reason)
		}
	}
	return reasons
}
