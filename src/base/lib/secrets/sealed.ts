import { base64url, sha256Hex } from "../encoding.ts";
import { ttlCache } from "../ttl-cache.ts";

/**
 * A text that only the key opens, and only for this owner (AES-256-GCM): `<key id>.<nonce>.<text>`. `keys` is 32 bytes in
 * base64, or several such keys divided by commas while a key is replaced. The first seals; each opens what it has sealed.
 */
export async function seal(keys: string, owner: string, text: string): Promise<string> {
  const { id, key } = await importFirstKey(keys);
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt(bindOwner(nonce, owner), key, new TextEncoder().encode(text));
  return `${id}.${base64url(nonce)}.${base64url(new Uint8Array(sealed))}`;
}

/** The text that was sealed for this owner. Throws if the key, the owner or the text is another. */
export async function unseal(keys: string, owner: string, sealed: string): Promise<string> {
  const [body, nonce = ""] = sealed.split(".").toReversed();
  const opened = await Promise.any(
    (await importKeys(keys)).map(({ key }) =>
      crypto.subtle.decrypt(bindOwner(bytesOf(nonce), owner), key, bytesOf(body!)),
    ),
  );
  return new TextDecoder().decode(opened);
}

/** The bytes of each of the keys, in their order. */
export function rawKeys(keys: string): Uint8Array<ArrayBuffer>[] {
  return keys.split(",").map(bytesOf);
}

/** A new secret of so many bytes, in base64. */
export function randomSecret(bytes: number): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
}

/** Whether the first of the keys has sealed a text: else it is to be sealed anew before the others are removed. */
export async function isSealedByFirst(keys: string, sealed: string): Promise<boolean> {
  return hasSealed(await importFirstKey(keys), sealed);
}

/** Whether one of the keys has sealed a text. */
export async function isSealedByAny(keys: string, sealed: string): Promise<boolean> {
  return (await importKeys(keys)).some((key) => hasSealed(key, sealed));
}

function hasSealed({ id }: Key, sealed: string): boolean {
  return sealed.startsWith(`${id}.`);
}

/** A sealed text as the first key seals it; as it is if that key has sealed it; undefined if no key opens it. */
export async function reseal(keys: string, owner: string, sealed: string): Promise<string | undefined> {
  if (await isSealedByFirst(keys, sealed)) return sealed;
  const text = await unseal(keys, owner, sealed).catch(() => undefined);
  return text === undefined ? undefined : seal(keys, owner, text);
}

/**
 * Why a setting holds no keys to seal with; undefined if it does. One part that is no key leaves nothing that can be sealed or opened, as
 * all of them are imported together.
 */
export function findKeyFault(keys: string): string | undefined {
  const parts = keys.split(",");
  const wrong = parts.findIndex((part) => !isKey(part));
  return wrong < 0 ? undefined : `key ${wrong + 1} of ${parts.length} must be ${keyBytes} bytes in base64`;
}

const algorithm = "AES-GCM";
/** NIST SP 800-38D: 96 bits, never used twice with one key. Random nonces are safe for a few thousand secrets. */
const nonceBytes = 12;
const keyBytes = 32;
const keyIdLength = 8;

/** The id begins each text that the key has sealed. It is shorter than a nonce, which began texts before keys had ids. */
type Key = { id: string; key: CryptoKey };

/** The number of secrets that were sealed anew; `not_opened` names those that none of the keys opens. */
export type Resealed = { resealed: number; unchanged: number; not_opened: string[] };

/** 32 bytes are 43 characters of base64 or base64url, and one that fills them up. */
function isKey(text: string): boolean {
  return /^[\w+/-]{43}=?$/.test(text.replaceAll(/\s/g, ""));
}

async function importFirstKey(keys: string): Promise<Key> {
  return (await importKeys(keys))[0]!;
}

async function importKeys(keys: string): Promise<Key[]> {
  const known = imported.get(keys, 0);
  if (known) return known;
  const found = await Promise.all(keys.split(",").map(importKey));
  imported.set(keys, found, 0);
  return found;
}

/** A process has one setting of keys, or two while they are replaced; to import them takes longer than to open a text. */
const imported = ttlCache<Key[]>(Number.POSITIVE_INFINITY, 10);

async function importKey(text: string): Promise<Key> {
  const raw = bytesOf(text);
  if (raw.byteLength !== keyBytes) throw new Error(`The key must be ${keyBytes} bytes in base64`);
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["encrypt", "decrypt"]);
  return { id: (await sha256Hex(raw)).slice(0, keyIdLength), key };
}

/** The owner is sealed in: a sealed text that is moved to another owner does not open. */
function bindOwner(nonce: Uint8Array<ArrayBuffer>, owner: string) {
  return { name: algorithm, iv: nonce, additionalData: new TextEncoder().encode(owner) };
}

/** The bytes of base64 or base64url. White space is skipped. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
