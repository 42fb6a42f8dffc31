// Bundles the plugin into dist/index.js, and with --tests the tests into out/.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const common = {
  bundle: true,
  target: "es2023",
  platform: "node",
  format: "esm",
  logLevel: "warning",
  legalComments: "none",
  define: { PLUGIN_VERSION: JSON.stringify(version) },
};

// The file is replaced at once: an OpenCode that starts meanwhile reads the old one or the new one.
const { outputFiles } = await build({ ...common, entryPoints: ["src/index.ts"], write: false });
mkdirSync("dist", { recursive: true });
writeFileSync(`dist/.index-${process.pid}.js`, outputFiles[0].contents);
renameSync(`dist/.index-${process.pid}.js`, "dist/index.js");

if (process.argv.includes("--tests")) {
  rmSync("out", { recursive: true, force: true });
  const unit = readdirSync("tests/unit").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: unit.map((name) => `tests/unit/${name}`),
    outdir: "out/unit",
    outExtension: { ".js": ".mjs" },
    sourcemap: "inline",
  });
}
