// The worker in which Python runs, one piece of work at a time; only the newest waits.

const LONG = 3000; // milliseconds after which a run is called long, and ended where newer work waits
const OPEN_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Where Pyodide is: as the address says (?pyodide=URL), or the site. Not just anybody's code is run. */
export function baseOf(address, settings) {
  const asked = new URLSearchParams(address.search).get("pyodide");
  if (asked === null) return settings.pyodide;
  const url = new URL(asked.endsWith("/") ? asked : asked + "/", address);
  const known = new URL(settings.pyodide);
  const trusted = url.origin === address.origin || url.origin === known.origin || OPEN_HOSTS.includes(url.hostname);
  if (!trusted) throw new Error(`Pyodide is taken from this site, from ${known.origin} or from this computer, not from ${url.origin}.`);
  return url.href;
}

export class Python {
  numpy = null; // whether it is there; null while that is not known
  lack = "";
  #page;
  #worker = null;
  #settings = null;
  #ready = false;
  #number = 0;
  #busy = false;
  #waiting = null;
  #timer = null;
  #version = "";
  #began = 0;
  #crashed = false; // what did so is not tried again by itself

  /** `page` has functions: status, notice, ready, busy, converted, ran, explored. */
  constructor(page) { this.#page = page; }

  /** Whether code is run: not before it is known whether there is NumPy. */
  get runs() { return this.numpy !== null; }

  async start() {
    try {
      if (location.protocol === "file:") throw new Error("Open the site from a server: python -m http.server -d build/docs");
      const answer = await fetch("settings.json");
      if (!answer.ok) throw new Error(`settings.json: ${answer.status}`);
      const settings = await answer.json();
      this.#settings = {
        kind: "start",
        base: baseOf(location, settings),
        wheels: settings.wheels.map((name) => new URL(name, location).href),
        module: new URL("session.py", location).href,
      };
    } catch (error) {
      this.#fail(error.message);
      return;
    }
    this.restart();
  }

  /** End what runs, and begin anew. */
  restart() {
    this.#worker?.terminate();
    this.#ready = false;
    this.numpy = null;
    this.#settle();
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => { if (worker === this.#worker) this.#heard(data); };
    worker.onerror = (event) => this.#fail(event.message || "the worker could not be started");
    worker.postMessage(this.#settings);
    this.#worker = worker;
  }

  /** Have a piece of work {text, call, numbers, width, runs, explores} done, as soon as can be. */
  ask(work) {
    this.#waiting = work;
    this.#crashed = false;
    if (!this.#ready) return;
    if (!this.#busy) this.#send();
    else if (performance.now() - this.#began > LONG) this.restart();
  }

  #send() {
    const work = this.#waiting;
    this.#waiting = null;
    this.#busy = true;
    this.#began = performance.now();
    this.#number += 1;
    this.#worker.postMessage({ kind: "work", number: this.#number, ...work, runs: work.runs && this.runs });
    this.#timer = setTimeout(() => this.#long(), LONG);
    this.#page.busy(true, false);
  }

  #long() {
    if (this.#waiting) this.restart();
    else {
      this.#page.busy(true, true);
      this.#page.status("Still running. Stop ends it; so does an edit.");
    }
  }

  #settle() {
    clearTimeout(this.#timer);
    this.#busy = false;
    this.#page.busy(false, false);
  }

  #heard(data) {
    if (data.kind === "progress") this.#page.status(data.text);
    else if (data.kind === "ready") {
      this.#version = data.version;
      this.#ready = true;
      if (!this.#crashed) this.#page.ready();
    } else if (data.kind === "numpy") {
      this.numpy = data.there;
      this.lack = data.there ? "" : `${data.what} could not be loaded, and without it there are no graphs. The converted code is complete.`;
      if (!data.there) console.warn(data.what, data.why);
      this.#idle();
      if (!this.#crashed) this.#page.ready();
    } else if (data.kind === "converted") this.#page.converted(data.answer);
    else if (data.kind === "ran") this.#page.ran(data.answer);
    else if (data.kind === "explored") this.#page.explored(data.answer);
    else if (data.kind === "done") {
      this.#settle();
      this.#idle();
      if (this.#waiting) this.#send();
    } else if (data.kind === "failed") this.#fail(data.why);
  }

  #idle() {
    if (this.numpy === null) this.#page.status("Loading NumPy …");
    else this.#page.status(`Python ${this.#version} in this browser${this.numpy ? "" : ", without NumPy"}. Nothing is sent anywhere.`);
  }

  #fail(why) {
    this.#settle();
    if (this.#ready) {
      this.#page.notice(`Python gave up (${why}) and is started again. The code is looked at again after an edit, or with Run.`);
      this.#waiting = null;
      this.restart();
      this.#crashed = true;
      return;
    }
    this.#page.status("Python could not be loaded.");
    this.#page.notice(`Python could not be loaded: ${why}`);
  }
}
