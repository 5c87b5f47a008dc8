/**
 * The source of a module without what only the API's document says: `schema.openapi(…)` is `schema`, `named(name, schema, …)` is `(schema)`, and
 * operations have no summary and no description. Each line stays where it is, so that stacks name the lines of the sources.
 */
export function withoutTexts(source: string): string {
  let kept = "";
  let at = 0;
  while (at < source.length) {
    call.lastIndex = at;
    const [found] = call.exec(source) ?? [];
    // A declaration of such a function has a type behind its parentheses.
    if (found === undefined || /\bfunction $/.test(source.slice(Math.max(at - 9, 0), at))) {
      const end = skipAtom(source, at);
      kept += source.slice(at, end);
      at = end;
      continue;
    }
    const open = at + found.length;
    const close = findClose(source, open);
    const inside = source.slice(open + 1, close);
    if (found === ".openapi") kept += linesIn(source.slice(at, close + 1));
    else if (found === "named") kept += `(${secondArgument(inside)})`;
    else kept += `${found}(${withoutTexts(withoutMembers(inside))})`;
    at = close + 1;
  }
  return kept;
}

const call = /(?<![\w.$])(?:named|\w*[oO]peration)(?=\()|\.openapi(?=\()/y;

/** The members of an object that a call is given, without its texts and those of its success. */
function withoutMembers(object: string): string {
  const start = object.indexOf("{");
  if (start < 0 || object.slice(0, start).trim() !== "") return object;
  const end = findClose(object, start);
  const members = split(object.slice(start + 1, end)).map((member) => {
    const [, name, value = ""] = /^\s*(\w+): *([\s\S]*)$/.exec(member) ?? [];
    if (name === "summary" || name === "description") return linesIn(member);
    return name === "success" ? member.replace(value, () => withoutMembers(value)) : member;
  });
  return `${object.slice(0, start + 1)}${join(members)}${object.slice(end)}`;
}

/** Members without a comma behind those that are gone. */
function join(members: string[]): string {
  return members
    .map((member, nth) => (nth === members.length - 1 || member.trim() === "" ? member : `${member},`))
    .join("");
}

function secondArgument(inside: string): string {
  const [name = "", schema = "", ...others] = split(inside);
  return linesIn(name) + withoutTexts(schema) + linesIn(others.join(""));
}

/** The parts of a list between its commas. */
function split(list: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < list.length; at = skipToken(list, at)) {
    if (list[at] !== ",") continue;
    parts.push(list.slice(start, at));
    start = at + 1;
  }
  return [...parts, list.slice(start)];
}

/** Where the bracket is that closes the one at `open`. */
function findClose(source: string, open: number): number {
  let at = open + 1;
  while (!")]}".includes(source.charAt(at))) at = skipToken(source, at);
  return at;
}

/** Where the source goes on behind what begins at `at`: all between two brackets, or an atom. */
function skipToken(source: string, at: number): number {
  return "([{".includes(source.charAt(at)) ? findClose(source, at) + 1 : skipAtom(source, at);
}

/** Where the source goes on behind a text, a comment, a pattern, a word, or one character. */
function skipAtom(source: string, at: number): number {
  if (source.charAt(at) === "`") return skipTemplate(source, at);
  const form = /^\/[^/*]/.test(source.slice(at, at + 2)) && isValueNext(source.slice(0, at)) ? pattern : atom;
  form.lastIndex = at;
  const [found = ""] = form.exec(source) ?? [];
  if (/^["'`]?$/.test(found)) throw new Error(`No end: ${source.slice(at, at + 60)}`);
  return at + found.length;
}

/** Whether a slash behind this begins a pattern: it divides what ends with a name, a number or a bracket. */
function isValueNext(before: string): boolean {
  const end = before.slice(-40);
  return /\b(?:return|typeof|case|of|in)\s*$/.test(end) || !/[\w)\]$]\s*$/.test(end);
}

const atom = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*|\/\*[\s\S]*?\*\/|[\w$]+|[\s\S]/y;
const pattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+\/\w*/y;

function skipTemplate(source: string, at: number): number {
  let end = at + 1;
  while (source.charAt(end) !== "`") {
    if (end >= source.length) throw new Error(`No end: ${source.slice(at, at + 60)}`);
    if (source.startsWith("${", end)) end = findClose(source, end + 1) + 1;
    else end += source.charAt(end) === "\\" ? 2 : 1;
  }
  return end + 1;
}

function linesIn(text: string): string {
  return text.replaceAll(/[^\n]/g, "");
}
