// The commands of the palette, the menus and the keyboard.
import * as vscode from "vscode";
import { type Actions, complain, Hint, isForOne, reasonOf, type Task } from "./actions";
import type { Connect } from "./connect";
import { preview } from "./context";
import type { DetailView } from "./detail";
import type { Documents } from "./documents";
import type { Folders } from "./folders";
import { actionsOf, type EmptyNode, type Node, repairs } from "./nodes";
import type { PanelModel } from "./panel";
import { remember, rememberError, rememberSelection, runCommand } from "./remember";
import { doctor } from "./report";
import { asking } from "./rows";
import { search } from "./search";
import type { Server } from "./server";
import type { Sessions } from "./sessions";
import type { Status } from "./status";
import { line, plain, slug } from "./text";
import type { Target, Tree } from "./tree";
import { walkthroughId } from "./walkthrough";
import type { NotesListResult, PanelAction, PanelLocation } from "./wire";

/** What the commands use. */
export interface Parts {
  server: Server;
  folders: Folders;
  sessions: Sessions;
  model: PanelModel;
  tree: Tree;
  actions: Actions;
  connect: Connect;
  detail: DetailView;
  documents: Documents;
  status: Status;
}

const prefix = "workingMemory.item.";

/** The names of the actions that the manifest has in its menus. */
export function namedActions(titles: ReadonlyMap<string, string>): string[] {
  return [...titles.keys()]
    .filter((command) => command.startsWith(prefix) && command !== `${prefix}others`)
    .map((command) => command.slice(prefix.length));
}

/** Registers the commands; their titles come from the manifest. */
export function registerCommands(parts: Parts, titles: ReadonlyMap<string, string>): vscode.Disposable {
  const { server, tree, actions, model } = parts;
  const commands: Record<string, (...args: never[]) => unknown> = {
    open: (at: Target) => open(parts, tree.find(at), true),
    enter: (at: Target) => open(parts, tree.find(at), false),
    act: (at: Target, title: string) => runNamed(parts, at, slug(title)),
    read: (at?: Target) => read(parts, at),
    openPanel: () => tree.focus(),
    showCurve: () => vscode.commands.executeCommand("workingMemory.context.focus"),
    actions: (at?: Target) => chooseAction(parts, at),
    "item.others": (at?: Target) => chooseAction(parts, at),
    delete: (at?: Target) => runKey(parts, at, "d"),
    edit: (at?: Target) => runKey(parts, at, "e"),
    copy: (at?: Target) => copy(tree, at),
    collapseAll: () => tree.collapse(),
    undo: () => actions.undo(),
    redo: () => actions.redo(),
    connectAgent: () => parts.connect.ask(),
    refresh: () => model.refresh(),
    filter: () => filter(tree),
    clearFilter: () => setFilter(tree, ""),
    remember: () => remember(parts, {}),
    rememberSelection: () => rememberSelection(parts),
    rememberError: () => rememberError(parts),
    search: () => goToMemory(parts),
    showTrace: () => chooseTrace(parts),
    showContext: () => showContext(parts),
    chooseSession: () => parts.sessions.ask(),
    openOverview: () => openOverview(parts),
    archiveNote: () => archiveNote(parts),
    doctor: () => examine(parts),
    pause: () => pause(parts, {}),
    resume: () => pause(parts, { resume: true }),
    menu: () => menu(parts),
    restart: () => server.restart(),
    showLog: () => server.log.show(),
    setPath: () => openSetting("workingMemory.server.path"),
  };
  for (const name of namedActions(titles)) {
    commands[`item.${name}`] = (at?: Target) => runNamed(parts, at, name);
  }
  server.executeCommand = (name, args, run) => runCommand(parts, name, args, run);
  const links = parts.detail.onDidFollow(guarded(server, "Open", (target: string) => follow(parts, target)));
  const chosen = parts.detail.onDidChoose(
    guarded(server, "Action", ({ action, what }: Task) => actions.run(action, {}, what)),
  );
  const registrations = Object.entries(commands).map(([name, run]) => {
    const command = `workingMemory.${name}`;
    return vscode.commands.registerCommand(command, guarded(server, titles.get(command) ?? name, run));
  });
  return vscode.Disposable.from(links, chosen, ...registrations);
}

