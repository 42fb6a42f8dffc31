// Generated from server/wire by go test ./server/wire -run Current -update; edit the Go types instead.

/** ActiveFile is a file that is in use. */
export interface ActiveFile {
  /** The path, relative to the workspace, with /. */
  path: string;
  /** The action with the highest weight. */
  action: FileAction;
  /** The number of actions. */
  count: number;
  /** The weight of the action + 3 × count (systems.md B8). */
  rank: number;
  /** When the last action was. */
  lastSeen: Time;
  /** The session that changed it last, or else that of the last action. */
  sessionId: string;
  /** The agent or editor of that session. */
  by?: string;
  /** The SHA-256 of its content at that time, in hex, if known. */
  hash?: string;
}

/** Author is who put something into words. */
export type Author =
  | "person" // A person: in a message, at an editor or terminal, or by hand.
  | "agent" // An agent, with a tool or in a message.
  | "summary" // An agent's summary of a conversation.
  | "machine"; // It was taken over from another program.

/** BudgetParams request how full the budgets are. */
export type BudgetParams = Params;

/** BudgetResult is how much of each budget is used. */
export interface BudgetResult {
  /** The tokens of the sections of the context that have a limit. */
  tokens: TokenBudget;
  /** These sections, in the order of the context. */
  sections: SectionBudget[];
  /** The memory types that hold items. */
  memoryTypes: MemoryType[];
  /** The number of tool events and messages in the session. */
  events: number;
  /** The time for a context. */
  time: TimeBudget;
}

/** BudgetUnit is what room is counted in. */
export type BudgetUnit =
  | "chars" // Characters.
  | "entries" // Entries.
  | "tokens"; // Tokens.

/**
 * Changed notifies a client that sections of the panel have changed, in this or another process. A slow
 * client receives one notification for several changes.
 */
export interface Changed {
  /** The URI of the workspace folder. */
  workspace: string;
  /** The seq of wm/panel, which grows during a connection. */
  seq: number;
  /** The ids of the changed sections. */
  sections: string[];
}

/** ClientCapability is experimental.workingMemory in the client's capabilities. */
export interface ClientCapability {
  /** Whether the client wants wm/* notifications. */
  notifications?: boolean;
}

/**
 * Code is the code of a diagnostic. On the wire it is a string, a number, or an object
 * with one of these as value, which some editors send.
 */
export type Code = string | number | {value: string | number};

/** Coefficients say how much each part of a score counts, see recall in the settings. */
export interface Coefficients {
  /** How much counts how well a document fits the query, 0 to 1. */
  similarity: number;
  /** How much counts how new a document is, 0 to 1. */
  recency: number;
  /** How much counts how important a document is, 0 to 1. */
  importance: number;
  /** How much is taken away from a document whose words are those of a better one, 0 to 1. */
  duplication: number;
  /** How fast a document is no longer new: after d days, exp(-decay·d) of its recency is left; 0 to 10. */
  decay: number;
}

/** CommitEpisode is an episode: a piece of work in one or several threads. */
export interface CommitEpisode {
  /** The id, as in MemoryItem.episodeId. */
  id: string;
  /** What was asked for, which files were changed and what came of the checks; empty if nothing is known of it. */
  line: string;
  /** When it began. */
  begunAt: Time;
  /** When it last went on. */
  lastAt: Time;
  /** When it ended; absent while it goes on. */
  endedAt?: Time;
  /** Why it ended. */
  ending?: string;
  /** The sessions and channels in which it happened. */
  threads: string[];
  /** The number of its items. */
  items: number;
  /** The id of the item with its summary; absent before there is one. */
  summaryId?: string;
}

/** CommitExports are what a step has stored, and the goals. */
export interface CommitExports {
  /** The items in episodic memory, oldest first; the newest 200. */
  episodic: MemoryItem[];
  /** The items in semantic memory, oldest first; the newest 200. */
  semantic: MemoryItem[];
  /** The episodes of these items and of those in other stores, in the order in which they began. */
  episodes: CommitEpisode[];
  /** The goals of the core memory. */
  goals: CommitGoals;
}

/** CommitGoals are the goals of the core memory, and the progress. */
export interface CommitGoals {
  /** The block goal. */
  goal: string;
  /** The block progress. */
  progress: string;
  /**
   * The line that was added to the progress; absent if there is no goal or no outcome, or if it
   * does not fit.
   */
  added?: string;
}

/** CommitParams close the step of a session. */
export interface CommitParams extends Params {
  /**
   * What the step has achieved, in a line, for the block progress of the core memory; by default
   * the most important outcome among its items.
   */
  progress?: string;
}

/** CommitResult is a step that was closed. */
export interface CommitResult {
  /** The number of the step in the session, from 1. */
  turn: number;
  /** What the step has stored and what is still recalled, by store. */
  writes: CommitWrites[];
  /** The summary of the tail of working memory; absent if it is short. */
  summary?: MemoryItem;
  /** The ids of the items for which the summary stands. They are in episodic memory now, and found as before. */
  summarized: string[];
  /** What the step has stored. */
  exports: CommitExports;
  /** The skills that were found, or of which there is a new version, by what was done until now. */
  skills: Skill[];
}

/** CommitWrites are the items that a step has stored in a store. */
export interface CommitWrites {
  /** The name of the store. */
  store: string;
  /** The number of items. */
  items: number;
  /** The number of their tokens. */
  tokens: number;
}

/** CompactionFinishedParams are the summary that has replaced the conversation. */
export interface CompactionFinishedParams extends Params {
  /**
   * The summary. Its last <workspace_memory_candidates> block contains what to
   * remember, in lines of the form "- [type] text".
   */
  summary: string;
}

/** CompactionFinishedResult is what was remembered of the summary, and what is offered. */
export interface CompactionFinishedResult {
  /** A receipt for each candidate. */
  memories: Receipt[];
  /** A receipt for each decision, rule and root cause outside of the block that is offered now. */
  promoted: Receipt[];
}

/** CompactionStartingParams report that the conversation is about to be summarised. */
export type CompactionStartingParams = Params;

/** CompactionStartingResult is what the summary must contain. */
export interface CompactionStartingResult {
  /** The text to add to the compaction prompt. */
  context: string;
  /**
   * What was said in the session that holds beyond it and that nobody has kept. The context
   * lists it, and the agent keeps one by repeating it as a candidate.
   */
  offered: MemoryEntry[];
}

/** Context is what an agent should know, for its prompt. */
export interface Context {
  /** The prefix and the suffix. */
  text: string;
  /**
   * The stable sections. They are byte for byte the same until their content changes, so
   * a provider can cache the prompt.
   */
  prefix: string;
  /** The volatile sections. */
  suffix: string;
  /** The length of the text in characters. */
  chars: number;
  /** The estimated length of the text in tokens. */
  tokens: number;
  /** The sections of the text, in order. */
  sections: ContextSection[];
  /** How much of the conversation is still needed. */
  history: History;
  /** How full the agent's context is. */
  pressure: Pressure;
  /**
   * What the agent's whole window holds, in the unit of the pressure. Absent if its host never reported how full
   * it is.
   */
  window?: WindowPart[];
}

/**
 * ContextBudget is the maximum length of a context. If it is exceeded, sections are
 * shortened in this order: what the prompt recalls, working, session, workspace, guide, overview, core; pressure and
 * meta never are. The guide and an unchanged template of the overview get at most a quarter
 * of what the prefix may use.
 * 
 * Each section gets what those behind it in that order leave. One that can only be whole, as
 * core and the guide, and does not fit, leaves its place to the sections before it, so a budget
 * of less than 250 characters may hold the session and not the core memory. The prefix does not
 * use the last 80 characters, after a report of the usage the last 500, which meta, pressure,
 * session and working share: the prefix stays the same whatever these hold.
 */
export interface ContextBudget {
  /** In characters; 0 means no limit. */
  chars?: number;
  /** In tokens; 0 means no limit. Both limits apply. */
  tokens?: number;
}

/** ContextDelta is what an agent that has a context has to be told of another one. */
export interface ContextDelta {
  /**
   * What it has to be told, for the prompt, the most important first. It does not tell
   * what the agent did or reported itself.
   */
  text: string;
  /** The ids of new and changed items. */
  added: string[];
  /** The ids of items that no longer hold. */
  removed: string[];
}

/** ContextParams request the context for an agent. */
export interface ContextParams extends Params {
  /**
   * The prompt. The files, errors and items that it names come first in their lists, and what is
   * remembered and fits it well is recalled. Days such as "yesterday" are seen from at.
   */
  query?: string;
  /**
   * What is recalled. A member that is left out has the value of recall.defaultFilters in the
   * settings. Pinned feedback is always recalled.
   */
  filters?: RecallFilters;
  /**
   * The maximum number of documents that are recalled for the prompt, 1 to 50; if absent or 0,
   * recall.topK of the settings.
   */
  topK?: number;
  /**
   * True if the agent has not been told yet what it does with the memory. The context then
   * begins with the guide, otherwise with one line. A difference holds neither.
   */
  guide?: boolean;
  /** The maximum length. */
  budget?: ContextBudget;
  /** The ids of the sections to include, such as workspace and core; all by default. */
  include?: string[];
  /** The ids of the sections to leave out. */
  exclude?: string[];
  /**
   * The revision that the agent has. The result is then the difference, or the whole if
   * the conversation was compacted since.
   */
  since?: Revision;
  /**
   * What the session is told, which is recorded, also for other processes. An agent whose
   * process lives for one event uses it instead of since.
   */
  tell?: Tell;
  /**
   * True if it is for a person and not for an agent. No overview is created, and a
   * deleted session is an error.
   */
  preview?: boolean;
}

/**
 * ContextResult has one of three forms: the whole context; with since, {unchanged, revision}
 * if there is nothing to tell the agent, or {delta, revision}.
 */
export interface ContextResult extends Partial<Context> {
  /** True if nothing has changed that the agent has to be told. */
  unchanged?: boolean;
  /** The difference. */
  delta?: ContextDelta;
  /** The revision, for since in the next request. */
  revision: Revision;
  /**
   * What the section recalled of the context holds. Absent if that is nothing and the request has
   * no query.
   */
  recalled?: Recalled;
  /**
   * The first ten members of the params that were ignored because they are not known, such as a misspelt filter,
   * each with those that are; absent if there are none.
   */
  ignored?: string[];
}

/** ContextSection is a section of a context. */
export interface ContextSection {
  /**
   * The id; in order: "guide", "workspace", "core", "overview" (prefix); "recalled", "handover", "working",
   * "session", "pressure", "meta" (suffix).
   */
  id: string;
  /** What it is, for a person. */
  label: string;
  /** The text. */
  text: string;
  /** The length in characters. */
  chars: number;
  /** The estimated length in tokens. */
  tokens: number;
  /** Whether it belongs to the prefix. */
  stable: boolean;
  /**
   * What was left out, the first 30 of it. wm/memory/explain, wm/errors/list, wm/files/list and
   * wm/working/read tell of the others.
   */
  omitted: Omission[];
  /** How many more were left out. */
  omittedMore?: number;
}

/** CoreBlock is one block. */
export interface CoreBlock {
  /** The text. */
  content: string;
  /** The length in characters. */
  chars: number;
  /** The maximum length in characters. */
  maxChars: number;
  /** When it was last written; empty if never. */
  updatedAt: Time;
}

/** CoreBlockName is the name of a block. */
export type CoreBlockName =
  | "goal" // The goal of the agent.
  | "progress" // What is done and what is next.
  | "context"; // Other facts that the agent needs.

/** CoreBlocks are the blocks of a core memory. */
export interface CoreBlocks {
  /** The goal of the agent. */
  goal: CoreBlock;
  /** What is done and what is next. */
  progress: CoreBlock;
  /** Other facts that the agent needs. */
  context: CoreBlock;
}

/** CoreOperation is what an update does to the current text. */
export type CoreOperation =
  | "replace" // Replace it with the content.
  | "append"; // Append the content on a new line.

/** CoreReadParams request the core memory of a session. */
export type CoreReadParams = Params;

/** CoreReadResult is the core memory of a session. */
export interface CoreReadResult {
  /** The blocks. */
  blocks: CoreBlocks;
}

/** CoreUpdateParams write a block. */
export interface CoreUpdateParams extends Params {
  /** The block to write. */
  block: CoreBlockName;
  /** What to do with the current text; replace by default. */
  operation?: CoreOperation;
  /** The text. */
  content: string;
  /**
   * The revision from an undo or a conflict. If the current one is different, nothing is
   * written.
   */
  ifRevision?: Revision;
}

