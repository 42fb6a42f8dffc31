import assert from "node:assert/strict";
import { test } from "node:test";
import { doctor } from "../../src/report";
import { nameOf, order } from "../../src/sessions";
import type { Session } from "../../src/wire";

test("the doctor lists what is wrong with what to do about it", () => {
  const status = {
    version: "1",
    store: { path: "/memory", healthy: false },
    workspace: { root: "/w", key: "k", resolvedBy: "git" as const },
    sessions: 1,
    sizes: { databaseBytes: 1, changes: 1, entries: 1, files: 1, errors: 1 },
    retrieval: "lexical" as const,
    problems: [{ severity: "warning" as const, message: "the disk is small", fix: "buy another" }],
  };
  const text = doctor(status, "/bin/wm-lsp");
  assert.match(text, /NOT HEALTHY/);
  assert.match(text, /warning: the disk is small – buy another/);
  assert.match(doctor({ ...status, problems: [] }, ""), /Nothing is wrong/);
});

test("an agent's session is looked at before the editor's own, a dead one not at all", () => {
  const session = (sessionId: string, more: Partial<Session>): Session => ({
    sessionId,
    live: true,
    startedAt: "",
    updatedAt: "2026-01-01",
    turn: 0,
    ...more,
  });
  const sessions = [
    session("editor", { updatedAt: "2026-01-09" }),
    session("old", { turn: 4 }),
    session("new", { turn: 1, updatedAt: "2026-01-02" }),
    session("dead", { turn: 9, live: false }),
  ];
  assert.deepEqual(
    order(sessions).map(({ sessionId }) => sessionId),
    ["new", "old", "editor"],
  );
  assert.equal(nameOf(session("id", { title: "", agent: "agent" })), "agent");
});
