// Makes text from outside harmless before it is shown.
import { scheme } from "./message";
import type { Omission } from "./wire";

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Control characters, and characters that hide or reorder their neighbours. */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u034f|[\u{e0000}-\u{e007f}]/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return named[character] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** Cuts a string at a character boundary. */
function cut(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const last = text.charCodeAt(max - 1);
  const splitsPair = last >= 0xd800 && last < 0xdc00;
  return `${text.slice(0, splitsPair ? max - 1 : max)}…`;
}

/** Returns the text as one line of at most `max` UTF-16 units, with invisible characters escaped. */
export function line(text: unknown, max = 300): string {
  return typeof text === "string" ? cut(text, max).replace(unseen, escaped) : "";
}

/** Returns the text with its line breaks and tabs, and other invisible characters escaped. */
export function lines(text: unknown, max = 1_000_000): string {
  if (typeof text !== "string") {
    return "";
  }
  return cut(text, max)
    .replace(/\r\n/g, "\n")
    .replace(unseen, (c) => (c === "\n" || c === "\t" ? c : escaped(c)));
}

/** Returns one line for places that parse links and icons, such as messages and pick lists. */
export function plain(text: unknown, max = 300): string {
  return line(text, max)
    .replace(/\]\(/g, "] (")
    .replace(/\$\((?=[\w-]+(?:~\w+)?\))/g, "$ (");
}

/** Writes a number with its thousands apart, such as 12,345. */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** The clock of all faces: the server writes times of 24 hours. */
export const hourCycle = "h23";

/** Formats a time in local time, with the date unless it is within a day from now. */
export function clock(time: string, timeStyle: "short" | "medium" = "short"): string {
  const date = new Date(time);
  const isNear = Math.abs(date.getTime() - Date.now()) < 24 * 60 * 60_000;
  return isNear
    ? date.toLocaleTimeString([], { timeStyle, hourCycle })
    : date.toLocaleString([], { dateStyle: "medium", timeStyle, hourCycle });
}

/** Returns Markdown that loads nothing: images become text. */
export function markdown(text: unknown): string {
  return lines(text, 20_000).replace(/!(?=\[)/g, "!\\");
}

/** Returns what Markdown of the server says, without its marks. */
export function plainOf(markdown: unknown): string {
  return lines(markdown, 20_000)
    .replace(/^(?:#+ +|```+$\n?)/gm, "")
    .replace(/(?<!\\)\[((?:\\.|[^\]\\\n]){0,300})\]\((?:\\.|[^)\\\n]){0,1000}\)/g, "$1")
    .replace(/(?<!\\)\*\*((?:\\.|[^*\\\n]){1,300})\*\*/g, "$1")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .trim();
}

/** Returns Markdown whose links to files a renderer keeps that refuses them. */
export function linked(markdown: string): string {
  return markdown.replaceAll("](file:", `](${scheme}file:`);
}

/** Draws the last of percentages as one line of blocks; empty if there are fewer than two. */
export function sparkline(percentages: readonly number[]): string {
  const blocks = "▁▂▃▄▅▆▇█";
  const last = percentages.slice(-12);
  const block = (percentage: number) => blocks[Math.max(Math.round(Math.min(percentage, 100) * 0.08), 1) - 1];
  return last.length < 2 ? "" : last.map(block).join("");
}

/** Converts a title to an identifier. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** How many items were left out, and why if all have the same reason. The reasons of more are not known. */
export function leftOut(omitted: readonly Omission[], more = 0): string {
  const reasons = [...new Set(omitted.map(({ reason }) => line(reason, 60)))];
  const count = omitted.length + more;
  const why = reasons.length === 1 && more === 0 ? `: ${reasons[0]}` : "";
  return count === 0 ? "" : `${count} left out${why}`;
}
