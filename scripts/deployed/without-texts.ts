import { type ParserOptions, parse } from "@babel/parser";

/**
 * The source of a module without what only the API's document says: `schema.openapi(…)` is `schema`, `named(name, schema, …)` is `(schema)`,
 * operations have no summary and no description, and zod is imported by its namespace, of which the bundler keeps what is used. Each line stays
 * where it is, so that stacks name the lines of the sources.
 */
export function withoutTexts(source: string): string {
  const edits: Edit[] = [];
  visit(parse(source, options).program as unknown as Node, edits);
  let [kept, at] = ["", 0];
  for (const { start, end, open = "", close = "" } of edits.toSorted(
    (one, other) => one.start - other.start,
  )) {
    // Nothing is left of a part within one that is gone.
    if (end <= at) continue;
    kept += source.slice(at, start) + open + source.slice(start, end).replaceAll(/[^\n]/g, "") + close;
    at = end;
  }
  return kept + source.slice(at);
}

const options: ParserOptions = { sourceType: "module", plugins: ["typescript"] };

/** A part of the source, and what stands in its place, before and behind its lines. */
type Edit = { start: number; end: number; open?: string; close?: string };

/** A node of the syntax tree, of which each kind has other parts. */
type Node = { type: string; start: number; end: number; [part: string]: unknown };

function visit(node: Node, edits: Edit[]): void {
  if (node.type === "CallExpression") edits.push(...editsOfCall(node));
  if (node.type === "ImportDeclaration") edits.push(...editsOfImport(node));
  for (const part of Object.values(node).flat()) if (isNode(part)) visit(part, edits);
}

function isNode(part: unknown): part is Node {
  return typeof part === "object" && part !== null && typeof (part as Node).type === "string";
}

function editsOfCall(call: Node): Edit[] {
  const [callee, [first, second]] = [call.callee as Node, call.arguments as Node[]];
  const property = callee.property as Node | undefined;
  if (callee.type === "MemberExpression" && property?.name === "openapi")
    return [{ start: (callee.object as Node).end, end: call.end }];
  if (callee.type !== "Identifier") return [];
  if (callee.name === "named" && second)
    return [
      { start: call.start, end: second.start, open: "(" },
      { start: second.end, end: call.end, close: ")" },
    ];
  return first && /[oO]peration$/.test(String(callee.name)) ? editsOfMembers(first) : [];
}

/** The texts of an operation, and those of its success. */
function editsOfMembers(object: Node): Edit[] {
  const members = (object.properties ?? []) as Node[];
  return members.flatMap(({ start, end, ...member }, nth) => {
    const name = (member.key as Node | undefined)?.name;
    if (name === "success") return editsOfMembers(member.value as Node);
    if (name !== "summary" && name !== "description") return [];
    return [{ start, end: members[nth + 1]?.start ?? object.end - 1 }];
  });
}

/** The module's zod is the package itself, without the methods that the document needs. */
function editsOfImport({ start, end, importKind, source, specifiers }: Node): Edit[] {
  const name = (source as Node).value;
  const [only, ...others] = specifiers as Node[];
  if (name === "@hono/zod-openapi" && !only) return [{ start, end }];
  const imported = (only?.imported as Node | undefined)?.name;
  if (!["@hono/zod-openapi", "zod"].includes(String(name)) || imported !== "z" || others.length > 0)
    return [];
  return [{ start, end, open: `import ${importKind === "type" ? "type " : ""}* as z from "zod";` }];
}
