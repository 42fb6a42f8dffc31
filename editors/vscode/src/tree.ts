// Draws the panel as a native tree.
import * as vscode from "vscode";
import type { Folders } from "./folders";
import { contextValue, type ItemNode, type Node, nodes, type SectionNode, steps, update } from "./nodes";
import type { PanelModel } from "./panel";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import type { Status } from "./status";
import { bar, ending, line, markdown, slug } from "./text";
import type { Panel } from "./wire";

const icons: Readonly<Record<number, vscode.ThemeColor>> = {
  1: new vscode.ThemeColor("list.errorForeground"),
  2: new vscode.ThemeColor("list.warningForeground"),
};

/**
 * VS Code applies a change of a tree at once if there was none for this long. Otherwise it waits until
 * there has been none for this long.
 */
const restMillis = 200;

/** How much of a place is shown, in characters; its end says the most. VS Code's tree has no right edge. */
const maxAside = 28;

const faint = new vscode.ThemeColor("disabledForeground");

/** The colors of how serious an aside is. VS Code's tree colors no text, so the icon has them. */
const levels: Readonly<Record<number, vscode.ThemeColor>> = {
  ...icons,
  3: new vscode.ThemeColor("charts.yellow"),
  4: new vscode.ThemeColor("charts.green"),
};

const tints: Readonly<Record<string, vscode.ThemeColor>> = {
  blue: new vscode.ThemeColor("charts.blue"),
  green: new vscode.ThemeColor("charts.green"),
  purple: new vscode.ThemeColor("charts.purple"),
  yellow: new vscode.ThemeColor("charts.yellow"),
};

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<Node[] | undefined>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly parents = new Map<Node, Node>();
  private roots: Node[] = [];
  /** Nodes that have to be redrawn; undefined stands for the whole tree. */
  private stale: (Node | undefined)[] = [];
  private rest: NodeJS.Timeout | undefined;
  private words = "";
  private typing = false;
  /** The nodes that the user folded or opened, and whether they are open. */
  private readonly folds = new Map<string, boolean>();
  private readonly chosenEmitter = new vscode.EventEmitter<void>();
  /** A row was chosen, but VS Code does not yet know which. */
  private choosing = false;

  /** Fires when the user chose a row. */
  readonly onDidChoose = this.chosenEmitter.event;
  readonly onDidChangeTreeData = this.emitter.event;
  readonly view: vscode.TreeView<Node>;

  /** `known` are the names of the actions that the manifest has in its menus. */
  constructor(
    private readonly model: PanelModel,
    private readonly server: Server,
    private readonly folders: Folders,
    private readonly sessions: Sessions,
    private readonly status: Status,
    private readonly known: ReadonlySet<string>,
  ) {
    this.view = vscode.window.createTreeView("workingMemory.panel", {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.subscriptions = [
      this.view,
      this.view.onDidCollapseElement(({ element }) => this.folds.set(element.id, false)),
      this.view.onDidExpandElement(({ element }) => this.folds.set(element.id, true)),
      this.view.onDidChangeSelection(() => {
        this.choosing = true;
        this.tellChoice();
      }),
      model.onDidChange(() => this.rebuild()),
      server.onDidChangeSilence(() => this.head()),
      status.onDidChangePause(() => this.head()),
    ];
  }

  get filter(): string {
    return this.words;
  }

  /** Shows only the items with these words. While they are typed, the box shows them, and the view does not. */
  filterBy(words: string, typing: boolean): void {
    this.words = words;
    this.typing = typing;
    this.rebuild();
  }

  /** The panel, if a folder is open. */
  private get panel(): Panel | undefined {
    return this.folders.current && this.model.panel;
  }

  private rebuild(): void {
    const { panel } = this;
    const next = this.server.state.kind === "failed" ? steps() : [];
    const { nodes: roots, changed, moved } = update(this.roots, panel ? nodes(panel, this.words) : next);
    this.roots = roots;
    this.parents.clear();
    for (const root of this.roots) {
      this.adopt(root);
    }
    this.stale.push(...(moved ? [undefined] : changed));
    this.paint(); // before the message, which would hold it back
    this.head();
  }

  /** Redraws stale nodes, now or when VS Code would apply it at once. */
  private paint(): void {
    if (this.rest !== undefined || this.stale.length === 0) {
      return;
    }
    const stale = this.stale;
    this.stale = [];
    this.emitter.fire(stale.includes(undefined) ? undefined : (stale as Node[]));
    this.takeRest();
  }

  /** Lets the tree rest from now on. To set the message of the view counts as a change of the tree, too. */
  private takeRest(): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.rest = undefined;
      this.paint();
    }, restMillis);
  }

  /** Updates badge, description and message of the view if they changed. */
  private head(): void {
    const badge = this.panel?.badge ?? 0;
    const description = this.folders.name ?? "";
    const filter = this.words === "" || this.typing ? "" : `Only items with: ${line(this.words, 60)}`;
    const hint = line(this.panel?.hint);
    const message =
      line(this.server.problem) || this.model.problem || filter || this.status.pauseNotice || hint;
    if (this.view.badge?.value !== (badge > 0 ? badge : undefined)) {
      this.view.badge = badge > 0 ? { value: badge, tooltip: `${badge} to review` } : undefined;
    }
    if ((this.view.description ?? "") !== description) {
      this.view.description = description;
    }
    if ((this.view.message ?? "") !== message) {
      this.view.message = message;
      this.takeRest();
    }
  }

  private adopt(node: Node): void {
    for (const child of node.children) {
      this.parents.set(child, node);
      this.adopt(child);
    }
  }

  /** Selects the row of an item; false if there is none. */
  async goTo(id: string): Promise<boolean> {
    const isIt = (node: Node) => node.kind === "item" && node.item.id === id;
    const row = [...this.parents.keys()].find(isIt);
    if (row !== undefined) {
      await this.view.reveal(row, { focus: true });
    }
    return row !== undefined;
  }

  /**
   * Fires that a row was chosen. While the tree is redrawn the selection is empty, until VS Code has asked
   * for the rows again.
   */
  private tellChoice(): void {
    if (this.choosing && this.view.selection.length > 0) {
      this.choosing = false;
      this.chosenEmitter.fire();
    }
  }

  /** Returns a node with the others that are selected if it is one of them, in the order of the panel. */
  with(node: Node | undefined): Node[] {
    const { selection } = this.view;
    if (node === undefined) {
      return [...selection];
    }
    const places = [...this.parents.keys()];
    const place = (one: Node) => places.indexOf(one);
    return selection.includes(node) ? selection.toSorted((a, b) => place(a) - place(b)) : [node];
  }

  getChildren(node?: Node): Node[] {
    setImmediate(() => this.tellChoice()); // VS Code knows the rows after this call
    return node === undefined ? this.roots : node.children;
  }

  getParent(node: Node): Node | undefined {
    return this.parents.get(node);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const item = this.itemOf(node);
    const isOpen = this.folds.get(node.id);
    const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    if (isOpen !== undefined && item.collapsibleState !== None) {
      item.collapsibleState = isOpen ? Expanded : Collapsed; // a filter had other nodes in between
    }
    item.id = node.id;
    item.contextValue = contextValue(node, this.known);
    return item;
  }

  private itemOf(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case "section":
        return sectionItem(node);
      case "item":
        return panelItem(node);
      case "more": {
        const item = new vscode.TreeItem(node.title, vscode.TreeItemCollapsibleState.Collapsed);
        item.tooltip = node.hint;
        item.accessibilityInformation = { label: node.hint };
        return item;
      }
      case "step": {
        const item = new vscode.TreeItem(node.title, vscode.TreeItemCollapsibleState.None);
        item.iconPath = new vscode.ThemeIcon(node.icon);
        item.command = { title: node.title, command: node.command };
        return item;
      }
      case "empty": {
        const item = new vscode.TreeItem("", vscode.TreeItemCollapsibleState.None);
        item.description = line(node.text);
        item.tooltip = line(node.text);
        item.accessibilityInformation = { label: line(node.text) };
        const asks = node.actions.find(({ inputs = [] }) => inputs.length > 0);
        if (asks !== undefined && this.known.has(slug(asks.title))) {
          const command = `workingMemory.item.${slug(asks.title)}`;
          item.command = { title: line(asks.title), command, arguments: [node] };
        }
        return item;
      }
    }
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    node: Node,
    token: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    if (node.kind === "item" && node.item.hasMarkdown === true) {
      item.tooltip = (await this.tooltip(node.item.id, token)) ?? item.tooltip;
    }
    return item;
  }

  private async tooltip(
    id: string,
    token: vscode.CancellationToken,
  ): Promise<vscode.MarkdownString | undefined> {
    try {
      const params = { ...this.sessions.params, id };
      const resolved = await this.server.request("wm/panel/resolve", params, token);
      const text = new vscode.MarkdownString(markdown(resolved.markdown), false);
      text.isTrusted = false;
      text.supportHtml = false;
      return text;
    } catch {
      return undefined; // keeps the label as the tooltip
    }
  }

  dispose(): void {
    clearTimeout(this.rest);
    vscode.Disposable.from(...this.subscriptions, this.emitter, this.chosenEmitter).dispose();
  }
}