/** Wraps a command so that it shows errors, with a next step if the server is the cause. */
function guarded(
  server: Server,
  title: string,
  run: (...args: never[]) => unknown,
): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    try {
      await run(...(args as never[]));
    } catch (error) {
      if (error instanceof Hint) {
        vscode.window.setStatusBarMessage(plain(error.message), 8000);
      } else {
        const restart = server.problem === "" ? [] : ["Restart the Server"];
        void complain({ title }, reasonOf(error), ...restart).then((picked) =>
          picked === undefined ? undefined : server.restart(),
        );
      }
    }
  };
}

async function runNamed(parts: Parts, at: Target | undefined, name: string): Promise<void> {
  await runTasks(
    parts,
    tasks(parts.tree.with(at), (action) => slug(action.title) === name),
  );
}

/**
 * Runs actions of rows. If they ask for something the panel has the focus again when it is answered, and not when the
 * server has done it: then the person may be doing something else.
 */
async function runTasks({ actions, tree }: Parts, chosen: readonly Task[]): Promise<void> {
  const isAsking = ({ action }: Task) => action.destructive === true || (action.inputs ?? []).length > 0;
  await (chosen.some(isAsking) ? actions.runAll(chosen, () => tree.focus()) : actions.runAll(chosen));
}

/** Returns an action of each node that has it. */
function tasks(nodes: readonly Node[], is: (action: PanelAction) => boolean): Task[] {
  return nodes.flatMap((one) => {
    const action = actionsOf(one).find(is);
    return action === undefined ? [] : [{ action, what: nameOf(one) }];
  });
}

/** Copies the names of a node and of the others that are selected with it. */
async function copy(tree: Tree, at: Target | undefined): Promise<void> {
  const names = tree.with(at).map(nameOf);
  if (names.length === 0) {
    throw new Hint("There is nothing to copy");
  }
  await vscode.env.clipboard.writeText(names.join("\n"));
  vscode.window.setStatusBarMessage(names.length === 1 ? "Copied" : `Copied ${names.length} rows`, 5000);
}

/** Runs the action with a key that the server proposes. */
async function runKey(parts: Parts, at: Target | undefined, key: string): Promise<void> {
  const chosen = tasks(parts.tree.with(at), (action) => action.key === key);
  if (chosen.length === 0) {
    throw new Hint("There are no actions here");
  }
  await runTasks(parts, chosen);
}

/** Opens a machine setting. On a remote machine the user's own settings do not have it. */
function openSetting(query: string): Thenable<unknown> {
  const settings = vscode.env.remoteName === undefined ? "openSettings" : "openRemoteSettings";
  return vscode.commands.executeCommand(`workbench.action.${settings}`, { query });
}

/** Returns the name of a node in words. */
function nameOf(node: Node | undefined): string {
  switch (node?.kind) {
    case "item":
      return node.item.label;
    case "section":
      return node.section.title;
    default:
      return "";
  }
}

/** Offers the actions of a node, of several that are selected those that can be done for all at once. */
async function chooseAction(parts: Parts, at: Target | undefined): Promise<void> {
  const { tree } = parts;
  const nodes = tree.with(at);
  const isOne = nodes.length <= 1;
  const offered = actionsOf(tree.find(at)).filter((action) => isOne || !isForOne(action));
  if (offered.length === 0) {
    throw new Hint(isOne ? "There are no actions here" : "There are no actions for several rows here");
  }
  const picked = await vscode.window.showQuickPick(
    offered.map(({ title }) => ({ label: plain(title), title })),
    { placeHolder: isOne ? "Action" : `Action on ${nodes.length} rows` },
  );
  await tree.focus();
  if (picked !== undefined) {
    await runTasks(
      parts,
      tasks(nodes, ({ title }) => title === picked.title),
    );
  }
}

/**
 * Opens the location of an item, or its details, and does what another row is for. A click keeps the focus in the
 * panel, so that its keys do not act on the file.
 */
async function open(parts: Parts, node: Node | undefined, preserveFocus: boolean): Promise<void> {
  if (node?.kind === "step") {
    await vscode.commands.executeCommand(node.command);
  } else if (node?.kind === "empty") {
    await openSentence(parts, node);
  } else if (node?.kind === "item" && node.item.location !== undefined) {
    await openLocation(node.item.location, preserveFocus);
  } else if (node?.kind === "item" && node.item.hasMarkdown === true) {
    await showItem(parts, node.item.id, { preserveFocus });
  }
}

