// What a person folded and opened in the panel, independent of VS Code.

/** Where it is kept: the state of the workspace in the editor. */
export interface Kept {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const key = "folds";

/** How many are kept: rows come and go, and those of the past are of no use. */
const most = 500;

/** The nodes that a person folded or opened, by id, and whether they are open. */
export class Folds {
  private readonly all: Map<string, boolean>;

  constructor(private readonly kept: Kept) {
    const said = kept.get(key);
    this.all = new Map(Array.isArray(said) ? said.filter(isFold) : []);
  }

  get(id: string): boolean | undefined {
    return this.all.get(id);
  }

  /** Folds or opens nodes, and keeps that. Of too many the oldest are dropped. */
  set(ids: readonly string[], open: boolean): void {
    for (const id of ids) {
      this.all.delete(id); // the latest is the last
      this.all.set(id, open);
    }
    for (const id of [...this.all.keys()].slice(0, -most)) {
      this.all.delete(id);
    }
    void this.kept.update(key, [...this.all]);
  }
}

function isFold(said: unknown): said is [string, boolean] {
  return Array.isArray(said) && typeof said[0] === "string" && typeof said[1] === "boolean";
}
