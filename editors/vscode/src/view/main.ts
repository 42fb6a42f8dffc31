// Draws the context. Texts are inserted as text nodes only.
import type { ContextPicture, FromView, ToView } from "../message";

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const editor = acquireVsCodeApi();
const svgNamespace = "http://www.w3.org/2000/svg";

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(svgNamespace, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, String(value));
  }
  return made;
}

function percent(value: number): string {
  return `${Math.floor(value)} %`;
}

/** Formats a time in local time, with the date unless it is today. */
function time(at: number): HTMLTimeElement {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} `;
  const isToday = date.toDateString() === new Date().toDateString();
  const made = document.createElement("time");
  made.dateTime = date.toISOString();
  made.textContent = `${isToday ? "" : day}${two(date.getHours())}:${two(date.getMinutes())}`;
  return made;
}

/** A longer time without a report is idle, and as wide as this. */
const idleMillis = 15 * 60_000;

/** Returns the times of work until each report, and whether idle hours are left out before it. */
function workedTimes(reports: readonly number[]): { at: number; idle: boolean }[] {
  let at = 0;
  return reports.map((report, i) => {
    const gap = report - (reports[i - 1] ?? report);
    at += Math.min(gap, idleMillis);
    return { at, idle: gap > idleMillis };
  });
}

const width = 300;
const height = 80;

/** Draws the curve, or a sentence if there is no data. */
function paintUsage(picture: ContextPicture): void {
  const box = element("usage");
  const last = picture.usage.at(-1);
  if (last === undefined) {
    box.textContent = "No agent has reported how full its context is.";
    return;
  }
  const most = Math.max(100, ...picture.usage.map((point) => point.percentage));
  const first = picture.usage[0]?.at ?? last.at;
  const worked = workedTimes(picture.usage.map(({ at }) => at));
  const span = worked.at(-1)?.at ?? 0;
  const placeOf = (at: number) => (span > 0 ? (at / span) * width : width);
  const places = picture.usage.map(({ percentage }, i) => [
    placeOf(worked[i]?.at ?? 0),
    height - (percentage / most) * height,
  ]);
  const drawing = svg("svg", {
    viewBox: `0 -2 ${width} ${height + 4}`,
    preserveAspectRatio: "none",
    role: "img",
  });
  drawing.setAttribute(
    "aria-label",
    `${percent(last.percentage)} used, ${picture.level}; ${picture.usage.length} reports`,
  );
  const full = height - (100 / most) * height;
  drawing.append(svg("line", { class: "grid", x1: 0, x2: width, y1: full, y2: full }));
  drawing.append(svg("line", { class: "grid", x1: 0, x2: width, y1: height, y2: height }));
  for (const { at, idle } of worked) {
    if (idle) {
      drawing.append(svg("line", { class: "idle", x1: placeOf(at), x2: placeOf(at), y1: 0, y2: height }));
    }
  }
  const points = places.map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`);
  const from = places[0]?.[0] ?? 0;
  drawing.append(
    svg("polygon", { class: "area", points: `${from},${height} ${points.join(" ")} ${width},${height}` }),
  );
  drawing.append(svg("polyline", { class: "curve", points: points.join(" ") }));
  const times = document.createElement("p");
  times.className = "times";
  times.append(time(first), time(last.at));
  const scale = document.createElement("div");
  scale.className = "scale";
  scale.append(...[percent(most), percent(0)].map(paragraph));
  const chart = document.createElement("div");
  chart.className = "chart";
  chart.append(scale, drawing);
  const caption = paragraph(`${percent(last.percentage)} · ${picture.level} · ${picture.used}`);
  caption.className = `used ${picture.level}`;
  const said = [caption];
  if (picture.advice !== "") {
    said.push(paragraph(`Advice: ${picture.advice}`));
  }
  if (worked.some(({ idle }) => idle)) {
    said.push(paragraph("A dotted line stands for hours in which nothing was reported."));
  }
  box.replaceChildren(chart, times, ...said);
}

