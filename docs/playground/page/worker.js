// Python, apart from the page: what runs long here does not hold up the page, which ends it by ending the worker.

let python = null;
let session = null;

const tell = (kind, more) => postMessage({ kind, ...more });
const short = (error) => String(error?.message ?? error).trim().split("\n").at(-1);

async function bytesOf(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function start({ base, wheels, module }) {
  tell("progress", { text: "Loading Python …" });
  const files = Promise.all([...wheels, module].map(bytesOf));
  files.catch(() => {}); // it is awaited below
  const { loadPyodide } = await import(base + "pyodide.mjs");
  python = await loadPyodide({ indexURL: base });
  tell("progress", { text: "Loading the compiler …" });
  const loaded = await files;
  const text = loaded.pop();
  const folder = python.runPython("import sysconfig; sysconfig.get_path('purelib')");
  for (const wheel of loaded) python.unpackArchive(wheel, "wheel", { extractDir: folder });
  python.FS.writeFile(`${folder}/playground_session.py`, new Uint8Array(text));
  python.runPython("import importlib; importlib.invalidate_caches()");
  session = python.pyimport("playground_session");
  tell("ready", { version: python.runPython("import platform; platform.python_version()") });
  await addNumPy();
}

async function addNumPy() {
  tell("progress", { text: "Loading NumPy …" });
  let why = "", what = "NumPy";
  try {
    await python.loadPackage("numpy", { messageCallback: () => {}, errorCallback: (message) => { why ||= message; } });
    python.runPython("import numpy");
    what = "The runtime";
    python.runPython("import runtime");
    tell("numpy", { there: true });
  } catch (error) {
    tell("numpy", { there: false, what, why: why || short(error) });
  }
}

function work({ number, text, call, numbers, width, runs, explores }) {
  if (explores) {
    tell("explored", { number, answer: JSON.parse(session.explored_json(text, call, numbers)) });
    tell("done", { number });
    return;
  }
  tell("converted", { number, answer: JSON.parse(session.converted_json(text, width)) });
  if (runs) tell("ran", { number, answer: JSON.parse(session.run_json(text, call, numbers)) });
  tell("done", { number });
}

onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") await start(data);
    else work(data);
  } catch (error) {
    tell("failed", { why: short(error) });
  }
};
