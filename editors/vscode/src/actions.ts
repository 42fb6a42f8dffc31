// Runs the actions that the server offers for an item.
import * as vscode from "vscode";
import { ResponseError } from "vscode-languageclient";
import { type DetailView, isSource } from "./detail";
import { type Answer, isForTab, type Question, type TextEntry } from "./entry";
import type { Folders } from "./folders";
import type { PanelModel } from "./panel";
import type { Server } from "./server";
import type { Terminals } from "./terminals";
import { line, plain } from "./text";
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
  /** What to copy to the clipboard. */
  clipboard?: unknown;
  /** A command for the terminal. */
  run?: TerminalCommand;
}

/** How one thing that was done is taken back, and done again. */
interface Step {
  undo: PanelAction;
  again: () => Promise<Attempt>;
}

/** What was done. */
interface Done {
  title: string;
  steps: Step[];
  folder: { workspace?: string };
}

/** An action, and the name of what it is for. */
export interface Task {
  action: PanelAction;
  what: string;
}

/** The result of an attempt: its undo, or why it failed. */
interface Attempt {
  undo?: PanelAction;
  /** `answered`: the server refused it. `gone`: its target no longer exists. */
  failure?: { why: string; answered: boolean; gone?: boolean; paused?: boolean };
}

/** The step that a person is offered while recording is paused. */
const resume = "Resume recording";

const nothingBegun = Promise.resolve(false);

/** What is done once questions are answered, by default. */
const nothing = async (): Promise<void> => {};

const notHandedOver: Attempt = { failure: { why: "your text was not submitted", answered: false } };

export class Actions implements vscode.Disposable {
  private readonly undos: Done[] = [];
  /** What was undone, the latest last; a new action empties it. */
  private readonly redos: Done[] = [];
  private readonly offer = vscode.window.createStatusBarItem(
    "workingMemory.undo",
    vscode.StatusBarAlignment.Left,
    -1,
  );
  private timer: NodeJS.Timeout | undefined;
  /** What is under way, or was done and is not taken back: the panel may still offer it for a moment. */
  private taken = new WeakSet<object>();
  /** Settles when what has begun is done and noted, with whether its last action was refused. */
  private begun: Promise<boolean> = nothingBegun;

  constructor(
    private readonly server: Server,
    private readonly folders: Folders,
    private readonly model: PanelModel,
    private readonly entry: TextEntry,
    private readonly detail: DetailView,
    private readonly terminals: Terminals,
  ) {
    this.offer.name = "Working Memory: Undo";
    this.offer.command = "workingMemory.undo";
  }

  /** Asks for the inputs of an action, runs it, and offers its undo. */
  async run(action: PanelAction, given: object = {}, what = "", answered = nothing): Promise<void> {
    const folder = this.folders.params;
    if (!isOwn(action)) {
      return void complain(action, "the server offers an action that is not a wm/* method");
    }
    const read = {
      method: action.method,
      params: { ...folder, ...action.params, ...given },
      title: action.title,
    };
    if (isSource(read)) {
      return this.detail.showLive(read);
    }
    if (action.destructive === true && !(await confirmed(action, what))) {
      return answered();
    }
    const work = (said: object) => this.call(action, folder, { ...given, ...said });
    await this.askAndPerform(action, folder, action.inputs ?? [], given, work, answered);
  }

  /** Runs an action for several items, asks once if that is needed, and offers one undo for all. */
  async runAll(tasks: readonly Task[], answered = nothing): Promise<void> {
    const [first] = tasks;
    if (first === undefined || tasks.length === 1) {
      return first && this.run(first.action, {}, first.what, answered);
    }
    if (tasks.some(({ action }) => isForOne(action))) {
      throw new Hint(`${plain(first.action.title)} is for one item at a time`);
    }
    if (!tasks.every(({ action }) => isOwn(action))) {
      return void complain(first.action, "the server offers an action that is not a wm/* method");
    }
    const isDestructive = tasks.some(({ action }) => action.destructive === true);
    const isMeant = !isDestructive || (await confirmed(first.action, `${tasks.length} items`));
    const settled = answered();
    if (!isMeant) {
      return settled;
    }
    await this.begin(() => this.performAll(tasks, first.action.title));
    await settled;
  }

