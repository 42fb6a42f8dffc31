// Lets a person choose one of several.
import * as vscode from "vscode";
import { plain } from "./text";

/** The one that is chosen, without a question where there is no choice. */
export async function one<T>(
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
