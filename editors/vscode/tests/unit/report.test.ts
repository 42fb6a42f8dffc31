import assert from "node:assert/strict";
import { test } from "node:test";
import { doctor } from "../../src/report";

test("the doctor lists what is wrong with what to do about it", () => {
  const status = {
    version: "1",
    store: { path: "/memory", healthy: false },
    workspace: { root: "/w", key: "k", resolvedBy: "git" as const },
    sessions: 1,
    sizes: { databaseBytes: 1, changes: 1, entries: 1, files: 1, errors: 1 },
    memoryTypes: [],
    retrieval: "lexical" as const,
    problems: [{ severity: "warning" as const, message: "the disk is small", fix: "buy another" }],
  };
  const text = doctor(status, "/bin/wm-lsp");
  assert.match(text, /NOT HEALTHY/);
  assert.match(text, /warning: the disk is small – buy another/);
  assert.match(text, /^changes {8}1\ndatabaseBytes {2}1\nentries {8}1\n/m);
  assert.match(doctor({ ...status, problems: [] }, ""), /No problems/);
});
