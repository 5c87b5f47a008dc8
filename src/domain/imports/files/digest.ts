import { invalid } from "../../../base/errors.ts";

/**
 * Throws VALIDATION_FAILED where a Content-Digest (RFC 9530) is not that of the bytes. Digests of other algorithms are passed over, if
 * one that is known is beside them.
 */
export async function requireDigest(
  bytes: Uint8Array<ArrayBuffer>,
  header: string | undefined,
): Promise<void> {
  if (header === undefined) return;
  const known = header.split(",").flatMap((member) => {
    const [, name = "", value = ""] = digestPattern.exec(member) ?? [];
    const algorithm = algorithms[name.toLowerCase()];
    return algorithm === undefined ? [] : [{ algorithm, value }];
  });
  if (known.length === 0) throw refused("must be sha-256=:…: or sha-512=:…:, in base64");
  for (const { algorithm, value } of known) {
    const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
    if (btoa(String.fromCharCode(...digest)) !== value) throw refused("is not the digest of the body");
  }
}

const digestPattern = /^\s*([A-Za-z0-9-]+)\s*=\s*:([A-Za-z0-9+/]*={0,2}):\s*$/;
const algorithms: Record<string, string> = { "sha-256": "SHA-256", "sha-512": "SHA-512" };

function refused(message: string) {
  return invalid([{ path: "Content-Digest", message }]);
}
