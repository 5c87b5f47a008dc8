import { appendFileSync, chmodSync, existsSync, readFileSync } from "node:fs";
import { secrets } from "./keys.ts";
import { root } from "./paths.ts";

/** A secret of the local server, by its name. */
export function localVar(name: string): string | undefined {
  return new RegExp(`^\\s*${name}\\s*=\\s*'?([^'\\n]*)'?`, "m").exec(content())?.[1];
}

/** Gives the local server secrets of its own, kept in .dev.vars (not in git). */
export function ensureDevVars(): void {
  for (const [name, make] of Object.entries(secrets)) {
    if (localVar(name) !== undefined) continue;
    const newline = content() === "" || content().endsWith("\n") ? "" : "\n";
    appendFileSync(file, `${newline}${name}='${make()}'\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  }
}

const file = `${root}.dev.vars`;
function content(): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
