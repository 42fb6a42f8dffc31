// Searches the memory while the user types: with wm/search if the server has it, else in the entries.
import * as vscode from "vscode";
import { reasonOf } from "./actions";
import type { Folders } from "./folders";
import type { Server } from "./server";
import { plain } from "./text";
import type { MemoryEntry } from "./wire";

/** A search hit; without `id` it is no entry and has no trace. */
export interface Hit {
  id: string | undefined;
  text: string;
  /** Where it is from. */
  detail: string;
}

/** Returns the entries that have every word. */
export function among(entries: readonly MemoryEntry[], query: string): Hit[] {
  const words = query.toLowerCase().split(/\s+/);
  return entries
    .filter((entry) => {
      const text = `${entry.text} ${entry.rationale ?? ""} ${entry.type}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map(({ id, text, type, status }) => ({
      id,
      text,
      detail: status === "active" ? type : `${type} · ${status}`,
    }));
}

/** Returns the hits of a wm/search result and ignores the rest. */
export function hitsOf(answer: unknown): Hit[] {
  const hits = (answer as { hits?: unknown } | null)?.hits;
  if (!Array.isArray(hits)) {
    return [];
  }
  return hits.flatMap((hit: { item?: { id?: unknown; text?: unknown }; store?: unknown; from?: unknown }) => {
    const { id, text } = hit?.item ?? {};
    if (typeof text !== "string") {
      return [];
    }
    const detail = [hit.from, hit.store].find((part) => typeof part === "string") as string | undefined;
    const isEntry = hit.store === "workspace" && typeof id === "string";
    return [{ id: isEntry ? id : undefined, text, detail: detail ?? "" }];
  });
}

interface Choice extends vscode.QuickPickItem {
  hit?: Hit;
}

/** Lets the user search; returns what was chosen. */
export function search(server: Server, folders: Folders): Promise<Hit | undefined> {
  const pick = vscode.window.createQuickPick<Choice>();
  pick.title = "Search memory";
  pick.placeholder = "Words to search for";
  pick.matchOnDescription = true;
  let asked: vscode.CancellationTokenSource | undefined;

  async function ask(query: string, token: vscode.CancellationToken): Promise<Hit[]> {
    if (query !== "" && server.offers("wm/search")) {
      return hitsOf(await server.call("wm/search", { ...folders.params, query, limit: 50 }, token));
    }
    const { entries } = await server.request("wm/memory/list", folders.params, token);
    return query === "" ? among(entries, "").slice(0, 200) : among(entries, query);
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
        description: plain(hit.detail),
        alwaysShow: true,
        hit,
      }));
      if (items.length === 0) {
        items = [{ label: "No memory has these words.", alwaysShow: true }];
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
