package wire

import "reflect"

// A Group is a chapter of docs/protocol.md.
type Group string

// The chapters.
const (
	GroupHappened Group = "What happened"
	GroupRecall   Group = "Recall"
	GroupKeeping  Group = "Keeping"
)

// Access is read or mutate. It determines the order of execution.
type Access string

// The accesses.
const (
	// Reads is for methods that return what is known. They run concurrently, each after all
	// mutations that were received before it. If one also changes the memory, as wm/context does
	// when it records what a session was told, it starts a mutation of its own.
	Reads Access = "reads"
	// Mutates is for methods that may change the memory. Those of a workspace run one
	// after the other, in the order in which they were received.
	Mutates Access = "mutates"
)

// A Method is a wm/* method that a client can call.
type Method struct {
	Name   string
	Access Access
	// Event reports whether the method reports an event. It may then also be sent as a
	// notification.
	Event bool
	// Soon reports whether a method that reads waits less than a second for the mutations
	// before it, and then shows what there is.
	Soon bool
	// Destructive reports whether a method that mutates may remove or overwrite something, and
	// Idempotent whether it changes nothing more when it is called again with the same params.
	Destructive, Idempotent bool
	// Params and Result are the struct types of the parameters and the result.
	Params, Result reflect.Type
	Group          Group
	// Doc describes the method in a few sentences.
	Doc string
}

// MethodDiagnosticsChanged has another effect as a notification than as a request.
const MethodDiagnosticsChanged = "wm/diagnostics/changed"