/** CoreUpdateResult is the updated block. */
export interface CoreUpdateResult {
  /** The block. */
  block: CoreBlock;
  /** The number of secrets that were removed from the content. */
  redactions?: number;
  /** What was removed: the rules, such as "secret" or "email". */
  redacted?: string[];
  /** The call that restores the previous text. */
  undo?: Undo;
}

/** Diagnostic has the members of LSP's Diagnostic that the server uses. */
export interface Diagnostic {
  /** The range. */
  range: Range;
  /** 1 error, 2 warning, 3 information, 4 hint; error by default. */
  severity?: number;
  /** The code; a number or a string. */
  code?: Code;
  /** The language server or linter. */
  source?: string;
  /** What is wrong. */
  message: Message;
}

/** DiagnosticsChangedParams are the current diagnostics of a file. */
export interface DiagnosticsChangedParams extends Params {
  /** The file. */
  uri: string;
  /** The version of the document. */
  version?: number;
  /** All diagnostics; they replace the previous ones. */
  diagnostics: Diagnostic[];
}

/** DiagnosticsChangedResult is the effect of the diagnostics. */
export interface DiagnosticsChangedResult {
  /** The errors that were opened. */
  opened: OpenError[];
  /** The fingerprints of the errors that were closed. */
  closed: string[];
}

/** Empty is an object without members. */
export type Empty = {};

/** EntryRelation is how two entries relate. */
export type EntryRelation =
  | "contrary" // They cannot both hold.
  | "alike"; // They say nearly the same.

/** EntryStatus is the status of an entry. */
export type EntryStatus =
  | "active" // It is in use.
  | "offered" // It is not in use until a person or an agent keeps it.
  | "superseded" // Another entry has replaced it.
  | "evicted" // It was evicted to make room; it can be restored.
  | "removed"; // It was removed by hand; it can be restored.

/** ErrorOrigin is what reported an error. */
export type ErrorOrigin =
  | "diagnostic" // A language server.
  | "command" // A command that failed.
  | "user"; // A person, in a message.

/** ErrorParams name an error that is open, or was dismissed. */
export interface ErrorParams extends Params {
  /** Its fingerprint. */
  fingerprint: string;
}

/** ErrorSource is a source that reports an error. */
export interface ErrorSource {
  /** A language server or a command. */
  origin: ErrorOrigin;
  /** The session in which it was reported. */
  sessionId: string;
  /** Whether that session is live. */
  live: boolean;
}

/** ErrorsCommandResult is the command that showed an error. */
export interface ErrorsCommandResult {
  /** What the editor runs in its terminal when the person has agreed. */
  run: TerminalCommand;
}

/** ErrorsCopyResult describes an error for an agent. */
export interface ErrorsCopyResult {
  /** What the editor writes to its clipboard: the error, its place, and the command that showed it. */
  clipboard: string;
}

/** ErrorsDismissResult is the error that was dismissed or restored. */
export interface ErrorsDismissResult {
  /** The error. */
  error: OpenError;
}

/** ErrorsListParams request the open errors. */
export interface ErrorsListParams extends Params {
  /** Only errors in these files or folders, relative to the workspace. */
  paths?: string[];
}

/** ErrorsListResult are the open errors. */
export interface ErrorsListResult {
  /** The errors, last seen first. */
  errors: OpenError[];
}

/** ErrorsRememberParams name the error to remember. */
export interface ErrorsRememberParams extends ErrorParams {
  /** How it is fixed. */
  fix?: string;
  /** The type of the entry; project by default. */
  type?: string;
}

/** FileAction is an action on a file. */
export type FileAction =
  | "edit" // Its content was changed.
  | "write" // It was written or saved as a whole.
  | "grep" // It was searched, or a search of a folder reported it.
  | "read" // It was read or opened.
  | "glob"; // A search for names, or a listing, reported it.

/** FilesListParams request the active files. */
export interface FilesListParams extends Params {
  /** The maximum number; all if absent or 0. */
  limit?: number;
}

/** FilesListResult are the active files. */
export interface FilesListResult {
  /** The files, highest rank first. */
  files: ActiveFile[];
}

/** Handover is what an ended session left, as far as it still holds. */
export interface Handover {
  /** The session. */
  sessionId: string;
  /** The agent. */
  agent?: string;
  /** When it ended, or the time of its last event if nobody ended it. */
  endedAt: Time;
  /** The title of the session, or else what the user asked for first. */
  title?: string;
  /** The goal that the agent noted, or else what the user asked for last. Absent if it is reached. */
  goal?: string;
  /**
   * The open errors that its commands reported, and then what its language servers reported last, each last seen
   * first. lastSeen is when one was last checked.
   */
  errors: OpenError[];
  /** The files that it edited and that exist, relative to the workspace, last edited first. */
  files: string[];
  /** Its notes. */
  notes: NoteFile[];
  /** How full its context was, by its last report. */
  usage?: Pressure;
  /** Whether something is open: an error, a todo, the goal, or a message that was not answered. */
  open: boolean;
  /** Whether a person gives it to the next agent. */
  offered: boolean;
  /** The text for an agent, of at most 1,500 characters. */
  text: string;
}

/** History is how much of the conversation is still needed. */
export interface History {
  /** The part that is needed. */
  keep: HistoryKeep;
  /** The reason. */
  reason: string;
}

/** HistoryCompactParams request a compaction. */
export interface HistoryCompactParams extends Params {
  /** Which part of the conversation. */
  target: HistoryTarget;
  /** What happens to the removed messages; archive by default. */
  strategy?: HistoryStrategy;
  /**
   * The number of turns, or tool outputs, to keep, 1 to 10000; the setting
   * history.keepRecent if absent or 0.
   */
  keepRecent?: number;
  /**
   * A note in detail/ for the removed messages; a new one by default. An existing note
   * is extended.
   */
  archiveTo?: string;
  /**
   * The summary of the model; by default the server makes one. A missing task, next
   * step or decision is added. It is read as that of wm/compaction/finished.
   */
  summary?: string;
}

/** HistoryCompactResult is the result of a compaction. */
export interface HistoryCompactResult {
  /**
   * The ids of the removed messages and outputs; may be empty. An id is the messageId or the
   * callId of the report. What was reported without one has an id that the server has made
   * and the client does not know: "m" and 26 letters and digits.
   */
  removed: string[];
  /**
   * The ids of the kept messages and outputs, in the order in which they were reported. The
   * newest one is the last, so a client without ids counts from the end.
   */
  kept: string[];
  /** The summary of the removed messages. */
  summary: string;
  /** The note with the removed messages. */
  archivedTo?: string;
  /** The length before, in tokens. */
  tokensBefore: number;
  /** The length now, with the summary, in tokens. */
  tokensAfter: number;
  /** A receipt for each candidate of the given summary; see wm/compaction/finished. */
  memories: Receipt[];
  /** A receipt for each other decision, rule and root cause of it that is offered now. */
  promoted: Receipt[];
}

/**
 * HistoryCompacted notifies a client that the server has compacted the conversation of an agent, because
 * its context was too full.
 */
export interface HistoryCompacted {
  /** The session of the agent. */
  sessionId: string;
  /** The ids of the removed messages and outputs, as in the result of wm/history/compact. */
  removed: string[];
  /** The summary of the removed messages. */
  summary: string;
  /** The note with the removed messages. */
  archivedTo: string;
}

/** HistoryKeep is how much of a conversation is still needed. */
export type HistoryKeep =
  | "all" // All of it.
  | "activeTurn"; // Only the current turn.

/** HistoryStrategy is what happens to the removed messages. */
export type HistoryStrategy =
  | "archive" // They are written to a note.
  | "summarize"; // Only the summary is kept.

/** HistoryTarget is the part of a conversation that is compacted. */
export type HistoryTarget =
  | "conversation" // Turns, with the tool outputs in them.
  | "tools" // Tool outputs.
  | "all"; // Both.

/** ImportNote is a document that is a note of a session now. */
export interface ImportNote {
  /** The session. */
  sessionId: string;
  /** The path of the note. */
  path: string;
  /** Where it was read. */
  imported: Imported;
  /** The number of secrets that were removed from it. */
  redactions?: number;
}

/** ImportParams name the memory of another program to take over, or an import to take back. */
export interface ImportParams extends Params {
  /** The format; "opencode-working-memory" by default. With path, absent is the format that the file has. */
  from?: ImportSource;
  /**
   * The absolute path of a file or folder to read; by default, where the program keeps the memory of the
   * workspace.
   */
  path?: string;
  /** True to change nothing and say what would be taken over. */
  dryRun?: boolean;
  /** True to take over also what was taken over before, which may have been removed since. */
  again?: boolean;
  /**
   * True to take back the latest import, or the latest one of the format in from. What was changed since
   * stays. Repeated, it takes back the one before.
   */
  undo?: boolean;
  /** True to offer the memory of the format no more in the panel. */
  dismiss?: boolean;
}

/** ImportResult is what was taken over now, or taken back. All lists are empty if there is nothing new. */
export interface ImportResult {
  /**
   * A receipt for each entry of the workspace memory, also for those that are rejected, and, with undo, for
   * those that are removed.
   */
  memories: Receipt[];
  /** The ids of the sessions whose core memory and working memory were taken over, or that were deleted. */
  sessions: string[];
  /** What was not read, or not taken back, and why. */
  skipped: ImportSkipped[];
  /** The notes that were taken over. */
  notes?: ImportNote[];
  /** The number of secrets that were removed in all. */
  redactions?: number;
  /** The number of entries, sessions and notes that an earlier import decided about. They are left out without again. */
  before?: number;
  /** True if nothing was changed, because dryRun was asked for. */
  dryRun?: boolean;
  /** With dryRun, what would be taken over, for a person. */
  markdown?: string;
  /** The call that takes all of it back. */
  undo?: Undo;
}

/** ImportSkipped is a file, or a part of one, that is not taken over. */
export interface ImportSkipped {
  /** The file, the session, the note or the id of the entry. */
  name: string;
  /** The reason. */
  reason: string;
}

/** ImportSource is a format in which programs keep memory that can be taken over. */
export type ImportSource =
  | "all" // All that have a place for the workspace.
  | "opencode-working-memory" // The plugin of OpenCode, in both layouts.
  | "session-folders" // ~/.ai/sessions, with working-memory.
  | "claude-memory" // MEMORY.md and topics of Claude Code.
  | "serena" // .serena/memories.
  | "cline-memory-bank" // memory-bank.
  | "instructions" // CLAUDE.md, AGENTS.md, .cursor/rules, ….
  | "claude-mem" // An export of claude-mem; needs path.
  | "server-memory" // JSON Lines of server-memory; needs path.
  | "mem0" // An export of mem0 or OpenMemory; needs path.
  | "basic-memory"; // Notes of basic-memory; needs path.

/** Imported is where the content of another program was read. */
export interface Imported {
  /** The format, see ImportSource. */
  from: ImportSource;
  /** The file, relative to the workspace, or to the parent of its folder if it is outside of it. */
  file: string;
  /** The line, from 1; absent if it is not known. */
  line?: number;
}

/**
 * InitializationOptions are the members of initializationOptions that are not
 * settings.
 */
export interface InitializationOptions {
  /**
   * The id of the connection's session. The default is derived from the workspace, the
   * client's name and its process, so a server that an editor restarts resumes the
   * session.
   */
  sessionId?: string;
  /**
   * The agent; the client's name by default. A client that sets neither it nor attach or
   * toolNames is an editor: what it writes into its own session is of the person who uses it.
   */
  agent?: string;
  /**
   * Whether this process is only attached to its sessions and owns none, not even with
   * wm/session/start. It is for processes that handle one event, such as a hook or a
   * command. When the process ends, the sessions stay live until
   * session.leaseMinutes have passed without an event; those of wm-lsp hook also end with the
   * process of their agent.
   */
  attach?: boolean;
  /**
   * Whether a wm/* request with an unknown member is refused. Otherwise the member is
   * ignored, which is logged once, and the answers of wm/search and wm/context say it.
   */
  strict?: boolean;
  /**
   * The names by which the agent can call wm/* methods, by method; the methods themselves
   * by default. The guide in a context mentions no other methods.
   */
  toolNames?: Record<string, string>;
  /**
   * What stands before the names of settings in the client, such as "workingMemory.". A
   * problem of one of the client's settings names it so.
   */
  settingsPrefix?: string;
}

/** InputKind is the way in which a person is asked. */
export type InputKind =
  | "text" // They write.
  | "choice"; // They choose.

/** Intervention notifies a client that the context of an agent has become critical. */
export interface Intervention {
  /** The session of the agent. */
  sessionId: string;
  /** How full the context is. */
  pressure: Pressure;
  /** The prompt in the report, or else the text of wm/context. */
  visiblePrompt: string;
}

