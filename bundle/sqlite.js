// Stands in for "node:sqlite" in the file for one machine (scripts/host/build.ts): a Node without it says so, where an import would end with a stack.

const sqlite = process.getBuiltinModule?.("node:sqlite");
if (!sqlite) {
  console.error(`Node 24 or later is needed: this is ${process.version}`);
  process.exit(1);
}

export const { DatabaseSync } = sqlite;
