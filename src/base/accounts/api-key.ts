import { base64url, sha256Hex } from "../lib/encoding.ts";
import { crc32 } from "../lib/secrets/crc32.ts";

/** Every key begins with it. */
export const keyPrefix = "prnl_";

/** The key id inside a key's text. Undefined if the text is not a key of ours, or is mistyped. */
export function keyIdOf(text: string): string | undefined {
  const [, body, keyId, checksum] = pattern.exec(text) ?? [];
  return body !== undefined && calculateChecksum(body) === checksum ? keyId : undefined;
}

/** A new key's text, with 256 random bits. It is shown once. */
export function newKeyText(keyId: string): string {
  const body = `${keyPrefix}${keyId}_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`;
  return body + calculateChecksum(body);
}

export function hashOfKey(text: string): Promise<string> {
  return sha256Hex(text);
}

/** CRC-32 (IEEE) as six base62 digits, the highest first. */
export function calculateChecksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  while (text.length < checksumLength) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}

/**
 * `prnl_<key id>_<43 base64url characters><6 base62 characters>`. The last six are a
 * checksum of all before them, so that scanners recognise a leaked key, and a mistyped one costs no trip to the database.
 * The whole text is hashed; only the hash is stored.
 */
const pattern = /^(prnl_([0-9a-f-]{36})_[A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$/;
const checksumLength = 6;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