/** InvalidParams is the data of error -32602. */
export interface InvalidParams {
  /**
   * The path of the invalid member, such as "budget.chars"; empty if the params as a
   * whole are invalid.
   */
  field: string;
  /** What is wrong, and what is expected. */
  reason: string;
}

/** MemorizeParams are items to store. If one is invalid, none is stored. */
export interface MemorizeParams extends Params {
  /** The items, 1 to 1000. */
  items: MemoryItem[];
  /**
   * An object of what holds for every item that does not say it itself: members of an item, such as
   * type, source, tags and importance. Other members are added to the metadata of the items.
   */
  metadata?: unknown;
}

/** MemorizeReceipt describes what became of an item. */
export interface MemorizeReceipt {
  /** The id; that of the stored item if it is a duplicate. */
  id: string;
  /**
   * The stores that hold it: working, episodic, semantic, conversation or others of the settings;
   * empty if it was rejected.
   */
  stores: string[];
  /** What became of it. */
  status: MemorizeStatus;
  /**
   * Why: importance or novelty if it was rejected, else the rule that led to the store, or that
   * working memory was full of more important items.
   */
  reason?: string;
  /** The ids of the items that were evicted for it. What working memory puts away is not evicted. */
  evicted: string[];
}

/** MemorizeResult lists what became of the items. */
export interface MemorizeResult {
  /** One result for each item, in their order. */
  results: MemorizeReceipt[];
}

/** MemorizeStatus is what became of an item. */
export type MemorizeStatus =
  | "stored" // It was stored.
  | "updated" // It was stored before; its importance or tags were set.
  | "duplicate" // It was stored before; nothing was changed.
  | "rejected"; // It was not stored; the reason is importance or novelty.

/** MemoryAddParams are a new entry. */
export interface MemoryAddParams extends Params {
  /** What to remember. */
  text: string;
  /**
   * "feedback", "project", "decision", "reference", or a type that the settings add;
   * "project" by default.
   */
  type?: string;
  /** Why it is so. */
  rationale?: string;
  /**
   * The source: "explicit" or "manual"; "manual" by default. The others are set by the
   * server.
   */
  source?: Source;
  /** The files that it is about, relative to the workspace, at most 1000. */
  files?: string[];
  /** Whether it is pinned. */
  pinned?: boolean;
}

/** MemoryEntry is an entry of the workspace memory, which all sessions share. */
export interface MemoryEntry {
  /** The id, which never changes. */
  id: string;
  /**
   * "feedback", "project", "decision", "reference", or a type that the
   * settings add.
   */
  type: string;
  /**
   * What people are shown beside the text: the type and who put it into words, such as
   * "Decision · claude-code".
   */
  detail: string;
  /** The text, redacted. */
  text: string;
  /** Why it is so. */
  rationale?: string;
  /** The source. */
  source: Source;
  /** Who put it into words; absent if that is not known. */
  author?: Author;
  /** 1 if explicit, 0.9 if manual, 0.75 from a compaction, 0.6 if said. */
  confidence: number;
  /** The status. */
  status: EntryStatus;
  /** Whether it is pinned. Pinned entries are never evicted. */
  pinned?: boolean;
  /** Whether a person has reviewed it. */
  reviewed: boolean;
  /** The files that it is about, relative to the workspace, with /. */
  files?: string[];
  /** The ids of entries that a person keeps beside it, although they say nearly the same or contradict it. */
  beside?: string[];
  /** Where it comes from. */
  origin?: Origin;
  /** Where it was taken over from, if it is from another program. */
  imported?: Imported;
  /** How often it was added again. */
  reinforced: number;
  /** When it was added. */
  createdAt: Time;
  /** When it last changed. */
  updatedAt: Time;
  /** When it was removed, evicted or replaced, or its time was over; absent if it is in force. */
  deletedAt?: Time;
  /** Why it may be outdated, if there is a sign of it. */
  stale?: Stale;
}

/** MemoryExplainParams name an entry, or an item of wm/memorize. It need not be active, but must not be erased. */
export interface MemoryExplainParams extends Params {
  /** The id of the entry or item. */
  id: string;
}

/** MemoryExplainResult is the history of an entry or item and why it is kept or not. */
export interface MemoryExplainResult {
  /** The entry, or the item as one. */
  entry: MemoryEntry;
  /** The item; absent if it is an entry. */
  item?: MemoryItem;
  /** All its changes, oldest first. */
  events: TraceEvent[];
  /** How safe it is from eviction. */
  retention: Retention;
  /** All of this as Markdown. */
  markdown: string;
}

/**
 * MemoryItem is an item of the orchestrated memory. Only text is required. Names with underscores,
 * such as agent_id, are accepted, too.
 */
export interface MemoryItem {
  /** The text, at most 65536 bytes. */
  text: string;
  /**
   * The id, a ULID; by default the server makes one. An item with the id and text of a stored
   * one is not stored twice, so that a call can be repeated; its importance and tags are set.
   */
  id?: string;
  /**
   * The type: user_message, tool_result, thought, action, plan, skill, summary, fact, metric,
   * observation, pattern or another.
   */
  type?: string;
  /**
   * The store: auto, the default, or working, episodic, semantic, conversation or another of the
   * settings.
   */
  store?: string;
  /** Structured content beside the text; with the metadata at most 65536 bytes. */
  content?: unknown;
  /** When it happened; now by default. */
  timestamp?: Time;
  /** The agent; that of the call by default. */
  agentId?: string;
  /** The agent's own id of its task; that of the call by default. */
  taskId?: string;
  /** The episode. */
  episodeId?: string;
  /**
   * The channel of the conversation. By default the session is the thread of messages, thoughts,
   * actions, results of tools and observations with an agent or a source; others have none.
   */
  thread?: string;
  /** How useful it will be, 0 to 1; estimated by default. */
  importance?: number;
  /** How new it was, 0 to 1; set by the server. */
  novelty?: number;
  /** How recent it is, 0 to 1: exp(-recall.decay·d) after d days; set by the server. */
  recency?: number;
  /** Where it comes from: user, tool, system or model. */
  source?: string;
  /** Labels, at most 50. */
  tags?: string[];
  /** An object with further data of the client. */
  metadata?: unknown;
  /**
   * How long it is kept from when it was memorized: session, day, week, month, quarter, year or forever; by
   * default that of the store. With session, others find it while its session is live.
   */
  retention?: string;
  /** The time to live in seconds from the timestamp; 0 is no limit. */
  ttl?: number;
  /** The estimated number of tokens of the text; set by the server. */
  tokensEstimate?: number;
  /** none, partial or full: how much of it was redacted; set by the server. */
  redactionStatus?: string;
  /**
   * The SHA-256 in hex of the text, or of the text, a zero byte and the content as it was sent.
   * If a client sends one, it is checked.
   */
  checksum?: string;
  /** A vector of the text. */
  embedding?: number[];
  /** Words by which it is to be found, besides those of the text. */
  sparseTerms?: string[];
  /** The position in working memory. */
  position?: number;
  /** The number of the step. */
  stepIndex?: number;
  /** The item of which it is a chunk, or the summary that stands for it. */
  parentId?: string;
  /** The number of the chunk, from 0. */
  chunkIndex?: number;
  /** The version in semantic memory, from 1; set by the server. */
  version?: number;
  /** The items that it replaces in semantic memory, and those of other stores from which it follows, which stay. */
  lineageIds?: string[];
  /** When it is valid; always by default. */
  validity?: Validity;
  /** When it was last recalled. */
  accessedAt?: Time;
  /** When its importance or tags were set. */
  modifiedAt?: Time;
  /** When it was removed, evicted or superseded, or its time was over. */
  deletedAt?: Time;
}

/** MemoryLimits are the limits of the workspace memory. */
export interface MemoryLimits {
  /** The maximum number of active entries. */
  maxEntries: number;
  /** The maximum length of the rendered text, in characters. */
  maxChars: number;
}

/** MemoryListParams request the workspace memory. */
export interface MemoryListParams extends Params {
  /** Only entries of these types. */
  types?: string[];
  /** Whether to include offered, superseded, evicted and removed entries. */
  includeInactive?: boolean;
}

/** MemoryListResult is the workspace memory. */
export interface MemoryListResult {
  /** The entries, in the order in which they were added. */
  entries: MemoryEntry[];
  /** The limits. */
  limits: MemoryLimits;
  /** The current size. */
  used: MemoryUse;
}

/** MemoryRemoveParams name an entry, or an item of wm/memorize, to remove. */
export interface MemoryRemoveParams extends Params {
  /** The id of the entry or the item. */
  id: string;
  /**
   * The id of an entry that says the same. It keeps its text, and gets the files, the rationale and
   * the pin. It must be empty with erase.
   */
  into?: string;
  /** True to erase its text everywhere. It cannot be restored then. */
  erase?: boolean;
  /**
   * The revision from an undo or a conflict. If the current one is different, nothing is
   * removed. It must be empty with erase.
   */
  ifRevision?: Revision;
}

/** MemoryRemoveResult is the removed entry. */
export interface MemoryRemoveResult {
  /** The entry, or the item as one; without text and rationale if it was erased. */
  entry: MemoryEntry;
  /**
   * If it was erased: the files that may still contain it or a former wording, relative to the folder of
   * the workspace. It is tried again, also at the next start, until there are none.
   */
  filesLeft?: string[];
  /** What to tell a person if there are such files. */
  message?: string;
}

/** MemoryRestoreParams name an evicted, removed or superseded entry, or a removed item. */
export interface MemoryRestoreParams extends Params {
  /** The id of the entry or item. */
  id: string;
  /**
   * The revision from an undo or a conflict. If the current one is different, nothing is
   * restored.
   */
  ifRevision?: Revision;
}

/** MemoryType is a memory type that holds items. */
export interface MemoryType {
  /** The name of the store. */
  name: string;
  /** Whether items are never changed or replaced. */
  appendOnly: boolean;
  /** Whether an item may be a new version of others. */
  versioned: boolean;
  /** Whether items are found by a search. */
  searchable: boolean;
  /** Whether there is a maximum number of items, which evicts others. */
  bounded: boolean;
  /** The maximum number of items, of each session if perSession is true; 0 if there is none. */
  maxItems: number;
  /** Whether every session has its own. */
  perSession: boolean;
  /** How long items are kept that do not say it. */
  retention: string;
  /** The number of items, of all sessions. */
  items: number;
  /** The number of their tokens. */
  tokens: number;
}

/** MemoryUpdateParams change an entry. Absent members stay as they are. */
export interface MemoryUpdateParams extends Params {
  /** The id of the entry. */
  id: string;
  /** The new text. */
  text?: string;
  /** The new type. */
  type?: string;
  /** The new rationale; an empty one removes it. */
  rationale?: string;
  /** Whether it is pinned. */
  pinned?: boolean;
  /** Whether a person has reviewed it. */
  reviewed?: boolean;
  /**
   * The ids of all entries that a person keeps beside it: they are not shown as a pair that says nearly the same
   * or contradicts each other, until one of them is reworded.
   */
  beside?: string[];
  /** "active" keeps an entry that is offered; "offered" makes it an offer again. */
  status?: EntryStatus;
  /**
   * The revision from an undo or a conflict. If the current one is different, nothing is
   * changed.
   */
  ifRevision?: Revision;
}

/** MemoryUse is the current size of the workspace memory. */
export interface MemoryUse {
  /** The number of active entries. */
  entries: number;
  /** The length of the rendered text, in characters. */
  chars: number;
}

/**
 * Message is the message of a diagnostic. On the wire it is a string or the MarkupContent
 * of LSP, of which only the value is used.
 */
export type Message = string | {kind: string; value: string};

/** MessageReceivedParams are a new message of a conversation. */
export interface MessageReceivedParams extends Params {
  /** The author. */
  role: Role;
  /** The text. */
  text: string;
  /** The host's id of the message. A repeated id is ignored. */
  messageId?: string;
  /** The length in tokens, if known. */
  tokens?: number;
}

/** MessageReceivedResult is what was recorded of a message. */
export interface MessageReceivedResult {
  /** A receipt for each request to remember something, and for each entry that is offered. */
  memories: Receipt[];
  /**
   * What the user said that directs the work: corrections, rules, preferences and choices,
   * with the sentence that they answer after " → " if they have none of their own.
   */
  decisions: string[];
  /** The todos in the message. */
  todos: string[];
  /** The number of secrets that were removed from the text. */
  redactions?: number;
  /** What was removed: the rules, such as "secret" or "email". */
  redacted?: string[];
}

/** NoteFile describes a note. */
export interface NoteFile {
  /** overview.md, detail/… or archive/…. */
  path: string;
  /** The size in bytes. */
  bytes: number;
  /** When it was last written. */
  updatedAt: Time;
  /** Its first heading, or else its first line, or else its name. */
  title: string;
}

