package wire

// SkillsParams request skills.
type SkillsParams struct {
	Params
	// What is to be done, such as "check my change"; only the skills for it are returned then, the best
	// first, none if none fits.
	Query string `json:"query,omitzero"`
	// The maximum number of skills, 1 to 200; if absent or 0, all, or 3 with a query.
	Limit int `json:"limit,omitzero"`
	// Whether to include skills that were dropped.
	IncludeDropped bool `json:"includeDropped,omitzero"`
}

// SkillsResult is a list of skills.
type SkillsResult struct {
	// The skills: kept ones first, or by how well they fit the query.
	Skills []Skill `json:"skills"`
}

// SkillStatus is what a person has decided about a skill.
type SkillStatus string

// The statuses.
const (
	SkillOffered SkillStatus = "offered" // Nothing yet.
	SkillKept    SkillStatus = "kept"    // It is kept.
	SkillDropped SkillStatus = "dropped" // It was dropped and is not offered again.
)

// SkillKind is the kind of a skill.
type SkillKind string

// The kinds.
const (
	SkillProcedure SkillKind = "procedure" // Commands that were run together and succeeded.
	SkillFix       SkillKind = "fix"       // What ended a failure of a command.
	SkillFiles     SkillKind = "files"     // Files that change together.
)

// Skill is a procedure that succeeded at least three times in the sessions of the workspace. It is an
// item of semantic memory.
type Skill struct {
	// The id.
	ID string `json:"id"`
	// The type, "skill".
	Type string `json:"type"`
	// The store, "semantic".
	Store string `json:"store"`
	// The whole skill in Markdown.
	Text string `json:"text"`
	// The name in SKILL.md and of its folder: letters, digits and hyphens.
	Name string `json:"name"`
	// What it does.
	Title string `json:"title"`
	// When it is used; empty if the title says it.
	Purpose string `json:"purpose"`
	// What it is.
	Kind SkillKind `json:"kind"`
	// What a person has decided.
	Status SkillStatus `json:"status"`
	// The command lines, in order. Words in angle brackets, such as <path>, stand for what differs.
	// The first command of a fix is the one that failed.
	Commands []string `json:"commands"`
	// Commands for the same that always failed.
	Avoid []string `json:"avoid,omitzero"`
	// Files that change together, or that were edited to end a failure, relative to the workspace.
	Files []string `json:"files,omitzero"`
	// What the failing command of a fix reported.
	Error string `json:"error,omitzero"`
	// What a person added.
	Notes string `json:"notes,omitzero"`
	// The version, from 1; it rises when what it says changes.
	Version int `json:"version"`
	// How often it was tried.
	Attempts int `json:"attempts"`
	// How often it succeeded.
	Successes int `json:"successes"`
	// The share of the attempts that succeeded, 0 to 1.
	SuccessRate float64 `json:"successRate"`
	// Where it succeeded, the latest first, at most 10.
	Evidence []SkillEvidence `json:"evidence"`
	// How important it is, 0 to 1.
	Importance float64 `json:"importance"`
	// The estimated length of the text in tokens.
	TokensEstimate int `json:"tokensEstimate"`
	// When it was found.
	Timestamp Time `json:"timestamp"`
	// When it was changed last.
	ModifiedAt Time `json:"modifiedAt"`
	// The absolute paths of the folders that it was exported to.
	ExportedTo []string `json:"exportedTo,omitzero"`
	// The revision of what it says and of its status.
	Revision Revision `json:"revision"`
	// With a query: how well it fits, 0 to 1.
	Score float64 `json:"score,omitzero"`
}

// SkillEvidence names an episode in which a skill succeeded.
type SkillEvidence struct {
	// The session.
	SessionID string `json:"sessionId"`
	// The number of the prompt in the session, 0 before the first.
	Turn int `json:"turn"`
	// When it began.
	At Time `json:"at"`
}

// SkillsGetParams name a skill.
type SkillsGetParams struct {
	Params
	// The id or name of the skill.
	ID string `json:"id"`
}

// SkillsGetResult is a skill.
type SkillsGetResult struct {
	// The skill.
	Skill Skill `json:"skill"`
	// Its SKILL.md.
	Document string `json:"document"`
	// It and its evidence as Markdown, for people.
	Markdown string `json:"markdown"`
}

// SkillsUpdateParams change a skill. Absent members stay as they are. What a person says is not
// changed by what is found later.
type SkillsUpdateParams struct {
	Params
	// The id or name of the skill.
	ID string `json:"id"`
	// "kept" keeps a skill that is offered; "offered" makes it an offer again.
	Status *SkillStatus `json:"status,omitzero"`
	// What it does, at most 200 characters.
	Title *string `json:"title,omitzero"`
	// When it is used, at most 1000 characters; empty if the title says it.
	Purpose *string `json:"purpose,omitzero"`
	// The command lines, one a line.
	Commands *string `json:"commands,omitzero"`
	// What else to know, at most 8000 characters; an empty text removes it.
	Notes *string `json:"notes,omitzero"`
	// The revision from an undo or a conflict. If the current one is different, nothing is changed.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// SkillsUpdateResult is the changed skill.
type SkillsUpdateResult struct {
	// The skill.
	Skill Skill `json:"skill"`
	// The call that takes the change back; absent if nothing was changed.
	Undo *Undo `json:"undo,omitzero"`
}

// SkillsRemoveParams name a skill to drop.
type SkillsRemoveParams struct {
	Params
	// The id or name of the skill.
	ID string `json:"id"`
	// The revision from an undo or a conflict. If the current one is different, nothing is dropped.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// SkillsRemoveResult is the dropped skill.
type SkillsRemoveResult struct {
	// The skill.
	Skill Skill `json:"skill"`
	// Exported files of it that stay, because they were changed since or cannot be deleted.
	FilesLeft []string `json:"filesLeft,omitzero"`
	// What to tell a person if there are such files.
	Message string `json:"message,omitzero"`
}

// SkillsRestoreParams name a skill that was dropped.
type SkillsRestoreParams struct {
	Params
	// The id or name of the skill.
	ID string `json:"id"`
}

// SkillsRestoreResult is the restored skill, which is kept or offered, as it was.
type SkillsRestoreResult struct {
	// The skill.
	Skill Skill `json:"skill"`
}

// SkillsExportParams say where to write skills.
type SkillsExportParams struct {
	Params
	// The folder that the person chose, such as .agents/skills or .claude/skills: absolute, relative to
	// the workspace, or below "~". It is made if it is not there.
	Folder string `json:"folder"`
	// True if the person agreed to files being written there. Otherwise nothing is written.
	Consent bool `json:"consent"`
	// The ids or names of kept skills; all by default.
	IDs []string `json:"ids,omitzero"`
}

// SkillsExportResult lists what was written.
type SkillsExportResult struct {
	// The skills.
	Skills []SkillExport `json:"skills"`
	// What to tell a person.
	Message string `json:"message"`
}

// SkillExportStatus is what became of an exported skill.
type SkillExportStatus string

// The statuses.
const (
	SkillWritten   SkillExportStatus = "written"   // It was written.
	SkillUnchanged SkillExportStatus = "unchanged" // It was there already.
	SkillLeft      SkillExportStatus = "left"      // Something else is in its place, and was left as it is.
)

// SkillExport is a skill that was to be exported.
type SkillExport struct {
	// The id of the skill.
	ID string `json:"id"`
	// Its name.
	Name string `json:"name"`
	// The absolute path of its SKILL.md.
	Path string `json:"path"`
	// What became of it.
	Status SkillExportStatus `json:"status"`
	// Why it was left.
	Reason string `json:"reason,omitzero"`
}
