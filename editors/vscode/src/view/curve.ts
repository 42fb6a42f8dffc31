// Draws how full a context was over time.
import type { UsagePoint } from "../message";

const svgNamespace = "http://www.w3.org/2000/svg";

function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(svgNamespace, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, String(value));
  }
  return made;
}

export function percent(value: number): string {
  return `${Math.floor(value)} %`;
}

/** A longer time without a report is idle, and as wide as this. */
const idleMillis = 15 * 60_000;

/** Returns the times of work until each report, and how long nothing was reported before it if that is left out. */
function workedTimes(reports: readonly number[]): { at: number; idle: number }[] {
  let at = 0;
  return reports.map((report, i) => {
    const gap = Math.max(report - (reports[i - 1] ?? report), 0); // a clock may have been set back
    at += Math.min(gap, idleMillis);
    return { at, idle: gap > idleMillis ? gap : 0 };
  });
}

const width = 300;

/** A drawing, what stands at its upper edge in percent, and how many milliseconds without a report are left out. */
export interface Curve {
  drawing: SVGElement;
  most: number;
  idle: number;
}

/** Draws at least one report, as wide as there is room, in `height` units. */
export function curve(usage: readonly UsagePoint[], height: number): Curve {
  const most = Math.max(100, ...usage.map((point) => point.percentage));
  const worked = workedTimes(usage.map(({ at }) => at));
  const span = worked.at(-1)?.at ?? 0;
  const placeOf = (at: number) => (span > 0 ? (at / span) * width : width);
  const places = usage.map(({ percentage }, i) => [
    placeOf(worked[i]?.at ?? 0),
    height - (percentage / most) * height,
  ]);
  const drawing = svg("svg", {
    viewBox: `0 -2 ${width} ${height + 4}`,
    preserveAspectRatio: "none",
    role: "img",
  });
  const full = height - (100 / most) * height;
  drawing.append(svg("line", { class: "grid", x1: 0, x2: width, y1: full, y2: full }));
  drawing.append(svg("line", { class: "grid", x1: 0, x2: width, y1: height, y2: height }));
  for (const { at, idle } of worked) {
    if (idle > 0) {
      drawing.append(svg("line", { class: "idle", x1: placeOf(at), x2: placeOf(at), y1: 0, y2: height }));
    }
  }
  const points = places.map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`);
  const from = places[0]?.[0] ?? 0;
  drawing.append(
    svg("polygon", { class: "area", points: `${from},${height} ${points.join(" ")} ${width},${height}` }),
  );
  drawing.append(svg("polyline", { class: "curve", points: points.join(" ") }));
  return { drawing, most, idle: worked.reduce((sum, { idle }) => sum + idle, 0) };
}
