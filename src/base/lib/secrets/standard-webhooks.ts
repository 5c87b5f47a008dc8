import { base64OfBytes, bytesOfBase64url } from "../encoding.ts";

type Message = { id: string; at: Date; body: string };

/**
 * The signature of a message by the Standard Webhooks specification (https://www.standardwebhooks.com/), made by the runtime: the library
 * of the specification hashes in JavaScript.
 */
export async function signWebhook(secret: string, { id, at, body }: Message): Promise<string> {
  const content = contentOf(id, secondsOf(at), body);
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), content);
  return `${version}${base64OfBytes(new Uint8Array(signature))}`;
}

type Claimed = { id: string; timestamp: string; signatures: string; body: string };

/** Whether one of the signatures fits and the message is at most five minutes off. Compared in constant time. */
export async function isSignedWebhook(secret: string, claimed: Claimed, now: Date): Promise<boolean> {
  const { id, timestamp, signatures, body } = claimed;
  if (id === "" || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(secondsOf(now) - Number(timestamp)) > toleranceSeconds) return false;
  const key = await keyOf(secret);
  const verify = (signature: string) =>
    crypto.subtle
      .verify(
        "HMAC",
        key,
        bytesOfBase64url(signature.slice(version.length)),
        contentOf(id, Number(timestamp), body),
      )
      .catch(() => false);
  const verified = signatures
    .split(" ")
    .filter((one) => form.test(one))
    .map(verify);
  return (await Promise.all(verified)).includes(true);
}

const version = "v1,";
/** HMAC-SHA256 in base64. */
const form = /^v1,[A-Za-z0-9+/]{43}=$/;
const toleranceSeconds = 300;

function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

function contentOf(id: string, seconds: number, body: string): Uint8Array {
  return new TextEncoder().encode(`${id}.${seconds}.${body}`);
}

/** The key is the bytes behind the prefix. */
function keyOf(secret: string): Promise<CryptoKey> {
  const raw = bytesOfBase64url(secret.replace(/^whsec_/, ""));
  return crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}
