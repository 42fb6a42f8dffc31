// The panel of the server, kept up to date.
import * as vscode from "vscode";
import { isPanel } from "./nodes";
import { Once } from "./once";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import type { Panel, PanelParams } from "./wire";

export class PanelModel implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly once = new Once(() => this.ask());
  private unreadable = false;
  private shown: Panel | undefined;
  /** The last request, and the server's version of the result. */
  private known: { seq: number; of: string } | undefined;

  /** Fires when the panel changed or is gone. */
  readonly onDidChange = this.emitter.event;

  constructor(
    private readonly server: Server,
    private readonly sessions: Sessions,
  ) {
    this.subscriptions = [
      server.onDidChange(() => this.refresh()),
      server.onDidChangeState((state) => {
        this.known = undefined;
        this.unreadable = false;
        if (state.kind === "failed") {
          this.shown = undefined; // keep it while a new server starts
        }
        this.emitter.fire();
        this.refresh();
      }),
      sessions.onDidChange(() => this.refresh()),
    ];
  }

  /** The panel of the folder that is shown, once the server has responded. */
  get panel(): Panel | undefined {
    return this.shown;
  }

  /** The problem of the panel as a sentence; empty if there is none. */
  get problem(): string {
    return this.unreadable ? "The server sent an invalid panel. Update it and this extension together." : "";
  }

  /** Asks the server whether the panel has changed. */
  refresh(): void {
    if (this.server.state.kind === "running") {
      this.once.call();
    }
  }

  private async ask(): Promise<void> {
    const params: PanelParams = this.sessions.params;
    const of = JSON.stringify(params);
    if (this.known?.of === of) {
      params.ifSeq = this.known.seq;
    }
    try {
      const answer = await this.server.request("wm/panel", params);
      if (answer?.unchanged === true) {
        return;
      }
      const readable = isPanel(answer);
      this.unreadable = !readable;
      if (readable) {
        const { sections, pressure, badge, hint, seq } = answer;
        this.shown = { sections, badge: badge ?? 0, ...(pressure && { pressure }), ...(hint && { hint }) };
        this.known = { seq, of };
      }
      this.emitter.fire();
    } catch (error) {
      this.server.log.warn(`wm/panel: ${String(error)}`);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, this.emitter).dispose();
  }
}
