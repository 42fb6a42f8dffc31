package reads

import (
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/recall"
)

// Tuned means that a person or an agent applied coefficients, or took them back. The payload is a
// Tuning.
const Tuned change.Kind = "search.tuned"

// tunedKey is the key of the row with the latest Tuning.
const tunedKey = "tuned"

// A Tuning is coefficients that replace those of the settings, as long as the settings are the same.
type Tuning struct {
	// Applied is nil if the settings are in force again.
	Applied *recall.Coefficients `json:"applied,omitempty"`
	// Instead are the coefficients of the settings.
	Instead recall.Coefficients `json:"instead"`
}

// CoefficientsOf returns the coefficients of the settings.
func CoefficientsOf(set settings.Recall) recall.Coefficients {
	return recall.Coefficients{
		Similarity: set.Similarity, Recency: set.Recency, Importance: set.Importance, Duplication: set.Duplication,
		Decay: set.Decay,
	}
}

// Coefficients returns the coefficients in force: those that were applied to the ones of the settings,
// or these.
func (r *Room) Coefficients(set recall.Coefficients) recall.Coefficients {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if tuned := r.tuned[tunedKey]; tuned.Applied != nil && tuned.Instead == set {
		return *tuned.Applied
	}
	return set
}

// Tune returns the change that applies coefficients in place of those of the settings, or takes them
// back if they are nil. It is empty if they are in force already.
func (r *Room) Tune(to *recall.Coefficients, set recall.Coefficients) []change.Change {
	before := r.Coefficients(set)
	after := set
	if to != nil {
		after = *to
	}
	if before == after {
		return nil
	}
	if after == set {
		to = nil
	}
	return []change.Change{change.New(Tuned, tunedKey, Tuning{to, set}).WithBefore(before)}
}

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	if c.Kind != Tuned {
		return nil, nil
	}
	var tuning Tuning
	if err := c.Decode(&tuning); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return []change.Row{r.tuned.Put(tunedKey, tuning)}, nil
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tuned.LoadAll(rows)
}
