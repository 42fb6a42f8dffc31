package skills

// A Match is a skill that fits a purpose.
type Match struct {
	Skill
	// Score is how well it fits, 0 to 1.
	Score float64
}

// Route returns the skills for what is to be done, the best first, at most limit.
func Route(list []Skill, query string, limit int) []Match { return nil }
