// Lints the OpenAPI document as it is served, with Redocly's recommended rules.
import { createConfig, lintFromString, type NormalizedProblem } from "@redocly/openapi-core";
import { apiDocument, operations } from "../src/operations.ts";
import { commandLine } from "./command-line.ts";

commandLine({
  usage: `Usage: npm run lint:openapi

Lints the OpenAPI document as it is served.`,
  options: {},
});

const document = apiDocument(new Date());
// The contract has /{id}/pause beside /entities/{id}: ids are UUIDs, so no path is ever both (mount.ts sorts them).
const rules = { "no-ambiguous-paths": "off" } as const;
const config = await createConfig({ extends: ["recommended"], rules });
const problems = await lintFromString({ source: JSON.stringify(document), config });

const placeOf = ({ location: [at] }: NormalizedProblem): string => at?.pointer ?? "#";
for (const problem of problems)
  console.error(`${problem.severity} ${problem.ruleId} ${placeOf(problem)}: ${problem.message}`);
console.log(`OpenAPI document: ${operations.length} operations, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