  /** Runs an action for several items until one fails, and notes what was done as one. */
  private async performAll(tasks: readonly Task[], title: string): Promise<Attempt> {
    const folder = this.folders.params;
    const steps: Step[] = [];
    let failed: Attempt = {};
    for (const { action } of tasks) {
      const work = () => this.call(action, folder);
      const { undo, failure } = await this.take(action, () => this.attempt(action, work));
      if (failure !== undefined) {
        void complain(action, failure.why);
        failed = { failure };
        break;
      }
      if (undo !== undefined) {
        steps.push({ undo, again: () => this.attempt(action, work, "Done again") });
      }
    }
    this.note({ title: `${title} (${steps.length})`, steps, folder });
    return steps.length === 0 ? failed : {};
  }

  private call(action: PanelAction, folder: object, more: object = {}): Promise<unknown> {
    return this.server.call(action.method, { ...folder, ...action.params, ...more });
  }

  /** Notes what was done, and offers to undo it. */
  private note(done: Done): void {
    if (done.steps.length > 0) {
      this.undos.push(done);
      this.redos.length = 0;
      this.offerUndo();
    }
  }

  /**
   * Asks for inputs, runs the work with them, and offers its undo. Entered text is not lost: if the server
   * refuses it, it is shown again at once; after other failures it is shown on request, because the user
   * may be doing something else. Once the questions are answered `answered` is called, before the work is done.
   */
  async askAndPerform(
    action: { title: string; undo?: PanelAction },
    folder: { workspace?: string },
    inputs: readonly PanelInput[],
    given: object,
    work: (said: Record<string, string>) => Thenable<unknown>,
    answered = nothing,
  ): Promise<void> {
    const open = inputs.filter(({ param }) => !(param in given));
    const said: Record<string, string> = {};
    const texts = open.filter(({ kind }) => kind === "text");
    const isWritten = ({ param, value = "" }: PanelInput) => (said[param] ?? value) !== value;
    for (;;) {
      const saidAll = await this.ask(open, said).finally(() => this.entry.end());
      const settled = answered();
      if (!saidAll && !texts.some(isWritten)) {
        return settled; // cancelled
      }
      const perform = async () => {
        const attempt = () => this.attempt(action, () => work(said));
        const isQuick = inputs.length === 0 && Object.keys(given).length === 0;
        const tried = await (isQuick ? this.take(action, attempt) : attempt());
        if (tried.undo !== undefined) {
          const again = () => this.attempt(action, () => work(said), "Done again");
          this.note({ title: action.title, steps: [{ undo: tried.undo, again }], folder });
        }
        return tried;
      };
      const { failure } = saidAll
        ? await this.unpaused(action, folder, () => this.begin(perform))
        : notHandedOver;
      await settled;
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

  /** Attempts an action that asks for nothing, once: its row stays until the panel has changed. */
  private async take(action: object, attempt: () => Promise<Attempt>): Promise<Attempt> {
    if (this.taken.has(action)) {
      return {};
    }
    this.taken.add(action);
    const tried = await attempt();
    if (tried.undo === undefined) {
      this.taken.delete(action);
    }
    return tried;
  }

  /** Attempts something. While recording is paused it offers to resume it, and attempts it again. */
  private async unpaused(
    action: { title: string },
    folder: { workspace?: string },
    attempt: () => Promise<Attempt>,
  ): Promise<Attempt> {
    const first = await attempt();
    if (first.failure?.paused !== true || (await complain(action, first.failure.why, resume)) !== resume) {
      return first;
    }
    await this.server.request("wm/pause", { ...folder, resume: true });
    return attempt();
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
      const reason = answered ? (error.data as Refusal | undefined)?.reason : undefined;
      const why = reasonOf(error);
      return { failure: { why, answered, gone: reason === "notFound", paused: reason === "paused" } };
    }
    if (outcome.status === "rejected") {
      return {
        failure: {
          why: `rejected, ${line(outcome.message) || line(outcome.reason) || "without a reason"}`,
          answered: true,
          paused: outcome.reason === "paused",
        },
      };
    }
    if (typeof outcome.markdown === "string") {
      this.detail.show({ title: action.title, markdown: outcome.markdown });
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
    void vscode.commands.executeCommand("setContext", "workingMemory.canRedo", this.redos.length > 0);
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

  /**
   * Attempts something that is noted at its end. An undo that comes meanwhile waits for it, and takes it back. If it
   * was refused there is nothing to take back.
   */
  private begin(attempt: () => Promise<Attempt>): Promise<Attempt> {
    const done = attempt();
    const isRefused = done.then(
      ({ failure }) => failure !== undefined,
      () => true,
    );
    this.follow(Promise.all([this.begun, isRefused]).then(([, refused]) => refused));
    return done;
  }

  /** Undoes the last action. Calls run one after the other, including repeated ones. */
  undo(): Promise<void> {
    return this.inTurn(() => this.undoLast());
  }

  /** Does again what was undone last. */
  redo(): Promise<void> {
    return this.inTurn(() => this.redoLast());
  }

  /** Does something when what has begun is done, unless the last action of that was refused. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.begun.then((wasRefused) => (wasRefused ? undefined : work()));
    this.follow(
      turn.then(
        () => false,
        () => false,
      ),
    );
    return turn;
  }

  /** Makes what comes next wait for something, as long as that is under way. */
  private follow(begun: Promise<boolean>): void {
    this.begun = begun;
    void begun.then(() => {
      if (this.begun === begun) {
        this.begun = nothingBegun;
      }
    });
  }

  private async undoLast(): Promise<void> {
    const last = this.undos.pop();
    this.offerUndo();
    if (last === undefined) {
      throw new Hint("There is nothing to undo");
    }
    this.taken = new WeakSet();
    const attempt = async ({ undo }: Step): Promise<Attempt> => {
      const work = () => this.call(undo, last.folder);
      const { failure } = await this.attempt({ title: last.title }, work, "Undone");
      return failure === undefined ? {} : { failure }; // to undo it is to do it again
    };
    const { done, left } = await this.each(`Undo ${last.title}`, last.steps.toReversed(), attempt);
    keep(this.redos, last, done.toReversed());
    keep(this.undos, last, left.toReversed());
    this.offerUndo();
  }

  private async redoLast(): Promise<void> {
    const last = this.redos.pop();
    if (last === undefined) {
      throw new Hint("There is nothing to redo");
    }
    const { done, left } = await this.each(`Redo ${last.title}`, last.steps, ({ again }) => again());
    keep(this.undos, last, done);
    keep(this.redos, last, left);
    this.offerUndo();
  }

  /**
   * Attempts steps one after the other, until one fails. Those whose target no longer exists are passed over, and
   * the person is told so. Returns the steps that are done, and those that are left and can be attempted again.
   */
  private async each(
    title: string,
    steps: readonly Step[],
    attempt: (step: Step) => Promise<Attempt>,
  ): Promise<{ done: Step[]; left: Step[] }> {
    const done: Step[] = [];
    let gone = 0;
    for (const [i, step] of steps.entries()) {
      const { undo, failure } = await attempt(step);
      if (failure === undefined) {
        done.push(undo === undefined ? step : { ...step, undo });
      } else if (failure.gone === true) {
        gone++;
      } else {
        void complain({ title }, failure.why);
        return { done, left: steps.slice(i) };
      }
    }
    if (gone > 0) {
      const what = steps.length === 1 ? "it no longer exists" : `${gone} of ${steps.length} no longer exist`;
      void complain({ title }, what);
    }
    return { done, left: [] };
  }

  /**
   * Asks for each input, starting from earlier values; reports whether all were answered. Texts in a tab come last:
   * when a tab is closed, the one behind it gets the focus once it has loaded, and would take it from a question.
   */
  private async ask(inputs: readonly PanelInput[], said: Record<string, string>): Promise<boolean> {
    const questions = inputs.map((input) => {
      const value = said[input.param] ?? input.value;
      return { ...input, ...(value !== undefined && { value }) };
    });
    const place = (input: PanelInput) => (input.kind === "choice" ? 1 : isForTab(input) ? 2 : 0);
    const inOrder: Question[] = questions.toSorted((a, b) => place(a) - place(b));
    for (const question of inOrder) {
      const answer = await (question.kind === "choice" ? choose(question) : this.entry.ask(question));
      if (answer === undefined) {
        delete said[question.param];
        return false;
      }
      said[question.param] = answer.text;
      if (answer.continues === true) {
        inOrder.push({ ...question, value: answer.text, inTab: true });
      } else if (!answer.handedOver) {
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

/** Adds steps of what was done to a list, if there are any. */
function keep(list: Done[], of: Done, steps: Step[]): void {
  if (steps.length > 0) {
    list.push({ ...of, steps });
  }
}

/** Reports whether an action calls a wm/* method. No other method that a server names is called. */
function isOwn({ method }: PanelAction): boolean {
  return /^wm\/[A-Za-z/]+$/.test(method);
}

/** Reports whether an action is for one item at a time, because it asks for something or shows a page. */
export function isForOne({ method, params, inputs = [] }: PanelAction): boolean {
  return inputs.length > 0 || isSource({ method, params: params ?? {} });
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

/** A precondition that is not met. It is not an error and is shown unobtrusively. */
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
