import { bytesOfHex, hexOf } from "../encoding.ts";
import { rawKeys } from "./sealed.ts";

/**
 * The HMAC-SHA256 of a text in lower-case hexadecimal digits, of which each has one spelling alone. It is made with a key derived from the
 * first of the keys for this purpose (HKDF, RFC 5869), so that it proves nothing elsewhere.
 */
export async function sign(keys: string, purpose: string, text: string): Promise<string> {
  const [key] = await deriveKeys(keys, purpose);
  return hexOf(new Uint8Array(await crypto.subtle.sign("HMAC", key!, new TextEncoder().encode(text))));
}

/** Whether one of the keys has signed a text for this purpose; compared in constant time. */
export async function isSigned(
  keys: string,
  purpose: string,
  { text, signature }: { text: string; signature: string },
): Promise<boolean> {
  const claimed = bytesOfHex(signature);
  if (hexOf(claimed) !== signature) return false;
  const signed = new TextEncoder().encode(text);
  const verify = (key: CryptoKey) => crypto.subtle.verify("HMAC", key, claimed, signed);
  return (await Promise.all((await deriveKeys(keys, purpose)).map(verify))).includes(true);
}

const hash = "SHA-256";

function deriveKeys(keys: string, purpose: string): Promise<CryptoKey[]> {
  const derivation = { name: "HKDF", hash, salt: new Uint8Array(), info: new TextEncoder().encode(purpose) };
  return Promise.all(
    rawKeys(keys).map(async (raw) => {
      const secret = await crypto.subtle.importKey("raw", raw, "HKDF", false, ["deriveKey"]);
      const form = { name: "HMAC", hash, length: 256 };
      return crypto.subtle.deriveKey(derivation, secret, form, false, ["sign", "verify"]);
    }),
  );
}
