// Generated from server/wire by go test ./server/wire -run Current -update; edit the Go types instead.

/** ActiveFile is a file that is being worked with. */
export interface ActiveFile {
  /** Relative to the workspace, with /. */
  path: string;
  /** The heaviest thing that was done to it. */
  action: FileAction;
  /** How often anything was done to it. */
  count: number;
  /** Weight of the action + 3 × count (systems.md B8). */
  rank: number;
  /** When something was last done to it. */
  lastSeen: Time;
  /** The session that did it. */
  sessionId: string;
  /** The agent or editor that did it. */
  by?: string;
  /** SHA-256 of its content then, hex, where known. */
  hash?: string;
}

/** BudgetUnit is what room is counted in. */
export type BudgetUnit =
  | "chars" // Characters.
  | "entries" // Entries.
  | "tokens"; // Tokens.

/**
 * Changed tells a client that what it shows is out of date, whichever process
 * made the change. A client that is slow gets the newest only.
 */
export interface Changed {
  /** URI of the workspace folder. */
  workspace: string;
  /** Rises within a connection; the seq of wm/panel. */
  seq: number;
  /** Ids of the panel's sections that changed. */
  sections: string[];
}

/**
 * ClientCapability is the client's experimental.workingMemory in the params of
 * initialize.
 */
export interface ClientCapability {
  /** Whether the client wants wm/* notifications; no others get them. */
  notifications?: boolean;
}

/**
 * Code is the code of a diagnostic. On the wire it is a text or a number, or
 * an object that holds one as value, as some editors have it.
 */
export type Code = string | number | {value: string | number};

/** CompactionFinishedParams are the summary that replaced the conversation. */
export interface CompactionFinishedParams extends Params {
  /**
   * The summary. Its last <workspace_memory_candidates> block holds what to
   * remember, as lines of the form "- [type] text".
   */
  summary: string;
}

/** CompactionFinishedResult says what was taken from the summary. */
export interface CompactionFinishedResult {
  /** One for each candidate. */
  memories: Receipt[];
  /** One for each decision of the session that became a memory. */
  promoted: Receipt[];
}

/** CompactionStartingParams say that the conversation is about to be summarised. */
export type CompactionStartingParams = Params;

/** CompactionStartingResult is what the summary must not lose. */
export interface CompactionStartingResult {
  /** What to add to the compaction prompt. */
  context: string;
}

/** Context is what an agent should know, as text for its prompt. */
export interface Context {
  /** The prefix and the suffix. */
  text: string;
  /**
   * The stable sections: byte for byte the same as long as nothing in them
   * changes, so that a provider's prompt cache holds.
   */
  prefix: string;
  /** The volatile sections. */
  suffix: string;
  /** Length of the text in characters. */
  chars: number;
  /** Length of the text in tokens, estimated. */
  tokens: number;
  /** What the text is made of, in order. */
  sections: ContextSection[];
  /** How much of the conversation is still needed beside it. */
  history: History;
  /** How full the agent's context is. */
  pressure: Pressure;
}

/**
 * ContextBudget is how long a context may be. Where it is short, sections give way
 * in this order: working, session, workspace, guide, overview, core; pressure and meta
 * never do. The guide and an overview that is still the template take a quarter of it
 * at most.
 */
export interface ContextBudget {
  /** In characters; 0 is none. */
  chars?: number;
  /** In tokens; 0 is none. Both hold where both are given. */
  tokens?: number;
}

/** ContextDelta is what changed in a context. */
export interface ContextDelta {
  /** The changes as text for the prompt; what no longer holds is said so. */
  text: string;
  /** Ids of what is new. */
  added: string[];
  /** Ids of what no longer holds. */
  removed: string[];
}

/** ContextParams ask for what an agent should know before it goes on. */
export interface ContextParams extends Params {
  /** The prompt that it is for. */
  query?: string;
  /** How long it may be. */
  budget?: ContextBudget;
  /** Ids of the sections to give: guide, workspace, core, overview, working, session, pressure, meta; all by default. */
  include?: string[];
  /** Ids of the sections to leave out. */
  exclude?: string[];
  /** The revision that the agent has; the answer is then what changed since. */
  since?: Revision;
  /**
   * True if a person only looks: the session is given no overview to maintain, and
   * one that was deleted is refused.
   */
  preview?: boolean;
}

/**
 * ContextResult takes one of three forms: the whole context; with since,
 * {unchanged, revision} if nothing changed, or {delta, revision} if the
 * changes are shorter than the whole.
 */
export interface ContextResult extends Partial<Context> {
  /** True if nothing changed. */
  unchanged?: boolean;
  /** What changed. */
  delta?: ContextDelta;
  /** What to send as since the next time. */
  revision: Revision;
}

/** ContextSection is one part of a context. */
export interface ContextSection {
  /**
   * In order: "guide", "workspace", "core", "overview" (prefix); "working", "session",
   * "pressure", "meta" (suffix).
   */
  id: string;
  /** Its text. */
  text: string;
  /** Length in characters. */
  chars: number;
  /** Length in tokens, estimated. */
  tokens: number;
  /** Whether it belongs to the prefix. */
  stable: boolean;
  /** What did not fit or does not hold any more. */
  omitted: Omission[];
}

/** CoreBlock is one block. */
export interface CoreBlock {
  /** The text. */
  content: string;
  /** Its characters. */
  chars: number;
  /** Characters that it may have. */
  maxChars: number;
  /** When it was last written; empty if it never was. */
  updatedAt: Time;
}

/** CoreBlocks are the blocks of a core memory. */
export interface CoreBlocks {
  /** What the agent is working towards. */
  goal: CoreBlock;
  /** What is done and what comes next. */
  progress: CoreBlock;
  /** What else it has to have at hand. */
  context: CoreBlock;
}

/** CoreOperation says what an update does with what was there. */
export type CoreOperation =
  | "replace" // The content takes its place.
  | "append"; // The content follows on a new line.

/** CoreReadParams ask for an agent's core memory. */
export type CoreReadParams = Params;

/** CoreReadResult is the core memory of a session. */
export interface CoreReadResult {
  /** Its blocks. */
  blocks: CoreBlocks;
}

/** CoreUpdateParams write a block. */
export interface CoreUpdateParams extends Params {
  /** goal, progress or context. */
  block: string;
  /** What to do with what is there. */
  operation: CoreOperation;
  /** The text. */
  content: string;
}

/** CoreUpdateResult is the block as it is now. */
export interface CoreUpdateResult {
  /** The block. */
  block: CoreBlock;
  /** The call that brings back what it said before. */
  undo?: Undo;
}

