// The scenario of both editors: an agent works in a folder through a server of its own.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Agent } from "../vscode/tests/agent.mjs";

const cart = (statement) => `// Package cart says what there is to pay.
package cart

// Total is the sum of amounts, in cents.
func Total(cents []int) int {
	sum := 0
	for _, c := range cents {
		${statement}
	}
	return sum
}
`;

const files = {
  "go.mod": "module example.org/cart\n\ngo 1.26\n",
  "cart.go": cart("sum = c"),
  "cart_test.go": `package cart

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{10, 20}); got != 30 {
		t.Errorf("got %d, want 30", got)
	}
}
`,
};

const memories = [
  { type: "decision", text: "Amounts are integers, in cents", pinned: true },
  { type: "decision", text: "Round once, on the total, half up" },
  { type: "project", text: "Discounts come off before the tax is added" },
  { type: "reference", text: "The tax rates stand in chapter 4" },
];

const overview = `# The cart

## Task
Total counts the last amount only; it has to add all of them.

## Decisions
- one loop and no generics, because amounts are always integers

## Open
- what an empty cart costs
`;

const rounding = "# Rounding\n\nEvery rate is applied to the total, never to a line of it.\n";

// The screenshots show the time of day, so the time zone is one in which it is now between eleven and
// twelve.
const now = new Date();
const east = 11 - now.getUTCHours();
export const zone = `Etc/GMT${east > 0 ? "-" : "+"}${Math.abs(east)}`;
const ten = now.setUTCMinutes(-60, 0, 0);

/** How full the agent's context was in percent, a minute apart; it was compacted once. */
const usage = [
  [4, 7, 9, 12, 16, 18, 21, 26, 28, 31, 33, 38, 41, 43, 48, 52, 55, 57, 61, 66, 69, 71, 76, 80, 83],
  [31, 34, 36, 39, 43, 46, 48, 51, 54, 56, 60, 62, 65, 67, 68, 70, 72, 73, 74],
].flat();

/** Writes the folder and starts an agent in it; the agent runs until it is ended. */
export async function work(program, folder, env) {
  const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
  fs.mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    write(name, text);
  }
  const agent = await new Agent(program, folder, env, "agent").start();
  const use = (tool, filePath) => agent.call("wm/tool/executed", { tool, input: { filePath }, output: "" });
  const run = async (command) => {
    const ran = await new Promise((resolve) => {
      execFile("sh", ["-c", command], { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ exitCode: error?.code ?? 0, output: stdout + stderr });
      });
    });
    await agent.call("wm/tool/executed", { tool: "bash", input: { command }, ...ran });
  };
  const say = (text) => agent.call("wm/message/received", { role: "user", text });
  const note = (block, content) => agent.call("wm/core/update", { block, operation: "replace", content });

  await say("Total counts only the last amount. Remember: write table tests for every function");
  for (const { pinned, ...memory } of memories) {
    const { id } = await agent.call("wm/memory/add", memory);
    if (pinned) {
      await agent.call("wm/memory/update", { id, pinned });
    }
  }
  await note("goal", "Total adds up all amounts");
  const todos = [
    { content: "Add up in the loop", status: "completed" },
    { content: "Name the amount", status: "in_progress" },
  ];
  await agent.call("wm/todos/changed", { todos });
  await agent.call("wm/notes/write", { path: "overview.md", content: overview });
  await agent.call("wm/notes/write", { path: "detail/rounding.md", content: rounding });
  await use("read", "cart.go");
  await use("read", "cart_test.go");
  await run("go test ./...");
  await say("Go on");
  write("cart.go", cart("sum += cnt"));
  await use("edit", "cart.go");
  await run("go vet ./...");
  await note("progress", "it adds; one name is still wrong");
  for (const [minute, percentage] of usage.entries()) {
    const at = new Date(ten + minute * 60_000).toISOString();
    await agent.call("wm/usage/reported", { tokensUsed: percentage * 2000, tokensMax: 200_000, at });
  }
  return agent;
}
