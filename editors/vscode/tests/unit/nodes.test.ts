import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, isPanel, menuOf, type Node, nodes } from "../../src/nodes";
import type { PanelItem, PanelSection } from "../../src/wire";

function item(id: string, label: string, more: Partial<PanelItem> = {}): PanelItem {
  return { id, kind: "memory", icon: "law", label, actions: [], ...more };
}

function section(id: string, items: PanelItem[], more: Partial<PanelSection> = {}): PanelSection {
  return { id, title: id, show: "always", items, ...more };
}

function outline(all: readonly Node[]): unknown[] {
  return all.map((node) => [node.id, ...outline(node.children)]);
}

test("sections stand in the server's order, advanced ones under More, empty ones say what to do", () => {
  const sections = [
    section("a", [item("1", "one")]),
    section("b", [], { show: "advanced", empty: "Do this." }),
    section("c", [], { show: "nonEmpty", empty: "unseen" }),
    section("d", [], { empty: "Do that." }),
  ];
  assert.deepEqual(outline(nodes({ sections, badge: 0 })), [
    ["section:a", ["section:a/1"]],
    ["section:d", ["section:d/empty"]],
    ["more", ["section:b", ["section:b/empty"]]],
  ]);
});

test("a folded section is closed at first, but open where the filter finds something", () => {
  const panel = { sections: [section("a", [item("1", "one")], { folded: true })], badge: 0 };
  const open = (filter: string) => nodes(panel, filter).map((node) => node.kind === "section" && node.open);
  assert.deepEqual(open(""), [false]);
  assert.deepEqual(open("one"), [true]);
});

test("the filter leaves what has every word, with what is above it and below it", () => {
  const child = item("2", "Money is counted in cents", { detail: "decision" });
  const group = item("1", "3 of go test", { children: [child, item("3", "other")] });
  const panel = {
    sections: [section("a", [group, item("4", "Cents again", { detail: "reference" })])],
    badge: 0,
  };
  const found = nodes(panel, " CENTS decision ");
  assert.deepEqual(outline(found), [["section:a", ["section:a/1", ["section:a/1/2"]]]]);
  const above = found[0]?.children[0];
  assert.ok(above?.kind === "item" && above.open, "what is below it is seen");
  assert.deepEqual(outline(nodes(panel, "go")), [
    ["section:a", ["section:a/1", ["section:a/1/2"], ["section:a/1/3"]]],
  ]);
  assert.deepEqual(outline(nodes(panel, "nowhere")), [["found/empty"]]);
});

test("the filter shows what is under More, too, and leaves out sections without a match", () => {
  const sections = [section("a", [item("1", "one")]), section("b", [item("2", "two")], { show: "advanced" })];
  const found = nodes({ sections, badge: 0 }, "two");
  assert.deepEqual(outline(found), [["section:b", ["section:b/2"]]]);
  assert.ok(found[0]?.kind === "section" && found[0].open);
});

test("what cannot be painted is no panel", () => {
  const action = { title: "Forget", method: "wm/memory/remove", params: {} };
  const input = { param: "text", prompt: "Text", kind: "text" };
  const panel = (...sections: unknown[]) => ({ sections, badge: 0 });
  const withItem = (one: unknown) => panel({ ...section("a", []), items: [one] });
  const withAction = (one: unknown) => withItem({ ...item("1", "one"), actions: [one] });
  for (const good of [
    panel(),
    panel(section("a", [item("1", "one", { children: [item("2", "two")] })])),
    withAction({ ...action, inputs: [{ ...input, choices: [{ label: "a", value: "b" }] }] }),
  ]) {
    assert.ok(isPanel(good), JSON.stringify(good));
  }
  for (const bad of [
    null,
    "no",
    {},
    { sections: "no" },
    panel(null),
    panel({ ...section("a", []), title: 5 }),
    panel({ ...section("a", []), actions: {} }),
    withItem(null),
    withItem({ ...item("1", "one"), actions: undefined }),
    withItem({ ...item("1", "one"), children: [5] }),
    withAction({ ...action, title: 5 }),
    withAction({ ...action, inputs: 5 }),
    withAction({ ...action, inputs: [{ ...input, value: 5 }] }),
    withAction({ ...action, inputs: [{ ...input, choices: [null] }] }),
  ]) {
    assert.ok(!isPanel(bad), JSON.stringify(bad));
  }
});

test("items with the same id are nodes of their own", () => {
  const items = ["one", "two", "three"].map((label) => item("1", label));
  assert.deepEqual(outline(nodes({ sections: [section("a", items)], badge: 0 })), [
    ["section:a", ["section:a/1"], ["section:a/1'1"], ["section:a/1'2"]],
  ]);
});

test("menus go by the names of actions; what has no name goes to the others", () => {
  const actions = [
    { title: "Pin", method: "wm/memory/update", params: { id: "m1" }, inline: true },
    { title: "Forget", method: "wm/memory/remove", params: { id: "m1" } },
    { title: "Sing", method: "wm/sing", params: {}, inline: true },
  ];
  const [root] = nodes({
    sections: [section("a", [item("1", "one", { actions, hasMarkdown: true })])],
    badge: 0,
  });
  const node = root?.children[0];
  assert.ok(node);
  assert.equal(menuOf(node, new Set(["pin", "forget"])), "item ;pin; ;forget; ;others; ;read;");
  assert.equal(actionsOf(undefined).length, 0);
});

test("of five thousand items the filter finds those with the words", () => {
  const items = Array.from({ length: 5000 }, (_, i) => item(`${i}`, `entry number ${i}`));
  const panel = { sections: [section("a", items)], badge: 0 };
  assert.equal(nodes(panel, "number 499")[0]?.children.length, 15);
  assert.equal(nodes(panel, "entry")[0]?.children.length, 5000);
});
