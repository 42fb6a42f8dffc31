package wire

// PruneMode is how much of an output is removed.
type PruneMode string

// The modes.
const (
	PruneNormal     PruneMode = "normal"     // Up to 50 lines are kept; of a longer output the first and last 30.
	PruneAggressive PruneMode = "aggressive" // Up to 30 lines, or the first and last 20. Repeated lines are removed.
	PruneHyper      PruneMode = "hyper"      // Up to 15 lines, or the first and last 10. Repeated lines are removed.
)

// PruneParams are the output of a tool to prune.
type PruneParams struct {
	Params
	// The name of the tool. Outputs of tools that read or search are treated as the
	// content of files.
	Tool string `json:"tool,omitzero"`
	// The command line.
	Command string `json:"command,omitzero"`
	// The output.
	Output string `json:"output"`
	// How much to remove. The default depends on the pressure of the session: normal below
	// 85 %, then aggressive, from 95 % hyper.
	Mode PruneMode `json:"mode,omitzero"`
	// True if the output was written by the host. It is not changed then.
	Synthetic bool `json:"synthetic,omitzero"`
}

// Pruned is an output after pruning.
type Pruned struct {
	// The pruned output. "[… 12 lines]" stands for removed lines, and the last line says
	// how much was kept and how to read the whole. If nothing was removed, the output is
	// unchanged.
	Output string `json:"output"`
	// Whether anything was removed.
	Pruned bool `json:"pruned"`
	// The recognised kinds of output: listing, tree, log, stackTrace, repetition,
	// longOutput, json, base64.
	Kinds []string `json:"kinds"`
	// The mode.
	Mode PruneMode `json:"mode"`
	// The number of lines before.
	LinesIn int `json:"linesIn"`
	// The number of lines after.
	LinesOut int `json:"linesOut"`
	// The number of characters before.
	CharsIn int `json:"charsIn"`
	// The number of characters after.
	CharsOut int `json:"charsOut"`
	// The reference of the full output, for wm/output/read.
	Ref string `json:"ref,omitzero"`
}
