import { readdirSync } from "node:fs";
import { root } from "./paths.ts";

/** The names of the files in migrations/, in the order in which they are applied. */
export function migrationNames(): string[] {
  return readdirSync(`${root}migrations`)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}
