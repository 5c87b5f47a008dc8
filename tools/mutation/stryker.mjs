// The tool that mutates rules. It stands here because imports are resolved from the folder of a module.
export { Stryker } from "@stryker-mutator/core";
