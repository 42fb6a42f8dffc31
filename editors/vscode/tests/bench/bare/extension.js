// The baseline: an extension with only a tree, with as many rows as the panel.
const vscode = require("vscode");

exports.activate = () => {
  const changed = new vscode.EventEmitter();
  const root = { id: "root", text: "rows" };
  const rows = Array.from({ length: Number(process.env.WM_BENCH_ROWS) }, (_, i) => ({
    id: `${i}`,
    text: `row ${i} `.padEnd(160, "as long as an entry is, "),
  }));
  const { Expanded, None } = vscode.TreeItemCollapsibleState;
  vscode.window.createTreeView("bare.tree", {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => (node === undefined ? [root] : node === root ? rows : []),
      getTreeItem: ({ id, text }) =>
        Object.assign(new vscode.TreeItem(text, id === "root" ? Expanded : None), { id }),
    },
  });
  return {
    /** Changes the text of the first row. */
    change: (text) => {
      rows[0].text = text;
      changed.fire(root);
    },
  };
};
