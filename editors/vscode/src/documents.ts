// Texts that are shown in read-only editors, as plain text: nothing in them is rendered or acts.
import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient";
import { Once } from "./once";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import { lines } from "./text";

const scheme = "working-memory";

const gone = "This text is no longer there. Run the command again.\n";

interface Page {
  text: string;
  /** Reads the text anew; without it the text stays as it is. */
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
      server.onDidChangeState(() => this.once.soon()), // what changed meanwhile was not heard
      sessions.onDidChange(() => this.once.soon()),
      // The editor looks once, now, for what is above.
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    ];
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path)?.text ?? gone;
  }

  /** Shows a text under a name such as doctor.txt; in Markdown a link could be followed. */
  async show(name: string, text: string): Promise<void> {
    await this.open(name, { text: lines(text) });
  }

  /** Shows a text that is read anew when the memory has changed, or another one is shown. */
  async showLive(name: string, read: () => Promise<string>): Promise<void> {
    await this.open(name, { text: lines(await read()), read });
  }

  private async open(name: string, page: Page): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.pages.set(uri.path, page);
    this.emitter.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Reads the pages anew that are open. */
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

/** What to show if a text cannot be read: what it was about may be gone, or the server on its way. */
function instead(error: unknown): string | undefined {
  return error instanceof ResponseError ? gone : undefined;
}
