import assert from "node:assert/strict";
import { test } from "node:test";
import { outputOf, type Part, replaceOutput, type ToolResult, typed } from "../../src/host";

const part = (text: string, more: object = {}) =>
  ({ id: "p", sessionID: "s", messageID: "m", type: "text", text, ...more }) as Part;

for (const [says, parts, want] of [
  ["a text", [part("fix it")], "fix it"],
  ["several texts are lines", [part("one"), part("two")], "one\ntwo"],
  ["what OpenCode wrote itself is none", [part("<system-reminder>", { synthetic: true })], ""],
  ["what the model does not get is none", [part("hidden", { ignored: true })], ""],
  [
    "a file is none",
    [{ ...part(""), type: "file", url: "file:///a" } as unknown as Part, part("see")],
    "see",
  ],
  ["the quotes of opencode run", [part('"remember this: we use pnpm"')], "remember this: we use pnpm"],
  ["quotes within them", [part('"say \\"hello\\" twice"')], 'say "hello" twice'],
  ["quotes that do not enclose everything", [part('"a" and "b"')], '"a" and "b"'],
  ["a quote alone", [part('"')], '"'],
  ["nothing", [], ""],
] as [string, Part[], string][]) {
  test(`what a user typed: ${says}`, () => assert.equal(typed(parts), want));
}

test("a tool of OpenCode has an output", () => {
  const result: ToolResult = { output: "long", metadata: { exit: 0 } };
  assert.equal(outputOf(result), "long");
  replaceOutput(result, "short");
  assert.deepEqual(result, { output: "short", metadata: { exit: 0 } });
});

test("a tool of an MCP server has content, of which all that is no text stays", () => {
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const result: ToolResult = { content: [{ type: "text", text: "a" }, image, { type: "text", text: "b" }] };
  assert.equal(outputOf(result), "a\nb");
  replaceOutput(result, "short");
  assert.deepEqual(result.content, [{ type: "text", text: "short" }, image]);
});

test("a result of another form has no text and stays", () => {
  for (const result of [{}, { content: "x" }, { content: [null, 3, { type: "text" }] }, { output: 3 }]) {
    const before = structuredClone(result);
    assert.equal(outputOf(result), "");
    replaceOutput(result, "short");
    assert.deepEqual(result, before);
  }
});