/** NotesArchiveParams name a note to archive. */
export interface NotesArchiveParams extends Params {
  /** overview.md or detail/…. */
  path: string;
  /** The revision that was read. If the current one is different, the note stays. */
  ifRevision?: Revision;
}

/** NotesArchiveResult is the archived note. */
export interface NotesArchiveResult {
  /** The new path: archive/…. */
  path: string;
  /** The call that moves it back. */
  undo?: Undo;
}

/** NotesListParams request the notes of a session. */
export type NotesListParams = Params;

/** NotesListResult are the notes of a session. */
export interface NotesListResult {
  /** The folder of the notes. It exists once a note was written. */
  root: string;
  /** The notes: overview.md, then detail/, then archive/. */
  files: NoteFile[];
}

/** NotesReadParams request a note. */
export interface NotesReadParams extends Params {
  /** overview.md, detail/… or archive/…. */
  path: string;
  /** A previous revision; the current one by default. */
  revision?: Revision;
}

/** NotesReadResult is a note. */
export interface NotesReadResult {
  /** The path. */
  path: string;
  /** The content. */
  content: string;
  /** The revision of the content. */
  revision: Revision;
}

/** NotesRestoreParams name an archived note to restore. */
export interface NotesRestoreParams extends Params {
  /** archive/…, or any note whose text is to be restored. */
  path: string;
  /**
   * The new path: overview.md or detail/…; its name in detail/ by default. The path must
   * be free.
   */
  to?: string;
  /**
   * A former revision of the note, which may have been moved since. Its text is restored, and
   * the note stays where it is. "absent" restores that there was no note; its text can still
   * be read by its revision.
   */
  revision?: Revision;
  /** The current revision. If it is different, nothing is moved or restored. */
  ifRevision?: Revision;
}

/** NotesRestoreResult is the restored note. */
export interface NotesRestoreResult {
  /** The new path: overview.md or detail/…; with a revision, the path of the note. */
  path: string;
  /** The call that archives it again, or restores what was there before. */
  undo?: Undo;
}

/** NotesWriteParams write a note. */
export interface NotesWriteParams extends Params {
  /** overview.md, detail/… or archive/…. */
  path: string;
  /** The new content, at most 1 MiB. */
  content: string;
  /**
   * The revision that was read, or "absent" if there was no note. If the current one is
   * different, nothing is written.
   */
  ifRevision?: Revision;
}

/** NotesWriteResult is the written note. */
export interface NotesWriteResult {
  /** The path. */
  path: string;
  /** The new revision. */
  revision: Revision;
  /** The number of secrets that were removed from it. */
  redactions?: number;
  /** What was removed: the rules, such as "secret" or "email". */
  redacted?: string[];
  /**
   * The call that restores the former text, or that there was no note. Absent if nothing was
   * changed.
   */
  undo?: Undo;
}

/** Omission is something that was left out. */
export interface Omission {
  /** The id. */
  id: string;
  /** The reason. */
  reason: string;
}

/** OpenError is an error that has not been seen fixed. */
export interface OpenError {
  /** 12 hex digits. The same error on another line has the same fingerprint. */
  fingerprint: string;
  /** "typecheck", "test", "lint", "build", "runtime", or a category from the settings. */
  category: string;
  /** The error in one line. For a failing test it begins with the id of the test. */
  summary: string;
  /** The file, relative to the workspace, or absolute if it is outside. */
  path?: string;
  /** The line, from 1. */
  line?: number;
  /** The language server or tool that reported it. */
  tool?: string;
  /** The command that failed. */
  command?: string;
  /** How often it was reported. */
  count: number;
  /** When it was first reported. */
  firstSeen: Time;
  /** When it was last reported. */
  lastSeen: Time;
  /**
   * False after a restart of the server, and when all sessions that reported it are over,
   * until it is reported again.
   */
  verified: boolean;
  /** True if its file was edited since. */
  maybeFixed?: boolean;
  /** True if the exit code was 0 because of a pipe, but the output reports failed tests. */
  masked?: boolean;
  /** All sources that report it. It is closed when all of them have closed it. */
  sources: ErrorSource[];
}

/** Origin is the session in which an entry was first added. */
export interface Origin {
  /** The session. */
  sessionId: string;
  /** The agent or editor. */
  agent?: string;
}

/** Outcome is the success or failure of a tool. */
export type Outcome =
  | "success" // It succeeded.
  | "failure"; // It failed. Without an exit code, the code is taken to be unknown but not 0.

/** OutputReadParams name a pruned output. */
export interface OutputReadParams extends Params {
  /** The reference from the pruned output. */
  ref: string;
  /** The first character. */
  offset?: number;
  /** The maximum number of characters; all if absent or 0. */
  limit?: number;
}

/** OutputReadResult is the full output, or a part of it. */
export interface OutputReadResult {
  /** The output without secrets. */
  output: string;
  /** The length of the full output in characters. */
  totalChars: number;
}

/**
 * Panel is what an editor displays. Editors add no content of their own, so a new section
 * of the server appears in every editor.
 */
export interface Panel {
  /** The sections, in the order of display. */
  sections: PanelSection[];
  /** How full the context of the agent is; absent before the first report. */
  pressure?: Pressure;
  /** The number of entries that a person has to decide about. */
  badge: number;
  /**
   * A sentence to write above the sections as long as there is nothing in them: what will appear and how, or why
   * nothing is kept.
   */
  hint?: string;
  /** When recording resumes; absent while it is on. */
  pausedUntil?: Time;
}

/** PanelAction is a call that a person can make from the panel. */
export interface PanelAction {
  /** What to write. */
  title: string;
  /** Name of a codicon. */
  icon?: string;
  /** A key that is proposed for it, one character. */
  key?: string;
  /** Method to call. */
  method: string;
  /** Its params; what the person fills in under inputs is added to them. */
  params: object;
  /** Whether to show it on the line itself rather than in a menu. */
  inline?: boolean;
  /** Whether to ask before it is done. */
  destructive?: boolean;
  /** The action that takes it back. */
  undo?: PanelAction;
  /** Whether the answer holds the call that takes it back, as its undo. */
  undoable?: boolean;
  /** What to ask the person for first. */
  inputs?: PanelInput[];
}

/** PanelBudget is how much of its room a section uses. */
export interface PanelBudget {
  /** Used, in units. */
  used: number;
  /** The most, in units. */
  max: number;
  /** What is counted. */
  unit: BudgetUnit;
}

/** PanelChoice is one thing to choose. */
export interface PanelChoice {
  /** What to write. */
  label: string;
  /** A few words on what it is for. */
  detail?: string;
  /** What it means. */
  value: string;
}

/** PanelInput is one thing that a person is asked for before an action. */
export interface PanelInput {
  /** The member of params that it becomes. */
  param: string;
  /** What to ask. */
  prompt: string;
  /** How to ask. */
  kind: InputKind;
  /** What to choose from. */
  choices?: PanelChoice[];
  /** Whether the text may have several lines. */
  multiline?: boolean;
  /** What is filled in already. */
  value?: string;
}

/** PanelItem is one line of the panel. */
export interface PanelItem {
  /** Its id, unique in the panel and stable; a memory's is "memory:" and the entry's. */
  id: string;
  /** What it is: "memory", "error", "file", "session". */
  kind: string;
  /** Name of a codicon. */
  icon: string;
  /** What to write. */
  label: string;
  /** What to write beside it, less prominent. */
  detail?: string;
  /**
   * What to write at the right edge, shortened from the left if there is no room: where it is, or
   * how much.
   */
  aside?: string;
  /** How serious the aside is, as severity; it has the color of that. */
  asideSeverity?: number;
  /** The color of the icon, unless it has a severity. */
  tint?: PanelTint;
  /**
   * Name of a codicon for who said it: "person", "hubot" for an agent, "terminal" for a command that no person
   * typed, "fold" for a summary, "desktop-download" for another program; the detail names them. Absent if
   * nobody said it or that is not known.
   */
  authorIcon?: string;
  /** 1 error, 2 warning, 3 information, 4 hint. */
  severity?: number;
  /** Whether to paint it faintly. */
  dimmed?: boolean;
  /** What to open when it is chosen. */
  location?: PanelLocation;
  /** What can be done with it. */
  actions: PanelAction[];
  /** Items below it. */
  children?: PanelItem[];
  /** Whether these are folded until the person opens it. */
  folded?: boolean;
  /** Whether wm/panel/resolve has a string for it. */
  hasMarkdown?: boolean;
}

/** PanelLocation is a place that can be opened. */
export interface PanelLocation {
  /** The file. */
  uri: string;
  /** The place in it. */
  range?: Range;
}

/**
 * PanelParams request the panel. It shows the memory of the session with the sessionId. An
 * unknown or deleted session is ignored.
 */
export interface PanelParams extends Params {
  /** The ids of the sections to include, such as memory and errors; all by default. */
  sections?: string[];
  /** The seq of the panel that the client has. */
  ifSeq?: number;
}

/** PanelResolveParams name an item of the panel, or a document that wm/search found. */
export interface PanelResolveParams extends Params {
  /** The id of the item. */
  id: string;
  /** Whether to include which agents were told of it, what happened to it, and what can be done with it. */
  full?: boolean;
}

/** PanelResolveResult are the details of an item. */
export interface PanelResolveResult {
  /**
   * The details as Markdown. A link with the scheme wm: leads to the item of the panel with the id that
   * follows, percent-encoded.
   */
  markdown: string;
  /** With full: what to write above it. */
  title?: string;
  /** With full: what can be done with the item. */
  actions?: PanelAction[];
  /** With full: what the item opens. */
  location?: PanelLocation;
}

/** PanelResult has one of two forms: the panel, or {unchanged, seq} if ifSeq is current. */
export interface PanelResult extends Partial<Panel> {
  /** A number that grows with each change of the panel during a connection. */
  seq: number;
  /** True if nothing has changed. */
  unchanged?: boolean;
}

/** PanelSection is one list of the panel. */
export interface PanelSection {
  /** Its id, such as "memory" or "errors". It does not change in later versions. */
  id: string;
  /** What to write above it. */
  title: string;
  /** When to show it. */
  show: PanelShow;
  /** What to write beside the title. */
  summary?: string;
  /** Its items, in order. */
  items: PanelItem[];
  /** What can be done with the section. */
  actions?: PanelAction[];
  /** Whether it is folded until the person opens it. */
  folded?: boolean;
  /** How much of its room is used. */
  budget?: PanelBudget;
  /** What to write when it is empty: what to do. */
  empty?: string;
}

/** PanelShow is the condition under which a section is shown. */
export type PanelShow =
  | "always" // Always.
  | "nonEmpty" // When it has items.
  | "advanced"; // When the person asks for more.

/** PanelTint is a color that tells items of one list apart. */
export type PanelTint =
  | "blue" // Blue.
  | "green" // Green.
  | "purple" // Purple.
  | "yellow"; // Yellow.

/** Params are the members that the params of every wm/* method may have. */
export interface Params {
  /** The session; by default the session of the connection. */
  sessionId?: string;
  /**
   * The URI of a workspace folder; by default the folder that contains the file in
   * the params, or else the first folder.
   */
  workspace?: string;
  /** The agent, if several share the session. */
  agentId?: string;
  /** The agent's own id of its task. */
  taskId?: string;
  /** When it happened; now by default. */
  at?: Time;
}

/** PauseParams say how long to pause recording. */
export interface PauseParams extends Params {
  /** The duration in minutes, at most 525600, a year; 0, the default, is that of the setting recording.pauseMinutes. */
  minutes?: number;
  /** True to resume recording now. */
  resume?: boolean;
}

/** PauseResult is the state of recording. */
export interface PauseResult {
  /** When recording resumes; absent if it is not paused. */
  pausedUntil?: Time;
}

/** Position is a place in a document. */
export interface Position {
  /** Line, from 0. */
  line: number;
  /** Offset in the line from 0, in UTF-16 code units. */
  character: number;
}

/** Pressure is how full the context of an agent is. */
export interface Pressure {
  /** The level. */
  level: PressureLevel;
  /** How strongly to compress. */
  hint: PressureHint;
  /** What to compress. */
  advice?: string;
  /** 100 × used / limit. */
  percentage: number;
  /** The used size, in units. */
  used: number;
  /** The limit, in units. */
  limit: number;
  /** The unit. */
  unit: PressureUnit;
  /** The number of wm/intervention notifications. */
  interventionsSent: number;
  /** When usage was last reported; empty if never. */
  lastChecked: Time;
  /** Earlier reports, oldest first. */
  history: PressurePoint[];
}

/** PressureHint is the strength of the advice to compress. */
export type PressureHint =
  | "normal" // Below 20 %.
  | "light_compression" // From 20 %.
  | "medium_compression" // From 40 %.
  | "heavy_compression" // From 60 %.
  | "emergency_compression"; // From 75 %.