function sectionItem(node: SectionNode): vscode.TreeItem {
  const { section } = node;
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(line(section.title), node.open ? Expanded : Collapsed);
  const summary = line(section.summary);
  const { budget } = section;
  if (budget === undefined) {
    item.description = summary;
    item.tooltip = summary === "" ? line(section.title) : `${line(section.title)}: ${summary}`;
    return item;
  }
  const room = `${budget.used} of ${budget.max} ${line(budget.unit)}`;
  item.description = `${summary} ${bar(budget.used, budget.max)}`.trim(); // a narrow view cuts the bar first
  item.tooltip = `${line(section.title)}: ${room}${summary === "" ? "" : `, ${summary}`}`;
  item.accessibilityInformation = { label: item.tooltip };
  return item;
}

function panelItem(node: ItemNode): vscode.TreeItem {
  const { item } = node;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const state = node.children.length === 0 ? None : node.open ? Expanded : Collapsed;
  const painted = new vscode.TreeItem(line(item.label), state);
  const beside = [ending(line(item.aside), maxAside), line(item.detail)].filter((part) => part !== "");
  painted.description = beside.join(" · ");
  if (/^[a-z0-9-]+$/.test(item.icon)) {
    const own = icons[item.severity ?? 0] ?? levels[item.asideSeverity ?? 0] ?? tints[item.tint ?? ""];
    const color = own ?? (item.dimmed === true ? faint : undefined);
    painted.iconPath = new vscode.ThemeIcon(item.icon, color);
  }
  if (item.hasMarkdown !== true) {
    painted.tooltip = [line(item.label, 2000), ...beside].join("\n");
  }
  const words = [
    line(item.label),
    line(item.aside),
    line(item.detail),
    item.dimmed === true ? "inactive" : "",
  ];
  painted.accessibilityInformation = { label: words.filter((word) => word !== "").join(", ") };
  if (item.location !== undefined || item.hasMarkdown === true) {
    painted.command = { title: "Open", command: "workingMemory.open", arguments: [node] };
  }
  return painted;
}
