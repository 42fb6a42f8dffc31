import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { panelKeys } from "../../src/message";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { contributes } = manifest;
const commands: { command: string; title: string }[] = contributes.commands;
const ids = new Set(commands.map(({ command }) => command));

test("menus and steps name commands that there are", () => {
  const menus: { command: string }[] = Object.values(contributes.menus).flat() as never;
  for (const { command } of menus) {
    assert.ok(ids.has(command), command);
  }
  for (const [, command = ""] of JSON.stringify(contributes).matchAll(/\(command:(workingMemory\.\w+)\)/g)) {
    assert.ok(ids.has(command), command);
  }
});

test("menus of rows, and of the space beside them, are those of the page of the panel", () => {
  const rows: { when: string }[] = contributes.menus["webview/context"];
  assert.ok(rows.length > 0);
  for (const { when } of rows) {
    assert.match(when, /^webviewId == 'workingMemory\.panel' && (?:workingMemoryRow =~ |!workingMemoryRow$)/);
  }
});

test("the keys of the panel are those of its page, and act only where it has the focus", () => {
  const bound: { key: string; mac?: string; command: string; when: string }[] = contributes.keybindings;
  assert.deepEqual(
    bound.map(({ key, command }) => [key, command]),
    Object.entries(panelKeys).map(([key, command]) => [key.toLowerCase(), `workingMemory.${command}`]),
  );
  // The editor hears late that the panel has lost the focus, but at once what else has it.
  for (const { key, mac = key, when } of bound) {
    assert.match(
      when,
      /^workingMemory\.panelFocus && !inputFocus && !editorTextFocus && !terminalFocus && !listFocus$/,
    );
    assert.equal(mac, key.replace("ctrl", "cmd"));
  }
});

test("every command has a name for those who do not see its icon", () => {
  for (const { command, title } of commands) {
    assert.ok(title.length > 0, command);
  }
});

test("every setting says what it is for", () => {
  for (const group of contributes.configuration) {
    for (const [name, setting] of Object.entries<Record<string, string>>(group.properties)) {
      assert.ok((setting.description ?? setting.markdownDescription ?? "").length > 10, name);
    }
  }
});

test("the files that the manifest names are there", () => {
  const media = contributes.walkthroughs[0].steps.map(
    (step: { media: { markdown: string } }) => step.media.markdown,
  );
  for (const file of [manifest.icon, contributes.viewsContainers.activitybar[0].icon, ...media]) {
    assert.ok(existsSync(file), file);
  }
});

test("it runs where the files are, and says what it does in folders that are virtual or not trusted", () => {
  const { virtualWorkspaces, untrustedWorkspaces } = manifest.capabilities;
  assert.deepEqual(manifest.extensionKind, ["workspace"]);
  assert.equal(virtualWorkspaces.supported, false);
  assert.equal(untrustedWorkspaces.supported, "limited");
  assert.ok(virtualWorkspaces.description && untrustedWorkspaces.description);
  const restricted: string[] = untrustedWorkspaces.restrictedConfigurations;
  for (const name of ["workingMemory.server.path", "workingMemory.root", "workingMemory.memory.maxEntries"]) {
    assert.ok(restricted.includes(name), name);
  }
  const settings = contributes.configuration.flatMap(({ properties }: { properties: object }) =>
    Object.keys(properties),
  );
  assert.deepEqual(
    restricted.filter((name) => !settings.includes(name)),
    [],
  );
});
