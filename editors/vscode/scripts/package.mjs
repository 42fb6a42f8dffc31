// Writes one .vsix per platform, with the server's program inside, compressed: src/unpack.ts unpacks it.
// usage: node scripts/package.mjs [all | PLATFORM...]     such as linux-x64; without arguments, this one
// WM_VSIX_DIR is the folder for them instead of out, WM_VSIX_QUALITY the quality of the compression, 1 to 11. Tests
// that do not look at the size use 1, which takes a second instead of half a minute.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

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

/** Replaces a program in the folder bin by its compressed form, and a file that says what it is. */
function compress(name) {
  const program = readFileSync(join("bin", name));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: Number(process.env.WM_VSIX_QUALITY ?? 10),
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, // 16 MB, which saves a hundredth
    [constants.BROTLI_PARAM_SIZE_HINT]: program.length,
  };
  const content = { size: program.length, sha256: createHash("sha256").update(program).digest("hex") };
  writeFileSync(join("bin", "wm-lsp.br"), brotliCompressSync(program, { params }));
  writeFileSync(join("bin", "wm-lsp.json"), JSON.stringify(content));
  rmSync(join("bin", name));
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
  compress(os === "windows" ? "wm-lsp.exe" : "wm-lsp");
  const file = join(out, `wm-lsp-${version}-${platform}.vsix`);
  run(process.execPath, [vsce, "package", "--no-dependencies", "--target", platform, "--out", file]);
}
rmSync("bin", { recursive: true, force: true });
