// Executes commands of test/bench/vscode.go, which come over a socket, one after the other in the extension
// host. Each result is a line of JSON. The host exits when the connection closes.
const fs = require("node:fs");
const net = require("node:net");
const readline = require("node:readline");
const v8 = require("node:v8");
const vm = require("node:vm");
const vscode = require("vscode");

const answers = {
  /** Waits until the host is idle. */
  rest: async () => {
    for (let share = 1; share > 0.05; ) {
      const from = performance.eventLoopUtilization();
      await new Promise((resolve) => setTimeout(resolve, 500));
      share = performance.eventLoopUtilization(from).utilization;
    }
  },

  /** Returns how many milliseconds an extension takes to be activated, and for its server to run if it has one. */
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

  filter: () => vscode.commands.executeCommand("workingMemory.filter"),

  open: ({ view }) => vscode.commands.executeCommand(`${view}.focus`),

  change: ({ text }) => vscode.extensions.getExtension("bench.bare").exports.change(text),

  /** Returns the memory of the host in bytes after a garbage collection. */
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
