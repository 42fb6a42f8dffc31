// The panel as a tree, independent of VS Code.
import { slug } from "./text";
import type { Panel, PanelAction, PanelChoice, PanelInput, PanelItem, PanelSection } from "./wire";

export interface SectionNode {
  kind: "section";
  id: string;
  section: PanelSection;
  /** Whether the section is expanded at first. */
  open: boolean;
  children: Node[];
}

export interface ItemNode {
  kind: "item";
  id: string;
  item: PanelItem;
  /** Whether the item is expanded at first. */
  open: boolean;
  children: Node[];
}

/** The advanced sections, which are shown when it is opened. */
export interface MoreNode {
  kind: "more";
  id: string;
  children: Node[];
}

/** The text of a section without items, with the section's actions. */
export interface EmptyNode {
  kind: "empty";
  id: string;
  text: string;
  actions: readonly PanelAction[];
  children: Node[];
}

/** A step that the user can take while there is nothing else to show. */
export interface StepNode {
  kind: "step";
  id: string;
  title: string;
  icon: string;
  command: string;
  children: Node[];
}

export type Node = SectionNode | ItemNode | MoreNode | EmptyNode | StepNode;

/** Reports whether a value is a valid panel. */
export function isPanel(said: unknown): said is Panel {
  return isList((said as Panel | null)?.sections, isSection);
}

function isList(said: unknown, isOne: (one: never) => boolean): boolean {
  return (
    Array.isArray(said) && said.every((one) => one !== null && typeof one === "object" && isOne(one as never))
  );
}

function areTexts(...said: unknown[]): boolean {
  return said.every((one) => typeof one === "string");
}

function isSection({ id, title, items, actions = [] }: PanelSection): boolean {
  return areTexts(id, title) && isList(items, isItem) && isList(actions, isAction);
}

function isItem({ id, label, actions, children = [] }: PanelItem): boolean {
  return areTexts(id, label) && isList(actions, isAction) && isList(children, isItem);
}

function isAction({ title, method, inputs = [] }: PanelAction): boolean {
  return areTexts(title, method) && isList(inputs, isInput);
}

function isInput({ param, prompt, value = "", choices = [] }: PanelInput): boolean {
  return (
    areTexts(param, prompt, value) &&
    isList(choices, (choice: PanelChoice) => areTexts(choice.label, choice.value, choice.detail ?? ""))
  );
}

function step(command: string, title: string, icon: string): StepNode {
  return { kind: "step", id: `step:${command}`, title, icon, command, children: [] };
}

/** What to do if the server does not run, or is of another version, in the order in which to try it. */
export function repairs(isOther: boolean): StepNode[] {
  return [
    ...(isOther ? [step("workbench.action.reloadWindow", "Reload the Window", "refresh")] : []),
    step("workingMemory.showLog", "Show the Log", "output"),
    step("workingMemory.restart", "Restart the Server", "debug-restart"),
    step("workingMemory.setPath", "Set the Path of the Server", "gear"),
  ];
}

/** What to do without a folder. */
export function openings(): Node[] {
  return [step("vscode.openFolder", "Open Folder", "folder-opened")];
}

/** What to do in a folder without anything. */
function firstSteps(): Node[] {
  return [
    step("workingMemory.connectAgent", "Connect an agent", "plug"),
    step("workingMemory.remember", "Write down the first rule", "add"),
  ];
}

function isShown(section: PanelSection): boolean {
  return section.show !== "nonEmpty" || section.items.length > 0;
}

/** Nodes of one parent with unique ids: a row is found by its id. */
function distinct<N extends Node>(nodes: N[]): N[] {
  const taken = new Map<string, number>();
  for (const node of nodes) {
    const times = taken.get(node.id) ?? 0;
    taken.set(node.id, times + 1);
    if (times > 0) {
      node.id += `'${times}`;
    }
  }
  return nodes;
}

function matches(item: PanelItem, words: readonly string[]): boolean {
  const text = `${item.label} ${item.detail ?? ""} ${item.aside ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Returns the item with its matching children, or nothing if neither has every word. */
function itemNode(item: PanelItem, parent: string, words: readonly string[]): ItemNode | undefined {
  const self = matches(item, words);
  const id = `${parent}/${item.id}`;
  const below = (item.children ?? []).map((child) => itemNode(child, id, self ? [] : words));
  const children = distinct(below.filter((child) => child !== undefined));
  const open = words.length > 0 ? !self : item.folded !== true;
  return self || children.length > 0 ? { kind: "item", id, item, open, children } : undefined;
}

function emptyNode(parent: string, text: string, actions: readonly PanelAction[] = []): EmptyNode {
  return { kind: "empty", id: `${parent}/empty`, text, actions, children: [] };
}

function isFolded(section: PanelSection): boolean {
  return section.show === "advanced" || section.folded === true;
}

function sectionNode(section: PanelSection, words: readonly string[]): SectionNode {
  const id = `section:${section.id}`;
  const items = section.items.map((item) => itemNode(item, id, words));
  const children: Node[] = distinct(items.filter((item) => item !== undefined));
  if (children.length === 0 && section.empty !== undefined && section.empty !== "") {
    children.push(emptyNode(id, section.empty, section.actions));
  }
  return { kind: "section", id, section, open: words.length > 0 || !isFolded(section), children };
}

/** Returns the nodes of a panel. With a filter, only the items that have all its words, and their sections. */
export function nodes(panel: Panel, filter = ""): Node[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const shown = distinct(panel.sections.filter(isShown).map((section) => sectionNode(section, words)));
  if (words.length > 0) {
    const found = shown.filter(({ children }) => children.some(({ kind }) => kind === "item"));
    return found.length > 0 ? found : [emptyNode("found", "No item has these words.")];
  }
  const first = panel.hint === undefined ? [] : firstSteps();
  const roots: Node[] = [...first, ...shown.filter(({ section }) => section.show !== "advanced")];
  const advanced = shown.filter(({ section }) => section.show === "advanced");
  if (advanced.length > 0) {
    roots.push({ kind: "more", id: "more", children: advanced });
  }
  return roots;
}

/** Returns the action of a panel that adds an entry. */
export function adding(panel: Panel | undefined): PanelAction | undefined {
  const offered = panel?.sections.flatMap((section) => section.actions ?? []);
  return offered?.find(({ method }) => method === "wm/memory/add");
}

/** Returns the actions of a node. */
export function actionsOf(node: Node | undefined): readonly PanelAction[] {
  switch (node?.kind) {
    case "item":
      return node.item.actions;
    case "section":
      return node.section.actions ?? [];
    case "empty":
      return node.actions;
    default:
      return [];
  }
}

/**
 * What the manifest's menus test of a node: `;name;` for each action, and `;others;` if the manifest has no menu
 * item for one of them.
 */
export function menuOf(node: Node, known: ReadonlySet<string>): string {
  const names = actionsOf(node).map(({ title }) => slug(title));
  const parts = names.map((name) => (known.has(name) ? `;${name};` : ";others;"));
  const read = node.kind === "item" && node.item.hasMarkdown === true ? [";read;"] : [];
  return [node.kind, ...parts, ...read].join(" ");
}