/** PressureLevel is how full the context of an agent is. */
export type PressureLevel =
  | "safe" // Below 70 %.
  | "moderate" // 70 to 84 %.
  | "high" // 85 to 94 %.
  | "critical"; // From 95 %.

/** PressureParams request the pressure of a session. */
export type PressureParams = Params;

/** PressurePoint is an earlier report of usage. */
export interface PressurePoint {
  /** The time. */
  at: Time;
  /** 100 × used / limit. */
  percentage: number;
}

/** PressureUnit is the unit of usage. */
export type PressureUnit =
  | "chars" // Characters.
  | "tokens"; // Tokens of the agent's model.

/** ProblemSeverity is the severity of a problem. */
export type ProblemSeverity =
  | "error" // Something does not work.
  | "warning"; // Something does not work as configured.

/** PruneMode is how much of an output is removed. */
export type PruneMode =
  | "normal" // Up to 50 lines are kept; of a longer output the first and last 30.
  | "aggressive" // Up to 30 lines, or the first and last 20. Repeated lines are removed.
  | "hyper"; // Up to 15 lines, or the first and last 10. Repeated lines are removed.

/** PruneParams are the output of a tool to prune. */
export interface PruneParams extends Params {
  /**
   * The name of the tool. Outputs of tools that read or search are treated as the
   * content of files.
   */
  tool?: string;
  /** The command line. */
  command?: string;
  /** The output. */
  output: string;
  /**
   * How much to remove. The default depends on the pressure of the session: normal below
   * 85 %, then aggressive, from 95 % hyper.
   */
  mode?: PruneMode;
  /** True if the output was written by the host. It is not changed then. */
  synthetic?: boolean;
}

/** Pruned is an output after pruning. */
export interface Pruned {
  /**
   * The pruned output. "[… 12 lines]" stands for removed lines, and the last line says
   * how much was kept and how to read the whole. If nothing was removed, the output is
   * unchanged.
   */
  output: string;
  /** Whether anything was removed. */
  pruned: boolean;
  /**
   * The recognised kinds of output: listing, tree, log, stackTrace, repetition,
   * longOutput, json, base64.
   */
  kinds: string[];
  /** The mode. */
  mode: PruneMode;
  /** The number of lines before. */
  linesIn: number;
  /** The number of lines after. */
  linesOut: number;
  /** The number of characters before. */
  charsIn: number;
  /** The number of characters after. */
  charsOut: number;
  /** The reference of the full output, for wm/output/read. */
  ref?: string;
}

/** Range is a span of a document; its end is exclusive. */
export interface Range {
  /** Where it begins. */
  start: Position;
  /** Where it ends. */
  end: Position;
}

/** RatingProposal is other coefficients with what they gain. */
export interface RatingProposal {
  /** The coefficients. */
  coefficients: Coefficients;
  /** The mean reciprocal rank of what was used first, with the coefficients in force, 0 to 1. */
  now: number;
  /** What is added to it, measured on searches on which the proposal was not chosen. */
  gain: number;
  /** The number of searches of which something was used. */
  searches: number;
}

/** RecallFilters say what may be recalled. Of a list, one has to match. */
export interface RecallFilters {
  /** Only what is in these stores, such as "semantic". */
  stores?: string[];
  /** Only what is of these types, such as "decision". */
  types?: string[];
  /** Only what has one of these tags. */
  tags?: string[];
  /** Only what this agent recorded. */
  agentId?: string;
  /** Only what belongs to this task. */
  taskId?: string;
  /** Only what belongs to this episode. */
  episodeId?: string;
  /** Only what was written at this time or later. */
  since?: Time;
  /** Only what was written at this time or before. */
  until?: Time;
  /** Only what is at least so important, 0 to 1. */
  minImportance?: number;
}

/** Recalled is what was recalled. */
export interface Recalled {
  /** The items, in the order of their lines. */
  items: RecalledItem[];
}

/** RecalledItem is something remembered that a context shows because of what the session is about. */
export interface RecalledItem {
  /** The id in its store: for the workspace memory, the id of the entry. */
  id: string;
  /** The store, such as "workspace". */
  store: string;
  /**
   * The sum of the parts, without duplication, which is subtracted, and fit. It is 1 for pinned
   * feedback, and 0 for entries about the same code as the session that the query does not find.
   */
  score: number;
  /** What made the score. */
  parts: RecalledParts;
}

/** RecalledParts are the parts of a score, see SearchParts. */
export interface RecalledParts extends SearchParts {
  /**
   * How well the passage that is shown fits the query, which must be at least recall.floor. 0 for what was
   * remembered of a past time, if the query asks what was then and nothing else.
   */
  fit: number;
}

/**
 * Receipt is the outcome of a request to remember something. It is sent after the outcome
 * is on the disk.
 */
export interface Receipt {
  /** The outcome. */
  status: ReceiptStatus;
  /** The id of the entry; absent if rejected. */
  id?: string;
  /**
   * The entry. Its status is "evicted" if there are too many entries and it is the
   * weakest.
   */
  entry?: MemoryEntry;
  /** The rejected text, redacted; absent if there is an entry. */
  text?: string;
  /**
   * If it was rejected: the code of a rule of docs/quality-gate.md, "paused" while recording is
   * paused, or what is wrong with it. Otherwise why, if there is more to say: why it was merged,
   * kept, offered again, restored, removed or evicted.
   */
  reason?: string;
  /** The number of secrets that were removed from it. */
  redactions?: number;
  /** What was removed: the rule of each marker in the text and the rationale, such as "secret" or "email". */
  redacted?: string[];
  /** While recording is paused: what to tell a person. */
  message?: string;
  /** While recording is paused: when it resumes. */
  pausedUntil?: Time;
  /** The ids of the entries that were evicted for it. */
  evicted?: string[];
  /**
   * If it is in force: the entries that contradict it or say nearly the same, at most 3. They stay in force, too,
   * until one of them is removed or changed; those that a person keeps beside it are left out.
   */
  related?: RelatedEntry[];
  /** For wm/import: where the text was read. */
  imported?: Imported;
  /** The call that undoes it. */
  undo?: Undo;
}

/** ReceiptStatus is the outcome of a request to remember something. */
export type ReceiptStatus =
  | "added" // An entry was added, or one that was offered is kept.
  | "offered" // An entry is offered; it is in no context until it is kept.
  | "merged" // An existing entry was reinforced.
  | "updated" // The entry was changed.
  | "unchanged" // The entry was the same already.
  | "rejected"; // It was rejected; see reason.

/** Refusal is the data of error -32803. Nothing was changed. */
export interface Refusal {
  /** The reason. */
  reason: RefusalReason;
  /** The id that was not found. */
  id?: string;
  /** The limit that would be exceeded. */
  max?: number;
  /** The current or requested number. */
  used?: number;
  /** The length that the block would have, in characters. */
  chars?: number;
  /** The maximum length of the block, in characters. */
  maxChars?: number;
  /** The current revision of what was changed meanwhile; absent if it is not there any more. */
  revision?: Revision;
  /** The revision with which the rejected text can be read. */
  kept?: Revision;
}

/** RefusalReason is the reason why a request with valid params failed. */
export type RefusalReason =
  | "limit" // A limit would be exceeded.
  | "conflict" // It was changed meanwhile.
  | "notFound" // There is nothing with this id.
  | "noWorkspace" // No folder is open, so nothing can be stored.
  | "store" // It could not be written to the disk.
  | "paused"; // Recording is paused.

/** RelatedEntry is an entry that relates to another one. */
export interface RelatedEntry {
  /** The id. */
  id: string;
  /** The text, redacted. */
  text: string;
  /** How it relates to the other one. */
  relation: EntryRelation;
}

/** ResolvedBy is the way in which the root of a workspace was found. */
export type ResolvedBy =
  | "git" // The repository that contains the folder.
  | "folder" // The folder itself, because it is in no repository.
  | "setting"; // The folder itself, because of the settings.

/** Retention is the protection of an entry from eviction, or how long an item is recalled. */
export interface Retention {
  /** The rank among the active entries; 1 is the safest, 0 if it is not active or an item. */
  rank: number;
  /** Whether it is in contexts now. */
  rendered: boolean;
  /** The reason. */
  reason: string;
}

/** Retrieval is the way in which entries are searched. */
export type Retrieval =
  | "lexical" // By words.
  | "hybrid"; // By words and by vectors of an endpoint for embeddings.

/**
 * Revision identifies a state by its content. It is opaque; it can only be compared for
 * equality.
 */
export type Revision = string;

/** Role is the author of a message. */
export type Role =
  | "user" // The person. Each message begins a turn.
  | "assistant" // The model.
  | "system" // The host.
  | "tool"; // A tool.

/** SearchHit is a document that was found. */
export interface SearchHit {
  /** The text with its data. */
  item: SearchItem;
  /**
   * The store of the item: workspace, errors, decisions, core, notes, conversation, sessions, or one of
   * the items'.
   */
  store: string;
  /**
   * A line that says where it is from and in which state it is, such as
   * "Agent notes · detail/api.md › Retries · claude: Fix the totals". That of an entry also says who put it
   * into words, as in "Project memory · Decision · person".
   */
  from: string;
  /** Where it stands. */
  place: SearchPlace;
  /** The sum of the parts, without duplication, which is subtracted. */
  score: number;
  /** What made the score. */
  parts: SearchParts;
  /** What made it similar, if explain is true. */
  reasons?: SearchReason[];
}

/** SearchItem is an item of a store. */
export interface SearchItem {
  /** The id in its store: for the workspace memory, the id of the entry. */
  id: string;
  /** The type, such as "decision". */
  type?: string;
  /** The text. */
  text: string;
  /** What to know before trusting the text; absent if it holds. */
  state?: SearchState;
  /**
   * The file that the text is in or about: that of a note relative to the folder of the notes of its
   * session, others to the worktree.
   */
  path?: string;
  /** The heading in that file under which the text is. */
  section?: string;
  /** When it was written. */
  at?: Time;
  /** Until when it is recalled; absent if it always is. */
  until?: Time;
  /** When an entry was removed or evicted; absent if it is in force. */
  deletedAt?: Time;
  /** The importance, 0 to 1. */
  importance: number;
  /** Who said it. */
  speaker?: string;
  /** Who put it into words, if it is an entry; absent if that is not known. */
  author?: Author;
  /** The session to which it belongs. */
  sessionId?: string;
  /** The agent that recorded it. */
  agentId?: string;
  /** The task to which it belongs. */
  taskId?: string;
  /** The episode to which it belongs. */
  episodeId?: string;
  /** The tags. */
  tags?: string[];
}

/** SearchMode is the method with which a search was done. */
export type SearchMode =
  | "hybrid" // By the words in the index, and by vectors of an endpoint for embeddings.
  | "lexical" // By the words in the index.
  | "scan"; // By the words of at most 5000 documents, if no index finds any.

/**
 * SearchParams are what to search for, and a filter. Of a list of the filter, one has to match.
 * agentId and taskId are a part of it: they find only what that agent recorded, and for that task. at is when it is
 * asked: from it days such as "last Tuesday", which are those of UTC, and the ages of what is found are seen.
 */
export interface SearchParams extends Params {
  /** The words to search for, or a question; at most 10000 characters. */
  query: string;
  /** The maximum number of hits, 1 to 100; 10 if absent or 0. */
  limit?: number;
  /** Only what is in these stores, such as "workspace". */
  stores?: string[];
  /** Only what is of these types, such as "decision". */
  types?: string[];
  /** Only what has one of these tags. */
  tags?: string[];
  /** Only what belongs to this episode. */
  episodeId?: string;
  /** Only what was written at this time or later. */
  since?: Time;
  /** Only what was written at this time or before. */
  until?: Time;
  /** Only what is at least so important, 0 to 1. */
  minImportance?: number;
  /**
   * Whether to find entries that somebody took out of force, too; true by default, but false for the tool of MCP.
   * Removed items are not found.
   */
  includeRemoved?: boolean;
  /** Whether to say which words of the query made a hit similar. */
  explain?: boolean;
}

/**
 * SearchParts are the parts of a score. Each is weighted by its setting, see recall in the
 * settings.
 */
export interface SearchParts {
  /** How well the text fits the query: the square of its share of what the best one fits. */
  similarity: number;
  /** How new the text is. */
  recency: number;
  /** How important the text is. */
  importance: number;
  /** How much of it better hits say; this is subtracted. */
  duplication: number;
}

/**
 * SearchPlace is where something stands that was found: the file, if there is a location, or else the item
 * of the panel.
 */
