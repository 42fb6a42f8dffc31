// The page of the panel: a tree of rows after the pattern of WAI-ARIA. Only rows in view are elements. Texts are
// inserted as text nodes only.
import {
  type Change,
  type FromPanel,
  type Head,
  type PanelCommand,
  panelKeys,
  type Row,
  type ToPanel,
} from "../message";
import { hourCycle } from "../text";
import { curve, percent } from "./curve";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPanel): void;
  getState(): Scrolled | undefined;
  setState(state: Scrolled): void;
};

/** How far the rows are scrolled, in pixels, and the row that is the first in view then. */
interface Scrolled {
  top: number;
  first: string | undefined;
}

const editor = acquireVsCodeApi();

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const tree = element("tree");
const box = element("rows");

/** The height of a row, as that of every tree of the editor, in pixels. */
const rowHeight = 22;

/** How many rows above and below the view are elements, too. */
const beyond = 10;

/** The rows that the extension has sent, by their numbers. */
let sent: Row[] = [];
/** The rows that are shown, and the place of each among its siblings. */
let rows: Row[] = [];
let places: Place[] = [];
/** The elements of rows, by the ids of these, with the row that is painted on each. */
const elements = new Map<string, { element: HTMLElement; painted: Row }>();
let made = 0;

/** The id of the row that has the focus, and its index, which it loses with its row to the next one. */
let focus = "";
let focusAt = 0;
/** From where a range is selected. */
let anchor = "";
let selection = new Set<string>();

function indexOf(id: string): number {
  return rows.findIndex((row) => row.id === id);
}

function part(className: string, text = ""): HTMLElement {
  const span = document.createElement("span");
  span.className = className;
  span.textContent = text;
  return span;
}

function icon(name: string, color?: string): HTMLElement {
  const shown = part(`icon codicon codicon-${name} ${color ?? ""}`);
  shown.setAttribute("aria-hidden", "true");
  return shown;
}

/** How wide a place is at most while there is no room for all of it, and how much of it stays, in characters. */
const [wishedAside, leastAside] = [12, 7];

/** Returns what is seen of a detail as a whole or not at all: the parts that " · " joins, of the first its words. */
function partsOf(detail: string): string[] {
  const [first = "", ...rest] = detail.split(/(?<= )(?=· )/);
  return [...first.split(/(?<= )(?! )/), ...rest];
}

/** Returns the place beside a text: its folders, which are cut first, and its file. */
function asideOf(place: string, color = "plain"): HTMLElement {
  const aside = part(`aside ${color}`);
  const file = place.lastIndexOf("/") + 1;
  const folders = part("folders");
  const isolated = document.createElement("bdi");
  isolated.textContent = place.slice(0, file);
  folders.append(isolated);
  aside.append(folders, part("file", place.slice(file)));
  aside.style.flexBasis = `${Math.min(place.length, wishedAside)}ch`;
  aside.style.minWidth = `${Math.min(place.length, leastAside)}ch`;
  return aside;
}

/** Returns a bar of which a share from 0 to 1 is used. */
function barOf(share: number): HTMLElement {
  const bar = part("bar");
  const used = part("used");
  used.style.width = `${share * 100}%`;
  bar.append(used);
  return bar;
}

/** Returns the buttons of actions. */
function buttonsOf(offered: NonNullable<Row["actions"]>): HTMLElement {
  const actions = part("actions");
  actions.append(
    ...offered.map(({ title, icon }) => {
      const button = document.createElement("button");
      button.className = `codicon codicon-${icon}`;
      button.tabIndex = -1; // Ctrl+. has the actions on the keyboard
      button.title = title;
      button.setAttribute("aria-label", title);
      return button;
    }),
  );
  return actions;
}

