// Lints the OpenAPI document as it is served: with Redocly's recommended rules, and for anything that it leaves unsaid.
import type { NormalizedProblem } from "../tools/openapi/redocly.ts";
import { commandLine } from "./command-line.ts";
import { requireTool } from "./require-tool.ts";

commandLine({
  usage: `Usage: npm run lint:openapi

Lints the OpenAPI document as it is served, and refuses anything that it leaves undescribed.`,
  options: {},
});

await requireTool("openapi");
const { createConfig, lintFromString } = await import("../tools/openapi/redocly.ts");
const { allOperations, apiDocument } = await import("../src/runtime/operations.ts");
const { undescribed } = await import("./openapi/undescribed.ts");

const { shareParts } = await import("../src/kit/http/document/share-parts.ts");

const document = await apiDocument(new Date());
const source = JSON.stringify(shareParts(document));
// The contract has /{id}/pause beside /entities/{id}: ids are UUIDs, so no path is ever both (app.ts sorts them).
// Rules between fields (dependentSchemas) name fields of the object around them, which these two do not see.
const rules = {
  "no-ambiguous-paths": "off",
  "no-required-schema-properties-undefined": "off",
  "no-invalid-schema-examples": { severity: "warn", allowAdditionalProperties: true },
} as const;
const config = await createConfig({ extends: ["recommended"], rules });
const found = await lintFromString({ source, config });

function placeOf({ location: [at] }: NormalizedProblem): string {
  return at?.pointer ?? "#";
}
const problems = [
  ...found.map((problem) => `${problem.severity} ${problem.ruleId} ${placeOf(problem)}: ${problem.message}`),
  ...undescribed(JSON.parse(JSON.stringify(document))).map((fault) => `error undescribed: ${fault}`),
];
for (const problem of problems) console.error(problem);
console.log(`OpenAPI document: ${(await allOperations()).length} operations, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
