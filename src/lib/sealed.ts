import { base64url } from "./encoding.ts";

const algorithm = "AES-GCM";
/** NIST SP 800-38D: 96 bits, never used twice with one key. Random nonces are safe for a few thousand secrets. */
const nonceBytes = 12;
const keyBytes = 32;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );

/** A new secret of so many bytes, in base64. */
export const randomSecret = (bytes: number): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));

const importKey = (key: string): Promise<CryptoKey> => {
  const raw = bytesOf(key.trim());
  if (raw.byteLength !== keyBytes) throw new Error(`The key must be ${keyBytes} bytes in base64`);
  return crypto.subtle.importKey("raw", raw, algorithm, false, ["encrypt", "decrypt"]);
};

/** The owner is authenticated with the text, so that a sealed text cannot be opened for another owner. */
const bound = (nonce: Uint8Array<ArrayBuffer>, owner: string) => ({
  name: algorithm,
  iv: nonce,
  additionalData: new TextEncoder().encode(owner),
});

/** Encrypts a text for one owner (AES-256-GCM). `key` is 32 bytes in base64. */
export const seal = async (key: string, owner: string, text: string): Promise<string> => {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt(
    bound(nonce, owner),
    await importKey(key),
    new TextEncoder().encode(text),
  );
  return `${base64url(nonce)}.${base64url(new Uint8Array(sealed))}`;
};

/** Decrypts a text that was sealed for this owner. Throws if the key, the owner or the text is another. */
export const unseal = async (key: string, owner: string, sealed: string): Promise<string> => {
  const [nonce = "", body = ""] = sealed.split(".");
  const opened = await crypto.subtle.decrypt(
    bound(bytesOf(nonce), owner),
    await importKey(key),
    bytesOf(body),
  );
  return new TextDecoder().decode(opened);
};