/** Paints a row on its element. */
function paintRow(target: HTMLElement, row: Row): void {
  target.className = `row ${row.kind}${row.dimmed === true ? " dimmed" : ""}`;
  target.style.paddingInlineStart = `calc(${row.level - 1} * var(--indent) + 4px)`;
  const twistie = icon(row.open === undefined ? "blank" : row.open ? "chevron-down" : "chevron-right");
  twistie.classList.add("twistie");
  const parts = [twistie];
  if (row.icon !== undefined) {
    parts.push(icon(row.icon, row.iconColor ?? (row.dimmed === true ? "faint" : undefined)));
  }
  const label = part("label", row.label);
  label.dir = "auto"; // of what is too long its end is cut, also if that is at the left
  parts.push(label);
  if (row.authorIcon !== undefined) {
    const author = icon(row.authorIcon);
    author.classList.add("author");
    parts.push(author);
  }
  const detail = part("detail");
  const text = part("detail-text");
  text.append(...partsOf(row.detail ?? "").map((each) => part("part", each)));
  detail.append(text);
  parts.push(detail);
  if (row.aside !== undefined) {
    parts.push(asideOf(row.aside, row.asideColor));
  }
  if (row.share !== undefined) {
    parts.push(barOf(row.share));
  }
  if (row.actions !== undefined) {
    parts.push(buttonsOf(row.actions));
  }
  target.replaceChildren(...parts);
  target.title = row.hint ?? writtenOn(row).join("\n");
  target.setAttribute("aria-label", row.hint ?? spoken(row));
  target.ariaLevel = `${row.level}`;
  target.ariaExpanded = row.open === undefined ? null : `${row.open}`;
  target.dataset.vscodeContext = JSON.stringify({
    webviewSection: "row",
    workingMemoryRow: row.menu,
    id: row.id,
  });
}

function writtenOn({ label, aside, detail }: Row): string[] {
  const beside = [aside, detail].filter((text) => text !== undefined).join(" · ");
  return [label, beside].filter((text) => text !== "");
}

function spoken(row: Row): string {
  const { label, aside, detail, dimmed, kind } = row;
  const state = dimmed === true && kind === "item" ? "inactive" : undefined;
  return [label, aside, detail, state].filter((text) => text !== undefined).join(", ");
}

/** Returns the element of a row, painted. */
function elementOf(row: Row): HTMLElement {
  const known = elements.get(row.id);
  if (known === undefined) {
    const fresh = document.createElement("div");
    fresh.id = `row${made++}`;
    fresh.setAttribute("role", "treeitem");
    paintRow(fresh, row);
    elements.set(row.id, { element: fresh, painted: row });
    return fresh;
  }
  if (known.painted !== row) {
    paintRow(known.element, row);
    known.painted = row;
  }
  return known.element;
}

/** Paints the rows in view, and that with the focus. An element stays with its row. */
function paint(): void {
  waiting = false;
  const from = Math.max(Math.floor(tree.scrollTop / rowHeight) - beyond, 0);
  const to = Math.ceil((tree.scrollTop + tree.clientHeight) / rowHeight) + beyond;
  const wanted = [...rows.keys()].slice(from, to);
  if (focusAt < from || focusAt >= to) {
    wanted.push(focusAt);
    wanted.sort((a, b) => a - b);
  }
  box.style.height = `${rows.length * rowHeight}px`;
  const kept = new Set<string>();
  let next = box.firstElementChild;
  for (const at of wanted) {
    const row = rows[at];
    if (row === undefined) {
      continue;
    }
    kept.add(row.id);
    const shown = elementOf(row);
    shown.style.top = `${at * rowHeight}px`;
    shown.ariaSelected = `${selection.has(row.id)}`;
    shown.ariaPosInSet = `${places[at]?.at}`;
    shown.ariaSetSize = `${places[at]?.among.count}`;
    shown.classList.toggle("focused", row.id === focus);
    if (shown === next) {
      next = next.nextElementSibling;
    } else {
      box.insertBefore(shown, next);
    }
  }
  for (const [id, { element }] of elements) {
    if (!kept.has(id)) {
      element.remove();
      elements.delete(id);
    }
  }
  const focused = elements.get(focus)?.element.id;
  if (focused === undefined) {
    tree.removeAttribute("aria-activedescendant");
  } else if (tree.getAttribute("aria-activedescendant") !== focused) {
    tree.setAttribute("aria-activedescendant", focused);
  }
}

