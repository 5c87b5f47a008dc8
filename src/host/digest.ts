import { hash } from "node:crypto";

/** Has digests of few bytes made at once: for Node to hand them to another thread takes ten times as long as to make them. */
export function digestAtOnce(): void {
  const { subtle } = crypto;
  if (digest) return;
  const elsewhere = subtle.digest.bind(subtle);
  digest = async (algorithm, data) => {
    if (typeof algorithm !== "string" || data.byteLength > few) return elsewhere(algorithm, data);
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    return new Uint8Array(hash(algorithm.replace("-", ""), bytes, "buffer")).buffer;
  };
  subtle.digest = digest;
}

let digest: SubtleCrypto["digest"] | undefined;

/** A digest of so many bytes takes a tenth of a millisecond. */
const few = 64 * 1024;
