import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change, Row } from "../../src/message";
import { type Node, nodes } from "../../src/nodes";
import { PageRows, Rows } from "../../src/rows";
import type { PanelItem, PanelSection } from "../../src/wire";

function item(id: string, label: string, more: Partial<PanelItem> = {}): PanelItem {
  return { id, kind: "memory", icon: "law", label, actions: [], ...more };
}

function section(id: string, items: PanelItem[], more: Partial<PanelSection> = {}): PanelSection {
  return { id, title: id, show: "always", items, ...more };
}

function rows(sections: PanelSection[], folds: [string, boolean][] = []): Row[] {
  const all: Node[] = nodes({ sections, badge: 0 });
  return new Rows(new Set(["pin"])).of(all, new Map(folds));
}

/** The first row below the first section. */
function rowOf(more: Partial<PanelItem>): Row {
  const [, row] = rows([section("a", [item("1", "one", more)])]);
  assert.ok(row);
  return row;
}

test("rows say how deep they are, and whether those below are shown", () => {
  const tree = [section("a", [item("1", "one", { children: [item("2", "two"), item("3", "three")] })])];
  const places = (folds: [string, boolean][] = []) =>
    rows(tree, folds).map(({ label, level, open }) => [label, level, open]);
  assert.deepEqual(places(), [
    ["a", 1, true],
    ["one", 2, true],
    ["two", 3, undefined],
    ["three", 3, undefined],
  ]);
  assert.deepEqual(places([["section:a/1", false]]), [
    ["a", 1, true],
    ["one", 2, false],
  ]);
  assert.deepEqual(places([["section:a", false]]), [["a", 1, false]]);
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

/** What a page shows after the changes that it was sent. */
class Page {
  private sent: Row[] = [];
  shown: Row[] = [];

  receive({ from, rows, shown }: Change): void {
    this.sent = [...this.sent.slice(0, from), ...rows];
    this.shown = shown.flatMap(([first, end]) => this.sent.slice(first, end));
  }
}

test("a page is sent the rows that it lacks, and which of those that it has it shows", () => {
  const tree = (...labels: string[]) =>
    rows([
      section(
        "a",
        labels.map((label, i) => item(`${i}`, label)),
      ),
    ]);
  const [sender, page] = [new PageRows(), new Page()];
  const send = (now: Row[]) => {
    const change = sender.show(now);
    if (change === undefined) {
      return undefined;
    }
    page.receive(change);
    assert.deepEqual(page.shown, now);
    return [change.rows.map(({ label }) => label), change.shown];
  };
  const all = tree("one", "two", "three", "four");
  assert.deepEqual(send(all), [["a", "one", "two", "three", "four"], [[0, 5]]]);
  assert.equal(send(tree("one", "two", "three", "four")), undefined);
  const other = send(tree("one", "2", "three", "four"));
  assert.deepEqual(other, [
    ["2"],
    [
      [0, 2],
      [5, 6],
      [3, 5],
    ],
  ]);
  assert.deepEqual(send(all.toSpliced(2, 1)), [
    [],
    [
      [0, 2],
      [3, 5],
    ],
  ]);
  assert.deepEqual(send([]), [[], []]);
  assert.equal(send([]), undefined);
  assert.deepEqual(send(all.toReversed())?.[0], ["two"]);
});

test("a page is told, too, if there are no rows from the beginning", () => {
  assert.deepEqual(new PageRows().show([]), { from: 0, rows: [], shown: [] });
});

test("a page forgets rows that changed, if they become many", () => {
  const [sender, page] = [new PageRows(), new Page()];
  let most = 0;
  for (let i = 0; i < 25_000; i++) {
    const now = [item("1", "same"), item("2", `number ${i}`)];
    const change = sender.show(rows([section("a", now)]));
    assert.ok(change);
    page.receive(change);
    most = Math.max(most, change.from + change.rows.length);
  }
  assert.deepEqual(
    page.shown.map(({ label }) => label),
    ["a", "same", "number 24999"],
  );
  assert.equal(most, 20_000);
});

test("a filter sends no row that the page has", () => {
  const all = [section("a", [item("1", "one", { children: [item("2", "two")] }), item("3", "three")])];
  const [made, sender] = [new Rows(new Set()), new PageRows()];
  const lacking = (filter: string) => {
    const change = sender.show(made.of(nodes({ sections: all, badge: 0 }, filter), new Map()));
    return change?.rows.map(({ label, open }) => [label, open]);
  };
  assert.deepEqual(lacking("")?.length, 4);
  assert.deepEqual(lacking("three"), []);
  assert.deepEqual(lacking(""), []);
  assert.deepEqual(lacking("one"), [["one", false]], "closed, because it is what was found");
  assert.deepEqual(lacking("two"), [["one", true]]);
});

test("a bar is how much of the room is used, and never more than all", () => {
  const share = (used: number, max: number) =>
    rows([section("a", [], { budget: { used, max, unit: "entries" } })])[0]?.share;
  assert.deepEqual(
    [share(7, 28), share(0, 28), share(30, 28), share(1, 0), share(-5, 10)],
    [0.25, 0, 1, 0, 0],
  );
});
