// Gives VS Code's own agent the tools of the memory, if the user agrees.
import * as vscode from "vscode";
import type { Server, State } from "./server";

/** The id of the provider in the manifest. */
const provider = "workingMemory.mcp";

const allow = "Allow";
const never = "Never";

/** The program that serves the tools. */
type Program = Pick<State & { kind: "running" }, "program" | "version">;

export class AgentTools implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** The program that ran last; it stays while the server is restarted. */
  private latest: Program | undefined;
  /** The question, while it is not answered. */
  private question: Promise<boolean> | undefined;
  private readonly parts: vscode.Disposable;

  constructor(private readonly server: Server) {
    const again = () => this.changed.fire();
    this.parts = vscode.Disposable.from(
      this.changed,
      server.onDidChangeState((state) => this.note(state)),
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("workingMemory.agent.tools")) {
          again();
        }
      }),
      vscode.lm.registerMcpServerDefinitionProvider(provider, {
        onDidChangeMcpServerDefinitions: this.changed.event,
        provideMcpServerDefinitions: () => this.definitions(),
        resolveMcpServerDefinition: async (definition) => ((await this.isAllowed()) ? definition : undefined),
      }),
    );
  }

  private note(state: State): void {
    if (state.kind !== "running") {
      return;
    }
    const isSame = state.program === this.latest?.program && state.version === this.latest.version;
    this.latest = state;
    if (!isSame) {
      this.changed.fire();
    }
  }

  private definitions(): vscode.McpServerDefinition[] {
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
    const { latest } = this;
    if (folder === undefined || latest === undefined || !vscode.workspace.isTrusted || consent() === "off") {
      return [];
    }
    const { program, version } = latest;
    const definition = new vscode.McpStdioServerDefinition("wm", program, ["mcp"], {}, version);
    definition.cwd = folder.uri;
    return [definition];
  }

  /** Reports whether the agent may use the memory. Asks the user if that is not set. */
  private async isAllowed(): Promise<boolean> {
    if (consent() !== "ask") {
      return consent() === "on";
    }
    this.question ??= this.ask().finally(() => {
      this.question = undefined;
    });
    return this.question;
  }

  private async ask(): Promise<boolean> {
    const answer = await vscode.window.showInformationMessage(
      "May VS Code's agent use the working memory? It can then read what is remembered of this workspace and change it.",
      allow,
      never,
    );
    if (answer !== undefined) {
      const settings = vscode.workspace.getConfiguration("workingMemory");
      const value = answer === allow ? "on" : "off";
      await settings.update("agent.tools", value, vscode.ConfigurationTarget.Global);
      this.server.log.info(`VS Code's agent: ${value}`);
    }
    return answer === allow;
  }

  dispose(): void {
    this.parts.dispose();
  }
}

/** The setting: "ask", "on" or "off". */
function consent(): string {
  return vscode.workspace.getConfiguration("workingMemory").get<string>("agent.tools", "ask");
}