/** Does what a sentence that stands for rows is about: asks for the first one, or says how they come. */
async function openSentence(parts: Parts, node: EmptyNode): Promise<void> {
  const action = asking(node);
  if (action !== undefined) {
    await runTasks(parts, [{ action, what: "" }]);
  } else if (parts.tree.filter !== "") {
    filter(parts.tree);
  } else {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", walkthroughId, false);
  }
}

async function openLocation(location: PanelLocation, preserveFocus: boolean): Promise<void> {
  const uri = vscode.Uri.parse(location.uri);
  if (uri.scheme !== "file") {
    throw new Error(`the location is not a file: ${line(location.uri)}`);
  }
  if (!(await isFile(uri))) {
    throw new Hint(`${uri.path.split("/").at(-1)} does not exist or is not a file`);
  }
  const { range } = location;
  const selection =
    range && new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
  await vscode.window.showTextDocument(uri, {
    preview: preserveFocus,
    preserveFocus,
    ...(selection && { selection }),
  });
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Shows the details of an item, by default that with the focus, in an editor. */
async function read(parts: Parts, at: Target | undefined): Promise<void> {
  const node = parts.tree.find(at);
  if (node?.kind !== "item") {
    throw new Hint("Select an item of the panel first");
  }
  await showItem(parts, node.item.id);
}

/** Shows the details of an item of the panel, or of what search found: by default of the session that is shown. */
async function showItem(
  { sessions, detail }: Parts,
  id: string,
  { session, preserveFocus = false }: { session?: string | undefined; preserveFocus?: boolean } = {},
): Promise<void> {
  const params = { ...sessions.params, ...(session !== undefined && { sessionId: session }), id, full: true };
  await detail.showLive({ method: "wm/panel/resolve", params }, preserveFocus);
}

/** Opens what a link in details leads to: an item of the panel, a file, or a page in the browser. */
async function follow(parts: Parts, target: string): Promise<void> {
  const uri = vscode.Uri.parse(target);
  switch (uri.scheme) {
    case "wm":
      return showItem(parts, decodeURIComponent(target.slice("wm:".length)));
    case "file":
      return openLocation({ uri: target }, false);
    case "http":
    case "https":
      await vscode.env.openExternal(uri);
  }
}

function setFilter(tree: Tree, words: string): void {
  const wasFiltered = tree.filter !== "";
  tree.filterBy(words);
  if (wasFiltered !== (words !== "")) {
    void vscode.commands.executeCommand("setContext", "workingMemory.filtered", words !== "");
  }
}

/** Filters while the user types, until they accept or choose a row. Cancelling restores the former filter. */
function filter(tree: Tree): void {
  const before = tree.filter;
  const row = tree.focusedRow;
  const box = vscode.window.createInputBox();
  box.prompt = "Show only items with these words";
  box.value = before;
  box.ignoreFocusOut = true; // otherwise rows would move under a mouse click
  let ended: "given up" | "accepted" | "row" = "given up";
  const end = (how: "accepted" | "row") => {
    ended = how;
    box.hide();
  };
  const choosing = tree.onDidChoose(() => end("row"));
  box.onDidChangeValue((words) => setFilter(tree, words));
  box.onDidAccept(() => end("accepted"));
  box.onDidHide(() => {
    setFilter(tree, ended === "given up" ? before : box.value);
    choosing.dispose();
    box.dispose();
    if (ended !== "row") {
      // A row that is chosen has the focus, or gives it to its file.
      void tree.focus(ended === "given up" && row !== "" ? row : undefined);
    }
  });
  box.show();
}

/** Searches, and goes to where the chosen hit stands: its file, its row, or else its details. */
async function goToMemory(parts: Parts): Promise<void> {
  const hit = await search(parts.server, parts.sessions.params);
  if (hit === undefined) {
    return;
  }
  const { itemId, sessionId, location } = hit.place;
  if (location !== undefined) {
    return openLocation(location, false);
  }
  const isInPanel = sessionId === undefined && (await parts.tree.goTo(itemId));
  if (!isInPanel) {
    await showItem(parts, itemId, { session: sessionId });
  }
}

/** Lets the user choose an entry, and shows its trace. */
async function chooseTrace({ server, folders, detail }: Parts): Promise<void> {
  const hit = await search(server, folders.params, ["workspace"]);
  if (hit !== undefined) {
    const params = { ...folders.params, id: hit.id };
    await detail.showLive({ method: "wm/memory/explain", params, title: "Trace" });
  }
}

async function showContext({ server, sessions, documents }: Parts): Promise<void> {
  await documents.showLive("context.txt", async () => {
    const [session] = await sessions.list();
    return (await server.request("wm/context", preview(sessions.params.workspace, session))).text ?? "";
  });
}

/** Returns the notes of the session that is shown, and the params that name it. */
async function notes({ server, sessions }: Parts): Promise<{ list: NotesListResult; params: object }> {
  const [session] = await sessions.list();
  const params = { ...sessions.params, ...(session && { sessionId: session.sessionId }) };
  return { list: await server.request("wm/notes/list", params), params };
}

async function openOverview(parts: Parts): Promise<void> {
  const { list } = await notes(parts);
  if (!list.files.some(({ path }) => path === "overview.md")) {
    throw new Hint("There is no overview yet; it is created when the agent requests its context");
  }
  const uri = vscode.Uri.joinPath(vscode.Uri.file(list.root), "overview.md");
  await vscode.window.showTextDocument(uri, { preview: true });
}

async function archiveNote(parts: Parts): Promise<void> {
  const { list, params } = await notes(parts);
  const isOverview = ({ path }: { path: string }) => Number(path === "overview.md");
  const archivable = list.files
    .filter(({ path }) => !path.startsWith("archive/"))
    .sort((a, b) => isOverview(a) - isOverview(b)) // the overview last, because the agent depends on it
    .map(({ path, title }) => ({ label: plain(title), description: plain(path), path }));
  if (archivable.length === 0) {
    throw new Hint("There are no notes to archive");
  }
  const picked = await vscode.window.showQuickPick(archivable, { placeHolder: "Which note to archive?" });
  if (picked !== undefined) {
    await parts.actions.askAndPerform({ title: "Archive" }, parts.folders.params, [], {}, () =>
      parts.server.request("wm/notes/archive", { ...params, path: picked.path }),
    );
  }
}

async function examine(parts: Parts): Promise<void> {
  const { state } = parts.server;
  if (state.kind !== "running") {
    const problem = parts.server.problem || `The server is ${state.kind}.`;
    return parts.documents.show("doctor.txt", `${problem}\n\nThe log: command “Working Memory: Show Log”.\n`);
  }
  const status = await parts.server.request("wm/status", parts.folders.params);
  await parts.documents.show("doctor.txt", doctor(status, `${state.program} (${state.from})`));
}

async function pause(parts: Parts, params: { resume?: boolean }): Promise<void> {
  await parts.server.request("wm/pause", { ...parts.folders.params, ...params });
  parts.status.refresh();
}

/** The menu of the status bar item. */
async function menu(parts: Parts): Promise<void> {
  const { state } = parts.server;
  const running = state.kind === "running";
  const choice = (label: string, command: string) => ({ label, command: `workingMemory.${command}` });
  const recording = parts.status.paused
    ? choice("$(play) Resume recording", "resume")
    : choice("$(debug-pause) Pause recording", "pause");
  const restart = choice("$(debug-restart) Restart the server", "restart");
  const { problem } = parts.server;
  const choices = running
    ? [
        ...(problem === "" ? [] : [restart]),
        recording,
        choice("$(list-tree) Open the panel", "openPanel"),
        choice("$(add) Remember …", "remember"),
        choice("$(search) Search memory", "search"),
        choice("$(eye) Show the context of the agent", "showContext"),
        choice("$(output) Show the log", "showLog"),
        ...(problem === "" ? [restart] : []),
      ]
    : repairs(state.kind === "failed" && state.isOther).map(({ icon, title, command }) => ({
        label: `$(${icon}) ${title}`,
        command,
      }));
  choices.push(choice("$(heart) Doctor", "doctor"));
  const placeHolder = plain(problem) || "Working Memory";
  const picked = await vscode.window.showQuickPick(choices, { placeHolder });
  if (picked !== undefined) {
    await vscode.commands.executeCommand(picked.command);
  }
}
