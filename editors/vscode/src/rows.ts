// The rows of the panel, independent of VS Code: what is written on each, and what has changed.
import { isDeepStrictEqual } from "node:util";
import type { Change, Color, Row } from "./message";
import { actionsOf, type ItemNode, menuOf, type Node, type SectionNode } from "./nodes";
import { line } from "./text";
import type { PanelAction, PanelItem } from "./wire";

const severities: Readonly<Record<number, Color>> = { 1: "error", 2: "warning", 3: "notice", 4: "good" };

const tints: ReadonlySet<string> = new Set(["blue", "green", "purple", "yellow"] satisfies Color[]);

/** Says of a node by its id whether a person opened or folded it. */
export interface Opened {
  get(id: string): boolean | undefined;
}

/** Makes the rows of nodes. What was made of an item is kept as long as the item. */
export class Rows {
  private readonly made = new WeakMap<PanelItem, Row>();

  /** `known` are the names of the actions that the manifest has in its menus. */
  constructor(private readonly known: ReadonlySet<string>) {}

  /** The rows that are shown: all but those below a closed one. `folds` are the nodes that were opened or closed. */
  of(nodes: readonly Node[], folds: Opened): Row[] {
    const rows: Row[] = [];
    const add = (siblings: readonly Node[], level: number) => {
      for (const node of siblings) {
        const open = node.children.length > 0 ? isOpen(node, folds) : undefined;
        rows.push(this.row(node, level, open));
        if (open === true) {
          add(node.children, level + 1);
        }
      }
    };
    add(nodes, 1);
    return rows;
  }

  private row(node: Node, level: number, open: boolean | undefined): Row {
    if (node.kind !== "item") {
      return rowOf(node, level, open, this.known);
    }
    const before = this.made.get(node.item);
    if (before?.id === node.id && before.level === level && before.open === open) {
      return before;
    }
    const row = rowOf(node, level, open, this.known);
    this.made.set(node.item, row);
    return row;
  }
}

function rowOf(node: Node, level: number, open: boolean | undefined, known: ReadonlySet<string>): Row {
  const row: Row = { id: node.id, kind: node.kind, level, menu: menuOf(node, known), ...look(node) };
  const actions = actionsOf(node).filter(({ inline }) => inline === true);
  if (actions.length > 0) {
    row.actions = actions.map(({ title, icon }) => ({ title: line(title, 60), icon: iconOf(icon) }));
  }
  if (open !== undefined) {
    row.open = open;
  }
  return row;
}

function isOpen(node: Node, folds: Opened): boolean {
  return folds.get(node.id) ?? ((node.kind === "section" || node.kind === "item") && node.open);
}

/** Returns the name of an icon; the font has one for each that is a name. */
function iconOf(icon: string | undefined): string {
  return icon !== undefined && /^[a-z0-9-]+$/.test(icon) ? icon : "circle-small";
}

function look(node: Node): Pick<Row, "label"> & Partial<Row> {
  switch (node.kind) {
    case "section":
      return sectionLook(node);
    case "item":
      return itemLook(node);
    case "more":
      return { label: "More", hint: "More sections" };
    case "step":
      return { label: node.title, icon: node.icon };
    case "empty":
      return { label: line(node.text), dimmed: true };
  }
}

function sectionLook({ section }: SectionNode): Pick<Row, "label"> & Partial<Row> {
  const { budget } = section;
  const [label, summary] = [line(section.title), line(section.summary)];
  const detail = summary === "" ? {} : { detail: summary };
  if (budget === undefined) {
    return { label, ...detail };
  }
  const room = `${budget.used} of ${budget.max} ${line(budget.unit)}`;
  const hint = `${label}: ${room}${summary === "" || summary === room ? "" : `, ${summary}`}`;
  const share = budget.max > 0 ? Math.min(Math.max(budget.used / budget.max, 0), 1) : 0;
  return { label, ...detail, share, hint };
}

function itemLook({ item }: ItemNode): Pick<Row, "label"> & Partial<Row> {
  const row: Pick<Row, "label"> & Partial<Row> = { label: line(item.label), icon: iconOf(item.icon) };
  const [detail, aside] = [line(item.detail), line(item.aside)];
  const tint = tints.has(item.tint ?? "") ? (item.tint as Color) : undefined;
  const iconColor = severities[item.severity ?? 0] ?? severities[item.asideSeverity ?? 0] ?? tint;
  const asideColor = severities[item.asideSeverity ?? 0];
  const whole = item.hasMarkdown === true ? row.label : line(item.label, 2000);
  return Object.assign(
    row,
    detail !== "" && { detail },
    aside !== "" && { aside },
    iconColor !== undefined && { iconColor },
    asideColor !== undefined && { asideColor },
    item.authorIcon !== undefined && { authorIcon: iconOf(item.authorIcon) },
    item.dimmed === true && { dimmed: true },
    item.hasMarkdown === true && { asks: true },
    whole !== row.label && { hint: whole },
    (item.location !== undefined || item.hasMarkdown === true) && { opens: true },
  );
}

/** How many rows a page keeps at least. */
const leastKept = 20_000;

/** The rows that a page has. It is sent those that it lacks, and which to show. */
export class PageRows {
  private readonly numbers = new Map<string, { row: Row; number: number }>();
  private count = 0;
  private shown: Change["shown"] | undefined;

  /** Returns what changes so that the page shows these rows; undefined if it shows them. */
  show(rows: readonly Row[]): Change | undefined {
    const change: Change = { from: this.count, rows: [], shown: [] };
    for (const row of rows) {
      const number = this.numberOf(row, change.rows);
      const range = change.shown.at(-1);
      if (range?.[1] === number) {
        range[1]++;
      } else {
        change.shown.push([number, number + 1]);
      }
    }
    if (change.from > 0 && this.count > Math.max(leastKept, 2 * rows.length)) {
      this.numbers.clear(); // most are not shown any more
      this.count = 0;
      return this.show(rows);
    }
    if (change.rows.length === 0 && isDeepStrictEqual(change.shown, this.shown)) {
      return undefined;
    }
    this.shown = change.shown;
    return change;
  }

  /** Returns the number of a row, which is added to the new ones if the page lacks it. */
  private numberOf(row: Row, lacking: Row[]): number {
    const known = this.numbers.get(row.id);
    if (known !== undefined && (known.row === row || isDeepStrictEqual(known.row, row))) {
      return known.number;
    }
    lacking.push(row);
    this.numbers.set(row.id, { row, number: this.count });
    return this.count++;
  }
}

/** Returns the action of a node that asks for text, such as what to remember. */
export function asking(node: Node): PanelAction | undefined {
  return actionsOf(node).find(({ inputs = [] }) => inputs.length > 0);
}
