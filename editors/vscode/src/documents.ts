// Texts that are shown in read-only editors, as plain text: nothing in them is rendered or acts.
import * as vscode from "vscode";
import { Once } from "./once";
import type { Server } from "./server";
import { lines } from "./text";

const scheme = "working-memory";

/** Changes that follow each other closely are read together. */
const readDelayMillis = 150;

interface Page {
  text: string;
  /** Reads the text anew; without it the text stays as it is. */
  read?: () => Promise<string>;
}

export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly pages = new Map<string, Page>();
  private readonly once = new Once(() => this.readAnew());
  private timer: NodeJS.Timeout | undefined;
  readonly onDidChange = this.emitter.event;
  /** Made last: the editor looks once, now, for what is above. */
  private readonly subscriptions: vscode.Disposable[];

  constructor(server: Server) {
    this.subscriptions = [
      server.onDidChange(() => this.later()),
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    ];
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path)?.text ?? "This text is no longer there. Run the command again.\n";
  }

  /** Shows a text under a name such as doctor.txt; in Markdown a link could be followed. */
  async show(name: string, text: string): Promise<void> {
    await this.open(name, { text: lines(text) });
  }

  /** Shows a text that is read anew when the memory has changed. */
  async showLive(name: string, read: () => Promise<string>): Promise<void> {
    await this.open(name, { text: lines(await read()), read });
  }

  private async open(name: string, page: Page): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.pages.set(uri.path, page);
    this.emitter.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  private later(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.once.call();
    }, readDelayMillis);
  }

  /** Reads the pages anew that are open. */
  private async readAnew(): Promise<void> {
    for (const { uri } of vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme)) {
      const page = this.pages.get(uri.path);
      const text = await page?.read?.().catch(() => undefined); // the server may be on its way
      if (page !== undefined && text !== undefined && lines(text) !== page.text) {
        page.text = lines(text);
        this.emitter.fire(uri);
      }
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.subscriptions, this.emitter).dispose();
  }
}
