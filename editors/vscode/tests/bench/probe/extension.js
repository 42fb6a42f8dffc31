// Asked by test/bench/vscode.go over a socket, does one thing after the other in the extension host and answers
// with a line of JSON. The host ends with the connection.
const fs = require("node:fs");
const net = require("node:net");
const readline = require("node:readline");
const v8 = require("node:v8");
const vm = require("node:vm");
const vscode = require("vscode");

const answers = {
  /** Waits until the host has next to nothing to do. */
  rest: async () => {
    for (let share = 1; share > 0.05; ) {
      const from = performance.eventLoopUtilization();
      await new Promise((resolve) => setTimeout(resolve, 500));
      share = performance.eventLoopUtilization(from).utilization;
    }
  },

  /** How many milliseconds an extension takes until it is activated, and until its server runs if it has one. */
  activate: async ({ id }) => {
    const from = performance.now();
    const api = await vscode.extensions.getExtension(id).activate();
    const activated = performance.now() - from;
    const server = api?.server;
    if (server !== undefined && server.state.kind !== "running") {
      await new Promise((resolve) => {
        server.onDidChangeState(({ kind }) => kind === "running" && resolve());
      });
    }
    return { activated, running: performance.now() - from };
  },

  open: ({ view }) => vscode.commands.executeCommand(`${view}.focus`),

  change: ({ text }) => vscode.extensions.getExtension("bench.bare").exports.change(text),

  /** How many bytes the host uses, after what nobody needs is gone. */
  memory: () => {
    v8.setFlagsFromString("--expose-gc");
    vm.runInNewContext("gc")();
    const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(fs.readFileSync("/proc/self/smaps_rollup", "utf8"));
    return { heap: process.memoryUsage().heapUsed, resident: kilobytes * 1024 };
  },
};

exports.activate = async () => {
  const socket = net.connect(process.env.WM_BENCH_SOCKET);
  socket.on("close", () => process.exit());
  for await (const line of readline.createInterface(socket)) {
    const { ask, ...params } = JSON.parse(line);
    const answer = await answers[ask](params);
    socket.write(`${JSON.stringify(answer ?? {})}\n`);
  }
};
