import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../../src/message";
import { type Node, nodes } from "../../src/nodes";
import { difference, rowsOf } from "../../src/rows";
import type { PanelItem, PanelSection } from "../../src/wire";

function item(id: string, label: string, more: Partial<PanelItem> = {}): PanelItem {
  return { id, kind: "memory", icon: "law", label, actions: [], ...more };
}

function section(id: string, items: PanelItem[], more: Partial<PanelSection> = {}): PanelSection {
  return { id, title: id, show: "always", items, ...more };
}

function rows(sections: PanelSection[], folds: [string, boolean][] = []): Row[] {
  const all: Node[] = nodes({ sections, badge: 0 });
  return rowsOf(all, new Map(folds), new Set(["pin"]));
}

/** The first row below the first section. */
function rowOf(more: Partial<PanelItem>): Row {
  const [, row] = rows([section("a", [item("1", "one", more)])]);
  assert.ok(row);
  return row;
}

test("rows say how deep they are, which of how many, and whether those below are shown", () => {
  const tree = [section("a", [item("1", "one", { children: [item("2", "two"), item("3", "three")] })])];
  const places = (folds: [string, boolean][] = []) =>
    rows(tree, folds).map(({ label, level, place, siblings, open }) => [label, level, place, siblings, open]);
  assert.deepEqual(places(), [
    ["a", 1, 1, 1, true],
    ["one", 2, 1, 1, true],
    ["two", 3, 1, 2, undefined],
    ["three", 3, 2, 2, undefined],
  ]);
  assert.deepEqual(places([["section:a/1", false]]), [
    ["a", 1, 1, 1, true],
    ["one", 2, 1, 1, false],
  ]);
  assert.deepEqual(places([["section:a", false]]), [["a", 1, 1, 1, false]]);
});

test("a color says how serious a row is, or else of which type", () => {
  const colors = (more: Partial<PanelItem>) => {
    const { iconColor, asideColor } = rowOf(more);
    return [iconColor, asideColor];
  };
  assert.deepEqual(colors({}), [undefined, undefined]);
  assert.deepEqual(colors({ tint: "blue" }), ["blue", undefined]);
  assert.deepEqual(colors({ tint: "url(x)" as never }), [undefined, undefined]);
  assert.deepEqual(colors({ tint: "blue", severity: 1 }), ["error", undefined]);
  assert.deepEqual(colors({ aside: "74 %", asideSeverity: 3 }), ["notice", "notice"]);
});

test("who said it is told where that is known", () => {
  assert.equal(rowOf({ authorIcon: "hubot" }).authorIcon, "hubot");
  assert.equal(rowOf({}).authorIcon, undefined);
  assert.equal(rowOf({ authorIcon: "a b" }).authorIcon, "circle-small");
});

test("an icon is a name, and nothing else that a server sends", () => {
  assert.equal(rowOf({ icon: "git-merge" }).icon, "git-merge");
  assert.equal(rowOf({ icon: 'law" onload="x' }).icon, "circle-small");
});

test("only actions for the line are on the row, each with an icon", () => {
  const action = { method: "wm/x", params: {} };
  const actions = [
    { ...action, title: "Pin", icon: "pin", inline: true },
    { ...action, title: "Sing\u202e", inline: true },
    { ...action, title: "Forget", icon: "trash" },
  ];
  assert.deepEqual(rowOf({ actions }).actions, [
    { title: "Pin", icon: "pin" },
    { title: "Sing\\u202e", icon: "circle-small" },
  ]);
});

test("of rows that change those between the first and the last change are sent", () => {
  const tree = (...labels: string[]) =>
    rows([
      section(
        "a",
        labels.map((label, i) => item(`${i}`, label)),
      ),
    ]);
  const before = tree("one", "two", "three", "four");
  const change = (now: Row[]) => {
    const splice = difference(before, now);
    if (splice === undefined) {
      return undefined;
    }
    const { at, remove, rows } = splice;
    assert.deepEqual([...before.slice(0, at), ...rows, ...before.slice(at + remove)], now);
    return [at, remove, rows.length];
  };
  assert.equal(change(tree("one", "two", "three", "four")), undefined);
  assert.deepEqual(change(tree("one", "2", "three", "four")), [2, 1, 1]);
  assert.deepEqual(change(tree("one", "2", "3", "four")), [2, 2, 2]);
  assert.deepEqual(change(before.toSpliced(2, 1)), [2, 1, 0]);
  assert.deepEqual(change([]), [0, 5, 0]);
  assert.deepEqual(change([...before, ...before]), [5, 0, 5]);
});

test("a bar is how much of the room is used, and never more than all", () => {
  const share = (used: number, max: number) =>
    rows([section("a", [], { budget: { used, max, unit: "entries" } })])[0]?.share;
  assert.deepEqual(
    [share(7, 28), share(0, 28), share(30, 28), share(1, 0), share(-5, 10)],
    [0.25, 0, 1, 0, 0],
  );
});
