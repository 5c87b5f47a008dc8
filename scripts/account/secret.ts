import { readFileSync } from "node:fs";
import { UsageError } from "./options.ts";

/**
 * A secret in a file, or on standard input for `-`. Never on the command line, where other users of the machine see it and the
 * shell keeps it in its history.
 */
export function readSecret(path: string): string {
  try {
    return readFileSync(path === "-" ? standardInput : path, "utf8").trim();
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

const standardInput = 0;
