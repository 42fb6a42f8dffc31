// What the extension and its webview say to each other.

/** A part of a context: a name, a number of tokens, and what was left out of it and why, if anything was. */
export interface Part {
  id: string;
  tokens: number;
  omitted: string;
}

/** What the webview paints. */
export interface ContextPicture {
  sessions: { id: string; name: string }[];
  chosen: string;
  tokens: number;
  chars: number;
  parts: Part[];
  /** Exactly what an agent would receive, with unseen characters made visible. */
  text: string;
  /** How full the agent's context is, oldest first; empty if it never said so. */
  usage: { at: number; percentage: number }[];
  level: string;
  used: string;
}

export type ToView = { type: "picture"; picture: ContextPicture } | { type: "sentence"; text: string };

export type FromView = { type: "ready" } | { type: "session"; id: string };
