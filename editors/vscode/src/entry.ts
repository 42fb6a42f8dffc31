// Asks for a text: on one line, or in an editor tab where it may have several.
import * as vscode from "vscode";
import { lines, plain } from "./text";
import type { PanelInput } from "./wire";

const scheme = "working-memory-entry";

/** Files that exist only while a person writes into them. */
class Drafts implements vscode.FileSystemProvider {
  private readonly emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly files = new Map<
    string,
    { content: Uint8Array; saved: (content: Uint8Array) => void; time: number }
  >();
  readonly onDidChangeFile = this.emitter.event;

  add(uri: vscode.Uri, text: string, saved: (content: Uint8Array) => void): void {
    this.files.set(uri.path, { content: new TextEncoder().encode(text), saved, time: 1 });
  }

  remove(uri: vscode.Uri): void {
    this.files.delete(uri.path);
  }

  private get(uri: vscode.Uri) {
    const file = this.files.get(uri.path);
    if (file === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
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
    return this.get(uri).content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const file = this.get(uri);
    file.content = content;
    file.time++;
    file.saved(content);
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
  private count = 0;

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

  /** Opens a tab with the text; saving hands it over, closing the tab gives up. */
  private async tab(prompt: string, value: string): Promise<string | undefined> {
    const uri = vscode.Uri.from({ scheme, path: `/${++this.count}/${titleOf(prompt)}` });
    const isOurs = (tab: vscode.Tab) =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
    const subscriptions: vscode.Disposable[] = [];
    const written = new Promise<string | undefined>((resolve) => {
      this.drafts.add(uri, lines(value), (content) =>
        resolve(new TextDecoder().decode(content).replace(/\n$/, "")),
      );
      subscriptions.push(
        vscode.window.tabGroups.onDidChangeTabs((change) => {
          if (change.closed.some(isOurs)) {
            resolve(undefined);
          }
        }),
      );
    });
    await vscode.window.showTextDocument(uri, { preview: false });
    vscode.window.setStatusBarMessage("Save to hand the text over, close the tab to give up", written);
    const text = await written;
    vscode.Disposable.from(...subscriptions).dispose();
    const open = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isOurs);
    if (text !== undefined && open.length > 0) {
      // After the save that is under way.
      setTimeout(() => void vscode.window.tabGroups.close(open).then(() => this.drafts.remove(uri)), 0);
    } else {
      this.drafts.remove(uri);
    }
    return text;
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function titleOf(prompt: string): string {
  const title = plain(prompt, 40).replace(/[^\p{L}\p{N} ]+/gu, "");
  return `${title.trim() || "Text"}.md`;
}
