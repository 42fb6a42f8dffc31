// Does what the server says can be done with an item.
import * as vscode from "vscode";
import type { Documents } from "./documents";
import type { TextEntry } from "./entry";
import type { Folders } from "./folders";
import type { PanelModel } from "./panel";
import type { Server } from "./server";
import { line, plain, slug } from "./text";
import type { PanelAction, PanelInput } from "./wire";

/** How long the status bar offers to take back what was done. */
const undoOfferedMillis = 15_000;

/** What a method may answer to an action. */
interface Outcome {
  status?: unknown;
  reason?: unknown;
  undo?: { method: string; params: object };
  markdown?: unknown;
}

export class Actions implements vscode.Disposable {
  private readonly undos: { title: string; action: PanelAction; folder: { workspace?: string } }[] = [];
  private readonly offer = vscode.window.createStatusBarItem(
    "workingMemory.undo",
    vscode.StatusBarAlignment.Left,
    -1,
  );
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Server,
    private readonly folders: Folders,
    private readonly model: PanelModel,
    private readonly entry: TextEntry,
    private readonly documents: Documents,
  ) {
    this.offer.name = "Working Memory: Undo";
    this.offer.command = "workingMemory.undo";
  }

  /** Asks what the action on something wants to know, does it, and offers to take it back. */
  async run(action: PanelAction, given: object = {}, what = ""): Promise<void> {
    const folder = this.folders.params;
    // Only the memory's own methods; nothing else that a server names is called.
    if (!/^wm\/[A-Za-z/]+$/.test(action.method)) {
      return complain(action, "the server offers an action that is none of its own");
    }
    if (action.destructive === true && !(await confirmed(action, what))) {
      return;
    }
    await this.askAndPerform(action, folder, action.inputs ?? [], given, (said) =>
      this.server.call(action.method, { ...folder, ...action.params, ...given, ...said }),
    );
  }

  /** Asks, and does the work with what was said. If that fails, what a person wrote is there again, to be mended. */
  async askAndPerform(
    action: { title: string; undo?: PanelAction },
    folder: { workspace?: string },
    inputs: readonly PanelInput[],
    given: object,
    work: (said: Record<string, string>) => Thenable<unknown>,
  ): Promise<void> {
    const open = inputs.filter(({ param }) => !(param in given));
    const said: Record<string, string> = {};
    while (await this.ask(open, said)) {
      const done = await this.perform(action, folder, () => work(said));
      if (done || !open.some(({ kind }) => kind === "text")) {
        return;
      }
    }
  }

  /** Does the work, says what came of it, and offers to take it back; whether it was done. */
  async perform(
    action: { title: string; undo?: PanelAction },
    folder: { workspace?: string },
    work: () => Thenable<unknown>,
  ): Promise<boolean> {
    const done = await this.attempt(action, work);
    if (done?.undo !== undefined) {
      this.remember(action.title, done.undo, folder);
    }
    return done !== undefined;
  }

  /** Does the work and says what came of it; if it was done, with the action that takes it back. */
  private async attempt(
    action: { title: string; undo?: PanelAction },
    work: () => Thenable<unknown>,
  ): Promise<{ undo?: PanelAction } | undefined> {
    let outcome: Outcome;
    try {
      outcome = ((await work()) ?? {}) as Outcome;
    } catch (error) {
      complain(action, reasonOf(error));
      return undefined;
    }
    if (outcome.status === "rejected") {
      complain(action, `rejected, ${line(outcome.reason) || "without a reason"}`);
      return undefined;
    }
    if (typeof outcome.markdown === "string") {
      await this.documents.show(`${slug(action.title)}.txt`, outcome.markdown);
      return {};
    }
    const status = typeof outcome.status === "string" ? `: ${outcome.status}` : "";
    vscode.window.setStatusBarMessage(`$(check) ${plain(action.title)}${plain(status)}`, 5000);
    this.model.refresh();
    const undo = action.undo ?? (outcome.undo && { title: "Undo", ...outcome.undo });
    return undo === undefined ? {} : { undo };
  }

  private remember(title: string, action: PanelAction, folder: { workspace?: string }): void {
    this.undos.push({ title, action, folder });
    this.offerUndo();
  }

  /** Offers for a while to take back what was done last. */
  private offerUndo(): void {
    const last = this.undos.at(-1);
    void vscode.commands.executeCommand("setContext", "workingMemory.canUndo", last !== undefined);
    clearTimeout(this.timer);
    if (last === undefined) {
      this.offer.hide();
      return;
    }
    this.offer.text = `$(discard) Undo ${plain(last.title)}`;
    this.offer.tooltip = `Takes back: ${line(last.title)}`;
    this.offer.show();
    this.timer = setTimeout(() => this.offer.hide(), undoOfferedMillis);
  }

  /** Takes back what was done last. */
  async undo(): Promise<void> {
    const last = this.undos.pop();
    this.offerUndo();
    if (last === undefined) {
      throw new Hint("There is nothing to undo");
    }
    const { method, params } = last.action;
    const title = `Undo ${last.title}`;
    const done = await this.attempt({ title }, () => this.server.call(method, { ...last.folder, ...params }));
    if (done === undefined) {
      this.undos.push(last); // to be tried again
      this.offerUndo();
    }
  }

  /**
   * Asks for each input what a person says to it, beginning with what they have said
   * before. To leave a question leads back to the one before, so that nothing that
   * is written is lost; to leave the first one is to give up, and the answer no.
   */
  private async ask(inputs: readonly PanelInput[], said: Record<string, string>): Promise<boolean> {
    let at = 0;
    for (let input = inputs[at]; input !== undefined; input = inputs[at]) {
      const value = said[input.param] ?? input.value;
      const question = { ...input, ...(value !== undefined && { value }) };
      const answer = await (input.kind === "choice" ? choose(question) : this.entry.ask(question));
      if (answer !== undefined) {
        said[input.param] = answer;
        at++;
      } else if (at-- === 0) {
        return false;
      }
    }
    return true;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.offer.dispose();
  }
}

async function choose(input: PanelInput): Promise<string | undefined> {
  const choices = (input.choices ?? []).map((choice) => ({
    label: plain(choice.label),
    value: choice.value,
  }));
  // The one that is chosen already comes first.
  choices.sort((a, b) => Number(b.value === input.value) - Number(a.value === input.value));
  const chosen = await vscode.window.showQuickPick(choices, {
    placeHolder: plain(input.prompt),
    ignoreFocusOut: true, // a text may have been written before
  });
  return chosen?.value;
}

async function confirmed(action: PanelAction, what: string): Promise<boolean> {
  const title = plain(action.title);
  const question = what === "" ? `${title}?` : `${title}: “${plain(line(what, 80))}”?`;
  const undoable = action.undo !== undefined || action.undoable === true;
  const detail = undoable ? "You can undo it afterwards." : "This cannot be undone.";
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, title)) === title;
}

/** What has to be done first: no failure, and said as quietly. */
export class Hint extends Error {}

export function reasonOf(error: unknown): string {
  return line(error instanceof Error ? error.message : String(error));
}

/** Says that what a person asked for did not work. */
export function complain(action: { title: string }, why: string): void {
  void vscode.window.showWarningMessage(`Working Memory: ${plain(action.title)}: ${plain(why)}`);
}
