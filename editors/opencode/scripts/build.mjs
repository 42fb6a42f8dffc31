// Bundles the plugin into dist/index.js, and with --tests the tests into out/.
import { readdirSync, readFileSync, rmSync } from "node:fs";
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
  // The library of JSON-RPC is CommonJS and requires modules of Node.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
};

rmSync("dist", { recursive: true, force: true });
await build({ ...common, entryPoints: ["src/index.ts"], outfile: "dist/index.js" });

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
