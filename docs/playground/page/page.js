// What the user types goes to the worker; what comes back is shown.

import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { exampleOf, fragment, stateOf } from "./link.js";
import { Python } from "./running.js";
import { painted } from "./python.js";

const PAUSE = 300; // milliseconds without a key before anything happens
const at = (id) => document.getElementById(id);
const editor = new Editor(() => edited(), () => runNow(), (mark) => verdict(mark));
const [call, numbers, examples] = [at("call"), at("numbers"), at("examples")];
let pause = null;
let marks = []; // what becomes of the statements
let held = ""; // why nothing is run for now
let linked = ""; // the fragment that was written last

document.documentElement.dataset.theme = themeOfSite();

const python = new Python({
  status: (text) => { at("status").textContent = text; },
  notice,
  ready: () => ask(),
  busy: (is, long) => { at("stop").disabled = !is; at("stop").classList.toggle("needed", long); },
  converted,
  ran,
  explored,
});

function themeOfSite() {
  try { return localStorage.getItem("theme") ?? "auto"; } catch { return "auto"; }
}

function state() { return { code: editor.text, call: call.value, numbers: numbers.checked }; }

function show({ code, call: called = "", numbers: inputs = true }) {
  editor.text = code;
  call.value = called;
  numbers.checked = inputs;
  outdated(false);
}

// What the user does.

function edited() {
  held = "";
  examples.value = "";
  notice("");
  outdated(true);
  at("stages").disabled = true;
  clearTimeout(pause);
  pause = setTimeout(() => { remember(); ask(); }, PAUSE);
}

function runNow() {
  held = "";
  notice("");
  clearTimeout(pause);
  remember();
  ask();
}

function work() {
  return { text: editor.text, call: call.value, numbers: numbers.checked, width: columns(), runs: !held };
}

function ask() {
  at("main").classList.toggle("alone", python.numpy === false);
  python.ask(work());
  if (held) notice(held);
}

/** How many characters a line of the converted code may have. */
function columns() {
  const fit = Math.floor((at("converted").clientWidth - 30) / 7.9);
  return Math.max(50, Math.min(100, fit));
}

async function remember() {
  linked = await fragment(state());
  history.replaceState(null, "", linked);
  try { sessionStorage.setItem("playground", linked); } catch { /* nothing is kept, then */ }
}

function isOwn(text) {
  try { return sessionStorage.getItem("playground") === text; } catch { return false; }
}

function choose(name) {
  const example = EXAMPLES.find((e) => e.name === name) ?? EXAMPLES[0];
  examples.value = example.name;
  held = "";
  notice("");
  show(example);
}

async function follow() {
  const given = await stateOf(location.hash);
  if (!given) {
    choose(exampleOf(location.hash));
    return;
  }
  examples.value = "";
  show(given);
  held = isOwn(location.hash) ? "" : "This code came with a link. Read it, then press Run.";
}

function stages() {
  at("frame").srcdoc = "<p style='font: 14px system-ui; padding: 12px'>The function is traced and timed …</p>";
  at("explorer").showModal();
  python.ask({ ...work(), explores: true });
}

async function share() {
  await remember();
  try {
    await navigator.clipboard.writeText(location.href);
    notice("The link is copied; it holds the code.");
  } catch {
    notice("The address of this page holds the code: copy it from there.");
  }
}

// What comes back.

function notice(text) {
  at("notice").textContent = text;
  at("notice").hidden = !text;
}

function outdated(is) {
  for (const id of ["converted", "graph"]) at(id).classList.toggle("old", is);
}

function fill(id, text, instead) {
  const box = at(id);
  box.classList.remove("old");
  if (text) {
    box.replaceChildren(...painted(text.replace(/\n+$/, "")));
    return;
  }
  const said = document.createElement("div");
  said.className = "empty";
  said.textContent = instead;
  box.replaceChildren(said);
}

