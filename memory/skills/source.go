package skills

import (
	"context"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// DocumentPrefix begins the ids of the documents of skills.
const DocumentPrefix = Noun + ":"

// Type is the type of the documents and items of skills.
const Type = "skill"

// Documents returns the document of a skill that was changed, or the id of one that is gone.
func (r *Room) Documents(c change.Change) (put []room.Document, removed []string) {
	if c.Kind.Noun() != Noun {
		return nil, nil
	}
	var s Skill
	if c.Kind != Forgot && c.Decode(&s) == nil && s.Status != Gone {
		return []room.Document{s.document()}, nil
	}
	return nil, []string{DocumentPrefix + c.Subject}
}

// document returns the document of a skill, which is found by the prompts of its evidence, too. What nobody has kept is
// half as important.
func (s *Skill) document() room.Document {
	return room.Document{
		ID: DocumentPrefix + s.ID, Store: gating.Semantic, Type: Type, Text: s.Text(), At: s.UpdatedAt,
		Tags: []string{string(s.Kind)}, Words: slices.Concat(s.Words, s.Prompts), Importance: s.Importance(),
	}
}

// Importance returns how important a skill is, 0 to 1: one that is kept and always succeeded 0.8, one
// that is only offered half as much.
func (s *Skill) Importance() float64 {
	importance := 0.8 * s.Rate()
	if s.Status != Active {
		importance /= 2
	}
	return importance
}

// Each yields the documents of all skills but the dropped ones.
func (r *Room) Each(_ context.Context, _ room.Querier, yield func(room.Document) bool) error {
	for _, s := range r.List(Active, Offering) {
		if !yield(s.document()) {
			break
		}
	}
	return nil
}

// Find returns the documents of skills.
func (r *Room) Find(_ context.Context, _ room.Querier, ids []string) (found []room.Document, err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, id := range ids {
		id, is := strings.CutPrefix(id, DocumentPrefix)
		if s, there := r.skills[id]; is && there && s.Status != Gone {
			found = append(found, s.document())
		}
	}
	return found, nil
}

var _ room.Source = (*Room)(nil)
