// A text field that shows its lines in colours, with numbers and marks beside them.

import { painted } from "./python.js";

export class Editor {
  #code = document.getElementById("code");
  #paint = document.getElementById("paint");
  #gutter = document.getElementById("gutter");
  #marks = new Map();
  #wrong = null;
  #leaving = false;

  /** `changed` is called after each edit by the user, `run` where they ask for a run, and `pointed` with what became of
   *  the statement in whose line the cursor is, or with nothing. */
  constructor(changed, run, pointed) {
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === this.#code) pointed(this.#marks.get(this.#line()));
    });
    this.#code.addEventListener("blur", () => pointed());
    this.#code.addEventListener("input", () => { this.#wrong = null; this.#marks.clear(); this.#draw(); changed(); });
    this.#code.addEventListener("scroll", () => this.#follow());
    this.#code.addEventListener("keydown", (event) => this.#key(event, run));
    this.#code.addEventListener("blur", () => { this.#leaving = false; });
  }

  get text() { return this.#code.value; }

  set text(value) {
    this.#code.value = value;
    this.#code.scrollTo(0, 0);
    this.#marks.clear();
    this.#wrong = null;
    this.#draw();
  }

  /** What became of statements: [{line, stages, note}]. */
  set marks(marks) {
    this.#marks = new Map(marks.map((mark) => [mark.line, mark]));
    this.#draw();
  }

  /** The number of the line with an error, or null. */
  set wrong(line) {
    this.#wrong = line;
    this.#draw();
  }

  focus() { this.#code.focus(); }

  goTo(line) {
    const before = this.text.split("\n").slice(0, line - 1).join("\n");
    const start = before.length + (line > 1 ? 1 : 0);
    const end = this.text.indexOf("\n", start);
    this.focus();
    this.#code.setSelectionRange(start, end < 0 ? this.text.length : end);
    this.#code.scrollTop = Math.max(0, (line - 4) * 20);
  }

  #line() { return this.text.slice(0, this.#code.selectionStart).split("\n").length; }

  #draw() {
    const lines = painted(this.text);
    lines[this.#wrong - 1]?.classList.add("wrong");
    this.#paint.replaceChildren(...lines);
    this.#gutter.replaceChildren(...lines.map((_, i) => this.#number(i + 1)));
    this.#follow();
  }

  #number(line) {
    const made = document.createElement("div"), sign = document.createElement("i");
    const mark = this.#marks.get(line);
    if (mark) {
      sign.textContent = mark.stages ? "●" : "■";
      made.className = mark.stages ? "stages" : "stays";
      made.title = mark.note;
    }
    if (line === this.#wrong) made.classList.add("wrong");
    made.append(sign, String(line).padStart(2));
    return made;
  }

  #follow() {
    this.#paint.style.transform = `translate(${-this.#code.scrollLeft}px, ${-this.#code.scrollTop}px)`;
    this.#gutter.scrollTop = this.#code.scrollTop;
  }

  #key(event, run) {
    const leaving = this.#leaving;
    if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) this.#leaving = event.key === "Escape";
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (event.key === "Tab" && !leaving && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      this.#indent(event.shiftKey);
    } else if (event.key === "Enter" && !event.shiftKey && !event.altKey && !event.isComposing) {
      event.preventDefault();
      this.#newLine();
    }
  }

  // Edits go through the browser's own, which can be undone.
  #replace(start, end, text) {
    this.#code.setSelectionRange(start, end);
    document.execCommand(text ? "insertText" : "delete", false, text);
  }

  #indent(less) {
    const { selectionStart: start, selectionEnd: end, value } = this.#code;
    const first = value.lastIndexOf("\n", start - 1) + 1;
    if (!less && !value.slice(start, end).includes("\n")) {
      this.#replace(start, end, " ".repeat(4 - ((start - first) % 4)));
      return;
    }
    const before = value.slice(first, end);
    const after = before.split("\n").map((line) => (less ? line.replace(/^ {1,4}/, "") : line && "    " + line)).join("\n");
    if (after === before) return;
    this.#replace(first, end, after);
    const last = first + after.length;
    this.#code.setSelectionRange(start === end ? last : first, last);
  }

  #newLine() {
    const { selectionStart: start, selectionEnd: end, value } = this.#code;
    const line = value.slice(value.lastIndexOf("\n", start - 1) + 1, start);
    let margin = line.match(/^ */)[0];
    if (/:\s*(#.*)?$/.test(line)) margin += "    ";
    else if (/^\s*(return|break|continue|pass|raise)\b/.test(line)) margin = margin.slice(4);
    this.#replace(start, end, "\n" + margin);
  }
}
