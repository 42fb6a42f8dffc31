// The plugin of OpenCode: one wm-lsp process for each folder that OpenCode works in.
import { isMainThread } from "node:worker_threads";
import type { Config, Hooks, PluginInput, PluginModule, PluginOptions } from "@opencode-ai/plugin";
import type { Intervention } from "../../vscode/src/wire";
import { hooksOf, Mapping, mcpName, uses } from "./plugin";
import { type Level, Server } from "./server";
import { methodNames } from "./tools";

declare const PLUGIN_VERSION: string;

/** The title of messages to a person. */
const title = "Working memory";

/** The options of the plugin, in OpenCode's configuration. */
interface Options {
  /** The program and its arguments; wm-lsp on the PATH by default. */
  command: string[];
  /** Whether the agent gets the tools, over MCP. */
  mcp: boolean;
}

function read(options: PluginOptions | undefined): Options {
  const command = options?.command;
  const words = Array.isArray(command) ? command : [command];
  return {
    command: words.every((word) => typeof word === "string" && word !== "")
      ? (words as string[])
      : ["wm-lsp"],
    mcp: options?.mcp !== false,
  };
}

const shared = globalThis as { wmLspServing?: Map<string, string> };
shared.wmLspServing ??= new Map();

/** The file of the plugin that serves a folder, by folder: one process may load several copies. */
const serving = shared.wmLspServing;

async function server({ client, directory }: PluginInput, given?: PluginOptions): Promise<Hooks> {
  if ((serving.get(directory) ?? import.meta.url) !== import.meta.url) {
    return {}; // installed twice, for example for the user and in the project
  }
  serving.set(directory, import.meta.url);
  const options = read(given);
  const log = (level: Level, message: string) => {
    client.app.log({ body: { service: "wm-lsp", level, message } }).catch(() => {});
  };
  const tell = (message: string, variant: "info" | "warning") => {
    client.tui.showToast({ body: { title, message, variant, duration: 10_000 } }).catch(() => {});
    if (isMainThread) {
      process.stderr.write(`${title}: ${message}\n`); // the TUI runs its server in a worker
    }
  };
  const memory = new Server({
    command: options.command,
    directory,
    version: PLUGIN_VERSION,
    toolNames: options.mcp ? toolNames() : {},
    uses,
    log,
    tell: (message) => tell(message, "warning"),
    notified: (method, params) => {
      if (method === "wm/intervention") {
        mapping.intervene(params as Intervention).catch((error) => log("warn", `intervention: ${error}`));
      }
    },
  });
  const mapping = new Mapping(memory, { client, directory, log, tell });
  void mapping.begin();
  return {
    ...hooksOf(mapping, log),
    config: async (config) => {
      mapping.configured(config as { compaction?: { auto?: boolean } });
      if (options.mcp) {
        addTools(config, options.command);
      }
    },
  };
}

/** The names by which the agent calls methods, by method. */
function toolNames(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(methodNames).map(([method, name]) => [method, `${mcpName}_${name}`]),
  );
}

/** The arguments of the MCP server. The hooks name the session in each call. */
const tools = ["mcp", "--tools", "all", "--named-sessions"];

/** Offers the tools to the agent, unless the configuration has a server of that name. */
function addTools(config: Config, command: readonly string[]): void {
  config.mcp ??= {};
  config.mcp[mcpName] ??= { type: "local", command: [...command, ...tools], enabled: true };
}

export default { id: "wm-lsp", server } satisfies PluginModule;
