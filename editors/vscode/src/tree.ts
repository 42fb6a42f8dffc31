// Shows the panel: a tree in a webview, of which this side knows the nodes, and the page the elements.
import * as vscode from "vscode";
import type { Folders } from "./folders";
import type { Folds } from "./folds";
import {
  type FromPanel,
  type Head,
  type PanelCommand,
  panelCommands,
  type Row,
  type ToPanel,
} from "./message";
import { type Node, nodes, openings, repairs } from "./nodes";
import type { PanelModel } from "./panel";
import { PageRows, type Rows } from "./rows";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import type { Status } from "./status";
import { line, plainOf } from "./text";
import { bundle, fill } from "./webview";
import type { Panel, Pressure } from "./wire";

const viewId = "workingMemory.panel";

/** The editor's menu offers neither to cut nor to paste: there is nothing to do it with. */
const plainMenu = `data-vscode-context='{"preventDefaultContextMenuItems":true}'`;

const body = `<p id="message" role="status" hidden></p>
<div id="pressure" hidden ${plainMenu}>
<button id="curve"></button>
<p id="advice"></p>
</div>
<div id="tree" role="tree" tabindex="0" aria-label="Memory" aria-multiselectable="true" ${plainMenu}>
<div id="rows" role="none"></div>
</div>`;

/** How many rows the page has before it has asked for all: more than a screen shows. */
const firstRows = 100;

/** How many of the latest reports of usage the curve has. */
const maxReports = 60;

/** What names a node: a node, or the row of a menu. */
export interface Target {
  id: string;
}

