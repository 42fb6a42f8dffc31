// Read-only editors with plain text: nothing in it is rendered or clickable.
import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient";
import { Once } from "./once";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import { lines } from "./text";

const scheme = "working-memory";

const gone = "This text no longer exists. Run the command again.\n";

interface Page {
  text: string;
  /** Reads the text again; without it the text never changes. */
  read?: () => Promise<string>;
}

export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly pages = new Map<string, Page>();
  private readonly once = new Once(() => this.readAnew());
  readonly onDidChange = this.emitter.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(server: Server, sessions: Sessions) {
    this.subscriptions = [
      server.onDidChange(() => this.once.soon()),
      server.onDidChangeState(() => this.once.soon()), // changes while it was down were not reported
      sessions.onDidChange(() => this.once.soon()),
      // The editor asks only once, now, for the values above.
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    ];
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path)?.text ?? gone;
  }

  /** Shows text under a name such as doctor.txt. Markdown would make its links clickable. */
  async show(name: string, text: string): Promise<void> {
    await this.open(name, { text: lines(text) });
  }

  /** Shows text that is reloaded when the memory changes or another session is shown. */
  async showLive(name: string, read: () => Promise<string>): Promise<void> {
    await this.open(name, { text: lines(await read()), read });
  }

  private async open(name: string, page: Page): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.pages.set(uri.path, page);
    this.emitter.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Reloads the open pages. */
  private async readAnew(): Promise<void> {
    for (const { uri } of vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme)) {
      const page = this.pages.get(uri.path);
      const text = await page?.read?.().catch(instead);
      if (page !== undefined && text !== undefined && lines(text) !== page.text) {
        page.text = lines(text);
        this.emitter.fire(uri);
      }
    }
  }

  dispose(): void {
    this.once.dispose();
    vscode.Disposable.from(...this.subscriptions, this.emitter).dispose();
  }
}

/** The text to show if a page cannot be read: its target may be gone, or the server may be starting. */
function instead(error: unknown): string | undefined {
  return error instanceof ResponseError ? gone : undefined;
}
