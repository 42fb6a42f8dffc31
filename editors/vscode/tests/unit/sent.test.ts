import assert from "node:assert/strict";
import { test } from "node:test";
import { Once } from "../../src/once";
import { Sent } from "../../src/sent";

test("only what changed is news", () => {
  const sent = new Sent();
  assert.equal(sent.isNews("a", []), false, "a file that never had any");
  assert.equal(sent.isNews("a", [{ message: "x" }]), true);
  assert.equal(sent.isNews("a", [{ message: "x" }]), false);
  assert.equal(sent.isNews("a", []), true);
  assert.equal(sent.isNews("a", []), false);
});

test("a new server is told all, also what is gone", () => {
  const sent = new Sent();
  sent.isNews("a", [{ message: "x" }]);
  sent.isNews("b", [{ message: "y" }]);
  assert.deepEqual(sent.forget(), ["a", "b"]);
  assert.equal(sent.isNews("a", []), true);
  assert.equal(sent.isNews("b", [{ message: "y" }]), true);
});

test("one question is under way at a time, and what came meanwhile is asked once", async () => {
  const answers: (() => void)[] = [];
  const once = new Once(() => new Promise((resolve) => answers.push(resolve)));
  once.call();
  once.call();
  once.call();
  assert.equal(answers.length, 1);
  answers[0]?.();
  await new Promise(setImmediate);
  assert.equal(answers.length, 2);
  answers[1]?.();
  await new Promise(setImmediate);
  assert.equal(answers.length, 2);
});
