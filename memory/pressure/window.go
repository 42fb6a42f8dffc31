package pressure

import "github.com/wm-lsp/wm-lsp/memory/event"

// A Part is a part of an agent's context window.
type Part struct {
	ID    PartID
	Label string
	Size  int // in the unit of the report
}

// PartID is the kind of a part.
type PartID string

// The parts, in their order.
const (
	PartMemory  PartID = "memory"  // what an agent is told of this memory
	PartSystem  PartID = "system"  // the host's own instructions
	PartTools   PartID = "tools"   // the descriptions of its tools
	PartHistory PartID = "history" // the conversation, with the outputs of tools
	PartRest    PartID = "rest"    // what is used and of which the host does not say what it is
	PartFree    PartID = "free"
)

// Window divides the window of an agent that is told as much of this memory as told says, in the unit of the
// report. Parts of which nothing is known are left out. What the host reports holds what the agent is told, which is
// taken off the end: hosts put it into the conversation. It returns nil if nothing was reported.
func (p Pressure) Window(told int) []Part {
	if p.Limit == 0 {
		return nil
	}
	parts, left := []Part{}, p.Used
	add := func(id PartID, label string, size int) {
		if size = min(size, left); size > 0 {
			parts, left = append(parts, Part{id, label, size}), left-size
		}
	}
	add(PartMemory, "this memory", told)
	add(PartSystem, "system", p.Split.System)
	add(PartTools, "tools", p.Split.Tools)
	add(PartHistory, "history", p.Split.History)
	rest := "the rest"
	if p.Split == (event.Split{}) {
		rest = "system, tools and history"
	}
	add(PartRest, rest, left)
	left = max(p.Limit-p.Used, 0)
	add(PartFree, "free", left)
	return parts
}
