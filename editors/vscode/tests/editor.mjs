// The real editor for the tests: code-server on the loopback interface, and Chromium as its client. It
// neither reads nor writes the user's own files.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** The folder into which test/install/vscode.sh installs the editor. */
export const installed = process.env.WM_TEST_VSCODE;

/** How long the editor may take for anything. It is long, so that no test depends on how busy the machine is. */
export const patience = Number(process.env.WM_TEST_PATIENCE ?? 300_000);

/** Waits for a condition, which may be asynchronous, and returns its value. */
export async function until(what, condition, within = patience) {
  const deadline = Date.now() + within;
  let last;
  for (;;) {
    try {
      const value = await condition();
      if (value) {
        return value;
      }
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      throw new Error(`waited ${within} ms in vain: ${what}${last === undefined ? "" : `\n${last.stack}`}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Packages the extension as for a release, with the program inside, but hardly compressed, into a folder. */
export function packageExtension(folder) {
  execFileSync(process.execPath, ["scripts/package.mjs", `linux-${process.arch}`], {
    cwd: path.dirname(import.meta.dirname),
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, WM_VSIX_DIR: folder, WM_VSIX_QUALITY: "1" },
  });
  return path.join(folder, fs.readdirSync(folder)[0]);
}

/** Starts a headless browser. It is not what is tested, so one that crashes at its start is started again. */
export async function launchBrowser() {
  const { chromium } = createRequire(path.join(installed, "playwright", "node_modules", "x"))(
    "playwright-core",
  );
  for (let left = 2; ; left--) {
    try {
      return await chromium.launch({
        executablePath: "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"].concat(
          "--disable-background-networking",
          "--disable-component-update",
        ),
        timeout: patience,
      });
    } catch (error) {
      if (left === 0) {
        throw error;
      }
    }
  }
}

/**
 * Settings that keep the editor quiet; the extension's settings are unchanged. None is in a form that the editor has
 * given up: it would write the file anew some seconds after its start, at the same time as a test may.
 */
const quiet = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": "off",
  "extensions.autoCheckUpdates": false,
  "update.mode": "none",
  "chat.disableAIFeatures": true,
  "workbench.enableExperiments": false,
  "workbench.reduceMotion": "on",
  "git.enabled": false,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
};

/** An editor with its own folders under `home`. */
export class Editor {
  constructor(home, { settings = {}, env = {}, trusted = true } = {}) {
    this.home = home;
    this.data = path.join(home, "editor");
    this.extensions = path.join(home, "extensions");
    this.trusted = trusted;
    this.env = { ...process.env, EXTENSIONS_GALLERY: "{}", ...env };
    this.settings = { ...quiet, "security.workspace.trust.enabled": !trusted, ...settings };
    this.configure({});
  }

  /** Changes the user's settings. */
  configure(settings) {
    Object.assign(this.settings, settings);
    // Machine settings, such as paths, are read from the second file.
    for (const place of ["User", "Machine"]) {
      fs.mkdirSync(path.join(this.data, place), { recursive: true });
      const file = path.join(this.data, place, "settings.json");
      fs.writeFileSync(`${file}.new`, JSON.stringify(this.settings));
      fs.renameSync(`${file}.new`, file); // the editor may read it at any time
    }
  }

  #folders() {
    return ["--user-data-dir", this.data, "--extensions-dir", this.extensions];
  }

  async install(vsix) {
    const program = path.join(installed, "bin", "code-server");
    const child = spawn(program, [...this.#folders(), "--install-extension", vsix], { env: this.env });
    let out = "";
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (out += data));
    const [code] = await once(child, "close");
    if (code !== 0) {
      throw new Error(`the extension cannot be installed:\n${out}`);
    }
  }

  /** Starts the editor, and stops it when `run` has returned. */
  async use(run) {
    const file = path.join(this.home, "editor.log");
    const log = fs.openSync(file, "a");
    const { size: before } = fs.fstatSync(log);
    // It takes a port that is free, and says which.
    const args = ["--auth", "none", "--bind-addr", "127.0.0.1:0", ...this.#folders(), "--disable-telemetry"];
    args.push("--disable-update-check", "--disable-getting-started-override");
    // On a busy machine a window that is reloaded may be gone before it says so. Without this its extension host, and
    // with it its server, would run for five more minutes in case that it connects again.
    args.push("--reconnection-grace-time", "1");
    if (this.trusted) {
      args.push("--disable-workspace-trust");
    }
    const program = path.join(installed, "bin", "code-server");
    // A process group of its own, so that all its children can be killed with it.
    const server = spawn(program, args, { env: this.env, detached: true, stdio: ["ignore", log, log] });
    const interrupted = () => {
      process.kill(-server.pid, "SIGKILL");
      process.exit(1);
    };
    process.once("SIGINT", interrupted);
    let browser;
    try {
      this.authority = await until("the editor listening", () => {
        const said = fs.readFileSync(file).toString("utf8", before);
        return /listening on http:\/\/([\d.:]+)\//.exec(said)?.[1];
      });
      browser = await launchBrowser();
      return await run(browser);
    } finally {
      process.off("SIGINT", interrupted);
      await browser?.close();
      const ended = once(server, "exit");
      try {
        process.kill(-server.pid, "SIGTERM");
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000))]);
        process.kill(-server.pid, "SIGKILL");
      } catch {
        // it has already exited
      }
      fs.closeSync(log);
    }
  }
}

/** The pixels of a PNG with 8 bits per channel, RGB or RGBA, as browsers write it. */
export class Picture {
  static async of(page, clip) {
    return new Picture(await page.screenshot({ clip, animations: "disabled", caret: "hide" }));
  }

  constructor(png) {
    const { inflateSync } = createRequire(import.meta.url)("node:zlib");
    this.width = png.readUInt32BE(16);
    this.height = png.readUInt32BE(20);
    this.channels = png[25] === 6 ? 4 : 3;
    const parts = [];
    for (let at = 8; at < png.length; ) {
      const length = png.readUInt32BE(at);
      if (png.toString("latin1", at + 4, at + 8) === "IDAT") {
        parts.push(png.subarray(at + 8, at + 8 + length));
      }
      at += length + 12;
    }
    this.#unfilter(inflateSync(Buffer.concat(parts)));
  }

  #unfilter(raw) {
    const { width, height, channels } = this;
    const stride = width * channels;
    this.bytes = Buffer.alloc(stride * height);
    for (let y = 0; y < height; y++) {
      const filter = raw[y * (stride + 1)];
      for (let x = 0; x < stride; x++) {
        const left = x >= channels ? this.bytes[y * stride + x - channels] : 0;
        const up = y > 0 ? this.bytes[(y - 1) * stride + x] : 0;
        const corner = x >= channels && y > 0 ? this.bytes[(y - 1) * stride + x - channels] : 0;
        const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
        this.bytes[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
      }
    }
  }

  /** Counts the pixels of each color, the most frequent first. */
  colors() {
    const counts = new Map();
    for (let at = 0; at < this.bytes.length; at += this.channels) {
      const color = (this.bytes[at] << 16) | (this.bytes[at + 1] << 8) | this.bytes[at + 2];
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]);
  }

  /** Returns the contrast of the lightest and the darkest pixel. */
  contrast() {
    return contrast(...this.colors().map(([color]) => color));
  }
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Returns the WCAG contrast of the lightest and the darkest of the colors. */
export function contrast(...colors) {
  const lights = colors.map(luminance);
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
}

/** Returns the relative luminance of a color. */
export function luminance(color) {
  const [red, green, blue] = [color >> 16, (color >> 8) & 255, color & 255].map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
