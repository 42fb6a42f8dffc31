// The webview view: how full an agent's context is, what it consists of, and its text.
import * as vscode from "vscode";
import { reasonOf } from "./actions";
import type { ContextPicture, FromView, ToView } from "./message";
import { Once } from "./once";
import type { Server } from "./server";
import { namesOf, type Sessions } from "./sessions";
import { grouped, leftOut, line, lines } from "./text";
import { bundle, fill } from "./webview";
import type { ContextParams, ContextResult, Pressure, Session } from "./wire";

const body = `<p id="sentence" role="status">Asking the server …</p>
<main id="picture" hidden>
<label id="whose" hidden>Session <select id="session"></select></label>
<section aria-labelledby="usage-title">
<h2 id="usage-title">Usage over time</h2>
<div id="usage"></div>
</section>
<section id="window" aria-labelledby="window-title" hidden>
<h2 id="window-title"></h2>
<div id="window-bar" class="bar" role="img"></div>
<table id="window-parts"><tbody></tbody></table>
</section>
<section aria-labelledby="parts-title">
<h2 id="parts-title"></h2>
<div id="bar" class="bar" role="img"></div>
<table id="parts"><thead><tr><th scope="col">Section</th><th scope="col">Tokens</th></tr></thead><tbody></tbody></table>
</section>
<section aria-labelledby="text-title">
<h2 id="text-title"></h2>
<pre id="text" tabindex="0"></pre>
</section>
</main>`;

export class ContextView implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly once = new Once(() => this.paint());
  private readonly subscriptions: vscode.Disposable[];
  private view: vscode.WebviewView | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
    private readonly sessions: Sessions,
  ) {
    this.subscriptions = [
      vscode.window.registerWebviewViewProvider("workingMemory.context", this),
      server.onDidChange(() => this.later()),
      server.onDidChangeState(() => this.later()),
      sessions.onDidChange(() => this.later()),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: [bundle(this.extension)],
    };
    view.webview.onDidReceiveMessage((message: FromView) => {
      if (message.type === "session" && typeof message.id === "string") {
        this.sessions.choose(message.id);
      }
      this.once.call();
    });
    view.onDidChangeVisibility(() => this.later());
    view.onDidDispose(() => {
      this.view = undefined;
    });
    fill(view.webview, this.extension, { name: "view", title: "Context of the agent", body });
  }

  private later(): void {
    if (this.view?.visible === true) {
      this.once.soon();
    }
  }

  private async paint(): Promise<void> {
    const view = this.view;
    if (view?.visible === true) {
      await view.webview.postMessage(await this.message());
    }
  }

  private async message(): Promise<ToView> {
    if (this.server.state.kind !== "running") {
      return { type: "sentence", text: line(this.server.problem) || "The server is starting …" };
    }
    const { workspace } = this.sessions.params;
    if (workspace === undefined) {
      return {
        type: "sentence",
        text: "Open a folder to show here the context that an agent would get.",
      };
    }
    try {
      const sessions = await this.sessions.list();
      const context = await this.server.request("wm/context", preview(workspace, sessions[0]));
      return { type: "picture", picture: picture(context, sessions) };
    } catch (error) {
      return { type: "sentence", text: reasonOf(error) };
    }
  }

  dispose(): void {
    this.once.dispose();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}

/** The params of a preview of a session's context, which changes nothing. */
export function preview(workspace: string | undefined, session: Session | undefined): ContextParams {
  return {
    preview: true,
    ...(workspace !== undefined && { workspace }),
    ...(session !== undefined && { sessionId: session.sessionId }),
  };
}

/** The context of the first session in the form that the webview draws. */
export function picture(context: ContextResult, sessions: Session[]): ContextPicture {
  const names = namesOf(sessions);
  return {
    sessions: sessions.map(({ sessionId: id }, i) => ({ id, name: names[i] ?? "" })),
    chosen: sessions[0]?.sessionId ?? "",
    tokens: context.tokens ?? 0,
    chars: context.chars ?? 0,
    parts: (context.sections ?? [])
      .filter(({ tokens }) => tokens > 0)
      .map(({ label, tokens, omitted, omittedMore }) => ({
        label: line(label, 40),
        tokens,
        omitted: leftOut(omitted, omittedMore),
      })),
    text: lines(context.text),
    ...usageOf(context.pressure),
    ...windowOf(context),
  };
}

function usageOf(
  pressure: Pressure | undefined,
): Pick<ContextPicture, "usage" | "level" | "used" | "advice"> {
  if (pressure === undefined || pressure.limit === 0) {
    return { usage: [], level: "", used: "", advice: "" };
  }
  return {
    usage: pressure.history
      .map(({ at, percentage }) => ({ at: Date.parse(at), percentage }))
      .filter(({ at }) => !Number.isNaN(at)),
    level: line(pressure.level, 20),
    used: `${grouped(pressure.used)} of ${grouped(pressure.limit)} ${line(pressure.unit, 20)}`,
    advice: line(pressure.advice),
  };
}

/** What the agent's window holds, as far as its host reports it. */
function windowOf({ pressure, window: parts }: ContextResult): Pick<ContextPicture, "window"> {
  if (pressure === undefined || parts === undefined) {
    return {};
  }
  const shown = parts.map(({ id, label, size }) => ({ id: line(id, 20), label: line(label, 60), size }));
  return { window: { parts: shown, unit: line(pressure.unit, 20) } };
}
