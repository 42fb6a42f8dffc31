// Draws the context. Texts are inserted as text nodes only.
import type { ContextPicture, FromView, ToView } from "../message";
import { grouped } from "../text";
import { curve, percent } from "./curve";

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const editor = acquireVsCodeApi();

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
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

/** Formats a duration in milliseconds, in minutes or hours. */
function lasting(millis: number): string {
  const minutes = Math.round(millis / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const height = 80;

/** Draws the curve, or a sentence if there is no data. */
function paintUsage(picture: ContextPicture): void {
  const box = element("usage");
  const last = picture.usage.at(-1);
  if (last === undefined) {
    box.textContent = "No agent has reported how full its context is.";
    return;
  }
  const first = picture.usage[0]?.at ?? last.at;
  const { drawing, most, idle } = curve(picture.usage, height);
  drawing.setAttribute(
    "aria-label",
    `${percent(last.percentage)} used, ${picture.level}; ${picture.usage.length} reports`,
  );
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
  if (idle > 0) {
    said.push(paragraph(`A dotted line stands for a time without a report: ${lasting(idle)} in all.`));
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
  count.textContent = grouped(size);
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
      piece.title = `${name}: ${grouped(size)} ${unit}`;
      return piece;
    }),
  );
  bar.setAttribute(
    "aria-label",
    drawn.map(({ name, size }) => `${name} ${grouped(size)} ${unit}`).join(", "),
  );
}

/** Draws the parts of a context as a bar, and the table with the same data. */
function paintParts(picture: ContextPicture): void {
  const pieces = picture.parts.map(({ label, tokens }, i) => ({
    name: label,
    size: tokens,
    look: `part${i % 10}`,
  }));
  paintBar("bar", pieces, "tokens");
  const rows = picture.parts.map(({ label, tokens, omitted }, i) =>
    row(omitted === "" ? label : `${label} (${omitted})`, tokens, `part${i % 10}`),
  );
  document.querySelector("#parts tbody")?.replaceChildren(...rows);
  element("parts-title").textContent = `What the agent is told: ${grouped(picture.tokens)} tokens`;
  element("text-title").textContent = `In exactly these words: ${grouped(picture.chars)} characters`;
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
  const total = pieces.reduce((sum, { size }) => sum + size, 0);
  element("window-title").textContent = `The whole window: ${grouped(total)} ${whole.unit}`;
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
