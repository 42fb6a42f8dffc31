// The messages between the extension and its webviews.

/** A part of a context: its name, its number of tokens, and what was left out of it and why. */
export interface Part {
  label: string;
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
  usage: UsagePoint[];
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
  /** What the editor keeps for the tab of the next window: from where the details are read, but none of their text. */
  source: object | null;
}

export type FromDetail =
  | { type: "ready" }
  | { type: "link"; target: string }
  | { type: "action"; index: number };

/** What precedes the target of a link to a file: the renderer leaves out links with the scheme file. */
export const scheme = "wm-open:";

/** The name of a color: how serious something is, a tint, or faint. */
export type Color =
  | "error"
  | "warning"
  | "notice"
  | "good"
  | "blue"
  | "green"
  | "purple"
  | "yellow"
  | "faint";

/** A row of the panel. Its strings are one line each, with invisible characters escaped. */
export interface Row {
  id: string;
  kind: "section" | "item" | "more" | "step" | "empty";
  /** How deep it is, from 1. */
  level: number;
  /** Whether the rows below it are shown; absent if there are none. */
  open?: boolean;
  /** Whether Enter opens a file or details. */
  opens?: boolean;
  /** The name of a codicon. */
  icon?: string;
  iconColor?: Color;
  label: string;
  /** What is written beside the label. */
  detail?: string;
  /** What is written at the right edge, shortened from the left. */
  aside?: string;
  asideColor?: Color;
  /** How much of its room is used, from 0 to 1. */
  share?: number;
  /** The name of a codicon for who put the label into words; the detail says who. */
  authorIcon?: string;
  dimmed?: boolean;
  /** What the tooltip says if it is more than what is written. */
  hint?: string;
  /** Whether its tooltip is asked for. */
  asks?: boolean;
  /** What the menus of the manifest test. */
  menu: string;
  /** The actions that are shown on the row. */
  actions?: { title: string; icon: string }[];
}

/** What changes in the rows. The page keeps the rows that it got, by their numbers, and shows some of them. */
export interface Change {
  /** The number of the first of the new rows; those from there on are forgotten. */
  from: number;
  rows: Row[];
  /** The rows that are shown: the first of each range, and the one after its last. */
  shown: [number, number][];
}

/** What is above the rows. */
export interface Head {
  /** A sentence; empty if there is nothing to say. */
  message: string;
  /** How full the agent's context was, oldest first, and is; absent if it was never reported. */
  pressure?: { usage: UsagePoint[]; level: string; advice: string };
}

/** How full a context was, in percent, and when, in milliseconds. */
export interface UsagePoint {
  at: number;
  percentage: number;
}

/** What changes in the panel; what is absent stays. */
export interface ToPanel {
  head?: Head;
  /** How far a row is indented from the one above it in the tree, in pixels. */
  indent?: number;
  change?: Change;
  /** The row that gets the focus, and whether it is brought into view. */
  focus?: string;
  reveal?: boolean;
  /** The rows that are selected. */
  selection?: string[];
  /** The page takes the focus of the window, unless it had it after the turn with this number. */
  takesFocus?: number;
  /** The turn of the focus since whose beginning the editor knows of it, and so acts on the keys of the manifest. */
  bound?: number;
  /** The tooltip of a row. */
  tooltip?: { id: string; text: string };
}

/** What a person does in the panel. */
export type FromPanel =
  | { type: "ready" }
  | { type: "tookFocus" }
  /** `turn` counts how often the page got the focus. */
  | { type: "focus"; has: boolean; turn: number }
  | { type: "chosen"; focus: string; selection: string[] }
  | { type: "fold"; id: string; open: boolean }
  | { type: "tooltip"; id: string }
  | { type: "run"; command: PanelCommand; id: string }
  | { type: "act"; id: string; title: string };

/** The commands of clicks and keys. */
export const panelCommands = [
  "open",
  "enter",
  "actions",
  "edit",
  "delete",
  "copy",
  "undo",
  "redo",
  "filter",
  "showCurve",
] as const;

export type PanelCommand = (typeof panelCommands)[number];

/**
 * The commands of the keys in the manifest, which a person can bind anew; with the Ctrl key, or that of the Mac, if the
 * name begins with it.
 */
export const panelKeys: Readonly<Record<string, PanelCommand>> = {
  F2: "edit",
  Delete: "delete",
  "Ctrl+Backspace": "delete",
  "Ctrl+.": "actions",
  "Ctrl+z": "undo",
  "Ctrl+Shift+z": "redo",
  "Ctrl+y": "redo",
  "Ctrl+f": "filter",
  F3: "filter",
  "Ctrl+Alt+f": "filter",
};
