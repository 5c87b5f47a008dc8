import { appendFileSync, chmodSync, existsSync, readFileSync } from "node:fs";
import { newCredentialsKey, newSigningKey } from "./keys.ts";
import { root } from "./paths.ts";

const file = `${root}.dev.vars`;
const content = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** A secret of the local server, by its name. */
export const localVar = (name: string): string | undefined =>
  new RegExp(`^\\s*${name}\\s*=\\s*'?([^'\\n]*)'?`, "m").exec(content())?.[1];

/** The local server's secrets, and how to generate each. */
const secrets: Record<string, () => string | Promise<string>> = {
  JWT_PRIVATE_JWK: newSigningKey,
  STORE_CREDENTIALS_KEY: newCredentialsKey,
  OPERATOR_KEY: newCredentialsKey,
};

/** Gives the local server secrets of its own, kept in .dev.vars (not in git). */
export const ensureDevVars = async (): Promise<void> => {
  for (const [name, make] of Object.entries(secrets)) {
    if (localVar(name) !== undefined) continue;
    const newline = content() === "" || content().endsWith("\n") ? "" : "\n";
    appendFileSync(file, `${newline}${name}='${await make()}'\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  }
};
