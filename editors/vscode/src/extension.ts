// Draws what the server describes and reports what happens in the editor. The server alone decides what is
// remembered, and what it means.
import * as vscode from "vscode";
import { Actions } from "./actions";
import { AgentTools } from "./agent";
import { Badge } from "./badge";
import { namedActions, registerCommands } from "./commands";
import { Connect } from "./connect";
import { ContextView } from "./context";
import { DetailView } from "./detail";
import { Diagnostics } from "./diagnostics";
import { Documents } from "./documents";
import { TextEntry } from "./entry";
import { Folders } from "./folders";
import { Folds } from "./folds";
import { PanelModel } from "./panel";
import { Rows } from "./rows";
import { Server } from "./server";
import { Sessions } from "./sessions";
import { Status } from "./status";
import { Terminals } from "./terminals";
import { Tree } from "./tree";
import { Walkthrough } from "./walkthrough";

/** What the tests use of the extension. */
export interface Api {
  server: Server;
  model: PanelModel;
  tree: Tree;
  badge: Badge;
  status: Status;
}

/** The commands of the manifest with their titles. */
function titlesOf(extension: vscode.Extension<unknown>): Map<string, string> {
  const commands: { command: string; title: string }[] = extension.packageJSON.contributes.commands;
  return new Map(commands.map(({ command, title }) => [command, title]));
}

export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel("Working Memory", { log: true });
  const titles = titlesOf(context.extension);
  const server = new Server(context, log);
  const folders = new Folders();
  const sessions = new Sessions(server, folders);
  const model = new PanelModel(server, sessions);
  const status = new Status(server, folders, model);
  const rows = new Rows(new Set(namedActions(titles)));
  const folds = new Folds(context.workspaceState);
  const tree = new Tree(context.extensionUri, model, server, folders, sessions, status, rows, folds);
  const badge = new Badge(model, folders);
  const documents = new Documents(server, sessions);
  const entry = new TextEntry();
  const terminals = new Terminals(server, status);
  const detail = new DetailView(context.extensionUri, server, sessions);
  const actions = new Actions(server, folders, model, entry, detail, terminals);
  const view = new ContextView(context.extensionUri, server, sessions);
  const diagnostics = new Diagnostics(server);
  const tools = new AgentTools(server);
  const connect = new Connect(server, folders);
  const walkthrough = new Walkthrough(server, model, connect, sessions);
  const commands = registerCommands(
    { server, folders, sessions, model, tree, actions, connect, detail, documents, status },
    titles,
  );
  context.subscriptions.push(
    log,
    server,
    folders,
    sessions,
    model,
    tree,
    badge,
    documents,
    detail,
    entry,
    terminals,
    actions,
    status,
    view,
    diagnostics,
    tools,
    connect,
    walkthrough,
    commands,
  );
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("workingMemory.server")) {
        void server.restartIfOutdated();
      } else if (event.affectsConfiguration("workingMemory")) {
        server.reconfigure();
      }
    }),
  );
  void vscode.commands.executeCommand("setContext", "workingMemory.active", true);
  void server.start();
  return { server, model, tree, badge, status };
}
