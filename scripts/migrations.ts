import { readdirSync, readFileSync } from "node:fs";
import { root } from "./paths.ts";

/** The names of the files in migrations/, in the order in which they are applied. */
export function migrationNames(): string[] {
  return readdirSync(`${root}migrations`)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

export function migrationText(name: string): string {
  return readFileSync(`${root}migrations/${name}`, "utf8");
}

/** The text of each file in migrations/, in the order in which they are applied. */
export function migrationTexts(): string[] {
  return migrationNames().map(migrationText);
}