function converted(answer) {
  failed(answer.error);
  editor.marks = answer.marks;
  marks = answer.marks;
  verdict();
  if (answer.error) at("converted").classList.add("old");
  else fill("converted", answer.converted, "Type a function, and see it converted here.");
  if (answer.error || held || !python.runs) {
    answers([]);
    at("inputs").textContent = "";
    at("stages").disabled = true;
    if (answer.error) at("graph").classList.add("old");
    else fill("graph", "", held ? "A graph is made when the code runs." : "The graph appears here as soon as NumPy is loaded.");
  }
}

/** What becomes of one statement, or how many stage. */
function verdict(mark) {
  const stays = marks.filter((each) => !each.stages).length;
  const counts = [["stages", "●", marks.length - stays, "can stage"], ["stays", "■", stays, stays === 1 ? "stays Python" : "stay Python"]];
  const said = mark
    ? [[mark.stages ? "stages" : "stays", `line ${mark.line} ${mark.note}`]]
    : counts.filter(([, , count]) => count).map(([kind, sign, count, words]) => [kind, `${sign} ${count} ${words}`]);
  at("verdict").replaceChildren(...said.map(([kind, text]) => {
    const made = document.createElement("span");
    made.className = kind;
    made.textContent = text;
    return made;
  }));
  at("verdict").title = mark?.note ?? "";
}

function ran(answer) {
  failed(answer.error);
  at("stages").disabled = !answer.graph;
  fill("graph", answer.graph, python.numpy ? answer.note || "There is no graph, as the code did not run to its end." : python.lack);
  at("inputs").textContent = answer.inputs;
  answers([
    ["Python prints", answer.output.trimEnd()], ["Python gives", answer.result],
    ["the graph prints", answer.printed.trimEnd()], ["the graph gives", answer.traced],
  ]);
}

function explored(answer) {
  if (answer.error) {
    at("explorer").close();
    failed(answer.error);
  } else at("frame").srcdoc = answer.html;
}

function answers(rows) {
  at("answers").replaceChildren(...rows.filter(([, text]) => text).flatMap(([title, text]) => {
    const name = document.createElement("dt"), value = document.createElement("dd");
    name.textContent = title;
    value.append(...(title.endsWith("prints") ? [text] : painted(text)));
    return [name, value];
  }));
}

function failed(error) {
  const box = at("error");
  box.hidden = !error;
  editor.wrong = error?.line ?? null;
  box.replaceChildren();
  if (!error) return;
  if (error.line) {
    const go = document.createElement("button");
    go.type = "button";
    go.textContent = `line ${error.line}`;
    go.addEventListener("click", () => editor.goTo(error.line));
    box.append(go);
  }
  box.append(error.message);
  if (error.details.includes("\n")) {
    const more = document.createElement("details"), title = document.createElement("summary");
    title.textContent = "as Python tells it";
    more.append(title, error.details);
    box.append(more);
  }
}

// The beginning.

examples.append(new Option("your own", "", false, false));
for (const { name, title } of EXAMPLES) examples.append(new Option(title, name));
examples.options[0].hidden = true;
examples.addEventListener("change", () => { history.replaceState(null, "", "#example=" + examples.value); choose(examples.value); ask(); });
call.addEventListener("input", edited);
call.addEventListener("keydown", (event) => { if (event.key === "Enter") runNow(); });
numbers.addEventListener("change", edited);
at("run").addEventListener("click", runNow);
at("stages").addEventListener("click", stages);
at("explorer").addEventListener("close", () => { at("frame").srcdoc = ""; });
at("share").addEventListener("click", share);
at("stop").addEventListener("click", () => { held = "Stopped. It runs again after an edit, or with Run."; python.restart(); });
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) runNow();
});
window.addEventListener("hashchange", async () => { if (location.hash !== linked) { await follow(); ask(); } });

fill("converted", "", "Python is being loaded; that takes some seconds the first time.");
fill("graph", "", "");
await follow();
await python.start();