/**
 * Diagnostic is one finding of a language server: the members of LSP's
 * Diagnostic that matter here.
 */
export interface Diagnostic {
  /** Where. */
  range: Range;
  /** 1 error, 2 warning, 3 information, 4 hint; error by default. */
  severity?: number;
  /** Its code; a number or a text. */
  code?: Code;
  /** The language server or linter. */
  source?: string;
  /** What is wrong. */
  message: Message;
}

/**
 * DiagnosticsChangedParams are all diagnostics of one file, as its language
 * server sees it now.
 */
export interface DiagnosticsChangedParams extends Params {
  /** The file. */
  uri: string;
  /** Version of the document that was looked at. */
  version?: number;
  /** The whole set; it replaces the one before. */
  diagnostics: Diagnostic[];
}

/** DiagnosticsChangedResult says what that changed. */
export interface DiagnosticsChangedResult {
  /** Errors that are open now and were not before. */
  opened: OpenError[];
  /** Fingerprints of errors that are closed now. */
  closed: string[];
}

/** Empty is an object without members: there is nothing to say. */
export type Empty = {};

/** EntryStatus says whether a memory still counts. */
export type EntryStatus =
  | "active" // It counts.
  | "superseded" // Another entry took its place.
  | "evicted" // It made room; it can be restored.
  | "removed"; // Somebody removed it; it can be restored.

/** ErrorOrigin says who reported an error. */
export type ErrorOrigin =
  | "diagnostic" // A language server.
  | "command"; // A command that failed.

/** ErrorSource is one who reports an error. */
export interface ErrorSource {
  /** A language server or a command. */
  origin: ErrorOrigin;
  /** The session in which it was reported. */
  sessionId: string;
  /** Whether that session goes on. */
  live: boolean;
}

/** ErrorsListParams ask for the open errors. */
export interface ErrorsListParams extends Params {
  /** Only errors of these files or folders, relative to the workspace. */
  paths?: string[];
}

/** ErrorsListResult are the open errors. */
export interface ErrorsListResult {
  /** Last seen first. */
  errors: OpenError[];
}

/** FileAction is what was done to a file. */
export type FileAction =
  | "edit" // Its content was changed.
  | "write" // It was written or saved as a whole.
  | "grep" // It was searched or listed.
  | "read"; // It was read or opened.

/** FilesListParams ask for the active files. */
export interface FilesListParams extends Params {
  /** How many at most; all by default. */
  limit?: number;
}

/** FilesListResult are the active files. */
export interface FilesListResult {
  /** Highest rank first. */
  files: ActiveFile[];
}

/** History says how much of the conversation an agent still needs. */
export interface History {
  /** How much. */
  keep: HistoryKeep;
  /** Why. */
  reason: string;
}

/** HistoryCompactParams say what to compact. */
export interface HistoryCompactParams extends Params {
  /** What of the conversation. */
  target: HistoryTarget;
  /** What becomes of it; archive if absent. */
  strategy?: HistoryStrategy;
  /** Turns, or outputs of tools, that stay, from 1; the setting history.keepRecent if absent or 0. */
  keepRecent?: number;
  /** A note in detail/ for what leaves; a new one if absent. One that is there is continued. */
  archiveTo?: string;
  /**
   * The model's own summary; without one the server takes what matters from the
   * messages. The task, the next step and decisions that it forgets are added.
   */
  summary?: string;
}

/** HistoryCompactResult is what became of the conversation. */
export interface HistoryCompactResult {
  /** Ids of the messages that left; none where there was nothing to leave. */
  removed: string[];
  /** Ids of those that stay, in order. */
  kept: string[];
  /** What stands for those that left. */
  summary: string;
  /** The note that has them. */
  archivedTo?: string;
  /** Tokens of the conversation before. */
  tokensBefore: number;
  /** Tokens of it now, with the summary. */
  tokensAfter: number;
}

/**
 * HistoryCompacted tells a client that the server itself has compacted the
 * conversation of one of its agents, because its context is full enough for that and
 * nobody else did.
 */
export interface HistoryCompacted {
  /** The session of the agent. */
  sessionId: string;
  /** Ids of the messages that left. */
  removed: string[];
  /** What stands for them. */
  summary: string;
  /** The note that has them. */
  archivedTo: string;
}

/** HistoryKeep says how much of a conversation is needed. */
export type HistoryKeep =
  | "all" // All of it.
  | "activeTurn"; // Only the turn that is going on.

/** HistoryStrategy says what becomes of messages that leave a conversation. */
export type HistoryStrategy =
  | "archive" // They are written to a note.
  | "summarize"; // Only the summary stands for them.

/** HistoryTarget says what of a conversation is compacted. */
export type HistoryTarget =
  | "conversation" // Turns, with the outputs of tools in them.
  | "tools" // Outputs of tools.
  | "all"; // Both.

/**
 * InitializationOptions are the members of initializationOptions that are not
 * settings.
 */
export interface InitializationOptions {
  /**
   * Id of the connection's session; by default made from the workspace, the
   * client's name and its process, so that a server that an editor restarts
   * resumes its session.
   */
  sessionId?: string;
  /** The agent or editor; the client's name by default. */
  agent?: string;
  /**
   * Whether this process only speaks for sessions that outlive it, such as a hook or
   * a command that lives for one event: it owns none, also not with wm/session/start.
   * When it leaves, they go on until session.leaseMinutes pass without a sign of life.
   */
  attach?: boolean;
}

/** InputKind says how a person is asked. */
export type InputKind =
  | "text" // They write.
  | "choice"; // They choose.

/**
 * Intervention tells a client that the context of one of its agents has become
 * critical, once for each time that it does.
 */
export interface Intervention {
  /** The session of the agent. */
  sessionId: string;
  /** How full its context is. */
  pressure: Pressure;
  /** The prompt that came with the report; without one, the text of wm/context. */
  visiblePrompt: string;
}

/** InvalidParams is the data of error -32602: what is wrong with the params. */
export interface InvalidParams {
  /**
   * The member that is wrong, with dots for members within, such as
   * "budget.chars"; empty if the params as a whole are.
   */
  field: string;
  /** What is wrong with it, and what would be right. */
  reason: string;
}

/** MemoryAddParams are something to remember. */
export interface MemoryAddParams extends Params {
  /** What to remember. */
  text: string;
  /** Its type; "project" by default. */
  type?: string;
  /** Why it is so. */
  rationale?: string;
  /**
   * How it came to be; "manual" by default, the only other one that a client
   * may give is "explicit".
   */
  source?: Source;
  /** Files that it is about, relative to the workspace. */
  files?: string[];
  /** Whether to pin it. */
  pinned?: boolean;
}

