// Tells the working memory of the workspace what happens in pi, and pi's model what it must know. It runs
// `wm-lsp hook` at each event, with the names of Claude Code's events, and `wm-lsp mcp` for each call of a tool.
import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** How long an event may take, in milliseconds. */
const patience = 10_000;

/** What `wm-lsp hook` answers. */
interface Answer {
  hookSpecificOutput?: { additionalContext?: string };
  systemMessage?: string;
}

interface Part {
  type: string;
  text?: string;
}

/** The events of pi that are told, with what is read of them. */
interface Events {
  session_start: { reason: string };
  before_agent_start: { prompt: string };
  tool_result: { toolName: string; toolCallId: string; input: object; content: Part[]; isError: boolean };
  session_compact: { compactionEntry: { summary: string } };
  agent_end: { messages: { role: string; content?: string | Part[] }[] };
  session_shutdown: { reason: string };
}

interface Context {
  cwd: string;
  hasUI: boolean;
  ui: { notify(message: string, type?: "info" | "warning"): void };
  sessionManager: { getSessionId(): string };
}

/** A tool as `wm-lsp mcp` lists it. */
interface Tool {
  name: string;
  description: string;
  inputSchema: object;
}

/** What a tool of `wm-lsp mcp` answers. */
interface ToolResult {
  content: Part[];
  isError?: boolean;
}

/** A tool as pi takes it. An error that it throws is told to the model. */
interface OwnTool {
  name: string;
  label: string;
  description: string;
  parameters: object;
  execute(
    callId: string,
    params: object,
    signal: AbortSignal | undefined,
  ): Promise<{ content: Part[]; details: object }>;
}

interface Pi {
  registerTool(tool: OwnTool): void;
  on<E extends keyof Events>(
    event: E,
    handler: (event: Events[E], context: Context) => Promise<unknown>,
  ): void;
}

const missing =
  "wm-lsp was not found or is older than its extension; the session goes on without its memory. " +
  "Put the newest wm-lsp on the PATH, and see its README.";

/** Runs the hook for an event. Returns undefined if there is no program that can. */
function run(event: object, hasTools: boolean): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: patience, maxBuffer: 1024 * 1024, windowsHide: true };
    const command = hasTools ? ["hook", "--tools"] : ["hook"];
    const child = execFile("wm-lsp", command, options, (error, stdout) => {
      try {
        resolve(error === null ? JSON.parse(stdout || "{}") : undefined);
      } catch {
        resolve(undefined);
      }
    });
    child.stdin?.on("error", () => {}); // it has ended without reading
    child.stdin?.end(JSON.stringify(event));
  });
}

/**
 * Sends a request to `wm-lsp mcp`, in a process for it alone that ends with the answer. Returns undefined if
 * there is none.
 */
function request<R>(
  method: string,
  params: object,
  cwd: string,
  signal?: AbortSignal,
): Promise<R | undefined> {
  return new Promise((resolve) => {
    // An agent in whose shell pi runs may have named another folder.
    const env = { ...process.env, CLAUDE_PROJECT_DIR: "" };
    const child = spawn("wm-lsp", ["mcp", "--named-sessions"], {
      cwd,
      env,
      signal: AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]),
      windowsHide: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    child.on("error", () => resolve(undefined));
    child.on("close", () => resolve(undefined));
    child.stdin.on("error", () => {}); // it has ended without reading
    createInterface(child.stdout).on("line", (line) => {
      const { id, result } = JSON.parse(line);
      if (id === 2) {
        resolve(result);
        child.stdin.end(); // which ends it
      }
    });
    const client = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "pi", version: "1" },
    };
    const messages = [
      { id: 1, method: "initialize", params: client },
      { method: "notifications/initialized" },
      { id: 2, method, params },
    ];
    for (const message of messages) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    }
  });
}

function textOf(content: string | Part[] | undefined): string {
  if (typeof content === "string") {
    return content;
  }
  return (content ?? []).map(({ text }) => text ?? "").join("");
}

export default function workingMemory(pi: Pi): void {
  /** What is the same in all events of the session. A late event has a context that cannot be asked any more. */
  let session = { session_id: "", cwd: "" };
  /** The names of the tools of the memory that the model has. */
  const tools = new Set<string>();
  let notify = (message: string, _type: "info" | "warning"): void => console.error(message);
  /** What the model is told of the whole memory, until the next prompt takes it along. */
  let whole = "";

  const tell = async (name: string, members: object): Promise<string> => {
    const answer = await run({ host: "pi", hook_event_name: name, ...session, ...members }, tools.size > 0);
    if (answer === undefined && name === "SessionStart") {
      notify(missing, "warning");
    } else if (answer?.systemMessage !== undefined) {
      notify(answer.systemMessage, "info");
    }
    return answer?.hookSpecificOutput?.additionalContext ?? "";
  };

  /** Gives the model the tools of the memory, which work in the session that the events belong to. */
  const giveTools = async (): Promise<void> => {
    const list = await request<{ tools: Tool[] }>("tools/list", {}, session.cwd);
    for (const { name, description, inputSchema } of list?.tools ?? []) {
      tools.add(name);
      const execute: OwnTool["execute"] = async (_, params, signal) => {
        const where = { sessionId: `pi:${session.session_id}`, workspace: pathToFileURL(session.cwd).href };
        const call = { name, arguments: { ...where, ...params } };
        const result = await request<ToolResult>("tools/call", call, session.cwd, signal);
        if (result === undefined || result.isError) {
          throw new Error(textOf(result?.content) || "wm-lsp did not answer; see whether it is on the PATH");
        }
        return { content: result.content, details: {} };
      };
      pi.registerTool({ name, label: name, description, parameters: inputSchema, execute });
    }
  };

  pi.on("session_start", async ({ reason }, { cwd, hasUI, ui, sessionManager }) => {
    session = { session_id: sessionManager.getSessionId(), cwd };
    if (hasUI) {
      notify = (message, type) => ui.notify(message, type);
    }
    await giveTools();
    if (reason !== "reload") {
      whole = await tell("SessionStart", { source: reason });
    }
  });
  pi.on("before_agent_start", async ({ prompt }) => {
    const news = await tell("UserPromptSubmit", { prompt });
    const content = [whole, news].filter((text) => text !== "").join("\n\n");
    whole = "";
    return content === "" ? undefined : { message: { customType: "wm", content, display: false } };
  });
  pi.on("tool_result", async ({ toolName, toolCallId, input, content, isError }) => {
    if (tools.has(toolName)) {
      return;
    }
    const tool = { tool_name: toolName, tool_use_id: toolCallId, tool_input: input };
    const text = textOf(content);
    await (isError
      ? tell("PostToolUseFailure", { ...tool, error: text })
      : tell("PostToolUse", { ...tool, tool_response: text }));
  });
  pi.on("session_compact", async ({ compactionEntry }) => {
    await tell("PostCompact", { compact_summary: compactionEntry.summary });
  });
  pi.on("agent_end", async ({ messages }) => {
    const last = messages.findLast(({ role }) => role === "assistant");
    await tell("Stop", { last_assistant_message: textOf(last?.content) });
  });
  pi.on("session_shutdown", async ({ reason }) => {
    if (reason !== "reload") {
      await tell("SessionEnd", { reason });
    }
  });
}
