package wire

// PressureParams request the pressure of a session.
type PressureParams struct {
	Params
}

// Pressure is how full the context of an agent is.
type Pressure struct {
	// The level.
	Level PressureLevel `json:"level"`
	// How strongly to compress.
	Hint PressureHint `json:"hint"`
	// What to compress.
	Advice string `json:"advice,omitzero"`
	// 100 × used / limit.
	Percentage float64 `json:"percentage"`
	// The used size, in units.
	Used int `json:"used"`
	// The limit, in units.
	Limit int `json:"limit"`
	// The unit.
	Unit PressureUnit `json:"unit"`
	// The number of wm/intervention notifications.
	InterventionsSent int `json:"interventionsSent"`
	// When usage was last reported; empty if never.
	LastChecked Time `json:"lastChecked"`
	// Earlier reports, oldest first.
	History []PressurePoint `json:"history"`
}

// PressureLevel is how full the context of an agent is.
type PressureLevel string

// The levels.
const (
	PressureSafe     PressureLevel = "safe"     // Below 70 %.
	PressureModerate PressureLevel = "moderate" // 70 to 84 %.
	PressureHigh     PressureLevel = "high"     // 85 to 94 %.
	PressureCritical PressureLevel = "critical" // From 95 %.
)

// PressureHint is the strength of the advice to compress.
type PressureHint string

// The hints.
const (
	HintNormal    PressureHint = "normal"                // Below 20 %.
	HintLight     PressureHint = "light_compression"     // From 20 %.
	HintMedium    PressureHint = "medium_compression"    // From 40 %.
	HintHeavy     PressureHint = "heavy_compression"     // From 60 %.
	HintEmergency PressureHint = "emergency_compression" // From 75 %.
)

// PressureUnit is the unit of usage.
type PressureUnit string

// The units.
const (
	UnitChars  PressureUnit = "chars"  // Characters.
	UnitTokens PressureUnit = "tokens" // Tokens of the agent's model.
)

// PressurePoint is an earlier report of usage.
type PressurePoint struct {
	// The time.
	At Time `json:"at"`
	// 100 × used / limit.
	Percentage float64 `json:"percentage"`
}
