// The connection to the server: finds it, starts it, and restarts it when it crashes.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  type Middleware,
  ResponseError,
  RevealOutputChannelOn,
  ShowMessageNotification,
  ShowMessageRequest,
  type StaticFeature,
} from "vscode-languageclient";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { check, find } from "./binary";
import { Looks } from "./looks";
import { Restarts } from "./restarts";
import { serverKeys, serverSettings } from "./settings";
import { line, plain } from "./text";
import type { Changed, Methods, ServerCapability } from "./wire";

/** The version of the wm/* methods that this extension speaks. */
const protocolVersion = 1;

/** Larger files are not sent to the server, which would not track them. */
const maxDocumentChars = 1024 * 1024;

/** How long a server may take to exit that has not responded to another request in time, in milliseconds. */
const silentMillis = 2000;

/** Shown when the server takes too long. */
const doesNotAnswer = "The server does not respond.";

/** The state of the server. */
export type State =
  | { kind: "stopped" }
  | { kind: "starting" }
  | { kind: "running"; version: string; program: string; from: string }
  /** `isOther`: the program runs, but is of another version than the extension in this window. */
  | { kind: "failed"; problem: string; isOther: boolean };

/** Runs a command of the server. */
export type RunCommand = (name: string, args: unknown[]) => Thenable<unknown>;

/** The library's client without its toasts. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    // What failed is told as a sentence; the library would log an error with its stack.
    super.error(data instanceof Error ? `${message} ${line(data.message)}` : message, undefined, false);
  }
}

const experimental: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { ...capabilities.experimental, workingMemory: { notifications: true } };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};

/** A started server. */
interface Run {
  client: QuietClient;
  process: ChildProcessWithoutNullStreams | undefined;
  /** Rejects when the server is dropped. The library does not settle pending requests then. */
  gone: Promise<never>;
  leave: () => void;
}

