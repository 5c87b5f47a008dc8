import { base64url, sha256Hex } from "../lib/encoding.ts";

/** `sub_<key id>_<43 base64url characters>` (docs/decisions.md#1-who-is-calling). The whole text is hashed; only the hash is stored. */
const pattern = /^sub_([0-9a-f-]{36})_[A-Za-z0-9_-]{43}$/;

/** The key id inside a key's text, or undefined where it is no key of ours. */
export const keyIdOf = (key: string): string | undefined => pattern.exec(key)?.[1];

/** A new key's text: 256 random bits, shown once. */
export const newKeyText = (keyId: string): string =>
  `sub_${keyId}_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`;

export const hashOfKey = (key: string): Promise<string> => sha256Hex(key);
