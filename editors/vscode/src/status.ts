// The status bar item: whether memory is recorded, how full the agent's context is, and a menu.
import * as vscode from "vscode";
import type { Folders } from "./folders";
import { Once } from "./once";
import type { PanelModel } from "./panel";
import type { Server } from "./server";
import { clock, plain, sparkline } from "./text";

/** The longest delay of a timer; longer ones fire at once. */
const maxTimerMillis = 2 ** 31 - 1;

/** The backgrounds of the levels of an agent's context that need attention. */
const levels: Readonly<Record<string, vscode.ThemeColor>> = {
  high: new vscode.ThemeColor("statusBarItem.warningBackground"),
  critical: new vscode.ThemeColor("statusBarItem.errorBackground"),
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "workingMemory.status",
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly once = new Once(() => this.ask());
  private readonly subscriptions: vscode.Disposable[];
  private readonly pauseEmitter = new vscode.EventEmitter<void>();
  private pausedUntil: string | undefined;
  private resumes: NodeJS.Timeout | undefined;
  private painted = "";

  /** Fires when recording is paused or resumed. */
  readonly onDidChangePause = this.pauseEmitter.event;

  constructor(
    private readonly server: Server,
    private readonly folders: Folders,
    private readonly model: PanelModel,
  ) {
    this.item.name = "Working Memory";
    this.item.command = "workingMemory.menu";
    this.subscriptions = [
      this.item,
      server.onDidChangeState(() => this.refresh()),
      server.onDidChangeSilence(() => this.paint()),
      server.onDidChange((changed) => {
        if (changed.sections.includes("sessions")) {
          this.refresh();
        }
      }),
      model.onDidChange(() => this.paint()),
      folders.onDidChange(() => this.refresh()),
    ];
    this.paint();
    this.item.show();
  }

  /** Reports whether recording is paused. */
  get paused(): boolean {
    return this.pausedUntil !== undefined;
  }

  /** The end of the pause as a sentence; empty while recording. */
  get pauseNotice(): string {
    if (this.pausedUntil === undefined) {
      return "";
    }
    return `Recording is paused until ${clock(this.pausedUntil)}`;
  }

  /** Asks the server whether recording is paused. */
  refresh(): void {
    this.paint();
    if (this.server.state.kind === "running") {
      this.once.call();
    }
  }

  private async ask(): Promise<void> {
    try {
      const { pausedUntil } = await this.server.request("wm/status", this.folders.params);
      const changed = pausedUntil !== this.pausedUntil;
      this.pausedUntil = pausedUntil;
      if (changed) {
        this.pauseEmitter.fire();
      }
      clearTimeout(this.resumes);
      if (pausedUntil !== undefined) {
        // The server does not report the end of a pause. A pause may be longer than a timer can wait.
        const left = Date.parse(pausedUntil) - Date.now() || 0;
        this.resumes = setTimeout(() => this.refresh(), Math.min(Math.max(left + 500, 500), maxTimerMillis));
      }
    } catch (error) {
      this.server.log.warn(`wm/status: ${String(error)}`);
    }
    this.paint();
  }

  private paint(): void {
    const { state, problem } = this.server;
    const { text, tooltip, level = "" } = this.look();
    const painted = JSON.stringify([state.kind, this.paused, text, tooltip, level]);
    if (painted === this.painted) {
      return; // each assignment below is sent to the window even if nothing changed
    }
    this.painted = painted;
    void vscode.commands.executeCommand("setContext", "workingMemory.state", state.kind);
    void vscode.commands.executeCommand("setContext", "workingMemory.paused", this.paused);
    this.item.backgroundColor = problem === "" ? levels[level] : levels.high;
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: tooltip, role: "button" };
  }

  private look(): { text: string; tooltip: string; level?: string } {
    const { state, problem } = this.server;
    if (problem !== "") {
      return { text: "$(warning) Memory", tooltip: problem };
    }
    if (state.kind !== "running") {
      return { text: "$(database)", tooltip: "Working Memory: the server is starting" };
    }
    if (this.folders.current === undefined) {
      return { text: "$(database)", tooltip: "Working Memory: no folder is open" };
    }
    if (this.paused) {
      return { text: "$(debug-pause) Memory paused", tooltip: this.pauseNotice };
    }
    const pressure = this.model.panel?.pressure;
    if (pressure === undefined) {
      return { text: "$(database)", tooltip: "Working Memory is recording" };
    }
    const full = `${Math.floor(pressure.percentage)} %`;
    const advice = plain(pressure.advice);
    const curve = sparkline(pressure.history.map(({ percentage }) => percentage));
    return {
      text: ["$(database)", curve, full].filter((part) => part !== "").join(" "),
      tooltip:
        `Working Memory is recording; the agent's context is ${full} full (${plain(pressure.level)})` +
        (advice === "" ? "" : `. Advice: ${advice}`),
      level: pressure.level,
    };
  }

  dispose(): void {
    clearTimeout(this.resumes);
    vscode.Disposable.from(...this.subscriptions, this.pauseEmitter).dispose();
  }
}
