/** The linter of the API document. It stands here because imports are resolved from the folder of a module. */
export { createConfig, lintFromString, type NormalizedProblem } from "@redocly/openapi-core";