export interface SearchPlace {
  /**
   * The id for wm/panel/resolve: of the item of the panel that shows it, or of the text itself if the
   * panel has no such item.
   */
  itemId: string;
  /** The session whose panel has that item; absent if the panel that the client is shown has it. */
  sessionId?: string;
  /** The file and the place in it. */
  location?: PanelLocation;
}

/** SearchReason is something that made a document similar to a query. */
export interface SearchReason {
  /** What it is, such as "word", "thread" or "date". */
  reason: string;
  /** The word, if it is one. */
  word?: string;
  /** What it added. */
  score: number;
}

/** SearchResult is what was found. */
export interface SearchResult {
  /** The hits, the best first. */
  hits: SearchHit[];
  /** How long the search took, in microseconds. */
  tookMicros: number;
  /** How it was searched. */
  mode: SearchMode;
  /** Why the endpoint for embeddings took no part; absent if it did or the settings name none. */
  fallback?: string;
  /**
   * The first ten members of the params that were ignored because they are not known, such as a misspelt filter,
   * each with those that are; absent if there are none.
   */
  ignored?: string[];
}

/** SearchState is the state of a document. */
export type SearchState =
  | "stale" // It may be outdated.
  | "evicted" // It had to make room for others, and is not in force.
  | "removed" // Somebody took it out of force.
  | "open" // The error is there.
  | "closed"; // The error is gone; the text says why.

/**
 * SearchTuneParams apply coefficients to the rating of what is found, such as those that wm/status
 * proposes. They replace those of the settings until the settings change.
 */
export interface SearchTuneParams extends Params {
  /** The coefficients; absent takes back what was applied, so that the settings are in force. */
  coefficients?: Coefficients;
}

/** SearchTuneResult is what is in force. */
export interface SearchTuneResult {
  /** The coefficients before. */
  before: Coefficients;
  /** The coefficients now. */
  after: Coefficients;
}

/** SectionBudget is how much of its budget a section uses. */
export interface SectionBudget {
  /** The id of the section. */
  id: string;
  /** The number of characters. */
  chars: number;
  /** The maximum number. */
  maxChars: number;
  /** The number of tokens. */
  tokens: number;
}

/** ServerCapability is experimental.workingMemory in the server's capabilities. */
export interface ServerCapability {
  /** The version of the protocol: 1. */
  version: number;
  /** The wm/* methods of the server. */
  methods: string[];
}

/** Session is the time that one agent or editor spends in a workspace. */
export interface Session {
  /** The id. */
  sessionId: string;
  /** The agent or editor. */
  agent?: string;
  /** The title. */
  title?: string;
  /** Whether it is that of an editor, in which a person works. */
  editor?: boolean;
  /** Whether it is live: its owner process runs, or its lease has not expired. */
  live: boolean;
  /** When the lease expires unless there is an event; absent if a process owns it. */
  leaseUntil?: Time;
  /** When it was started. */
  startedAt: Time;
  /** The time of its last event. */
  updatedAt: Time;
  /** The number of messages of the user. */
  turn: number;
}

/** SessionContinueParams give what an ended session left to the next agent that starts in the workspace. */
export interface SessionContinueParams extends Params {
  /** Required here. */
  sessionId: string;
  /** Whether to take it back instead. */
  cancel?: boolean;
}

/** SessionContinueResult is what the next agent is given. */
export interface SessionContinueResult {
  /** What the session left. */
  handover: Handover;
}

/** SessionDeleteParams delete a session. */
export interface SessionDeleteParams extends Params {
  /** Required here. */
  sessionId: string;
}

/** SessionDeleteResult is what was removed. */
export interface SessionDeleteResult {
  /** What was removed, one line each. */
  removed: string[];
}

/** SessionEndParams end a session. */
export interface SessionEndParams extends Params {
  /** Required here. */
  sessionId: string;
}

/** SessionEndResult is what the session leaves to decide. */
export interface SessionEndResult {
  /**
   * What was said in the session that holds beyond it and that nobody has kept. To keep
   * one, call wm/memory/update with its id and status "active".
   */
  offered: MemoryEntry[];
}

/**
 * SessionHandoverParams request what a session left when it ended. Without a session, and for one that is live,
 * it is the one that a person gives to the next agent, or else the one that ended last.
 */
export type SessionHandoverParams = Params;

/** SessionHandoverResult is what a session left. */
export interface SessionHandoverResult {
  /** Absent if there is no session that has ended in which anything was done. */
  handover?: Handover;
}

/** SessionListParams request the sessions of the workspace. */
export type SessionListParams = Params;

/** SessionListResult are the sessions of the workspace. */
export interface SessionListResult {
  /** The sessions, newest first. */
  sessions: Session[];
  /**
   * The session whose context is shown to a person: the named session, or the client's own. If
   * the memory of that is empty, as an editor's is, the live session with a memory that was
   * active last. The panel has its memory, too, or else that of the session whose handover is offered.
   */
  shown?: string;
}

/** SessionStartParams start or resume a session. */
export interface SessionStartParams extends Params {
  /** Required here. */
  sessionId: string;
  /** The agent or editor. */
  agent?: string;
  /** The title for lists. */
  title?: string;
  /** Whether to keep the conversation, for wm/history/compact. */
  history?: boolean;
}

/** SessionStartResult is the session that was started. */
export interface SessionStartResult {
  /** The id of the session. */
  sessionId: string;
  /** The name of its folder: the first 32 hex digits of the SHA-256 of its id. */
  key: string;
  /** False if the session was known already. */
  created: boolean;
}

/**
 * Skill is a procedure that succeeded at least three times in the sessions of the workspace. It is an
 * item of semantic memory.
 */
export interface Skill {
  /** The id. */
  id: string;
  /** The type, "skill". */
  type: string;
  /** The store, "semantic". */
  store: string;
  /** The whole skill in Markdown. */
  text: string;
  /** The name in SKILL.md and of its folder: letters, digits and hyphens. */
  name: string;
  /** What it does. */
  title: string;
  /** When it is used; empty if the title says it. */
  purpose: string;
  /** What it is. */
  kind: SkillKind;
  /** What a person has decided. */
  status: SkillStatus;
  /**
   * The command lines, in order. Words in angle brackets, such as <path>, stand for what differs.
   * The first command of a fix is the one that failed.
   */
  commands: string[];
  /** Commands for the same that always failed. */
  avoid?: string[];
  /** Files that change together, or that were edited to end a failure, relative to the workspace. */
  files?: string[];
  /** What the failing command of a fix reported. */
  error?: string;
  /** What a person added. */
  notes?: string;
  /** The version, from 1; it rises when what it says changes. */
  version: number;
  /** How often it was tried. */
  attempts: number;
  /** How often it succeeded. */
  successes: number;
  /** The share of the attempts that succeeded, 0 to 1. */
  successRate: number;
  /** Where it succeeded, the latest first, at most 10. */
  evidence: SkillEvidence[];
  /** How important it is, 0 to 1. */
  importance: number;
  /** The estimated length of the text in tokens. */
  tokensEstimate: number;
  /** When it was found. */
  timestamp: Time;
  /** When it was changed last. */
  modifiedAt: Time;
  /** The absolute paths of the folders that it was exported to. */
  exportedTo?: string[];
  /** The revision of what it says and of its status. */
  revision: Revision;
  /** With a query: how well it fits, 0 to 1. */
  score?: number;
}

/** SkillEvidence names an episode in which a skill succeeded. */
export interface SkillEvidence {
  /** The session. */
  sessionId: string;
  /** The number of the prompt in the session, 0 before the first. */
  turn: number;
  /** When it began. */
  at: Time;
}

/** SkillExport is a skill that was to be exported. */
export interface SkillExport {
  /** The id of the skill. */
  id: string;
  /** Its name. */
  name: string;
  /** The absolute path of its SKILL.md. */
  path: string;
  /** What became of it. */
  status: SkillExportStatus;
  /** Why it was left. */
  reason?: string;
}

/** SkillExportStatus is what became of an exported skill. */
export type SkillExportStatus =
  | "written" // It was written.
  | "unchanged" // It was there already.
  | "left"; // Something else is in its place, and was left as it is.

/** SkillKind is the kind of a skill. */
export type SkillKind =
  | "procedure" // Commands that were run together and succeeded.
  | "fix" // What ended a failure of a command.
  | "files"; // Files that change together.

/** SkillStatus is what a person has decided about a skill. */
export type SkillStatus =
  | "offered" // Nothing yet.
  | "kept" // It is kept.
  | "dropped"; // It was dropped and is not offered again.

/** SkillsExportParams say where to write skills. */
export interface SkillsExportParams extends Params {
  /**
   * The folder that the person chose, such as .agents/skills or .claude/skills: absolute, relative to
   * the workspace, or below "~". It is made if it is not there.
   */
  folder: string;
  /** True if the person agreed to files being written there. Otherwise nothing is written. */
  consent: boolean;
  /** The ids or names of kept skills; all by default. */
  ids?: string[];
}

/** SkillsExportResult lists what was written. */
export interface SkillsExportResult {
  /** The skills. */
  skills: SkillExport[];
  /** What to tell a person. */
  message: string;
}

/** SkillsGetParams name a skill. */
export interface SkillsGetParams extends Params {
  /** The id or name of the skill. */
  id: string;
}

/** SkillsGetResult is a skill. */
export interface SkillsGetResult {
  /** The skill. */
  skill: Skill;
  /** Its SKILL.md. */
  document: string;
  /** It and its evidence as Markdown, for people. */
  markdown: string;
}

/** SkillsParams request skills. */
export interface SkillsParams extends Params {
  /**
   * What is to be done, such as "check my change"; only the skills for it are returned then, the best
   * first, none if none fits.
   */
  query?: string;
  /** The maximum number of skills, 1 to 200; if absent or 0, all, or 3 with a query. */
  limit?: number;
  /** Whether to include skills that were dropped. */
  includeDropped?: boolean;
}

/** SkillsRemoveParams name a skill to drop. */
export interface SkillsRemoveParams extends Params {
  /** The id or name of the skill. */
  id: string;
  /** The revision from an undo or a conflict. If the current one is different, nothing is dropped. */
  ifRevision?: Revision;
}

/** SkillsRemoveResult is the dropped skill. */
export interface SkillsRemoveResult {
  /** The skill. */
  skill: Skill;
  /** Exported files of it that stay, because they were changed since or cannot be deleted. */
  filesLeft?: string[];
  /** What to tell a person if there are such files. */
  message?: string;
}

/** SkillsRestoreParams name a skill that was dropped. */
export interface SkillsRestoreParams extends Params {
  /** The id or name of the skill. */
  id: string;
}

/** SkillsRestoreResult is the restored skill, which is kept or offered, as it was. */
export interface SkillsRestoreResult {
  /** The skill. */
  skill: Skill;
}

/** SkillsResult is a list of skills. */
export interface SkillsResult {
  /** The skills: kept ones first, or by how well they fit the query. */
  skills: Skill[];
}

/**
 * SkillsUpdateParams change a skill. Absent members stay as they are. What a person says is not
 * changed by what is found later.
 */
export interface SkillsUpdateParams extends Params {
  /** The id or name of the skill. */
  id: string;
  /** "kept" keeps a skill that is offered; "offered" makes it an offer again. */
  status?: SkillStatus;
  /** What it does, at most 200 characters. */
  title?: string;
  /** When it is used, at most 1000 characters; empty if the title says it. */
  purpose?: string;
  /** The command lines, one a line. */
  commands?: string;
  /** What else to know, at most 8000 characters; an empty text removes it. */
  notes?: string;
  /** The revision from an undo or a conflict. If the current one is different, nothing is changed. */
  ifRevision?: Revision;
}

/** SkillsUpdateResult is the changed skill. */
export interface SkillsUpdateResult {
  /** The skill. */
  skill: Skill;
  /** The call that takes the change back; absent if nothing was changed. */
  undo?: Undo;
}

/** Source is the origin of an entry. */
export type Source =
  | "explicit" // A person asked for it in a message.
  | "manual" // A person or an agent added it.
  | "compaction" // It was a candidate in the summary of a compaction.
  | "said"; // It was said in a conversation and offered.

/** Stale describes why an entry may be outdated. */
export interface Stale {
  /** A sentence, such as "src/old.go is gone". */
  reason: string;
}

/** StateEventParams are an event of the task. */
export interface StateEventParams extends Params {
  /**
   * task_started, decision_made, bug_found, compression_completed, task_completed or
   * context_changed.
   */
  type: string;
  /** The data of the event: a task, decision, bug, summary or context, with details. */
  data: object;
}

/** StateReadParams request the state in the overview. */
export type StateReadParams = Params;

/** StateReadResult is the state in the overview, in two forms. */
export interface StateReadResult {
  /** The state as YAML. */
  yaml: string;
  /** The state as an object. */
  state: unknown;
  /** The revision of the overview; empty if there is none. */
  revision: Revision;
}