let waiting = false;

/** Paints with the next frame, once for all that has changed until then. */
function paintSoon(): void {
  if (!waiting) {
    waiting = true;
    requestAnimationFrame(paint);
  }
}

/** Draws what is above the rows. */
function paintHead({ message, pressure }: Head): void {
  const said = element("message");
  said.textContent = message;
  said.hidden = message === "";
  const last = pressure?.usage.at(-1);
  element("pressure").hidden = last === undefined;
  if (pressure === undefined || last === undefined) {
    return;
  }
  const { drawing, most } = curve(pressure.usage, 16);
  drawing.setAttribute("aria-hidden", "true");
  const axis = part("axis");
  axis.append(part("", percent(most)), part("", percent(0)));
  const full = part(`full ${pressure.level}`, `${percent(last.percentage)} ${pressure.level}`);
  const button = element("curve");
  button.replaceChildren(part("name", "Context"), axis, drawing, full);
  const clock = (at: number) => new Date(at).toLocaleTimeString([], { timeStyle: "short", hourCycle });
  const first = pressure.usage[0] ?? last;
  button.title = `Context of the agent, ${clock(first.at)} – ${clock(last.at)}`;
  const spokenCurve = `${button.title}: ${percent(last.percentage)} used, ${pressure.level}`;
  button.setAttribute("aria-label", spokenCurve);
  const advice = element("advice");
  advice.textContent = pressure.advice;
  advice.title = pressure.advice;
  advice.hidden = pressure.advice === "";
}

/** Where a row is among its siblings, from 1. */
interface Place {
  at: number;
  among: { count: number };
}

function placesOf(rows: readonly Row[]): Place[] {
  const siblings: { count: number }[] = []; // by level
  return rows.map(({ level }) => {
    siblings.length = Math.min(siblings.length, level + 1);
    siblings[level] ??= { count: 0 };
    const among = siblings[level];
    among.count++;
    return { at: among.count, among };
  });
}

/**
 * Changes the rows. The first one in view that stays, and does not change places with others, keeps its place on the
 * screen, unless the first row of all is in view.
 */
function replace({ from, rows: fresh, shown }: Change): void {
  const before = rows;
  sent = [...sent.slice(0, from), ...fresh];
  rows = shown.flatMap(([first, end]) => sent.slice(first, end));
  places = placesOf(rows);
  const top = Math.floor(tree.scrollTop / rowHeight);
  if (top === 0 || before[top]?.id === rows[top]?.id) {
    return;
  }
  const now = new Map(rows.map(({ id }, place) => [id, place]));
  const above = top - 1;
  const kept = before.slice(above).flatMap(({ id }, i) => {
    const place = now.get(id);
    return place === undefined ? [] : { from: above + i, place };
  });
  const still = kept.find(({ from, place }, i) => {
    const isAfter = place > (kept[i - 1]?.place ?? -1);
    return from >= top && isAfter && place < (kept[i + 1]?.place ?? rows.length);
  });
  if (still !== undefined) {
    box.style.height = `${rows.length * rowHeight}px`; // before it is painted
    tree.scrollTop += (still.place - still.from) * rowHeight;
  }
}

/**
 * Returns the index of the row that takes the place of the one that had the focus and is gone: the next one that is
 * still there, else the last one before it. Rows above may be gone with it.
 */
