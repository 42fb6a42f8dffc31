// Bundles the extension and its webviews into dist/, and with --tests the tests into out/.
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, target: "es2023", logLevel: "warning", legalComments: "none" };
const node = { ...common, platform: "node", format: "cjs", external: ["vscode"] };

rmSync("dist", { recursive: true, force: true });
await build({ ...node, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true });
await build({
  ...common,
  entryPoints: ["view", "detail", "panel"].flatMap((name) => [`src/view/${name}.ts`, `src/view/${name}.css`]),
  outdir: "dist",
  minify: true,
  loader: { ".ttf": "file" }, // the icons
});

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
