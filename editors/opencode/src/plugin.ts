// Maps what OpenCode tells its plugins to the methods of wm-lsp.
import { resolve } from "node:path";
import type { Hooks } from "@opencode-ai/plugin";
import type { ImportResult, Intervention, Receipt, Todo } from "../../vscode/src/wire";
import {
  type Client,
  type HostEvent,
  type Messages,
  outputOf,
  type Part,
  replaceOutput,
  type ToolResult,
  typed,
} from "./host";
import { type Level, type Memory, within } from "./server";
import { methodNames } from "./tools";

/** The name of the MCP server in OpenCode's configuration; its tools begin with it. */
export const mcpName = "wm";
const ownTools = `${mcpName}_`;

/** How long the memory of an older plugin may take. Nothing waits for it. */
const importMillis = 30_000;

/** How long a question to OpenCode may take. */
const hostMillis = 1_000;

/** Tools of OpenCode that run commands, change files, read or search them. */
const reported = new Set([
  ...[
    "bash",
    "shell",
    "read",
    "edit",
    "multiedit",
    "patch",
    "apply_patch",
    "write",
    "grep",
    "glob",
    "list",
    "ls",
  ],
]);

/**
 * Tools whose output stays whole: an edit needs the text of the file as it is, and the answer of
 * a subagent, a skill and a list of todos were written for the model.
 */
const whole = new Set([
  ...["read", "edit", "multiedit", "patch", "apply_patch", "write", "task", "skill", "todowrite", "todoread"],
  ...["question", "invalid", "StructuredOutput"],
]);

/** Put before what changes with every request. */
const suffixHead = "From the working memory of this workspace; the user did not write this:";

/** The agents of OpenCode that write titles and summaries, where their names are all that is known. */
const helpers = ["title", "summary", "compaction"];
const titlePrompt = "You are a title generator";

/** The methods that the plugin uses. */
export const uses = [
  ...([
    "wm/session/start",
    "wm/session/delete",
    "wm/message/received",
    "wm/tool/executed",
    "wm/prune",
  ] as const),
  ...(["wm/todos/changed", "wm/usage/reported", "wm/compaction/starting", "wm/compaction/finished"] as const),
  ...(["wm/context", "wm/status", "wm/import"] as const),
];

/** A session of OpenCode. */
interface Session {
  /** Its id in the memory. */
  id: string;
  title: string;
  /** Whether a subagent works in it, so that no user types there. */
  isSub: boolean;
  /** The process that knows that the session is live, by its number. */
  startedIn: number;
  /** What the user typed last. */
  prompt: string;
  /** What the agent said last and the memory has not heard. */
  said: { text: string; id: string } | undefined;
  /** The stable part of the context in the latest request. */
  prefix: string | undefined;
  compaction: { isAsked: boolean; summary: string } | undefined;
  /** The text of a command's template that OpenCode is about to send, and its arguments. */
  command: { text: string; typed: string } | undefined;
  /** The size of the model's context, and what was last reported of it, in tokens. */
  contextTokens: number;
  usedTokens: number;
}

export interface PluginHost {
  client: Client;
  directory: string;
  log(level: Level, message: string): void;
  tell(message: string, variant: "info" | "warning"): void;
}

/** The id of a session of OpenCode in the memory. */
const idOf = (sessionID: string) => `opencode:${sessionID}`;

