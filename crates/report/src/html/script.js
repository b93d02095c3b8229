"use strict";
// Shows the steps of a violation, one at a time. Everything it knows comes from the data element.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
let violation, steps, at, colours;

function element(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function placeText(place) {
  return place ? `${place.file}:${place.line}` : "";
}

function colour(thread) {
  return `c${(colours.get(thread) ?? 0) % 6}`;
}

/// Shows a violation from its end: that is where the question is.
function choose(index) {
  violation = data.violations[index];
  colours = new Map(violation.trace.threads.map((thread, number) => [thread.thread, number]));
  byId("message").textContent = `${violation.message} [${violation.property}]`;
  byId("where").textContent = `${placeText(violation.place)} · thread ${violation.thread}`;
  byId("why").replaceChildren(...violation.why.map((text) => element("li", "", text)));
  const parties = [...violation.threads.map(party), ...violation.notes.map(note)];
  byId("parties").replaceChildren(...parties);
  select();
}

function party(side) {
  const node = element("div", `party ${colour(side.thread)}`);
  node.append(element("b", "", side.thread), ` ${side.does}`, element("br"), placeText(side.place));
  const holds = side.holds.length ? `holds ${side.holds.join(", ")}` : "holds no lock";
  node.append(element("br"), holds);
  return node;
}

function note(entry) {
  const node = element("div", "party");
  const inside = entry.function ? ` in ${entry.function}` : "";
  node.append(`${entry.text}${inside}`, element("br"), placeText(entry.place));
  return node;
}

/// Takes all steps or those with a part in the violation, and stays where it was if it can.
function select() {
  const all = byId("all").checked;
  const number = steps && steps[at] ? steps[at].number : Infinity;
  // More than this no browser draws in time, and nobody reads.
  steps = violation.trace.steps.filter((step) => all || step.essential).slice(-4000);
  const same = steps.findIndex((step) => step.number >= number);
  at = same < 0 ? steps.length - 1 : same;
  drawLanes();
  show();
}

function drawLanes() {
  const threads = violation.trace.threads.map((thread) => thread.thread);
  const used = threads.filter((thread) => steps.some((step) => step.thread === thread));
  const grid = element("div", "lanes");
  grid.style.gridTemplateColumns = `auto repeat(${used.length}, minmax(0, 1fr))`;
  grid.append(element("div", "head", ""));
  for (const thread of used) {
    const info = violation.trace.threads.find((entry) => entry.thread === thread);
    const name = info.function && thread !== "main" ? `${thread} (${info.function})` : thread;
    grid.append(element("div", `head ${colour(thread)}`, name));
  }
  steps.forEach((step, index) => {
    grid.append(element("div", "count", step.number));
    for (const thread of used) {
      grid.append(thread === step.thread ? lane(step, index) : element("div", "wait"));
    }
  });
  byId("lanes").replaceChildren(grid);
}

function lane(step, index) {
  const node = element("div", `lane ${colour(step.thread)}`);
  node.dataset.index = index;
  node.append(element("div", "", sourceLine(step.place)));
  for (const text of step.text) node.append(element("div", text.startsWith("✗") ? "bad" : "did", text));
  node.addEventListener("click", () => go(index));
  return node;
}

function sourceLine(place) {
  const lines = place && data.sources[place.file];
  return lines ? (lines[place.line - 1] ?? "").trim() : placeText(place);
}

function go(index) {
  at = Math.max(0, Math.min(steps.length - 1, index));
  show();
}

function show() {
  const step = steps[at];
  byId("position").textContent = step ? `step ${step.number} of ${violation.trace.steps.length}` : "no steps";
  for (const id of ["first", "back"]) byId(id).disabled = at <= 0;
  for (const id of ["forward", "last"]) byId(id).disabled = at >= steps.length - 1;
  document.querySelectorAll(".lane").forEach((node) => {
    const index = Number(node.dataset.index);
    node.classList.toggle("future", index > at);
    node.classList.toggle("current", index === at);
    if (index === at) reveal(byId("lanes"), node);
  });
  document.body.dataset.step = step ? step.number : "";
  document.body.dataset.violated = step && step.actions.some((action) => action.kind === "violate");
  drawSource(step);
  drawState(step);
}

/// Scrolls a panel, and nothing around it, so that one of its elements can be seen.
function reveal(panel, node) {
  const top = node.offsetTop, bottom = top + node.offsetHeight, margin = 48;
  if (top < panel.scrollTop + margin || bottom > panel.scrollTop + panel.clientHeight - margin) {
    panel.scrollTop = Math.max(0, (top + bottom) / 2 - panel.clientHeight / 2);
  }
}

/// Where every thread is after the step.
function whereabouts(step) {
  const places = new Map();
  for (const other of violation.trace.steps) {
    if (other.number > step.number) break;
    if (other.place) places.set(other.thread, other.place);
    if (other.actions.some((action) => action.kind === "end")) places.delete(other.thread);
  }
  return places;
}

function drawSource(step) {
  const source = byId("source");
  if (!step || !step.place) return source.replaceChildren();
  const places = whereabouts(step);
  const file = step.place.file;
  const code = element("div", "code");
  let here;
  (data.sources[file] ?? []).forEach((text, index) => {
    const line = index + 1;
    const active = line === step.place.line;
    const row = element("div", active ? "row here" : "row");
    const who = element("span", "who");
    for (const [thread, place] of places) {
      if (place.file === file && place.line === line) {
        who.append(element("i", colour(thread), thread === step.thread ? `${thread} ▶` : thread), " ");
      }
    }
    row.append(element("span", "number", line), who, element("span", "text", text || " "));
    if (active) here = row;
    code.append(row);
  });
  source.replaceChildren(element("div", "file", file), code);
  if (here) reveal(source, here.lastChild);
}

/// Adds up what the steps changed.
function stateAt(step) {
  const variables = new Map();
  const locks = new Map();
  for (const other of violation.trace.steps) {
    if (other.number > step.number) break;
    const now = other.number === step.number;
    for (const action of other.actions) {
      if (action.kind === "assign") {
        // A variable without an address belongs to one activation; its thread and function tell it apart.
        const name = action.shared ? action.variable : `${action.variable} (${other.thread} ${other.function ?? ""})`;
        variables.set(name, { value: action.new ?? "…", now });
      } else if (action.kind === "lock" || (action.kind === "try-lock" && action.taken)) {
        locks.set(action.mutex, { value: other.thread, now });
      } else if (action.kind === "unlock") {
        locks.set(action.mutex, { value: "free", now });
      }
    }
  }
  return { variables, locks };
}

function table(entries) {
  if (!entries.size) {
    const row = element("tr");
    row.append(element("td", "", "none"));
    return [row];
  }
  return [...entries].map(([name, entry]) => {
    const row = element("tr", entry.now ? "new" : "");
    row.append(element("td", "", name), element("td", "", entry.value));
    return row;
  });
}

function drawState(step) {
  if (!step) return;
  const { variables, locks } = stateAt(step);
  byId("locks").replaceChildren(...table(locks));
  byId("variables").replaceChildren(...table(variables));
  const now = step.text.map((text) => element("div", text.startsWith("✗") ? "bad" : "", text));
  byId("now").replaceChildren(element("div", "", `${step.thread} at ${placeText(step.place)}`), ...now);
  const stack = violation.trace.stacks[step.stack] ?? [];
  byId("stack").replaceChildren(
    ...stack.map((call) => element("li", "", `${call.function} at ${placeText(call.place)}`))
  );
}

function begin() {
  if (data.violations.length > 1) {
    const list = element("select");
    list.setAttribute("aria-label", "Violation");
    data.violations.forEach((entry, index) => {
      const option = element("option", "", `${index + 1}. ${entry.property} at ${placeText(entry.place)}`);
      option.value = index;
      list.append(option);
    });
    list.addEventListener("change", () => {
      steps = undefined;
      choose(Number(list.value));
    });
    byId("choice").append(list);
  }
  byId("foot").textContent =
    `${data.verdict} · assumptions: ${data.assumptions.join(", ")} · Braid ${data.version}`;
  byId("first").addEventListener("click", () => go(0));
  byId("back").addEventListener("click", () => go(at - 1));
  byId("forward").addEventListener("click", () => go(at + 1));
  byId("last").addEventListener("click", () => go(steps.length - 1));
  byId("all").addEventListener("change", select);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length - 1 };
    if (event.key in moves) go(moves[event.key]);
    else if (event.key === "a" || event.key === "A") byId("all").click();
    else return;
    event.preventDefault();
  });
  if (data.violations.length) choose(0);
  else byId("message").textContent = data.verdict;
}

begin();
