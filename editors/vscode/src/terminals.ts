// Reports the commands that a person runs in the terminal, so that their errors open and close, and runs the
// command that showed an error again.
import * as vscode from "vscode";
import { Hint } from "./actions";
import type { Server } from "./server";
import type { Status } from "./status";
import { line, lines } from "./text";
import type { TerminalCommand } from "./wire";

/** How much of an output is kept: its end, in UTF-16 units. */
const maxOutput = 1024 * 1024;

/** How long a new terminal may take until it reports its commands, unless the setting of the editor says it. */
const integrationMillis = 5000;
const integrationSetting = "terminal.integrated.shellIntegration.timeout";

/**
 * A command that was run here, in its directory. Its output is read before it starts: where the extensions run
 * on another machine, VS Code loses the output of a command that ends within 50 ms of its start.
 */
interface OwnCommand {
  cwd: vscode.Uri;
  output: Promise<string>;
}

/** The directory of a command, and the folder of the workspace that has it. */
interface Place {
  cwd: vscode.Uri;
  folder: vscode.WorkspaceFolder;
}

export class Terminals implements vscode.Disposable {
  /** The outputs of the commands that run, as far as they were read. */
  private readonly running = new Map<vscode.TerminalShellExecution, Promise<string>>();
  /** The commands that were run here, which are reported whatever the setting is. */
  private readonly own = new WeakMap<vscode.TerminalShellExecution, OwnCommand>();
  /** The terminals that were opened here, and all that run a command. */
  private readonly opened = new Set<vscode.Terminal>();
  private readonly busy = new Set<vscode.Terminal>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly status: Status,
  ) {
    this.subscriptions = [
      vscode.window.onDidStartTerminalShellExecution((event) => this.begin(event)),
      vscode.window.onDidEndTerminalShellExecution((event) => this.end(event)),
      vscode.window.onDidCloseTerminal((terminal) => {
        this.opened.delete(terminal);
        this.busy.delete(terminal);
      }),
    ];
  }

  private begin({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    this.busy.add(terminal);
    const own = this.own.get(execution);
    const wanted = own !== undefined || isWanted();
    if (wanted && !this.status.paused && this.placeOf(execution) !== undefined) {
      this.running.set(execution, own?.output ?? readAll(execution));
    }
  }

  private async end(event: vscode.TerminalShellExecutionEndEvent): Promise<void> {
    const { terminal, execution, exitCode } = event;
    this.busy.delete(terminal);
    const reading = this.running.get(execution);
    this.running.delete(execution);
    const place = this.placeOf(execution);
    const output = await reading;
    // Without an exit code nothing is known of what the command proves.
    if (output === undefined || place === undefined || exitCode === undefined || this.status.paused) {
      return;
    }
    // What VS Code did not read cannot say which errors are open.
    if (exitCode !== 0 && output.trim() === "") {
      return;
    }
    this.server.notify("wm/tool/executed", {
      workspace: place.folder.uri.toString(),
      tool: "terminal",
      terminal: true,
      input: { command: execution.commandLine.value },
      output,
      exitCode,
      cwd: place.cwd.fsPath,
    });
  }

  /** Runs a command in a terminal if the person agrees: an agent may have written it. */
  async run({ command, cwd }: TerminalCommand): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw new Hint("Nothing is run in a folder that is not trusted");
    }
    const detail = `${lines(command)}\n\nin ${line(cwd)}`;
    const question = "Run this command in the terminal?";
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, "Run")) !== "Run") {
      return;
    }
    const terminal = this.idle(cwd) ?? vscode.window.createTerminal({ name: "Working Memory", cwd });
    this.opened.add(terminal);
    terminal.show(true);
    const integration = await integrationOf(terminal);
    if (integration === undefined) {
      terminal.sendText(command);
      throw new Hint("This terminal does not report what its commands return");
    }
    const execution = integration.executeCommand(command);
    this.own.set(execution, { cwd: vscode.Uri.file(cwd), output: readAll(execution) });
  }

  /** Returns a terminal that was opened here, is in the folder and runs nothing. */
  private idle(cwd: string): vscode.Terminal | undefined {
    return [...this.opened].find(
      (terminal) => !this.busy.has(terminal) && terminal.shellIntegration?.cwd?.fsPath === cwd,
    );
  }

  /**
   * Where a command runs, if its line is known for certain and it runs in a folder of the workspace. A terminal
   * that was just opened does not know its directory yet.
   */
  private placeOf(execution: vscode.TerminalShellExecution): Place | undefined {
    const { commandLine, cwd = this.own.get(execution)?.cwd } = execution;
    const isKnown = commandLine.confidence !== vscode.TerminalShellExecutionCommandLineConfidence.Low;
    const folder = cwd === undefined || !isKnown ? undefined : vscode.workspace.getWorkspaceFolder(cwd);
    return cwd === undefined || folder === undefined ? undefined : { cwd, folder };
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}

function isWanted(): boolean {
  return vscode.workspace.getConfiguration("workingMemory").get<boolean>("terminals", true);
}

/** How long a terminal is waited for, in ms: as long as the editor itself waits, on a slow machine. */
function patience(): number {
  const millis = vscode.workspace.getConfiguration().get<number>(integrationSetting, -1);
  return millis < 0 ? integrationMillis : millis;
}

/** Reads the output of a command until it ends. */
async function readAll(execution: vscode.TerminalShellExecution): Promise<string> {
  let output = "";
  for await (const data of execution.read()) {
    output += data;
    if (output.length > 2 * maxOutput) {
      output = output.slice(-maxOutput);
    }
  }
  return output.slice(-maxOutput);
}

/** Waits until a terminal reports its commands; returns nothing if its shell does not. */
function integrationOf(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration !== undefined) {
    return Promise.resolve(terminal.shellIntegration);
  }
  return new Promise((resolve) => {
    const done = (integration?: vscode.TerminalShellIntegration) => {
      clearTimeout(timer);
      changes.dispose();
      resolve(integration);
    };
    const timer = setTimeout(done, patience());
    const changes = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) {
        done(event.shellIntegration);
      }
    });
  });
}
