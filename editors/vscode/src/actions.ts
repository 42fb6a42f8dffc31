// Runs the actions that the server offers for an item.
import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient";
import type { Documents } from "./documents";
import type { Answer, TextEntry } from "./entry";
import type { Folders } from "./folders";
import type { PanelModel } from "./panel";
import type { Server } from "./server";
import type { Terminals } from "./terminals";
import { line, plain, slug, unmarked } from "./text";
import type { PanelAction, PanelInput, Refusal, TerminalCommand } from "./wire";

/** How long the status bar offers the undo. */
const undoOfferedMillis = 15_000;

/** What a method may return for an action. */
interface Outcome {
  status?: unknown;
  reason?: unknown;
  message?: unknown;
  undo?: { method: string; params: object } | null;
  markdown?: unknown;
  /** A text for the clipboard. */
  clipboard?: unknown;
  /** A command for the terminal. */
  run?: TerminalCommand;
}

/** The result of an attempt: its undo, or why it failed. */
interface Attempt {
  undo?: PanelAction;
  /** `answered`: the server refused it. `gone`: its target no longer exists. */
  failure?: { why: string; answered: boolean; gone?: boolean };
}

const notHandedOver: Attempt = { failure: { why: "your text was not submitted", answered: false } };

export class Actions implements vscode.Disposable {
  private readonly undos: { title: string; action: PanelAction; folder: { workspace?: string } }[] = [];
  private readonly offer = vscode.window.createStatusBarItem(
    "workingMemory.undo",
    vscode.StatusBarAlignment.Left,
    -1,
  );
  private timer: NodeJS.Timeout | undefined;
  /** Settles when all pending undos are done. */
  private undone: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly server: Server,
    private readonly folders: Folders,
    private readonly model: PanelModel,
    private readonly entry: TextEntry,
    private readonly documents: Documents,
    private readonly terminals: Terminals,
  ) {
    this.offer.name = "Working Memory: Undo";
    this.offer.command = "workingMemory.undo";
  }

  /** Asks for the inputs of an action, runs it, and offers its undo. */
  async run(action: PanelAction, given: object = {}, what = ""): Promise<void> {
    const folder = this.folders.params;
    // Only wm/* methods; no other method that a server names is called.
    if (!/^wm\/[A-Za-z/]+$/.test(action.method)) {
      return void complain(action, "the server offers an action that is not a wm/* method");
    }
    if (action.destructive === true && !(await confirmed(action, what))) {
      return;
    }
    await this.askAndPerform(action, folder, action.inputs ?? [], given, (said) =>
      this.server.call(action.method, { ...folder, ...action.params, ...given, ...said }),
    );
  }

  /**
   * Asks for inputs, runs the work with them, and offers its undo. Entered text is not lost: if the server
   * refuses it, it is shown again at once; after other failures it is shown on request, because the user
   * may be doing something else.
   */
  async askAndPerform(
    action: { title: string; undo?: PanelAction },
    folder: { workspace?: string },
    inputs: readonly PanelInput[],
    given: object,
    work: (said: Record<string, string>) => Thenable<unknown>,
  ): Promise<void> {
    const open = inputs.filter(({ param }) => !(param in given));
    const said: Record<string, string> = {};
    const texts = open.filter(({ kind }) => kind === "text");
    const isWritten = ({ param, value = "" }: PanelInput) => (said[param] ?? value) !== value;
    for (;;) {
      const saidAll = await this.ask(open, said);
      if (!saidAll && !texts.some(isWritten)) {
        return; // cancelled
      }
      const { undo, failure } = saidAll ? await this.attempt(action, () => work(said)) : notHandedOver;
      if (undo !== undefined) {
        this.undos.push({ title: action.title, action: undo, folder });
        this.offerUndo();
      }
      if (failure === undefined) {
        return;
      }
      const steps = texts.length > 0 && !failure.answered ? ["Continue"] : [];
      const picked = complain(action, failure.why, ...steps);
      if (texts.length === 0 || (steps.length > 0 && (await picked) === undefined)) {
        return;
      }
    }
  }

  /** Runs the work, reports success, and returns its undo. */
  private async attempt(
    action: { title: string; undo?: PanelAction },
    work: () => Thenable<unknown>,
    done = "Done",
  ): Promise<Attempt> {
    let outcome: Outcome;
    try {
      outcome = ((await work()) ?? {}) as Outcome;
    } catch (error) {
      const answered = error instanceof ResponseError;
      const refusal = answered ? (error.data as Refusal | undefined) : undefined;
      return { failure: { why: reasonOf(error), answered, gone: refusal?.reason === "notFound" } };
    }
    if (outcome.status === "rejected") {
      return {
        failure: {
          why: `rejected, ${line(outcome.message) || line(outcome.reason) || "without a reason"}`,
          answered: true,
        },
      };
    }
    if (typeof outcome.markdown === "string") {
      await this.documents.show(`${slug(action.title)}.txt`, unmarked(outcome.markdown));
      return {};
    }
    if (outcome.run !== undefined) {
      await this.terminals.run(outcome.run);
      return {};
    }
    if (typeof outcome.clipboard === "string") {
      await vscode.env.clipboard.writeText(outcome.clipboard);
    }
    const why = typeof outcome.reason === "string" ? ` (${outcome.reason})` : "";
    vscode.window.setStatusBarMessage(`$(check) ${done}: ${plain(`${action.title}${why}`)}`, 5000);
    this.model.refresh();
    const undo = action.undo ?? (outcome.undo ? { title: "Undo", ...outcome.undo } : undefined);
    return undo === undefined ? {} : { undo };
  }

  /** Offers the undo of the last action for a while. */
  private offerUndo(): void {
    const last = this.undos.at(-1);
    void vscode.commands.executeCommand("setContext", "workingMemory.canUndo", last !== undefined);
    clearTimeout(this.timer);
    if (last === undefined) {
      this.offer.hide();
      return;
    }
    this.offer.text = `$(discard) Undo ${plain(last.title)}`;
    this.offer.tooltip = `Undoes: ${line(last.title)}`;
    this.offer.show();
    this.timer = setTimeout(() => this.offer.hide(), undoOfferedMillis);
  }

  /** Undoes the last action. Calls run one after the other, including repeated ones. */
  undo(): Promise<void> {
    const turn = this.undone.then(() => this.undoLast());
    this.undone = turn.catch(() => {});
    return turn;
  }

  private async undoLast(): Promise<void> {
    const last = this.undos.pop();
    this.offerUndo();
    if (last === undefined) {
      throw new Hint("There is nothing to undo");
    }
    const { method, params } = last.action;
    const work = () => this.server.call(method, { ...last.folder, ...params });
    const { failure } = await this.attempt({ title: last.title }, work, "Undone");
    if (failure === undefined) {
      return;
    }
    void complain({ title: `Undo ${last.title}` }, failure.why);
    if (failure.gone !== true) {
      this.undos.push(last); // it can be repeated
      this.offerUndo();
    }
  }

  /** Asks for each input, starting from earlier values; reports whether all were answered. */
  private async ask(inputs: readonly PanelInput[], said: Record<string, string>): Promise<boolean> {
    for (const input of inputs) {
      const value = said[input.param] ?? input.value;
      const question = { ...input, ...(value !== undefined && { value }) };
      const answer = await (input.kind === "choice" ? choose(question) : this.entry.ask(question));
      if (answer === undefined) {
        delete said[input.param];
        return false;
      }
      said[input.param] = answer.text;
      if (!answer.handedOver) {
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

async function choose(input: PanelInput): Promise<Answer | undefined> {
  const choices = (input.choices ?? []).map((choice) => ({
    label: plain(choice.label),
    description: plain(choice.detail ?? ""),
    value: choice.value,
  }));
  // The current choice comes first.
  choices.sort((a, b) => Number(b.value === input.value) - Number(a.value === input.value));
  const chosen = await vscode.window.showQuickPick(choices, {
    placeHolder: plain(input.prompt),
    ignoreFocusOut: true, // keeps what the user has typed so far
  });
  return chosen && { text: chosen.value, handedOver: true };
}

async function confirmed(action: PanelAction, what: string): Promise<boolean> {
  const title = plain(action.title);
  const question = what === "" ? `${title}?` : `${title}: “${plain(line(what, 80))}”?`;
  const undoable = action.undo !== undefined || action.undoable === true;
  const detail = undoable ? "You can undo it afterwards." : "This cannot be undone.";
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, title)) === title;
}

/** A precondition that is not met. It is no error and is shown unobtrusively. */
export class Hint extends Error {}

export function reasonOf(error: unknown): string {
  return line(error instanceof Error ? error.message : String(error));
}

/** Shows that a request of the user failed; returns the chosen next step. */
export function complain(
  action: { title: string },
  why: string,
  ...steps: string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(`Working Memory: ${plain(action.title)}: ${plain(why)}`, ...steps);
}
