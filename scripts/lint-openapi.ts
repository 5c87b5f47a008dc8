// Lints the OpenAPI document as it is served, with Redocly's recommended rules.
import { createConfig, lintFromString, type NormalizedProblem } from "@redocly/openapi-core";
import { documentInfo, tagMeanings } from "../src/docs/routes.ts";
import { documentOf } from "../src/http/document.ts";
import { operations } from "../src/operations.ts";

const document = documentOf(documentInfo, tagMeanings, operations);
const config = await createConfig({ extends: ["recommended"], rules: {} });
const problems = await lintFromString({ source: JSON.stringify(document), config });

const placeOf = ({ location: [at] }: NormalizedProblem): string => at?.pointer ?? "#";
for (const problem of problems)
  console.error(`${problem.severity} ${problem.ruleId} ${placeOf(problem)}: ${problem.message}`);
console.log(`OpenAPI document: ${operations.length} operations, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
