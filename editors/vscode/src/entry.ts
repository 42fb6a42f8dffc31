// Asks for a text: on one line, or in an editor tab where it may have several.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { plain } from "./text";
import type { PanelInput } from "./wire";

const scheme = "working-memory-entry";

/** Files that exist only while a person writes into them. */
class Drafts implements vscode.FileSystemProvider {
  private readonly emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly files = new Map<string, { content: Uint8Array; time: number; over: boolean }>();
  readonly onDidChangeFile = this.emitter.event;

  /** A new draft. A tab that an earlier window has left open is never taken for it. */
  add(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, authority: randomUUID(), path: `/${name}` });
    this.files.set(uri.authority, { content: new TextEncoder().encode(text), time: 1, over: false });
    return uri;
  }

  /** The text as it was saved last. Whatever is still saved afterwards is dropped, without an error. */
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
      throw vscode.FileSystemError.FileNotFound("nobody waits for this text any more");
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

  /** What the person writes; nothing if they give up. */
  async ask(input: PanelInput): Promise<string | undefined> {
    const value = input.value ?? "";
    return input.multiline === true && value.includes("\n")
      ? this.tab(input.prompt, value)
      : this.line(input, value);
  }

  private line(input: PanelInput, value: string): Promise<string | undefined> {
    const box = vscode.window.createInputBox();
    box.prompt = plain(input.prompt);
    box.value = value;
    box.ignoreFocusOut = true;
    box.buttons = input.multiline === true ? [inTab] : [];
    return new Promise((resolve) => {
      let next: Promise<string | undefined> = Promise.resolve(undefined);
      box.onDidAccept(() => {
        next = Promise.resolve(box.value);
        box.hide();
      });
      box.onDidTriggerButton(() => {
        next = this.tab(input.prompt, box.value);
        box.hide();
      });
      box.onDidHide(() => {
        box.dispose();
        resolve(next);
      });
      box.show();
    });
  }

  /** Opens a tab with the text. Saving by hand closes it and hands the text over; closing it gives up. */
  private async tab(prompt: string, value: string): Promise<string | undefined> {
    const uri = this.drafts.add(titleOf(prompt), value.replace(/\r\n/g, "\n"));
    const isOurs = (document: vscode.TextDocument) => document.uri.toString() === uri.toString();
    const isOurTab = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isOurTab);
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    let handedOver = false;
    const subscriptions = [
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        // The editor saves by itself too, in the middle of a sentence.
        if (isOurs(document) && reason === vscode.TextDocumentSaveReason.Manual) {
          handedOver = true;
        }
      }),
      vscode.workspace.onDidSaveTextDocument(async (document) => {
        if (isOurs(document) && handedOver) {
          // The editor asks what to do with what was written since; a person may stay for it.
          handedOver = await vscode.window.tabGroups.close(tabs());
        }
      }),
      vscode.window.tabGroups.onDidChangeTabs((change) => {
        if (change.closed.some(isOurTab) && tabs().length === 0) {
          close();
        }
      }),
    ];
    // Whatever a person's files are in.
    const document = await vscode.workspace.openTextDocument(uri, { encoding: "utf8" });
    await vscode.window.showTextDocument(document, { preview: false });
    vscode.window.setStatusBarMessage("Save to hand the text over, close the tab to give up", closed);
    await closed;
    vscode.Disposable.from(...subscriptions).dispose();
    const text = this.drafts.end(uri);
    return handedOver ? text.replace(/\r\n/g, "\n").replace(/\n$/, "") : undefined;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

/** The name of a draft. It is plain text: in Markdown a link in it could be followed. */
function titleOf(prompt: string): string {
  const title = plain(prompt, 40).replace(/[^\p{L}\p{N} ]+/gu, "");
  return `${title.trim() || "Text"}.txt`;
}
