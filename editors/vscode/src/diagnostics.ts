// Forwards the diagnostics of all other language servers and linters to the server: the full set of a file
// after it has changed and been stable for a moment.
import * as vscode from "vscode";
import { Sent } from "./sent";
import type { Server } from "./server";
import type { Diagnostic } from "./wire";

/** The source of the diagnostics that the server publishes, which it does not take back. */
const ownSource = "wm";

export class Diagnostics implements vscode.Disposable {
  private readonly sent = new Sent();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly server: Server) {
    this.subscriptions = [
      vscode.languages.onDidChangeDiagnostics((event) => {
        for (const uri of event.uris) {
          this.later(uri);
        }
      }),
      server.onDidChangeState((state) => {
        if (state.kind === "running") {
          for (const uri of this.anew()) {
            this.forward(uri);
          }
        }
      }),
      // Deferred, because the server is told of the new folders in the same event.
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        for (const uri of this.anew()) {
          this.later(uri);
        }
      }),
    ];
  }

  private later(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.timers.get(key));
    const delay = vscode.workspace
      .getConfiguration("workingMemory")
      .get<number>("diagnostics.delayMillis", 100);
    const timer = setTimeout(() => {
      this.timers.delete(key);
      this.forward(uri);
    }, delay);
    this.timers.set(key, timer);
  }

  private forward(uri: vscode.Uri): void {
    if (this.server.state.kind !== "running" || vscode.workspace.getWorkspaceFolder(uri) === undefined) {
      return;
    }
    const ofOthers = vscode.languages.getDiagnostics(uri).filter(({ source }) => source !== ownSource);
    const diagnostics = ofOthers.map(toWire);
    if (uri.scheme !== "file" || !this.sent.isNews(uri.toString(), diagnostics)) {
      return;
    }
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    this.server.notify("wm/diagnostics/changed", {
      uri: uri.toString(),
      diagnostics,
      ...(document && { version: document.version }),
    });
  }

  /** Forgets what was sent. Returns the files to send: all that have diagnostics, or had some. */
  private anew(): vscode.Uri[] {
    const told = this.sent.forget().map((uri) => vscode.Uri.parse(uri));
    const uris = [...told, ...vscode.languages.getDiagnostics().map(([uri]) => uri)];
    return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  }

  dispose(): void {
    for (const timer of this.timers.values()) {
      clearTimeout(timer);
    }
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}

/** Converts a diagnostic to the protocol. */
export function toWire(diagnostic: vscode.Diagnostic): Diagnostic {
  const { range, severity, source, code, message } = diagnostic;
  const value = typeof code === "object" ? code.value : code;
  return {
    range: {
      start: { line: range.start.line, character: range.start.character },
      end: { line: range.end.line, character: range.end.character },
    },
    severity: severity + 1,
    message,
    ...(source !== undefined && { source }),
    ...(value !== undefined && { code: value }),
  };
}
