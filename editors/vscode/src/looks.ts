// Decides when an open document counts as read, and is told to the server: not when it is only shown by a click in
// a list, in a preview, a peek or a diff, but when its editor stays a second with the focus, and at once when the
// user moves the cursor there, asks for a hover or edits it. In a peek or a diff only an edit counts.
import * as vscode from "vscode";

const secondMillis = 1000;

type Open = () => Promise<void>;

export class Looks implements vscode.Disposable {
  private readonly waiting = new Map<string, Open>();
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(() => this.begin()),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      const isUser =
        kind === vscode.TextEditorSelectionChangeKind.Mouse ||
        kind === vscode.TextEditorSelectionChangeKind.Keyboard;
      if (isUser && tabOf(textEditor.document) !== undefined) {
        void this.open(textEditor.document);
      }
    }),
    vscode.window.tabGroups.onDidChangeTabs(() => this.begin()), // a preview may be kept
  );

  /** Calls open once the document counts as read. */
  wait(document: vscode.TextDocument, open: Open): void {
    this.waiting.set(key(document), open);
    this.begin();
  }

  /** Reports whether a document waits. */
  has(document: vscode.TextDocument): boolean {
    return this.waiting.has(key(document));
  }

  /** Opens a document at once if it waits. */
  async open(document: vscode.TextDocument): Promise<void> {
    const open = this.waiting.get(key(document));
    this.waiting.delete(key(document));
    await open?.();
  }

  /** Opens a document that waits, and reports whether it is open: not if only a peek or a diff shows it. */
  async openInTab(document: vscode.TextDocument): Promise<boolean> {
    const isInTab = vscode.window.tabGroups.all.some(({ activeTab }) => isTabOf(activeTab, document));
    if (isInTab) {
      await this.open(document);
    }
    return !this.has(document);
  }

  /** Gives up a document that was closed, and reports whether it waited. */
  close(document: vscode.TextDocument): boolean {
    return this.waiting.delete(key(document));
  }

  /** Gives up all documents. */
  clear(): void {
    this.waiting.clear();
  }

  /** Begins the second anew. A preview may have been opened by a list that keeps the focus. */
  private begin(): void {
    clearTimeout(this.timer);
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && this.has(document) && tabOf(document)?.isPreview === false) {
      this.timer = setTimeout(() => void this.open(document), secondMillis);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
  }
}

function key(document: vscode.TextDocument): string {
  return document.uri.toString();
}

/** Returns the active tab if it is that of a document. */
function tabOf(document: vscode.TextDocument): vscode.Tab | undefined {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return isTabOf(activeTab, document) ? activeTab : undefined;
}

/** Reports whether a tab is that of a document: that of a diff, or below a peek, is not. */
function isTabOf(tab: vscode.Tab | undefined, document: vscode.TextDocument): boolean {
  return tab?.input instanceof vscode.TabInputText && tab.input.uri.toString() === key(document);
}
