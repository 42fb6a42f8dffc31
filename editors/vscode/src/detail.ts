// The details of an item, or what an action answers, as rendered Markdown in an editor tab.
import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient";
import type { FromDetail, ToDetail } from "./message";
import { Once } from "./once";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import { line, linked, markdown } from "./text";
import { bundle, fill } from "./webview";
import type { PanelAction } from "./wire";

/** What is shown. */
export interface Detail {
  title: string;
  markdown: string;
  actions?: readonly PanelAction[];
}

const gone = "This no longer exists.";

const body = `<nav id="actions" aria-label="Actions"></nav>
<main id="detail"></main>`;

export class DetailView implements vscode.Disposable {
  private readonly once = new Once(() => this.readAnew());
  private readonly followEmitter = new vscode.EventEmitter<string>();
  private readonly actionEmitter = new vscode.EventEmitter<{ action: PanelAction; title: string }>();
  private readonly subscriptions: vscode.Disposable[];
  private panel: vscode.WebviewPanel | undefined;
  /** Reads what is shown again; without it that never changes. */
  private read: (() => Promise<Detail>) | undefined;
  private shown: Detail = { title: "", markdown: "" };

  /** Fires with the target of a link that the user followed. */
  readonly onDidFollow = this.followEmitter.event;
  /** Fires with an action that the user chose, and the title of what it is done with. */
  readonly onDidChoose = this.actionEmitter.event;

  constructor(
    private readonly extension: vscode.Uri,
    server: Server,
    sessions: Sessions,
  ) {
    this.subscriptions = [
      server.onDidChange(() => this.later()),
      server.onDidChangeState(() => this.later()),
      sessions.onDidChange(() => this.later()),
    ];
  }

  /** Shows what never changes. */
  show(shown: Detail): void {
    this.open(shown, undefined, false);
  }

  /** Shows what is read again when the memory changes. */
  async showLive(read: () => Promise<Detail>, preserveFocus = false): Promise<void> {
    this.open(await read(), read, preserveFocus);
  }

  private open(shown: Detail, read: (() => Promise<Detail>) | undefined, preserveFocus: boolean): void {
    this.shown = shown;
    this.read = read;
    if (this.panel === undefined) {
      this.panel = this.create(preserveFocus);
    } else {
      this.panel.reveal(undefined, preserveFocus);
    }
    this.once.call();
  }

  private create(preserveFocus: boolean): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      "workingMemory.detail",
      "Working Memory",
      { viewColumn: vscode.ViewColumn.Active, preserveFocus },
      {
        enableScripts: true,
        enableCommandUris: false,
        enableFindWidget: true,
        localResourceRoots: [bundle(this.extension)],
      },
    );
    panel.iconPath = vscode.Uri.joinPath(this.extension, "media", "view.svg");
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.read = undefined;
    });
    panel.webview.onDidReceiveMessage((message: FromDetail) => this.receive(message));
    fill(panel.webview, this.extension, { name: "detail", title: "Working Memory", body });
    return panel;
  }

  private receive(message: FromDetail): void {
    if (message.type === "ready") {
      this.once.call();
    } else if (message.type === "link" && typeof message.target === "string") {
      this.followEmitter.fire(message.target);
    } else if (message.type === "action") {
      const action = this.shown.actions?.[message.index];
      if (action !== undefined) {
        this.actionEmitter.fire({ action, title: this.shown.title });
      }
    }
  }

  private later(): void {
    if (this.panel !== undefined && this.read !== undefined) {
      this.once.soon();
    }
  }

  private async readAnew(): Promise<void> {
    const { read } = this;
    if (read !== undefined) {
      try {
        const shown = await read();
        if (read !== this.read) {
          return; // something else is shown by now
        }
        this.shown = shown;
      } catch (error) {
        if (error instanceof ResponseError) {
          this.shown = { title: this.shown.title, markdown: gone };
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
