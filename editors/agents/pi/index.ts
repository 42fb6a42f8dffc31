// Tells the working memory of the workspace what happens in pi, and pi's model what it must know. It runs
// `wm-lsp hook` at each event, with the names of Claude Code's events.
import { execFile } from "node:child_process";

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

interface Pi {
  on<E extends keyof Events>(
    event: E,
    handler: (event: Events[E], context: Context) => Promise<unknown>,
  ): void;
}

const missing =
  "wm-lsp was not found or is older than its extension; the session goes on without its memory. " +
  "Put the newest wm-lsp on the PATH, and see its README.";

/** Runs the hook for an event. Returns undefined if there is no program that can. */
function run(event: object): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: patience, maxBuffer: 1024 * 1024, windowsHide: true };
    const child = execFile("wm-lsp", ["hook"], options, (error, stdout) => {
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

function textOf(content: string | Part[] | undefined): string {
  if (typeof content === "string") {
    return content;
  }
  return (content ?? []).map(({ text }) => text ?? "").join("");
}

export default function workingMemory(pi: Pi): void {
  /** What is the same in all events of the session. A late event has a context that cannot be asked any more. */
  let session: object = {};
  let notify = (message: string, _type: "info" | "warning"): void => console.error(message);
  /** What the model is told of the whole memory, until the next prompt takes it along. */
  let whole = "";

  const tell = async (name: string, members: object): Promise<string> => {
    const answer = await run({ host: "pi", hook_event_name: name, ...session, ...members });
    if (answer === undefined && name === "SessionStart") {
      notify(missing, "warning");
    } else if (answer?.systemMessage !== undefined) {
      notify(answer.systemMessage, "info");
    }
    return answer?.hookSpecificOutput?.additionalContext ?? "";
  };

  pi.on("session_start", async ({ reason }, { cwd, hasUI, ui, sessionManager }) => {
    session = { session_id: sessionManager.getSessionId(), cwd };
    if (hasUI) {
      notify = (message, type) => ui.notify(message, type);
    }
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
