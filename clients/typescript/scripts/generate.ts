// Makes src/schema.ts, the types of the API's document, where the document is not the one that they were made from.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { OpenAPI3 } from "openapi-typescript";
import { apiDocument } from "../../../src/runtime/operations.ts";

const target = fileURLToPath(new URL("../src/schema.ts", import.meta.url));

// Examples have dates that are counted from a day: of always the same one, the types are always the same.
const api = await apiDocument(new Date("2026-01-01"));
/** A query has texts, which the client makes of booleans. */
const QueryBoolean = { oneOf: [{ type: "boolean" }, { type: "string", enum: ["true", "false"] }] };
const schemas = { ...api.components?.schemas, QueryBoolean };
const document = JSON.stringify({ ...api, components: { ...api.components, schemas } });
const { devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const hash = createHash("sha256")
  .update(devDependencies["openapi-typescript"])
  .update(document)
  .digest("hex");
const madeFrom = `// Made from the API's document by clients/typescript/scripts/generate.ts (${hash}).\n`;

if (!existsSync(target) || !readFileSync(target, "utf8").startsWith(madeFrom)) await make();

async function make(): Promise<void> {
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const types = astToString(await openapiTS(JSON.parse(document) as OpenAPI3));
  // Two checks that run side by side may make it at once, and neither may read half of it.
  const own = `${target}.${process.pid}`;
  writeFileSync(own, madeFrom + types);
  renameSync(own, target);
  console.log("clients/typescript/src/schema.ts: made from the API's document");
}
