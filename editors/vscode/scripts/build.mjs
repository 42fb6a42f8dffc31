// Bundles the extension and its webview into dist/, and with --tests the tests into out/.
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, target: "es2023", logLevel: "warning", legalComments: "none" };
const node = { ...common, platform: "node", format: "cjs", external: ["vscode"] };

rmSync("dist", { recursive: true, force: true });
await build({ ...node, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true });
await build({ ...common, entryPoints: ["src/view/main.ts"], outfile: "dist/view.js", minify: true });
await build({ ...common, entryPoints: ["src/view/detail.ts"], outfile: "dist/detail.js", minify: true });
copyFileSync("src/view/view.css", "dist/view.css");
copyFileSync("src/view/detail.css", "dist/detail.css");

if (process.argv.includes("--tests")) {
  rmSync("out", { recursive: true, force: true });
  const unit = readdirSync("tests/unit").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...node,
    entryPoints: unit.map((name) => `tests/unit/${name}`),
    outdir: "out/unit",
    sourcemap: "inline",
  });
  await build({ ...node, entryPoints: ["tests/host/index.ts"], outfile: "out/host.js", sourcemap: "inline" });
}
