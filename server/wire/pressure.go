package wire

// PressureParams ask how full the agent's context is.
type PressureParams struct {
	Params
}

// Pressure is how much of its context an agent has used.
type Pressure struct {
	// How full it is.
	Level PressureLevel `json:"level"`
	// How hard to compress.
	Hint PressureHint `json:"hint"`
	// What to compress then.
	Advice string `json:"advice,omitzero"`
	// 100 × used / limit.
	Percentage float64 `json:"percentage"`
	// Used, in units.
	Used int `json:"used"`
	// The limit, in units.
	Limit int `json:"limit"`
	// What is counted.
	Unit PressureUnit `json:"unit"`
	// How often the client was told that the level is critical.
	InterventionsSent int `json:"interventionsSent"`
	// When usage was last reported; empty if it never was.
	LastChecked Time `json:"lastChecked"`
	// Earlier reports, oldest first.
	History []PressurePoint `json:"history"`
}

// PressureLevel says how full the agent's context is.
type PressureLevel string

// The levels.
const (
	PressureSafe     PressureLevel = "safe"     // Under 70 %.
	PressureModerate PressureLevel = "moderate" // 70 to 84 %.
	PressureHigh     PressureLevel = "high"     // 85 to 94 %.
	PressureCritical PressureLevel = "critical" // 95 % and over.
)

// PressureHint says how hard to compress.
type PressureHint string

// The hints.
const (
	HintNormal    PressureHint = "normal"                // Under 20 %.
	HintLight     PressureHint = "light_compression"     // From 20 %.
	HintMedium    PressureHint = "medium_compression"    // From 40 %.
	HintHeavy     PressureHint = "heavy_compression"     // From 60 %.
	HintEmergency PressureHint = "emergency_compression" // From 75 %.
)

// PressureUnit is what usage is counted in.
type PressureUnit string

// The units.
const (
	UnitChars  PressureUnit = "chars"  // Characters.
	UnitTokens PressureUnit = "tokens" // Tokens of the agent's model.
)

// PressurePoint is one earlier report of usage.
type PressurePoint struct {
	// When.
	At Time `json:"at"`
	// 100 × used / limit.
	Percentage float64 `json:"percentage"`
}