/**
 * StateWriteParams write the whole state into the overview, as YAML or as an object. An
 * absent key is removed from the overview, so read the state first to change a part of it.
 */
export interface StateWriteParams extends Params {
  /** The state as YAML. */
  yaml?: string;
  /** The state as an object. */
  state?: unknown;
  /**
   * The revision of the overview that was read. If the current one is different, nothing
   * is written.
   */
  ifRevision?: Revision;
}

/** StateWriteResult is the new overview. */
export interface StateWriteResult {
  /** The revision. */
  revision: Revision;
}

/** StatusEmbeddings is what is known of the endpoint for embeddings. */
export interface StatusEmbeddings {
  /** The name of the model. */
  model: string;
  /** The length of its vectors; 0 if there is none yet. */
  dimensions: number;
  /** The number of documents that have a vector. */
  done: number;
  /** The number of documents that there are. */
  total: number;
  /** Why search goes by words now; absent if it does not. */
  fallback?: string;
}

/** StatusIndex is the progress of making the index of search. */
export interface StatusIndex {
  /** The number of documents that are in it. */
  done: number;
  /** The number of documents that there are. */
  total: number;
}

/** StatusParams request the status of the server. */
export type StatusParams = Params;

/** StatusProblem is a problem. */
export interface StatusProblem {
  /** The severity. */
  severity: ProblemSeverity;
  /** What is wrong. */
  message: string;
  /** How to fix it. */
  fix?: string;
}

/** StatusRating has the coefficients with which hits are rated, and better ones. */
export interface StatusRating {
  /** The coefficients in force. */
  coefficients: Coefficients;
  /** True if they were applied with wm/search/tune, and are not those of the settings. */
  tuned: boolean;
  /**
   * Coefficients that would have put what was used further to the front; absent if none would, or
   * too little was searched and used yet. They are not applied without wm/search/tune.
   */
  proposal?: RatingProposal;
}

/** StatusResult is the status of the server. */
export interface StatusResult {
  /** The version of the server. */
  version: string;
  /** Where the memory is stored. */
  store: StatusStore;
  /** The workspace. */
  workspace: StatusWorkspace;
  /** The number of live sessions. */
  sessions: number;
  /** The size of the memory. */
  sizes: StatusSizes;
  /** The memory types that hold items; empty if no folder is open. */
  memoryTypes: MemoryType[];
  /** How entries are searched. */
  retrieval: Retrieval;
  /** How what is found is rated. */
  rating?: StatusRating;
  /** The endpoint for embeddings; absent if the settings name none. */
  embeddings?: StatusEmbeddings;
  /** How much of the index of search is made; absent if it is complete or nobody needs it yet. */
  index?: StatusIndex;
  /** When recording resumes; absent if it is not paused. */
  pausedUntil?: Time;
  /** The problems, worst first. */
  problems: StatusProblem[];
}

/** StatusSizes are the sizes of the memory. */
export interface StatusSizes {
  /** The size of the database in bytes, with its write-ahead log. */
  databaseBytes: number;
  /** The number of changes in the log, without the snapshot. */
  changes: number;
  /** The number of active entries. */
  entries: number;
  /** The number of active files. */
  files: number;
  /** The number of open errors. */
  errors: number;
}

/** StatusStore is where the memory is stored. */
export interface StatusStore {
  /** The folder of the memory; empty if no folder is open. */
  path: string;
  /** False if nothing can be stored. */
  healthy: boolean;
}

/** StatusWorkspace is the workspace of a folder. All members are empty if no folder is open. */
export interface StatusWorkspace {
  /** The absolute path of the root. */
  root: string;
  /** The first 16 hex digits of the SHA-256 of the root's real path. */
  key: string;
  /** How the root was found. */
  resolvedBy: ResolvedBy;
}

/** SweepParams request a sweep. */
export type SweepParams = Params;

/** SweepResult is the result of a sweep. */
export interface SweepResult {
  /** The time of the sweep. */
  at: Time;
  /** The number of stored outputs. */
  scanned: number;
  /**
   * The number of outputs that were deleted because there were too many or they were too
   * old.
   */
  deleted: number;
  /** The size of the deleted outputs in bytes. */
  reclaimedBytes: number;
  /** The names of files and folders that could not be deleted. */
  failed: string[];
  /** The number of deleted folders of sessions that ended too long ago or are unknown. */
  sessions: number;
  /** The number of entries that were deleted because too many were no longer in force. */
  entries: number;
}

/** Tell selects the part of the context that a session is told. */
export type Tell =
  | "whole" // The whole, because the conversation begins, is resumed or was compacted.
  | "news"; // The difference to what it was told; the whole if that is not known any more.

/**
 * TerminalCommand is a command line for a terminal. An agent may have written it: an editor shows it to
 * the person as it is, and asks before it is run.
 */
export interface TerminalCommand {
  /** The command line. It may have several lines. */
  command: string;
  /** The absolute path of the folder in which it is run. */
  cwd: string;
}

/**
 * Time is a time as a string in the format of RFC 3339. The server sends UTC with
 * milliseconds, such as "2026-03-01T09:30:00.000Z".
 */
export type Time = string;

/** TimeBudget is how much of the time for a context is used, in microseconds. */
export interface TimeBudget {
  /** What it took to assemble the context for this answer. */
  used: number;
  /** What it should take at most. */
  budget: number;
}

/** Todo is an item of the host's todo list. */
export interface Todo {
  /** The host's id of it, if it has one. */
  id?: string;
  /** What to do. The first 1000 characters are kept. */
  content: string;
  /** The host's name of its status, such as "pending". */
  status: string;
  /** The host's name of its priority. */
  priority?: string;
}

/** TodosChangedParams are the todo list of the host. */
export interface TodosChangedParams extends Params {
  /** All todos, which replace the previous ones, or those that have changed. The first 200 are kept. */
  todos: Todo[];
  /**
   * Whether todos are only those that have changed. One with the id of a todo on the list changes it: what is
   * empty stays as it was, and the status "deleted" takes it off. Another one is added, unless its content
   * is empty. The first one that is added when all on the list are completed or cancelled begins a new list.
   */
  partial?: boolean;
}

/** TokenBudget is how much of a budget in tokens is used. */
export interface TokenBudget {
  /** What is used. */
  used: number;
  /** What is left, at least 0. */
  remaining: number;
  /** The budget, estimated from the limits in characters with four characters a token. */
  max: number;
}

/** ToolExecutedParams are a tool call of an agent, with its outcome. */
export interface ToolExecutedParams extends Params {
  /**
   * The name, which determines what the tool does: read, view, open; edit, patch,
   * multiedit, apply_patch; write, create; grep, glob, search, list; bash, shell,
   * run, exec. The settings under tools define others.
   */
  tool: string;
  /**
   * The arguments, an object. Paths are taken from filePath, path, file_path and
   * paths, the command line from command. Relative paths start at cwd.
   */
  input?: unknown;
  /** The output. */
  output?: string;
  /** The error message of the tool. */
  error?: string;
  /** The exit code of the command; null or absent if it is not known. */
  exitCode?: number;
  /** Whether the tool succeeded. */
  outcome?: Outcome;
  /**
   * Other data of the host, an object. The exit code may also be its exitCode,
   * exit_code, exit, code or status.
   */
  metadata?: unknown;
  /** The absolute path of the working directory; the workspace by default. */
  cwd?: string;
  /** True if the output was written by the host and not by the tool. */
  synthetic?: boolean;
  /**
   * True if a person ran a command in a terminal of the editor. It opens and closes errors, and nothing
   * else is kept of it.
   */
  terminal?: boolean;
  /** The host's id of the call. A repeated id is ignored. */
  callId?: string;
  /** True to return the pruned output, as wm/prune does. */
  prune?: boolean;
}

/** ToolExecutedResult is the effect of a tool call. */
export interface ToolExecutedResult {
  /** The files that the tool touched. */
  activeFiles: ActiveFile[];
  /** The errors that were opened. */
  opened: OpenError[];
  /** The fingerprints of the errors that were closed. */
  closed: string[];
  /**
   * The id of the item of episodic memory that says what was called and what came of it; absent
   * if items.enableToolTracking is off, while recording is paused, and if the call was reported
   * before.
   */
  itemId?: string;
  /** The pruned output, if it was requested. */
  output?: Pruned;
}

/** TraceEvent is a change in the log of the workspace. */
export interface TraceEvent {
  /** The position in the log, from 1; of a read, that of the newest change before it. */
  seq: number;
  /** The time. */
  at: Time;
  /** The kind, as noun.participle, such as "memory.added". */
  kind: string;
  /** The id of the subject: the id of an entry, a fingerprint or a path. */
  subject: string;
  /** The session. */
  sessionId?: string;
  /** The agent or editor. */
  by?: string;
  /** The value before. */
  before?: unknown;
  /** The value after. */
  after?: unknown;
  /** The reason, as a code or a sentence. */
  reason?: string;
}

/**
 * TraceParams request changes from the log of the workspace, and reads: contexts that were assembled
 * ("context.assembled") and searches ("search.ran"), which have ids and no content.
 */
export interface TraceParams extends Params {
  /** Only changes of the subject with this id, and reads of it. */
  id?: string;
  /**
   * Only changes of these kinds, such as "memory.added", or of all kinds of a noun, such
   * as "memory".
   */
  kinds?: string[];
  /** Only later changes. */
  since?: TraceStart;
  /** The maximum number, counted from the newest; 100 if absent or 0. */
  limit?: number;
}

/** TraceResult are changes from the log of the workspace. */
export interface TraceResult {
  /** The changes, oldest first. */
  events: TraceEvent[];
}

/**
 * TraceStart is a point in the log: the seq of a change as a number, or a time as a string.
 * Only later changes are returned.
 */
export type TraceStart = number | Time;

/**
 * Undo is a call that undoes a change. If somebody has changed the same thing since, the call
 * is refused with the reason "conflict", which says how it is now, and changes nothing.
 */
export interface Undo {
  /** The method. */
  method: string;
  /** The params. */
  params: object;
}

/**
 * UsageReportedParams report how full the context of an agent is. Tokens take precedence
 * over characters.
 */
export interface UsageReportedParams extends Params {
  /** The length of the prompt in characters. */
  promptChars?: number;
  /** The size of the context in characters; the setting pressure.charLimit by default. */
  charLimit?: number;
  /** The length of the prompt in tokens. */
  tokensUsed?: number;
  /** The size of the context in tokens. */
  tokensMax?: number;
  /** How many of the used tokens are the host's own instructions, if it knows. */
  systemTokens?: number;
  /** How many describe its tools, if it knows. */
  toolsTokens?: number;
  /** How many are the conversation, with the outputs of tools, if it knows. */
  historyTokens?: number;
  /** The number of messages in the history of the host. */
  messagesInHistory?: number;
  /** The prompt, for wm/intervention. */
  visiblePrompt?: string;
}

/** Validity is a range of time. */
export interface Validity {
  /** The begin; open by default. */
  from?: Time;
  /** The end; open by default. */
  to?: Time;
}

/** WindowPart is a part of an agent's context window. */
export interface WindowPart {
  /**
   * "memory" is this context; "system", "tools" and "history" are what the host reports of the rest; "rest" is used
   * by what the host does not name; "free" is not used.
   */
  id: string;
  /** What it is, in words. */
  label: string;
  /** Its size, in the unit of the pressure. */
  size: number;
}

/** WorkingAddParams add an item. */
export interface WorkingAddParams extends Params {
  /** The content, at most 500 characters. */
  content: string;
  /** The slot; the pool by default. */
  slot?: string;
}

/** WorkingAddResult is the added item. */
export interface WorkingAddResult {
  /** The item. If it existed already, it has one more mention. */
  item: WorkingItem;
  /** The items that were evicted for it. */
  evicted: WorkingItem[];
}

/** WorkingClearParams say which slot to clear. */
export interface WorkingClearParams extends Params {
  /** The slot; all slots and the pool by default. */
  slot?: string;
}

/** WorkingClearResult is the result of wm/working/clear. */
export interface WorkingClearResult {
  /** The number of removed items. */
  removed: number;
  /** The call that restores the items; absent if there are none. */
  undo?: Undo;
}

/** WorkingDropped is a removed item with all its data. */
export interface WorkingDropped {
  /** The content, at most 500 characters. */
  content: string;
  /** The slot; the pool by default. */
  slot?: string;
  /** manual, message:user, message:assistant, or tool: followed by the name of the tool. */
  source?: string;
  /** The file that it is or is about. */
  path?: string;
  /** The fingerprint of the open error that it is about. */
  fingerprint?: string;
  /** The number of mentions, from 1. */
  mentions?: number;
  /** The event counter at the last mention. */
  event?: number;
  /** The time of the first mention. */
  createdAt?: Time;
  /** The time of the last mention. */
  lastMentionedAt?: Time;
}

