// What is read of OpenCode's own data.
import type { Config, Hooks, PluginInput } from "@opencode-ai/plugin";

export type Client = PluginInput["client"];
export type Part = Parameters<NonNullable<Hooks["chat.message"]>>[1]["parts"][number];
export type Messages = Parameters<NonNullable<Hooks["experimental.chat.messages.transform"]>>[1]["messages"];
export type HostEvent = Parameters<NonNullable<Hooks["event"]>>[0]["event"];
export type { Config };

/** What a user typed: the text parts that OpenCode did not write itself. */
export function typed(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) =>
    part.type === "text" && !part.synthetic && !part.ignored ? [part.text] : [],
  );
  return unquoted(texts.join("\n").trim());
}

/** `opencode run` puts an argument with spaces in quotes. */
function unquoted(text: string): string {
  const inside = /^"((?:[^"\\]|\\.)*)"$/s.exec(text)?.[1];
  return inside === undefined ? text : inside.replaceAll('\\"', '"').trim();
}

/** The result of a tool, which has an output, or of a tool of an MCP server, which has content. */
export interface ToolResult {
  output?: unknown;
  metadata?: unknown;
  content?: unknown;
  isError?: unknown;
}

interface TextContent {
  type: "text";
  text: string;
}

function textContents(result: ToolResult): TextContent[] {
  if (!Array.isArray(result.content)) {
    return [];
  }
  return result.content.filter(
    (item): item is TextContent => item?.type === "text" && typeof item.text === "string",
  );
}

/** The text of a tool's result. */
export function outputOf(result: ToolResult): string {
  if (typeof result.output === "string") {
    return result.output;
  }
  return textContents(result)
    .map(({ text }) => text)
    .join("\n");
}

/** Replaces the text of a tool's result. What is not text stays. */
export function replaceOutput(result: ToolResult, text: string): void {
  if (typeof result.output === "string") {
    result.output = text;
    return;
  }
  const [first, ...others] = textContents(result);
  if (first) {
    first.text = text;
    result.content = (result.content as unknown[]).filter((item) => !others.includes(item as TextContent));
  }
}
