import { appendFileSync, chmodSync, existsSync, readFileSync } from "node:fs";
import { root } from "./paths.ts";
import { newSigningKey } from "./signing-key.ts";

const file = `${root}.dev.vars`;

/** Gives the local server a key of its own to sign tokens with, kept in .dev.vars (not in git). */
export const ensureDevVars = async (): Promise<void> => {
  const content = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (/^\s*JWT_PRIVATE_JWK\s*=/m.test(content)) return;
  const newline = content === "" || content.endsWith("\n") ? "" : "\n";
  appendFileSync(file, `${newline}JWT_PRIVATE_JWK='${await newSigningKey()}'\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
};
