import assert from "node:assert/strict";
import { test } from "node:test";
import { leftOut, line, lines, linked, markdown, plain, plainOf, slug, sparkline } from "../../src/text";

test("a line has no character that moves, hides or reorders", () => {
  assert.equal(line("a\nb\tc\u001b[31m\u0000"), "a\\nb\\tc\\x1b[31m\\x00");
  assert.equal(line("evil\u202egnp.exe\u2066\u200b\ufeff"), "evil\\u202egnp.exe\\u2066\\u200b\\ufeff");
  assert.equal(line("tag \u{e0041}"), "tag \\ue0041");
  assert.equal(line("\u00ad\u034f\u115f\u180e"), "\\xad\\u034f\\u115f\\u180e");
  assert.equal(line("\u2061\u2064\u206a\u206f"), "\\u2061\\u2064\\u206a\\u206f");
});

test("writing from right to left and marks that letters need stay", () => {
  assert.equal(line("שלום עולם مرحبا"), "שלום עולם مرحبا");
  assert.equal(line("é 👩‍🚀 नमस्ते"), "é 👩‍🚀 नमस्ते");
});

test("a long line is cut between characters", () => {
  assert.equal(line("x".repeat(301)), `${"x".repeat(300)}…`);
  assert.equal(line(`${"x".repeat(299)}😀`), `${"x".repeat(299)}…`);
  assert.equal(line("x".repeat(10_000_000)).length, 301);
});

test("what is no text is nothing", () => {
  for (const value of [undefined, null, 3, {}, ["a"]]) {
    assert.equal(line(value), "");
    assert.equal(lines(value), "");
  }
});

test("lines keep breaks and tabs", () => {
  assert.equal(lines("a\r\n\tb\u0007\n"), "a\n\tb\\x07\n");
});

test("plain text has neither links nor icons", () => {
  assert.equal(
    plain("[x](command:evil) $(trash) $(sync~spin) $(1 + 2)"),
    "[x] (command:evil) $ (trash) $ (sync~spin) $(1 + 2)",
  );
});

test("Markdown loads no image", () => {
  assert.equal(
    markdown("![x](https://example.org/a.png) and !important"),
    "!\\[x](https://example.org/a.png) and !important",
  );
});

test("a title becomes a name", () => {
  assert.equal(slug("Erase every trace"), "erase-every-trace");
  assert.equal(slug("  Ünpin … "), "npin");
});

test("links to files are kept by a renderer that refuses them", () => {
  assert.equal(
    linked("in [a.go](file:///w/a.go) and [it](wm:memory:1)"),
    "in [a.go](wm-open:file:///w/a.go) and [it](wm:memory:1)",
  );
});

test("what was left out is counted, with the reason if all are known to have the same", () => {
  const omitted = [
    { id: "a", reason: "limit" },
    { id: "b", reason: "limit" },
  ];
  assert.equal(leftOut([]), "");
  assert.equal(leftOut(omitted), "2 left out: limit");
  assert.equal(leftOut(omitted, 1200), "1202 left out");
  assert.equal(leftOut([...omitted, { id: "c", reason: "budget" }]), "3 left out");
});

test("percentages are drawn as blocks, at most the last twelve, and nothing if there is but one", () => {
  assert.equal(sparkline([0, 20, 35, 50, 72, 100, 130]), "▁▂▃▄▆██");
  assert.equal(sparkline([0, ...Array.from({ length: 12 }, () => 100)]), "█".repeat(12));
  assert.equal(sparkline([74]), "");
});

test("Markdown of the server is read without its marks, and what is escaped stays", () => {
  for (const [markdown, text] of [
    [
      "### What happened\n\n- **Said by:** [claude](wm:session:a\\)b), 20:15",
      "What happened\n\n- Said by: claude, 20:15",
    ],
    ["a \\*star\\* and \\[no link\\](x), 1\\. and \\\\", "a *star* and [no link](x), 1. and \\"],
    ["```\nif a {\n```\nafter", "if a {\nafter"],
    ["evil\u202e", "evil\\u202e"],
  ] as const) {
    assert.equal(plainOf(markdown), text);
  }
  assert.equal(plainOf("[".repeat(1_000_000)).length, 20_001);
});
