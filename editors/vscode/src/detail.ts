// The details of an item, or what an action answers, as rendered Markdown in an editor tab.
import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient";
import type { Task } from "./actions";
import type { FromDetail, ToDetail } from "./message";
import { Once } from "./once";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import { line, linked, markdown } from "./text";
import { bundle, fill } from "./webview";
import type { MemoryExplainResult, PanelAction, PanelResolveResult } from "./wire";

/** What is shown. */
interface Detail {
  title: string;
  markdown: string;
  actions?: readonly PanelAction[];
}

/** A request whose result is shown, with its title unless the result has one. It is asked again when the memory changes. */
export interface Source {
  method: string;
  params: object;
  title?: string;
}

/** The methods of sources. They change nothing. */
const reads: ReadonlySet<string> = new Set(["wm/panel/resolve", "wm/memory/explain"]);

/** Reports whether a value is a source, such as the state of a tab of an earlier window or an action. */
export function isSource(said: unknown): said is Source {
  const { method, params } = (said ?? {}) as Partial<Source>;
  return typeof method === "string" && reads.has(method) && typeof params === "object" && params !== null;
}

const viewType = "workingMemory.detail";

const gone = "This no longer exists.";

const body = `<nav id="actions" aria-label="Actions"></nav>
<main id="detail"></main>`;

export class DetailView implements vscode.Disposable {
  private readonly once = new Once(() => this.readAnew());
  private readonly followEmitter = new vscode.EventEmitter<string>();
  private readonly actionEmitter = new vscode.EventEmitter<Task>();
  private readonly subscriptions: vscode.Disposable[];
  private panel: vscode.WebviewPanel | undefined;
  /** From where what is shown is read again; without it that never changes. */
  private source: Source | undefined;
  private shown: Detail = { title: "", markdown: "" };

  /** Fires with the target of a link that the user followed. */
  readonly onDidFollow = this.followEmitter.event;
  /** Fires with an action that the user chose. */
  readonly onDidChoose = this.actionEmitter.event;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
    sessions: Sessions,
  ) {
    this.subscriptions = [
      server.onDidChange(() => this.later()),
      server.onDidChangeState(() => this.later()),
      sessions.onDidChange(() => this.later()),
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: async (panel, state: unknown) => this.restore(panel, state),
      }),
    ];
  }

  /** Shows what never changes. */
  show(shown: Detail): void {
    this.open(shown, undefined, false);
  }

  /** Shows what is read again when the memory changes. */
  async showLive(source: Source, preserveFocus = false): Promise<void> {
    this.open(await this.read(source), source, preserveFocus);
  }

  private async read({ method, params, title = "" }: Source): Promise<Detail> {
    const result = (await this.server.call(method, params)) as PanelResolveResult &
      Partial<MemoryExplainResult>;
    const { entry, markdown, actions = [] } = result;
    return {
      title: entry === undefined ? (result.title ?? title) : `${title}: ${entry.text}`,
      markdown,
      actions,
    };
  }

  private open(shown: Detail, source: Source | undefined, preserveFocus: boolean): void {
    this.shown = shown;
    this.source = source;
    if (this.panel === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
      this.adopt(
        vscode.window.createWebviewPanel(viewType, "Working Memory", column, { enableFindWidget: true }),
      );
    } else {
      this.panel.reveal(undefined, preserveFocus);
    }
    this.once.call();
  }

  /** Fills the tab of an earlier window; one that showed what cannot be read again is closed. */
  private restore(panel: vscode.WebviewPanel, state: unknown): void {
    if (!isSource(state)) {
      panel.dispose();
      return;
    }
    this.panel?.dispose(); // a person looks at this one now
    this.shown = { title: panel.title, markdown: "" };
    this.source = state;
    this.adopt(panel);
    this.once.call();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    panel.iconPath = vscode.Uri.joinPath(this.extension, "media", "view.svg");
    panel.onDidDispose(() => {
      if (this.panel === panel) {
        this.panel = undefined;
        this.source = undefined;
      }
    });
    panel.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: [bundle(this.extension)],
    };
    panel.webview.onDidReceiveMessage((message: FromDetail) => this.receive(message));
    fill(panel.webview, this.extension, { name: "detail", title: "Working Memory", body });
  }

  private receive(message: FromDetail): void {
    if (message.type === "ready") {
      this.once.call();
    } else if (message.type === "link" && typeof message.target === "string") {
      this.followEmitter.fire(message.target);
    } else if (message.type === "action") {
      const action = this.shown.actions?.[message.index];
      if (action !== undefined) {
        this.actionEmitter.fire({ action, what: this.shown.title });
      }
    }
  }

  private later(): void {
    if (this.panel !== undefined && this.source !== undefined) {
      this.once.soon();
    }
  }

  private async readAnew(): Promise<void> {
    const { source } = this;
    if (source !== undefined) {
      try {
        const shown = await this.read(source);
        if (source !== this.source) {
          return; // something else is shown by now
        }
        this.shown = shown;
      } catch (error) {
        if (error instanceof ResponseError) {
          this.shown = { title: "", markdown: gone }; // its name may have been erased
        }
      }
    }
    const { panel, shown } = this;
    if (panel === undefined) {
      return;
    }
    panel.title = line(shown.title, 60) || "Working Memory";
    const message: ToDetail = {
      html: await rendered(shown.markdown),
      text: markdown(shown.markdown),
      actions: (shown.actions ?? []).map(({ title }) => line(title, 60)),
      source: this.source ?? null,
    };
    await panel.webview.postMessage(message);
  }

  dispose(): void {
    this.once.dispose();
    this.panel?.dispose();
    vscode.Disposable.from(...this.subscriptions, this.followEmitter, this.actionEmitter).dispose();
  }
}

/** Renders Markdown with the editor's own renderer; empty if that is disabled. */
async function rendered(text: string): Promise<string> {
  try {
    return (
      (await vscode.commands.executeCommand<string>("markdown.api.render", linked(markdown(text)))) ?? ""
    );
  } catch {
    return "";
  }
}