/** MemoryEntry is one thing that the workspace remembers across sessions. */
export interface MemoryEntry {
  /** Id, for good. */
  id: string;
  /**
   * "feedback", "project", "decision", "reference", or a type that the
   * settings add.
   */
  type: string;
  /** What is remembered, redacted. */
  text: string;
  /** Why it is so. */
  rationale?: string;
  /** How it came to be. */
  source: Source;
  /** 0 to 1: 1 if explicit, 0.9 if manual, 0.75 from a compaction. */
  confidence: number;
  /** Whether it still counts. */
  status: EntryStatus;
  /** Pinned entries are never evicted. */
  pinned?: boolean;
  /** Whether a person has looked at it. */
  reviewed: boolean;
  /** Files that it is about, relative to the workspace, with /. */
  files?: string[];
  /** Where it was first said. */
  origin?: Origin;
  /** How often it was said again or restored. */
  reinforced: number;
  /** When it was added. */
  createdAt: Time;
  /** When anything about it last changed. */
  updatedAt: Time;
  /** Why it may no longer hold, if there is a sign of that. */
  stale?: Stale;
}

/**
 * MemoryExplainParams name an entry: every id that was ever given and not
 * erased.
 */
export interface MemoryExplainParams extends Params {
  /** The entry. */
  id: string;
}

/** MemoryExplainResult says how an entry came to be and why it is kept or not. */
export interface MemoryExplainResult {
  /** The entry. */
  entry: MemoryEntry;
  /** Everything that happened to it, oldest first. */
  events: TraceEvent[];
  /** How safe it is from eviction. */
  retention: Retention;
  /** All of that for a person to read. */
  markdown: string;
}

/** MemoryLimits say how much fits into the workspace memory. */
export interface MemoryLimits {
  /** Active entries at most. */
  maxEntries: number;
  /** Characters of the rendered text at most. */
  maxChars: number;
}

/** MemoryListParams ask for the workspace memory. */
export interface MemoryListParams extends Params {
  /** Only entries of these types. */
  types?: string[];
  /** Whether to give superseded, evicted and removed ones too. */
  includeInactive?: boolean;
}

/** MemoryListResult is the workspace memory. */
export interface MemoryListResult {
  /** In the order in which they were added. */
  entries: MemoryEntry[];
  /** How much fits. */
  limits: MemoryLimits;
  /** How much there is. */
  used: MemoryUse;
}

/** MemoryRemoveParams name an entry to forget. */
export interface MemoryRemoveParams extends Params {
  /** The entry. */
  id: string;
  /** True to leave no trace of its text anywhere; it cannot be restored then. */
  erase?: boolean;
}

/** MemoryRemoveResult says what was forgotten. */
export interface MemoryRemoveResult {
  /** The entry; without its text and rationale if it was erased. */
  entry: MemoryEntry;
}

/** MemoryRestoreParams name an evicted, removed or superseded entry. */
export interface MemoryRestoreParams extends Params {
  /** The entry. */
  id: string;
}

/** MemoryUpdateParams change an entry; what is absent stays. */
export interface MemoryUpdateParams extends Params {
  /** The entry. */
  id: string;
  /** Its new text. */
  text?: string;
  /** Its new type. */
  type?: string;
  /** Its new rationale; an empty one takes it away. */
  rationale?: string;
  /** Whether it is pinned. */
  pinned?: boolean;
  /** Whether a person has looked at it. */
  reviewed?: boolean;
}

/** MemoryUse says how much is in the workspace memory. */
export interface MemoryUse {
  /** Active entries. */
  entries: number;
  /** Characters of the rendered text. */
  chars: number;
}

/**
 * Message is the text of a diagnostic. On the wire it is a text or LSP's
 * MarkupContent, of which only the value is kept.
 */
export type Message = string | {kind: string; value: string};

/** MessageReceivedParams are a message that was added to a conversation. */
export interface MessageReceivedParams extends Params {
  /** Who speaks. */
  role: Role;
  /** What they say. */
  text: string;
  /** The host's id of the message; the same one twice counts once. */
  messageId?: string;
  /** Its length in tokens, where known. */
  tokens?: number;
}

/** MessageReceivedResult says what was taken from the message. */
export interface MessageReceivedResult {
  /** One for each request to remember something. */
  memories: Receipt[];
  /** Decisions that it states. */
  decisions: string[];
  /** Things to do that it states. */
  todos: string[];
}

/** NoteFile is a note in a listing. */
export interface NoteFile {
  /** overview.md, detail/… or archive/…. */
  path: string;
  /** Its size. */
  bytes: number;
  /** When it was last written. */
  updatedAt: Time;
  /** Its first heading, else its first line, else its name. */
  title: string;
}

/** NotesArchiveParams name a note that is done with. */
export interface NotesArchiveParams extends Params {
  /** overview.md or detail/…. */
  path: string;
}

/** NotesArchiveResult says where it is now. */
export interface NotesArchiveResult {
  /** archive/…. */
  path: string;
  /** The call that moves it back. */
  undo?: Undo;
}

/** NotesListParams ask for the notes of a session. */
export type NotesListParams = Params;

/** NotesListResult is what notes there are. */
export interface NotesListResult {
  /** The folder that holds them. It is there once something was written. */
  root: string;
  /** The notes: overview.md first, then detail/, then archive/. */
  files: NoteFile[];
}

/** NotesReadParams ask for a note. */
export interface NotesReadParams extends Params {
  /** overview.md, detail/… or archive/…. */
  path: string;
  /** What it said at a former revision; as it is now if absent. */
  revision?: Revision;
}

/** NotesReadResult is a note. */
export interface NotesReadResult {
  /** Its path. */
  path: string;
  /** What it says. */
  content: string;
  /** The revision of that. */
  revision: Revision;
}

/** NotesRestoreParams name a note of the archive that is needed again. */
export interface NotesRestoreParams extends Params {
  /** archive/…. */
  path: string;
  /** Where it is to be: overview.md or detail/…; under its name in detail/ if absent. No note may be there. */
  to?: string;
}

/** NotesRestoreResult says where it is now. */
export interface NotesRestoreResult {
  /** overview.md or detail/…. */
  path: string;
  /** The call that moves it to the archive again. */
  undo?: Undo;
}

/** NotesWriteParams write a note. */
export interface NotesWriteParams extends Params {
  /** overview.md, detail/… or archive/…. */
  path: string;
  /** What it is to say, at most 1 MiB. */
  content: string;
  /** The revision that it was read at. If the note has another one by now, nothing is written. */
  ifRevision?: Revision;
}

