// The session that is shown. Core memory, working memory, notes and context belong to a session. By default
// it is the active one.
import * as vscode from "vscode";
import type { Folders } from "./folders";
import type { Server } from "./server";
import { clock, line, plain } from "./text";
import type { Session } from "./wire";

export class Sessions implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private chosen: string | undefined;

  /** Fires when another session is shown, or that of another folder. */
  readonly onDidChange = this.emitter.event;

  constructor(
    private readonly server: Server,
    private readonly folders: Folders,
  ) {
    this.subscriptions = [
      folders.onDidChange(() => {
        this.chosen = undefined;
        this.emitter.fire();
      }),
      server.onDidChange((changed) => {
        if (this.chosen !== undefined && changed.sections.includes("sessions")) {
          this.list().catch((error) => server.log.warn(`wm/session/list: ${String(error)}`));
        }
      }),
    ];
  }

  /** The params of a request about the session that is shown; without a choice the server picks it. */
  get params(): { workspace?: string; sessionId?: string } {
    return { ...this.folders.params, ...(this.chosen !== undefined && { sessionId: this.chosen }) };
  }

  /** Shows the memory of a session, by default that of the active one. */
  choose(id: string | undefined): void {
    if (id !== this.chosen) {
      this.chosen = id;
      this.emitter.fire();
    }
  }

  /** Returns the open sessions, the one that is shown first. A choice ends with its session. */
  async list(): Promise<Session[]> {
    const { sessions, shown } = await this.server.request("wm/session/list", this.folders.params);
    const live = sessions.filter((session) => session.live);
    if (!live.some(({ sessionId }) => sessionId === this.chosen)) {
      this.choose(undefined);
    }
    const first = this.chosen ?? shown;
    return live.sort((a, b) => Number(b.sessionId === first) - Number(a.sessionId === first));
  }

  /** Lets the user choose a session. */
  async ask(): Promise<void> {
    const works = { label: "Automatic: the latest active", id: undefined };
    const live = (await this.list()).map((session) => ({
      label: plain(nameOf(session)),
      description: since(session),
      id: session.sessionId,
    }));
    const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { id: string | undefined }>(
      [works, ...live],
      { placeHolder: "Whose memory to show?" },
    );
    if (picked !== undefined) {
      this.choose(picked.id);
      await this.list(); // it may have ended meanwhile
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions, this.emitter).dispose();
  }
}

/** To the second, because agents may be started together. */
function since(session: Session): string {
  return `since ${clock(session.startedAt, "medium")}`;
}

function nameOf(session: Session): string {
  return session.title || session.agent || session.sessionId;
}

/** Returns distinct labels for sessions; those with equal names include their start. */
export function namesOf(sessions: readonly Session[]): string[] {
  const names = sessions.map((session) => line(nameOf(session), 60));
  return sessions.map((session, i) => {
    const name = names[i] ?? "";
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}, ${since(session)}`;
  });
}
