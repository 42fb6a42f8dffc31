// The pages of the webviews: a policy that allows the scripts, styles and icons of the extension, and nothing else.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** Where a webview finds its script and its style. */
export function bundle(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, "dist");
}

/**
 * Fills a webview with a page that runs the script NAME.js and has the style NAME.css of the bundle. The script
 * finds the data in the dataset of the body.
 */
export function fill(
  webview: vscode.Webview,
  extension: vscode.Uri,
  page: { name: string; title: string; body: string; data?: string },
): void {
  const nonce = randomBytes(18).toString("base64");
  const address = (kind: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(bundle(extension), `${page.name}.${kind}`)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  webview.html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${page.title}</title>
<link rel="stylesheet" href="${address("css")}">
</head>
<body data-page="${escaped(page.data ?? "")}">
${page.body}
<script nonce="${nonce}" src="${address("js")}"></script>
</body>
</html>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

/** Returns a string as the value of an attribute. */
function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (character) => entities[character] ?? "");
}
