import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { JWK } from "jose";
import { z } from "zod";
import { findKeyFault } from "../src/base/lib/secrets/sealed.ts";

/** A setting is not what the step needs. Nothing may be printed then, as it would be put in the place of secrets that nobody can read back. */
export class SettingError extends Error {}

/** The secrets that a server on one machine gives itself where nobody has, and how to make each. */
export const secrets: Record<string, () => string> = {
  JWT_PRIVATE_JWK: newSigningKey,
  STORE_CREDENTIALS_KEY: newCredentialsKey,
  OPERATOR_KEY: newCredentialsKey,
};

/** A fresh Ed25519 private key as a JWK text, for JWT_PRIVATE_JWK. */
export function newSigningKey(): string {
  return JSON.stringify(newJwk());
}

/** The steps that replace a key in JWT_PRIVATE_JWK, in their order (docs/run/secrets.md#the-signing-key). */
export const signingKeySteps = {
  /** A fresh key, last: it is published and accepted, and does not sign yet. */
  add: async (setting: string): Promise<string> => setOf([...jwksIn(setting), newJwk()]),
  /** The last key first: it signs from then on, and tokens of the others stay valid. */
  promote: async (setting: string): Promise<string> => {
    const keys = requireSeveral(jwksIn(setting), "promote");
    return setOf([...keys.slice(-1), ...keys.slice(0, -1)]);
  },
  /** The first key alone: tokens of the others are refused from then on. */
  prune: async (setting: string): Promise<string> =>
    setOf(requireSeveral(jwksIn(setting), "remove").slice(0, 1)),
};

/** 32 random bytes in base64, for STORE_CREDENTIALS_KEY. */
export function newCredentialsKey(): string {
  return randomBytes(32).toString("base64");
}

/** The steps that replace a key in STORE_CREDENTIALS_KEY, in their order. */
export const credentialsKeySteps = {
  /** A fresh key, first: it seals from then on, and the others open what they have sealed. */
  add: async (setting: string): Promise<string> =>
    [newCredentialsKey(), ...credentialsKeysIn(setting)].join(","),
  /** The first key alone. */
  prune: async (setting: string): Promise<string> => requireSeveral(credentialsKeysIn(setting), "remove")[0]!,
};

function newJwk(): JWK {
  return generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as JWK;
}

const privateJwk = z.looseObject({ kty: z.string(), d: z.string() });
const jwks = z.union([z.object({ keys: z.array(privateJwk).min(1) }), privateJwk]);

function jwksIn(setting: string): JWK[] {
  const { success, data } = jwks.safeParse(parseOrNull(setting));
  if (!success) throw new SettingError("standard input must hold a private key as JSON, or a set of them");
  return "keys" in data && Array.isArray(data.keys) ? data.keys : [data as JWK];
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function setOf(keys: JWK[]): string {
  return JSON.stringify({ keys });
}

function credentialsKeysIn(setting: string): string[] {
  const fault = findKeyFault(setting);
  if (fault !== undefined) throw new SettingError(`on standard input, ${fault}`);
  return setting.split(",").map((key) => key.trim());
}

function requireSeveral<K>(keys: K[], step: string): K[] {
  if (keys.length === 1) throw new SettingError(`the setting has one key alone: there is none to ${step}`);
  return keys;
}
