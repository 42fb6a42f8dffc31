// The messages between the extension and its webviews.

/** A part of a context: its name, its number of tokens, and what was left out of it and why. */
export interface Part {
  id: string;
  tokens: number;
  omitted: string;
}

/** What the webview draws. */
export interface ContextPicture {
  sessions: { id: string; name: string }[];
  chosen: string;
  tokens: number;
  chars: number;
  parts: Part[];
  /** The exact text that an agent would get, with invisible characters escaped. */
  text: string;
  /** How full the agent's context was, oldest first; empty if it was never reported. */
  usage: { at: number; percentage: number }[];
  level: string;
  used: string;
  /** What the agent's window holds, in tokens or characters; absent if its size was never reported. */
  window?: { parts: { id: string; label: string; size: number }[]; unit: string };
  /** What to do about it, in words; empty if nothing. */
  advice: string;
}

export type ToView = { type: "picture"; picture: ContextPicture } | { type: "sentence"; text: string };

export type FromView = { type: "ready" } | { type: "session"; id: string };

/** Details, rendered as HTML, or as the text if there is no renderer, and the titles of the actions. */
export interface ToDetail {
  html: string;
  text: string;
  actions: string[];
}

export type FromDetail =
  | { type: "ready" }
  | { type: "link"; target: string }
  | { type: "action"; index: number };

/** What precedes the target of a link to a file: the renderer leaves out links with the scheme file. */
export const scheme = "wm-open:";
