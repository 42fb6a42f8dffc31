import assert from "node:assert/strict";
import { test } from "node:test";
import { Restarts } from "../../src/restarts";

test("a server is started again five times within three minutes, and then no more", () => {
  let now = 0;
  const restarts = new Restarts(5, 180_000, () => now);
  for (let i = 0; i < 5; i++) {
    assert.equal(restarts.allow(), true);
    now += 1000;
  }
  assert.equal(restarts.allow(), false);
  now = 179_999;
  assert.equal(restarts.allow(), false);
  now = 180_000; // the first is three minutes ago
  assert.equal(restarts.allow(), true);
  assert.equal(restarts.allow(), false);
});

test("a person who restarts it begins anew", () => {
  const restarts = new Restarts(1, 1000, () => 0);
  assert.equal(restarts.allow(), true);
  assert.equal(restarts.allow(), false);
  restarts.clear();
  assert.equal(restarts.allow(), true);
});
