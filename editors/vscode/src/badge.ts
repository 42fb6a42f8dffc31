// The number on the icon of the panel: how much there is to review. VS Code shows that of a webview only after the
// webview was opened in its window, and does not take it away again. So it is that of a tree that is never shown.
import * as vscode from "vscode";
import type { Folders } from "./folders";
import type { PanelModel } from "./panel";

export class Badge implements vscode.Disposable {
  private readonly view = vscode.window.createTreeView<never>("workingMemory.badge", {
    treeDataProvider: { getChildren: () => [], getTreeItem: (none) => none },
  });
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly model: PanelModel,
    private readonly folders: Folders,
  ) {
    this.subscriptions = [model.onDidChange(() => this.show()), folders.onDidChange(() => this.show())];
  }

  /** The number; 0 if nothing is shown. */
  get value(): number {
    return this.view.badge?.value ?? 0;
  }

  private show(): void {
    const value = (this.folders.current && this.model.panel?.badge) ?? 0;
    if (value !== this.value) {
      this.view.badge = value > 0 ? { value, tooltip: `${value} to review` } : undefined;
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, this.view).dispose();
  }
}
