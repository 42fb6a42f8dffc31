package gate

// Sessions returns the number of sessions whose last message is known.
func (g *Events) Sessions() int { return len(g.tails) }