function paragraph(text: string): HTMLParagraphElement {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

function row(said: string, size: number, look: string): HTMLTableRowElement {
  const made = document.createElement("tr");
  const name = document.createElement("th");
  name.scope = "row";
  const swatch = document.createElement("span");
  swatch.className = `swatch ${look}`;
  swatch.setAttribute("aria-hidden", "true");
  name.append(swatch, said);
  const count = document.createElement("td");
  count.textContent = String(size);
  made.append(name, count);
  return made;
}

/** Draws a stacked bar whose pieces are as wide as their parts are large. */
function paintBar(
  id: string,
  pieces: readonly { name: string; size: number; look: string }[],
  unit: string,
): void {
  const drawn = pieces.filter(({ size }) => size > 0);
  const bar = element(id);
  bar.replaceChildren(
    ...drawn.map(({ name, size, look }) => {
      const piece = document.createElement("span");
      piece.className = look;
      piece.style.flexGrow = String(size);
      piece.title = `${name}: ${size} ${unit}`;
      return piece;
    }),
  );
  bar.setAttribute("aria-label", drawn.map(({ name, size }) => `${name} ${size} ${unit}`).join(", "));
}

/** Draws the parts of a context as a bar, and the table with the same data. */
function paintParts(picture: ContextPicture): void {
  const pieces = picture.parts.map(({ id, tokens }, i) => ({
    name: id,
    size: tokens,
    look: `part${i % 10}`,
  }));
  paintBar("bar", pieces, "tokens");
  const rows = picture.parts.map(({ id, tokens, omitted }, i) =>
    row(omitted === "" ? id : `${id} (${omitted})`, tokens, `part${i % 10}`),
  );
  document.querySelector("#parts tbody")?.replaceChildren(...rows);
  element("parts-title").textContent = `What the agent is told: ${picture.tokens} tokens`;
  element("text-title").textContent = `In exactly these words: ${picture.chars} characters`;
}

/** How the parts of the window look, by id. */
const looks: Record<string, string> = {
  memory: "part0",
  system: "part2",
  tools: "part4",
  history: "part5",
  rest: "part6",
  free: "free",
};

/** Draws what the whole window holds, as far as the host reports it. */
function paintWindow({ window: whole }: ContextPicture): void {
  element("window").hidden = whole === undefined;
  if (whole === undefined) {
    return;
  }
  const pieces = whole.parts.map(({ id, label, size }) => ({
    name: label,
    size,
    look: looks[id] ?? "part6",
  }));
  paintBar("window-bar", pieces, whole.unit);
  const rows = pieces.map(({ name, size, look }) => row(name, size, look));
  document.querySelector("#window-parts tbody")?.replaceChildren(...rows);
}

function paintSessions(picture: ContextPicture): void {
  const choice = element<HTMLSelectElement>("session");
  choice.replaceChildren(
    ...picture.sessions.map(({ id, name }) => {
      const option = new Option(name, id);
      option.selected = id === picture.chosen;
      return option;
    }),
  );
  element("whose").hidden = picture.sessions.length < 2;
}

/** The message that is painted; the same one again changes nothing. */
let painted = "";

function paint(message: ToView): void {
  const next = JSON.stringify(message);
  if (next === painted) {
    return;
  }
  painted = next;
  const isPicture = message.type === "picture";
  element("sentence").hidden = isPicture;
  element("picture").hidden = !isPicture;
  if (message.type === "sentence") {
    element("sentence").textContent = message.text;
    return;
  }
  paintSessions(message.picture);
  paintUsage(message.picture);
  paintWindow(message.picture);
  paintParts(message.picture);
  const text = element("text");
  if (text.textContent !== message.picture.text) {
    text.textContent = message.picture.text;
  }
}

window.addEventListener("message", (event: MessageEvent<ToView>) => paint(event.data));
element<HTMLSelectElement>("session").addEventListener("change", (event) => {
  painted = ""; // the choice may end with its session
  editor.postMessage({ type: "session", id: (event.target as HTMLSelectElement).value });
});
editor.postMessage({ type: "ready" });