export class Tree implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private readonly chosenEmitter = new vscode.EventEmitter<void>();
  private view: vscode.WebviewView | undefined;
  /** Whether the page is there and has all rows. */
  private ready = false;
  /** Those that wait for the page to take the focus. */
  private readonly tookFocus: (() => void)[] = [];
  /** How often the page has had the focus, as far as it is known here. */
  private turn = 0;
  private page = new PageRows();
  private roots: Node[] = [];
  private shown: Row[] = [];
  private head: Head = { message: "" };
  private words = "";
  /** The nodes that the user folded or opened of what the filter finds, and whether they are open. */
  private readonly found = new Map<string, boolean>();
  private focused = "";
  /** Whether the page has to bring the row with the focus into view. */
  private reveals = false;
  private selected: readonly string[] = [];

  /** Fires when the user chose a row. */
  readonly onDidChoose = this.chosenEmitter.event;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly model: PanelModel,
    private readonly server: Server,
    private readonly folders: Folders,
    private readonly sessions: Sessions,
    private readonly status: Status,
    private readonly rowsMade: Rows,
    /** What the user folded or opened without a filter. */
    private readonly folds: Folds,
  ) {
    this.subscriptions = [
      vscode.window.registerWebviewViewProvider(viewId, this),
      model.onDidChange(() => this.rebuild()),
      folders.onDidChange(() => this.rebuild()),
      server.onDidChangeSilence(() => this.rebuild()),
      status.onDidChangePause(() => this.rebuild()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(indentSetting)) {
          this.paint({ indent: indent() });
        }
      }),
    ];
    this.rebuild();
  }

  get filter(): string {
    return this.words;
  }

  /** The id of the row that has the focus; empty if none ever had. */
  get focusedRow(): string {
    return this.focused;
  }

  /** Shows only the items with these words. */
  filterBy(words: string): void {
    this.words = words;
    if (words === "") {
      this.found.clear();
    }
    this.rebuild();
  }

  /** The nodes without a parent. */
  get nodes(): readonly Node[] {
    return this.roots;
  }

  /** The rows that are shown. */
  get rows(): readonly Row[] {
    return this.shown;
  }

  /** The sentence above the rows; empty if there is none. */
  get message(): string {
    return this.head.message;
  }

  /** The panel, if a folder is open. */
  private get panel(): Panel | undefined {
    return this.folders.current && this.model.panel;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: [bundle(this.extension)],
    };
    view.webview.onDidReceiveMessage((message: FromPanel) => this.receive(message));
    view.onDidChangeVisibility(() => {
      if (!view.visible) {
        void tellFocus(false); // the page cannot any more
        this.fill(view); // VS Code drops the page, and loads this one when it is shown again
      }
    });
    view.onDidDispose(() => {
      this.view = undefined;
      this.ready = false;
      this.endTaking();
      void tellFocus(false);
    });
    this.fill(view);
    this.decorate();
  }

  /** Folds or opens nodes of what is shown. */
  private fold(ids: readonly string[], open: boolean): void {
    if (this.words === "") {
      this.folds.set(ids, open);
    } else {
      for (const id of ids) {
        this.found.set(id, open);
      }
    }
  }

  private fill(view: vscode.WebviewView): void {
    this.ready = false;
    this.turn = 0;
    this.endTaking();
    const first: ToPanel = {
      head: this.head,
      indent: indent(),
      ...this.allRows(this.shown.slice(0, firstRows)),
    };
    fill(view.webview, this.extension, { name: "panel", title: "Memory", body, data: JSON.stringify(first) });
  }

  /** Returns the change for a page that has no rows. */
  private allRows(rows: readonly Row[]): ToPanel {
    this.page = new PageRows();
    const change = this.page.show(rows);
    return change === undefined ? {} : { change };
  }

  private rebuild(): void {
    this.roots = this.nodesNow();
    const head: Head = { message: this.sentence(), ...pressureOf(this.panel?.pressure) };
    const isOther = JSON.stringify(head) !== JSON.stringify(this.head);
    this.head = head;
    this.paint(isOther ? { head } : {});
    this.decorate();
  }

  private nodesNow(): Node[] {
    if (this.folders.current === undefined) {
      return openings();
    }
    const { panel } = this;
    const { state } = this.server;
    if (panel !== undefined) {
      return nodes(panel, this.words);
    }
    return state.kind === "failed" ? repairs(state.isOther) : [];
  }

  private sentence(): string {
    if (this.folders.current === undefined) {
      return "Open a folder to show its memory here.";
    }
    const filter = this.words === "" ? "" : `Only items with: ${line(this.words, 60)}`;
    const said =
      line(this.server.problem) ||
      this.model.problem ||
      filter ||
      this.status.pauseNotice ||
      line(this.panel?.hint);
    return said || (this.panel === undefined ? "The server is starting …" : "");
  }

  /** Sends the page what has changed. */
  private paint(more: ToPanel): void {
    this.shown = this.rowsMade.of(this.roots, this.words === "" ? this.folds : this.found);
    if (!this.ready) {
      return;
    }
    const change = this.page.show(this.shown);
    const message = change === undefined ? more : { ...more, change };
    if (Object.keys(message).length > 0) {
      void this.view?.webview.postMessage(message);
    }
  }

  /** Updates what VS Code writes around the page, if it changed. */
  private decorate(): void {
    const { view } = this;
    if (view === undefined) {
      return;
    }
    const description = this.folders.name ?? "";
    if ((view.description ?? "") !== description) {
      view.description = description;
    }
  }

  private receive(message: FromPanel): void {
    switch (message.type) {
      case "ready": {
        this.ready = true;
        const { head, focused: focus, reveals: reveal } = this;
        const selection = [...this.selected];
        const all: ToPanel = {
          head,
          indent: indent(),
          ...this.allRows(this.shown),
          selection,
          focus,
          reveal,
        };
        void this.view?.webview.postMessage(all);
        this.reveals = false;
        break;
      }
      case "focus":
        this.turn = message.turn;
        void tellFocus(message.has).then(() =>
          this.view?.webview.postMessage({ bound: message.turn } satisfies ToPanel),
        );
        break;
      case "tookFocus":
        this.endTaking();
        break;
      case "chosen":
        this.focused = message.focus;
        this.selected = message.selection;
        break;
      case "fold":
        this.fold([message.id], message.open);
        this.paint({});
        break;
      case "tooltip":
        void this.explain(message.id);
        break;
      case "run":
        this.run(message.command, message.id);
        break;
      case "act":
        void vscode.commands.executeCommand("workingMemory.act", { id: message.id }, message.title);
        break;
    }
  }

  private run(command: PanelCommand, id: string): void {
    if (!panelCommands.includes(command)) {
      return;
    }
    if (command === "open" || command === "enter") {
      this.chosenEmitter.fire();
    }
    void vscode.commands.executeCommand(`workingMemory.${command}`, id === "" ? undefined : { id });
  }

  /** Sends the page the tooltip of a row. */
  private async explain(id: string): Promise<void> {
    const text = await this.tooltip(id);
    if (text !== "") {
      await this.view?.webview.postMessage({ tooltip: { id, text } } satisfies ToPanel);
    }
  }

  /** Returns the details of an item as plain text; empty if there are none. */
  async tooltip(id: string): Promise<string> {
    const node = this.find({ id });
    if (node?.kind !== "item") {
      return "";
    }
    try {
      const params = { ...this.sessions.params, id: node.item.id };
      return plainOf((await this.server.request("wm/panel/resolve", params)).markdown);
    } catch {
      return ""; // what is written on the row stays its tooltip
    }
  }

  /** Returns the node with an id, and those above it. */
  private path(is: (node: Node) => boolean): Node[] {
    const below = (all: readonly Node[]): Node[] => {
      for (const node of all) {
        const rest = is(node) ? [] : below(node.children);
        if (is(node) || rest.length > 0) {
          return [node, ...rest];
        }
      }
      return [];
    };
    return below(this.roots);
  }

  /** Returns the node of a target, by default that with the focus. */
  find(target: Target | undefined): Node | undefined {
    const id = target?.id ?? this.focused;
    return this.path((node) => node.id === id).at(-1);
  }

  /** Returns a node with the others that are selected if it is one of them, in the order of the panel. */
  with(target: Target | undefined): Node[] {
    const node = this.find(target);
    if (node === undefined) {
      return [];
    }
    if (!this.selected.includes(node.id)) {
      return [node];
    }
    const chosen = this.shown.filter(({ id }) => this.selected.includes(id));
    return chosen.flatMap(({ id }) => this.find({ id }) ?? []);
  }

  /** Gives the row of an item the focus; false if there is none. */
  async goTo(item: string): Promise<boolean> {
    const path = this.path((node) => node.kind === "item" && node.item.id === item);
    const node = path.at(-1);
    if (node === undefined) {
      return false;
    }
    const above = path.slice(0, -1).map(({ id }) => id);
    this.fold(above, true);
    this.focused = node.id;
    this.selected = [node.id];
    this.reveals = true;
    this.paint({ selection: [node.id] });
    await this.focus(node.id);
    return true;
  }

  /**
   * Shows the panel and gives it the focus: after a question VS Code gives it back to elements, not to pages. It gives
   * it to the frame around the page, and passes it on 50 ms later unless it has heard meanwhile that the page has lost
   * it, which it may hear late. So the page also takes it itself, unless it has had it meanwhile: then a key has opened
   * a list. Settles when it has it, so that it takes it from no question that comes next. Among the rows the one that
   * is given gets it, by default the one that had it.
   */
  async focus(row?: string): Promise<void> {
    const before = this.turn;
    await vscode.commands.executeCommand(`${viewId}.focus`);
    if (!this.ready) {
      return;
    }
    const taken = new Promise<void>((resolve) => this.tookFocus.push(resolve));
    void this.view?.webview.postMessage({ takesFocus: before } satisfies ToPanel);
    await taken;
    if (row !== undefined && this.ready) {
      this.reveals = false;
      this.focused = row; // a page without one has given its first row the focus when it took it
      this.paint({ focus: row, reveal: true });
    }
  }

  /** Ends the waiting for the page to take the focus: it has it, or is gone. */
  private endTaking(): void {
    for (const resolve of this.tookFocus.splice(0)) {
      resolve();
    }
  }

  /** Closes every node. */
  collapse(): void {
    const parents = (all: readonly Node[]): string[] =>
      all.flatMap(({ id, children }) => (children.length > 0 ? [id, ...parents(children)] : []));
    this.fold(parents(this.roots), false);
    this.paint({});
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, this.chosenEmitter).dispose();
  }
}

/** Tells the editor whether the panel has the focus, for the keys of its commands. */
function tellFocus(has: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand("setContext", "workingMemory.panelFocus", has);
}

/** The setting for the trees of the editor. */
const indentSetting = "workbench.tree.indent";

function indent(): number {
  return vscode.workspace.getConfiguration().get<number>(indentSetting, 8);
}

function pressureOf(pressure: Pressure | undefined): Pick<Head, "pressure"> {
  if (pressure === undefined || pressure.limit === 0) {
    return {};
  }
  const usage = pressure.history
    .slice(-maxReports)
    .map(({ at, percentage }) => ({ at: Date.parse(at), percentage }))
    .filter(({ at }) => !Number.isNaN(at));
  return { pressure: { usage, level: line(pressure.level, 20), advice: line(pressure.advice) } };
}
