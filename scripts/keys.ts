import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK } from "jose";

/** A fresh Ed25519 private key as a JWK text, for JWT_PRIVATE_JWK. */
export async function newSigningKey(): Promise<string> {
  return JSON.stringify(await newJwk());
}

/** What can be done with JWT_PRIVATE_JWK, in the order in which a key is replaced (docs/operations.md#tokens). */
export const signingKeySteps = {
  /** A fresh key, last: it is published and accepted, and does not sign yet. */
  add: async (setting: string): Promise<string> => setOf([...keysIn(setting), await newJwk()]),
  /** The last key first: it signs from then on, and tokens of the others stay valid. */
  promote: async (setting: string): Promise<string> => {
    const keys = keysIn(setting);
    return setOf([...keys.slice(-1), ...keys.slice(0, -1)]);
  },
  /** The first key alone: tokens of the others are refused from then on. */
  prune: async (setting: string): Promise<string> => setOf(keysIn(setting).slice(0, 1)),
};

/** 32 random bytes in base64, for STORE_CREDENTIALS_KEY. */
export function newCredentialsKey(): string {
  return randomBytes(32).toString("base64");
}

/** What can be done with STORE_CREDENTIALS_KEY, in the order in which a key is replaced. */
export const credentialsKeySteps = {
  /** A fresh key, first: it seals from then on, and the others open what they have sealed. */
  add: async (setting: string): Promise<string> => `${newCredentialsKey()},${setting}`,
  /** The first key alone. */
  prune: async (setting: string): Promise<string> => setting.split(",")[0]?.trim() ?? "",
};

async function newJwk(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  return exportJWK(privateKey);
}

function keysIn(setting: string): JWK[] {
  const parsed = JSON.parse(setting) as JWK | { keys: JWK[] };
  return "keys" in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed as JWK];
}

function setOf(keys: JWK[]): string {
  return JSON.stringify({ keys });
}