function heir(before: readonly Row[]): number {
  const now = new Map(rows.map(({ id }, at) => [id, at]));
  const isThere = ({ id }: Row) => now.has(id);
  const next = before.slice(focusAt + 1).find(isThere) ?? before.slice(0, focusAt).findLast(isThere);
  return now.get(next?.id ?? "") ?? Math.min(focusAt, rows.length - 1);
}

function receive(message: ToPanel): void {
  const before = rows;
  if (message.head !== undefined) {
    paintHead(message.head);
  }
  if (message.indent !== undefined) {
    tree.style.setProperty("--indent", `${message.indent}px`);
  }
  if (message.change !== undefined) {
    replace(message.change);
  }
  if (message.selection !== undefined) {
    selection = new Set(message.selection);
  }
  if (message.focus !== undefined) {
    focus = message.focus;
    anchor = focus;
  }
  if (message.reveal === true) {
    reveal(indexOf(focus));
  }
  if (message.takesFocus !== undefined) {
    if (message.takesFocus === turn) {
      tree.focus();
    }
    editor.postMessage({ type: "tookFocus" });
  }
  if (message.bound !== undefined) {
    isBound = message.bound === turn;
  }
  if (message.tooltip !== undefined) {
    const shown = elements.get(message.tooltip.id);
    if (shown !== undefined) {
      shown.element.title = message.tooltip.text;
    }
  }
  const at = indexOf(focus);
  if (at >= 0) {
    focusAt = at;
  } else if (focus !== "" && rows.length > 0) {
    moveTo(heir(before)); // its row is gone
  }
  paintSoon();
}

/** Scrolls so that a row is in view. */
function reveal(at: number): void {
  if (at < 0) {
    return;
  }
  box.style.height = `${rows.length * rowHeight}px`; // before it is painted
  const top = at * rowHeight;
  if (top < tree.scrollTop) {
    tree.scrollTop = top;
  } else if (top + rowHeight > tree.scrollTop + tree.clientHeight) {
    tree.scrollTop = top + rowHeight - tree.clientHeight;
  }
}

function tellChosen(): void {
  editor.postMessage({ type: "chosen", focus, selection: [...selection] });
}

/** Gives a row the focus, without selecting it. */
function moveTo(at: number): void {
  const row = rows[at];
  if (row !== undefined) {
    focus = row.id;
    focusAt = at;
    tellChosen();
    paintSoon();
  }
}

/** Moves the focus by keys: to a row that comes into view. With Shift the rows on the way are selected. */
function goTo(wanted: number, extend: boolean): void {
  const at = Math.min(Math.max(wanted, 0), rows.length - 1);
  if (extend) {
    selectTo(at);
  }
  moveTo(at);
  reveal(at);
}

/** Selects the rows from the anchor to one. */
function selectTo(at: number): void {
  const from = indexOf(anchor);
  const [first, last] = from < 0 ? [at, at] : [Math.min(from, at), Math.max(from, at)];
  selection = new Set(rows.slice(first, last + 1).map(({ id }) => id));
}

function select(row: Row, how: "only" | "toggle"): void {
  if (how === "only") {
    selection = new Set([row.id]);
  } else if (!selection.delete(row.id)) {
    selection.add(row.id);
  }
  anchor = row.id;
}

function fold(row: Row, open: boolean): void {
  if (row.open !== undefined && row.open !== open) {
    editor.postMessage({ type: "fold", id: row.id, open });
  }
}

function run(command: PanelCommand, row: Row | undefined): void {
  editor.postMessage({ type: "run", command, id: row?.id ?? "" });
}

/** What Enter does: it opens what can be opened, and else folds. */
function enter(row: Row): void {
  select(row, "only");
  tellChosen();
  paintSoon();
  if (row.open !== undefined && row.opens !== true) {
    fold(row, !row.open);
  } else {
    run("enter", row);
  }
}

/** What is typed to find a row by its beginning, and when that ends. */
let typed = "";
let typedUntil = 0;
const typingMillis = 1000;

