// Texts that are shown in read-only editors, as plain text: nothing in them is rendered or acts.
import * as vscode from "vscode";
import { lines } from "./text";

const scheme = "working-memory";

export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly texts = new Map<string, string>();
  readonly onDidChange = this.emitter.event;
  /** Made last: the editor looks once, now, for what is above. */
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "This text is no longer there. Run the command again.\n";
  }

  /** Shows a text under a name such as context.txt; in Markdown a link could be followed. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.texts.set(uri.path, lines(text));
    this.emitter.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.emitter.dispose();
  }
}
