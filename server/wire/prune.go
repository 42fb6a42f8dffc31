package wire

// PruneMode says how much of an output is left out.
type PruneMode string

// The modes.
const (
	PruneNormal     PruneMode = "normal"     // Up to 50 lines stay whole; of more the first and last 30.
	PruneAggressive PruneMode = "aggressive" // Up to 30 lines; 20; and what was there before is left out.
	PruneHyper      PruneMode = "hyper"      // Up to 15 lines; 10.
)

// PruneParams are the output of a tool.
type PruneParams struct {
	Params
	// The tool that printed it. What reading and searching tools print is taken for
	// the content of files.
	Tool string `json:"tool,omitzero"`
	// The command line that printed it.
	Command string `json:"command,omitzero"`
	// What was printed.
	Output string `json:"output"`
	// How much is left out; by default as the pressure of the session asks: normal
	// below 85 %, then aggressive, from 95 % hyper.
	Mode PruneMode `json:"mode,omitzero"`
	// True if the host made the output up; it then stays as it is.
	Synthetic bool `json:"synthetic,omitzero"`
}

// Pruned is an output after pruning.
type Pruned struct {
	// The shortened text. Its last line says how much is left and how to read all of
	// it; "[… 12 lines]" stands where lines were left out. The text as it was, where
	// nothing was left out.
	Output string `json:"output"`
	// Whether anything was left out.
	Pruned bool `json:"pruned"`
	// What the output was recognised as: listing, tree, log, stackTrace, repetition,
	// longOutput, json, base64.
	Kinds []string `json:"kinds"`
	// The mode that was used.
	Mode PruneMode `json:"mode"`
	// Lines before.
	LinesIn int `json:"linesIn"`
	// Lines after.
	LinesOut int `json:"linesOut"`
	// Characters before.
	CharsIn int `json:"charsIn"`
	// Characters after.
	CharsOut int `json:"charsOut"`
	// What to read the full text with, in wm/output/read.
	Ref string `json:"ref,omitzero"`
}