function find(character: string): void {
  const now = performance.now();
  typed = now < typedUntil ? typed + character : character;
  typedUntil = now + typingMillis;
  const from = focusAt + (typed.length === 1 ? 1 : 0);
  const order = [...rows.keys()].map((i) => (i + from) % rows.length);
  const found = order.find((at) => rows[at]?.label.toLowerCase().startsWith(typed.toLowerCase()));
  if (found !== undefined) {
    goTo(found, false);
  }
}

function nameOf(event: KeyboardEvent): string {
  const held = [
    [event.ctrlKey || event.metaKey, "Ctrl"],
    [event.altKey, "Alt"],
    [event.shiftKey, "Shift"],
  ].filter(([is]) => is);
  return [...held.map(([, name]) => name), keyOf(event)].join("+");
}

/** Returns the name of a key. Of a layout without Latin letters it is that of the key in the same place. */
function keyOf({ key, code, ctrlKey, metaKey }: KeyboardEvent): string {
  if (key.length !== 1) {
    return key;
  }
  const isForeign = (ctrlKey || metaKey) && key > "\u007f";
  return ((isForeign ? /^Key(.)$/.exec(code)?.[1] : undefined) ?? key).toLowerCase();
}

/** The keys that move the focus or act on the row that has it; false if it is another key. */
function press(event: KeyboardEvent, row: Row): boolean {
  const page = Math.max(Math.floor(tree.clientHeight / rowHeight) - 1, 1);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: focusAt + 1,
    ArrowUp: focusAt - 1,
    PageDown: focusAt + page,
    PageUp: focusAt - page,
    Home: 0,
    End: rows.length - 1,
  };
  const name = nameOf(event);
  const plain = name.replace(/^Shift\+/, "");
  if (plain in steps) {
    goTo(steps[plain] ?? 0, event.shiftKey);
    return true;
  }
  switch (name) {
    case "ArrowRight":
      if (row.open === true) {
        goTo(focusAt + 1, false);
      } else {
        fold(row, true);
      }
      return true;
    case "ArrowLeft":
      if (row.open === true) {
        fold(row, false);
      } else {
        const above = rows.slice(0, focusAt).findLastIndex(({ level }) => level < row.level);
        goTo(above < 0 ? focusAt : above, false);
      }
      return true;
    case "Enter":
      enter(row);
      return true;
    case "Ctrl+c": // the browser may not pass it on
      run("copy", row);
      return true;
    case " ":
      select(row, "toggle");
      break;
    case "Ctrl+a":
      selection = new Set(rows.map(({ id }) => id));
      break;
    case "Escape":
      selection.clear();
      break;
    default:
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
        find(event.key);
        return true;
      }
      return false;
  }
  tellChosen();
  paintSoon();
  return true;
}

/** How often the page got the focus, and whether the editor knows that it has it. */
let turn = 0;
let isBound = false;

tree.addEventListener("keydown", (event) => {
  const row = rows[focusAt];
  const command = panelKeys[nameOf(event)];
  if (command !== undefined && isBound) {
    event.preventDefault(); // the browser does nothing with it, and the editor what it is bound to
    return;
  }
  if (command !== undefined) {
    run(command, row);
  } else if (row === undefined || !press(event, row)) {
    return;
  }
  event.preventDefault();
  event.stopPropagation(); // the editor would act on it, too, and take back what was typed in a file
});

/** Returns the row of an event. */
function rowOf(event: Event): Row | undefined {
  const shown = (event.target as Element).closest('[role="treeitem"]');
  return [...elements.values()].find((one) => one.element === shown)?.painted;
}

tree.addEventListener("mousedown", (event) => {
  if ((event.target as Element).closest("button") !== null) {
    event.preventDefault(); // the tree keeps the focus
  }
});