/** WorkingItem is an item of a working memory. */
export interface WorkingItem {
  /** The id. */
  id: string;
  /** The content. */
  content: string;
  /** manual, message:user, message:assistant, or tool: followed by the name of the tool. */
  source: string;
  /** The number of mentions, from 1. */
  mentions: number;
  /**
   * The score of an item of the pool: 0.85^age × (1 + ln(1 + mentions)), where age is the
   * number of events since the last mention.
   */
  score?: number;
  /** The time of the first mention. */
  createdAt: Time;
  /** The time of the last mention. */
  lastMentionedAt: Time;
}

/** WorkingReadParams request the working memory of a session. */
export type WorkingReadParams = Params;

/** WorkingReadResult is the working memory of a session. */
export interface WorkingReadResult {
  /**
   * The items of each slot, newest first, by the name of the slot: error, decision, todo,
   * dependency and those of the settings.
   */
  slots: Record<string, WorkingItem[]>;
  /** All other items, highest score first. */
  pool: WorkingItem[];
  /** The number of tool events and messages in the session. */
  eventCounter: number;
}

/** WorkingRemoveParams say which items to remove. Match or id is required. */
export interface WorkingRemoveParams extends Params {
  /** A part of the content; case is ignored. */
  match?: string;
  /** Only the item with this id. */
  id?: string;
  /** The slot; all slots and the pool by default. */
  slot?: string;
}

/** WorkingRemoveResult are the removed items. */
export interface WorkingRemoveResult {
  /** The items. */
  removed: WorkingItem[];
  /** The call that restores the items; absent if there are none. */
  undo?: Undo;
}

/**
 * WorkingRestoreParams are the params in the undo of wm/working/remove and
 * wm/working/clear.
 */
export interface WorkingRestoreParams extends Params {
  /** The removed items, at most 1000. An item that exists by now is not changed. */
  items: WorkingDropped[];
}

/** WorkingRestoreResult is the result of wm/working/restore. */
export interface WorkingRestoreResult {
  /** The number of restored items. */
  restored: number;
}

/** WorkspacePurgeParams confirm the deletion of all memory of a workspace. */
export interface WorkspacePurgeParams extends Params {
  /** The key of the workspace, from wm/status. */
  confirm: string;
}

/** WorkspacePurgeResult is what was removed. */
export interface WorkspacePurgeResult {
  /** What was removed, one line each. */
  removed: string[];
  /**
   * The files that could not be deleted yet, relative to the folder of the workspace. It is
   * tried again, also at the next start, until there are none.
   */
  filesLeft?: string[];
  /** What to tell a person if there are such files. */
  message?: string;
}

/** What each method takes and gives. */
export interface Methods {
  /** Start or resume a session. This is optional: an event of an unknown session starts it. */
  "wm/session/start": { params: SessionStartParams; result: SessionStartResult };
  /** End a session. Its memory is kept. */
  "wm/session/end": { params: SessionEndParams; result: SessionEndResult };
  /** Get what an ended session left: what it was about, what fails, its files and notes. */
  "wm/session/handover": { params: SessionHandoverParams; result: SessionHandoverResult };
  /** Give what an ended session left to the next agent that starts. */
  "wm/session/continue": { params: SessionContinueParams; result: SessionContinueResult };
  /** Delete a session with its files, rows and pending changes. The workspace memory is kept. */
  "wm/session/delete": { params: SessionDeleteParams; result: SessionDeleteResult };
  /** List the sessions of the workspace. */
  "wm/session/list": { params: SessionListParams; result: SessionListResult };
  /** The diagnostics of a file changed. As a notification for an unsaved file, errors open when the file is saved or has been still for a while; as a request, at once. */
  "wm/diagnostics/changed": { params: DiagnosticsChangedParams; result: DiagnosticsChangedResult };
  /** An agent ran a tool: files become active, errors open and close. */
  "wm/tool/executed": { params: ToolExecutedParams; result: ToolExecutedResult };
  /** A message was added to the conversation: requests to remember become memories, decisions are recorded. */
  "wm/message/received": { params: MessageReceivedParams; result: MessageReceivedResult };
  /** The todo list of the host changed. */
  "wm/todos/changed": { params: TodosChangedParams; result: Empty };
  /** Report how full the context of an agent is. The latest report counts. When the level becomes critical, the client receives wm/intervention. */
  "wm/usage/reported": { params: UsageReportedParams; result: Pressure };
  /** An event of the task: task_started, decision_made, bug_found, compression_completed, task_completed or context_changed. It is written into the overview. */
  "wm/state/event": { params: StateEventParams; result: Empty };
  /** The conversation is about to be summarised. Returns what the summary must contain. */
  "wm/compaction/starting": { params: CompactionStartingParams; result: CompactionStartingResult };
  /** The conversation was replaced by a summary: its candidates and the decisions of the session become memories. */
  "wm/compaction/finished": { params: CompactionFinishedParams; result: CompactionFinishedResult };
  /** Get what an agent should know, for its prompt. */
  "wm/context": { params: ContextParams; result: ContextResult };
  /** Find what is remembered, by its words: the best hits of all stores. */
  "wm/search": { params: SearchParams; result: SearchResult };
  /** List the open errors. */
  "wm/errors/list": { params: ErrorsListParams; result: ErrorsListResult };
  /** Get a description of an open error, for a person to give to an agent. */
  "wm/errors/copy": { params: ErrorParams; result: ErrorsCopyResult };
  /** Get the command that showed an open error, to run it again in a terminal. It is refused if no command did, or if it is not known as it was: redaction changed it, or it is too long. */
  "wm/errors/command": { params: ErrorParams; result: ErrorsCommandResult };
  /** List the active files. */
  "wm/files/list": { params: FilesListParams; result: FilesListResult };
  /** Get the panel, which an editor displays. It waits less than a second for what was sent before it. */
  "wm/panel": { params: PanelParams; result: PanelResult };
  /** Get how full the context of an agent is, by its latest report. */
  "wm/pressure": { params: PressureParams; result: Pressure };
  /** Get how much of each budget is used: of the sections of the context and of the memory types. */
  "wm/budget": { params: BudgetParams; result: BudgetResult };
  /** Get the details of an item of the panel. */
  "wm/panel/resolve": { params: PanelResolveParams; result: PanelResolveResult };
  /** List the workspace memory. */
  "wm/memory/list": { params: MemoryListParams; result: MemoryListResult };
  /** Remember something. Only empty text and prompt injection are rejected. */
  "wm/memory/add": { params: MemoryAddParams; result: Receipt };
  /** Change an entry. */
  "wm/memory/update": { params: MemoryUpdateParams; result: Receipt };
  /** Remove an entry. */
  "wm/memory/remove": { params: MemoryRemoveParams; result: MemoryRemoveResult };
  /** Get where an entry or item comes from, its changes, and why it is kept or not. */
  "wm/memory/explain": { params: MemoryExplainParams; result: MemoryExplainResult };
  /** Restore an evicted, removed or superseded entry, or a removed item. */
  "wm/memory/restore": { params: MemoryRestoreParams; result: Receipt };
  /** Dismiss an open error. It is in no list and no context until it comes back: until a command reports it again, or a language server reports it after it was gone. */
  "wm/errors/dismiss": { params: ErrorParams; result: ErrorsDismissResult };
  /** Undo wm/errors/dismiss. */
  "wm/errors/restore": { params: ErrorParams; result: ErrorsDismissResult };
  /** Remember an open error with its fix, as an entry of the workspace memory about its file. */
  "wm/errors/remember": { params: ErrorsRememberParams; result: Receipt };
  /** Delete all memory of the workspace, also on the disk. */
  "wm/workspace/purge": { params: WorkspacePurgeParams; result: WorkspacePurgeResult };
  /** Get the core memory of a session: three blocks that are in every context. */
  "wm/core/read": { params: CoreReadParams; result: CoreReadResult };
  /** Write a block of the core memory. If it would become too long, it is not changed. */
  "wm/core/update": { params: CoreUpdateParams; result: CoreUpdateResult };
  /** Get the working memory of a session: what matters now, collected from its events. */
  "wm/working/read": { params: WorkingReadParams; result: WorkingReadResult };
  /** Add an item to the working memory. */
  "wm/working/add": { params: WorkingAddParams; result: WorkingAddResult };
  /** Remove the items that contain a string. */
  "wm/working/remove": { params: WorkingRemoveParams; result: WorkingRemoveResult };
  /** Clear a slot, or the whole working memory. */
  "wm/working/clear": { params: WorkingClearParams; result: WorkingClearResult };
  /** Undo wm/working/remove or wm/working/clear, with the params of its undo. The session must exist. */
  "wm/working/restore": { params: WorkingRestoreParams; result: WorkingRestoreResult };
  /** List the notes of the session, which are files: overview.md is in every context, detail/ and archive/ are read on demand. */
  "wm/notes/list": { params: NotesListParams; result: NotesListResult };
  /** Read a note. */
  "wm/notes/read": { params: NotesReadParams; result: NotesReadResult };
  /** Write a note. If it was changed since ifRevision, it is not changed, and both versions can be read. Without ifRevision, the previous version can be read. */
  "wm/notes/write": { params: NotesWriteParams; result: NotesWriteResult };
  /** Move a note to the archive. */
  "wm/notes/archive": { params: NotesArchiveParams; result: NotesArchiveResult };
  /** Move a note back from the archive. */
  "wm/notes/restore": { params: NotesRestoreParams; result: NotesRestoreResult };
  /** Read the sections of the overview as data. */
  "wm/state/read": { params: StateReadParams; result: StateReadResult };
  /** Write data into the sections of the overview. Other text, and sections with the same data, are not changed. */
  "wm/state/write": { params: StateWriteParams; result: StateWriteResult };
  /** Shorten the conversation of a session. Removed messages are archived as a note or only summarised, and the overview refers to them. The last turns, the current task, the next step and decisions with their reasons are kept. */
  "wm/history/compact": { params: HistoryCompactParams; result: HistoryCompactResult };
  /** Shorten the output of a tool before it enters a conversation. Every error line is kept, and the full output is stored. */
  "wm/prune": { params: PruneParams; result: Pruned };
  /** Read the original of a pruned output. */
  "wm/output/read": { params: OutputReadParams; result: OutputReadResult };
  /** Apply coefficients to the rating of what is found, such as those that wm/status proposes, or take them back. */
  "wm/search/tune": { params: SearchTuneParams; result: SearchTuneResult };
  /** Delete old data: outputs over their limits, and the folders of ended sessions. This also happens every 500 events. */
  "wm/sweep": { params: SweepParams; result: SweepResult };
  /** Store items: observations, facts, thoughts, messages. Each is redacted, scored and routed to a store, or rejected because it is not important or not new enough. If one is invalid, none is stored. */
  "wm/memorize": { params: MemorizeParams; result: MemorizeResult };
  /** Close the step of a session: the tail of its working memory is summarised, a line is added to the progress in the core memory, and what the step has stored is returned. */
  "wm/commit": { params: CommitParams; result: CommitResult };
  /** List the skills: procedures that succeeded at least three times. With a query, those for what is to be done. */
  "wm/skills": { params: SkillsParams; result: SkillsResult };
  /** Get a skill, also as a SKILL.md. */
  "wm/skills/get": { params: SkillsGetParams; result: SkillsGetResult };
  /** Keep or edit a skill. */
  "wm/skills/update": { params: SkillsUpdateParams; result: SkillsUpdateResult };
  /** Drop a skill. It is not offered again, and its exported files are deleted unless they were changed. */
  "wm/skills/remove": { params: SkillsRemoveParams; result: SkillsRemoveResult };
  /** Take back that a skill was dropped: it is kept or offered, as it was. */
  "wm/skills/restore": { params: SkillsRestoreParams; result: SkillsRestoreResult };
  /** Write kept skills as folders with a SKILL.md, which agents read, into a folder that the person chose. Only files that were written so and not changed since are replaced. */
  "wm/skills/export": { params: SkillsExportParams; result: SkillsExportResult };
  /** List changes, with their actor and reason. */
  "wm/trace": { params: TraceParams; result: TraceResult };
  /** Take over the memory of another program from its files, which stay as they are. What was taken over before is not taken over again, even if it was removed since. */
  "wm/import": { params: ImportParams; result: ImportResult };
  /** Pause recording for a while, or resume it. */
  "wm/pause": { params: PauseParams; result: PauseResult };
  /** Get the status of the server, where the memory is stored, and problems. It waits less than a second for what was sent before it. */
  "wm/status": { params: StatusParams; result: StatusResult };
}