export class Server implements vscode.Disposable {
  private readonly stateEmitter = new vscode.EventEmitter<State>();
  private readonly changedEmitter = new vscode.EventEmitter<Changed>();
  private readonly silenceEmitter = new vscode.EventEmitter<void>();
  private readonly restarts = new Restarts();
  private current: State = { kind: "stopped" };
  private run: Run | undefined;
  private readonly keys: readonly string[];
  private startSettings: StartSettings | undefined;
  private isSilent = false;
  /** Counts starts; events of earlier servers are ignored. */
  private generation = 0;
  /** Files that the editor is renaming. They are reported as renamed, not as deleted. */
  private readonly renaming = new Set<string>();
  private readonly renames = vscode.Disposable.from(
    vscode.workspace.onWillRenameFiles(({ files }) => {
      for (const { oldUri } of files) {
        this.renaming.add(oldUri.toString());
      }
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri } of files) {
        this.renaming.delete(oldUri.toString());
      }
    }),
  );
  private readonly looks = new Looks();
  /** Settles when all stopped servers have exited. */
  private ended: Promise<unknown> = Promise.resolve();

  readonly onDidChangeState = this.stateEmitter.event;
  /** Fires when the server stops responding, or responds again. */
  readonly onDidChangeSilence = this.silenceEmitter.event;
  /** Fires when the server reports a change. */
  readonly onDidChange = this.changedEmitter.event;

  /** Runs a command of the server; may ask the user first. */
  executeCommand: (name: string, args: unknown[], run: RunCommand) => Thenable<unknown> = (name, args, run) =>
    run(name, args);

  constructor(
    private readonly extension: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
  ) {
    this.keys = serverKeys(extension.extension.packageJSON);
  }

  get state(): State {
    return this.current;
  }

  /** The id of the server's process, if it runs. */
  get pid(): number | undefined {
    return this.run?.process?.pid;
  }

  private enter(state: State): void {
    this.current = state;
    this.stateEmitter.fire(state);
  }

  private fail(problem: string, isOther = false): void {
    this.log.error(problem);
    this.enter({ kind: "failed", problem, isOther });
  }

  /** Starts the server. Errors become a state. */
  async start(): Promise<void> {
    const start = ++this.generation;
    this.enter({ kind: "starting" });
    await this.ended; // an earlier one may still have registrations
    if (start !== this.generation) {
      return;
    }
    this.startSettings = startSettings();
    const { path: setting, logLevel, timeout } = this.startSettings;
    const found = await find({
      setting,
      extension: this.extension.extensionPath,
      storage: this.extension.globalStorageUri.fsPath,
      env: process.env,
      platform: process.platform,
    });
    if (start !== this.generation) {
      return;
    }
    if ("problem" in found) {
      return this.fail(found.problem);
    }
    const checked = await check(found.path, timeout);
    if (start !== this.generation) {
      return;
    }
    if ("problem" in checked) {
      return this.fail(checked.problem);
    }
    const args = ["--log-level", logLevel];
    this.log.info(`${found.path} (${found.from}), version ${checked.version}`);
    const problem = await this.connect(start, found.path, args, timeout);
    if (start !== this.generation) {
      return;
    }
    if (problem !== undefined) {
      this.drop();
      return this.fail(problem);
    }
    const offered = capability(this.run?.client);
    if (offered?.version !== protocolVersion) {
      this.stop();
      return this.fail(
        `wm-lsp ${checked.version} uses another version of the protocol. Reload this window if the extension was updated; else update both.`,
        true,
      );
    }
    this.enter({
      kind: "running",
      version: checked.version,
      program: found.path,
      from: found.from,
    });
  }

  /**
   * Connects to the program. Returns a problem as a sentence, or nothing, also if the server crashed and is
   * restarted.
   */
  private async connect(
    start: number,
    path: string,
    args: string[],
    timeout: number,
  ): Promise<string | undefined> {
    const { promise: gone, reject } = Promise.withResolvers<never>();
    gone.catch(() => {}); // it may have no handler
    const leave = () => reject(new Error("The server has exited; try again."));
    const run: Run = { client: this.newClient(start, path, args), process: undefined, gone, leave };
    this.run = run;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, timeout, `${doesNotAnswer} See the log.`);
    });
    const started = run.client.start().then(
      () => undefined,
      (error: unknown) => {
        if (run.process?.pid !== undefined && !(error instanceof ResponseError)) {
          return late; // the exit is handled elsewhere
        }
        return `The server cannot be started: ${line(String(error), 200)}`;
      },
    );
    const problem = await Promise.race([started, late]);
    clearTimeout(timer);
    return problem;
  }

  private newClient(start: number, path: string, args: string[]): QuietClient {
    const client = new QuietClient(
      "wm",
      "Working Memory",
      () => this.spawn(start, path, args),
      this.clientOptions(start),
    );
    client.registerFeature(experimental);
    client.onNotification("wm/changed", (params: Changed) => {
      if (start === this.generation) {
        this.changedEmitter.fire(params);
      }
    });
    const say = ({ message }: { message: string }) => {
      vscode.window.setStatusBarMessage(`Working Memory: ${plain(message)}`, 5000);
    };
    client.onNotification(ShowMessageNotification.type, say);
    client.onRequest(ShowMessageRequest.type, async (message) => {
      const actions = message.actions ?? [];
      if (actions.length === 0) {
        say(message);
        return null;
      }
      const titles = actions.map((action) => action.title);
      const chosen = await vscode.window.showInformationMessage(plain(message.message), ...titles);
      return actions.find((action) => action.title === chosen) ?? null;
    });
    return client;
  }

  private spawn(start: number, path: string, args: string[]): Promise<ChildProcessWithoutNullStreams> {
    const child = spawn(path, args, { stdio: "pipe", windowsHide: true });
    if (this.run !== undefined && start === this.generation) {
      this.run.process = child;
    }
    child.on("exit", (code, signal) => {
      this.log.info(`the server exited (${signal ?? `exit code ${code}`})`);
      this.hasEnded(start);
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", () => resolve(child));
      child.once("error", reject);
    });
  }

  private clientOptions(start: number): LanguageClientOptions {
    const { looks } = this;
    looks.clear();
    return {
      documentSelector: [{ scheme: "file" }],
      outputChannel: this.log,
      stdioOptions: { stdout: () => {}, stderr: logLines },
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { ...serverSettings(this.keys), settingsPrefix: "workingMemory." },
      textSynchronization: { delayOpenNotifications: true },
      markdown: { isTrusted: false, supportHtml: false },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.hasEnded(start);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      initializationFailedHandler: () => false,
      middleware: {
        ...this.textSync(),
        provideHover: async (document, position, token, next) => {
          return (await looks.openInTab(document)) ? next(document, position, token) : null;
        },
        executeCommand: (name, args, run) =>
          this.executeCommand(name, args, async (name, args) => run(name, args)),
        workspace: {
          didChangeWatchedFile: async (event, next) => {
            if (!this.renaming.has(event.uri)) {
              await next(event);
            }
          },
          configuration: (params) =>
            params.items.map(({ section, scopeUri }) =>
              section === "wm"
                ? serverSettings(this.keys, scopeUri === undefined ? undefined : vscode.Uri.parse(scopeUri))
                : null,
            ),
        },
        window: {
          showDocument: async (params, _token, next) =>
            params.external === true || !params.uri.startsWith("file:")
              ? { success: false }
              : next(params, _token),
        },
      },
    };
  }

  /** Sends a document once the user looks at it, and none that is too large. */
  private textSync(): Middleware {
    const tooLarge = new Set<string>();
    const key = (document: vscode.TextDocument) => document.uri.toString();
    const { looks } = this;
    return {
      didOpen: async (document, next) => {
        if (document.getText().length > maxDocumentChars) {
          tooLarge.add(key(document));
          return;
        }
        if (document.isDirty) {
          await next(document);
        } else {
          looks.wait(document, () => next(document));
        }
      },
      didChange: async (event, next) => {
        const { document } = event;
        const isKnown = !looks.has(document);
        if (!isKnown && document.isDirty) {
          await looks.open(document); // with the text after the change
        } else if (isKnown && !tooLarge.has(key(document))) {
          await next(event);
        }
      },
      didSave: async (document, next) => {
        if (!tooLarge.has(key(document)) && !looks.has(document)) {
          await next(document);
        }
      },
      didClose: async (document, next) => {
        if (!tooLarge.delete(key(document)) && !looks.close(document)) {
          await next(document);
        }
      },
    };
  }

  /** Handles an unrequested exit: restarts the server unless it crashed too often. */
  private hasEnded(start: number): void {
    if (start !== this.generation) {
      return;
    }
    this.drop();
    if (!this.restarts.allow()) {
      this.fail("The server keeps exiting. See the log.");
      return;
    }
    void this.start();
  }

  /** Kills what is left of a server and ignores its exit. */
  private drop(): void {
    this.run?.process?.kill("SIGKILL");
    this.stop();
  }

  /** Stops the server as the protocol demands, by force if it does not exit. */
  private stop(): void {
    this.generation++;
    const run = this.run;
    this.run = undefined;
    const patience = this.isSilent ? silentMillis : timeoutMillis();
    this.tellSilence(false);
    if (run !== undefined) {
      run.leave();
      const end = run.client.dispose(patience).then(
        () => exit(run.process, patience),
        () => {}, // it has not responded
      );
      this.ended = Promise.all([this.ended, end.then(() => run.process?.kill("SIGKILL"))]);
    }
  }

  /** Restarts the server, also one that has failed. */
  async restart(): Promise<void> {
    this.restarts.clear();
    this.stop();
    await this.start();
  }

  /** Restarts the server if the settings have changed with which it is started. One may be changed and overridden. */
  async restartIfOutdated(): Promise<void> {
    if (!isDeepStrictEqual(startSettings(), this.startSettings)) {
      await this.restart();
    }
  }

  /** Calls a method. Rejects with a sentence if it fails or no server runs. */
  request<M extends keyof Methods>(
    method: M,
    params: Methods[M]["params"],
    token?: vscode.CancellationToken,
  ): Promise<Methods[M]["result"]> {
    return this.call(method, params, token) as Promise<Methods[M]["result"]>;
  }

  /** Calls a method whose types are unknown here, such as that of an action. */
  async call(method: string, params: object, token?: vscode.CancellationToken): Promise<unknown> {
    const run = this.run;
    if (run === undefined || this.current.kind !== "running") {
      throw new Error(this.current.kind === "failed" ? this.current.problem : "The server is not running.");
    }
    // The library would send an undefined token as a second parameter.
    const rest = token === undefined ? [] : [token];
    const answer = run.client.sendRequest(method, params, ...rest);
    return Promise.race([answer, run.gone, this.patience(run, answer)]);
  }

  /** Rejects if a response takes too long. The server then counts as silent until it responds to any request. */
  private patience(run: Run, answer: Promise<unknown>): Promise<never> {
    return new Promise((_, reject) => {
      const timer = setTimeout(() => {
        if (run === this.run) {
          this.tellSilence(true);
        }
        reject(new Error(`${doesNotAnswer} Restart it or try again.`));
      }, timeoutMillis());
      const answered = () => {
        clearTimeout(timer);
        if (run === this.run) {
          this.tellSilence(false);
        }
      };
      answer.then(answered, answered);
    });
  }

  private tellSilence(silent: boolean): void {
    if (silent !== this.isSilent) {
      this.isSilent = silent;
      this.silenceEmitter.fire();
    }
  }

  /** The problem of the server as a sentence; empty if there is none. */
  get problem(): string {
    if (this.current.kind === "failed") {
      return this.current.problem;
    }
    return this.isSilent ? doesNotAnswer : "";
  }

  /** Sends a notification; without a server it is dropped. */
  notify<M extends keyof Methods>(method: M, params: Methods[M]["params"]): void {
    if (this.current.kind === "running") {
      this.run?.client
        .sendNotification(method, params)
        .catch((error: unknown) => this.log.warn(String(error)));
    }
  }

  /** Tells the server that its settings changed; it then requests them. */
  reconfigure(): void {
    if (this.current.kind === "running") {
      void this.run?.client.sendNotification("workspace/didChangeConfiguration", { settings: null });
    }
  }

  async dispose(): Promise<void> {
    this.renames.dispose();
    this.looks.dispose();
    this.stop();
    await this.ended;
  }
}

