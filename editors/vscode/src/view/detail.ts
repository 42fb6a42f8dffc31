// Shows rendered Markdown, with its actions. The policy of the page allows no other script, style or image.
import type { FromDetail, ToDetail } from "../message";
import { scheme } from "../message";

declare function acquireVsCodeApi(): {
  postMessage(message: FromDetail): void;
  setState(state: ToDetail["source"]): void;
};

const editor = acquireVsCodeApi();
const detail = document.getElementById("detail") as HTMLElement;
const actions = document.getElementById("actions") as HTMLElement;

function button(title: string, index: number): HTMLButtonElement {
  const made = document.createElement("button");
  made.textContent = title;
  made.addEventListener("click", () => editor.postMessage({ type: "action", index }));
  return made;
}

/** What is shown; the same again changes nothing, so that a selection stays. */
let painted = "";

window.addEventListener("message", ({ data }: MessageEvent<ToDetail>) => {
  const next = JSON.stringify(data);
  if (next === painted) {
    return;
  }
  painted = next;
  editor.setState(data.source);
  if (data.html === "") {
    const text = document.createElement("pre");
    text.textContent = data.text;
    detail.replaceChildren(text);
  } else {
    detail.innerHTML = data.html;
  }
  actions.replaceChildren(...data.actions.map(button));
  actions.hidden = data.actions.length === 0;
});

detail.addEventListener("click", (event) => {
  const link = (event.target as Element).closest("a");
  if (link === null) {
    return;
  }
  event.preventDefault();
  event.stopPropagation(); // the editor would open it itself
  const target = link.getAttribute("data-href") ?? link.getAttribute("href") ?? "";
  editor.postMessage({
    type: "link",
    target: target.startsWith(scheme) ? target.slice(scheme.length) : target,
  });
});

editor.postMessage({ type: "ready" });
