// Ticks the steps of the walkthrough by what has happened.
import * as vscode from "vscode";
import type { Connect } from "./connect";
import type { PanelModel } from "./panel";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import { line } from "./text";

/** The id of the walkthrough of the manifest. */
export const walkthroughId = "wm-lsp.wm-lsp#start";

/** The context keys that the steps of the manifest test; their value is the name of what has happened. */
const keys = ["workingMemory.done", "workingMemory.doneAgain"];

/**
 * VS Code reads a walkthrough when the person opens it, and ignores what it finds true by then for good. So a key has
 * a value for a moment only: when something happens, and when one of the editor's own pages comes to view. And there
 * are two keys, told one after the other: the moment in which the walkthrough is read falls on one of them at most.
 */
export class Walkthrough implements vscode.Disposable {
  private readonly done = new Set<string>();
  private readonly subscriptions: vscode.Disposable[];
  private telling = Promise.resolve();

  constructor(
    private readonly server: Server,
    private readonly model: PanelModel,
    private readonly connect: Connect,
    private readonly sessions: Sessions,
  ) {
    this.subscriptions = [
      server.onDidChangeState(() => this.note()),
      model.onDidChange(() => this.note()),
      server.onDidChange(({ sections }) => {
        if (sections.includes("sessions")) {
          void this.noteAtWork();
        }
      }),
      connect.onDidAsk(() => this.noteConnected()),
      vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
        // Extensions are not told what such a tab shows.
        if ([...opened, ...changed].some(({ input }) => input === undefined)) {
          this.tell([...this.done]);
          void this.noteAtWork();
          void this.noteConnected();
        }
      }),
    ];
  }

  private note(): void {
    if (this.server.state.kind === "running") {
      this.happened("server");
    }
    const memory = this.model.panel?.sections.find(({ id }) => id === "memory");
    if ((memory?.items.length ?? 0) > 0) {
      this.happened("remembered");
    }
  }

  /**
   * Notes that an agent is at work: it has a session of its own, or a person has said something in one. An agent that
   * does not say that it is one is taken for an editor, in whose session nobody says anything.
   */
  private async noteAtWork(): Promise<void> {
    if (this.done.has("agent") || this.server.state.kind !== "running") {
      return;
    }
    try {
      if ((await this.sessions.list()).some(({ editor, turn }) => editor !== true || turn > 0)) {
        this.happened("agent");
      }
    } catch (error) {
      this.server.log.warn(`wm/session/list: ${line(String(error), 200)}`);
    }
  }

  private async noteConnected(): Promise<void> {
    if (!this.done.has("agent") && (await this.connect.isAnyConnected())) {
      this.happened("agent");
    }
  }

  private happened(what: string): void {
    if (!this.done.has(what)) {
      this.done.add(what);
      this.tell([what]);
    }
  }

  private tell(names: readonly string[]): void {
    this.telling = this.telling.then(async () => {
      for (const key of keys) {
        for (const value of [...names, undefined]) {
          await vscode.commands.executeCommand("setContext", key, value);
        }
      }
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}
