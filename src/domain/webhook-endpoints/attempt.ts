import { signWebhook } from "../../base/lib/secrets/standard-webhooks.ts";
import type { Network } from "../../base/network.ts";
import type { TryOutcome } from "./outcome.ts";

/** Sends an event once, signed by the Standard Webhooks specification, and returns the outcome. Never throws. */
export async function attempt(
  network: Network,
  { url, secrets, id, body, at }: Message,
): Promise<TryOutcome> {
  const signatures = await Promise.all(secrets.map((secret) => signWebhook(secret, { id, at, body })));
  const elapsed = network.stopwatch();
  try {
    const response = await network.fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Perennial-Webhooks/1.0",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": signatures.join(" "),
      },
      body,
      redirect: "manual",
      signal: network.timeout(timeoutMs),
    });
    await readToBound(response);
    return {
      status: response.status,
      error: faultOf(response),
      retry_after: response.headers.get("retry-after"),
      duration_ms: elapsed(),
    };
  } catch (error) {
    return { status: null, error: reasonOf(error), retry_after: null, duration_ms: elapsed() };
  }
}

/** The time that an endpoint may take to answer. */
const timeoutMs = 15_000;

/** The most of an answer's body that is read. */
const bodyBytesMax = 4096;

type Message = {
  url: string;
  /** Every secret signs; there are two while one is rotated. */
  secrets: string[];
  /** The event's id, the same for every try. */
  id: string;
  body: string;
  at: Date;
};

/**
 * Reads a body that is short, which leaves the connection to the next delivery, and breaks off one that may be a gigabyte. The
 * status has decided already, so a body that breaks off or hangs changes nothing. Its text may be personal, and is not kept.
 */
async function readToBound({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (let read = 0; read < bodyBytesMax; ) {
      const { value, done } = await reader.read();
      if (done) return;
      read += value.byteLength;
    }
  } catch {
    return;
  }
  await reader.cancel().catch(() => undefined);
}

function faultOf({ ok, status }: Response): string | null {
  if (ok) return null;
  return status >= 300 && status < 400
    ? `answered ${status}: redirects are not followed`
    : `answered ${status}`;
}

function reasonOf(error: unknown): string {
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return isTimeout ? `did not answer within ${timeoutMs / 1000} seconds` : "could not be reached";
}
