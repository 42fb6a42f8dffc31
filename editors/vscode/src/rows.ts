// The rows of the panel, independent of VS Code: what is written on each, and what has changed.
import { isDeepStrictEqual } from "node:util";
import type { Color, Row, Splice } from "./message";
import { actionsOf, type ItemNode, menuOf, type Node, type SectionNode } from "./nodes";
import { line } from "./text";
import type { PanelAction } from "./wire";

const severities: Readonly<Record<number, Color>> = { 1: "error", 2: "warning", 3: "notice", 4: "good" };

const tints: ReadonlySet<string> = new Set(["blue", "green", "purple", "yellow"] satisfies Color[]);

/** The rows that are shown: all but those below a closed one. `folds` are the nodes that were opened or closed. */
export function rowsOf(
  nodes: readonly Node[],
  folds: ReadonlyMap<string, boolean>,
  known: ReadonlySet<string>,
): Row[] {
  const rows: Row[] = [];
  const add = (siblings: readonly Node[], level: number) => {
    for (const [i, node] of siblings.entries()) {
      const row: Row = {
        id: node.id,
        kind: node.kind,
        level,
        place: i + 1,
        siblings: siblings.length,
        menu: menuOf(node, known),
        ...look(node),
      };
      const actions = actionsOf(node).filter(({ inline }) => inline === true);
      if (actions.length > 0) {
        row.actions = actions.map(({ title, icon }) => ({ title: line(title, 60), icon: iconOf(icon) }));
      }
      rows.push(row);
      if (node.children.length > 0) {
        row.open = isOpen(node, folds);
        if (row.open) {
          add(node.children, level + 1);
        }
      }
    }
  };
  add(nodes, 1);
  return rows;
}

function isOpen(node: Node, folds: ReadonlyMap<string, boolean>): boolean {
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

/** Returns what has to be replaced so that the rows of before become those of now; undefined if nothing. */
export function difference(before: readonly Row[], now: readonly Row[]): Splice | undefined {
  const shorter = Math.min(before.length, now.length);
  let at = 0;
  while (at < shorter && isDeepStrictEqual(before[at], now[at])) {
    at++;
  }
  let same = 0;
  while (same < shorter - at && isDeepStrictEqual(before.at(-1 - same), now.at(-1 - same))) {
    same++;
  }
  const remove = before.length - at - same;
  const rows = now.slice(at, now.length - same);
  return remove === 0 && rows.length === 0 ? undefined : { at, remove, rows };
}

/** Returns the action of a node that asks for a text, such as what to remember. */
export function asking(node: Node): PanelAction | undefined {
  return actionsOf(node).find(({ inputs = [] }) => inputs.length > 0);
}
