// Asks for text: on one line, or in an editor tab for several lines.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { plain } from "./text";
import type { PanelInput } from "./wire";

const scheme = "working-memory-entry";

/** Text that is asked for. */
export interface Question extends PanelInput {
  /** Whether the user wants to write it in a tab. */
  inTab?: boolean;
}

/** What the user submitted, or has written so far without submitting it. */
export interface Answer {
  text: string;
  handedOver: boolean;
  /** Whether they want to go on in a tab. */
  continues?: boolean;
}

/** A file system for drafts, which exist only in memory. */
class Drafts implements vscode.FileSystemProvider {
  private readonly emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly files = new Map<string, { content: Uint8Array; time: number; over: boolean }>();
  readonly onDidChangeFile = this.emitter.event;

  /** Adds a draft. Its random authority distinguishes it from tabs of an earlier window. */
  add(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, authority: randomUUID(), path: `/${name}` });
    this.files.set(uri.authority, { content: new TextEncoder().encode(text), time: 1, over: false });
    return uri;
  }

  /** Returns the last saved text. Later saves are ignored without an error. */
  end(uri: vscode.Uri): string {
    const file = this.get(uri);
    const text = new TextDecoder().decode(file.content);
    file.content = new Uint8Array();
    file.over = true;
    return text;
  }

  private get(uri: vscode.Uri) {
    const file = this.files.get(uri.authority);
    if (file === undefined) {
      throw vscode.FileSystemError.FileNotFound(
        "this text can no longer be submitted; copy it and run the command again",
      );
    }
    return file;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.get(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: file.time, size: file.content.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const file = this.get(uri);
    if (file.over) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return file.content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const file = this.get(uri);
    if (!file.over) {
      file.content = content;
      file.time++;
    }
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

const inTab: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("go-to-file"),
  tooltip: "Write several lines in an editor tab",
};

export class TextEntry implements vscode.Disposable {
  private readonly drafts = new Drafts();
  private readonly registration = vscode.workspace.registerFileSystemProvider(scheme, this.drafts);
  /**
   * The line that was answered last. It stays until the next question takes its place: without one VS Code gives the
   * focus back to what had it before, and to a page so late that it would take it from the next question.
   */
  private answered: vscode.InputBox | undefined;

  /** Returns what the user enters; nothing if they cancel. What is entered on a line is left to end. */
  async ask(question: Question): Promise<Answer | undefined> {
    const { prompt, value = "" } = question;
    if (!isForTab(question)) {
      return this.line(question, value);
    }
    this.end();
    return this.tab(prompt, value);
  }

  private line(input: PanelInput, value: string): Promise<Answer | undefined> {
    const box = vscode.window.createInputBox();
    box.prompt = plain(input.prompt);
    box.value = value;
    box.valueSelection = [value.length, value.length]; // so that a stray key replaces nothing
    box.ignoreFocusOut = true;
    box.buttons = input.multiline === true ? [inTab] : [];
    return new Promise((resolve) => {
      const answer = (how: { handedOver: boolean; continues?: true }) => {
        this.answered = box;
        resolve({ text: box.value, ...how });
      };
      box.onDidAccept(() => answer({ handedOver: true }));
      box.onDidTriggerButton(() => answer({ handedOver: false, continues: true }));
      box.onDidHide(() => {
        if (this.answered === box) {
          this.answered = undefined;
        }
        box.dispose();
        resolve(undefined); // unless it was answered
      });
      box.show();
    });
  }

  /** Ends what was asked for on lines, if nothing else is asked for that takes the place of the last one. */
  end(): void {
    this.answered?.hide();
  }

  /**
   * Opens a tab with the text. Saving by hand closes the tab and submits the text. Closing it cancels,
   * except after an auto-save: the editor does not ask about unsaved changes then.
   */
  private async tab(prompt: string, value: string): Promise<Answer | undefined> {
    const before = value.replace(/\r\n/g, "\n");
    const uri = this.drafts.add(titleOf(prompt), before);
    const isOurs = (document: vscode.TextDocument) => document.uri.toString() === uri.toString();
    const isOurTab = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isOurTab);
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    let handedOver = false;
    const subscriptions = [
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        // Auto-save may happen in the middle of a sentence.
        if (isOurs(document) && reason === vscode.TextDocumentSaveReason.Manual) {
          handedOver = true;
        }
      }),
      vscode.workspace.onDidSaveTextDocument(async (document) => {
        if (isOurs(document) && handedOver) {
          // The editor asks about later changes; the user may keep the tab open. What stands behind it gets the focus
          // below: from VS Code it gets it when it has loaded, and would take it from what comes next.
          handedOver = await vscode.window.tabGroups.close(tabs(), true);
        }
      }),
      vscode.window.tabGroups.onDidChangeTabs((change) => {
        if (change.closed.some(isOurTab) && tabs().length === 0) {
          close();
        }
      }),
    ];
    // Independent of the encoding that the user's settings choose.
    const document = await vscode.workspace.openTextDocument(uri, { encoding: "utf8" });
    await vscode.window.showTextDocument(document, { preview: false });
    vscode.window.setStatusBarMessage("Save to submit the text, close the tab to cancel", closed);
    await closed;
    if (handedOver) {
      await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    }
    vscode.Disposable.from(...subscriptions).dispose();
    const after = this.drafts.end(uri).replace(/\r\n/g, "\n");
    const text = after.replace(/\n$/, "");
    return handedOver || after !== before ? { text, handedOver } : undefined;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

/** Reports whether text is asked for in a tab. */
export function isForTab({ inTab, multiline, value = "" }: Question): boolean {
  return inTab === true || (multiline === true && value.includes("\n"));
}

/** Returns the file name of a draft. It is a .txt file, because links in Markdown are clickable. */
function titleOf(prompt: string): string {
  const title = plain(prompt, 40).replace(/[^\p{L}\p{N} ]+/gu, "");
  return `${title.trim() || "Text"}.txt`;
}
