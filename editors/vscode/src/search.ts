// Searches everything that is remembered while the user types.
import * as vscode from "vscode";
import { reasonOf } from "./actions";
import type { Server } from "./server";
import { line, plain } from "./text";
import type { SearchHit, SearchPlace } from "./wire";

/** A search hit. */
export interface Hit {
  /** Its id in its store. */
  id: string;
  text: string;
  /** Where it is from. */
  from: string;
  place: SearchPlace;
}

/** The params of a request about a folder and a session. */
interface Where {
  workspace?: string;
  sessionId?: string;
}

const most = 50;

function oneLine(text: string): string {
  return line(text.trim().replace(/\s+/g, " "));
}

function hitOf({ item, from, place }: SearchHit): Hit {
  return { id: item.id, text: oneLine(item.text), from, place };
}

interface Choice extends vscode.QuickPickItem {
  hit?: Hit;
}

/** Lets the user search, in some stores or in all; returns what was chosen. */
export function search(server: Server, where: Where, stores?: string[]): Promise<Hit | undefined> {
  const pick = vscode.window.createQuickPick<Choice>();
  pick.title = "Search memory";
  pick.placeholder = "Words to search for";
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  let asked: vscode.CancellationTokenSource | undefined;

  /** Returns what fits, or all entries without a query. */
  async function ask(query: string, token: vscode.CancellationToken): Promise<Hit[]> {
    if (query !== "") {
      const params = { ...where, query, limit: most, ...(stores && { stores }) };
      return (await server.request("wm/search", params, token)).hits.map(hitOf);
    }
    const { entries } = await server.request("wm/memory/list", where, token);
    return entries.map(({ id, text, detail }) => ({
      id,
      text: oneLine(text),
      from: detail,
      place: { itemId: `memory:${id}` },
    }));
  }

  async function update(): Promise<void> {
    asked?.cancel();
    const source = new vscode.CancellationTokenSource();
    asked = source;
    pick.busy = true;
    let items: Choice[];
    try {
      const hits = await ask(pick.value.trim(), source.token);
      items = hits.map((hit) => ({
        label: plain(hit.text),
        description: plain(hit.from),
        alwaysShow: true,
        hit,
      }));
      if (items.length === 0) {
        items = [{ label: "Nothing that is remembered fits these words.", alwaysShow: true }];
      }
    } catch (error) {
      items = [{ label: plain(reasonOf(error)), alwaysShow: true }];
    }
    if (asked === source) {
      pick.items = items;
      pick.busy = false;
    }
    source.dispose();
  }

  return new Promise((resolve) => {
    pick.onDidChangeValue(() => void update());
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.hit);
      pick.hide();
    });
    pick.onDidHide(() => {
      asked = undefined;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    void update();
  });
}
