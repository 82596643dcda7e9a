// The colours of Python code.

const words = (text) => new Set(text.split(" "));
const KEYWORDS = words("False None True and as assert async await break case class continue def del elif else except finally "
  + "for from global if import in is lambda match nonlocal not or pass raise return try type while with yield");
const SOFT = words("case match type"); // names, unless they begin a statement
const BUILTINS = words("abs all any bool dict divmod enumerate filter float int isinstance len list map max min pow print "
  + "range repr reversed round set sorted str sum super tuple zip");
const TOKEN = new RegExp([
  "(?<comment>#[^\\n]*)",
  "(?<string>\\b[rbfuRBFU]{0,2}(?:\"\"\"[\\s\\S]*?(?:\"\"\"|$)|'''[\\s\\S]*?(?:'''|$)|\"(?:\\\\[\\s\\S]|[^\"\\\\\\n])*\"?|'(?:\\\\[\\s\\S]|[^'\\\\\\n])*'?)"
    + "|\"\"\"[\\s\\S]*?(?:\"\"\"|$)|'''[\\s\\S]*?(?:'''|$)|\"(?:\\\\[\\s\\S]|[^\"\\\\\\n])*\"?|'(?:\\\\[\\s\\S]|[^'\\\\\\n])*'?)",
  "(?<number>\\b(?:0[xob][\\da-f_]+|[\\d][\\d_]*\\.?[\\d_]*(?:e[+-]?\\d+)?j?))",
  "(?<word>[\\p{L}_][\\p{L}\\p{N}_]*)",
].join("|"), "giu");

function kindOf(word, text, index, before) {
  if (text[index - 1] === ".") return "";
  if (/^(?:def|class)$/.test(before)) return "name";
  if (SOFT.has(word)) return /(?:^|\n)[ \t]*$/.test(text.slice(0, index)) && /^ +[^=:.,)\s]/.test(text.slice(index + word.length)) ? "keyword" : "";
  return KEYWORDS.has(word) ? "keyword" : BUILTINS.has(word) ? "builtin" : "";
}

/** The lines of a text, each a list of [kind, text]. */
export function pieces(text) {
  const lines = [[]];
  const add = (kind, part) => part.split("\n").forEach((line, i) => {
    if (i) lines.push([]);
    if (line) lines.at(-1).push([kind, line]);
  });
  let end = 0, before = "";
  for (const found of text.matchAll(TOKEN)) {
    const { comment, string, number, word } = found.groups;
    add("", text.slice(end, found.index));
    const kind = comment ? "comment" : string ? "string" : number ? "number" : kindOf(word, text, found.index, before);
    add(kind, found[0]);
    before = word || "";
    end = found.index + found[0].length;
  }
  add("", text.slice(end));
  return lines;
}

/** The lines of a text as elements. */
export function painted(text) {
  return pieces(text).map((line) => {
    const made = document.createElement("div");
    for (const [kind, part] of line) {
      const span = document.createElement("span");
      span.className = kind;
      span.textContent = part;
      made.append(kind ? span : part);
    }
    if (!line.length) made.append(document.createElement("br"));
    return made;
  });
}