/** NotesWriteResult is what was written. */
export interface NotesWriteResult {
  /** Its path. */
  path: string;
  /** Its revision now. */
  revision: Revision;
}

/** Omission is something that was left out. */
export interface Omission {
  /** Id of what was left out. */
  id: string;
  /** Why. */
  reason: string;
}

/** OpenError is an error that nobody has yet seen fixed. */
export interface OpenError {
  /** 12 hex digits; the same error on another line has the same one. */
  fingerprint: string;
  /**
   * "typecheck", "test", "lint", "build", "runtime", or a category that the
   * settings add.
   */
  category: string;
  /** The error in one line; that of a failing test begins with the test's id. */
  summary: string;
  /** The file, relative to the workspace, absolute outside it. */
  path?: string;
  /** The line, from 1. */
  line?: number;
  /** The language server or tool that reports it. */
  tool?: string;
  /** The command that failed. */
  command?: string;
  /** How often it was reported. */
  count: number;
  /** When it was first reported. */
  firstSeen: Time;
  /** When it was last reported. */
  lastSeen: Time;
  /** False from a restart of the server until it is reported again. */
  verified: boolean;
  /** True once its file was edited. */
  maybeFixed?: boolean;
  /**
   * True if the command ended with code 0 because of a pipe, and it is the test
   * runner's own summary that says that tests failed.
   */
  masked?: boolean;
  /** All who report it; it is closed when each of them has closed it. */
  sources: ErrorSource[];
}

/** Origin is the session in which an entry was first said. */
export interface Origin {
  /** The session. */
  sessionId: string;
  /** The agent or editor. */
  agent?: string;
}

/** Outcome says whether a tool did what it was to do. */
export type Outcome =
  | "success" // It did.
  | "failure"; // It did not; without an exit code that is an unknown code other than 0.

/** OutputReadParams name an output that was pruned. */
export interface OutputReadParams extends Params {
  /** The reference that came with the pruned output. */
  ref: string;
  /** The character to begin at. */
  offset?: number;
  /** How many characters at most; all by default. */
  limit?: number;
}

/** OutputReadResult is the full text of an output, or a part of it. */
export interface OutputReadResult {
  /** The text without its secrets. */
  output: string;
  /** Characters of the whole. */
  totalChars: number;
}

/**
 * Panel is what an editor paints. It adds nothing of its own, so a section
 * that is new on the server appears in every editor.
 */
