import { randomSecret } from "../../base/lib/secrets/sealed.ts";

/** A secret for a link or a cookie, in base64url. */
export function newSecret(): string {
  return randomSecret(secretBytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const secretBytes = 32;