// Methods returns all wm/* methods, in the order of docs/protocol.md.
func Methods() []Method {
	return []Method{
		idempotent(mutates[SessionStartParams, SessionStartResult]("wm/session/start", GroupHappened,
			"Start or resume a session. This is optional: an event of an unknown session starts it.")),
		idempotent(mutates[SessionEndParams, SessionEndResult]("wm/session/end", GroupHappened,
			"End a session. Its memory is kept.")),
		reads[SessionHandoverParams, SessionHandoverResult]("wm/session/handover", GroupHappened,
			"Get what an ended session left: what it was about, what fails, its files and notes."),
		idempotent(mutates[SessionContinueParams, SessionContinueResult]("wm/session/continue", GroupHappened,
			"Give what an ended session left to the next agent that starts.")),
		destructive(idempotent(mutates[SessionDeleteParams, SessionDeleteResult]("wm/session/delete", GroupHappened,
			"Delete a session with its files, rows and pending changes. The workspace memory is kept."))),
		reads[SessionListParams, SessionListResult]("wm/session/list", GroupHappened,
			"List the sessions of the workspace."),
		idempotent(event[DiagnosticsChangedParams, DiagnosticsChangedResult](MethodDiagnosticsChanged,
			"The diagnostics of a file changed. As a notification for an unsaved file, errors open when the file "+
				"is saved or has been still for a while; as a request, at once.")),
		event[ToolExecutedParams, ToolExecutedResult]("wm/tool/executed",
			"An agent ran a tool: files become active, errors open and close."),
		event[MessageReceivedParams, MessageReceivedResult]("wm/message/received",
			"A message was added to the conversation: requests to remember become memories, decisions are "+
				"recorded."),
		idempotent(event[TodosChangedParams, Empty]("wm/todos/changed",
			"The todo list of the host changed.")),
		event[UsageReportedParams, Pressure]("wm/usage/reported",
			"Report how full the context of an agent is. The latest report counts. When the level becomes "+
				"critical, the client receives wm/intervention."),
		event[StateEventParams, Empty]("wm/state/event",
			"An event of the task: task_started, decision_made, bug_found, compression_completed, task_completed "+
				"or context_changed. It is written into the overview."),
		reads[CompactionStartingParams, CompactionStartingResult]("wm/compaction/starting", GroupHappened,
			"The conversation is about to be summarised. Returns what the summary must contain."),
		mutates[CompactionFinishedParams, CompactionFinishedResult]("wm/compaction/finished", GroupHappened,
			"The conversation was replaced by a summary: its candidates and the decisions of the session become "+
				"memories."),

		reads[ContextParams, ContextResult]("wm/context", GroupRecall,
			"Get what an agent should know, for its prompt."),
		reads[SearchParams, SearchResult]("wm/search", GroupRecall,
			"Find what is remembered, by its words: the best hits of all stores."),
		reads[ErrorsListParams, ErrorsListResult]("wm/errors/list", GroupRecall,
			"List the open errors."),
		reads[ErrorParams, ErrorsCopyResult]("wm/errors/copy", GroupRecall,
			"Get a description of an open error, for a person to give to an agent."),
		reads[ErrorParams, ErrorsCommandResult]("wm/errors/command", GroupRecall,
			"Get the command that showed an open error, to run it again in a terminal. It is refused if no command "+
				"did, or if it is not known as it was: redaction changed it, or it is too long."),
		reads[FilesListParams, FilesListResult]("wm/files/list", GroupRecall,
			"List the active files."),
		soon[PanelParams, PanelResult]("wm/panel", GroupRecall,
			"Get the panel, which an editor displays. It waits less than a second for what was sent before it."),
		reads[PressureParams, Pressure]("wm/pressure", GroupRecall,
			"Get how full the context of an agent is, by its latest report."),
		reads[BudgetParams, BudgetResult]("wm/budget", GroupRecall,
			"Get how much of each budget is used: of the sections of the context and of the memory types."),
		reads[PanelResolveParams, PanelResolveResult]("wm/panel/resolve", GroupRecall,
			"Get the details of an item of the panel."),

		reads[MemoryListParams, MemoryListResult]("wm/memory/list", GroupKeeping,
			"List the workspace memory."),
		mutates[MemoryAddParams, Receipt]("wm/memory/add", GroupKeeping,
			"Remember something. Only empty text and prompt injection are rejected."),
		destructive(idempotent(mutates[MemoryUpdateParams, Receipt]("wm/memory/update", GroupKeeping,
			"Change an entry."))),
		destructive(idempotent(mutates[MemoryRemoveParams, MemoryRemoveResult]("wm/memory/remove", GroupKeeping,
			"Remove an entry."))),
		reads[MemoryExplainParams, MemoryExplainResult]("wm/memory/explain", GroupKeeping,
			"Get where an entry or item comes from, its changes, and why it is kept or not."),
		idempotent(mutates[MemoryRestoreParams, Receipt]("wm/memory/restore", GroupKeeping,
			"Restore an evicted, removed or superseded entry, or a removed item.")),
		idempotent(mutates[ErrorParams, ErrorsDismissResult]("wm/errors/dismiss", GroupKeeping,
			"Dismiss an open error. It is in no list and no context until it comes back: until a command reports it "+
				"again, or a language server reports it after it was gone.")),
		idempotent(mutates[ErrorParams, ErrorsDismissResult]("wm/errors/restore", GroupKeeping,
			"Undo wm/errors/dismiss.")),
		mutates[ErrorsRememberParams, Receipt]("wm/errors/remember", GroupKeeping,
			"Remember an open error with its fix, as an entry of the workspace memory about its file."),
		destructive(idempotent(mutates[WorkspacePurgeParams, WorkspacePurgeResult]("wm/workspace/purge", GroupKeeping,
			"Delete all memory of the workspace, also on the disk."))),
		reads[CoreReadParams, CoreReadResult]("wm/core/read", GroupKeeping,
			"Get the core memory of a session: three blocks that are in every context."),
		destructive(mutates[CoreUpdateParams, CoreUpdateResult]("wm/core/update", GroupKeeping,
			"Write a block of the core memory. If it would become too long, it is not changed.")),
		reads[WorkingReadParams, WorkingReadResult]("wm/working/read", GroupKeeping,
			"Get the working memory of a session: what matters now, collected from its events."),
		mutates[WorkingAddParams, WorkingAddResult]("wm/working/add", GroupKeeping,
			"Add an item to the working memory."),
		destructive(idempotent(mutates[WorkingRemoveParams, WorkingRemoveResult]("wm/working/remove", GroupKeeping,
			"Remove the items that contain a string."))),
		destructive(idempotent(mutates[WorkingClearParams, WorkingClearResult]("wm/working/clear", GroupKeeping,
			"Clear a slot, or the whole working memory."))),
		idempotent(mutates[WorkingRestoreParams, WorkingRestoreResult]("wm/working/restore", GroupKeeping,
			"Undo wm/working/remove or wm/working/clear, with the params of its undo. The session must exist.")),
		reads[NotesListParams, NotesListResult]("wm/notes/list", GroupKeeping,
			"List the notes of the session, which are files: overview.md is in every context, detail/ and "+
				"archive/ are read on demand."),
		reads[NotesReadParams, NotesReadResult]("wm/notes/read", GroupKeeping,
			"Read a note."),
		idempotent(mutates[NotesWriteParams, NotesWriteResult]("wm/notes/write", GroupKeeping,
			"Write a note. If it was changed since ifRevision, it is not changed, and both versions can be read. "+
				"Without ifRevision, the previous version can be read.")),
		idempotent(mutates[NotesArchiveParams, NotesArchiveResult]("wm/notes/archive", GroupKeeping,
			"Move a note to the archive.")),
		idempotent(mutates[NotesRestoreParams, NotesRestoreResult]("wm/notes/restore", GroupKeeping,
			"Move a note back from the archive.")),
		reads[StateReadParams, StateReadResult]("wm/state/read", GroupKeeping,
			"Read the sections of the overview as data."),
		idempotent(mutates[StateWriteParams, StateWriteResult]("wm/state/write", GroupKeeping,
			"Write data into the sections of the overview. Other text, and sections with the same data, are not "+
				"changed.")),
		destructive(mutates[HistoryCompactParams, HistoryCompactResult]("wm/history/compact", GroupKeeping,
			"Shorten the conversation of a session. Removed messages are archived as a note or only summarised, "+
				"and the overview refers to them. The last turns, the current task, the next step and decisions with "+
				"their reasons are kept.")),
		reads[PruneParams, Pruned]("wm/prune", GroupKeeping,
			"Shorten the output of a tool before it enters a conversation. Every error line is kept, and the full "+
				"output is stored."),
		reads[OutputReadParams, OutputReadResult]("wm/output/read", GroupKeeping,
			"Read the original of a pruned output."),
		idempotent(mutates[SearchTuneParams, SearchTuneResult]("wm/search/tune", GroupKeeping,
			"Apply coefficients to the rating of what is found, such as those that wm/status proposes, or take them "+
				"back.")),
		destructive(idempotent(mutates[SweepParams, SweepResult]("wm/sweep", GroupKeeping,
			"Delete old data: outputs over their limits, and the folders of ended sessions. This also happens "+
				"every 500 events."))),
		idempotent(mutates[MemorizeParams, MemorizeResult]("wm/memorize", GroupKeeping,
			"Store items: observations, facts, thoughts, messages. Each is redacted, scored and routed to a store, or "+
				"rejected because it is not important or not new enough. If one is invalid, none is stored.")),
		mutates[CommitParams, CommitResult]("wm/commit", GroupKeeping,
			"Close the step of a session: the tail of its working memory is summarised, a line is added to the "+
				"progress in the core memory, and what the step has stored is returned."),
		reads[SkillsParams, SkillsResult]("wm/skills", GroupKeeping,
			"List the skills: procedures that succeeded at least three times. With a query, those for what is to "+
				"be done."),
		reads[SkillsGetParams, SkillsGetResult]("wm/skills/get", GroupKeeping,
			"Get a skill, also as a SKILL.md."),
		destructive(idempotent(mutates[SkillsUpdateParams, SkillsUpdateResult]("wm/skills/update", GroupKeeping,
			"Keep or edit a skill."))),
		destructive(idempotent(mutates[SkillsRemoveParams, SkillsRemoveResult]("wm/skills/remove", GroupKeeping,
			"Drop a skill. It is not offered again, and its exported files are deleted unless they were changed."))),
		idempotent(mutates[SkillsRestoreParams, SkillsRestoreResult]("wm/skills/restore", GroupKeeping,
			"Take back that a skill was dropped: it is kept or offered, as it was.")),
		idempotent(mutates[SkillsExportParams, SkillsExportResult]("wm/skills/export", GroupKeeping,
			"Write kept skills as folders with a SKILL.md, which agents read, into a folder that the person chose. "+
				"Only files that were written so and not changed since are replaced.")),
		reads[TraceParams, TraceResult]("wm/trace", GroupKeeping,
			"List changes, with their actor and reason."),
		idempotent(mutates[ImportParams, ImportResult]("wm/import", GroupKeeping,
			"Take over the memory of another program from its files, which stay as they are. What was taken over "+
				"before is not taken over again, even if it was removed since.")),
		mutates[PauseParams, PauseResult]("wm/pause", GroupKeeping,
			"Pause recording for a while, or resume it."),
		soon[StatusParams, StatusResult]("wm/status", GroupKeeping,
			"Get the status of the server, where the memory is stored, and problems. It waits less than a second for "+
				"what was sent before it."),
	}
}

func reads[P, R any](name string, group Group, doc string) Method {
	return Method{
		Name: name, Access: Reads, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R](), Group: group, Doc: doc,
	}
}

func soon[P, R any](name string, group Group, doc string) Method {
	m := reads[P, R](name, group, doc)
	m.Soon = true
	return m
}

func mutates[P, R any](name string, group Group, doc string) Method {
	m := reads[P, R](name, group, doc)
	m.Access = Mutates
	return m
}

func event[P, R any](name, doc string) Method {
	m := mutates[P, R](name, GroupHappened, doc)
	m.Event = true
	return m
}

func destructive(m Method) Method {
	m.Destructive = true
	return m
}

func idempotent(m Method) Method {
	m.Idempotent = true
	return m
}