/**
 * Logs the server's log lines at their own level; debug lines count as info, because the server's log level
 * is a setting.
 */
function logLines(input: Readable, log: vscode.LogOutputChannel): void {
  createInterface(input).on("line", (said) => {
    switch (/\blevel=(\w+)/.exec(said)?.[1]) {
      case "DEBUG":
      case "INFO":
        return log.info(said);
      case "WARN":
        return log.warn(said);
      default:
        return log.error(said);
    }
  });
}

/** Settles when the process has exited, or has taken too long. */
function exit(process: ChildProcessWithoutNullStreams | undefined, within: number): Promise<void> {
  if (process === undefined || process.exitCode !== null || process.signalCode !== null) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, within);
    process.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The settings with which the server is started. */
interface StartSettings {
  path: string;
  logLevel: string;
  /** In milliseconds. */
  timeout: number;
}

function startSettings(): StartSettings {
  const settings = vscode.workspace.getConfiguration("workingMemory");
  const logLevel = settings.get<string>("server.logLevel", "info");
  return { path: pathSetting().trim(), logLevel, timeout: timeoutMillis() };
}

/** How long the server may take to respond. */
function timeoutMillis(): number {
  return vscode.workspace.getConfiguration("workingMemory").get<number>("server.timeoutSeconds", 10) * 1000;
}

/** The setting of the path. A folder's value counts only if the folder is trusted. */
function pathSetting(): string {
  const settings = vscode.workspace.getConfiguration("workingMemory");
  if (vscode.workspace.isTrusted) {
    return settings.get<string>("server.path", "");
  }
  return settings.inspect<string>("server.path")?.globalValue ?? "";
}

function capability(client: QuietClient | undefined): ServerCapability | undefined {
  const given: unknown = client?.initializeResult?.capabilities.experimental;
  const offered = (given as { workingMemory?: ServerCapability } | undefined)?.workingMemory;
  return typeof offered === "object" && Array.isArray(offered.methods) ? offered : undefined;
}
