// Writes one .vsix per platform, with the server's program inside.
// usage: node scripts/package.mjs [all | PLATFORM...]     such as linux-x64; without arguments, this one
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The platform names of VS Code and of Go. */
const platforms = {
  "linux-x64": ["linux", "amd64"],
  "linux-arm64": ["linux", "arm64"],
  "darwin-x64": ["darwin", "amd64"],
  "darwin-arm64": ["darwin", "arm64"],
  "win32-x64": ["windows", "amd64"],
  "win32-arm64": ["windows", "arm64"],
};

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const named = process.argv.length > 2 ? process.argv.slice(2) : [`${process.platform}-${process.arch}`];
const wanted = named[0] === "all" ? Object.keys(platforms) : named;
const unknown = wanted.filter((platform) => !(platform in platforms));
if (unknown.length > 0) {
  console.error(`there is no platform ${unknown.join(", ")}; there are ${Object.keys(platforms).join(", ")}`);
  process.exit(2);
}

function run(program, args, env = {}) {
  execFileSync(program, args, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
}

run(process.execPath, ["scripts/build.mjs"]);
const out = process.env.WM_VSIX_DIR ?? "out";
mkdirSync(out, { recursive: true });
const vsce = join("node_modules", "@vscode", "vsce", "vsce");
for (const platform of wanted) {
  const [os, architecture] = platforms[platform];
  rmSync("bin", { recursive: true, force: true });
  const linked = `-s -w -X main.version=${version}`;
  const build = [
    "build",
    "-tags",
    "nethttpomithttp2",
    "-trimpath",
    "-buildvcs=false",
    "-ldflags",
    linked,
    "-o",
    "bin/",
    "../../cmd/wm-lsp",
  ];
  run("go", build, { CGO_ENABLED: "0", GOOS: os, GOARCH: architecture });
  const file = join(out, `wm-lsp-${version}-${platform}.vsix`);
  run(process.execPath, [vsce, "package", "--no-dependencies", "--target", platform, "--out", file]);
}
rmSync("bin", { recursive: true, force: true });
