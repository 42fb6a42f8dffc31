package wire

import "reflect"

// A Group is a chapter of the protocol.
type Group string

// The chapters.
const (
	GroupHappened Group = "What happened"
	GroupRecall   Group = "Recall"
	GroupKeeping  Group = "Keeping"
)

// Access says what a method may do to the memory, and with that in which order it
// is followed.
type Access string

// The accesses.
const (
	// Reads is for methods that change nothing that any other method tells of. They
	// are followed at the same time, each after everything that came before it.
	Reads Access = "reads"
	// Mutates is for methods that may change the memory. Those of a workspace are
	// followed one after the other, in the order in which they came.
	Mutates Access = "mutates"
)

// A Method is one wm/* method that a client can call.
type Method struct {
	Name   string
	Access Access
	// Event is true if the method tells what happened: it may then be sent as a
	// notification too.
	Event bool
	// Params and Result are the struct types of the parameters and the result.
	Params, Result reflect.Type
	Group          Group
	// Doc says what the method is for, in one or two sentences.
	Doc string
}

// MethodDiagnosticsChanged is taken in another way as a notification than as a
// request.
const MethodDiagnosticsChanged = "wm/diagnostics/changed"

// Methods returns every wm/* method, in the order of the document.
func Methods() []Method {
	return []Method{
		mutates[SessionStartParams, SessionStartResult]("wm/session/start", GroupHappened,
			"A session begins or resumes. Nobody has to say so: an event of an unknown session starts it."),
		mutates[SessionEndParams, Empty]("wm/session/end", GroupHappened,
			"A session is over. What it remembered stays."),
		mutates[SessionDeleteParams, SessionDeleteResult]("wm/session/delete", GroupHappened,
			"A session is to be forgotten: its files, its rows and whatever is still pending. Workspace memory stays."),
		reads[SessionListParams, SessionListResult]("wm/session/list", GroupHappened,
			"The sessions of the workspace."),
		event[DiagnosticsChangedParams, DiagnosticsChangedResult](
			MethodDiagnosticsChanged,
			"A language server's findings for a file changed. As a notification for an unsaved file, errors open "+
				"when the file has been still for a while or is saved; as a request at once.",
		),
		event[ToolExecutedParams, ToolExecutedResult]("wm/tool/executed",
			"An agent ran a tool: files become active, errors open and close."),
		event[MessageReceivedParams, MessageReceivedResult]("wm/message/received",
			"A message was added to the conversation: requests to remember become memories, decisions are noted."),
		event[TodosChangedParams, Empty]("wm/todos/changed",
			"The host's own todo list changed."),
		event[UsageReportedParams, Pressure](
			"wm/usage/reported",
			"An agent tells how full its context is. The latest report counts; when it becomes critical the client "+
				"is sent wm/intervention.",
		),
		event[StateEventParams, Empty](
			"wm/state/event",
			"The task went on: task_started, decision_made, bug_found, compression_completed, task_completed or "+
				"context_changed. It is written into the overview.",
		),
		reads[CompactionStartingParams, CompactionStartingResult]("wm/compaction/starting", GroupHappened,
			"The conversation is about to be summarised: what the summary must not lose."),
		mutates[CompactionFinishedParams, CompactionFinishedResult]("wm/compaction/finished", GroupHappened,
			"The conversation was replaced by a summary: its candidates and the session's decisions become memories."),

		reads[ContextParams, ContextResult]("wm/context", GroupRecall,
			"What an agent should know before it goes on."),
		reads[ErrorsListParams, ErrorsListResult]("wm/errors/list", GroupRecall,
			"The open errors."),
		reads[FilesListParams, FilesListResult]("wm/files/list", GroupRecall,
			"The active files."),
		reads[PanelParams, PanelResult]("wm/panel", GroupRecall,
			"What an editor paints."),
		reads[PressureParams, Pressure]("wm/pressure", GroupRecall,
			"How full the agent's context is, by its latest report."),
		reads[PanelResolveParams, PanelResolveResult]("wm/panel/resolve", GroupRecall,
			"What there is to read about an item of the panel."),

		reads[MemoryListParams, MemoryListResult]("wm/memory/list", GroupKeeping,
			"The workspace memory."),
		mutates[MemoryAddParams, Receipt]("wm/memory/add", GroupKeeping,
			"Remember something. Only an empty text and prompt injection are rejected."),
		mutates[MemoryUpdateParams, Receipt]("wm/memory/update", GroupKeeping,
			"Change an entry."),
		mutates[MemoryRemoveParams, MemoryRemoveResult]("wm/memory/remove", GroupKeeping,
			"Forget an entry."),
		reads[MemoryExplainParams, MemoryExplainResult]("wm/memory/explain", GroupKeeping,
			"How an entry came to be, what happened to it, and why it is in contexts or not."),
		mutates[MemoryRestoreParams, Receipt]("wm/memory/restore", GroupKeeping,
			"Take back an eviction or a removal."),
		mutates[WorkspacePurgeParams, WorkspacePurgeResult]("wm/workspace/purge", GroupKeeping,
			"Forget everything about the workspace, on the disk too."),
		reads[CoreReadParams, CoreReadResult]("wm/core/read", GroupKeeping,
			"The agent's core memory: three blocks of its session that are in every context."),
		mutates[CoreUpdateParams, CoreUpdateResult]("wm/core/update", GroupKeeping,
			"Write a block of the core memory. One that would become too long is refused, and left as it is."),
		reads[WorkingReadParams, WorkingReadResult]("wm/working/read", GroupKeeping,
			"The agent's working memory: what matters in its session right now, taken from what happens in it."),
		mutates[WorkingAddParams, WorkingAddResult]("wm/working/add", GroupKeeping,
			"Hold something in the working memory."),
		mutates[WorkingRemoveParams, WorkingRemoveResult]("wm/working/remove", GroupKeeping,
			"Drop the items that hold a text."),
		mutates[WorkingClearParams, WorkingClearResult]("wm/working/clear", GroupKeeping,
			"Empty a slot, or all of the working memory."),
		mutates[WorkingRestoreParams, WorkingRestoreResult](
			"wm/working/restore",
			GroupKeeping,
			"Take back wm/working/remove or wm/working/clear, with the params that its undo gives. The session has "+
				"to be known.",
		),
		reads[NotesListParams, NotesListResult](
			"wm/notes/list",
			GroupKeeping,
			"The notes of the session, which are files: overview.md is in every context, detail/ and archive/ are "+
				"read on demand.",
		),
		reads[NotesReadParams, NotesReadResult]("wm/notes/read", GroupKeeping,
			"Read a note."),
		mutates[NotesWriteParams, NotesWriteResult](
			"wm/notes/write",
			GroupKeeping,
			"Write a note. One that was changed since ifRevision is left as it is, and both texts can be read; "+
				"without ifRevision what was there before can be.",
		),
		mutates[NotesArchiveParams, NotesArchiveResult]("wm/notes/archive", GroupKeeping,
			"Move a note to the archive."),
		mutates[NotesRestoreParams, NotesRestoreResult]("wm/notes/restore", GroupKeeping,
			"Move a note back from the archive."),
		reads[StateReadParams, StateReadResult]("wm/state/read", GroupKeeping,
			"What the sections of the overview hold, as data."),
		mutates[StateWriteParams, StateWriteResult](
			"wm/state/write",
			GroupKeeping,
			"Write data into the sections of the overview. Sections whose data is the same, and all other text, "+
				"stay as they are.",
		),
		mutates[HistoryCompactParams, HistoryCompactResult](
			"wm/history/compact",
			GroupKeeping,
			"Make the conversation of a session shorter: what leaves it is archived as a note or only summarised, "+
				"and the overview tells of it. The last turns, the current task, the next step and decisions with "+
				"their reasons stay.",
		),
		reads[PruneParams, Pruned](
			"wm/prune",
			GroupKeeping,
			"Shorten the output of a tool before it enters a conversation; every error line stays. The full text is "+
				"kept.",
		),
		reads[OutputReadParams, OutputReadResult]("wm/output/read", GroupKeeping,
			"Read the full text of a pruned output."),
		mutates[SweepParams, SweepResult](
			"wm/sweep",
			GroupKeeping,
			"Delete what was kept for long enough: outputs over their bounds, and what is left of sessions that are "+
				"over. It happens by itself every 500 events.",
		),
		reads[TraceParams, TraceResult]("wm/trace", GroupKeeping,
			"What was changed, by whom and why."),
		mutates[PauseParams, PauseResult]("wm/pause", GroupKeeping,
			"Record nothing for a while, or go on."),
		reads[StatusParams, StatusResult]("wm/status", GroupKeeping,
			"How the server is, where memory is kept, and what is wrong."),
	}
}

func reads[P, R any](name string, group Group, doc string) Method {
	return Method{
		Name: name, Access: Reads, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R](), Group: group, Doc: doc,
	}
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
