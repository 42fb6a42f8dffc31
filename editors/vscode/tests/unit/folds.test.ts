import assert from "node:assert/strict";
import { test } from "node:test";
import { Folds } from "../../src/folds";

/** The state of a workspace, which outlives the window. */
function state(values: Record<string, unknown> = {}) {
  return {
    get: (key: string) => structuredClone(values[key]),
    update: async (key: string, value: unknown) => {
      values[key] = structuredClone(value);
    },
  };
}

test("what was folded and opened is so in the next window", () => {
  const kept = state();
  const first = new Folds(kept);
  first.set(["section:files", "more"], false);
  first.set(["more"], true);
  const next = new Folds(kept);
  assert.deepEqual(
    ["section:files", "more", "section:errors"].map((id) => next.get(id)),
    [false, true, undefined],
  );
});

test("of too many folds those that were not used for longest are forgotten", () => {
  const kept = state();
  const folds = new Folds(kept);
  const ids = Array.from({ length: 500 }, (_, i) => `section:${i}`);
  folds.set(ids, false);
  folds.set(["section:0"], true);
  folds.set(["section:new"], false);
  const next = new Folds(kept);
  assert.deepEqual(
    ["section:0", "section:1", "section:2", "section:new"].map((id) => next.get(id)),
    [true, undefined, false, false],
  );
});

test("a state that is no list of folds folds nothing", () => {
  for (const folds of [undefined, "closed", { more: false }, [["more", "no"], "more", null, [1, true]]]) {
    assert.equal(new Folds(state({ folds })).get("more"), undefined);
  }
});
