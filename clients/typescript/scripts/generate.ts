// Writes the types of the API's document, or says with --check that they are not those of the document any more.
//
//   npm run client [-- --check]
import { readFileSync, writeFileSync } from "node:fs";
import type { OpenAPI3 } from "openapi-typescript";
import { commandLine } from "../../../scripts/command-line.ts";

const target = new URL("../src/schema.ts", import.meta.url);
const { values } = commandLine({
  usage: `Usage: npm run client [-- --check]

Writes the types of clients/typescript, made from the API's document.

  --check  writes nothing, and fails if they are not those of the document any more`,
  options: { check: { type: "boolean", default: false } },
});
const isCheck = values.check;

const { default: openapiTS, astToString } = await import("openapi-typescript");
const { apiDocument } = await import("../../../src/runtime/operations.ts");

// Examples have dates that are counted from a day: of always the same one, the types are always the same.
const document: Document = JSON.parse(JSON.stringify(apiDocument(new Date("2026-01-01"))));
const generated = [
  "// Made from the API's document by `npm run client`. Do not edit.",
  astToString(await openapiTS(document)),
  "/** The paths whose POST takes an Idempotency-Key. */",
  `export const keyedPaths: ReadonlySet<string> = new Set(${JSON.stringify(keyedPaths(document), null, 2)});`,
  "",
].join("\n");

if (!isCheck) writeFileSync(target, generated);
else if (readFileSync(target, "utf8") !== generated) {
  console.error("clients/typescript is not made from the document as it is: run `npm run client`");
  process.exit(1);
}
console.log(`clients/typescript: ${isCheck ? "made from the document as it is" : "written"}`);

type Post = { parameters?: { name: string }[] };
type Document = OpenAPI3 & { paths: Record<string, { post?: Post }> };

function keyedPaths({ paths }: Document): string[] {
  return Object.entries(paths)
    .filter(([, { post }]) => post?.parameters?.some(({ name }) => name === "Idempotency-Key"))
    .map(([path]) => path);
}
