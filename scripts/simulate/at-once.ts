import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Work that the Worker awaits of the platform's own threads and timers is done at once: for so few bytes, handing them to another
 * thread takes ten times as long as the work.
 */
const { subtle } = crypto;

subtle.digest = async (algorithm, data) => {
  const name = String(algorithm).replace("-", "").toLowerCase();
  return bufferOf(hash(name, bytesOf(data), "buffer"));
};

/** Secrets are sealed under few keys. */
const imported = new Map<string, CryptoKey>();
const bytesOfKey = new WeakMap<CryptoKey, Buffer>();
const importKey = subtle.importKey.bind(subtle) as (...input: unknown[]) => Promise<CryptoKey>;

subtle.importKey = (async (format: string, data: BufferSource, ...rest: unknown[]) => {
  const id = `${format} ${bytesOf(data).toString("base64")} ${JSON.stringify(rest)}`;
  const key = imported.get(id) ?? (await importKey(format, data, ...rest));
  imported.set(id, key);
  bytesOfKey.set(key, bytesOf(data));
  return key;
}) as typeof subtle.importKey;

/** Every signature is an HMAC-SHA256 (RFC 2104). */
subtle.sign = async (_algorithm, key, data) => bufferOf(hmacOf(key, data));

subtle.verify = async (_algorithm, key, signature, data) => {
  const [claimed, signed] = [bytesOf(signature), hmacOf(key, data)];
  return claimed.length === signed.length && timingSafeEqual(claimed, signed);
};

/** A key that signs is derived from another by HKDF-SHA256 (RFC 5869). */
subtle.deriveKey = (async (
  algorithm: HkdfParameters,
  secret: CryptoKey,
  form: HmacForm,
  ...rest: unknown[]
) => {
  const { salt, info } = algorithm;
  const key = hkdfSync("sha256", requireBytes(secret), bytesOf(salt), bytesOf(info), form.length / 8);
  return (subtle.importKey as typeof importKey)("raw", key, form, ...rest);
}) as unknown as typeof subtle.deriveKey;

type HkdfParameters = { salt: BufferSource; info: BufferSource };
type HmacForm = { name: string; hash: string; length: number };

function hmacOf(key: CryptoKey, data: BufferSource): Buffer {
  return createHmac("sha256", requireBytes(key)).update(bytesOf(data)).digest();
}

const cipherName = "aes-256-gcm";
const tagBytes = 16;
type GcmParameters = { iv: BufferSource; additionalData: BufferSource };

subtle.encrypt = async (algorithm, key, data) => {
  const { iv, additionalData } = algorithm as GcmParameters;
  const cipher = createCipheriv(cipherName, requireBytes(key), bytesOf(iv));
  cipher.setAAD(bytesOf(additionalData));
  return bufferOf(Buffer.concat([cipher.update(bytesOf(data)), cipher.final(), cipher.getAuthTag()]));
};

/** The texts that were decrypted, because few secrets are opened again and again. */
const opened = new Map<string, ArrayBuffer>();
const openedMax = 1000;

subtle.decrypt = async (algorithm, key, data) => {
  const { iv, additionalData } = algorithm as GcmParameters;
  const id = [requireBytes(key), bytesOf(iv), bytesOf(additionalData), bytesOf(data)]
    .map((bytes) => bytes.toString("latin1"))
    .join();
  const text = opened.get(id) ?? decrypted(requireBytes(key), { iv, additionalData }, bytesOf(data));
  if (opened.size >= openedMax) opened.clear();
  opened.set(id, text);
  return text.slice();
};

function decrypted(key: Buffer, { iv, additionalData }: GcmParameters, sealed: Buffer): ArrayBuffer {
  const decipher = createDecipheriv(cipherName, key, bytesOf(iv));
  decipher.setAAD(bytesOf(additionalData));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return bufferOf(Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]));
}

/** Nothing takes real time, so no request is given up after some of it. */
const never = new AbortController().signal;
AbortSignal.timeout = () => never;

function requireBytes(key: CryptoKey): Buffer {
  const bytes = bytesOfKey.get(key);
  if (!bytes) throw new Error("This key was not imported");
  return bytes;
}

function bytesOf(data: BufferSource): Buffer {
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** A timer without a delay is due at once, not after a millisecond. Nobody clears one. */
const { setTimeout: startTimer } = globalThis;
globalThis.setTimeout = ((work: () => void, ms = 0) =>
  ms === 0 ? setImmediate(work) : startTimer(work, ms)) as typeof setTimeout;