export interface Panel {
  /** In the order in which to show them. */
  sections: PanelSection[];
  /** How full the agent's context is, once usage was reported. */
  pressure?: Pressure;
  /** Memories that wait for review. */
  badge: number;
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
  /** Whether wm/panel/resolve has a text for it. */
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
 * PanelParams ask for what an editor paints. A sessionId says whose memory to show;
 * where that session is not known, or was deleted, it is as if none was named.
 */
export interface PanelParams extends Params {
  /** Ids of the sections to give: memory, errors, files, core, working, notes, sessions, budget; all by default. */
  sections?: string[];
  /** The seq that the editor has painted. */
  ifSeq?: number;
}

/** PanelResolveParams name an item of the panel. */
export interface PanelResolveParams extends Params {
  /** The item's id. */
  id: string;
}

/** PanelResolveResult is what there is to read about an item. */
export interface PanelResolveResult {
  /** As Markdown. */
  markdown: string;
}

/**
 * PanelResult takes one of two forms: the panel, or {unchanged, seq} if ifSeq
 * is still right.
 */
export interface PanelResult extends Partial<Panel> {
  /** Rises within a connection with each change of the panel. */
  seq: number;
  /** True if nothing changed. */
  unchanged?: boolean;
}

/** PanelSection is one list of the panel. */
export interface PanelSection {
  /**
   * Its id, for good: "memory", "errors", "files", "core", "working", "notes",
   * "sessions" or "budget".
   */
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
  /** How much of its room is used. */
  budget?: PanelBudget;
  /** What to write when it is empty: what to do. */
  empty?: string;
}

/** PanelShow says when a section is shown. */
export type PanelShow =
  | "always" // Always.
  | "nonEmpty" // When it has items.
  | "advanced"; // When the person asks for more.

/** Params are the members that the params of every wm/* method may carry. */
export interface Params {
  /** The session that is meant; the connection's own by default. */
  sessionId?: string;
  /**
   * The URI of a workspace folder; by default the folder that holds the file
   * that the params name, else the first folder.
   */
  workspace?: string;
  /** The agent that acts, where several share a session. */
  agentId?: string;
  /** The agent's own id of what it is working on. */
  taskId?: string;
  /** When it happened; now by default. */
  at?: Time;
}

/** PauseParams say how long nothing is to be recorded. */
export interface PauseParams extends Params {
  /** How long; the setting recording.pauseMinutes by default. */
  minutes?: number;
  /** True to record again, now. */
  resume?: boolean;
}

/** PauseResult says whether anything is recorded. */
export interface PauseResult {
  /** When recording goes on; absent if nothing is paused. */
  pausedUntil?: Time;
}

/** Position is a place in a document. */
export interface Position {
  /** Line, from 0. */
  line: number;
  /** Offset in the line from 0, in UTF-16 code units. */
  character: number;
}

/** Pressure is how much of its context an agent has used. */
export interface Pressure {
  /** How full it is. */
  level: PressureLevel;
  /** How hard to compress. */
  hint: PressureHint;
  /** What to compress then. */
  advice?: string;
  /** 100 × used / limit. */
  percentage: number;
  /** Used, in units. */
  used: number;
  /** The limit, in units. */
  limit: number;
  /** What is counted. */
  unit: PressureUnit;
  /** How often the client was told that the level is critical. */
  interventionsSent: number;
  /** When usage was last reported; empty if it never was. */
  lastChecked: Time;
  /** Earlier reports, oldest first. */
  history: PressurePoint[];
}

/** PressureHint says how hard to compress. */
export type PressureHint =
  | "normal" // Under 20 %.
  | "light_compression" // From 20 %.
  | "medium_compression" // From 40 %.
  | "heavy_compression" // From 60 %.
  | "emergency_compression"; // From 75 %.

/** PressureLevel says how full the agent's context is. */
export type PressureLevel =
  | "safe" // Under 70 %.
  | "moderate" // 70 to 84 %.
  | "high" // 85 to 94 %.
  | "critical"; // 95 % and over.

/** PressureParams ask how full the agent's context is. */
export type PressureParams = Params;

/** PressurePoint is one earlier report of usage. */
export interface PressurePoint {
  /** When. */
  at: Time;
  /** 100 × used / limit. */
  percentage: number;
}

/** PressureUnit is what usage is counted in. */
export type PressureUnit =
  | "chars" // Characters.
  | "tokens"; // Tokens of the agent's model.

/** ProblemSeverity says how bad a problem is. */
export type ProblemSeverity =
  | "error" // Something does not work.
  | "warning"; // Something works differently than asked for.

/** PruneMode says how much of an output is left out. */
export type PruneMode =
  | "normal" // Up to 50 lines stay whole; of more the first and last 30.
  | "aggressive" // Up to 30 lines; 20; and what was there before is left out.
  | "hyper"; // Up to 15 lines; 10.

/** PruneParams are the output of a tool. */
export interface PruneParams extends Params {
  /**
   * The tool that printed it. What reading and searching tools print is taken for
   * the content of files.
   */
  tool?: string;
  /** The command line that printed it. */
  command?: string;
  /** What was printed. */
  output: string;
  /**
   * How much is left out; by default as the pressure of the session asks: normal
   * below 85 %, then aggressive, from 95 % hyper.
   */
  mode?: PruneMode;
  /** True if the host made the output up; it then stays as it is. */
  synthetic?: boolean;
}

/** Pruned is an output after pruning. */
export interface Pruned {
  /**
   * The shortened text. Its last line says how much is left and how to read all of
   * it; "[… 12 lines]" stands where lines were left out. The text as it was, where
   * nothing was left out.
   */
  output: string;
  /** Whether anything was left out. */
  pruned: boolean;
  /**
   * What the output was recognised as: listing, tree, log, stackTrace, repetition,
   * longOutput, json, base64.
   */
  kinds: string[];
  /** The mode that was used. */
  mode: PruneMode;
  /** Lines before. */
  linesIn: number;
  /** Lines after. */
  linesOut: number;
  /** Characters before. */
  charsIn: number;
  /** Characters after. */
  charsOut: number;
  /** What to read the full text with, in wm/output/read. */
  ref?: string;
}

/** Range is a span of a document; its end is exclusive. */
export interface Range {
  /** Where it begins. */
  start: Position;
  /** Where it ends. */
  end: Position;
}

/**
 * Receipt says what became of something that was to be remembered. It is sent
 * only after that is on the disk.
 */
export interface Receipt {
  /** What became of it. */
  status: ReceiptStatus;
  /** The entry's id; absent if it was rejected. */
  id?: string;
  /**
   * The entry as it is now. Its status is "evicted" if it was itself the
   * weakest of too many.
   */
  entry?: MemoryEntry;
  /** The text of the entry, or the one that was rejected; redacted. */
  text?: string;
  /** Code of the rule that rejected it (systems.md B4), or why it was merged. */
  reason?: string;
  /** Secrets that were removed from it. */
  redactions?: number;
  /** Ids of the entries that made room for it. */
  evicted?: string[];
  /** The call that takes it back. */
  undo?: Undo;
}

/** ReceiptStatus says what became of what was to be remembered. */
export type ReceiptStatus =
  | "added" // A new entry.
  | "merged" // It was known; the entry is reinforced.
  | "updated" // The entry was changed.
  | "unchanged" // The entry already was like that.
  | "rejected"; // It is not kept; reason says why.

/**
 * Refusal is the data of error -32803: why the request failed. Nothing was
 * changed by it.
 */
export interface Refusal {
  /** Why. */
  reason: RefusalReason;
  /** Id of what was not found. */
  id?: string;
  /** The limit that would be passed. */
  max?: number;
  /** How much there is or would be. */
  used?: number;
  /** Characters that a block would have. */
  chars?: number;
  /** Characters that it may have. */
  maxChars?: number;
  /** Of a note that was changed meanwhile: its revision now. */
  revision?: Revision;
  /** The revision under which the text that was not written can be read. */
  kept?: Revision;
}

/** RefusalReason says why a request with right params failed. */
export type RefusalReason =
  | "limit" // A limit would be passed.
  | "conflict" // Somebody else changed it meanwhile.
  | "notFound" // There is nothing with that id.
  | "noWorkspace" // No folder is open, so nothing can be kept.
  | "store" // The disk did not take it.
  | "paused"; // Recording is paused.

/** ResolvedBy says how the root of a workspace was found. */
export type ResolvedBy =
  | "git" // The repository that holds the folder.
  | "folder" // The folder itself: it is in no repository.
  | "setting"; // The folder itself: the settings say so.

/** Retention says how safe an entry is. */
export interface Retention {
  /** Its place among the active entries, 1 the safest; 0 if it is not active. */
  rank: number;
  /** Whether it is in contexts now. */
  rendered: boolean;
  /** Why. */
  reason: string;
}

/** Retrieval says how memories are searched. */
export type Retrieval =
  | "lexical" // By words.
  | "hybrid"; // By words and by meaning.

/**
 * Revision names a state by its content. It is opaque: compare it for
 * equality, and for nothing else.
 */
export type Revision = string;

/** Role says who speaks. */
export type Role =
  | "user" // The person; each of their messages begins a turn.
  | "assistant" // The model.
  | "system" // The host.
  | "tool"; // A tool.

/**
 * ServerCapability is the server's experimental.workingMemory in the result
 * of initialize.
 */
export interface ServerCapability {
  /** Version of the protocol: 1. */
  version: number;
  /** The wm/* methods that the server offers. */
  methods: string[];
}

/** Session is the time that one agent or editor spends in a workspace. */
export interface Session {
  /** Its id. */
  sessionId: string;
  /** The agent or editor. */
  agent?: string;
  /** What to call it. */
  title?: string;
  /** Whether it goes on: the process of its owner lives, or its lease holds. */
  live: boolean;
  /** When it is over without another sign of life; absent while a process owns it. */
  leaseUntil?: Time;
  /** When it began. */
  startedAt: Time;
  /** When something last happened in it. */
  updatedAt: Time;
  /** Messages of the user so far. */
  turn: number;
}

/** SessionDeleteParams name a session that is to be forgotten. */
export interface SessionDeleteParams extends Params {
  /** Required here. */
  sessionId: string;
}

/** SessionDeleteResult says what is gone. */
export interface SessionDeleteResult {
  /** Everything that was removed, one line each. */
  removed: string[];
}

/** SessionEndParams name a session that is over. */
export interface SessionEndParams extends Params {
  /** Required here. */
  sessionId: string;
}

/** SessionListParams ask for the sessions of the workspace. */
export type SessionListParams = Params;

/** SessionListResult are the sessions of the workspace. */
export interface SessionListResult {
  /** Newest first. */
  sessions: Session[];
  /**
   * The session whose memory a panel shows to the caller: the named one, else its own, or, if that has no
   * memory as in an editor, that of the most recently active agent.
   */
  shown?: string;
}

/** SessionStartParams name a session that begins or resumes. */
export interface SessionStartParams extends Params {
  /** Required here. */
  sessionId: string;
  /** The agent or editor whose session it is. */
  agent?: string;
  /** What to call it in lists. */
  title?: string;
  /**
   * Whether to keep the conversation of the session, so that wm/history/compact can
   * make it shorter.
   */
  history?: boolean;
}

/** SessionStartResult says which session began. */
export interface SessionStartResult {
  /** The session. */
  sessionId: string;
  /** The key of its folder: the first 32 hex digits of SHA-256 of its id. */
  key: string;
  /** False if the session was known and resumes. */
  created: boolean;
}

/** Source says how a memory came to be. */
export type Source =
  | "explicit" // A person asked for it in a message.
  | "manual" // A person or an agent added it.
  | "compaction"; // It stood in the summary of a compaction.

/** Stale says why an entry may no longer hold. */
export interface Stale {
  /** A sentence, such as "src/old.go is gone". */
  reason: string;
}

/** StateEventParams tell what happened to the task. */
export interface StateEventParams extends Params {
  /** task_started, decision_made, bug_found, compression_completed, task_completed or context_changed. */
  type: string;
  /** What belongs to it: a task, decision, bug, summary or context, each with more. */
  data: object;
}

/** StateReadParams ask for the state that the overview holds. */
export type StateReadParams = Params;

/** StateReadResult is the state, twice. */
export interface StateReadResult {
  /** As YAML. */
  yaml: string;
  /** As an object. */
  state: unknown;
  /** The revision of the overview; empty if there is none. */
  revision: Revision;
}

/**
 * StateWriteParams write the whole state into the overview, as YAML or as an
 * object, not as both. What a key that is not given held is taken out of the
 * overview; read the state first to change a part of it.
 */
export interface StateWriteParams extends Params {
  /** As YAML. */
  yaml?: string;
  /** As an object. */
  state?: unknown;
  /**
   * The revision of the overview at which the state was read. If it has another one
   * by now, nothing is written.
   */
  ifRevision?: Revision;
}

/** StateWriteResult is the overview after it. */
export interface StateWriteResult {
  /** Its revision now. */
  revision: Revision;
}

/** StatusParams ask how the server is. */
export type StatusParams = Params;

/** StatusProblem is something that is wrong. */
export interface StatusProblem {
  /** How bad it is. */
  severity: ProblemSeverity;
  /** What is wrong. */
  message: string;
  /** What to do about it. */
  fix?: string;
}

/** StatusResult says how the server is. */
export interface StatusResult {
  /** Of the server. */
  version: string;
  /** Where memory is kept. */
  store: StatusStore;
  /** Which memory it is. */
  workspace: StatusWorkspace;
  /** Sessions of the workspace that go on. */
  sessions: number;
  /** How much there is. */
  sizes: StatusSizes;
  /** How memories are searched. */
  retrieval: Retrieval;
  /** When recording goes on; absent if nothing is paused. */
  pausedUntil?: Time;
  /** What is wrong, worst first. */
  problems: StatusProblem[];
}

/** StatusSizes say how much is kept. */
export interface StatusSizes {
  /** Bytes of the database. */
  databaseBytes: number;
  /** Changes in the log, those in the snapshot left out. */
  changes: number;
  /** Active entries of the workspace memory. */
  entries: number;
  /** Active files. */
  files: number;
  /** Open errors. */
  errors: number;
}

/** StatusStore says where memory is kept. */
export interface StatusStore {
  /** The folder of the workspace's memory; empty if no folder is open. */
  path: string;
  /** False if nothing can be kept. */
  healthy: boolean;
}

/**
 * StatusWorkspace says which memory a folder belongs to. All is empty if no
 * folder is open.
 */
export interface StatusWorkspace {
  /** Its root, absolute. */
  root: string;
  /** First 16 hex digits of SHA-256 of the root's real path. */
  key: string;
  /** How the root was found. */
  resolvedBy: ResolvedBy;
}

/** SweepParams ask for a sweep. */
export type SweepParams = Params;

/** SweepResult says what a sweep did. */
export interface SweepResult {
  /** When it was. */
  at: Time;
  /** Kept outputs that were looked at. */
  scanned: number;
  /** Kept outputs that were deleted, because they were too many or too old. */
  deleted: number;
  /** Bytes that they had. */
  reclaimedBytes: number;
  /** Names of the files and folders that could not be deleted. */
  failed: string[];
  /**
   * Folders that were deleted of sessions that are over for too long, or that nobody
   * knows.
   */
  sessions: number;
}

/**
 * Time is an instant as an RFC 3339 text; what the server sends is UTC with
 * milliseconds, such as "2026-03-01T09:30:00.000Z".
 */
export type Time = string;

/** Todo is one line of the host's todo list. */
export interface Todo {
  /** What to do. */
  content: string;
  /** The host's own word for its state, such as "pending". */
  status: string;
  /** The host's own word for its priority. */
  priority?: string;
}

/** TodosChangedParams are the host's whole todo list. */
export interface TodosChangedParams extends Params {
  /** All of them; they replace the ones before. */
  todos: Todo[];
}

/** ToolExecutedParams say which tool an agent ran, and what came of it. */
export interface ToolExecutedParams extends Params {
  /**
   * Its name. What it does is told from it: read, view, open; edit, patch,
   * multiedit, apply_patch; write, create; grep, glob, search, list; bash,
   * shell, run, exec; others by the settings under tools.
   */
  tool: string;
  /**
   * What it was called with, an object. Paths are read from filePath, path,
   * file_path and paths, relative ones from cwd; a command line from command.
   */
  input?: unknown;
  /** What it printed. */
  output?: string;
  /** Its own error message. */
  error?: string;
  /** Exit code of the command, null or absent if it is not known. */
  exitCode?: number;
  /** Whether it did what it was to do. */
  outcome?: Outcome;
  /**
   * What else the host knows, an object. The exit code is also looked for in
   * its exitCode, exit_code, exit, code and status.
   */
  metadata?: unknown;
  /** The folder that it ran in, absolute; the workspace by default. */
  cwd?: string;
  /** True if the host made the output up. */
  synthetic?: boolean;
  /** The host's id of the call; the same one twice counts once. */
  callId?: string;
  /** True if the output is to be answered pruned, as wm/prune does. */
  prune?: boolean;
}

/** ToolExecutedResult says what that changed. */
export interface ToolExecutedResult {
  /** The files that it touched. */
  activeFiles: ActiveFile[];
  /** Errors that are open now and were not before. */
  opened: OpenError[];
  /** Fingerprints of errors that are closed now. */
  closed: string[];
  /** The output, pruned, if that was asked for. */
  output?: Pruned;
}

/** TraceEvent is one change in the log of the workspace. */
export interface TraceEvent {
  /** Position in the log, rising from 1. */
  seq: number;
  /** When. */
  at: Time;
  /** What was done, as noun.participle, such as "memory.added". */
  kind: string;
  /** Id of what it was done to: an entry's id, a fingerprint, a path. */
  subject: string;
  /** The session in which it was done. */
  sessionId?: string;
  /** The agent or editor that did it. */
  by?: string;
  /** What it was before. */
  before?: unknown;
  /** What it is since. */
  after?: unknown;
  /** Why, as a code or a sentence. */
  reason?: string;
}

/** TraceParams ask for changes in the log of the workspace. */
export interface TraceParams extends Params {
  /** Only changes of what has this id. */
  id?: string;
  /**
   * Only changes of these kinds, such as "memory.added", or of all kinds of a
   * noun, such as "memory".
   */
  kinds?: string[];
  /** Only later changes. */
  since?: TraceStart;
  /** How many at most, the newest; 100 by default. */
  limit?: number;
}

/** TraceResult are changes in the log of the workspace. */
export interface TraceResult {
  /** Oldest first. */
  events: TraceEvent[];
}

/**
 * TraceStart is a point in the log: a number is the seq of a change, a text
 * the time of one. What follows it is meant, without it.
 */
export type TraceStart = number | Time;

/** Undo is a call that takes back what was done. */
export interface Undo {
  /** Method to call. */
  method: string;
  /** Its params. */
  params: object;
}

/**
 * UsageReportedParams say how full an agent's context is, in tokens where both
 * are given, else in characters.
 */
export interface UsageReportedParams extends Params {
  /** Characters of the prompt. */
  promptChars?: number;
  /** Characters that it can have; by default the setting pressure.charLimit. */
  charLimit?: number;
  /** Tokens of the prompt. */
  tokensUsed?: number;
  /** Tokens that it can have. */
  tokensMax?: number;
  /** Messages in the history of the host. */
  messagesInHistory?: number;
  /** The prompt itself, for the intervention. */
  visiblePrompt?: string;
}

/** WorkingAddParams add an item by hand. */
export interface WorkingAddParams extends Params {
  /** What it says, in at most 500 characters. */
  content: string;
  /** The slot; the pool if absent. */
  slot?: string;
}

/** WorkingAddResult is what became of it. */
export interface WorkingAddResult {
  /** The item as it is now. One that was there already has one mention more. */
  item: WorkingItem;
  /** What had to make room for it. */
  evicted: WorkingItem[];
}

/** WorkingClearParams say what to empty. */
export interface WorkingClearParams extends Params {
  /** The slot; all slots and the pool if absent. */
  slot?: string;
}

/** WorkingClearResult says how much was dropped. */
export interface WorkingClearResult {
  /** Items. */
  removed: number;
  /** The call that puts them back, if there were any. */
  undo?: Undo;
}

/** WorkingDropped is an item with all that it takes to hold it again. */
export interface WorkingDropped {
  /** What it says, in at most 500 characters. */
  content: string;
  /** The slot; the pool if absent. */
  slot?: string;
  /** manual, message:user, message:assistant, or tool: and the name of the tool. */
  source?: string;
  /** The file that it is, or that it is about. */
  path?: string;
  /** Of the open error that it tells of. */
  fingerprint?: string;
  /** How often it came up, from 1. */
  mentions?: number;
  /** The event counter when it last came up. */
  event?: number;
  /** When it first came up. */
  createdAt?: Time;
  /** When it last came up. */
  lastMentionedAt?: Time;
}

/** WorkingItem is one item of a working memory. */
export interface WorkingItem {
  /** Its id. */
  id: string;
  /** What it says. */
  content: string;
  /** manual, message:user, message:assistant, or tool: and the name of the tool. */
  source: string;
  /** How often it came up, from 1. */
  mentions: number;
  /** Of an item of the pool: 0.85^age × (1 + ln(1 + mentions)), where age counts the events since it last came up. */
  score?: number;
  /** When it first came up. */
  createdAt: Time;
  /** When it last came up. */
  lastMentionedAt: Time;
}

/** WorkingReadParams ask for an agent's working memory. */
export type WorkingReadParams = Params;

/** WorkingReadResult is the working memory of a session. */
export interface WorkingReadResult {
  /**
   * The items of every slot, newest first, by its name: error, decision, todo, dependency and those of the
   * settings.
   */
  slots: Record<string, WorkingItem[]>;
  /** Everything else, by its score, the highest first. */
  pool: WorkingItem[];
  /** How many tool events and messages the session has seen. */
  eventCounter: number;
}

/** WorkingRemoveParams say which items to drop. */
export interface WorkingRemoveParams extends Params {
  /** A part of what they say, in whichever case. It or an id is needed. */
  match?: string;
  /** The one item with this id. */
  id?: string;
  /** The slot to look in; all slots and the pool if absent. */
  slot?: string;
}

/** WorkingRemoveResult is what was dropped. */
export interface WorkingRemoveResult {
  /** The items. */
  removed: WorkingItem[];
  /** The call that puts them back, if there were any. */
  undo?: Undo;
}

/**
 * WorkingRestoreParams are those that the undo of wm/working/remove and
 * wm/working/clear holds.
 */
export interface WorkingRestoreParams extends Params {
  /** What was dropped, at most 1000. An item that is held by now stays as it is. */
  items: WorkingDropped[];
}

/** WorkingRestoreResult is what was put back. */
export interface WorkingRestoreResult {
  /** How many items. */
  restored: number;
}

/**
 * WorkspacePurgeParams confirm that everything about a workspace is to be
 * forgotten.
 */
export interface WorkspacePurgeParams extends Params {
  /** The key of the workspace, as wm/status gives it. */
  confirm: string;
}

/** WorkspacePurgeResult says what is gone. */
export interface WorkspacePurgeResult {
  /** Everything that was removed, one line each. */
  removed: string[];
}

/** What each method takes and gives. */
export interface Methods {
  /** A session begins or resumes. Nobody has to say so: an event of an unknown session starts it. */
  "wm/session/start": { params: SessionStartParams; result: SessionStartResult };
  /** A session is over. What it remembered stays. */
  "wm/session/end": { params: SessionEndParams; result: Empty };
  /** A session is to be forgotten: its files, its rows and whatever is still pending. Workspace memory stays. */
  "wm/session/delete": { params: SessionDeleteParams; result: SessionDeleteResult };
  /** The sessions of the workspace. */
  "wm/session/list": { params: SessionListParams; result: SessionListResult };
  /** A language server's findings for a file changed. As a notification for an unsaved file, errors open when the file has been still for a while or is saved; as a request at once. */
  "wm/diagnostics/changed": { params: DiagnosticsChangedParams; result: DiagnosticsChangedResult };
  /** An agent ran a tool: files become active, errors open and close. */
  "wm/tool/executed": { params: ToolExecutedParams; result: ToolExecutedResult };
  /** A message was added to the conversation: requests to remember become memories, decisions are noted. */
  "wm/message/received": { params: MessageReceivedParams; result: MessageReceivedResult };
  /** The host's own todo list changed. */
  "wm/todos/changed": { params: TodosChangedParams; result: Empty };
  /** An agent tells how full its context is. The latest report counts; when it becomes critical the client is sent wm/intervention. */
  "wm/usage/reported": { params: UsageReportedParams; result: Pressure };
  /** The task went on: task_started, decision_made, bug_found, compression_completed, task_completed or context_changed. It is written into the overview. */
  "wm/state/event": { params: StateEventParams; result: Empty };
  /** The conversation is about to be summarised: what the summary must not lose. */
  "wm/compaction/starting": { params: CompactionStartingParams; result: CompactionStartingResult };
  /** The conversation was replaced by a summary: its candidates and the session's decisions become memories. */
  "wm/compaction/finished": { params: CompactionFinishedParams; result: CompactionFinishedResult };
  /** What an agent should know before it goes on. */
  "wm/context": { params: ContextParams; result: ContextResult };
  /** The open errors. */
  "wm/errors/list": { params: ErrorsListParams; result: ErrorsListResult };
  /** The active files. */
  "wm/files/list": { params: FilesListParams; result: FilesListResult };
  /** What an editor paints. */
  "wm/panel": { params: PanelParams; result: PanelResult };
  /** How full the agent's context is, by its latest report. */
  "wm/pressure": { params: PressureParams; result: Pressure };
  /** What there is to read about an item of the panel. */
  "wm/panel/resolve": { params: PanelResolveParams; result: PanelResolveResult };
  /** The workspace memory. */
  "wm/memory/list": { params: MemoryListParams; result: MemoryListResult };
  /** Remember something. Only an empty text and prompt injection are rejected. */
  "wm/memory/add": { params: MemoryAddParams; result: Receipt };
  /** Change an entry. */
  "wm/memory/update": { params: MemoryUpdateParams; result: Receipt };
  /** Forget an entry. */
  "wm/memory/remove": { params: MemoryRemoveParams; result: MemoryRemoveResult };
  /** How an entry came to be, what happened to it, and why it is in contexts or not. */
  "wm/memory/explain": { params: MemoryExplainParams; result: MemoryExplainResult };
  /** Take back an eviction or a removal. */
  "wm/memory/restore": { params: MemoryRestoreParams; result: Receipt };
  /** Forget everything about the workspace, on the disk too. */
  "wm/workspace/purge": { params: WorkspacePurgeParams; result: WorkspacePurgeResult };
  /** The agent's core memory: three blocks of its session that are in every context. */
  "wm/core/read": { params: CoreReadParams; result: CoreReadResult };
  /** Write a block of the core memory. One that would become too long is refused, and left as it is. */
  "wm/core/update": { params: CoreUpdateParams; result: CoreUpdateResult };
  /** The agent's working memory: what matters in its session right now, taken from what happens in it. */
  "wm/working/read": { params: WorkingReadParams; result: WorkingReadResult };
  /** Hold something in the working memory. */
  "wm/working/add": { params: WorkingAddParams; result: WorkingAddResult };
  /** Drop the items that hold a text. */
  "wm/working/remove": { params: WorkingRemoveParams; result: WorkingRemoveResult };
  /** Empty a slot, or all of the working memory. */
  "wm/working/clear": { params: WorkingClearParams; result: WorkingClearResult };
  /** Take back wm/working/remove or wm/working/clear, with the params that its undo gives. The session has to be known. */
  "wm/working/restore": { params: WorkingRestoreParams; result: WorkingRestoreResult };
  /** The notes of the session, which are files: overview.md is in every context, detail/ and archive/ are read on demand. */
  "wm/notes/list": { params: NotesListParams; result: NotesListResult };
  /** Read a note. */
  "wm/notes/read": { params: NotesReadParams; result: NotesReadResult };
  /** Write a note. One that was changed since ifRevision is left as it is, and both texts can be read; without ifRevision what was there before can be. */
  "wm/notes/write": { params: NotesWriteParams; result: NotesWriteResult };
  /** Move a note to the archive. */
  "wm/notes/archive": { params: NotesArchiveParams; result: NotesArchiveResult };
  /** Move a note back from the archive. */
  "wm/notes/restore": { params: NotesRestoreParams; result: NotesRestoreResult };
  /** What the sections of the overview hold, as data. */
  "wm/state/read": { params: StateReadParams; result: StateReadResult };
  /** Write data into the sections of the overview. Sections whose data is the same, and all other text, stay as they are. */
  "wm/state/write": { params: StateWriteParams; result: StateWriteResult };
  /** Make the conversation of a session shorter: what leaves it is archived as a note or only summarised, and the overview tells of it. The last turns, the current task, the next step and decisions with their reasons stay. */
  "wm/history/compact": { params: HistoryCompactParams; result: HistoryCompactResult };
  /** Shorten the output of a tool before it enters a conversation; every error line stays. The full text is kept. */
  "wm/prune": { params: PruneParams; result: Pruned };
  /** Read the full text of a pruned output. */
  "wm/output/read": { params: OutputReadParams; result: OutputReadResult };
  /** Delete what was kept for long enough: outputs over their bounds, and what is left of sessions that are over. It happens by itself every 500 events. */
  "wm/sweep": { params: SweepParams; result: SweepResult };
  /** What was changed, by whom and why. */
  "wm/trace": { params: TraceParams; result: TraceResult };
  /** Record nothing for a while, or go on. */
  "wm/pause": { params: PauseParams; result: PauseResult };
  /** How the server is, where memory is kept, and what is wrong. */
  "wm/status": { params: StatusParams; result: StatusResult };
}