tree.addEventListener("click", (event) => {
  const row = rowOf(event);
  if (row === undefined) {
    return;
  }
  const target = event.target as Element;
  const button = target.closest("button");
  focus = row.id;
  focusAt = indexOf(row.id);
  if (button !== null) {
    tellChosen();
    editor.postMessage({ type: "act", id: row.id, title: button.title });
  } else if (event.shiftKey) {
    selectTo(focusAt);
    tellChosen();
  } else if (event.ctrlKey || event.metaKey) {
    select(row, "toggle");
    tellChosen();
  } else {
    select(row, "only");
    tellChosen();
    // What opens something keeps what stands below it, such as the second of a pair. Its twistie folds it.
    const onTwistie = target.closest(".twistie") !== null && row.open !== undefined;
    fold(row, row.open !== true || (row.opens === true && !onTwistie));
    if (!onTwistie) {
      run("open", row);
    }
  }
  paintSoon();
});

tree.addEventListener("dblclick", (event) => {
  const row = rowOf(event);
  if (row?.opens === true && (event.target as Element).closest("button") === null) {
    run("enter", row);
  }
});

/** How long the mouse rests on a row until its tooltip is asked for. */
const restMillis = 150;
let resting: number | undefined;
/** The row under the mouse. */
let under = "";

tree.addEventListener("mouseover", (event) => {
  const row = rowOf(event);
  if (row?.id !== under) {
    under = row?.id ?? "";
    clearTimeout(resting);
    if (row?.asks === true) {
      resting = setTimeout(() => editor.postMessage({ type: "tooltip", id: row.id }), restMillis);
    }
  }
});

// The menu of the keyboard is that of the row with the focus.
tree.addEventListener(
  "contextmenu",
  (event) => {
    const row = rowOf(event);
    if (row !== undefined) {
      moveTo(indexOf(row.id));
      return;
    }
    const shown = elements.get(focus)?.element;
    if (shown !== undefined && event.target === tree && event.isTrusted && event.button !== 2) {
      event.preventDefault();
      event.stopImmediatePropagation();
      const { left, bottom } = shown.getBoundingClientRect();
      const at = { clientX: left + 40, clientY: bottom, bubbles: true, cancelable: true, composed: true };
      shown.dispatchEvent(new MouseEvent("contextmenu", at));
    }
  },
  { capture: true },
);

tree.addEventListener("focus", () => {
  if (focus === "") {
    moveTo(0);
  }
});

tree.addEventListener("scroll", () => {
  if (!isFirst) {
    const top = tree.scrollTop;
    editor.setState({ top, first: rows[Math.floor(top / rowHeight)]?.id });
  }
  paintSoon();
});

new ResizeObserver(paintSoon).observe(tree);

element("curve").addEventListener("click", () => run("showCurve", undefined));

// The editor gives the focus to the page, which gives it to the tree.
window.addEventListener("focus", () => {
  turn++;
  isBound = false;
  editor.postMessage({ type: "focus", has: true, turn });
  if (document.activeElement === document.body) {
    tree.focus();
  }
});

window.addEventListener("blur", () => editor.postMessage({ type: "focus", has: false, turn }));

/** Whether the page has not all rows yet. */
let isFirst = true;

/** Scrolls to where the page was when it was hidden: to the same row, or else as far down. */
function restore(): void {
  box.style.height = `${rows.length * rowHeight}px`;
  const { top, first = "" } = editor.getState() ?? { top: 0 };
  const at = top < rowHeight ? -1 : indexOf(first);
  tree.scrollTop = at < 0 ? top : at * rowHeight + (top % rowHeight);
}

window.addEventListener("message", ({ data }: MessageEvent<ToPanel>) => {
  if (isFirst) {
    receive({ ...data, reveal: false });
    restore();
    isFirst = rows.length === 0; // the server is starting
    receive({ reveal: data.reveal === true });
  } else {
    receive(data);
  }
});

receive(JSON.parse(document.body.dataset.page ?? "{}"));
restore();
paint();
editor.postMessage({ type: "ready" });