/** The hooks. None of them throws: OpenCode would end the request. */
export function hooksOf(mapping: Mapping, log: PluginHost["log"]): Hooks {
  const guarded =
    <A extends unknown[]>(name: string, run: (...args: A) => Promise<void>) =>
    async (...args: A): Promise<void> => {
      try {
        await run(...args);
      } catch (error) {
        log("error", `${name}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
      }
    };
  return {
    event: guarded("event", ({ event }) => mapping.event(event)),
    dispose: guarded("dispose", () => mapping.dispose()),
    "chat.message": guarded("chat.message", (input, output) =>
      mapping.message(input.sessionID, output.message.id, output.parts),
    ),
    "command.execute.before": guarded("command.execute.before", async (input, output) =>
      mapping.command(input.sessionID, input.arguments, output.parts),
    ),
    "chat.params": guarded("chat.params", async (input) =>
      mapping.limit(input.sessionID, input.agent, input.model.limit.context),
    ),
    "tool.execute.before": guarded("tool.execute.before", async (input, output) =>
      mapping.toolStarts(input.tool, input.sessionID, output),
    ),
    "tool.execute.after": guarded("tool.execute.after", (input, output) =>
      mapping.toolRan(
        input.tool,
        input.sessionID,
        input.callID,
        input.args,
        output as ToolResult | undefined,
      ),
    ),
    "experimental.chat.messages.transform": guarded("messages.transform", (_, output) =>
      mapping.suffix(output.messages),
    ),
    "experimental.chat.system.transform": guarded("system.transform", (input, output) =>
      mapping.prefix(input.sessionID, output.system),
    ),
    "experimental.session.compacting": guarded("session.compacting", (input, output) =>
      mapping.compacting(input.sessionID, output.context),
    ),
    "experimental.text.complete": guarded("text.complete", async (input, output) =>
      mapping.said(input.sessionID, input.partID, output.text),
    ),
  };
}

export class Mapping {
  private readonly sessions = new Map<string, Promise<Session>>();
  private readonly deleted = new Set<string>();
  private helperPrompts: Promise<string[]> | undefined;
  private compactsItself = true;

  constructor(
    private readonly server: Memory,
    private readonly host: PluginHost,
  ) {}

  /** Starts the memory, and tells a person what keeps it from working. */
  async begin(): Promise<void> {
    const [imported, status] = await Promise.all([
      this.server.call("wm/import", {}, importMillis),
      this.server.call("wm/status", {}, importMillis),
    ]);
    const taken = imported ? importLines(imported) : [];
    if (taken.length > 0) {
      this.host.tell(taken.join("\n"), "info");
    }
    for (const { severity, message, fix } of status?.problems ?? []) {
      if (severity === "error") {
        this.host.tell([message, fix].filter(Boolean).join(" "), "warning");
      }
    }
  }

  async event(event: HostEvent): Promise<void> {
    const properties = event.properties as Record<string, unknown>;
    const info = properties.info as Record<string, unknown> | undefined;
    const sessionID = (properties.sessionID ?? info?.sessionID ?? info?.id) as string | undefined;
    if (!sessionID) {
      return;
    }
    switch (event.type) {
      case "session.created":
      case "session.updated":
        return this.known(sessionID, info as unknown as SessionInfo);
      case "session.deleted":
        return this.forget(sessionID);
      case "session.compacted":
        return this.compacted(sessionID);
      case "session.idle":
        return this.idle(sessionID);
      case "todo.updated":
        return this.todos(sessionID, properties.todos as Todo[]);
      case "message.updated":
        return this.usage(sessionID, info as unknown as AssistantInfo);
    }
  }

  /** A message of the conversation. Only what a user typed is told. */
  async message(sessionID: string, messageId: string, parts: readonly Part[]): Promise<void> {
    const session = await this.session(sessionID);
    if (!session || session.isSub) {
      return;
    }
    let text = typed(parts);
    if (text === "") {
      return; // OpenCode or a plugin wrote it, maybe while a compaction runs
    }
    session.compaction = undefined;
    if (text === session.command?.text) {
      text = session.command.typed;
    }
    session.command = undefined;
    if (text === "") {
      return;
    }
    session.prompt = text;
    this.tellSaid(session);
    const heard = await this.server.event("wm/message/received", {
      sessionId: session.id,
      role: "user",
      text,
      messageId,
    });
    const receipts = (heard?.memories ?? []).flatMap(receiptLine);
    if (receipts.length > 0) {
      this.host.tell(receipts.join("\n"), "info");
    }
  }

  /** A command was typed: its text comes as a message of which only the arguments were. */
  async command(sessionID: string, args: string, parts: readonly Part[]): Promise<void> {
    const session = await this.session(sessionID);
    if (session) {
      session.command = { text: typed(parts), typed: args.trim() };
    }
  }

  async limit(sessionID: string, agent: string, tokens: number): Promise<void> {
    const session = await this.session(sessionID);
    if (session && !helpers.includes(agent)) {
      session.contextTokens = tokens;
    }
  }

  /** Our own tools work in the session of OpenCode. */
  async toolStarts(tool: string, sessionID: string, call: { args: unknown }): Promise<void> {
    if (tool.startsWith(ownTools) && typeof call.args === "object" && call.args !== null) {
      const session = await this.session(sessionID);
      const args = call.args as Record<string, unknown>;
      args.sessionId ??= session?.id;
    }
  }

  async toolRan(
    tool: string,
    sessionID: string,
    callId: string,
    args: unknown,
    result: ToolResult | undefined,
  ): Promise<void> {
    if (!result || tool.startsWith(ownTools)) {
      return;
    }
    const session = await this.session(sessionID);
    if (!session) {
      return;
    }
    const output = outputOf(result);
    const prune = !whole.has(tool) && output !== "";
    const input = (typeof args === "object" && args !== null ? args : {}) as Record<string, unknown>;
    const { exit } = (result.metadata ?? {}) as { exit?: unknown };
    if (!reported.has(tool)) {
      if (prune) {
        const pruned = await this.server.call("wm/prune", { sessionId: session.id, tool, output });
        this.takePruned(result, pruned);
      }
      return;
    }
    const ran = await this.server.event("wm/tool/executed", {
      sessionId: session.id,
      tool,
      input,
      output,
      ...(typeof exit === "number" ? { exitCode: exit } : {}),
      cwd: resolve(this.host.directory, typeof input.workdir === "string" ? input.workdir : ""),
      callId,
      prune,
    });
    this.takePruned(result, ran?.output);
  }

  private takePruned(result: ToolResult, pruned: { output: string; pruned: boolean } | undefined): void {
    if (pruned?.pruned) {
      const readOutput = ownTools + methodNames["wm/output/read"];
      replaceOutput(
        result,
        pruned.output.replace(/all: wm\/output\/read (?=ref [0-9a-f]{16}\]\s*$)/, `all: ${readOutput} `),
      );
    }
  }

  /** The volatile part of the context is the last message, so what precedes it stays cached. */
  async suffix(messages: Messages): Promise<void> {
    const last = messages.at(-1)?.info;
    const session = last && (await this.session(last.sessionID));
    if (!session) {
      return;
    }
    if (session.compaction?.isAsked) {
      session.compaction.isAsked = false; // these are the messages that are summarised
      return;
    }
    await this.finish(session); // OpenCode may go on before it says that the compaction is over
    const context = await this.context(session);
    const user = messages.findLast(({ info }) => info.role === "user")?.info;
    const text = context?.suffix?.trim();
    if (!user || !text) {
      return;
    }
    const id = `${user.id}_wm`;
    messages.push({
      info: { ...user, id },
      parts: [
        {
          id: `${id}_text`,
          messageID: id,
          sessionID: user.sessionID,
          type: "text",
          text: `${suffixHead}\n${text}`,
          synthetic: true,
        },
      ],
    });
  }

  /** The stable part of the context follows OpenCode's own system prompt. */
  async prefix(sessionID: string | undefined, system: string[]): Promise<void> {
    const session = sessionID ? await this.session(sessionID) : undefined;
    if (!session || session.compaction || (await this.isHelper(system))) {
      return;
    }
    if (session.prefix === undefined) {
      await this.context(session);
    }
    if (session.prefix) {
      system.push(session.prefix);
    }
  }

  private async context(session: Session) {
    const context = await this.server.call("wm/context", {
      sessionId: session.id,
      guide: true,
      query: session.prompt,
    });
    session.prefix = context?.prefix?.trim() ?? session.prefix; // without an answer as it was
    return context;
  }

  /** Whether a request is for a title or a summary. */
  private async isHelper(system: readonly string[]): Promise<boolean> {
    this.helperPrompts ??= this.askHelperPrompts();
    const prompts = await this.helperPrompts;
    return prompts.some((prompt) => system[0]?.startsWith(prompt));
  }

  private async askHelperPrompts(): Promise<string[]> {
    try {
      const { data } = (await within(this.host.client.app.agents(), hostMillis)) ?? {};
      const prompts = (data ?? []).flatMap(({ name, prompt }) =>
        helpers.includes(name) && prompt ? [prompt.trim()] : [],
      );
      if (prompts.length > 0) {
        return prompts;
      }
    } catch (error) {
      this.host.log("warn", `the agents of OpenCode are not known: ${error}`);
    }
    return [titlePrompt];
  }

  /** What must outlive a compaction goes into its prompt. */
  async compacting(sessionID: string, context: string[]): Promise<void> {
    const session = await this.session(sessionID);
    if (!session) {
      return;
    }
    session.compaction = { isAsked: true, summary: "" };
    const starting = await this.server.call("wm/compaction/starting", { sessionId: session.id });
    if (starting?.context) {
      context.push(starting.context);
    }
  }

  /** The agent wrote something: a part of its answer, or the summary of a compaction. */
  async said(sessionID: string, id: string, text: string): Promise<void> {
    const session = await this.session(sessionID);
    if (!session || text.trim() === "") {
      return;
    }
    if (session.compaction) {
      session.compaction.summary = text;
    } else {
      session.said = { text, id };
    }
  }

  private async compacted(sessionID: string): Promise<void> {
    const session = await this.session(sessionID);
    if (session) {
      await this.finish(session);
    }
  }

  /** Tells the summary of a compaction, once. One that failed has none. */
  private async finish(session: Session): Promise<void> {
    const summary = session.compaction?.summary;
    session.compaction = undefined;
    if (!summary) {
      return;
    }
    const read = await this.server.event("wm/compaction/finished", { sessionId: session.id, summary });
    const receipts = (read?.memories ?? []).flatMap(receiptLine);
    if (receipts.length > 0) {
      this.host.tell(receipts.join("\n"), "info");
    }
  }

  private async idle(sessionID: string): Promise<void> {
    const session = await this.session(sessionID);
    if (session) {
      session.compaction = undefined;
      this.tellSaid(session);
    }
  }

  /** Tells what the agent said last in a turn. */
  private tellSaid(session: Session): void {
    if (session.said) {
      const { text, id } = session.said;
      session.said = undefined;
      void this.server.event("wm/message/received", {
        sessionId: session.id,
        role: "assistant",
        text,
        messageId: id,
      });
    }
  }

  private async todos(sessionID: string, todos: readonly Todo[]): Promise<void> {
    const session = await this.session(sessionID);
    if (session) {
      await this.server.call("wm/todos/changed", {
        sessionId: session.id,
        todos: todos.map(({ content, status, priority }) => ({
          content,
          status,
          ...(priority ? { priority } : {}),
        })),
      });
    }
  }

  /** How full the context is, by what the model's provider counted. */
  private async usage(sessionID: string, info: AssistantInfo): Promise<void> {
    const { role, summary, tokens } = info;
    if (role !== "assistant" || summary || !tokens) {
      return;
    }
    const session = await this.session(sessionID);
    const used = tokens.input + tokens.output + tokens.reasoning + tokens.cache.read + tokens.cache.write;
    if (!session?.contextTokens || used === 0 || used === session.usedTokens) {
      return;
    }
    session.usedTokens = used;
    await this.server.call("wm/usage/reported", {
      sessionId: session.id,
      tokensUsed: used,
      tokensMax: session.contextTokens,
    });
  }

  /** What the configuration says. */
  configured(config: { compaction?: { auto?: boolean } }): void {
    this.compactsItself = config.compaction?.auto !== false;
  }

  /**
   * The server says that a context is nearly full: the agent is told, without a turn of its own.
   * OpenCode compacts at that point, unless it is told not to.
   */
  async intervene({ sessionId, pressure, visiblePrompt }: Intervention): Promise<void> {
    if (this.compactsItself) {
      return;
    }
    const sessionID = sessionId.slice(idOf("").length);
    const text =
      `The context is ${Math.floor(pressure.percentage)} % full. Compress it now: shorten the core memory and the ` +
      `notes, and clear what is solved. This is what the memory adds to each prompt:\n\n${visiblePrompt}`;
    await within(
      this.host.client.session.prompt({
        path: { id: sessionID },
        body: { noReply: true, parts: [{ type: "text", text, synthetic: true }] },
      }),
      hostMillis,
    );
  }

  private async forget(sessionID: string): Promise<void> {
    this.deleted.add(sessionID);
    this.sessions.delete(sessionID);
    await this.server.event("wm/session/delete", { sessionId: idOf(sessionID) });
  }

  /** What OpenCode tells of a session by itself. */
  private async known(sessionID: string, info: SessionInfo): Promise<void> {
    if (this.deleted.has(sessionID)) {
      return;
    }
    let known = this.sessions.get(sessionID);
    if (!known) {
      known = Promise.resolve(newSession(sessionID, info));
      this.sessions.set(sessionID, known);
    }
    const session = await known;
    if (session.title !== info.title) {
      session.title = info.title;
      session.startedIn = 0;
    }
    this.started(session);
  }

  /** A session that is live in the memory; undefined if it was deleted. */
  private async session(sessionID: string): Promise<Session | undefined> {
    if (this.deleted.has(sessionID)) {
      return undefined;
    }
    let known = this.sessions.get(sessionID);
    if (!known) {
      known = this.ask(sessionID);
      this.sessions.set(sessionID, known);
    }
    const session = await known;
    this.started(session);
    return session;
  }

  private async ask(sessionID: string): Promise<Session> {
    let info: SessionInfo | undefined;
    try {
      const answer = await within(this.host.client.session.get({ path: { id: sessionID } }), hostMillis);
      info = answer?.data;
    } catch (error) {
      this.host.log("warn", `the session ${sessionID} is not known: ${error}`);
    }
    return newSession(sessionID, info);
  }

  /** Tells each process once that a session is live, which is then its as long as it runs. */
  private started(session: Session): void {
    if (session.startedIn === 0 || session.startedIn !== this.server.generation) {
      const { id, title } = session;
      void this.server.call("wm/session/start", {
        sessionId: id,
        agent: "opencode",
        ...(title ? { title } : {}),
      });
      session.startedIn = this.server.generation;
    }
  }

  async dispose(): Promise<void> {
    for (const known of this.sessions.values()) {
      this.tellSaid(await known);
    }
    await this.server.close();
  }
}

interface SessionInfo {
  title: string;
  parentID?: string;
}

interface AssistantInfo {
  role: string;
  summary?: unknown;
  tokens?: { input: number; output: number; reasoning: number; cache: { read: number; write: number } };
}

function newSession(sessionID: string, info: SessionInfo | undefined): Session {
  return {
    id: idOf(sessionID),
    title: info?.title ?? "",
    isSub: info?.parentID !== undefined,
    startedIn: 0,
    prompt: "",
    said: undefined,
    prefix: undefined,
    compaction: undefined,
    command: undefined,
    contextTokens: 0,
    usedTokens: 0,
  };
}

/** How many characters a person is told of what was not kept. */
const mostRefused = 60;

/** What a person is told of a receipt, if anything. */
function receiptLine({ status, id, entry, text, reason, message }: Receipt): string[] {
  const isActive = entry?.status === "active";
  if (isActive && (status === "added" || status === "updated")) {
    return [`Kept: ${entry.text}${status === "added" ? ` (to undo it, ask to forget ${id})` : ""}`];
  }
  const refused = (entry?.text ?? text ?? "").replace(/\s+/g, " ");
  const short = refused.length > mostRefused ? `${refused.slice(0, mostRefused)}…` : refused;
  if (isActive && status === "merged") {
    return [`Known already, as ${id}: ${short}`];
  }
  return status === "rejected" ? [`Not kept: "${short}": ${message || reason}`] : [];
}

/** What a person is told of what was taken over from an older plugin. */
function importLines({ memories, sessions, skipped }: ImportResult): string[] {
  const kept = memories.filter(({ status }) => status !== "rejected").length;
  if (memories.length === 0 && sessions.length === 0) {
    return [];
  }
  return [
    `Taken over from opencode-working-memory: ${kept} of ${memories.length} entries, ${sessions.length} sessions. ` +
      "Its files stay as they are.",
    ...memories.filter(({ status }) => status === "rejected").flatMap(receiptLine),
    ...skipped.map(({ name, reason }) => `Not read: ${name}: ${reason}`),
  ];
}
