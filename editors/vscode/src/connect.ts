// Connects the agents that are installed on this machine.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { Hint } from "./actions";
import type { Folders } from "./folders";
import type { Server } from "./server";
import { line, plain } from "./text";

/** The type of the task that connects an agent. */
const taskType = "wm-lsp";

/** What `wm-lsp agents --json` says of an agent. */
interface Agent {
  name: string;
  title: string;
  program?: string;
  folder?: string;
  /** The places in its settings that have the memory. */
  installed: string[];
}

/** Returns the agents that are on this machine, as the server's program finds them. */
async function agents(program: string, cwd: string): Promise<Agent[]> {
  const options = { cwd, timeout: 20_000, windowsHide: true };
  const { stdout } = await promisify(execFile)(program, ["agents", "--json"], options);
  const { agents: all } = JSON.parse(stdout) as { agents: Agent[] };
  return all.filter(({ program, folder, installed }) => program || folder || installed.length > 0);
}

function isConnected({ installed }: Agent): boolean {
  return installed.length > 0;
}

export class Connect implements vscode.Disposable {
  private readonly askedEmitter = new vscode.EventEmitter<void>();
  private readonly ending: vscode.Disposable;

  /** Fires when the program that connects an agent has ended. */
  readonly onDidAsk = this.askedEmitter.event;

  constructor(
    private readonly server: Server,
    private readonly folders: Folders,
  ) {
    this.ending = vscode.tasks.onDidEndTaskProcess(({ execution }) => {
      if (execution.task.definition.type === taskType) {
        this.askedEmitter.fire();
      }
    });
  }

  /** Lets the user choose an agent. The program shows in a terminal what it changes, and asks. */
  async ask(): Promise<void> {
    const { state } = this.server;
    const folder = this.folders.current;
    if (state.kind !== "running" || folder === undefined) {
      throw new Hint(folder === undefined ? "Open a folder first" : "The server is not running");
    }
    const choices = (await agents(state.program, folder.uri.fsPath)).map((agent) => ({
      label: plain(agent.title),
      description: isConnected(agent) ? "connected" : "",
      name: agent.name,
    }));
    if (choices.length === 0) {
      throw new Hint("No agent that wm-lsp knows is installed on this machine");
    }
    const placeHolder = "Which agent is to use the memory?";
    const picked = await vscode.window.showQuickPick(choices, { placeHolder });
    if (picked !== undefined) {
      const { program } = state;
      const task = new vscode.Task(
        { type: taskType },
        folder,
        `Connect ${picked.label}`,
        "Working Memory",
        new vscode.ProcessExecution(program, ["install", picked.name], { cwd: folder.uri.fsPath }),
      );
      // The terminal of a task stays when its program has ended, so that what it says can be read.
      task.presentationOptions = { focus: true, panel: vscode.TaskPanelKind.Dedicated };
      await vscode.tasks.executeTask(task);
    }
  }

  /** Reports whether an agent is connected; false if that cannot be found out. */
  async isAnyConnected(): Promise<boolean> {
    const { state } = this.server;
    const cwd = this.folders.current?.uri.fsPath;
    if (state.kind !== "running" || cwd === undefined) {
      return false;
    }
    try {
      return (await agents(state.program, cwd)).some(isConnected);
    } catch (error) {
      this.server.log.warn(`wm-lsp agents: ${line(String(error), 200)}`);
      return false;
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.ending, this.askedEmitter).dispose();
  }
}
