// What the address holds behind its #: the code, deflated, or the name of an example.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** The fragment for a state {code, call, numbers}. */
export async function fragment(state) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(state)));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return "#code=" + text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The state that a fragment holds; null if it holds none. */
export async function stateOf(fragment) {
  const held = /^#code=([\w-]+)$/.exec(fragment);
  if (!held) return null;
  try {
    const text = atob(held[1].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (c) => c.charCodeAt(0)));
    const { code, call, numbers } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof code !== "string") return null;
    return { code, call: typeof call === "string" ? call : "", numbers: numbers !== false };
  } catch {
    return null; // it was cut off, or never ours
  }
}

/** The name of the example that a fragment asks for, or null. */
export const exampleOf = (fragment) => /^#example=([\w-]+)$/.exec(fragment)?.[1] ?? null;
