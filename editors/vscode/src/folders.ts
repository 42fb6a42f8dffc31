// The workspace folder that is shown: that of the file that was active last.
import * as vscode from "vscode";

export class Folders implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private chosen: vscode.WorkspaceFolder | undefined;

  /** Fires when another folder is shown. */
  readonly onDidChange = this.emitter.event;

  constructor() {
    this.chosen = ofEditor(vscode.window.activeTextEditor) ?? vscode.workspace.workspaceFolders?.[0];
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor((editor) => this.choose(ofEditor(editor) ?? this.chosen)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        const folders = vscode.workspace.workspaceFolders ?? [];
        const stays = folders.find((folder) => folder.uri.toString() === this.chosen?.uri.toString());
        this.choose(stays ?? folders[0]);
      }),
    ];
  }

  private choose(folder: vscode.WorkspaceFolder | undefined): void {
    if (folder?.uri.toString() !== this.chosen?.uri.toString()) {
      this.chosen = folder;
      this.emitter.fire();
    }
  }

  get current(): vscode.WorkspaceFolder | undefined {
    return this.chosen;
  }

  /** The params of a request about the folder. */
  get params(): { workspace?: string } {
    return this.chosen === undefined ? {} : { workspace: this.chosen.uri.toString() };
  }

  /** The name of the folder if there are several. */
  get name(): string | undefined {
    return (vscode.workspace.workspaceFolders?.length ?? 0) > 1 ? this.chosen?.name : undefined;
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, this.emitter).dispose();
  }
}

function ofEditor(editor: vscode.TextEditor | undefined): vscode.WorkspaceFolder | undefined {
  return editor === undefined ? undefined : vscode.workspace.getWorkspaceFolder(editor.document.uri);
}

/** Returns the path of a file relative to its folder, with /, as the memory stores it. */
export function pathInFolder(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined || uri.scheme !== "file") {
    return undefined;
  }
  const root = folder.uri.path.replace(/\/?$/, "/");
  return uri.path.startsWith(root) ? uri.path.slice(root.length) : undefined;
}
