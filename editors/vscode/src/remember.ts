// Explicit requests to remember: a sentence, a selection, an error with its fix.
import * as vscode from "vscode";
import { Hint } from "./actions";
import type { Parts } from "./commands";
import { toWire } from "./diagnostics";
import { pathInFolder } from "./folders";
import { adding } from "./nodes";
import type { RunCommand } from "./server";
import { plain } from "./text";
import type { PanelAction } from "./wire";

/** The command of the server's code actions. */
const command = "wm.remember";

/** Its argument. The user is asked for an empty fix and a missing type. */
interface Argument {
  text?: string;
  uri?: string;
  fix?: string;
  type?: string;
}

/** The panel's action that defines the inputs of an entry. */
function addAction({ model, folders }: Parts): PanelAction {
  if (folders.current === undefined) {
    throw new Hint("Open a folder first");
  }
  const action = adding(model.panel);
  if (action === undefined) {
    throw new Hint("The server is not ready; try again in a moment");
  }
  return action;
}

function editorInFolder(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    throw new Hint("Open a file of the folder first");
  }
  return editor;
}

export async function remember(parts: Parts, given: { text?: string; files?: string[] }): Promise<void> {
  await parts.actions.run(addAction(parts), given);
}

export async function rememberSelection(parts: Parts): Promise<void> {
  const editor = editorInFolder();
  const text = editor.document.getText(editor.selection).trim();
  const path = pathInFolder(editor.document.uri);
  await remember(parts, { ...(text !== "" && { text }), ...(path !== undefined && { files: [path] }) });
}

/** Asks for one of the items; a single item is returned without asking. */
async function one<T>(
  choices: readonly T[],
  name: (choice: T) => string,
  prompt: string,
): Promise<T | undefined> {
  if (choices.length < 2) {
    return choices[0];
  }
  const items = choices.map((choice) => ({ label: plain(name(choice)), choice }));
  return (await vscode.window.showQuickPick(items, { placeHolder: prompt }))?.choice;
}

/** Remembers an error on the cursor line. The server formats the text, as for every editor. */
export async function rememberError({ server }: Parts): Promise<void> {
  const { document, selection } = editorInFolder();
  const { line, character } = selection.active;
  const position = { line, character };
  const here = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => range.start.line <= line && line <= range.end.line);
  const offered = (await server.call("textDocument/codeAction", {
    textDocument: { uri: document.uri.toString() },
    range: { start: position, end: position },
    context: { diagnostics: here.map(toWire), only: ["quickfix"], triggerKind: 1 },
  })) as { title: string; command: { arguments: Argument[] } }[];
  if (offered.length === 0) {
    throw new Hint("There is no error on this line");
  }
  const error = await one(offered, ({ title }) => title, "Which error?");
  if (error !== undefined) {
    await vscode.commands.executeCommand(command, ...error.command.arguments);
  }
}

/** Runs the command of a code action after asking for missing arguments. */
export async function runCommand(
  parts: Parts,
  name: string,
  args: unknown[],
  run: RunCommand,
): Promise<unknown> {
  if (name !== command) {
    return run(name, args);
  }
  const folder = parts.folders.params;
  const { fix, ...argument } = (args[0] ?? {}) as Argument;
  const add = addAction(parts);
  const open = (add.inputs ?? []).filter(({ param }) => param === "type");
  if (fix === "") {
    open.unshift({ param: "fix", prompt: `How is it fixed? ${argument.text ?? ""}`, kind: "text" });
  }
  // Not run(), which does not reject if the server exits meanwhile.
  await parts.actions.askAndPerform(add, folder, open, argument, (said) =>
    parts.server.call("workspace/executeCommand", {
      command: name,
      arguments: [{ ...argument, ...(fix !== undefined && { fix }), ...said }],
    }),
  );
}
